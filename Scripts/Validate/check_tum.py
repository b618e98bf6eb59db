#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""A TUM trajectory of motionctl, read by evo and compared with what `fuse` writes.

  Scripts/Validate/check_tum.py [MOTIONCTL]
"""

import csv
import datetime
import math
import pathlib
import tempfile

import evo
from evo.tools import file_interface

from command import run

START = datetime.datetime(2026, 11, 21, 12, tzinfo=datetime.timezone.utc)


def sensorlog(path, rows):
    sensors = [("accelerometerTimestamp_sinceReboot(s)", [f"accelerometerAcceleration{k}(G)" for k in "XYZ"]),
               ("gyroTimestamp_sinceReboot(s)", [f"gyroRotation{k}(rad/s)" for k in "XYZ"])]
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["loggingTime(txt)"] + [name for time, axes in sensors for name in [time, *axes]])
        for row in range(rows):
            time, turn = f"{5000 + row / 100:.2f}", 0.5 * math.sin(row / 50)
            angle = 0.5 * (1 - math.cos(row / 50)) / 2
            wall = START + datetime.timedelta(milliseconds=10 * row)
            writer.writerow([wall.isoformat(timespec="milliseconds"), time, 0, -math.sin(angle), -math.cos(angle), time, turn / 2, 0, 0.01])


def main():
    with tempfile.TemporaryDirectory(prefix="check-tum-") as name:
        folder = pathlib.Path(name)
        sensorlog(folder / "walk.csv", 1000)
        for arguments in (["convert", folder / "walk.csv", folder / "walk.tum"],
                          ["fuse", folder / "walk.csv", "-o", folder / "motion.csv"]):
            run(*arguments)
        trajectory = file_interface.read_tum_trajectory_file(str(folder / "walk.tum"))
        valid, details = trajectory.check()
        assert valid, details
        with open(folder / "motion.csv") as file:
            rows = list(csv.DictReader(file))
        assert trajectory.num_poses == len(rows) > 900, (trajectory.num_poses, len(rows))
        for time, quaternion, row in zip(trajectory.timestamps, trajectory.orientations_quat_wxyz, rows):
            # Unix time, which a double of these years tells to a quarter of a microsecond.
            assert abs(time - START.timestamp() + 5000 - float(row["timestamp"])) < 1e-6, (time, row["timestamp"])
            assert list(quaternion) == [float(row[f"attitude_{k}"]) for k in "wxyz"], (quaternion, row)
    print(f"TUM: read by evo {evo.__version__}, the attitudes those of fuse to the last digit")


if __name__ == "__main__":
    main()
