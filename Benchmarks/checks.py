#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The check of the Python package's arguments over all shared recordings: false alarms, and what share of usual mistakes is said.

  Scripts/build-library.sh x86_64 && swift build -c release --product motionctl
  python3 -m venv .build-peers && .build-peers/bin/pip install numpy pytest
  PYTHONPATH=Bindings/Python OPENCOREMOTION_LIBRARY=.build-python/x86_64/libocm.so .build-peers/bin/python Benchmarks/checks.py [--mistakes]

Reads what has a gyroscope and an accelerometer in ../shared/data with `ocm.read`, that is with motionctl (MOTIONCTL, or .build/release);
BROAD's and comma2k19's arrays with numpy. WISDM's two files of a device are put together with numpy. `--mistakes` makes each mistake of
tests/test_check.py in each recording, with the sign said, and prints the share that is said, and how wrong the
rest is. Exits with 1 after a false alarm.
"""

import argparse
import collections
import concurrent.futures
import csv
import os
import pathlib
import sys
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mistakes", action="store_true")
    options = parser.parse_args()
    if not DATA.exists():
        print(f"SKIPPED: {DATA} is not there")
        return 75
    counts, times, failures = collections.defaultdict(collections.Counter), collections.defaultdict(list), []
    said = collections.defaultdict(collections.Counter)
    made, silent = [], collections.defaultdict(list)
    if options.mistakes:
        sys.path.insert(0, str(ROOT / "Bindings/Python/tests"))
        from test_check import MISTAKES as made

    def load(item):
        family, name, reader, path = item
        try:
            return family, name, reader(path)
        except ValueError as error:
            return family, name, str(error)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for family, name, sensors in pool.map(load, recordings()):
            if sensors is None or isinstance(sensors, str):
                counts[family]["unreadable" if sensors else "without gyroscope"] += 1
                continue
            counts[family]["recordings"] += 1
            try:
                start = time.process_time()
                judge(*sensors, is_said=True)
                times[family].append(time.process_time() - start)
                for seconds in (6.5, 13, 26, 60):  # as a stream is judged
                    rows = slice(int(np.searchsorted(sensors[0], sensors[0][0] + seconds * 1e9)))
                    judge(*(None if sensor is None else sensor[rows] for sensor in sensors), is_said=True)
                counts[family]["warnings unless the sign is said"] += bool(judge(*sensors, is_said=False).warning)
            except ocm.InputError as error:
                counts[family]["errors"] += 1
                failures.append(f"{family} {name}: {error}")
            t, gyr, acc, mag = sensors
            options_of_all = dict(sign="reaction", slow_acc=bool(np.isnan(acc).any()))
            t = (t - t[0]) * 1e-9
            try:
                right = ocm.fuse(t, gyr, acc, check=False, **options_of_all).gravity if made else None
            except ValueError:
                counts[family]["with bad rows, not for mistakes"] += 1
                continue
            for mistake, change, *_ in made:
                if mag is None and any(word in mistake.split() for word in ("mag", "magnetometer")):
                    continue
                said["number", family][mistake] += 1
                try:
                    motion = ocm.fuse(*change(t, gyr, acc, mag), **options_of_all)
                except (ValueError, TypeError):
                    said[family][mistake] += 1
                    continue
                if "acc" not in mistake:  # another acc has other axes
                    cosines = (motion.gravity * right).sum(1) / 9.80665**2
                    silent[mistake].append(np.degrees(np.arccos(np.clip(np.nanmedian(cosines), -1, 1))))
    for family, each in counts.items():
        text = ", ".join(f"{value} {name}" for name, value in each.items() if value)
        print(f"{family:20s} {text}; median {np.median(times[family]) * 1e3:.2f} ms" if times[family] else f"{family:20s} {text}")
    print("\n".join(failures) or "No false alarm.")
    if options.mistakes:
        families = [family for family in counts if counts[family]["recordings"]]
        print("\nShare of the recordings in which a mistake is said, %\n" + " " * 40 + " ".join(f"{family[:9]:>9s}" for family in families)
              + "   where it is silent, error of the inclination, median and 90 %")
        for mistake, *_ in made:
            shares = [
                f"{100 * said[family][mistake] / number:9.0f}" if (number := said["number", family][mistake]) else " " * 8 + "–"
                for family in families
            ]
            errors = "{:5.0f}° {:3.0f}°".format(*np.quantile(silent[mistake], [0.5, 0.9])) if silent[mistake] else ""
            print(f"{mistake:40s}" + " ".join(shares) + errors)
    return 1 if failures else 0


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        index = DATA / "wisdm/index.csv"
        BEGINNINGS = {row["file"]: int(row["source_start_ns"]) for row in csv.DictReader(index.open())} if index.exists() else {}
        sys.exit(main())
