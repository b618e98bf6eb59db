#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The check of units, signs and axes, by the command line and by Python: false alarms over all shared recordings, and mistakes.

  Scripts/build-library.sh x86_64 && swift build -c release --product motionctl
  python3 -m venv .build-peers && .build-peers/bin/pip install numpy
  PYTHONPATH=Bindings/Python OPENCOREMOTION_LIBRARY=.build-python/x86_64/libocm.so .build-peers/bin/python Benchmarks/checks.py

First BROAD's 14 trials as tables whose header states the units, right and with four mistakes each: `motionctl fuse` of the table, and
`ocm.fuse` of its numbers, object or do not, and have to agree. Then what has a gyroscope and an accelerometer in ../shared/data: read by
`motionctl` (MOTIONCTL, or .build/release), which has to have no objection, or with numpy (BROAD's, comma2k19's and WISDM's arrays), and
judged by Python whole and as streams are. Exits with 1 after a false alarm, a disagreement, or fewer than 40 of 56 objections.
"""

import collections
import concurrent.futures
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

import opencoremotion as ocm
from opencoremotion import _arrays, _check

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("SHARED_DATA") or ROOT.parent / "shared/data")
os.environ.setdefault("MOTIONCTL", str(ROOT / ".build/release/motionctl"))


def nanoseconds(seconds):
    return np.rint(seconds * 1e9).astype(np.int64)


def broad(path):
    rows = np.fromfile(path, "<f4").reshape(-1, 17).astype(np.float64)
    return nanoseconds(np.arange(len(rows)) * 7 / 2000), rows[:, :3], rows[:, 3:6], rows[:, 6:9]


def car(folder):
    t, times, field_times = (nanoseconds(np.load(folder / f"IMU_{name}_t.npy")) for name in ("gyro", "accelerometer", "magnetometer"))
    gyr, acc, mag = (np.load(folder / f"IMU_{name}_value.npy") for name in ("gyro", "accelerometer", "magnetometer"))
    return t, gyr, _arrays.nearest(t, times, acc), _arrays.nearest(t, field_times, mag)


def wisdm(gyroscope):
    """Columns: milliseconds since the row before, x, y, z. Both clocks are the device's; the index has their beginnings."""
    sensors = []
    for path in (gyroscope, gyroscope.with_name(gyroscope.name.replace("_gyro", "_accel"))):
        rows = np.loadtxt(path, delimiter=",", skiprows=1)
        t = BEGINNINGS[f"{path.parent.name}/{path.name}"] + np.rint(np.cumsum(rows[:, 0]) * 1e6).astype(np.int64)
        later = np.concatenate([[True], np.diff(t) > 0])
        sensors.append((t[later], rows[later, 1:4]))
    (t, gyr), (times, acc) = sensors
    return t, gyr, _arrays.nearest(t, times, acc), None


#: How the tables of the data sets are read.
TABLES = {
    "motionsense": {
        "map": "gravx=gravity.x[g] gravy=gravity.y gravz=gravity.z userx=userAcceleration.x[g] usery=userAcceleration.y "
        "userz=userAcceleration.z gx=rotationRate.x[rad/s] gy=rotationRate.y gz=rotationRate.z",
        "sign": "apple",
        "rate": 50,
    },
    "steps_mobilised": {
        "map": "t=t_s[s] ax=acc_x_g[g] ay=acc_y_g az=acc_z_g gx=gyr_x_dps[deg/s] gy=gyr_y_dps gz=gyr_z_dps "
        "mx=mag_x_uT[uT] my=mag_y_uT mz=mag_z_uT",
        "sign": "reaction",
    },
    "cmdevicemotion_sage": {
        "map": "t=t_s[s] gravx=gx[g] gravy=gy gravz=gz userx=ux[g] usery=uy userz=uz gx=rx[rad/s] gy=ry gz=rz",
        "sign": "apple",
    },
}


def read(path):
    recording = ocm.read(path, **TABLES.get(path.relative_to(DATA).parts[0], {}))
    return None if recording.gyr is None or recording.acc is None else (recording.t, recording.gyr, recording.acc, recording.mag)


def recordings():
    """Family, name, function that reads, path."""
    yield from (("broad", path.stem, broad, path) for path in sorted((DATA / "broad").glob("*.f32")))
    yield from (("car", path.parent.name, car, path.parent) for path in sorted((DATA / "car").glob("IMU_gyro_t.npy")))
    for family, pattern in (
        ("iphone", "mcap/pyojin*.mcap"), ("iphone", "mcap/tyrex*.mcap"), ("motionsense", "motionsense/*/*.csv.gz"),
        ("steps_mobilised", "steps_mobilised/*.csv.gz"), ("cmdevicemotion_sage", "cmdevicemotion_sage/*.csv.gz"),
    ):
        yield from ((family, path.name, read, path) for path in sorted(DATA.glob(pattern)))
    for path in sorted((DATA / "wisdm").glob("*/*_gyro.csv.gz")):
        if path.with_name(path.name.replace("_gyro", "_accel")).exists():
            yield (f"wisdm {path.name.split('_')[1]}", f"{path.parent.name}/{path.name.split('_')[0]}", wisdm, path)


def judge(t, gyr, acc, mag, is_said):
    columns = [None if sensor is None else [sensor[:, i] for i in range(3)] for sensor in (gyr, acc, mag)]
    return _check.check(t, *columns, tesla=1e-6, mag_unit="uT", calibrated=False, sign_is_said=is_said)


#: Of the gyroscope: what the header says, and what the numbers are.
MISTAKES = [
    ("right", "rad/s", lambda gyr: gyr),
    ("°/s under rad/s", "rad/s", np.degrees),
    ("rad/s under °/s", "deg/s", lambda gyr: gyr),
    ("the opposite sign", "rad/s", lambda gyr: -gyr),
    ("x and y exchanged", "rad/s", lambda gyr: gyr[:, [1, 0, 2]]),
]


def command_line_objects(arguments):
    """Whether `motionctl` refuses a recording or warns."""
    done = subprocess.run([os.environ["MOTIONCTL"], *arguments], capture_output=True, text=True)
    # The sign of gravity, which a table does not state, is not what is asked for.
    words = [line for line in (done.stdout + done.stderr).splitlines() if "warning:" in line and "With --sign" not in line]
    return done.stderr.strip() if done.returncode else "; ".join(words)


def python_objects(t, gyr, acc, unit):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            ocm.fuse(t, gyr, acc, gyr_unit=unit, sign="reaction", slow_acc=True)
        except ValueError as error:
            return str(error)
    return "; ".join(str(warning.message) for warning in caught if issubclass(warning.category, ocm.InputWarning))


def tables(found):
    """Prints who objects to what; the failures."""
    failures, counts = [], collections.Counter()
    print(f"{'':44s}" + "".join(f"{name:>20s}" for name, *_ in MISTAKES) + "   (command line, Python)")
    with tempfile.TemporaryDirectory() as folder:
        path, output = pathlib.Path(folder) / "table.csv", pathlib.Path(folder) / "motion.csv"
        trials = [(name, reader(path)) for family, name, reader, path in found if family == "broad"]
        for name, sensors in trials:
            cells = []
            for mistake, unit, change in MISTAKES:
                t, gyr, acc = sensors[0] - sensors[0][0], np.round(change(sensors[1]), 7), np.round(sensors[2], 6)
                rows = np.isfinite(acc).all(1) & np.isfinite(gyr).all(1)
                t, gyr, acc = t[rows], gyr[rows], acc[rows]
                axes = [f"{sensor}{axis} [{unit}]" for sensor, unit in (("a", "m/s^2"), ("g", unit)) for axis in "xyz"]
                np.savetxt(path, np.column_stack([t * 1e-9, acc, gyr]), "%.9f", ",", header=",".join(["t [s]", *axes]), comments="")
                said = command_line_objects(["fuse", str(path), "-o", str(output)]), python_objects(t, gyr, acc, unit)
                cells.append(" ".join("yes" if each else " no" for each in said))
                counts["differ"] += bool(said[0]) != bool(said[1])
                for who, each in zip(("command line", "Python"), said):
                    counts[who, mistake == "right"] += bool(each)
                    if mistake == "right" and each:
                        failures.append(f"{name}, {who}: {each}")
                if bool(said[0]) != bool(said[1]):
                    failures.append(f"{name}, {mistake}: they differ: {said[0] or 'nothing'} | {said[1] or 'nothing'}")
            print(f"{name:44.44s}" + "".join(f"{cell:>20s}" for cell in cells))
    for who in ("command line", "Python"):
        print(f"{who}: {counts[who, False]} of {len(trials) * (len(MISTAKES) - 1)} objections, {counts[who, True]} false alarms")
        if counts[who, False] < 40:
            failures.append(f"{who}: fewer than 40 objections")
    return failures


def main():
    if not DATA.exists():
        print(f"SKIPPED: {DATA} is not there")
        return 75
    found = list(recordings())
    failures = tables(found)
    counts, times = collections.defaultdict(collections.Counter), collections.defaultdict(list)

    def load(item):
        family, name, reader, path = item
        try:
            sensors = reader(path)
        except ValueError as error:
            return family, name, str(error), ""
        said = ""
        if reader is read and sensors is not None:
            options = TABLES.get(path.relative_to(DATA).parts[0], {})
            said = command_line_objects(["info", str(path), *(word for key, value in options.items() for word in (f"--{key}", str(value)))])
        return family, name, sensors, said

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for family, name, sensors, said in pool.map(load, found):
            if sensors is None or isinstance(sensors, str):
                counts[family]["unreadable" if sensors else "without gyroscope"] += 1
                continue
            counts[family]["recordings"] += 1
            if said:
                failures.append(f"{family} {name}, command line: {said}")
            try:
                start = time.process_time()
                results = [judge(*sensors, is_said=True)]
                times[family].append(time.process_time() - start)
                for seconds in (6.5, 13, 26, 60):  # as a stream is judged
                    rows = slice(int(np.searchsorted(sensors[0], sensors[0][0] + seconds * 1e9)))
                    results.append(judge(*(None if sensor is None else sensor[rows] for sensor in sensors), is_said=True))
                failures += [f"{family} {name}: {result.warning}" for result in results if result.warning]
                counts[family]["warnings unless the sign is said"] += bool(judge(*sensors, is_said=False).warning)
            except ocm.InputError as error:
                failures.append(f"{family} {name}: {error}")
    print()
    for family, each in counts.items():
        text = ", ".join(f"{value} {name}" for name, value in each.items() if value)
        print(f"{family:20s} {text}" + (f"; median {np.median(times[family]) * 1e3:.2f} ms" if times[family] else ""))
    print("\n".join(failures) or "No false alarm.")
    return 1 if failures else 0


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        index = DATA / "wisdm/index.csv"
        BEGINNINGS = {row["file"]: int(row["source_start_ns"]) for row in csv.DictReader(index.open())} if index.exists() else {}
        sys.exit(main())
