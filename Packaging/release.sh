#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# release.sh [FOLDER]: what a release consists of, from a clean clone: a Debian package and a tarball of motionctl that need no Swift,
# the documentation as a static site, a bill of materials (SPDX), and checksums. FOLDER (default .build-release/artifacts) is emptied.
# --program-only leaves the site out. Times and owners in the archives are fixed: those of the commit, and root.
set -euo pipefail
cd "$(dirname "$0")/.."
. Packaging/project.env
with_site=true
if [ "${1:-}" = --program-only ]; then with_site=false; shift; fi
output=${1:-.build-release/artifacts}

if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
  echo "The tree has changes that are not committed. A release is made from a commit: commit or stash them." >&2
  exit 1
fi
Packaging/project.py
for tool in dpkg-deb gzip man objdump strip; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install dpkg gzip man-db binutils" >&2; exit 1; }
done
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
umask 022
architecture=$(dpkg --print-architecture)
rm -rf "$output" .build-release/stage
mkdir -p "$output" .build-release/stage

echo "== motionctl $VERSION for $architecture, with the Swift runtime inside =="
# The versions of Packaging/dependencies.json and no others, whatever is newer; the bill of materials has their commits.
resolved=$(Packaging/project.py --resolved)
echo "$resolved" >Package.resolved
options=(-c release --static-swift-stdlib --product motionctl --scratch-path .build-release --disable-index-store
  --only-use-versions-from-resolved-file)
swift build "${options[@]}"
program=$(swift build "${options[@]}" --show-bin-path)/motionctl

# One tree for both: below /usr in the Debian package, below any prefix from the tarball.
tree=.build-release/stage/motionctl-$VERSION-linux-$(uname -m)
share=$tree/share
mkdir -p "$tree"/{bin,lib/udev/rules.d} "$share"/{man/man1,doc/motionctl,bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
strip -o "$tree/bin/motionctl" "$program"
motionctl=$tree/bin/motionctl
"$motionctl" --generate-completion-script bash >"$share/bash-completion/completions/motionctl"
"$motionctl" --generate-completion-script zsh >"$share/zsh/vendor-completions/_motionctl"
"$motionctl" --generate-completion-script fish >"$share/fish/vendor_completions.d/motionctl.fish"
"$motionctl" --experimental-dump-help | Packaging/manual.py "$share/man/man1" "$VERSION"
for page in "$share"/man/man1/*.1; do
  warnings=$(man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
  [ -z "$warnings" ] || { echo "$page: $warnings" >&2; exit 1; }
done
gzip -9n "$share"/man/man1/*.1
"$motionctl" doctor --rule >"$tree/lib/udev/rules.d/60-opencoremotion.rules"
# three.js and uPlot for the page of `motionctl view`, checked by their sums.
Scripts/viewer-assets.sh "$share/opencoremotion/viewer"
cp NOTICE "$share/doc/motionctl/"
cp Packaging/copyright "$share/doc/motionctl/copyright"
gzip -9nc CHANGELOG.md >"$share/doc/motionctl/changelog.gz"
find .build-release/stage -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C .build-release/stage "$(basename "$tree")" |
  gzip -9n >"$output/$(basename "$tree").tar.gz"

package=.build-release/stage/package
mkdir -p "$package/DEBIAN"
cp -a "$tree" "$package/usr"
cp Packaging/postinst Packaging/postrm "$package/DEBIAN/"
chmod 755 "$package"/DEBIAN/post*
glibc=$(objdump -T "$motionctl" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
cat >"$package/DEBIAN/control" <<CONTROL
Package: motionctl
Version: $VERSION
Architecture: $architecture
Maintainer: $MAINTAINER
Installed-Size: $(du -sk "$package/usr" | cut -f1)
Depends: libc6 (>= ${glibc#GLIBC_}), libgcc-s1, libstdc++6, zlib1g, libsqlite3-0
Recommends: libsystemd0
Section: utils
Priority: optional
Homepage: ${REPOSITORY%.git}
Description: motion data on Linux, as Core Motion gives them
 motionctl reads inertial sensors, game controllers, headphones, recordings and
 simulated devices. It shows, records, converts and plots attitude, gravity, user
 acceleration and rotation. It is the command line of OpenCoreMotion.
CONTROL
(cd "$package" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
deb=$output/motionctl_${VERSION}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$package" "$deb" >/dev/null

Packaging/sbom.py "$motionctl" "$VERSION" "$SOURCE_DATE_EPOCH" <Package.resolved >"$output/motionctl-$VERSION.spdx.json"

if $with_site; then
  Scripts/build-documentation.sh
  tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C .build-documentation site |
    gzip -9n >"$output/documentation-$VERSION.tar.gz"
fi
(cd "$output" && sha256sum -- * >SHA256SUMS)
echo "== $output =="
(cd "$output" && ls -l)
