#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Prints the figures that the README quotes: hub cost, latency, replay, allocations, and the time of `motionctl fuse`. Exits with
# 1 when a limit is passed (an allocation on the way of a sample, a recording out of order).
set -euo pipefail
cd "$(dirname "$0")/.."

export OPENCOREMOTION_DEVELOP=1
for product in motion-benchmarks AllocationCounter motionctl; do swift build -c release --product "$product" >&2; done
programs=$(swift build -c release --show-bin-path)
motionctl=$programs/motionctl

status=0
LD_PRELOAD="$programs/libAllocationCounter.so" "$programs/motion-benchmarks" "$@" || status=$?
if [ $# -eq 0 ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  "$motionctl" record 'simulate:walk?speed=max&duration=600' -o "$folder/walk.mcap" 2>/dev/null
  for run in 1 2 3; do
    begun=$(date +%s%N)
    "$motionctl" fuse "$folder/walk.mcap" -o "$folder/fused.csv" 2>"$folder/summary" || { cat "$folder/summary" >&2; status=1; }
    ended=$(date +%s%N)
    printf 'fuse     10 minutes at 100 Hz, run %d           %d.%03d s, %d rows\n' "$run" \
      $(((ended - begun) / 1000000000)) $(((ended - begun) / 1000000 % 1000)) $(($(wc -l <"$folder/fused.csv") - 1))
  done
fi
exit $status
