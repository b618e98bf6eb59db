# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Motion of a folder of Parquet files, nested or long, with Spark: spark_fuse.py FOLDER RESULT_FOLDER"""

import sys

from pyspark.sql import SparkSession

from opencoremotion.spark import fuse

if __name__ == "__main__":
    source, target = sys.argv[1:]
    # Four tries of a task; spark-submit sets master and addresses on a cluster.
    session = SparkSession.builder.master("local[2,4]").config("spark.driver.bindAddress", "127.0.0.1")
    session = session.config("spark.driver.host", "127.0.0.1").config("spark.ui.enabled", "false")
    spark = session.config("spark.sql.execution.arrow.maxRecordsPerBatch", "16").getOrCreate()
    raw = spark.read.parquet(source)
    motion = fuse(raw)
    motion.write.parquet(target, mode="overwrite", compression="zstd")
