#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Builds the documentation of the CoreMotion module into .build-documentation/; any warning (a link that leads nowhere, a
# missing picture) fails.
set -euo pipefail
cd "$(dirname "$0")/.."

output=.build-documentation
graphs=$output/symbol-graphs

# Template words and unfilled placeholders are not documentation.
if grep -rnE '@START_MENU_TOKEN@|Lorem ipsum|TODO|FIXME|<#' Sources/CoreMotion/CoreMotion.docc --include='*.md'; then
  echo "The documentation catalogue holds template words (above)." >&2
  exit 1
fi

rm -rf "$output"
Scripts/extract-symbol-graph.sh "$graphs"
docc convert Sources/CoreMotion/CoreMotion.docc --additional-symbol-graph-dir "$graphs" --output-path "$output/CoreMotion.doccarchive" \
  --fallback-display-name CoreMotion --fallback-bundle-identifier org.opencoremotion.CoreMotion --warnings-as-errors
echo "Documentation: $output/CoreMotion.doccarchive"
