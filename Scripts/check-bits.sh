#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Runs the filter, and the estimator of steps and activities, over trials of the BROAD layout on x86-64 and 64-bit ARM (qemu), and
# compares one hash of all bits that they give: `check-bits.sh TRIAL.f32 …`; without arguments those of ../shared/data/broad, or a
# made-up one.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -eq 0 ]; then set -- ../shared/data/broad/*.f32; fi
if [ "$1" = "../shared/data/broad/*.f32" ]; then
  echo "No trials of BROAD (CC BY 4.0: github.com/dlaidig/broad) in ../shared/data: a made-up one."
  mkdir -p .build-python
  set -- .build-python/made-up.f32
  # 100 s at 2000/7 Hz: swings about all axes with rests between them, noise and some missing readings of the magnetometer.
  python3 - "$1" <<'END'
import math, random, struct, sys
random.seed(1)
with open(sys.argv[1], "wb") as file:
    for row in range(28_571):
        t = row * 7 / 2000
        swing = 3 * max(0, math.sin(t / 3))
        angles = [swing * math.sin(t * speed) for speed in (0.9, 1.7, 2.3)]
        numbers = [x * speed + random.gauss(0.01, 0.01) for x, speed in zip(angles, (0.9, 1.7, 2.3))]
        numbers += [9.8 * math.sin(angles[1]) + random.gauss(0, 0.1), random.gauss(swing, 0.1), 9.8 * math.cos(angles[1])]
        numbers += [20 * math.cos(angles[2]) + 8, 20 * math.sin(angles[2]), -43 + random.gauss(0, 0.3)]
        if row % 5: numbers[6:] = [math.nan] * 3
        file.write(struct.pack("<17f", *numbers, *[0] * 8))
END
fi

# compare TARGET COMMAND… : the first hash counts for all.
expected=
compare() {
  local target=$1 hash
  shift
  Scripts/build-library.sh "$target"
  hash=$("$@")
  echo "$target: $hash"
  expected=${expected:-$hash}
  if [ "$hash" != "$expected" ]; then
    echo "The bits of $target differ from those of x86_64, $expected." >&2
    exit 1
  fi
}

compare x86_64 .build-python/x86_64/ocm-hash "$@"
if command -v aarch64-linux-gnu-gcc qemu-aarch64-static >/dev/null; then
  compare aarch64 qemu-aarch64-static -L /usr/aarch64-linux-gnu .build-python/aarch64/ocm-hash "$@"
else
  echo "aarch64: left out; apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static"
fi
