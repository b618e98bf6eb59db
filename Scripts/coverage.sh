#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Compares the module with the list of Core Motion's declarations, and the tests with the numbered statements about its
# behaviour, and prints both. Fails when anything is missing or different.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=.build-documentation/coverage
Scripts/extract-symbol-graph.sh "$folder"
swiftc -swift-version 6 -o "$folder/coverage" Scripts/Coverage/*.swift
"$folder/coverage" "$folder"
