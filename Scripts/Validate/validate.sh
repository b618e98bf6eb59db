#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# What motionctl writes is read by other people's software, and the other way round: runs every check_*.py beside this script
# in a virtual environment of its own. Exits with 75 where that environment cannot be had, as without a network.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=Scripts/Validate
venv=.build-validate

if [ -z "${MOTIONCTL:-}" ]; then
  swift build --product motionctl >&2
  MOTIONCTL=$(swift build --show-bin-path)/motionctl
fi
export MOTIONCTL

skip() {
  echo "SKIPPED: $1; not checked: $(cd "$folder" && echo check_*.py)"
  exit 75
}
command -v python3 >/dev/null || skip "there is no python3 here"
[ -x "$venv/bin/python" ] || python3 -m venv "$venv" || skip "python3 cannot make a virtual environment (Debian: python3-venv)"
Scripts/pip-install.sh "$venv/bin/python" "$folder" ||
  skip "the packages in $folder/requirements.txt cannot be had from PyPI"

status=0
for check in "$folder"/check_*.py; do
  echo "--- $(basename "$check")"
  "$venv/bin/python" "$check" || { echo "FAILED: $check" >&2; status=1; }
done
exit $status
