#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Makes the recordings of this folder anew: make.sh [MOTIONCTL]. Nobody was measured: all are simulations with fixed seeds and the errors of
# a phone's sensors.
set -euo pipefail
cd "$(dirname "$0")"
motionctl=${1:-motionctl}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# record NAME SCENARIO SECONDS HERTZ MORE: by way of MCAP, into the format of NAME.
record() {
  "$motionctl" record "simulate:$2?errors=phone&seed=1&rate=$4&duration=$3&speed=max&$5" -o "$scratch/$1.mcap" >/dev/null
  "$motionctl" convert "$scratch/$1.mcap" "$1" --force "${@:6}"
}
record walk-phone.csv walk 20 25 'magnetometer=no&pressure=no&temperature=no' --to sensorlog
record turntable.arrow spin 20 50 'magnetometer=50&pressure=no&temperature=no'
record drive.arrow car 60 25 'magnetometer=no&pressure=no&temperature=no'
