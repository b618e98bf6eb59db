#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# What the formatter does not see: licence headers, the length of files, paths of one person's machine, and figures in
# the README that nobody has measured yet.
set -euo pipefail
cd "$(dirname "$0")/.."

folders=()
for folder in Sources AddOns Tools Tests Examples Benchmarks Bindings Scripts; do [ -d "$folder" ] && folders+=("$folder"); done
failed=0

while IFS= read -r file; do
  if ! head -n 3 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0'; then
    echo "$file: the SPDX lines are missing; copy them from the head of another file." >&2
    failed=1
  fi
  lines=$(wc -l <"$file")
  if [ "$lines" -gt 400 ] && [[ $file != *.py ]]; then
    echo "$file: $lines lines; a file holds one idea and at most 400 lines." >&2
    failed=1
  fi
  # What the formatter leaves alone: the prose of comments. Tables, formulas and addresses keep their line.
  if [[ $file == *.swift ]] && LC_ALL=C.UTF-8 grep -nE '^ *///? [[:alnum:]`(*].{120,}' "$file" | cut -c-100 | sed "s|^|$file:|" | grep . >&2; then
    echo "These comments (above) are longer than 120 columns." >&2
    failed=1
  fi
done < <(find "${folders[@]}" -name '.build*' -prune -o \( -name '*.swift' -o -name '*.c' -o -name '*.h' -o -name '*.py' -o -name '*.sh' \) -print | LC_ALL=C sort)

if git rev-parse --is-inside-work-tree >/dev/null 2>&1 &&
  git grep -nIE '(^|[^A-Za-z0-9.~])/(home|Users|root)/[A-Za-z]' -- . ':!Scripts/check-sources.sh'; then
  echo "These lines (above) name a path of somebody's machine." >&2
  failed=1
fi

if grep -rnwE --include='*.swift' 'import (Glibc|Musl|Android|Bionic)' Sources AddOns Tools | grep -v /SystemLibrary.swift: >&2; then
  echo "These lines (above) name a C library: import MotionSensing, which has the one there is." >&2
  failed=1
fi

# Figures and outputs that were to be filled in from a command, and were not.
if grep -nE '<!-- *(figure|output|integrator)' README.md Sources/CoreMotion/CoreMotion.docc/*.md; then
  echo "These lines (above) wait for a measured figure or a real output." >&2
  failed=1
fi

exit "$failed"
