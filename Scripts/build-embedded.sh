#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Compiles layer 0 (MotionMath, OrientationFusion, OrientationSmoothing, ActivityEstimation, ActivitySummary)
# as Embedded Swift, for Linux and for a microcontroller, in
# double and in single precision. It proves that the mathematics needs neither Foundation nor a run-time library; nothing is linked.
set -euo pipefail
cd "$(dirname "$0")/.."

for target in x86_64-unknown-linux-gnu armv7em-none-none-eabi; do
  for precision in Double Single; do
    directory=.build-embedded/$target/$precision
    mkdir -p "$directory"
    defines=()
    if [ "$precision" = Single ]; then defines=(-D SinglePrecision); fi
    for module in MotionMath OrientationFusion OrientationSmoothing ActivityEstimation ActivitySummary; do
      swiftc "${defines[@]}" -package-name OpenCoreMotion -target "$target" -enable-experimental-feature Embedded -wmo -parse-as-library \
        -swift-version 6 -O -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
        -enable-upcoming-feature MemberImportVisibility \
        -I "$directory" \
        -module-name "$module" -emit-module-path "$directory/$module.swiftmodule" -c -o "$directory/$module.o" \
        $(find Sources AddOns -path "*/$module/*.swift" | LC_ALL=C sort)
      echo "$module for $target, $precision: $(wc -c <"$directory/$module.o") bytes of object file"
    done
  done
done
