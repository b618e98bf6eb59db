# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Tables of recordings in, tables of motion out: what engines for tables have in common.

A table is *nested*, one row per recording with lists in the columns ``timestamp_ns ax ay az gx gy gz`` and perhaps ``mx my mz``, or *long*,
one row per instant with numbers there. Units are ns, m/s² (+9.81 up at rest), rad/s and T. Motion has the columns
`MOTION`, which are those of `Motion.columns`, how much was ``left_out``, and ``error``: null, or why this recording has no motion. One recording that fails never stops the
others. Needs PyArrow.
"""

from __future__ import annotations

import concurrent.futures
from collections.abc import Iterator, Sequence
from typing import Any, Optional

import numpy as np

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ImportError:
    raise ImportError("Tables need PyArrow: pip install pyarrow") from None

from ._filter import Filter
from ._filter import fuse as fuse_recording

TIME, ERROR, LEFT_OUT = "timestamp_ns", "error", "left_out"
SENSORS = tuple(sensor + axis for sensor in "agm" for axis in "xyz")
#: The columns of motion.
MOTION = (
    *(f"quaternion_{axis}" for axis in "wxyz"),
    *(f"{name}_{axis}" for name in ("gravity", "user_acceleration", "rate") for axis in "xyz"),
    *("heading", "rest", "inclination_sd", "heading_sd"),
)
_ROWS = 16  # of a nested table at once: a row is a whole recording


def fuse(
    data: Any, *, key: Optional[str] = "recording", columns: Sequence[str] = MOTION, threads: int = 1, **options: Any
) -> Any:
    """Compute the motion of all recordings of a table.

    Parameters
    ----------
    data : pyarrow.Table, RecordBatch or RecordBatchReader, or what has ``__arrow_c_stream__``
        Nested or long. The rows of a long table that have the same key are one recording, in order of time; they need not be together.
    key : str or None
        The column that tells recordings apart; it is in the result, too. None: a long table is one recording.
    columns : sequence of str
        Columns of motion that are wanted, of `MOTION`. Fewer are faster to write.
    threads : int
        Recordings at once.
    **options
        Those of `opencoremotion.fuse`; unless given, `mag_unit` is "T" and `order` is "mga". Where
        there are columns of a magnetometer, it is used: ``magnetometer=False`` leaves it out.

    Returns
    -------
    pyarrow.Table; a RecordBatch for one; for a RecordBatchReader one that computes while it is read, if it is nested
        ``key, timestamp_ns, columns…, left_out, error``. Of a nested table a row for each row; its lists are null where the recording failed.
        Of a long table a row for each row, recordings one after the other, and one row for a recording that failed. ``left_out`` counts the
        readings of the recording that were not used.

    Raises
    ------
    ValueError, TypeError
        A column or an option is wrong: nothing is computed.
    """
    table = data if isinstance(data, (pa.Table, pa.RecordBatch, pa.RecordBatchReader)) else pa.table(data)
    plan = Plan(table.schema, key, columns, options, threads)
    if isinstance(table, pa.RecordBatchReader):
        if plan.nested:
            return pa.RecordBatchReader.from_batches(plan.schema, (motion for batch in table for motion in plan.run(batch)))
        return pa.RecordBatchReader.from_batches(plan.schema, plan.run(table.read_all()))
    result = pa.Table.from_batches(plan.run(table), plan.schema)
    if isinstance(data, pa.RecordBatch):
        return result.combine_chunks().to_batches()[0] if result.num_rows else pa.RecordBatch.from_pylist([], plan.schema)
    return result


class Plan:
    """What is done with a table of a schema: checked before anything is computed."""

    def __init__(self, schema: pa.Schema, key: Optional[str], columns: Sequence[str], options: dict[str, Any], threads: int = 1):
        for name in (TIME, *SENSORS[:6], *([] if key is None else [key])):
            if schema.names.count(name) != 1:
                problem = "there is no column" if name not in schema.names else "more than one column is"
                raise ValueError(f'{problem} "{name}"; the columns are {", ".join(schema.names)}')
        for name in columns:
            if name not in MOTION:
                raise ValueError(f'columns: "{name}" is none of {", ".join(MOTION)}')
        if not isinstance(threads, int) or threads < 1:
            raise ValueError(f"threads: a whole number from 1 is needed, not {threads!r}")
        self.key, self.columns, self.options, self.threads = key, tuple(columns), dict(options), threads
        uses_magnetometer = self.options.pop("magnetometer", True)
        self.sensors = SENSORS if uses_magnetometer and "mx" in schema.names else SENSORS[:6]
        self.nested = _is_list(schema.field(TIME).type)
        for name in (TIME, *self.sensors):
            if name not in schema.names:
                raise ValueError(f'there is no column "{name}", but there is "mx"; the columns are {", ".join(schema.names)}')
            _check(name, schema.field(name).type, self.nested)
        self.options.setdefault("mag_unit", "T")
        self.options.setdefault("order", "mga")
        Filter(magnetometer=len(self.sensors) == 9, **self.options)  # raises where an option is wrong
        kinds = [(TIME, pa.int64()), *((name, pa.float64()) for name in self.columns)]
        if self.nested:
            kinds = [(name, pa.list_(kind)) for name, kind in kinds]
        fields = [] if key is None else [pa.field(key, _plain(schema.field(key).type))]
        fields += [pa.field(*kind) for kind in kinds]
        self.schema = pa.schema([*fields, (LEFT_OUT, pa.int64()), (ERROR, pa.string())])

    def run(self, table: Any) -> Iterator[pa.RecordBatch]:
        """The motion of a table or batch: some recordings at a time of a nested one."""
        names = [TIME, *self.sensors]
        with concurrent.futures.ThreadPoolExecutor(self.threads) as pool:
            many = pool.map if self.threads > 1 else map
            if self.nested:
                for start in range(0, table.num_rows, _ROWS):
                    rows = table.slice(start, _ROWS)
                    lists = [_chunk(rows.column(name)) for name in names]
                    results = list(many(lambda row: self._one([array[row].values for array in lists]), range(rows.num_rows)))
                    yield self._batch(results, None if self.key is None else _plainly(rows.column(self.key)))
            elif table.num_rows:
                keys, parts = _parts(table, self.key)
                arrays = [_chunk(table.column(name)) for name in names]
                results = list(many(lambda part: self._one([_part(array, part) for array in arrays]), parts))
                yield self._batch(results, keys)

    def _one(self, arrays: list[Any]) -> Any:
        """The motion of one recording, or the sentence why there is none."""
        for name, array in zip((TIME, *self.sensors), arrays):
            if array is None and name in SENSORS[6:]:
                continue
            if array is None:
                return f"{name}: the list is null"
            if len(array) != len(arrays[0]):
                return f"{name}: {len(array)} values, but {TIME} has {len(arrays[0])}"
        if arrays[0].null_count:
            return f"{TIME}: row {pc.index(arrays[0].is_null(), True).as_py()} is null"
        count = len(arrays[0])
        # Of a recording without magnetometer among others that have one the heading is not known.
        columns = [np.full(count, np.nan) if array is None else _numpy(array) for array in arrays[1:]]
        try:
            vectors = [tuple(columns[i : i + 3]) for i in range(0, len(columns), 3)]
            return fuse_recording(_numpy(arrays[0]), vectors[1], vectors[0], *vectors[2:], **self.options)
        except (ValueError, TypeError) as error:
            return str(error)

    def _batch(self, results: list[Any], keys: Optional[pa.Array]) -> pa.RecordBatch:
        """Recordings as rows, or one after the other."""
        failed = np.array([isinstance(result, str) for result in results], bool)
        lengths = np.array([0 if isinstance(result, str) else len(result) for result in results], np.int64)
        motions = [result for result in results if not isinstance(result, str)]
        values = [_joined([motion.t for motion in motions], np.int64)]
        tables = [motion.columns() for motion in motions]
        values += [_joined([table[name] for table in tables], np.float64) for name in self.columns]
        offsets = pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int32()) if self.nested else None
        rows = np.repeat(np.arange(len(results)), 1 if self.nested else np.where(failed, 1, lengths))
        if self.nested:
            arrays = [pa.ListArray.from_arrays(offsets, pa.array(value), mask=pa.array(failed)) for value in values]
        else:
            # A recording that failed is one row, without a time.
            places = np.cumsum(~failed[rows]) - 1
            index = pa.array(places, mask=failed[rows])
            arrays = [pa.array(value) if not failed.any() else pc.take(pa.array(value), index) for value in values]
        left = [None if isinstance(r, str) else sum(n for name, n in r.counts.items() if name != "rows") for r in results]
        arrays.append(pc.take(pa.array(left, pa.int64()), pa.array(rows)))
        errors = pa.array([result if isinstance(result, str) else None for result in results], pa.string())
        arrays.append(errors.take(pa.array(rows)))
        if self.key is not None:
            arrays.insert(0, keys if self.nested else keys.take(pa.array(rows)))
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)


def _is_list(kind: pa.DataType) -> bool:
    return pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)


def _check(name: str, kind: pa.DataType, nested: bool) -> None:
    if _is_list(kind) != nested:
        raise ValueError(f'"{name}" has {"lists" if _is_list(kind) else "numbers"}, but {TIME} has {"lists" if nested else "numbers"}')
    value = kind.value_type if nested else kind
    if name == TIME:
        if not (pa.types.is_integer(value) or pa.types.is_timestamp(value)):
            raise TypeError(f"{TIME}: integers in nanoseconds or timestamps are needed, not {value}")
    elif not (pa.types.is_floating(value) or pa.types.is_integer(value)):
        raise TypeError(f"{name}: numbers are needed, not {value}")


def _chunk(column: Any) -> pa.Array:
    """A column in one piece."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks == 0:
        return pa.array([], column.type)
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type of keys in the result: neither a dictionary nor a view."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.string() if pa.types.is_string_view(kind) else kind


def _plainly(column: Any) -> pa.Array:
    return _chunk(column).cast(_plain(column.type))


def _parts(table: Any, key: Optional[str]) -> tuple[Optional[pa.Array], list[Any]]:
    """The keys of a long table in the order of their first rows, and the rows of each: a slice where they are together."""
    if key is None:
        return None, [slice(0, table.num_rows)]
    coded = _plainly(table.column(key)).dictionary_encode(null_encoding="encode")
    codes = coded.indices.to_numpy()
    starts = np.concatenate([[0], np.flatnonzero(np.diff(codes)) + 1, [len(codes)]])
    keys = coded.dictionary
    if len(starts) == len(keys) + 1:
        return keys, [slice(*ends) for ends in zip(starts, starts[1:])]
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(keys)))
    return keys, [pa.array(order[start:end]) for start, end in zip([0, *ends], ends)]


def _part(array: pa.Array, part: Any) -> pa.Array:
    return array.slice(part.start, part.stop - part.start) if isinstance(part, slice) else array.take(part)


def _numpy(array: pa.Array) -> np.ndarray:
    """Without a copy where there is no null; null is NaN."""
    return array.to_numpy(zero_copy_only=False)


def _joined(arrays: list[np.ndarray], kind: Any) -> np.ndarray:
    return np.ascontiguousarray(np.concatenate(arrays) if len(arrays) != 1 else arrays[0], kind) if arrays else np.empty(0, kind)
