#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# test-wheel.sh WHEEL [ROOT]: installs a Python wheel in a fresh Debian 12 of its processor and lets it compute, in qemu where that is not this
# machine's (Debian: qemu-user-static, binfmt-support). The numbers must be those of the wheel for this machine beside it, bit for bit.
# ROOT is a system that is there already. Exits with 75 where such a system cannot be made (no root rights, no debootstrap, no network).
set -euo pipefail
cd "$(dirname "$0")/.."
wheel=${1:?which wheel}
own=${wheel%_*}_$(uname -m).whl
case $wheel in
*_x86_64.whl) architecture=amd64 own=${wheel//x86_64/$(uname -m)} ;;
*_aarch64.whl) architecture=arm64 own=${wheel//aarch64/$(uname -m)} ;;
*) echo "$wheel is for no processor that is known here." >&2 && exit 2 ;;
esac

skip() {
  echo "SKIPPED: $1"
  exit 75
}
[ "$(id -u)" -eq 0 ] || skip "a fresh Debian needs root rights (debootstrap, chroot)."
command -v debootstrap >/dev/null || skip "debootstrap is missing."
root=${2:-$PWD/.build-release/wheel-test/$architecture}
if [ ! -x "$root/usr/bin/python3" ]; then
  echo "== A fresh Debian 12, $architecture =="
  mkdir -p "$(dirname "$root")"
  debootstrap --arch="$architecture" --variant=minbase --include=python3,python3-venv bookworm "$root" >"$root.log" 2>&1 || {
    tail -n 3 "$root.log"
    skip "debootstrap failed (see above)."
  }
fi
there() { unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$root" env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/root "$@"; }
there true || skip "the fresh Debian cannot be entered (unshare, chroot, qemu's binfmt)."
mkdir -p "$root/opt/wheel"
cp "$wheel" "$root/opt/wheel/"
# Fetched out here, which has this machine's settings of the network: numpy for the Python of Debian 12.
machine=${wheel##*manylinux2014_}
platforms=(--platform "manylinux2014_${machine%.whl}" --platform "manylinux_2_28_${machine%.whl}" --python-version 3.11)
python3 -m pip download --quiet --disable-pip-version-check --only-binary :all: "${platforms[@]}" --dest "$root/opt/wheel" 'numpy>=1.22' ||
  skip "numpy cannot be had from PyPI."
there python3 -m venv /opt/environment
there /opt/environment/bin/pip install --quiet --disable-pip-version-check --no-index --find-links /opt/wheel "/opt/wheel/${wheel##*/}"

# A device that turns and is shaken, with a field: every part of the filter has work. Printed is the digest of all quaternions.
program='import hashlib, platform, numpy as np, opencoremotion as ocm
n = 6000
k = np.arange(n)
t = k / 100
# Whole numbers of a linear congruence, so that the input is the same on every processor, too.
noise = np.empty(n * 9)
state = 1
for index in range(n * 9):
    state = (1103515245 * state + 12345) % 2147483648
    noise[index] = state / 2147483648 - 0.5
noise = noise.reshape(n, 9)
gyr = noise[:, 0:3] * 0.02 + np.where(k[:, None] % 1000 < 500, 0.0, 0.5)
acc = noise[:, 3:6] * 0.1 + np.array([0.0, 0.0, 9.81])
mag = noise[:, 6:9] + np.array([0.0, 20.0, -45.0])
motion = ocm.fuse(t, gyr, acc, mag, check=False)
ocm.steps(t, acc, placement="wrist")
print(platform.machine(), hashlib.sha256(np.ascontiguousarray(motion.quaternion).tobytes()).hexdigest()[:32])'
echo "== $(there uname -m): Python $(there python3 -c 'import platform; print(platform.python_version())') =="
shown=$(there /opt/environment/bin/python -I -c "$program")
echo "$shown"
if [ "$own" != "$wheel" ] && [ -e "$own" ]; then
  environment=$(mktemp -d)
  trap 'rm -rf "$environment"' EXIT
  python3 -m venv "$environment"
  Scripts/pip-install.sh "$environment/bin/python" Bindings/Python || skip "numpy cannot be had from PyPI."
  "$environment/bin/pip" install --quiet --disable-pip-version-check --no-index "$own"
  expected=$("$environment/bin/python" -I -c "$program")
  echo "$expected"
  [ "${shown#* }" = "${expected#* }" ] || { echo "FAILED: the numbers differ." >&2 && exit 1; }
  echo "ok      the same bits on both"
fi
