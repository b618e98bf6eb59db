#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# library.sh [FOLDER]: the filter for programs in C as the Debian package libopencoremotion-dev and a tarball: libocm shared and static,
# libocm-device for this machine and for armv7em, the page InC.md, and its example, tried as the page says. FOLDER: .build-device/artifacts.
set -euo pipefail
cd "$(dirname "$0")/../.."
. Scripts/Packaging/archives.sh
output=${1:-.build-device/artifacts}
stage=$PWD/.build-device/stage
machine=$(uname -m)
name=libopencoremotion-$VERSION-linux-$machine
tree=$stage/$name
doc=$tree/share/doc/libopencoremotion-dev
Scripts/build-library.sh "$machine"
Scripts/build-device.sh
rm -rf "$stage" "$output"/libopencoremotion*
mkdir -p "$output" "$stage"/{package,try} "$tree"/{include,lib/pkgconfig,lib/armv7em} "$doc/example"

cp Bindings/C/ocm.h Bindings/Device/ocm_device.h "$tree/include/"
cp ".build-python/$machine/libocm.a" ".build-device/$machine/libocm-device.a" "$tree/lib/"
cp .build-device/armv7em/libocm-device.a "$tree/lib/armv7em/"
install -m 644 ".build-python/$machine/libocm.so" "$tree/lib/libocm.so.1"
ln -s libocm.so.1 "$tree/lib/libocm.so"
for file in Bindings/{C/ocm,Device/ocm-device}.pc; do sed "s/@VERSION@/$VERSION/" "$file" >"$tree/lib/pkgconfig/${file##*/}"; done
cp Sources/CoreMotion/CoreMotion.docc/InC.md "$doc/README.md"
cp Bindings/Device/{example.c,readings.inc,board.c,board.ld} "$doc/example/"
sorted_tar "$stage" "$name" | gzip -9n | tee "$output/$name.tar.gz" >"$stage/try/$name.tar.gz"
(cd "$stage/try" && sh -ec "$(sed -n '/^```sh$/,/^```$/{/^```$/q;/^```/!p}' "$doc/README.md")") | grep 'rest 1'

cp -a "$tree" "$stage/package/usr"
copyright libopencoremotion-dev "$stage/package"
debian_package libopencoremotion-dev "$stage/package" "$output" "Depends: libc6" libdevel "Description: orientation from inertial sensors, for programs in C
 The filter of OpenCoreMotion, its steps and activities: ocm.h with libocm; and
 ocm_device.h, the filter in single precision without a library behind it, for
 this machine and for microcontrollers (Cortex-M4F)."
ls -l "$output"/libopencoremotion*
