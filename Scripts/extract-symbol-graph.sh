#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# extract-symbol-graph.sh FOLDER [MODULE ...]: builds the library and writes the modules' symbol graphs (default: CoreMotion's),
# what the compiler knows of their public declarations, into the folder.
set -euo pipefail
cd "$(dirname "$0")/.."
output=$1
shift
modules=("${@:-CoreMotion}")

target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)",*/\1/p' | head -n 1)
for module in "${modules[@]}"; do swift build --target "$module"; done
products=$(swift build --show-bin-path)
mkdir -p "$output"
# C targets without a module map of their own get one from SwiftPM, beside their objects.
module_maps=()
for map in "$products"/*.build/module.modulemap; do
  [ ! -e "$map" ] || module_maps+=(-Xcc "-fmodule-map-file=$map")
done
for module in "${modules[@]}"; do
  swift symbolgraph-extract -module-name "$module" -target "$target" -minimum-access-level public -output-dir "$output" \
    -I "$products/Modules" -I AddOns/CZlib -I AddOns/CSQLite "${module_maps[@]}"
done
