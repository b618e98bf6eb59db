#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# The pages in real browsers: runs every phone*.py and view*.py beside this script (or those named as arguments) with Chromium and
# Firefox of the system, driven by playwright in a virtual environment of its own. Installs what is missing; exits with 75 where it
# cannot be had, as without a network. MOTIONCTL=FILE takes a program that is built already. Pictures go to .build/browser-pictures.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=Tests/Browser
venv=.build/browser-environment

skip() {
  echo "SKIPPED: $1; not checked: $(cd "$folder" && echo phone*.py view*.py)"
  exit 75
}
missing=()
[ -x /usr/lib/chromium/chromium-headless-shell ] || missing+=(chromium-headless-shell)
command -v firefox-esr >/dev/null || missing+=(firefox-esr)
command -v openssl >/dev/null || missing+=(openssl)
command -v python3 >/dev/null || missing+=(python3)
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
if [ ${#missing[@]} -gt 0 ]; then
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
  echo "Installing missing Debian packages: ${missing[*]}"
  { "${as_root[@]}" apt-get update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes \
    --no-install-recommends "${missing[@]}"; } >/dev/null 2>&1 || skip "these Debian packages cannot be had: ${missing[*]}"
fi
[ -x "$venv/bin/python" ] || python3 -m venv "$venv" || skip "python3 cannot make a virtual environment (Debian: python3-venv)"
Scripts/pip-install.sh "$venv/bin/python" "$folder" ||
  skip "the packages in $folder/requirements.txt cannot be had from PyPI"

if [ -z "${MOTIONCTL:-}" ]; then
  swift build --product motionctl >&2
  MOTIONCTL=$(swift build --show-bin-path)/motionctl
fi
export MOTIONCTL
Scripts/viewer-assets.sh || skip "the libraries of the viewer's page cannot be had"

tests=("$@")
[ $# -gt 0 ] || for file in "$folder"/phone*.py "$folder"/view*.py; do [ ! -e "$file" ] || tests+=("$file"); done
status=0
for file in "${tests[@]}"; do
  echo "--- $(basename "$file")"
  timeout 900 "$venv/bin/python" "$file" || { echo "FAILED: $file" >&2; status=1; }
done
exit $status
