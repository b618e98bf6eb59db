# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Motion of a folder of nested Parquet files with Ray Data (pip install ray aiohttp): ray_fuse.py FOLDER RESULT_FOLDER"""

import sys

import ray

from opencoremotion import arrow

source, target = sys.argv[1:]
raw = ray.data.read_parquet(source)
motion = raw.map_batches(arrow.fuse, batch_format="pyarrow", batch_size=16)
motion.write_parquet(target, mode="overwrite")
