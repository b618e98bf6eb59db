#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""Compares every mention of the version with Scripts/Packaging/project.env; `--write` corrects them.

And the versions that a release is built from (Scripts/Packaging/dependencies.json) with the manifest: each package has one, which the manifest
allows. `--resolved` prints a Package.resolved of these versions instead: each with the commit that its tag has now.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
ENVIRONMENT = (ROOT / "Scripts/Packaging/project.env").read_text()
VERSION = re.search(r"^VERSION=(.*)$", ENVIRONMENT, re.M).group(1)

# Each expression has one group: what must equal the value. The first three files must have a mention.
PLACES = [
    ("Tools/MotionTools/Running/Tool.swift", r'static let version = "([^"]*)"', VERSION, True),
    ("Tests/MotionctlTests/HelpTests.swift", r'"motionctl ([^"\\]*)\\n"', VERSION, True),
    ("Documentation/CITATION.cff", r"^version: (.*)$", VERSION, True),
    ("README.md", r"^Version (\d+\.\d+\.\d+)\b", VERSION, False),
]

pins = json.loads((ROOT / "Scripts/Packaging/dependencies.json").read_text())


def commit(address: str, version: str) -> str:
    """Of the tag of a version: “1.2.3” or “v1.2.3”, as Swift's package manager finds it."""
    references = [f"refs/tags/{prefix}{version}{suffix}" for prefix in ("", "v") for suffix in ("^{}", "")]
    result = subprocess.run(["git", "ls-remote", address, *references], text=True, stdout=subprocess.PIPE)
    found = {name: identifier for identifier, name in map(str.split, result.stdout.splitlines())}
    # An annotated tag has an identifier of its own; “^{}” is that of its commit.
    for reference in references:
        if result.returncode == 0 and reference in found:
            return found[reference]
    sys.exit(f"{address} cannot be reached, or has no tag of version {version}.")


if "--resolved" in sys.argv:
    states = [
        {
            "identity": address.rsplit("/", 1)[1].removesuffix(".git").lower(), "kind": "remoteSourceControl", "location": address,
            "state": {"revision": commit(address, version), "version": version},
        }
        for address, version in pins.items()
    ]  # fmt: skip
    print(json.dumps({"pins": states, "version": 3}, indent=2))
    sys.exit()

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
            problems.append(f"{path}:{line}: “{match.group(1)}” should be “{value}”. Run: Scripts/Packaging/project.py --write")
    if "--write" in sys.argv:
        (ROOT / path).write_text(text)

wanted = dict(re.findall(r'\.package\(url: "([^"]*)", from: "([^"]*)"\)', (ROOT / "Package.swift").read_text()))
if wanted.keys() != pins.keys():
    problems.append(f"Scripts/Packaging/dependencies.json pins {sorted(pins)}, and Package.swift names {sorted(wanted)}.")
for address in wanted.keys() & pins.keys():
    least, pinned = ([int(part) for part in text.split(".")] for text in (wanted[address], pins[address]))
    if not least <= pinned < [least[0] + 1]:
        problems.append(f"Scripts/Packaging/dependencies.json pins {address} at {pins[address]}, and Package.swift allows {wanted[address]} and later.")

# The change log has the version: as a heading, or as what the unreleased changes lead to.
if not re.search(rf"^## \[{re.escape(VERSION)}\]|^.*\b[Tt]owards {re.escape(VERSION)}\b", (ROOT / "CHANGELOG.md").read_text(), re.M):
    problems.append(f"CHANGELOG.md: it needs a heading “## [{VERSION}]”, or “towards {VERSION}” under [Unreleased].")
print(*problems, sep="\n", end="\n" if problems else "", file=sys.stderr)
sys.exit(1 if problems else 0)
