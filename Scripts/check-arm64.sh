#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# The C shims over the kernel's headers, compiled for 64-bit ARM: their static assertions hold the layouts of events and transfers that
# the drivers take for granted. The Swift side reads bytes at offsets and overlays no structure, so this is where an architecture
# could matter. Needs Debian's cross headers.
set -euo pipefail
cd "$(dirname "$0")/.."

headers=/usr/aarch64-linux-gnu/include
if [ ! -e "$headers/linux/input.h" ] || [ ! -e "$headers/stdlib.h" ]; then
  echo "The headers for 64-bit ARM are missing: sudo apt-get install libc6-dev-arm64-cross linux-libc-dev-arm64-cross" >&2
  exit 1
fi
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
[ -x "$clang" ] || clang=clang
for file in Sources/CMotionSystem/*.c AddOns/CMotionTLS/*.c; do
  "$clang" --target=aarch64-linux-gnu -nostdlibinc -isystem "$headers" -I Sources/CMotionSystem/include -I AddOns/CMotionTLS/include \
    -Wall -Wextra -Werror -fsyntax-only "$file"
  echo "$file: compiles for 64-bit ARM"
done
