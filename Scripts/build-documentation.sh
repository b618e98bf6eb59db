#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Builds the documentation of the CoreMotion module into .build-documentation/; any warning (a link that leads nowhere, a
# missing picture) fails.
set -euo pipefail
cd "$(dirname "$0")/.."

output=.build-documentation
graphs=$output/symbol-graphs
target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)",*/\1/p' | head -n 1)

# Template words and unfilled placeholders are not documentation.
if grep -rnE '@START_MENU_TOKEN@|Lorem ipsum|TODO|FIXME|<#' Sources/CoreMotion/CoreMotion.docc --include='*.md'; then
  echo "The documentation catalogue holds template words (above)." >&2
  exit 1
fi

swift build --product CoreMotion
products=$(swift build --show-bin-path)
rm -rf "$output"
mkdir -p "$graphs"
# C targets without a module map of their own get one from SwiftPM, beside their objects.
module_maps=()
for map in "$products"/*.build/module.modulemap; do
  [ ! -e "$map" ] || module_maps+=(-Xcc "-fmodule-map-file=$map")
done
swift symbolgraph-extract -module-name CoreMotion -target "$target" -minimum-access-level public -output-dir "$graphs" \
  -I "$products/Modules" -I Sources/CMotionMath/include -I Sources/CZlib "${module_maps[@]}"
docc convert Sources/CoreMotion/CoreMotion.docc --additional-symbol-graph-dir "$graphs" --output-path "$output/CoreMotion.doccarchive" \
  --fallback-display-name CoreMotion --fallback-bundle-identifier org.opencoremotion.CoreMotion --warnings-as-errors
echo "Documentation: $output/CoreMotion.doccarchive"
