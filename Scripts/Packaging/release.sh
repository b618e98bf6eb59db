#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# release.sh [FOLDER]: what a release consists of, from a clean clone: a Debian package and a tarball of motionctl that need no Swift,
# the same of the SDK (sdk.sh) and the C library (library.sh), the Python wheels, the documentation as a static site, a bill of materials (SPDX), and checksums. FOLDER
# (default .build-release/artifacts) is emptied. --program-only leaves the SDK, the wheels and the site out.
#
# The same commit gives the same bytes in every folder (`make reproducible`): times and owners in the archives are those of the commit
# and root, files are sorted, and the program has no debug information, where paths of the build would be.
set -euo pipefail
cd "$(dirname "$0")/../.."
. Scripts/Packaging/archives.sh
with_all=true
if [ "${1:-}" = --program-only ]; then with_all=false; shift; fi
output=${1:-.build-release/artifacts}

if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
  echo "The tree has changes that are not committed. A release is made from a commit: commit or stash them." >&2
  exit 1
fi
Scripts/Packaging/project.py
for tool in ar dpkg-deb gzip man objdump xz; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install dpkg gzip man-db binutils xz-utils" >&2; exit 1; }
done
rm -rf "$output" .build-release/stage
mkdir -p "$output" .build-release/stage

echo "== motionctl $VERSION for $architecture, with the Swift runtime inside =="
# The versions of Scripts/Packaging/dependencies.json and no others, whatever is newer; the bill of materials has their commits.
resolved=$(Scripts/Packaging/project.py --resolved)
echo "$resolved" >Package.resolved
options=(-c release --static-swift-stdlib --product motionctl --scratch-path .build-release --disable-index-store
  --only-use-versions-from-resolved-file)
# Small: a section per function, of which those without a use are left out, because the program exports no symbol.
options+=(-debug-info-format none -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections
  -Xswiftc -use-ld=lld -Xlinker --icf=safe -Xlinker --strip-all -Xlinker -z -Xlinker pack-relative-relocs -Xlinker "--version-script=$PWD/Scripts/Packaging/exports.map" -Xlinker --build-id=none)
swift build "${options[@]}"
program=$(swift build "${options[@]}" --show-bin-path)/motionctl

# One tree for both: below /usr in the Debian package, below any prefix from the tarball.
tree=.build-release/stage/motionctl-$VERSION-linux-$(uname -m)
share=$tree/share
mkdir -p "$tree"/{bin,lib/udev/rules.d,lib/systemd/user} "$share"/{man/man1,doc/motionctl,bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
# Without what Swift's compiler writes of its arguments, with the paths of the build: nothing else differs between two folders.
"$(dirname "$(readlink -f "$(command -v swiftc)")")/llvm-objcopy" --remove-section=.swift_modhash "$program" "$tree/bin/motionctl"
motionctl=$tree/bin/motionctl
"$motionctl" --generate-completion-script bash | sed '1{/^#!/d}' >"$share/bash-completion/completions/motionctl"
"$motionctl" --generate-completion-script zsh >"$share/zsh/vendor-completions/_motionctl"
"$motionctl" --generate-completion-script fish >"$share/fish/vendor_completions.d/motionctl.fish"
"$motionctl" --experimental-dump-help | Scripts/Packaging/manual.py "$share/man/man1" "$VERSION"
for page in "$share"/man/man1/*.1; do
  warnings=$(man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
  [ -z "$warnings" ] || { echo "$page: $warnings" >&2; exit 1; }
done
gzip -9n "$share"/man/man1/*.1
"$motionctl" doctor --rule >"$tree/lib/udev/rules.d/60-opencoremotion.rules"
cp Scripts/Packaging/opencoremotion-recorder.service "$tree/lib/systemd/user/"
# three.js and uPlot for the page of `motionctl view`, checked by their sums.
Scripts/viewer-assets.sh "$share/opencoremotion/viewer"
cp Documentation/NOTICE "$share/doc/motionctl/"
cp Scripts/Packaging/copyright "$share/doc/motionctl/copyright"
changelog motionctl "$share/doc/motionctl"
find .build-release/stage -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

sorted_tar .build-release/stage "$(basename "$tree")" |
  gzip -9n >"$output/$(basename "$tree").tar.gz"

package=.build-release/stage/package
mkdir -p "$package/DEBIAN"
cp -a "$tree" "$package/usr"
cp Scripts/Packaging/postinst Scripts/Packaging/postrm "$package/DEBIAN/"
chmod 755 "$package"/DEBIAN/post*
# The packed relocations need the loader of 2.36, whatever functions are called.
glibc=$({ objdump -T "$motionctl" | grep -oE 'GLIBC_[0-9.]+'; echo GLIBC_2.36; } | sort -uV | tail -n 1)
deb=$(debian_package motionctl "$package" "$output" "Depends: libc6 (>= ${glibc#GLIBC_}), libgcc-s1, libstdc++6, zlib1g, libsqlite3-0, passwd
Recommends: systemd" utils "Description: motion data on Linux, as Core Motion gives them
 motionctl reads inertial sensors, game controllers, headphones, recordings
 and simulated devices. It shows, records, converts and plots attitude,
 gravity, user acceleration and rotation. It is the command line of
 OpenCoreMotion.")
size=$(stat -c %s "$deb")
[ "$size" -le 20000000 ] || { echo "$deb has $size bytes, more than 20 MB." >&2; exit 1; }

Scripts/Packaging/sbom.py "$motionctl" "$VERSION" "$SOURCE_DATE_EPOCH" <Package.resolved >"$output/motionctl-$VERSION.spdx.json"

if $with_all; then
  Scripts/Packaging/sdk.sh "$output"
  Scripts/Packaging/library.sh "$output"
  # Both wheels come from one machine: that of 64-bit ARM is cross-compiled.
  [ "$architecture" != amd64 ] || { Scripts/build-wheel.sh && cp .build-python/dist/*.whl "$output/"; }
  Scripts/build-documentation.sh
  sorted_tar .build-documentation site |
    gzip -9n >"$output/documentation-$VERSION.tar.gz"
fi
(cd "$output" && sha256sum -- * >SHA256SUMS)
echo "== $output =="
(cd "$output" && ls -l)
