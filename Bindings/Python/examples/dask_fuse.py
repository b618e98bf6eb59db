# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Motion of a folder of long Parquet files, each with whole recordings, with Dask: dask_fuse.py FOLDER RESULT_FOLDER"""

import sys

import dask.dataframe as dd
import pyarrow as pa

from opencoremotion import arrow


def motion(rows):
    return arrow.fuse(pa.Table.from_pandas(rows, preserve_index=False)).to_pandas()


if __name__ == "__main__":
    source, target = sys.argv[1:]
    raw = dd.read_parquet(source, split_row_groups=False, aggregate_files=False)
    raw.map_partitions(motion, meta=motion(raw._meta)).to_parquet(target, compression="zstd", write_index=False)
