#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Processor time a row: the Arrow pipe and CSV to CSV of `motionctl fuse`, pandas + VQF and PyArrow + VQF, in one run.

  python3 -m venv .build-peers
  .build-peers/bin/pip install numpy pandas pyarrow vqf
  swift build -c release --product motionctl
  .build-peers/bin/python Benchmarks/pipe.py [--broad ../shared/data/broad]

The Arrow pipe reads --recordings recordings of 60 s at 100 Hz, each a device of its own, and writes 18 columns: pieces of the BROAD
trials (data/broad/README.md) where they are there, else a made-up walk. CSV is the SensorLog table of pandas_vqf.py, nine-axis filter,
25 columns out; the other side is the pipeline of that script, with the reader and the writer of pandas, and with those of PyArrow.
A figure is user and system time of all threads, start of the program included, the least of --runs runs in turn, divided by the rows.
Exits with 1 when a bound is broken: --pipe nanoseconds, --pandas and --pyarrow times less than theirs.
"""

import argparse
import importlib.metadata
import os
import pathlib
import sys
import tempfile

import pandas_vqf

ROWS = 6000
RAW = ["ax", "ay", "az", "gx", "gy", "gz", "mx", "my", "mz"]


def trials(folder):
    """Gyroscope, accelerometer, magnetometer at 100 Hz, rad/s, m/s² and T."""
    import numpy as np

    for path in sorted(folder.glob("*.f32")):
        table = np.fromfile(path, "<f4").reshape(-1, 17)[:, [3, 4, 5, 0, 1, 2, 6, 7, 8]].astype(float)
        table[:, 6:] *= 1e-6
        table = table[np.isfinite(table).all(1)]
        yield table[np.round(np.arange(0, len(table) - 1, 20 / 7)).astype(int)]


def walk(random, rows):
    """A device that turns all ways, with noise."""
    import numpy as np

    t = np.arange(rows)[:, None] / 100
    turn = np.sin(t * [0.9, 0.7, 0.5])
    return np.concatenate([9.80665 * np.cos(t * [0.3, 0.4, 0.2]) / 3 ** 0.5, turn, 3e-5 * np.sin(t * [0.3, 0.4, 0.2] + 1)], 1) \
        + random.normal(0, 1, (rows, 9)) * ([0.05] * 3 + [0.002] * 3 + [1e-7] * 3)


def make_arrow(path, broad, count):
    """One batch a recording; returns where its numbers are from."""
    import numpy as np
    import pyarrow as pa

    random = np.random.default_rng(7)
    sources = [table for table in trials(broad) if len(table) >= ROWS]
    names = ["device_id", "timestamp_ns"] + RAW
    times = np.arange(ROWS, dtype=np.int64) * 10_000_000
    writer = None
    for number in range(count):
        if sources:
            source = sources[number % len(sources)]
            start = int(random.integers(0, len(source) - ROWS + 1))
            table = source[start:start + ROWS]
        else:
            table = walk(random, ROWS)
        columns = [pa.array([f"device-{number:04}"] * ROWS), pa.array(times)] + [pa.array(np.ascontiguousarray(x)) for x in table.T]
        batch = pa.record_batch(columns, names=names)
        writer = writer or pa.ipc.new_stream(str(path), batch.schema)
        writer.write_batch(batch)
    writer.close()
    return f"{len(sources)} BROAD trials" if sources else "a made-up walk"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--broad", type=pathlib.Path, default=root.parent / "shared/data/broad")
    parser.add_argument("--recordings", type=int, default=400)
    parser.add_argument("--rows", type=int, default=300_000, help="rows of the CSV (default 300,000)")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--pipe", type=float, default=600, help="most nanoseconds a row of the Arrow pipe (default 600)")
    parser.add_argument("--pandas", type=float, default=8, help="least ratio to pandas + VQF (default 8)")
    parser.add_argument("--pyarrow", type=float, default=1.5, help="least ratio to PyArrow + VQF (default 1.5)")
    parser.add_argument("--motionctl", default=root / ".build/release/motionctl")
    options = parser.parse_args()
    versions = " ".join(f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "pandas", "pyarrow", "vqf"))
    print(f"Python {sys.version.split()[0]}, {versions}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory(prefix="pipe-") as temporary:
        folder = pathlib.Path(temporary)
        table = folder / "walk.csv"
        pandas_vqf.make(table, options.rows)
        origin = make_arrow(folder / "raw.arrows", options.broad, options.recordings)
        # The machine's cache is the same for all.
        script = [sys.executable, pandas_vqf.__file__]
        commands = {
            "Arrow pipe, six axes": [options.motionctl, "fuse", "--in", "arrow", "--out", "arrow", "--key", "device_id",
                                     folder / "raw.arrows", "-o", folder / "motion.arrows"],
            "motionctl fuse, CSV to CSV": [options.motionctl, "fuse", table, "--frame", "magnetic", "-o", folder / "ours.csv"],
            "pandas + VQF, CSV to CSV": script + ["--pipeline", table, folder / "pandas.csv"],
            "PyArrow + VQF, CSV to CSV": script + ["--writer", "pyarrow", "--pipeline", table, folder / "pyarrow.csv"],
        }
        rows = [options.recordings * ROWS] + [options.rows] * 3
        times = {name: [] for name in commands}
        for _ in range(options.runs):
            for name, command in commands.items():
                times[name].append(pandas_vqf.seconds(command))
        figures = [min(used for _, used in times[name]) / count * 1e9 for name, count in zip(commands, rows)]
        print(f"Arrow rows: {rows[0]:,} of {options.recordings} devices, {origin}; CSV rows: {options.rows:,}; least of {options.runs}")
        for name, figure, count in zip(commands, figures, rows):
            least = min(elapsed for elapsed, _ in times[name])
            print(f"{name:30}{figure:9,.0f} ns of processor time a row{least / count * 1e9:9,.0f} ns from start to exit")
    pipe, ours, pandas, pyarrow = figures
    bounds = [("Arrow pipe, ns a row", pipe, options.pipe, pipe <= options.pipe),
              ("pandas + VQF / motionctl", pandas / ours, options.pandas, pandas / ours >= options.pandas),
              ("PyArrow + VQF / motionctl", pyarrow / ours, options.pyarrow, pyarrow / ours >= options.pyarrow)]
    for name, figure, bound, holds in bounds:
        print(f"{name:30}{figure:9,.2f}  bound {bound:g}: {'holds' if holds else 'broken'}")
    sys.exit(0 if all(holds for *_, holds in bounds) else 1)


if __name__ == "__main__":
    main()
