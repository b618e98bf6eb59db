#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Compiles layer 0 (MotionMath, OrientationFusion, OrientationSmoothing, ActivityEstimation, ActivitySummary) as Embedded Swift, for a
# microcontroller in double and in single precision, for Linux in single; in double that is what Scripts/build-library.sh does.
# It proves that the mathematics needs neither Foundation nor a run-time library; nothing is linked.
set -euo pipefail
cd "$(dirname "$0")/.."

# build TARGET PRECISION
build() {
  local target=$1 precision=$2 directory defines module
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
}
building=()
for variant in "armv7em-none-none-eabi Double" "armv7em-none-none-eabi Single" "x86_64-unknown-linux-gnu Single"; do
  # shellcheck disable=SC2086 # words on purpose
  build $variant &
  building+=($!)
done
for process in "${building[@]}"; do wait "$process"; done
