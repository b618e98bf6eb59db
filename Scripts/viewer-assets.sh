#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# viewer-assets.sh [FOLDER]: the two libraries that the page of `motionctl view` needs, fetched once by pip and checked by SHA-256.
# FOLDER: default ~/.local/share/opencoremotion/viewer, where motionctl finds them; nothing else is installed.
#
# - three.js 180 (3D; MIT) from the wheel nicegui 3.18.0, whose scene component is a module that passes it on with OrbitControls and
#   its licence at its head. Debian 12 has three.js 111 (libjs-three), of 2019: no module with its controls, and WebGL 1.
# - uPlot (strips; MIT) from the wheel youplot 1.0.0, which carries the author's own minified file. Debian 12 has none.
#
# Both are files as their authors built them, in packages that are kept up; a new version is a new line here with its sums. They are
# never committed.
set -euo pipefail
folder=${1:-${XDG_DATA_HOME:-$HOME/.local/share}/opencoremotion/viewer}

sums="f55227d12dac0eb037cae13b1992091746fc017a275748e4a1bebd0f6244e7e5  three.js
2d27e8ad3d228164525ce213f9dc716f39b4e3aee0cc773fb3491c96cf4921a2  uplot.js
df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04  uplot.css"
is_complete() { (cd "$1" 2>/dev/null && sha256sum --check --status <<<"$sums"); }

if is_complete "$folder"; then echo "$folder: all there."; exit 0; fi
"$(dirname "$0")/install-dependencies.sh" pip
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
cat >"$wheels/requirements.txt" <<'WHEELS'
nicegui==3.18.0 --hash=sha256:a2bd51642312d98aab6d8b641245d796ff1b89da5829777170bcc488140c3dcd
youplot==1.0.0 --hash=sha256:31fe55753a3a073ba1bf2979708443d87d11bb9e0250a0c1ab23118e1e70fb94
WHEELS
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --python-version 3.12 \
  --require-hashes --dest "$wheels" --requirement "$wheels/requirements.txt"
python3 - "$wheels" <<'PYTHON'
import glob, pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[1])
for wheel, name, file in [
    ("nicegui", "nicegui/elements/scene/dist/index.js", "three.js"),
    ("youplot", "youplot/vendor/uplot.iife.min.js", "uplot.js"),
    ("youplot", "youplot/vendor/uplot.min.css", "uplot.css"),
]:
    with zipfile.ZipFile(glob.glob(f"{folder}/{wheel}-*.whl")[0]) as archive:
        (folder / file).write_bytes(archive.read(name))
PYTHON
is_complete "$wheels" || { echo "The files in the wheels are not those that are expected: nothing is kept." >&2; exit 1; }
mkdir -p "$folder"
for file in three.js uplot.js uplot.css; do install -m 644 "$wheels/$file" "$folder/$file"; done
echo "$folder: three.js 180 and uPlot 1.6.31, 861 kB."
