#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# The program of README.md as it stands there: a package beside a clone whose folder has another name. It has to print motion, and to
# compile nothing that only motionctl needs. Then how many lines of ours a client compiles: at most 28,800 for `import CoreMotion`,
# 32,000 for the kit.
set -euo pipefail
cd "$(dirname "$0")/.."
unset OPENCOREMOTION_DEVELOP
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

git clone --quiet --shared . "$folder/motion of mine"
mkdir -p "$folder/Tilt/Sources"
python3 - "$folder/Tilt" <<'PYTHON'
import pathlib, re, sys
manifest, program = re.findall(r"^```swift\n(.*?)^```", pathlib.Path("README.md").read_text(), re.M | re.S)[:2]
pathlib.Path(sys.argv[1], "Package.swift").write_text(manifest)
pathlib.Path(sys.argv[1], "Sources/main.swift").write_text(program)
PYTHON
sed -i 's|path: "../OpenCoreMotion"|path: "../motion of mine"|' "$folder/Tilt/Package.swift"
grep -q 'motion of mine' "$folder/Tilt/Package.swift" || { echo "README's manifest does not name ../OpenCoreMotion." >&2; exit 1; }

TIMEFORMAT='A cold build of the program of README.md takes %U + %S s of processor.'
time swift build --package-path "$folder/Tilt" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
MOTION_SOURCE=simulate:handheld swift run --package-path "$folder/Tilt" --skip-build | tee "$folder/motion"
[ "$(grep -cE '^pitch +-?[0-9.]+°  roll +-?[0-9.]+°$' "$folder/motion")" -ge 10 ] || { echo "That is not the motion of three seconds." >&2; exit 1; }
if compgen -G "$folder/Tilt/.build/*/debug/ArgumentParser.build" >/dev/null; then
  echo "The program compiles swift-argument-parser." >&2
  exit 1
fi

swift package dump-package | python3 -c '
import json, pathlib, sys
package = json.load(sys.stdin)
targets = {target["name"]: target for target in package["targets"]}
failed = False
for product, limit in (("CoreMotion", 28_800), ("MotionTesting", 32_000)):
    pending = [name for each in package["products"] if each["name"] == product for name in each["targets"]]
    compiled = set()
    while pending:
        name = pending.pop()
        if name in targets and name not in compiled:
            compiled.add(name)
            pending += [dependency["byName"][0] for dependency in targets[name]["dependencies"] if "byName" in dependency]
    folders = [targets[name].get("path") or f"Sources/{name}" for name in compiled]
    lines = sum(len(file.read_bytes().splitlines()) for folder in folders for file in pathlib.Path(folder).rglob("*.swift"))
    print(f"A client of {product} compiles {lines:,} lines of ours in {len(compiled)} targets; at most {limit:,}.")
    failed = failed or lines > limit
sys.exit(failed)
'
