# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Motion of the recordings of a Spark frame (`fuse`), and the days of files (`day`). Needs PySpark 4 and PyArrow, and this package
on the workers."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Optional

import pyarrow as pa

from . import _day, _read, arrow

_DAY = pa.schema(
    [("file", pa.string())]
    + [(n, pa.string() if n in _day.TEXTS else pa.int64() if n in _day.WHOLE else pa.float64()) for n in _day.COLUMNS]
    + [(arrow.ERROR, pa.string())]
)


def fuse(df: Any, *, key: str = "recording", columns: Sequence[str] = arrow.MOTION, **options: Any) -> Any:
    """Compute the motion of all recordings of a frame.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        Nested (a row per recording, lists in ``timestamp_ns ax ay az gx gy gz`` and perhaps ``mx my mz``): each partition is
        computed where it is, without a shuffle. Long (a row per instant): grouped by `key`, which is a shuffle, and sorted by time within a recording.
    key : str
        The column that tells recordings apart.
    columns, **options
        As in `opencoremotion.arrow.fuse`.

    Returns
    -------
    pyspark.sql.DataFrame
        ``key, timestamp_ns, columns…, error``, in the layout of `df`. A recording that fails is a row with its error, and the job goes on.

    Raises
    ------
    ValueError, TypeError
        A column or an option is wrong: no job is started.

    Notes
    -----
    A task holds ``spark.sql.execution.arrow.maxRecordsPerBatch`` rows at once: 10,000 recordings of a nested frame, unless it is set to
    some tens.
    """
    wanted = [name for name in (key, arrow.TIME, *arrow.SENSORS) if name in df.columns]
    df = df.select(*(f"`{name}`" for name in wanted))
    plan = _plan(df.limit(0).toArrow().schema, key, columns, options)
    lists = ("array<", ">") if plan.nested else ("", "")
    kinds = {arrow.ERROR: "string", arrow.LEFT_OUT: "bigint", key: df.schema[key].dataType.simpleString() if key in wanted else ""}
    kinds |= {arrow.TIME: "bigint".join(lists)} | {name: "double".join(lists) for name in plan.columns}
    schema = ", ".join(f"`{name}` {kinds[name]}" for name in plan.schema.names)
    if plan.nested:
        return df.mapInArrow(mapper(key, columns, options), schema)
    return df.groupBy(f"`{key}`").applyInArrow(grouped(key, columns, options), schema)


def day(
    spark: Any,
    paths: Sequence[str],
    *,
    placement: Optional[str] = None,
    height: Optional[float] = None,
    calibrate: bool = True,
    skip_errors: bool = False,
    partitions: Optional[int] = None,
) -> Any:
    """Sum up the days of many files: those of loggers worn on a wrist, and all others that ``motionctl day`` reads.

    Parameters
    ----------
    spark : pyspark.sql.SparkSession
    paths : sequence of str
        Files that every worker can open by this name.
    placement : {"wrist", "body", "head"}, optional
        Where the device was worn. Default: by the kind of device that a file names.
    height : float, optional
        The person's, 0.5 to 2.5 m, for the length of a step. Default 1.7.
    calibrate : bool
        The rest of a recording corrects offset and scale of its accelerometer.
    skip_errors : bool
        Malformed lines of tables are left out. Damaged blocks of wrist files always are, and are counted.
    partitions : int, optional
        Tasks that the files are divided into. Default: four for each core.

    Returns
    -------
    pyspark.sql.DataFrame
        A row for each day of each file, with the columns of ``motionctl day -o days.csv`` (`opencoremotion.Days`) and `error`. A file that
        fails is one row with its error, and the job goes on. The numbers are those that the file has alone.

    Raises
    ------
    ValueError
        An option is wrong: no job is started.

    Notes
    -----
    The program motionctl has to be on the workers, in PATH or where the environment variable MOTIONCTL says. A task holds one file at a
    time, in a few tens of megabytes whatever its length.
    """
    if placement not in (None, "wrist", "body", "head"):
        raise ValueError(f'placement: "wrist", "body" or "head" is needed, not {placement!r}')
    if height is not None and not 0.5 <= float(height) <= 2.5:
        raise ValueError(f"height: metres from 0.5 to 2.5 are needed, not {height!r}")
    options = [] if placement is None else ["--placement", placement]
    options += [] if height is None else ["--height", repr(float(height))]
    options += [] if calibrate else ["--calibration", "off"]
    options += ["--skip-errors"] if skip_errors else []
    names = [(os.fspath(path),) for path in paths]
    tasks = max(1, min(len(names), partitions or 4 * spark.sparkContext.defaultParallelism))
    files = spark.createDataFrame(names, "`file` string").repartition(tasks)
    kinds = {pa.string(): "string", pa.int64(): "bigint", pa.float64(): "double"}
    return files.mapInArrow(days(options), ", ".join(f"`{field.name}` {kinds[field.type]}" for field in _DAY))


def days(options: Sequence[str]) -> Callable[[Batches], Batches]:
    """What a task does with names of files."""

    def compute(batches: Batches) -> Batches:
        for batch in batches:
            for path in batch.column("file").to_pylist():
                yield pa.RecordBatch.from_pylist(_days(path, options), _DAY)

    return compute


def _days(path: str, options: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of a file, or one with its error."""
    try:
        program = _read.find_motionctl("opencoremotion.spark.day")
        with tempfile.TemporaryDirectory(prefix="opencoremotion-") as folder:
            output = os.path.join(folder, "days.ndjson")
            run = subprocess.run([program, "day", path, "-o", output, *options], capture_output=True, text=True)
            if run.returncode == 0:
                with open(output, encoding="utf-8") as rows:
                    return [{**json.loads(row), "file": path} for row in rows]
        error = run.stderr.strip() or f"motionctl ended with {run.returncode}"
    except OSError as failure:
        error = str(failure)
    return [{"file": path, "error": error}]


Batches = Iterator[pa.RecordBatch]


def mapper(key: str, columns: Sequence[str], options: dict[str, Any]) -> Callable[[Batches], Batches]:
    """What a task does with the batches of a nested frame."""

    def compute(batches: Batches) -> Batches:
        for batch in batches:
            yield from _plan(batch.schema, key, columns, options).run(batch)

    return compute


def grouped(key: str, columns: Sequence[str], options: dict[str, Any]) -> Callable[[pa.Table], pa.Table]:
    """What a task does with the rows of a recording, which come in any order after a shuffle."""

    def compute(rows: pa.Table) -> pa.Table:
        # By all columns, so that rows of the same time have one order, too.
        order = [arrow.TIME, *(name for name in rows.column_names if name not in (arrow.TIME, key))]
        rows = rows.sort_by([(name, "ascending") for name in order])
        return arrow.fuse(rows, key=key, columns=columns, **options)

    return compute


def _plan(schema: pa.Schema, key: str, columns: Sequence[str], options: dict[str, Any]) -> arrow.Plan:
    if key is None:
        raise ValueError("key: the name of the column that tells recordings apart is needed")
    return arrow.Plan(schema, key, columns, options)
