#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# public-modules.sh MANIFEST: the modules of the library products in one line; MANIFEST is what `swift package dump-package` prints.
set -euo pipefail
python3 -c 'import json, sys
products = json.load(open(sys.argv[1]))["products"]
print(*sorted({t for p in products if "library" in p["type"] for t in p["targets"]}))' "$1"
