#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Makes the tables of this folder anew: make.sh [MOTIONCTL]. Nobody was measured: they are simulations with fixed seeds and the errors of a
# phone's sensors. (walk-phone.csv is simulate:walk in the same way, written by a program that is gone.)
set -euo pipefail
cd "$(dirname "$0")"
motionctl=${1:-motionctl}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# table NAME SCENARIO SECONDS HERTZ MORE HEADER G: a row for each time; accelerations in units of G m/s², magnetic fields in T.
table() {
  "$motionctl" record "simulate:$2?errors=phone&seed=1&rate=$4&duration=$3&speed=max&pressure=no&temperature=no&$5" -o "$scratch/$1.mcap"
  "$motionctl" convert "$scratch/$1.mcap" - --to ndjson | python3 -c '
import json, sys
rows, unit = {}, {"accelerometer": 1 / float(sys.argv[2]), "gyroscope": 1, "magnetometer": 1}
for line in map(json.loads, sys.stdin):
    sensor = line["topic"].rpartition("/")[2]
    rows.setdefault(line["timestamp_ns"], []).extend(f"{line[axis] * unit[sensor]:.9g}" for axis in "xyz")
print(sys.argv[1])
for time, row in sorted(rows.items()):
    print(time / 1e9, *row, sep=",")
' "$6" "$7" >"$1"
}
plain="t [s],acc_x [m/s^2],acc_y [m/s^2],acc_z [m/s^2],gyr_x [rad/s],gyr_y [rad/s],gyr_z [rad/s]"
table turntable.csv spin 20 50 magnetometer=50 "$plain,mag_x [T],mag_y [T],mag_z [T]" 1
table drive.csv car 60 25 magnetometer=no "$plain" 1
