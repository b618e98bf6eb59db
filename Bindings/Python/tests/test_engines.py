# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The same recordings through PyArrow, Polars, DuckDB, Dask, Ray, Spark and motionctl: the same bits.

OPENCOREMOTION_MOTIONCTL names the program; OPENCOREMOTION_BIG=1 takes 400 recordings of 60 s in place of 100 of 10 s.
"""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as pq  # noqa: E402

from made_recordings import COLUMNS, write  # noqa: E402

import opencoremotion as ocm  # noqa: E402
from opencoremotion import arrow  # noqa: E402

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
PAGE = EXAMPLES.parents[2] / "Sources/CoreMotion/CoreMotion.docc/Scale.md"
COUNT, SECONDS = (400, 60) if os.environ.get("OPENCOREMOTION_BIG") else (100, 10)
ENGINES = [("pyarrow", "nested"), ("pyarrow", "long"), ("polars", "long"), ("duckdb", "nested")]
ENGINES += [("dask", "long"), ("ray", "nested"), ("spark", "nested"), ("spark", "long")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    write(folder, COUNT, SECONDS)
    return folder


def alone(folder, uses_magnetometer=True):
    """What `opencoremotion.fuse` gives, a recording at a time: by name."""
    result = {}
    for row in pq.read_table(folder / "nested").to_pylist():
        acc, gyr, mag = (np.array([row[c] for c in COLUMNS[i : i + 3]]).T for i in (0, 3, 6))
        sensors = (gyr, acc, mag) if uses_magnetometer else (gyr, acc)
        result[row["recording"]] = ocm.fuse(np.array(row["timestamp_ns"]), *sensors, mag_unit="T", order="mga")
    assert len(result) == COUNT
    return result


@pytest.fixture(scope="module")
def expected(folder):
    return alone(folder)


def by_name(table):
    """The columns of each recording as arrays; the rows of one have to be together."""
    names, result = table["recording"].to_pylist(), {}
    nested = not pa.types.is_integer(table.schema.field(arrow.TIME).type)
    starts = [row for row in range(len(names)) if row == 0 or names[row] != names[row - 1]]
    for start, end in zip(starts, [*starts[1:], len(names)]):
        assert names[start] not in result and not (nested and end - start > 1)
        part = table.slice(start, end - start).combine_chunks()
        columns = {name: part[name].chunk(0) for name in (arrow.TIME, *arrow.MOTION)}
        result[names[start]] = {name: (c.flatten() if nested else c).to_numpy(zero_copy_only=False) for name, c in columns.items()}
    return result


def assert_same(table, expected, columns=arrow.MOTION, uses_magnetometer=True):
    """Each recording is there once, and each row has the bits of `opencoremotion.fuse`."""
    found = by_name(table)
    assert sorted(found) == sorted(expected)
    for name, motion in expected.items():
        assert np.array_equal(found[name][arrow.TIME], motion.t), name
        for column in columns:
            wanted = arrow.column(motion, column, uses_magnetometer)
            assert np.array_equal(found[name][column], wanted, equal_nan=True), (name, column)


def run(engine, source, target):
    program = [sys.executable, "-W", "error::SyntaxWarning", str(EXAMPLES / f"{engine}_fuse.py"), str(source), str(target)]
    done = subprocess.run(program, capture_output=True, text=True, env={**os.environ, "PYSPARK_PYTHON": sys.executable}, timeout=900)
    assert done.returncode == 0, done.stderr
    return pq.read_table(target)


@pytest.mark.parametrize("engine, layout", ENGINES)
def test_an_engine_gives_the_same_bits(engine, layout, folder, expected, tmp_path):
    pytest.importorskip({"spark": "pyspark"}.get(engine, engine), reason=f"{engine} is not installed")
    result = run(engine, folder / layout, tmp_path / "motion.parquet")
    assert_same(result, expected)
    assert result["error"].null_count == len(result)
    assert pa.types.is_int64(result.schema.field(arrow.TIME).type) == (layout == "long")


@pytest.mark.parametrize("uses_magnetometer", [True, False])
@pytest.mark.parametrize("layout", ["nested", "long"])
def test_motionctl_gives_the_same_bits(layout, uses_magnetometer, folder, tmp_path):
    """All but the heading, which it computes in the frame that was asked for."""
    program = os.environ.get("OPENCOREMOTION_MOTIONCTL")
    if not program:
        pytest.skip("OPENCOREMOTION_MOTIONCTL does not name motionctl")
    raw, target = tmp_path / "raw.parquet", tmp_path / "motion.parquet"
    pq.write_table(pq.read_table(folder / layout), raw)
    frame = "magnetic" if uses_magnetometer else "arbitrary"
    command = [program, "fuse", "--in", "parquet", "--out", "parquet", "--frame", frame, str(raw), "-o", str(target)]
    subprocess.run(command, check=True, env={**os.environ, "MOTION_PYTHON": sys.executable})
    expected, table = alone(folder, uses_magnetometer), pq.read_table(target)
    assert_same(table, expected, [name for name in arrow.MOTION if name != "heading"], uses_magnetometer)
    for name, columns in by_name(table).items():
        heading = arrow.column(expected[name], "heading", uses_magnetometer)
        assert np.array_equal(np.isnan(columns["heading"]), np.isnan(heading))
        assert np.all(abs(np.sin((columns["heading"] - heading)[~np.isnan(heading)] / 2)) < 1e-14)


def test_the_page_shows_the_examples():
    snippets = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    examples = ["\n".join(line.strip() for line in path.read_text().splitlines()) for path in EXAMPLES.glob("*_fuse.py")]
    assert len(snippets) == len(examples) == 6
    for snippet in snippets:
        lines = [line.strip() for line in snippet.strip().splitlines() if not line.startswith("from ") and not line.startswith("import ")]
        assert any("\n".join(lines) in example for example in examples), snippet


def test_examples_are_short():
    for path in EXAMPLES.glob("*_fuse.py"):
        assert len(path.read_text().splitlines()) <= 40
