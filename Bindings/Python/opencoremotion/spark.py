# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Motion of the recordings of a Spark frame (`fuse`). Needs PySpark 4 and PyArrow, and this package on the workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from . import arrow

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
