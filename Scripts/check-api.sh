#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# The public API of each library product against its list in Documentation/API; `--update` writes the lists.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=.build-documentation/api
rm -rf "$folder"
mkdir -p "$folder"
swift package dump-package >"$folder/package.json"
modules=$(python3 -c 'import json, sys
products = json.load(open(sys.argv[1]))["products"]
print(*sorted({t for p in products if "library" in p["type"] for t in p["targets"]}))' "$folder/package.json")
# shellcheck disable=SC2086
Scripts/extract-symbol-graph.sh "$folder" $modules
python3 Scripts/check-api.py "$folder/package.json" "$folder" "$@"
