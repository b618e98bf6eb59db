#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Fails on a tuned number of the filter outside the parameters, the coefficients and Numbers/Constant.swift, and where the
table of Documentation/Filter.md 15 names a constant that is not there, or misses one.

A tuned number that stands alone in an equation has no name and no unit. Exact constants may stand where they are
used: whole numbers below 25 (counts, indices, multiples), quarters and halves, nanoseconds, hours and days, and the sizes of arrays. So may
the mathematics of Numbers: series, tolerances and the limits of what is plausible. The earth's field is a table of its
own.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "Sources/OrientationFusion"
NUMBER = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?\b")
EXACT = {"0.5", "0.25", "1.0", "3.0", "0.0", "1e9", "3600", "86_400"}


def numbers(line):
    # Not in comments, sentences, subscripts, ranges and sizes.
    line = re.sub(r'//.*|"[^"]*"|\w\[[^\[\]]*\]|InlineArray<\d+|\.\.<\d+|\b(capacity|covarianceCount)\b.*', "", line)
    for number in NUMBER.findall(line):
        if number in EXACT or (number.isdigit() and int(number) < 25):
            continue
        yield number


def constants():
    """The names in Constant.swift, those of an inner enum with its name in front: Bank.leastWeight."""
    group = ""
    for line in (TARGET / "Numbers/Constant.swift").read_text().splitlines():
        line = re.sub(r"//.*", "", line)
        if match := re.match(r" +enum (\w+)", line):
            group = match[1] + "."
        elif line == "  }":
            group = ""
        for name in re.findall(r"(\w+)(?:: \w+)? = ", line):
            yield group + name


def table():
    """The names in the first column of the table of constants; unseenRateVariance is a coefficient."""
    section = (ROOT / "Documentation/Filter.md").read_text().split("\n## 15 ")[1].split("\n## ")[0]
    for line in section.splitlines():
        if line.startswith("| `"):
            yield from re.findall(r"`([\w.]+)`", line.split(" | ")[0])


def main():
    failed = 0
    named, listed = list(constants()), [name for name in table() if name != "unseenRateVariance"]
    for name in sorted(set(named) ^ set(listed)) + sorted(name for name in set(listed) if listed.count(name) > 1):
        there = "Filter.md 15 names it twice" if name in named and name in listed else (
            "Filter.md 15 misses it" if name in named else "Filter.md 15 names it, Constant.swift does not have it")
        print(f"{name}: {there}")
        failed += 1
    for file in sorted(TARGET.rglob("*.swift")):
        if file.parent.name in ("Numbers", "Geomagnetism") or file.stem in ("OrientationFilter+Parameters",):
            continue
        for place, line in enumerate(file.read_text().splitlines(), 1):
            for number in numbers(line):
                print(f"{file.relative_to(TARGET.parent.parent)}:{place}: {number} belongs into {TARGET.name}/Numbers/Constant.swift, with a name")
                failed += 1
    sys.exit(1 if failed else 0)


main()
