#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# check-reproducible.sh [--program-only]: makes a release of this commit twice, in clones of different names, with other time zones,
# languages and masks, and compares the bytes of all that comes out. Where they differ it says in which file, and diffoscope, where it is
# installed, at which place. Exits with 1 then. Twice a release build; the clones are removed where they are equal.
set -euo pipefail
cd "$(dirname "$0")/../.."
commit=$(git rev-parse HEAD)
folder=$(mktemp -d "${TMPDIR:-/tmp}/reproducible.XXXXXX")
first=$folder/a second=$folder/another-folder

# The second clone is made later than the first, so that times of files differ as well.
make_release() { git clone --quiet --no-hardlinks . "$1" && (cd "$1" && git checkout --quiet --detach "$commit" && "${@:2}" >"$1.log" 2>&1) || { tail -n 20 "$1.log" >&2 && exit 1; }; }
echo "== The first of two releases, in $first =="
make_release "$first" env TZ=Pacific/Auckland LANG=C bash -c 'umask 077 && "$@"' release Scripts/Packaging/release.sh "$@" artifacts
echo "== The second, in $second =="
make_release "$second" env TZ=UTC LANG=tr_TR.UTF-8 Scripts/Packaging/release.sh "$@" artifacts

status=0
diff <(cd "$first/artifacts" && ls) <(cd "$second/artifacts" && ls) || status=1
for file in "$first"/artifacts/*; do
  other=$second/artifacts/${file##*/}
  if cmp --silent "$file" "$other"; then
    echo "equal     ${file##*/}: $(stat -c %s "$file") bytes, SHA-256 $(sha256sum "$file" | cut -c 1-16)…"
  else
    echo "DIFFERENT ${file##*/}"
    diffoscope "$file" "$other" | head -n 60 || true
    status=1
  fi
done
# A path of the build in a program would name the machine that made it.
for program in "$first"/.build-release/stage/*/bin/motionctl "$first"/.build-python/*/libocm.so; do
  [ -e "$program" ] || continue
  if strings -a "$program" | grep -F "$first"; then
    echo "PATHS of the build are in $program (above)"
    status=1
  fi
done
if [ "$status" -eq 0 ]; then
  rm -rf "$folder"
  echo "Both are the same, byte for byte."
else
  echo "Both stay in $folder." >&2
fi
exit "$status"
