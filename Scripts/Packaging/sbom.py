#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""The bill of materials of motionctl as SPDX 2.3 in JSON: what is linked into it, and what it loads.

sbom.py PROGRAM VERSION SECONDS < RESOLVED: PROGRAM is the file that is shipped, SECONDS the time of its commit since 1970,
RESOLVED the Package.resolved of its build.
"""

import datetime
import hashlib
import json
import pathlib
import re
import subprocess
import sys

program, version, seconds = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])


def package(name: str, version: str, licence: str, location: str = "NOASSERTION", reference: str = "") -> dict:
    """An SPDX package; `reference` is its package URL."""
    item = {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", name),
        "name": name, "versionInfo": version, "downloadLocation": location, "filesAnalyzed": False,
        "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION",
    }  # fmt: skip
    if reference:
        item["externalRefs"] = [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": reference}
        ]
    return item


def output(*command: str) -> str:
    return subprocess.check_output(command, text=True).strip()


def debian_packages() -> list[dict]:
    """The packages of the shared libraries that the program names."""
    items = {}
    for library in re.findall(r"=> (/\S+)", output("ldd", str(program))):
        found = subprocess.run(["dpkg", "-S", library, library.removeprefix("/usr"), "/usr" + library], text=True, capture_output=True)
        if owner := re.match(r"([^:\s]+)", found.stdout):
            name = owner.group(1)
            release = output("dpkg-query", "-W", "-f", "${Version}", name)
            items[name] = package(name, release, "NOASSERTION", reference=f"pkg:deb/debian/{name}@{release}")
    return [items[name] for name in sorted(items)]


motionctl = package("motionctl", version, "Apache-2.0")
motionctl["checksums"] = [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(program.read_bytes()).hexdigest()}]
swift = re.search(r"Swift version (\S+)", output("swift", "--version"))
linked = [package("swift-runtime-and-foundation", swift.group(1) if swift else "NOASSERTION", "Apache-2.0 WITH Swift-exception")]
for pin in sorted(json.load(sys.stdin)["pins"], key=lambda pin: pin["identity"]):
    address, state = pin["location"], pin["state"]
    path = address.removeprefix("https://").removesuffix(".git")
    release = state.get("version", state["revision"])
    linked.append(
        package(pin["identity"], release, "Apache-2.0", f"git+{address}@{state['revision']}", f"pkg:swift/{path}@{release}"))
loaded = debian_packages()
# What Scripts/viewer-assets.sh fetches for the page of `motionctl view`.
shipped = [
    package("three.js", "0.180.0", "MIT", "https://pypi.org/project/nicegui/3.18.0/", "pkg:npm/three@0.180.0"),
    package("uPlot", "1.6.31", "MIT", "https://pypi.org/project/youplot/1.0.0/", "pkg:npm/uplot@1.6.31"),
]


def relations(kind: str, items: list[dict]) -> list[dict]:
    return [
        {"spdxElementId": motionctl["SPDXID"], "relationshipType": kind, "relatedSpdxElement": item["SPDXID"]} for item in items
    ]


json.dump(
    {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"motionctl-{version}",
        "documentNamespace": f"urn:opencoremotion:spdx:{version}:{motionctl['checksums'][0]['checksumValue']}",
        "creationInfo": {
            "created": datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Organization: The OpenCoreMotion authors", "Tool: Scripts/Packaging/sbom.py"],
        },
        "packages": [motionctl, *linked, *loaded, *shipped],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": motionctl["SPDXID"]},
            *relations("STATIC_LINK", linked), *relations("DYNAMIC_LINK", loaded),
            *relations("CONTAINS", shipped),
        ],
    },
    sys.stdout, indent=2,
)  # fmt: skip
print()
