# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Motion of a folder of nested Parquet files with DuckDB: duckdb_fuse.py FOLDER RESULT.parquet"""

import sys

import duckdb

from opencoremotion import arrow

source, target = sys.argv[1:]
raw = duckdb.read_parquet(f"{source}/*.parquet").to_arrow_reader(16)
# Another connection: this one is busy with the rows that are read.
motion = duckdb.from_arrow(arrow.fuse(raw), connection=duckdb.connect())
motion.write_parquet(target, compression="zstd")
