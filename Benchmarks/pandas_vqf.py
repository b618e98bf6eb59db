#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""From CSV to CSV: `motionctl fuse` beside pandas and VQF, the same file, the same columns, one run.

  python3 -m venv .build-peers
  .build-peers/bin/pip install numpy pandas vqf
  swift build -c release --product motionctl
  .build-peers/bin/python Benchmarks/pandas_vqf.py [RECORDING.csv …]

A recording is a SensorLog CSV with accelerometer, gyroscope and magnetometer columns and one time stamp a row; without one a
walk of --rows rows at 100 Hz is made up, with the digits of real files. Both programs are timed from their start to their exit,
in turn, --runs times after one run that is not counted; the figures are medians. "ratio" is that of the times from start to exit,
"processor" that of the processor time, which says as much on a machine that is busy with other things. Both run the nine-axis filter in the frame of
magnetic north and write device motion in Core Motion's units and signs to a file.

How the Python side is written: usecols, so that it parses no column it does not need; the C parser of pandas with its
default (fast) float conversion; VQF's C++ behind `vqf.VQF.updateBatch`, which is one call for the whole file; everything else in
numpy on whole arrays; `to_csv` with its default float format, the shortest digits that read back, as ours are. A pandas with
another engine or PyArrow may be faster; --writer pyarrow measures the fastest that we know, PyArrow's reader and writer. pipe.py runs
both, and the Arrow pipe.
"""

import argparse
import pathlib
import resource
import shutil
import statistics
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
    parser.add_argument("recordings", nargs="*", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=500_000, help="rows of the made-up recording (default 500,000)")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--writer", choices=["pandas", "pyarrow"], default="pandas")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the files; they are left there")
    parser.add_argument("--pipeline", nargs=2, metavar=("IN", "OUT"), help=argparse.SUPPRESS)
    parser.add_argument(
        "--motionctl", default=pathlib.Path(__file__).resolve().parent.parent / ".build/release/motionctl")
    arguments = parser.parse_args()
    if arguments.pipeline:
        return fuse(*arguments.pipeline, arguments.writer)
    if not shutil.which(arguments.motionctl):
        sys.exit(f"{arguments.motionctl} is missing: swift build -c release --product motionctl")
    with tempfile.TemporaryDirectory(prefix="pandas-vqf-") as temporary:
        folder = arguments.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        recordings = arguments.recordings
        if not recordings:
            recordings = [folder / "walk.csv"]
            make(recordings[0], arguments.rows)
        print(f"{'file':24} {'rows':>9} {'motionctl fuse':>16} {'pandas + VQF':>16} {'ratio':>7} {'processor':>10}")
        for recording in recordings:
            ours = [arguments.motionctl, "fuse", recording, "--frame", "magnetic", "-o", folder / "motionctl.csv"]
            theirs = [sys.executable, __file__, "--writer", arguments.writer,
                      "--pipeline", recording, folder / "pandas.csv"]
            times = [(seconds(ours), seconds(theirs)) for _ in range(arguments.runs + 1)][1:]
            counts = []
            for name in ("motionctl.csv", "pandas.csv"):
                with open(folder / name, "rb") as lines:
                    counts.append(sum(1 for _ in lines) - 1)
            rates = [count / statistics.median(wall for wall, _ in column) for count, column in zip(counts, zip(*times))]
            ratio, processor = (
                statistics.median(b[kind] / a[kind] for a, b in times) * counts[0] / counts[1] for kind in (0, 1))
            print(f"{recording.name:24} {counts[0]:9,} {rates[0]:12,.0f}/s {rates[1]:14,.0f}/s {ratio:7.2f} {processor:10.2f}")
            if counts[0] != counts[1]:
                print(f"  the other side wrote {counts[1]:,} rows")


if __name__ == "__main__":
    main()
