#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""Decodes the QR codes that QRCodeTests writes (OPENCOREMOTION_QR=FOLDER) with zxing-cpp, and compares the texts.

    pip install zxing-cpp numpy; decode-qr.py FOLDER
"""

import pathlib
import sys

import numpy
import zxingcpp

read = wrong = 0
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.pgm")):
    head, pixels = path.read_bytes().split(b"\n", 1)
    side = int(head.split()[1])
    image = numpy.frombuffer(pixels, numpy.uint8).reshape(side, side)
    found = zxingcpp.read_barcodes(image)
    read += 1
    if len(found) != 1 or found[0].bytes != path.with_suffix(".txt").read_bytes():
        wrong += 1
        print(f"{path.name}: not decoded as it was written", file=sys.stderr)
print(f"{read} codes, {wrong} wrong")
sys.exit(wrong > 0 or read == 0)
