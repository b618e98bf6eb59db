# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Parquet files of made-up recordings of devices that turn, for tests and measurements of engines: nested and long, the same numbers."""

import pathlib
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

COLUMNS = [sensor + axis for sensor in "agm" for axis in "xyz"]


def recording(number, seconds):
    """Times in ns, and the nine columns, at 100 Hz: a second of rest, then turns about all axes; a gyroscope bias and noise."""
    random = np.random.default_rng(number)
    count = int(seconds * 100)
    t = np.arange(count + 1) / 100
    fade = np.clip(t - 1, 0, 1)
    roll, pitch, yaw = (fade * size * np.sin(t * random.uniform(0.5, 2) + random.uniform(0, 6)) for size in (1.2, 0.7, 2.5))
    matrices = _about(2, yaw) @ _about(1, pitch) @ _about(0, roll)
    turns = np.swapaxes(matrices[:-1], 1, 2) @ matrices[1:]
    gyr = np.stack([turns[:, 2, 1] - turns[:, 1, 2], turns[:, 0, 2] - turns[:, 2, 0], turns[:, 1, 0] - turns[:, 0, 1]], 1) * 50
    matrices = matrices[1:]
    acc = np.array([0, 0, 9.80665]) @ matrices
    mag = np.array([0, 18e-6, -44.5e-6]) @ matrices
    gyr = gyr + random.normal(0, 0.004, 3) + random.normal(0, 0.001, (count, 3))
    acc, mag = acc + random.normal(0, 0.02, (count, 3)), mag + random.normal(0, 0.3e-6, (count, 3))
    times = 1_790_000_000_000_000_000 + np.arange(count, dtype=np.int64) * 10_000_000
    return times, np.hstack([acc, gyr, mag])


def _about(axis, angles):
    matrix = np.zeros((len(angles), 3, 3))
    a, b = (axis + 1) % 3, (axis + 2) % 3
    matrix[:, axis, axis] = 1
    matrix[:, a, a] = matrix[:, b, b] = np.cos(angles)
    matrix[:, b, a] = np.sin(angles)
    matrix[:, a, b] = -matrix[:, b, a]
    return matrix


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
