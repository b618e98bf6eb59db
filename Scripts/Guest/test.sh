#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# The kernel tests: builds them optimised, boots Debian's kernel with virtual sensors in qemu and runs them inside, as root and as a user
# without rights. Exits with 0 when all pass, 1 when one fails, 75 when no guest can be had here (the reason is printed).
#
# KERNEL_TEST_PATIENCE=1   also the minute at 1000 Hz
# KERNEL_TEST_FILTER=NAME  only the tests whose name holds NAME, as root
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
scratch=.build-kernel

none() { echo "test-kernel: no guest here: $*" >&2; exit 75; }
[ "$(uname -m)" = x86_64 ] || none "it is made for x86-64 hosts"
PATH=$PATH:/usr/sbin:/sbin
missing=()
for tool in qemu-system-x86_64:qemu-system-x86 gcc:gcc python3:python3 depmod:kmod zstd:zstd; do
  command -v "${tool%%:*}" >/dev/null || missing+=("${tool#*:}")
done
root=()
[ "$(id -u)" -eq 0 ] || root=(sudo -n)
if ! compgen -G '/var/lib/apt/lists/*Packages*' >/dev/null; then
  "${root[@]}" apt-get update -q >/dev/null || none "no package lists (sudo apt-get update)"
fi
if [ ${#missing[@]} -gt 0 ]; then
  echo "test-kernel: installing ${missing[*]}"
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null ||
    none "install by hand: ${missing[*]}"
fi
Scripts/Guest/setup.sh || none "Scripts/Guest/setup.sh failed"

swift build -c release --build-tests --package-path Scripts/Guest --scratch-path "$scratch"
bundle=$(swift build -c release --package-path Scripts/Guest --scratch-path "$scratch" --show-bin-path)/KernelTestsPackageTests.xctest
# The recorder is a process of its own, beside the tests.
swift build -c release --package-path Scripts/Guest --scratch-path "$scratch" --product motionctl
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# run NAME OPTION ... -- ARGUMENT ... : one boot; a run without a single test counts as a failure
run() {
  local name=$1 options=() status=0
  shift
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  echo "--- in the guest: $name"
  Scripts/Guest/run.sh "${options[@]}" -m 1024 "$bundle" --testing-library swift-testing "$@" 2>&1 | tee "$log" || status=$?
  if [ "$status" -eq 0 ] && ! grep -qE 'Test run with [1-9][0-9]* tests?' "$log"; then
    echo "test-kernel: no test has run" >&2
    status=1
  fi
  return "$status"
}
# The guest's processor is emulated beside whatever else this machine does: one second chance, said aloud.
twice() {
  if ! run "$@"; then
    echo "test-kernel: FAILED; once more, in case the machine was too busy" >&2
    run "$@"
  fi
}
# MOTION_STORE from the beginning: the host of a process reads its environment once.
twice "as root" -d none -t 900 -e MOTION_STORE=/tmp/history.sqlite -e KERNEL_TEST_PATIENCE="${KERNEL_TEST_PATIENCE:-0}" -- --filter "${KERNEL_TEST_FILTER:-KernelTests}"
if [ -z "${KERNEL_TEST_FILTER:-}" ]; then twice "as nobody" -d hub,dualsense -u nobody -t 300 -- --filter Unprivileged; fi
