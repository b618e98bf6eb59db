#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# sdk.sh [FOLDER]: `import CoreMotion` and `import MotionTesting` for a machine with Swift, without the package and its build: a Debian
# package and a tarball with modules, static libraries, one response file for swiftc, and coremotion-check. FOLDER: .build-sdk/artifacts.
set -euo pipefail
cd "$(dirname "$0")/../.."
. Scripts/Packaging/archives.sh
output=${1:-.build-sdk/artifacts}
stage=.build-sdk/stage
mkdir -p "$output"
rm -rf "$stage" "$output"/opencoremotion-sdk*

echo "== SDK $VERSION for $architecture =="
# As a client builds the package, without what the manifest has for those who work on it.
unset OPENCOREMOTION_DEVELOP
resolved=$(Scripts/Packaging/project.py --resolved)
echo "$resolved" >Package.resolved
# No path of this machine in modules and objects, nor the name of the clone's folder, which the package manager gives the package.
mkdir -p .build-sdk/opencoremotion
ln -sfn "$PWD"/{Package.swift,Package.resolved,Sources,AddOns,Tools,Tests} .build-sdk/opencoremotion/
options=(--package-path .build-sdk/opencoremotion -c release --product MotionTesting --scratch-path .build-sdk --disable-index-store --only-use-versions-from-resolved-file
  -debug-info-format none -Xswiftc -Xfrontend -Xswiftc -no-serialize-debugging-options -Xswiftc -file-prefix-map -Xswiftc "$PWD=.")
swift build "${options[@]}"
build=$(swift build "${options[@]}" --show-bin-path)
tools=$(dirname "$(readlink -f "$(command -v swiftc)")")

sdk=$stage/opencoremotion-sdk-$VERSION-linux-$(uname -m)
mkdir -p "$sdk"/{lib,licences,modules/CoreMotion}
# The objects of the kit's product: those of the kit and those of the module, each in a library of its own.
for library in CoreMotion MotionTesting; do
  [ "$library" = CoreMotion ] && kit=(-v) || kit=()
  grep "${kit[@]}" -E '/(MotionTesting|HeadphoneSimulation)\.build/' "$build/MotionTesting.product/Objects.LinkFileList" |
    LC_ALL=C sort >"$stage/objects"
  "$tools/llvm-ar" qcD "$sdk/lib/lib$library.a" "@$stage/objects"
  # Without what Swift's compiler writes of its arguments.
  "$tools/llvm-objcopy" --remove-section=.swift_modhash "$sdk/lib/lib$library.a"
done
sed -n 's|.*/\([^/]*\)\.build/.*|\1|p' "$build/MotionTesting.product/Objects.LinkFileList" | sort -u | while read -r module; do
  if [ -e "$build/Modules/$module.swiftmodule" ]; then
    cp "$build/Modules/$module".{swiftmodule,swiftdoc} "$sdk/modules/"
  else
    mkdir "$sdk/modules/$module"
    cp "Sources/$module/include"/*.h "$sdk/modules/$module/"
    printf 'module %s {\n  umbrella header "%s.h"\n  export *\n}\n' "$module" "$module" >"$sdk/modules/$module/module.modulemap"
  fi
done
cp Sources/CoreMotionSubmodules/module.modulemap "$sdk/modules/CoreMotion/"
swiftc -print-target-info | sed -n 's/.*"compilerVersion": "\(.*\)".*/\1/p' >"$sdk/compiler"
install -m 755 Scripts/Packaging/coremotion-check.py "$sdk/coremotion-check"
cp LICENSE Documentation/NOTICE "$sdk/licences/"
install -m 644 .build-sdk/checkouts/swift-log/NOTICE.txt "$sdk/licences/NOTICE-swift-log.txt"
cat >"$sdk/setup" <<'SETUP'
#!/bin/sh
# Writes coremotion.rsp, which has absolute paths, for the place where this folder lies now.
here=$(cd "$(dirname "$0")" && pwd -P) &&
  quoted=$(printf '%s\n' "$here" | sed 's/[\\"]/\\&/g') &&
  printf '%s\n' "-I \"$quoted/modules\"" "-L \"$quoted/lib\"" -lMotionTesting -lCoreMotion >"$here/coremotion.rsp"
SETUP
chmod 755 "$sdk/setup"
sorted_tar "$stage" "$(basename "$sdk")" | gzip -9n >"$output/$(basename "$sdk").tar.gz"

package=$stage/package
mkdir -p "$package"/usr/{bin,lib}
cp -r "$sdk" "$package/usr/lib/opencoremotion-sdk"
(cd "$package/usr/lib/opencoremotion-sdk" && ./setup && sed -i "s|\"$(pwd -P)/|\"/usr/lib/opencoremotion-sdk/|" coremotion.rsp && rm -r setup licences)
ln -s ../lib/opencoremotion-sdk/coremotion-check "$package/usr/bin/coremotion-check"
copyright opencoremotion-sdk "$package" "2018 Apple Inc. and the SwiftLog project authors (the module Logging)"
cp "$sdk"/licences/NOTICE* "$package/usr/share/doc/opencoremotion-sdk/"
debian_package opencoremotion-sdk "$package" "$output" "Depends: python3" devel "Description: Core Motion for Swift on Linux, without a build
 Modules and static libraries of CoreMotion and of MotionTesting, which plays
 motion in tests, for $(cat "$sdk/compiler"),
 from swift.org or its container images. coremotion-check type-checks the
 files of an app that import Core Motion."
ls -l "$output"/opencoremotion-sdk*
