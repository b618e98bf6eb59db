#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Processor time a row from CSV to CSV: `motionctl fuse`, pandas + VQF and PyArrow + VQF, in one run.

  python3 -m venv .build-peers
  .build-peers/bin/pip install numpy pandas pyarrow vqf
  swift build -c release --product motionctl
  .build-peers/bin/python Benchmarks/pipe.py

The CSV is a made-up walk as SensorLog writes it, with accelerometer, gyroscope and magnetometer; all run a nine-axis filter in the frame
of magnetic north and write device motion in Core Motion's units and signs, 25 columns. The other side: usecols, so that it parses no
column that it does not need; VQF's C++ behind `updateBatch`, one call for the whole file; everything else in numpy on whole arrays; the
reader and the writer of pandas, and those of PyArrow. A figure is user and system time of all threads, start of the program included,
the least of --runs runs in turn, divided by the rows. Exits with 1 where --pandas or --pyarrow times less than theirs is not reached.
"""

import argparse
import importlib.metadata
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

CLOCK = "accelerometerTimestamp_sinceReboot(s)"
ACCELEROMETER = [f"accelerometerAcceleration{axis}(G)" for axis in "XYZ"]
GYROSCOPE = [f"gyroRotation{axis}(rad/s)" for axis in "XYZ"]
MAGNETOMETER = [f"magnetometer{axis}(µT)" for axis in "XYZ"]


def make(path, rows):
    """A device that is turned all ways at 100 Hz, with noise, its digits as the app prints them."""
    import numpy as np
    import pandas as pd

    random = np.random.default_rng(7)
    t = 5000 + np.arange(rows + 1) / 100
    half = [(np.sin(t * speed) + np.sin(t * speed * 0.37)) * reach / 2 for speed, reach in ((0.9, 2), (0.7, 1.2), (0.5, 3))]
    (cr, cp, cy), (sr, sp, sy) = ([function(angle) for angle in half] for function in (np.cos, np.sin))
    w, x = cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy
    y, z = cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy
    # The turn from one sample to the next, over the time between them.
    rate = 200 * np.stack([
        w[:-1] * x[1:] - x[:-1] * w[1:] - y[:-1] * z[1:] + z[:-1] * y[1:],
        w[:-1] * y[1:] - y[:-1] * w[1:] - z[:-1] * x[1:] + x[:-1] * z[1:],
        w[:-1] * z[1:] - z[:-1] * w[1:] - x[:-1] * y[1:] + y[:-1] * x[1:]], 1)
    t, w, x, y, z = (values[1:] for values in (t, w, x, y, z))
    up = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], 1)
    north = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], 1)
    columns = {CLOCK: t}
    columns |= dict(zip(ACCELEROMETER, (random.normal(0, 0.01, (rows, 3)) - up).T))
    columns |= {"gyroTimestamp_sinceReboot(s)": t}
    columns |= dict(zip(GYROSCOPE, (rate + random.normal(0, 0.002, (rows, 3))).T))
    columns |= {"magnetometerTimestamp_sinceReboot(s)": t}
    columns |= dict(zip(MAGNETOMETER, (20 * north - 43 * up + random.normal(0, 0.3, (rows, 3))).T))
    table = pd.DataFrame(columns)
    table.insert(0, "loggingTime(txt)", "2026-11-21T12:00:00.000+00:00")
    table.to_csv(path, index=False)


def fuse(source, target, writer):
    """The pipeline of pandas and VQF; runs in a process of its own."""
    import numpy as np
    import pandas as pd
    import vqf

    wanted = [CLOCK] + ACCELEROMETER + GYROSCOPE + MAGNETOMETER
    if writer == "pandas":
        table = pd.read_csv(source, usecols=wanted)
    else:
        import pyarrow.csv

        table = pyarrow.csv.read_csv(source, convert_options=pyarrow.csv.ConvertOptions(include_columns=wanted)).to_pandas()
    t = table[CLOCK].to_numpy()
    accelerometer, gyroscope, field = (
        np.ascontiguousarray(table[columns]) for columns in (ACCELEROMETER, GYROSCOPE, MAGNETOMETER))
    filter = vqf.VQF(float(np.median(np.diff(t))))
    # Core Motion's g has the opposite sign of the specific force that the filter wants.
    out = filter.updateBatch(gyroscope, accelerometer * -9.80665, field)
    w, x, y, z = out["quat9D"].T
    # East-north-up to north-west-up, a quarter turn about the vertical.
    half = np.sqrt(0.5)
    w, x, y, z = (w + z) * half, (x + y) * half, (y - x) * half, (z - w) * half
    gravity = -np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], 1)
    rate = gyroscope - out["bias"]
    user = accelerometer - gravity
    heading = np.degrees(-np.arctan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z))) % 360
    result = {"timestamp": t, "attitude_x": x, "attitude_y": y, "attitude_z": z, "attitude_w": w}
    for name, values in (("rotationRate", rate), ("gravity", gravity), ("userAcceleration", user),
                         ("magneticField", field)):
        result |= {f"{name}_{axis}": values[:, k] for k, axis in enumerate("xyz")}
    result |= {"magneticField_accuracy": np.full(len(t), 2), "heading": heading,
               # VQF has none: zeros, the cheapest number to write.
               "headingAccuracy": np.zeros(len(t)),
               "sensorLocation": np.zeros(len(t), int), "attitudeReferenceFrame": np.full(len(t), 4)}
    if writer == "pandas":
        pd.DataFrame(result).to_csv(target, index=False)
    else:
        pyarrow.csv.write_csv(pyarrow.table(result), target)


def seconds(command):
    """From the start to the exit, and of the processor, all threads together."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    finished = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if finished.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{finished.stderr}")
    elapsed = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return elapsed, after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--rows", type=int, default=300_000, help="rows of the CSV (default 300,000)")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--pandas", type=float, default=8, help="least ratio to pandas + VQF (default 8)")
    parser.add_argument("--pyarrow", type=float, default=1.5, help="least ratio to PyArrow + VQF (default 1.5)")
    parser.add_argument("--motionctl", default=root / ".build/release/motionctl")
    parser.add_argument("--pipeline", nargs=3, metavar=("WRITER", "IN", "OUT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.pipeline:
        writer, source, target = options.pipeline
        return fuse(source, target, writer)
    versions = " ".join(f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "pandas", "pyarrow", "vqf"))
    print(f"Python {sys.version.split()[0]}, {versions}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory(prefix="pipe-") as temporary:
        folder = pathlib.Path(temporary)
        table = folder / "walk.csv"
        make(table, options.rows)
        commands = {"motionctl fuse": [options.motionctl, "fuse", table, "--frame", "magnetic", "-o", folder / "ours.csv"]}
        for writer in ("pandas", "pyarrow"):
            commands[f"{writer} + VQF"] = [sys.executable, __file__, "--pipeline", writer, table, folder / f"{writer}.csv"]
        times = {name: [] for name in commands}
        for _ in range(options.runs):
            for name, command in commands.items():
                times[name].append(seconds(command))
        figures = [min(used for _, used in times[name]) / options.rows * 1e9 for name in commands]
        for name, figure in zip(commands, figures):
            least = min(elapsed for elapsed, _ in times[name])
            print(f"{name:30}{figure:9,.0f} ns of processor time a row{least / options.rows * 1e9:9,.0f} ns from start to exit")
    ours, pandas, pyarrow = figures
    bounds = [("pandas + VQF / motionctl", pandas / ours, options.pandas), ("PyArrow + VQF / motionctl", pyarrow / ours, options.pyarrow)]
    for name, figure, bound in bounds:
        print(f"{name:30}{figure:9,.2f}  bound {bound:g}: {'holds' if figure >= bound else 'broken'}")
    return 0 if all(figure >= bound for _, figure, bound in bounds) else 1


if __name__ == "__main__":
    sys.exit(main())
