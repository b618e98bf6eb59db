#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Builds the CoreMotion module and writes its symbol graph, what the compiler knows of its public declarations, into the
# folder given.
set -euo pipefail
cd "$(dirname "$0")/.."
output=$1

target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)",*/\1/p' | head -n 1)
swift build --product CoreMotion
products=$(swift build --show-bin-path)
mkdir -p "$output"
# C targets without a module map of their own get one from SwiftPM, beside their objects.
module_maps=()
for map in "$products"/*.build/module.modulemap; do
  [ ! -e "$map" ] || module_maps+=(-Xcc "-fmodule-map-file=$map")
done
swift symbolgraph-extract -module-name CoreMotion -target "$target" -minimum-access-level public -output-dir "$output" \
  -I "$products/Modules" -I Sources/CMotionMath/include -I Sources/CZlib "${module_maps[@]}"
