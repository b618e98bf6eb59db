# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Motion of a folder of Parquet files, nested or long, with PyArrow; nested ones in constant memory: pyarrow_fuse.py FOLDER RESULT.parquet"""

import sys

import pyarrow.parquet as pq
from pyarrow.dataset import dataset

from opencoremotion import arrow

source, target = sys.argv[1:]
raw = dataset(source).scanner(batch_size=16, batch_readahead=1, fragment_readahead=1).to_reader()
motion = arrow.fuse(raw, threads=2)
with pq.ParquetWriter(target, motion.schema, compression="zstd", use_dictionary=False) as writer:
    for batch in motion:
        writer.write_batch(batch)
