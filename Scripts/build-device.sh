#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# The filter for devices (Bindings/Device) in single precision: libocm-device.a in .build-device/armv7em and .build-device/MACHINE, which
# needs no library. `--test`: links all of it for armv7em with nothing behind it, and fails where the code is larger than 40,000 bytes
# with six axes or 90,000 with nine, the state of six larger than 3,136, or a name is missing: a
# double, an allocation. Then runs the example here and on a Cortex-M4 (qemu): the same lines.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$(dirname "$(readlink -f "$(command -v swiftc)")")
machine=$(uname -m)
arm=(--target=armv7em-none-eabihf -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard -fshort-enums)
c=(-Oz -ffreestanding -fno-strict-aliasing -ffunction-sections -fdata-sections -ffp-contract=off -Wno-override-module -Wall -Wextra -Werror)
headers=(-I Bindings/C -I Bindings/Device)

# library six|nine armv7em|MACHINE: one object, of which the functions of ocm_device.h are all that others see.
library() {
  local sources=.build-device/$2/$1 swift=() c=("${c[@]}") file option
  case $2 in
  armv7em)
    swift=(-target armv7em-none-none-eabi) c+=("${arm[@]}")
    for option in "${arm[@]:1}"; do swift+=(-Xcc "$option"); done
    ;;
  aarch64) swift=(-target aarch64-none-none-elf) c+=(-fPIC) ;;
  *) swift=(-target "$2-unknown-linux-gnu") c+=(-fPIC) ;;
  esac
  rm -rf "$sources" && mkdir -p "$sources"
  # One module without a public name: Single.swift's names reach every file, and what nobody calls is gone.
  for file in $(find Sources/{MotionMath,OrientationFusion} Bindings/Device -name '*.swift' ! -name 'Scalar+*' ! -name 'DoubleDouble*' ! -name 'Geomagnetic*'); do
    sed -E 's/^(public |package )?import .*//; s/\b(public|package|internal)(\(set\))? //g; s/@(inlinable|usableFromInline|frozen|inline\(__always\))//g' "$file" >"$sources/${file##*/}"
  done
  case $1 in
  # A constant, so that what only a magnetometer needs is gone, too.
  six)
    rm "$sources"/{HeadingFilter,FieldModel,BlockRecord,ForceDoubt,OrientationFilter+Heading}.swift
    sed -i 's/InlineArray<3, MotionModel>/InlineArray<1, MotionModel>/; s/static var count: Int { 3 }/static var count: Int { 1 }/' "$sources/MotionBank.swift"
    swift+=(-D SixAxes) && sed -i 's/let usesMagnetometer: Bool$/var usesMagnetometer: Bool { false }/; /self.usesMagnetometer =/d' "$sources/OrientationFilter.swift"
    ;;
  nine) sed -i 's/_six_/_nine_/' "$sources/device.swift" ;;
  esac
  swiftc -package-name OpenCoreMotion -enable-experimental-feature Embedded -wmo -parse-as-library -swift-version 6 -Osize \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility -Xfrontend -disable-stack-protector \
    -import-objc-header Bindings/Device/ocm_device.h -Xcc -IBindings/C -Xcc -fno-math-errno "${swift[@]}" -suppress-warnings \
    -module-name OCMDevice -lto=llvm-full -c -o "$sources.bc" "$sources"/*.swift
  "$tools/clang" "${c[@]}" -c -o "$sources-swift.o" "$sources.bc"
  "$tools/clang" "${c[@]}" -c -o "$sources-runtime.o" Bindings/Device/runtime.c
  "$tools/ld.lld" -r -o "$sources.o" "$sources"-{swift,runtime}.o
  "$tools/llvm-objcopy" --wildcard --keep-global-symbol='ocm_*' --strip-unneeded "$sources.o"
}
building=()
for folder in armv7em "$machine"; do
  for axes in six nine; do
    library "$axes" "$folder" &
    building+=($!)
  done
done
for process in "${building[@]}"; do wait "$process"; done
for folder in .build-device/{armv7em,"$machine"}; do
  rm -f "$folder/libocm-device.a"
  "$tools/llvm-ar" qcD "$folder/libocm-device.a" "$folder"/{six,nine}.o
done
[ "${1:-}" = --test ] || exit 0

failed=0
# within WHAT NUMBER LIMIT
within() { echo "$1: $2 bytes, at most $3" && [ "$2" -le "$3" ] || { echo "That is too much." >&2; failed=1; }; }
within "six axes, state" "$(sed -n 's/.*OCM_SIX_SIZE = \([0-9]*\).*/\1/p' Bindings/Device/ocm_device.h)" 3136
echo 'int printf(const char *, ...);' >.build-device/armv7em/stdio.h
for axes in six nine; do
  program=.build-device/$axes functions=$("$tools/llvm-nm" -g --defined-only --format=just-symbols .build-device/armv7em/$axes.o)
  # shellcheck disable=SC2086
  "$tools/ld.lld" --gc-sections -e "ocm_${axes}_init" ${functions//ocm_/-u ocm_} -o "$program.elf" .build-device/armv7em/libocm-device.a
  within "$axes axes, code" "$(size "$program.elf" | awk 'END { print $1 + $2 }')" "$([ $axes = six ] && echo 40000 || echo 90000)"

  # The example, that of nine axes with the accelerometer for a magnetometer as well.
  cp Bindings/Device/example.c "$program.c"
  [ $axes = six ] || sed -i 's/ocm_six/ocm_nine/g
    /error = ocm_nine_accel/a error |= ocm_nine_magnetometer(&filter, (float[]){force[0] * 4e-6f + 2e-5f, force[1] * 4e-6f, force[2] * 4e-6f}, (int64_t)microseconds * 1000);' "$program.c"
  "$tools/clang" -O2 -ffp-contract=off "${headers[@]}" -o "$program" "$program.c" ".build-device/$machine/libocm-device.a" -Wl,--gc-sections
  "$program" | tee "$program.txt"
  command -v qemu-system-arm >/dev/null || { echo "Not run on a Cortex-M4: apt-get install qemu-system-arm"; continue; }
  for file in "$program.c" Bindings/Device/board.c; do
    "$tools/clang" "${arm[@]}" "${c[@]}" -fno-builtin -I .build-device/armv7em "${headers[@]}" -c -o "$program-$(basename "$file").o" "$file"
  done
  "$tools/ld.lld" --gc-sections -e main -T Bindings/Device/board.ld -o "$program.elf" "$program"-*.o .build-device/armv7em/libocm-device.a
  timeout 60 qemu-system-arm -M mps2-an386 -display none -monitor none -serial none -semihosting-config enable=on,target=native \
    -kernel "$program.elf" 2>&1 | tee "$program-arm.txt" | grep ^stack:
  diff "$program.txt" <(grep -v ^stack: "$program-arm.txt") || { echo "A Cortex-M4 gives other numbers (above)." >&2; failed=1; }
done
exit $failed
