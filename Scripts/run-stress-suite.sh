#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# The stress suites (Benchmarks/stress and stress2) on motionctl: makes the cases of SEED (1) in a temporary folder and scores them, beside
# VQF where Python has it. Exits with 1 when a case of the first suite is out of its bounds, or fewer than LEAST of the second are good; with
# 75 where numpy cannot be had, as without a network. With arguments the first suite alone, to whose score.py they go: --family NAME, --json FILE.
set -euo pipefail
cd "$(dirname "$0")/.."
suite=Benchmarks/stress
trials=${OPENCOREMOTION_DATA:-../shared/data}/broad
venv=.build-stress

skip() {
  echo "SKIPPED: $1; not run: $suite"
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

if [ -z "${MOTIONCTL:-}" ]; then
  swift build -c release --product motionctl >&2
  MOTIONCTL=$(swift build -c release --show-bin-path)/motionctl
fi

cases=$(mktemp -d)
trap 'rm -rf "$cases"' EXIT
options=(--seed "${SEED:-1}" --out "$cases")
if [ -d "$trials" ]; then options+=(--trials "$trials"); else echo "No BROAD trials in $trials."; fi
arguments=("$cases" --motionctl "$MOTIONCTL" --quiet "$@")
# Without VQF the bounds of physics stand alone in the second suite, which some of its cases cannot keep.
least=79
if "$python" -c 'import vqf' 2>/dev/null; then
  arguments+=(--vqf)
  least=91
fi
# The second suite holds motions that the filter was not built on. Not all of its cases are good yet: fewer than LEAST is a step back.
# Each suite computes on one core, so they go side by side; arguments choose among the first.
if [ $# -eq 0 ]; then
  {
    "$python" Benchmarks/stress2/make_cases.py --seed "${SEED:-1}" --out "$cases/second" >/dev/null &&
      "$python" Benchmarks/stress2/score.py "$cases/second" --motionctl "$MOTIONCTL" --quiet --least "${LEAST:-$least}"
  } >"$cases/second.log" 2>&1 &
fi
"$python" "$suite/make_cases.py" "${options[@]}"
status=0
"$python" "$suite/score.py" "${arguments[@]}" || status=$?
if [ $# -eq 0 ]; then
  wait $! || status=$?
  cat "$cases/second.log"
fi
exit $status
