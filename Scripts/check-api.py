#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""Compares the public API of each library product with its list in Documentation/API, so that it grows only on purpose.

check-api.py MANIFEST SYMBOLS [--update]: MANIFEST is what `swift package dump-package` prints, SYMBOLS a folder of symbol
graphs, a file a module. `--update` writes the lists instead.
"""

import difflib
import json
import pathlib
import sys

LISTS = pathlib.Path(__file__).parent.parent / "Documentation" / "API"


def lines(module: str, symbols: pathlib.Path) -> list[str]:
    """One line for each public declaration of a module: its path, and how it is declared."""
    found = set()
    # Extensions of other modules' types have a file of their own, MODULE@OTHER.symbols.json.
    for file in sorted([symbols / f"{module}.symbols.json", *symbols.glob(f"{module}@*.symbols.json")]):
        for symbol in json.loads(file.read_text())["symbols"]:
            declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
            found.add(f"{module}.{'.'.join(symbol['pathComponents'])}: {' '.join(declaration.split())}")
    return sorted(found)


def main() -> int:
    manifest = json.loads(pathlib.Path(sys.argv[1]).read_text())
    symbols = pathlib.Path(sys.argv[2])
    updates = "--update" in sys.argv
    products = {p["name"]: p["targets"] for p in manifest["products"] if "library" in p["type"]}
    LISTS.mkdir(parents=True, exist_ok=True)
    status = 0
    for stale in sorted(LISTS.glob("*.txt")):
        if stale.stem not in products:
            print(f"{stale.name}: there is no such product" + (", removed." if updates else ". Run: make api-update"))
            if updates:
                stale.unlink()
            else:
                status = 1
    for name, targets in sorted(products.items()):
        path = LISTS / f"{name}.txt"
        now = [line for target in targets for line in lines(target, symbols)]
        before = path.read_text().splitlines() if path.exists() else []
        if updates:
            path.write_text("".join(f"{line}\n" for line in now))
        elif now != before:
            status = 1
            print(*difflib.unified_diff(before, now, f"Documentation/API/{name}.txt", "the tree", "", "", 0, ""), sep="\n")
        print(f"{name} ({', '.join(targets)}): {len(now)} public declarations")
    if status:
        print("The public API differs from its list. If that is on purpose, run `make api-update` and commit the lists.")
    return status


sys.exit(main())
