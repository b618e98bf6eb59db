# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""opencoremotion.arrow: layouts, bad recordings, wrong columns."""

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from made_recordings import COLUMNS, recording  # noqa: E402

from opencoremotion import arrow  # noqa: E402


def table(names, nested, seconds=3):
    made = [recording(number, seconds) for number in range(len(names))]
    columns = {"recording": names, "timestamp_ns": [t for t, _ in made]}
    columns |= {column: [rows[:, i] for _, rows in made] for i, column in enumerate(COLUMNS)}
    if nested:
        return pa.table(columns)
    lengths = [len(t) for t, _ in made]
    return pa.table({"recording": np.repeat(names, lengths)} | {c: np.concatenate(v) for c, v in columns.items() if c != "recording"})


def same(one, other):
    """To the bit, with NaN the same as NaN."""
    return repr(one.to_pylist()) == repr(other.to_pylist())


def replaced(data, column, values):
    return data.set_column(data.column_names.index(column), column, values)


def test_nested_and_long_have_the_same_values():
    names = ["a", "b", "c"]
    nested, long = arrow.fuse(table(names, True)), arrow.fuse(table(names, False), threads=2)
    for name in (arrow.TIME, *arrow.MOTION):
        assert same(nested[name].combine_chunks().flatten(), long[name])
    assert nested["error"].null_count == 3 and long["error"].null_count == 900


def test_rows_of_recordings_may_be_mixed():
    long = table(["a", "b"], False)
    order = np.arange(600).reshape(2, 300).T.ravel()
    assert same(arrow.fuse(long.take(order)), arrow.fuse(long))


def test_a_reader_is_read_as_it_is_asked():
    nested = table([f"r{i}" for i in range(40)], True)
    reader = pa.RecordBatchReader.from_batches(nested.schema, nested.to_batches(max_chunksize=7))
    result = arrow.fuse(reader)
    assert isinstance(result, pa.RecordBatchReader)
    assert same(result.read_all(), arrow.fuse(nested))
    long = table(["a", "b"], False)
    assert same(arrow.fuse(long.to_reader(100)).read_all(), arrow.fuse(long))
    assert isinstance(arrow.fuse(nested.to_batches()[0]), pa.RecordBatch)


@pytest.mark.parametrize("kind", [pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string()), pa.binary()])
def test_keys_may_have_any_type_of_text(kind):
    long = table(["a", "b"], False)
    result = arrow.fuse(replaced(long, "recording", long["recording"].combine_chunks().cast(kind)))
    assert result["recording"].cast(pa.string()).to_pylist() == ["a"] * 300 + ["b"] * 300


@pytest.mark.parametrize(
    "column, value, sentence",
    [
        ("ax", None, "ax: the list is null"),
        ("gx", [1.0], "gx: 1 values, but timestamp_ns has 300"),
        ("gy", [0.0] * 299 + [None], "gyr: row 299"),
        ("timestamp_ns", [0] * 300, "t: row 1"),
        ("timestamp_ns", [None] * 300, "timestamp_ns: row 0 is null"),
        ("ax", [0.0] * 300, None),
    ],
)
def test_a_bad_recording_is_a_row_with_its_error(column, value, sentence):
    data = table(["a", "b", "c"], True)
    values = data[column].to_pylist()
    values[1] = value
    found = arrow.fuse(replaced(data, column, pa.array(values, data.schema.field(column).type)))
    errors = found["error"].to_pylist()
    assert errors[0] is None and errors[2] is None
    if sentence is None:
        assert errors[1] is None
    else:
        assert errors[1].startswith(sentence) and found["quaternion_w"][1].as_py() is None
    good = arrow.fuse(data)
    assert same(found.slice(2), good.slice(2)) and same(found.slice(0, 1), good.slice(0, 1))


def test_a_bad_recording_of_a_long_table_is_one_row():
    data = table(["a", "b", "c"], False)
    values = data["gx"].to_numpy().copy()
    values[400] = np.nan
    found = arrow.fuse(replaced(data, "gx", pa.array(values)))
    assert found.num_rows == 601
    row = found.slice(300, 1).to_pylist()[0]
    assert row["recording"] == "b" and row["timestamp_ns"] is None and row["error"].startswith("gyr: row 100")
    skipped = arrow.fuse(replaced(data, "gx", pa.array(values)), missing="skip")
    assert skipped.num_rows == 900 and skipped["left_out"].to_pylist()[::300] == [0, 1, 0]


def test_a_recording_without_magnetometer_has_no_heading():
    data = table(["a", "b"], True)
    for name in ("mx", "my", "mz"):
        data = replaced(data, name, pa.array([data[name][0].as_py(), None], pa.list_(pa.float64())))
    found = arrow.fuse(data)
    assert found["error"].null_count == 2 and np.isnan(found["heading"][1].values.to_numpy()).all()


def test_empty_tables_stay_empty():
    for nested in (True, False):
        data = table(["a"], nested).slice(0, 0)
        assert arrow.fuse(data).num_rows == 0 and arrow.fuse(data).column_names[-1] == "error"
    assert arrow.fuse(pa.RecordBatch.from_pylist([], schema=table(["a"], True).schema)).num_rows == 0


def test_wrong_columns_and_options_are_errors():
    data = table(["a"], True)
    for wrong, sentence in (
        (lambda: arrow.fuse(data.drop(["gz"])), 'there is no column "gz"'),
        (lambda: arrow.fuse(data.drop(["mz"])), 'there is no column "mz", but there is "mx"'),
        (lambda: arrow.fuse(data, key="device"), 'there is no column "device"'),
        (lambda: arrow.fuse(replaced(data, "ax", pa.array([1.0]))), '"ax" has numbers, but timestamp_ns has lists'),
        (lambda: arrow.fuse(replaced(data, "ax", pa.array([["1"]]))), "ax: numbers are needed, not string"),
        (lambda: arrow.fuse(replaced(data, "timestamp_ns", data["ax"])), "timestamp_ns: integers"),
        (lambda: arrow.fuse(data, columns=["heading_accuracy"]), 'columns: "heading_accuracy" is none of'),
        (lambda: arrow.fuse(data, threads=0), "threads: a whole number"),
        (lambda: arrow.fuse(data, mag_unit="gauss"), "mag_unit"),
        (lambda: arrow.fuse(data, no_option=1), "no_option"),
    ):
        with pytest.raises((ValueError, TypeError), match=sentence):
            wrong()
