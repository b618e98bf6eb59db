#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Packs Bindings/Python/opencoremotion and a library into a wheel: `pack-wheel.py x86_64|aarch64`; prints its path.

A wheel is a zip file with a list of its files (PEP 427); the same files give the same bytes.
"""

import base64
import hashlib
import pathlib
import re
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LARGEST = 320_000
machine = sys.argv[1]
version = re.search(r"^VERSION=(.*)$", (ROOT / "Scripts/Packaging/project.env").read_text(), re.M).group(1)
tags = [f"py3-none-manylinux_2_17_{machine}", f"py3-none-manylinux2014_{machine}"]

METADATA = f"""Metadata-Version: 2.1
Name: opencoremotion
Version: {version}
Summary: Orientation, steps and activities from gyroscope, accelerometer and magnetometer: OpenCoreMotion
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: numpy>=1.22
Provides-Extra: plot
Requires-Dist: matplotlib>=3.6; extra == "plot"
Classifier: Operating System :: POSIX :: Linux
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

"""

package = ROOT / "Bindings/Python/opencoremotion"
files = {f"opencoremotion/{path.name}": path.read_bytes() for path in package.iterdir() if path.suffix in (".py", ".typed")}
files["opencoremotion/libocm.so"] = (ROOT / f".build-python/{machine}/libocm.so").read_bytes()
files["opencoremotion/ocm.h"] = (ROOT / "Bindings/C/ocm.h").read_bytes()
information = f"opencoremotion-{version}.dist-info"
readme = (ROOT / "Bindings/Python/README.md").read_text()
files[f"{information}/METADATA"] = (METADATA + readme).encode()
files[f"{information}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
lines = ["Wheel-Version: 1.0", "Generator: Scripts/pack-wheel.py", "Root-Is-Purelib: false", *(f"Tag: {tag}" for tag in tags)]
files[f"{information}/WHEEL"] = "\n".join([*lines, ""]).encode()


def record(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


files[f"{information}/RECORD"] = (
    "".join(record(*item) for item in sorted(files.items())) + f"{information}/RECORD,,\n"
).encode()

folder = ROOT / ".build-python/dist"
folder.mkdir(parents=True, exist_ok=True)
wheel = folder / f"opencoremotion-{version}-py3-none-manylinux_2_17_{machine}.manylinux2014_{machine}.whl"
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for name, content in sorted(files.items()):
        entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
        entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, content)
size = wheel.stat().st_size
print(f"{wheel.relative_to(ROOT)}: {size} bytes")
if size > LARGEST:
    sys.exit(f"The wheel is larger than {LARGEST} bytes.")
