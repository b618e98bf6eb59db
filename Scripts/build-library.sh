#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Builds the C interface (Bindings/C) as Embedded Swift: `build-library.sh x86_64|aarch64`, into .build-python/TARGET: libocm.so, which
# needs libc and libm of glibc 2.17, libocm.a, and ocm-hash, for Scripts/check-bits.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${1:?which target: x86_64 or aarch64}
output=.build-python/$target
swift=$(dirname "$(readlink -f "$(command -v swiftc)")")
mkdir -p "$output"
if [ -e "$output/done" ] && [ -z "$(find Sources/{MotionMath,OrientationFusion,ActivityEstimation,ActivitySummary} AddOns/{OrientationSmoothing,SensorPlausibility} Bindings/C "$0" -newer "$output/done" -print -quit)" ]; then
  echo "$output: up to date"
  exit 0
fi
rm -f "$output/done"
case $target in
x86_64) triple=x86_64-unknown-linux-gnu ;;
aarch64) triple=aarch64-none-none-elf ;;
*)
  echo "Unknown target “$target”: x86_64 or aarch64." >&2
  exit 2
  ;;
esac

# Without a stack protector, which would be a call into a library, and without fused multiplication, which would be other bits.
options=(-package-name OpenCoreMotion -target "$triple" -enable-experimental-feature Embedded -wmo -parse-as-library
  -swift-version 6 -O -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility -Xfrontend -disable-stack-protector -Xcc -ffp-contract=off -Xcc -fno-math-errno -I "$output")
modules=(MotionMath OrientationFusion OrientationSmoothing ActivityEstimation ActivitySummary SensorPlausibility)
for module in "${modules[@]}"; do
  # shellcheck disable=SC2046
  swiftc "${options[@]}" -module-name "$module" -emit-module-path "$output/$module.swiftmodule" -lto=llvm-full -c -o "$output/$module.bc" \
    $(find Sources AddOns -path "*/$module/*.swift" | LC_ALL=C sort)
done
swiftc "${options[@]}" -import-objc-header Bindings/C/imports.h -module-name OCM -lto=llvm-full -c -o "$output/OCM.bc" Bindings/C/*.swift
# Swift's compiler has no sections per function, by which the linker leaves out what is not used.
for module in "${modules[@]}" OCM; do
  "$swift/clang" --target="$triple" -Wno-override-module -O2 -fPIC -ffunction-sections -fdata-sections -ffp-contract=off \
    -c -o "$output/$module.o" "$output/$module.bc"
done

objects=("${modules[@]/#/$output/}" "$output/OCM")
objects=("${objects[@]/%/.o}")
shared=(-shared -Wl,--gc-sections -Wl,-s -Wl,-z,noexecstack -Wl,-soname,libocm.so.1 -Wl,--version-script=Bindings/C/exports.map)
hash=(-O2 -std=c11 -Wall -Wextra -Werror -ffp-contract=off -I Bindings/C -o "$output/ocm-hash" Bindings/C/hash.c "$output/libocm.so"
  -Wl,-rpath,\$ORIGIN)
ln -sf libocm.so "$output/libocm.so.1"
case $target in
x86_64)
  "$swift/clang" -fuse-ld=lld -Wl,--icf=all "${shared[@]}" -o "$output/libocm.so" "${objects[@]}" -lm
  "$swift/clang" "${hash[@]}"
  ;;
aarch64)
  aarch64-linux-gnu-gcc "${shared[@]}" -o "$output/libocm.so" "${objects[@]}" -lm
  aarch64-linux-gnu-gcc "${hash[@]}"
  ;;
esac
# The static one: a single object, of which the functions of ocm.h are all that others see.
"$swift/ld.lld" -r -o "$output/ocm.o" "${objects[@]}"
"$swift/llvm-objcopy" --wildcard --keep-global-symbol='ocm_*' --strip-unneeded "$output/ocm.o"
rm -f "$output/libocm.a"
"$swift/llvm-ar" qcD "$output/libocm.a" "$output/ocm.o"
touch "$output/done"
echo "$output/libocm.so: $(wc -c <"$output/libocm.so") bytes"
