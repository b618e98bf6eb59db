#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Fails on a tuned number of the filter outside the table: the parameters, the coefficients and Numbers/Constant.swift.

A tuned number that stands alone in an equation has no name and no unit. Exact constants may stand where they are
used: whole numbers below 25 (counts, indices, multiples), quarters and halves, nanoseconds, hours and days, and the sizes of arrays. So may
the mathematics of Numbers: series, tolerances and the limits of what is plausible. The earth's field is a table of its own.
"""

import pathlib
import re
import sys

TARGET = pathlib.Path(__file__).resolve().parent.parent / "Sources/OrientationFusion"
NUMBER = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?\b")
EXACT = {"0.5", "0.25", "1.0", "3.0", "0.0", "1e9", "3600", "86_400"}


def numbers(line):
    # Not in comments, sentences, subscripts, ranges and sizes.
    line = re.sub(r'//.*|"[^"]*"|\w\[[^\[\]]*\]|InlineArray<\d+|\.\.<\d+|\b(capacity|covarianceCount)\b.*', "", line)
    for number in NUMBER.findall(line):
        if number in EXACT or (number.isdigit() and int(number) < 25):
            continue
        yield number


def main():
    failed = 0
    for file in sorted(TARGET.rglob("*.swift")):
        if file.parent.name in ("Numbers", "Geomagnetism") or file.stem == "OrientationFilter+Parameters":
            continue
        for place, line in enumerate(file.read_text().splitlines(), 1):
            for number in numbers(line):
                print(f"{file.relative_to(TARGET.parent.parent)}:{place}: {number} belongs into {TARGET.name}/Numbers/Constant.swift, with a name")
                failed += 1
    sys.exit(1 if failed else 0)


main()
