#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""Compares every mention of the version and of the repository's address with Packaging/project.env; `--write` corrects them.

And the lock of what a release is built from with the manifest: each package is pinned, at a version that the manifest allows.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
ENVIRONMENT = (ROOT / "Packaging/project.env").read_text()
VERSION, REPOSITORY = (re.search(rf"^{name}=(.*)$", ENVIRONMENT, re.M).group(1) for name in ("VERSION", "REPOSITORY"))

# Each expression has one group: what must equal the value. The first four files must have a mention.
PLACES = [
    ("Sources/motionctl/Motionctl.swift", r'static let version = "([^"]*)"', VERSION, True),
    ("Tests/MotionctlTests/HelpTests.swift", r'"motionctl ([^"\\]*)\\n"', VERSION, True),
    ("CITATION.cff", r"^version: (.*)$", VERSION, True),
    ("README.md", r'\.package\(\s*url: "([^"]*)"', REPOSITORY, True),
]
for page in subprocess.check_output(["git", "ls-files", "*.md"], cwd=ROOT, text=True).split():
    PLACES += [
        (page, r'url: "([^"]*(?:OpenCoreMotion|[Rr]epository)[^"]*)"', REPOSITORY, False),
        (page, r'\.upToNextMinor\(from: "([^"]*)"\)', VERSION, False),
    ]

problems = []
for path, expression, value, is_needed in PLACES:
    text = (ROOT / path).read_text()
    matches = list(re.finditer(expression, text, re.M))
    if is_needed and not matches:
        problems.append(f"{path}: there is no mention like /{expression}/.")
    for match in reversed(matches):
        if match.group(1) != value and "--write" in sys.argv:
            text = text[: match.start(1)] + value + text[match.end(1) :]
        elif match.group(1) != value:
            line = text.count("\n", 0, match.start(1)) + 1
            problems.append(f"{path}:{line}: “{match.group(1)}” should be “{value}”. Run: Packaging/project.py --write")
    if "--write" in sys.argv:
        (ROOT / path).write_text(text)

pins = {pin["location"]: pin["state"] for pin in json.loads((ROOT / "Packaging/dependencies.json").read_text())["pins"]}
wanted = dict(re.findall(r'\.package\(url: "([^"]*)", from: "([^"]*)"\)', (ROOT / "Package.swift").read_text()))
if wanted.keys() != pins.keys():
    problems.append(f"Packaging/dependencies.json pins {sorted(pins)}, and Package.swift names {sorted(wanted)}.")
for address in wanted.keys() & pins.keys():
    least, pinned = ([int(part) for part in text.split(".")] for text in (wanted[address], pins[address]["version"]))
    if not (least <= pinned < [least[0] + 1]) or not re.fullmatch("[0-9a-f]{40}", pins[address]["revision"]):
        problems.append(f"Packaging/dependencies.json pins {address} at {pins[address]}, and Package.swift allows {wanted[address]} and later.")

# The change log has the version: as a heading, or as what the unreleased changes lead to.
if not re.search(rf"^## \[{re.escape(VERSION)}\]|^.*\b[Tt]owards {re.escape(VERSION)}\b", (ROOT / "CHANGELOG.md").read_text(), re.M):
    problems.append(f"CHANGELOG.md: it needs a heading “## [{VERSION}]”, or “towards {VERSION}” under [Unreleased].")
print(*problems, sep="\n", end="\n" if problems else "", file=sys.stderr)
sys.exit(1 if problems else 0)
