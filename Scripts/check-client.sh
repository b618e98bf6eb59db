#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# What a package fetches that depends on the last commit: swift-log, and not what only motionctl needs; and how many lines
# of ours `import CoreMotion` compiles: at most 30,350. Fails otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."
client=$(mktemp -d)
trap 'rm -rf "$client"' EXIT

mkdir -p "$client/Sources/Client"
echo 'import CoreMotion' >"$client/Sources/Client/main.swift"
# A folder's name is a package's; a worktree or a clone may have any.
git clone --quiet --shared . "$client/OpenCoreMotion"
cat >"$client/Package.swift" <<MANIFEST
// swift-tools-version:6.1
import PackageDescription
let package = Package(
  name: "Client",
  dependencies: [.package(url: "file://$client/OpenCoreMotion", revision: "$(git rev-parse HEAD)")],
  targets: [
    .executableTarget(name: "Client", dependencies: [.product(name: "CoreMotion", package: "OpenCoreMotion")])
  ])
MANIFEST
swift package --package-path "$client" resolve >/dev/null 2>&1 || swift package --package-path "$client" resolve
fetched=$(cd "$client/.build/checkouts" && LC_ALL=C ls | tr '\n' ' ')
echo "A client fetches: $fetched"
[ "$fetched" = "OpenCoreMotion swift-log " ]

swift package dump-package | python3 -c '
import json, pathlib, sys
package = json.load(sys.stdin)
targets = {target["name"]: target for target in package["targets"]}
pending = [name for product in package["products"] if product["name"] == "CoreMotion" for name in product["targets"]]
compiled = set()
while pending:
    name = pending.pop()
    if name in targets and name not in compiled:
        compiled.add(name)
        pending += [dependency["byName"][0] for dependency in targets[name]["dependencies"] if "byName" in dependency]
lines = sum(len(file.read_bytes().splitlines()) for name in compiled for file in pathlib.Path("Sources", name).rglob("*.swift"))
print(f"A client compiles {lines} lines of ours, in {len(compiled)} targets.")
sys.exit(lines > 30350)
'
