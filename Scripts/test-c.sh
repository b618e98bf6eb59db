#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Tries the C library of this machine: every function with memory that ends at the end of a page (Tests/CInterface/guarded.c), compiled
# with today's header and with that of each release (Tests/CInterface/VERSION/ocm.h; there was none yet). All have to give the same bits.
# `test-c.sh [SEED [CALLS]]`
set -euo pipefail
cd "$(dirname "$0")/.."

output=.build-python/x86_64
Scripts/build-library.sh x86_64
clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang
expected=
for header in Bindings/C/ocm.h $(ls Tests/CInterface/*/ocm.h 2>/dev/null); do
  "$clang" -O1 -std=c11 -Wall -Wextra -Werror -I "${header%/*}" -o "$output/guarded" Tests/CInterface/*.c "$output/libocm.so" \
    -Wl,-rpath,\$ORIGIN -lm
  result=$("$output/guarded" "${1:-1}" "${2:-100000}") || {
    echo "A client that was compiled with $header ended with status $?." >&2
    exit 1
  }
  echo "$header: $(tail -n 1 <<<"$result")"
  expected=${expected:-$result}
  if [ "$result" != "$expected" ]; then
    printf 'The results differ from those of a client of today:\n%s\n%s\n' "$expected" "$result" >&2
    exit 1
  fi
done
echo "${expected%$'\n'*}"
