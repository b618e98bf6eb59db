# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Parquet files of made-up recordings of devices that turn, for tests and measurements of engines: nested and long, the same numbers."""

import pathlib
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from conftest import Recording

COLUMNS = [sensor + axis for sensor in "agm" for axis in "xyz"]


def recording(number, seconds):
    """Times in ns, and the nine columns, at 100 Hz."""
    made = Recording(int(seconds * 100), number)
    times = 1_790_000_000_000_000_000 + np.arange(len(made.t), dtype=np.int64) * 10_000_000
    return times, np.hstack([made.acc, made.gyr, made.mag * 1e-6])


def write(folder, count, seconds, files=8):
    """Writes FOLDER/nested/*.parquet and FOLDER/long/*.parquet; a recording is in one file."""
    folder = pathlib.Path(folder)
    for part in range(files):
        made = [(f"r{number:05}", *recording(number, seconds)) for number in range(count) if number * files // count == part]
        names = [name for name, _, _ in made]
        nested = {"recording": names, "timestamp_ns": [times for _, times, _ in made]}
        nested |= {column: [rows[:, i] for _, _, rows in made] for i, column in enumerate(COLUMNS)}
        lengths = [len(times) for _, times, _ in made]
        long = {"recording": np.repeat(names, lengths), "timestamp_ns": np.concatenate([times for _, times, _ in made])}
        rows = np.concatenate([rows for _, _, rows in made])
        long |= {column: np.ascontiguousarray(rows[:, i]) for i, column in enumerate(COLUMNS)}
        for layout, columns, group in (("nested", nested, 16), ("long", long, 131_072)):
            (folder / layout).mkdir(parents=True, exist_ok=True)
            path = folder / layout / f"part-{part:03}.parquet"
            pq.write_table(pa.table(columns), path, compression="zstd", row_group_size=group)


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
