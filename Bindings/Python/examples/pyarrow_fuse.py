# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Motion of a folder of Parquet files, nested or long, with PyArrow: pyarrow_fuse.py FOLDER RESULT.parquet"""

import sys

import pyarrow.parquet as pq

from opencoremotion import arrow

source, target = sys.argv[1:]
raw = pq.read_table(source)
motion = arrow.fuse(raw, threads=2)
pq.write_table(motion, target, compression="zstd")
