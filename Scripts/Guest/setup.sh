#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
# setup.sh [--kernel PACKAGE] : fetch and prepare everything run.sh needs.
# All downloads and products go to the cache, nothing is written beside this script.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${OPENCOREMOTION_GUEST_CACHE:-${HOME:?}/.cache/opencoremotion-guest}
PATH=$PATH:/usr/sbin:/sbin
package=
if [ "${1:-}" = --kernel ]; then package=${2:?}; fi

[ "$(uname -m)" = x86_64 ] || { echo "setup: only x86-64 hosts are supported" >&2; exit 1; }
for tool in apt-get dpkg-deb depmod gcc python3 qemu-system-x86_64; do
    command -v $tool >/dev/null || { echo "setup: $tool is missing (see README.md)" >&2; exit 1; }
done
mkdir -p "$cache/download" "$cache/bin"
cd "$cache/download"

# 1. Debian's stock kernel package: the newest of this release unless another one is named.
if [ -z "$package" ]; then package=linux-image-amd64; fi
while real=$(apt-cache depends "$package" | awk '/Depends: linux-image-[0-9]/ { print $2; exit }'); [ -n "$real" ]; do
    package=$real                                   # follow meta-packages
done
ls "${package}"_*.deb >/dev/null 2>&1 || apt-get download -q "$package"
if [ "$(cat "$cache/kernel.package" 2>/dev/null)" != "$package" ]; then
    rm -rf "$cache/kernel" "$cache/kernel.package"
    dpkg-deb -x "$(ls -t "${package}"_*.deb | head -n 1)" "$cache/kernel"
    [ -d "$cache/kernel/lib/modules" ] || ln -s usr/lib "$cache/kernel/lib"
    version=$(basename "$cache"/kernel/lib/modules/*)
    depmod -b "$cache/kernel" "$version"
    python3 "$here/tools/image.py" vmlinux "$cache/kernel/boot/vmlinuz-$version" "$cache/vmlinux"
    echo "$package" > "$cache/kernel.package"
fi
version=$(basename "$cache"/kernel/lib/modules/*)

# 2. A static busybox: the host's if it is one, else from the package.
busybox=$(command -v busybox || true)
if [ -z "$busybox" ] || ldd "$busybox" >/dev/null 2>&1; then
    ls busybox-static_*.deb >/dev/null 2>&1 || apt-get download -q busybox-static
    rm -rf busybox && dpkg-deb -x busybox-static_*.deb busybox
    busybox=$(find "$cache/download/busybox" -type f -path '*/bin/busybox')
fi

# 3. The simulated devices, linked statically so that the guest needs no libraries for them.
for program in uhidhub uhiddualsense uhidheadtracker i2cfill; do
    gcc -O2 -Wall -Wextra -static -o "$cache/bin/$program" "$here/src/$program.c" -lm
done

# 4. The base initramfs.
python3 "$here/tools/image.py" base --modules "$cache/kernel/lib/modules/$version" --busybox "$busybox" \
    --add "$here/guest/init.sh:init" --add "$here/guest/guestctl:bin/guestctl" \
    --add "$cache/bin/uhidhub:bin/uhidhub" --add "$cache/bin/uhiddualsense:bin/uhiddualsense" \
    --add "$cache/bin/uhidheadtracker:bin/uhidheadtracker" --add "$cache/bin/i2cfill:bin/i2cfill" -o "$cache/initramfs.cpio" \
    virtio_pci 9pnet_virtio 9p uhid uinput evdev ff-memless led-class-multicolor hid-playstation \
    hid-sensor-hub hid-sensor-accel-3d hid-sensor-gyro-3d hid-sensor-magn-3d hid-sensor-press hid-sensor-rotation \
    hid-generic \
    i2c-dev i2c-stub bmp280-i2c st_accel_i2c bmi160_i2c "iio-trig-hrtimer?" "iio-trig-sysfs?"
echo "setup: kernel $version ready in $cache"
