#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# The judge of the filter (Benchmarks/stress): builds the C library, and motionctl, which has to give the same rows, and prints one table, for
# SEEDS (1 2 3), beside VQF where Python has it. Exits with 1 when a limit is passed; with 75 where numpy cannot be had, as without a network.
# Arguments go to judge.py: --help says which.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=.build-stress

skip() {
  echo "SKIPPED: $1; not run: Benchmarks/stress"
  exit 75
}
command -v python3 >/dev/null || skip "there is no python3 here"
# The environment of peers.py has numpy and VQF; else Python's own, if it has numpy; else one of our own.
python=
for candidate in .build-peers/bin/python python3; do
  if "$candidate" -c 'import numpy' 2>/dev/null; then
    python=$candidate
    break
  fi
done
if [ -z "$python" ]; then
  python=$venv/bin/python
  [ -x "$python" ] || python3 -m venv "$venv" || skip "python3 cannot make a virtual environment (Debian: python3-venv)"
  Scripts/pip-install.sh "$python" Bindings/Python ||
    skip "numpy cannot be had from PyPI"
fi

Scripts/build-library.sh "$(uname -m)" >&2
if [ -z "${MOTIONCTL:-}" ]; then
  swift build -c release --product motionctl >&2
  MOTIONCTL=$(swift build -c release --show-bin-path)/motionctl
fi
# shellcheck disable=SC2086 # SEEDS are words
exec "$python" Benchmarks/stress/judge.py --seeds ${SEEDS:-1 2 3} --motionctl "$MOTIONCTL" "$@"
