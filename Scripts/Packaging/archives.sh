# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# Sourced by release.sh, sdk.sh and library.sh: archives with the same bytes for the same commit.
. Scripts/Packaging/project.env
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
export LC_ALL=C.UTF-8
umask 022
architecture=$(dpkg --print-architecture)
# sorted_tar FOLDER NAME…: to standard output. Times and owners are those of the commit and root.
sorted_tar() { tar --create --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$1" "${@:2}"; }

# changelog NAME FOLDER: Debian's, and the project's.
changelog() {
  gzip -9nc CHANGELOG.md >"$2/CHANGELOG.md.gz"
  gzip -9n >"$2/changelog.gz" <<CHANGES
$1 ($VERSION) stable; urgency=medium

  * Version $VERSION: CHANGELOG.md.gz, beside this file, has the changes.

 -- $MAINTAINER  $(date --utc --date="@$SOURCE_DATE_EPOCH" --rfc-email)
CHANGES
}

# copyright NAME FOLDER [HOLDER]: the documents of a package under the licence, with another holder besides.
copyright() {
  local doc=$2/usr/share/doc/$1
  mkdir -p "$doc"
  cp Documentation/NOTICE "$doc/"
  cat >"$doc/copyright" <<COPYRIGHT
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: OpenCoreMotion

Files: *
Copyright: 2026 The OpenCoreMotion authors${3:+
           $3}
License: Apache-2.0

License: Apache-2.0
 On Debian the text is in /usr/share/common-licenses/Apache-2.0.
COPYRIGHT
  changelog "$1" "$doc"
}

# debian_package NAME FOLDER OUTPUT DEPENDS SECTION DESCRIPTION: packs FOLDER, with what is in usr and, beside its fields, in DEBIAN.
debian_package() {
  local name=$1 folder=$2 deb=$3/${1}_${VERSION}_$architecture.deb parts=$2-parts filter
  mkdir -p "$folder/DEBIAN" "$parts"
  cat >"$folder/DEBIAN/control" <<CONTROL
Package: $name
Version: $VERSION
Architecture: $architecture
Maintainer: $MAINTAINER
Installed-Size: $(find "$folder/usr" -printf '%y %s\n' | awk '{ size += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print size }')
$4
Section: $5
Priority: optional
Homepage: ${REPOSITORY%.git}
$6
CONTROL
  (cd "$folder" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  find "$folder" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
  # As dpkg-deb packs it, but with the filter of xz for machine code, which makes a tenth less (dpkg has no option for it).
  case $architecture in amd64) filter=--x86 ;; arm64) filter=--arm64 ;; *) filter= ;; esac
  echo 2.0 >"$parts/debian-binary"
  sorted_tar "$folder/DEBIAN" . | xz -9 >"$parts/control.tar.xz"
  sorted_tar "$folder" --exclude=./DEBIAN . | xz --check=crc32 $filter --lzma2=preset=9e >"$parts/data.tar.xz"
  (cd "$parts" && ar rcD package.deb debian-binary control.tar.xz data.tar.xz)
  mv "$parts/package.deb" "$deb"
  dpkg-deb --info "$deb" >/dev/null
  echo "$deb"
}
