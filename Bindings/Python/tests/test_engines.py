# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The same recordings through PyArrow and Spark: the same bits."""

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
PAGE = EXAMPLES.parents[2] / "Sources/CoreMotion/CoreMotion.docc/Python.md"
COUNT, SECONDS = 100, 10
ENGINES = [(engine, layout) for engine in ("pyarrow", "spark") for layout in ("nested", "long")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    write(folder, COUNT, SECONDS)
    return folder


@pytest.fixture(scope="module")
def expected(folder):
    """What `opencoremotion.fuse` gives, a recording at a time: by name."""
    result = {}
    for row in pq.read_table(folder / "nested").to_pylist():
        acc, gyr, mag = (np.array([row[c] for c in COLUMNS[i : i + 3]]).T for i in (0, 3, 6))
        result[row["recording"]] = ocm.fuse(np.array(row["timestamp_ns"]), gyr, acc, mag, mag_unit="T", order="mga")
    assert len(result) == COUNT
    return result


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


def assert_same(table, expected):
    """Each recording is there once, and each row has the bits of `opencoremotion.fuse`."""
    found = by_name(table)
    assert sorted(found) == sorted(expected)
    for name, motion in expected.items():
        assert np.array_equal(found[name][arrow.TIME], motion.t), name
        for column in arrow.MOTION:
            assert np.array_equal(found[name][column], motion.columns()[column].astype(float), equal_nan=True), (name, column)


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


def test_the_page_shows_the_examples():
    section = re.search(r"### Tables of many recordings\n(.*?)\n### ", PAGE.read_text(), re.S)[1]
    snippets = re.findall(r"```text\n(.*?)```", section, re.S)
    examples = ["\n".join(line.strip() for line in path.read_text().splitlines()) for path in EXAMPLES.glob("*_fuse.py")]
    assert len(snippets) == len(examples) == 2
    for snippet in snippets:
        lines = [line.strip() for line in snippet.strip().splitlines() if not line.startswith("from ") and not line.startswith("import ")]
        assert any("\n".join(lines) in example for example in examples), snippet
