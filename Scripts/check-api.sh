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
modules=$(Scripts/public-modules.sh "$folder/package.json")
# shellcheck disable=SC2086
Scripts/extract-symbol-graph.sh "$folder" $modules
python3 Scripts/check-api.py "$folder/package.json" "$folder" "$@"
