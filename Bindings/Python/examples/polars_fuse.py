# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Motion of a folder of long Parquet files with Polars: polars_fuse.py FOLDER RESULT.parquet"""

import sys

import polars as pl

from opencoremotion import arrow

source, target = sys.argv[1:]
raw = pl.read_parquet(f"{source}/*.parquet")
motion = raw.group_by("recording", maintain_order=True).map_groups(lambda rows: pl.from_arrow(arrow.fuse(rows)))
motion.write_parquet(target, compression="zstd")
