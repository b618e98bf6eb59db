#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# pip-install.sh PYTHON FOLDER: installs the packages of FOLDER/requirements.txt for PYTHON. On the Python of Debian 12 (CPython 3.11 on
# x86-64), which CI has, they are exactly the files whose SHA-256 stands in FOLDER/requirements.lock; any other Python chooses its own
# files of the wanted versions. A package without a wheel is built from its source, which has its digest, too, by a build system that has
# none. `--lock PYTHON FOLDER…` writes these locks, for a change of requirements.txt on purpose.
set -euo pipefail

quiet=(--quiet --disable-pip-version-check --retries 1 --timeout 20)
if [ "$1" = --lock ]; then
  for folder in "${@:3}"; do
    lock=$folder/requirements.lock
    # The licence of requirements.txt, and every package that pip would install, with the digest of the one file for this Python.
    {
      head -n 2 "$folder/requirements.txt"
      echo "# For CPython 3.11 on x86-64 Linux. Written by: Scripts/pip-install.sh --lock python3.11 $folder"
      "$2" -m pip install "${quiet[@]}" --dry-run --ignore-installed --prefer-binary --report - -r "$folder/requirements.txt" | "$2" -c '
import json, re, sys
for item in sorted(json.load(sys.stdin)["install"], key=lambda item: item["metadata"]["name"].lower()):
    name = re.sub("[-_.]+", "-", item["metadata"]["name"]).lower()
    digest = item["download_info"]["archive_info"]["hashes"]["sha256"]
    print(f"""{name}=={item["metadata"]["version"]} --hash=sha256:{digest}""")'
    } >"$lock.new"
    mv "$lock.new" "$lock"
  done
  exit
fi

python=$1 wanted=$2/requirements.txt lock=$2/requirements.lock
kind=$("$python" -c 'import platform, sys; print(sys.implementation.name, "%d.%d" % sys.version_info[:2], platform.machine())')
if [ "$kind" != "cpython 3.11 x86_64" ]; then
  exec "$python" -m pip install "${quiet[@]}" -r "$wanted"
fi
"$python" -m pip install "${quiet[@]}" --require-hashes -r "$lock"
# Without a network: fails where the lock lacks something that is wanted.
"$python" -m pip install "${quiet[@]}" --no-index -r "$wanted" || {
  echo "$lock does not have all of $wanted. Run: Scripts/pip-install.sh --lock $python $2" >&2
  exit 1
}
