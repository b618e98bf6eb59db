#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Builds the C interface (Bindings/C) as Embedded Swift: `build-library.sh x86_64|aarch64|wasm32|armv7em`, into
# .build-python/TARGET. Linux: libocm.so, which needs libc and libm of glibc 2.17. WebAssembly: ocm-hash.wasm. ARM Cortex-M: objects.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${1:?which target: x86_64, aarch64, wasm32 or armv7em}
output=.build-python/$target
swift=$(dirname "$(readlink -f "$(command -v swiftc)")")
mkdir -p "$output"
if [ -e "$output/done" ] && [ -z "$(find Sources/{MotionMath,OrientationFusion,OrientationSmoothing,ActivityEstimation,ActivitySummary} Bindings/C "$0" -newer "$output/done" -print -quit)" ]; then
  echo "$output: up to date"
  exit 0
fi
rm -f "$output/done"
optimization=-O level=-O2
more=()
case $target in
x86_64) triple=x86_64-unknown-linux-gnu ;;
aarch64) triple=aarch64-none-none-elf ;;
wasm32) triple=wasm32-unknown-none-wasm more=(-Xcc -mbulk-memory) ;;
armv7em) triple=armv7em-none-none-eabi optimization=-Osize level=-Os ;;
*)
  echo "Unknown target “$target”: x86_64, aarch64, wasm32 or armv7em." >&2
  exit 2
  ;;
esac

# Without a stack protector, which would be a call into a library, and without fused multiplication, which would be other bits.
options=(-package-name OpenCoreMotion -target "$triple" -enable-experimental-feature Embedded -wmo -parse-as-library
  -swift-version 6 "$optimization" -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility -Xfrontend -disable-stack-protector -Xcc -ffp-contract=off -Xcc -fno-math-errno "${more[@]}" -I "$output")
for module in MotionMath OrientationFusion OrientationSmoothing ActivityEstimation ActivitySummary; do
  # shellcheck disable=SC2046
  swiftc "${options[@]}" -module-name "$module" -emit-module-path "$output/$module.swiftmodule" -lto=llvm-full -c -o "$output/$module.bc" \
    $(find "Sources/$module" -name '*.swift' | LC_ALL=C sort)
done
swiftc "${options[@]}" -import-objc-header Bindings/C/imports.h -module-name OCM -lto=llvm-full -c -o "$output/OCM.bc" Bindings/C/*.swift
# Swift's compiler has no sections per function, by which the linker leaves out what is not used.
for module in MotionMath OrientationFusion OrientationSmoothing ActivityEstimation ActivitySummary OCM; do
  "$swift/clang" --target="$triple" -Wno-override-module "$level" -fPIC -ffunction-sections -fdata-sections -ffp-contract=off \
    -c -o "$output/$module.o" "$output/$module.bc"
done

objects=("$output"/{MotionMath,OrientationFusion,OrientationSmoothing,ActivityEstimation,ActivitySummary,OCM}.o)
shared=(-shared -Wl,--gc-sections -Wl,-s -Wl,-z,noexecstack -Wl,-soname,libocm.so -Wl,--version-script=Bindings/C/exports.map)
hash=(-O2 -std=c11 -Wall -Wextra -Werror -ffp-contract=off -I Bindings/C -o "$output/ocm-hash" Bindings/C/hash.c "$output/libocm.so"
  -Wl,-rpath,\$ORIGIN)
case $target in
x86_64)
  "$swift/clang" -fuse-ld=lld -Wl,--icf=all "${shared[@]}" -o "$output/libocm.so" "${objects[@]}" -lm
  "$swift/clang" "${hash[@]}"
  ;;
aarch64)
  aarch64-linux-gnu-gcc "${shared[@]}" -o "$output/libocm.so" "${objects[@]}" -lm
  aarch64-linux-gnu-gcc "${hash[@]}"
  ;;
wasm32)
  for source in hash freestanding; do
    "$swift/clang" --target=wasm32-unknown-none-wasm -mbulk-memory -O2 -ffp-contract=off -I Bindings/C -c -o "$output/$source.o" \
      "Bindings/C/$source.c"
  done
  "$swift/wasm-ld" --no-entry --gc-sections --strip-all -O3 -z stack-size=262144 --export=malloc \
    -o "$output/ocm-hash.wasm" "${objects[@]}" "$output/hash.o" "$output/freestanding.o"
  ;;
esac
touch "$output/done"
case $target in
x86_64 | aarch64) echo "$output/libocm.so: $(wc -c <"$output/libocm.so") bytes" ;;
wasm32) echo "$output/ocm-hash.wasm: $(wc -c <"$output/ocm-hash.wasm") bytes" ;;
armv7em) size -t "${objects[@]}" | awk 'END { print "Cortex-M, all functions: " $1 " bytes of code and constants, " $2 + $3 " of data" }' ;;
esac
