# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""opencoremotion.spark where something goes wrong: a worker is killed, a recording is bad, an option is wrong."""

import os
import signal
import sys

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")
import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from made_recordings import write  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

from opencoremotion import arrow  # noqa: E402
from opencoremotion import spark as ocm_spark  # noqa: E402


@pytest.fixture(scope="module")
def session():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # Four tries of a task.
    builder = SparkSession.builder.master("local[2,4]").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "2").config("spark.sql.execution.arrow.maxRecordsPerBatch", "8")
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    write(folder, 24, 5, files=2)
    return folder


def sorted_table(frame):
    table = frame.toArrow()
    columns = ["recording"] + ["timestamp_ns"] * pa.types.is_int64(table.schema[1].type)
    return table.sort_by([(name, "ascending") for name in columns])


def dying(compute, marker):
    """`compute`, but the worker that first has done a batch kills itself."""

    def run(batches):
        for batch in compute(batches):
            yield batch
            try:
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)

    return run


def test_a_killed_worker_changes_nothing(session, folder, tmp_path, monkeypatch):
    raw = session.read.parquet(str(folder / "nested"))
    expected = sorted_table(ocm_spark.fuse(raw))
    marker, original = str(tmp_path / "killed"), ocm_spark.mapper
    monkeypatch.setattr(ocm_spark, "mapper", lambda *arguments: dying(original(*arguments), marker))
    found = sorted_table(ocm_spark.fuse(raw))
    assert os.path.exists(marker)
    together = arrow.fuse(pq.read_table(folder / "nested")).sort_by("recording")
    assert repr(found.to_pylist()) == repr(expected.to_pylist()) == repr(together.to_pylist())


@pytest.mark.parametrize("layout", ["nested", "long"])
def test_a_bad_recording_is_a_row_with_its_error(session, folder, layout):
    raw = session.read.parquet(str(folder / layout))
    broken = "array(double('nan'))" if layout == "nested" else "double('nan')"
    raw = raw.selectExpr("recording", "timestamp_ns", f"if(recording = 'r00007', {broken}, ax) as ax", "ay", "az", "gx", "gy", "gz")
    found = sorted_table(ocm_spark.fuse(raw, columns=["quaternion_w"]))
    assert found.column_names == ["recording", "timestamp_ns", "quaternion_w", "left_out", "error"]
    failed = found.filter(pa.compute.is_valid(found["error"])).to_pylist()
    assert len(failed) == 1 and failed[0]["recording"] == "r00007" and failed[0]["quaternion_w"] is None
    assert failed[0]["error"].startswith("ax: 1 values" if layout == "nested" else "acc: row 0")
    assert len(set(found["recording"].to_pylist())) == 24


def test_what_is_wrong_with_all_is_said_before_the_job(session, folder):
    raw = session.read.parquet(str(folder / "nested"))
    with pytest.raises(ValueError, match='there is no column "gz"'):
        ocm_spark.fuse(raw.drop("gz"))
    with pytest.raises(ValueError, match='there is no column "device"'):
        ocm_spark.fuse(raw, key="device")
    with pytest.raises(TypeError, match="no_option"):
        ocm_spark.fuse(raw, no_option=1)
    with pytest.raises(ValueError, match="quaternion_q"):
        ocm_spark.fuse(raw, columns=["quaternion_q"])
