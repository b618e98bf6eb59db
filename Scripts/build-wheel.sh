#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Builds the Python wheels into .build-python/dist: for x86-64, and for 64-bit ARM where Debian's cross compiler is there. Needs Swift
# and Python; no network. `--test` also tries the library with clients of this header and of earlier ones (Scripts/test-c.sh), installs
# the wheel into a fresh environment of each Python that is there (PYTHONS, with Bindings/Python/tests/requirements.txt from PyPI) and
# runs Bindings/Python/tests; 75 where these cannot be had.
set -euo pipefail
cd "$(dirname "$0")/.."

machines=(x86_64)
if command -v aarch64-linux-gnu-gcc >/dev/null; then
  machines+=(aarch64)
else
  echo "No wheel for 64-bit ARM: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
fi
rm -rf .build-python/dist
building=()
for machine in "${machines[@]}"; do
  Scripts/build-library.sh "$machine" &
  building+=($!)
done
for process in "${building[@]}"; do wait "$process"; done
for machine in "${machines[@]}"; do
  python3 Scripts/pack-wheel.py "$machine"
done
if [ "${1:-}" != --test ]; then exit 0; fi
Scripts/test-c.sh

skip() {
  echo "SKIPPED: $1; the wheels are built, not tested"
  exit 75
}
for python in ${PYTHONS:-python3}; do
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  environment=.build-python/venv-$version
  rm -rf "$environment"
  "$python" -m venv "$environment" || skip "$python cannot make a virtual environment (Debian: python3-venv)"
  Scripts/pip-install.sh "$environment/bin/python" Bindings/Python || skip "numpy cannot be had from PyPI"
  "$environment/bin/pip" install --quiet --disable-pip-version-check --no-index .build-python/dist/*_"$(uname -m)".whl
  # The wheel alone, with nothing but what it asks for.
  "$environment/bin/python" -I -c 'import numpy, opencoremotion as ocm
t = numpy.arange(100) / 100
q = ocm.fuse(t, numpy.zeros((100, 3)), numpy.tile([0, 0, 9.81], (100, 1))).quaternion
assert abs(q[-1, 0] - 1) < 1e-9, q'
  if ! Scripts/pip-install.sh "$environment/bin/python" Bindings/Python/tests; then
    [ "$version" != 3.11 ] || exit 1
    # A newer or older Python, for which not every package has a wheel: the tests that need one are skipped.
    grep -v '^#' Bindings/Python/tests/requirements.txt | while read -r package; do
      "$environment/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$package" ||
        echo "$package has no wheel for Python $version."
    done
  fi
  "$environment/bin/python" -I -m pytest -q --disable-warnings -p no:cacheprovider Bindings/Python/tests
done
for wheel in .build-python/dist/*.whl; do
  shown=$("$environment/bin/auditwheel" show "$wheel" | tr '\n' ' ')
  case $shown in
  *manylinux_2_17*) echo "auditwheel: ${wheel##*/} is manylinux2014" ;;
  *) echo "auditwheel does not find $wheel to be manylinux2014: $shown" >&2 && exit 1 ;;
  esac
done
