#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# check-reproducible.sh [--program-only]: makes a release of this commit twice, in clones of different names, with other time zones,
# languages and masks, and compares the bytes of all that comes out. Where they differ it says in which file, and of a program in which
# sections and strings. Exits with 1 then. Twice a release build; the clones are removed where they are equal.
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

# What differs between two files or folders, in words.
explain() {
  local left=$1 right=$2 name
  cmp --silent "$left" "$right" && return
  echo "$left and $right differ:"
  case $left in
  *.deb | *.tar.gz | *.whl)
    for name in left right; do
      rm -rf "$folder/$name" && mkdir "$folder/$name"
      case ${!name} in
      *.deb) dpkg-deb --raw-extract "${!name}" "$folder/$name/content" ;;
      *.tar.gz) tar --extract --gzip --directory "$folder/$name" --file "${!name}" ;;
      *.whl) unzip -q "${!name}" -d "$folder/$name" ;;
      esac
    done
    (cd "$folder" && diff --recursive --brief left right) | sed 's/^/  /' || true
    diff <(list "$left") <(list "$right") | sed -n 's/^[<>]/  &/p' | head -n 20
    (cd "$folder/left" && find . -type f) | while read -r name; do
      if head -c 4 "$folder/left/$name" | grep -aq ELF; then explain_program "$folder/left/$name" "$folder/right/$name"; fi
    done
    ;;
  *) diff "$left" "$right" | head -n 20 | sed 's/^/  /' ;;
  esac
}
# The members of an archive with times, owners and modes.
list() {
  case $1 in
  *.deb) dpkg-deb --contents "$1" ;;
  *.tar.gz) tar --list --verbose --numeric-owner --full-time --gzip --file "$1" ;;
  *.whl) unzip -Zv "$1" ;;
  esac
}
explain_program() {
  cmp --silent "$1" "$2" && return
  echo "  The sections of $1 that differ:"
  diff <(sections "$1") <(sections "$2") | sed -n 's/^[<>]/    &/p'
  echo "  Strings in one alone:"
  diff <(strings -n 6 "$1" | sort) <(strings -n 6 "$2" | sort) | sed -n 's/^[<>]/    &/p' | head -n 20
}
sections() {
  readelf --section-headers --wide "$1" | sed -n 's/^ *\[ *[0-9]*\] *//p' | while read -r name kind _ offset size _; do
    [ "$kind" = NOBITS ] || [ "$kind" = NULL ] ||
      echo "$name $size $(dd if="$1" iflag=skip_bytes,count_bytes skip=$((16#$offset)) count=$((16#$size)) status=none | md5sum | cut -c 1-8)"
  done
}

status=0
diff <(cd "$first/artifacts" && ls) <(cd "$second/artifacts" && ls) || status=1
for file in "$first"/artifacts/*; do
  other=$second/artifacts/${file##*/}
  if cmp --silent "$file" "$other"; then
    echo "equal     ${file##*/}: $(stat -c %s "$file") bytes, SHA-256 $(sha256sum "$file" | cut -c 1-16)…"
  else
    echo "DIFFERENT ${file##*/}"
    explain "$file" "$other" || true
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
