#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# check-client-files.sh FOLDER…: how many files with `import CoreMotion` in these folders compile untouched, and what the others
# miss, most frequent first. A folder holds a project per sub-folder. PUBLIC_CLIENTS names folders as well (colons between them);
# MINIMUM is how many must compile (0). LIST=FILE writes a line for each file. Without a folder: 75.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

folders=("$@")
if [ ${#folders[@]} -eq 0 ] && [ -n "${PUBLIC_CLIENTS:-}" ]; then
  IFS=: read -ra folders <<<"$PUBLIC_CLIENTS"
fi
if [ ${#folders[@]} -eq 0 ]; then
  echo "Name the folders of client projects, as arguments or in PUBLIC_CLIENTS." >&2
  exit 75
fi
for index in "${!folders[@]}"; do folders[index]=$(cd "${folders[index]}" && pwd); done

cd "$root"
build=(swift build ${JOBS:+-j "$JOBS"})
"${build[@]}" --target CoreMotion >&2
modules=$("${build[@]}" --show-bin-path)/Modules
python3 Scripts/Clients/check.py "$modules" "$root/Sources" "${folders[@]}"
