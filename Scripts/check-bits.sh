#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Runs the filter over trials of the BROAD layout on x86-64, 64-bit ARM (qemu) and WebAssembly (Node), and compares one hash of all
# bits that it gives: `check-bits.sh TRIAL.f32 …`; without arguments those of ../shared/data/broad.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -eq 0 ]; then set -- ../shared/data/broad/*.f32; fi
if [ ! -r "$1" ]; then
  echo "“$1” is not there: name trials of the BROAD layout (BROAD, CC BY 4.0: github.com/dlaidig/broad)." >&2
  exit 75
fi

# compare TARGET COMMAND… : the first hash counts for all.
expected=
compare() {
  local target=$1 hash
  shift
  Scripts/build-library.sh "$target"
  hash=$("$@")
  echo "$target: $hash"
  expected=${expected:-$hash}
  if [ "$hash" != "$expected" ]; then
    echo "The bits of $target differ from those of x86_64, $expected." >&2
    exit 1
  fi
}

compare x86_64 .build-python/x86_64/ocm-hash "$@"
if command -v aarch64-linux-gnu-gcc qemu-aarch64-static >/dev/null; then
  compare aarch64 qemu-aarch64-static -L /usr/aarch64-linux-gnu .build-python/aarch64/ocm-hash "$@"
else
  echo "aarch64: left out; apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static"
fi
if command -v node >/dev/null; then
  compare wasm32 node Scripts/Web/hash-trials.mjs .build-python/wasm32/ocm-hash.wasm "$@"
else
  echo "wasm32: left out; apt-get install nodejs"
fi
