#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""Of the Unicode data in Swift's static Foundation (34 MB, half of motionctl), what a program needs that speaks English.

trim-icu.py RESOURCES FOLDER: RESOURCES is the folder usr/lib/swift_static of the compiler. FOLDER becomes the same, as links, but for
lib_FoundationICU.a, which has less data; `-resource-dir FOLDER` makes the compiler link with it.

The data are an ICU package: a header, then a table of contents (a count; for each item the offsets of its name and of its bytes, from
the end of the header, in the order of names), then the items, aligned to 16 bytes. Kept are rules and tables without a language
(normalisation, time zones, likely subtags …) and of languages the root and English. Other languages fall back to the root, as ICU does for
any language that it does not know. Left out, too, are orders of sorting, names of languages, regions, units and characters, numbers in words,
converters of old character sets, dictionaries to find words in scripts without spaces, and transliteration: motionctl asks for none.
"""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

resources, folder = map(pathlib.Path, sys.argv[1:3])
archive = resources / "linux/lib_FoundationICU.a"
# Of the compiler, for archives of any processor.
objcopy, ar = (resources.resolve().parents[1] / "bin" / name for name in ("llvm-objcopy", "llvm-ar"))
COUNT, ENTRY, ALIGNMENT = struct.Struct("<I"), struct.Struct("<II"), 16
# Other languages, and English of other places than these.
LANGUAGE = re.compile(r"/(?!(en|en_001|en_GB|en_US|en_US_POSIX)\.res$)[a-z]{2,3}(_\w+)?\.res$")
LEFT_OUT = re.compile(r"\.(cnv|dict|spp|cfu)$|/(coll|lang|rbnf|region|translit|unit)/|/unames\.icu$|/cnvalias\.icu$|/brkitr/.*_\w+\.brk$")


def is_kept(name: str) -> bool:
    return not LEFT_OUT.search(name) and not LANGUAGE.search(name)


def items(data: bytes) -> tuple[bytes, list[tuple[str, bytes]]]:
    """The header of a package, and its items by name."""
    header = struct.unpack_from("<H", data)[0]
    if data[2:4] != b"\xda\x27" or data[12:16] != b"CmnD":
        sys.exit(f"{archive}: its data are no ICU package.")
    (count,) = COUNT.unpack_from(data, header)
    table = [ENTRY.unpack_from(data, header + COUNT.size + index * ENTRY.size) for index in range(count)]
    ends = [start for _, start in table[1:]] + [len(data) - header]
    names = [data[header + name : data.index(b"\0", header + name)].decode() for name, _ in table]
    return data[:header], [(name, data[header + start : header + end]) for name, (_, start), end in zip(names, table, ends)]


def package(header: bytes, kept: list[tuple[str, bytes]]) -> bytes:
    names, offsets = b"", []
    for name, _ in kept:
        offsets.append(COUNT.size + len(kept) * ENTRY.size + len(names))
        names += name.encode() + b"\0"
    start = COUNT.size + len(kept) * ENTRY.size + len(names)
    table, body = COUNT.pack(len(kept)), b""
    for offset, (_, content) in zip(offsets, kept):
        body += b"\xaa" * (-(len(header) + start + len(body)) % ALIGNMENT)
        table += ENTRY.pack(offset, start + len(body))
        body += content
    return header + table + names + body


symbols = subprocess.check_output(["nm", "--print-file-name", "--defined-only", archive], text=True, stderr=subprocess.DEVNULL)
found = re.search(r":([^:\s]+):\S+ R icudt\d+_dat$", symbols, re.M)
if not found:
    sys.exit(f"{archive} has no Unicode data.")
shutil.rmtree(folder, ignore_errors=True)
shutil.copytree(resources, folder, copy_function=lambda source, target: os.symlink(os.path.realpath(source), target))
trimmed = folder / "linux" / archive.name
trimmed.unlink()
shutil.copyfile(archive, trimmed)
with tempfile.TemporaryDirectory() as temporary:
    data, member = pathlib.Path(temporary) / "data", pathlib.Path(temporary) / found[1]
    member.write_bytes(subprocess.check_output([ar, "p", archive, member.name]))
    subprocess.run([objcopy, f"--dump-section=.rodata={data}", member], check=True)
    header, all_items = items(data.read_bytes())
    if package(header, all_items) != data.read_bytes():
        sys.exit(f"{archive}: its ICU package is laid out in a way that this script does not know.")
    kept = [item for item in all_items if is_kept(item[0])]
    data.write_bytes(package(header, kept))
    subprocess.run([objcopy, f"--update-section=.rodata={data}", member], check=True)
    subprocess.run([ar, "rD", trimmed, member], check=True)
    print(f"Unicode data: {len(kept)} of {len(all_items)} items, {data.stat().st_size:,} bytes")
