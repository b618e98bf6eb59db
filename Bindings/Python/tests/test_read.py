# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""What motionctl reads, as arrays; where motionctl has been built (MOTIONCTL names it)."""

import numpy as np
import pytest

import opencoremotion as ocm
from conftest import MOTIONCTL
from conftest import needs_motionctl as needed
from opencoremotion import _arrays, _read


@pytest.fixture
def program(monkeypatch):
    monkeypatch.setenv("MOTIONCTL", MOTIONCTL)


def test_without_motionctl_the_error_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.delenv("MOTIONCTL", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="motionctl: it is not in PATH.*install its Debian package.*MOTIONCTL"):
        ocm.read("walk.zip")
    monkeypatch.setenv("MOTIONCTL", str(tmp_path / "absent"))
    with pytest.raises(FileNotFoundError, match="absent cannot be run"):
        ocm.read("walk.zip")


@needed
def test_a_table_becomes_the_arguments_of_fuse(program, recording, tmp_path):
    rows = np.column_stack([recording.t, -recording.acc / 9.80665, np.degrees(recording.gyr), recording.mag])
    lines = ["t,ax,ay,az,gx,gy,gz,mx,my,mz", *(",".join(repr(float(x)) for x in row) for row in rows)]
    path = tmp_path / "walk.csv"
    path.write_text("\n".join(lines) + "\n")
    read = ocm.read(
        path, map="t=t[s] ax=ax[g] ay=ay az=az gx=gx[deg/s] gy=gy gz=gz mx=mx[uT] my=my mz=mz", sign="apple"
    )
    assert read.t.dtype == np.int64 and dict(read).keys() == {"t", "gyr", "acc", "mag", "sign"}
    assert read.metadata["gyroscopeMean"]
    np.testing.assert_allclose(read.acc, recording.acc, atol=1e-12)
    np.testing.assert_allclose(read.gyr, recording.gyr, atol=1e-12)
    np.testing.assert_allclose(read.mag, recording.mag, atol=1e-9)
    motion = ocm.fuse(**read)
    np.testing.assert_allclose(
        motion.quaternion, ocm.fuse(recording.t, recording.gyr, recording.acc, recording.mag).quaternion, atol=1e-6
    )
    assert motion.assumed == () and "3000 rows, 30.0 s, gyr, acc, mag" in repr(read)


def sensor_logger(folder, platform, tables):
    """A folder of Sensor Logger; of a table: times, ns, and x, y, z."""
    folder.mkdir()
    (folder / "Metadata.csv").write_text(f"version,platform,appVersion,standardisation\n3,{platform},1.5,false\n")
    for name, (times, values) in tables.items():
        rows = "".join(f"{time},0,{z!r},{y!r},{x!r}\n" for time, (x, y, z) in zip(times, values.tolist()))
        (folder / f"{name}.csv").write_text("time,seconds_elapsed,z,y,x\n" + rows)
    return folder


@needed
def test_a_recording_says_its_format_and_keeps_every_table(program, tmp_path):
    i = np.arange(400)
    t = 1_790_000_000_000_000_000 + i * 10**7
    acc, gyr = np.column_stack([0 * i, 0 * i, 9.81 - 0.001 * i]), np.column_stack([0 * i + 0.01, 0 * i + 0.02, 0.03 + 1e-5 * i])
    read = ocm.read(sensor_logger(tmp_path / "log", "android", {"AccelerometerUncalibrated": (t + 3_000_000, acc), "Gyroscope": (t, gyr)}))
    assert read.metadata["format"] == "Sensor Logger" and len(read.sensors) == 2 and read.placement == "body"
    np.testing.assert_array_equal(read.t - read.t[0], t - t[0])
    np.testing.assert_allclose(read.gyr, gyr, atol=1e-12)
    # The accelerometer has times of its own; beside the gyroscope stands the nearest reading.
    times, values = read["acc"]
    np.testing.assert_array_equal(times - read.t, 3_000_000)
    np.testing.assert_array_equal(values, read.acc)
    assert read["gyro_delay"] == 0 and read["placement"] == "body", "as motionctl knows of a phone"
    motion = ocm.fuse(**read)
    assert np.isfinite(motion.quaternion).all() and motion.counts == {"rows": 400, "late": 0, "gyroscope": 0, "accelerometer": 0, "magnetometer": 0}
    assert ocm.steps(**read).counts["rows"] == 400 and ocm.steps(**read).assumed == ()


@needed
def test_what_cannot_be_read_is_an_error_with_motionctls_sentence(program, tmp_path):
    with pytest.raises(FileNotFoundError, match="path: there is no "):
        ocm.read(tmp_path / "nothing.csv")
    (tmp_path / "words.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="^path: .*words.csv"):
        ocm.read(tmp_path / "words.csv")


def test_the_nearest_reading_stands_beside_a_time_unless_it_is_far():
    times, values = np.array([0, 10, 20, 1000, 1010], np.int64) * 1_000_000, np.arange(15.0).reshape(5, 3)
    result = _arrays.nearest(np.array([-5, 4, 6, 15, 271, 760, 2000], np.int64) * 1_000_000, times, values)
    np.testing.assert_array_equal(result[:, 0], [0, 0, 3, 3, np.nan, 9, np.nan])
    assert np.isnan(_arrays.nearest(times, times[:0], values[:0])).all()
    np.testing.assert_array_equal(_arrays.nearest(times, times[:1], values[:1])[:, 1], [1, 1, 1, np.nan, np.nan])


def test_an_error_in_a_sensor_with_times_of_its_own_has_the_row_of_that_sensor(recording):
    t = np.rint(recording.t * 1e9).astype(np.int64)
    acc = recording.acc[::2].copy()
    acc[40, 1] = np.inf
    with pytest.raises(ValueError, match="acc: row 40, .*inf"):
        ocm.fuse(t, recording.gyr, (t[::2] + 1_000_000, acc))
    with pytest.raises(ValueError, match="mag: t: row 0 is nan"):
        ocm.fuse(t, recording.gyr, recording.acc, ([np.nan], recording.mag[:1]))


@needed
def test_accelerations_of_core_motion_get_the_sign_of_a_reaction(program, tmp_path):
    t = 1_790_000_000_000_000_000 + np.arange(100) * 10**7

    def table(*values):
        return t, np.tile(values, (100, 1))

    tables = {"Gravity": table(0, 0, -9.80665), "Accelerometer": table(0.980665, 0, 0), "Gyroscope": table(0.01, 0.02, 0.03)}
    read = ocm.read(sensor_logger(tmp_path / "log", "ios", tables))
    np.testing.assert_allclose(read.acc, np.tile([-0.980665, 0, 9.80665], (100, 1)), atol=1e-9)
    np.testing.assert_allclose(read.gyr, np.tile([0.01, 0.02, 0.03], (100, 1)), atol=1e-12)
    assert read["sign"] == "reaction" and read.mag is None


def test_several_devices_are_told_apart():
    t = np.array([0, 10], np.int64)
    table = np.array([(time, 0.0, 0.0, 9.8) for time in t], [("timestamp_ns", np.int64), *((axis, float) for axis in "xyz")])
    units = {"timestamp_ns": "ns", "x": "m/s^2", "y": "m/s^2", "z": "m/s^2"}
    topics = {"/left/sensor/accelerometer": table, "/right/sensor/accelerometer": table, "/left/motion/activity": table[:1]}
    every = {topic: units for topic in topics}
    with pytest.raises(ValueError, match="device: the recording has several; one of left, right is needed"):
        _read._recording(topics, every, {}, None)
    with pytest.raises(ValueError, match="device: one of left, right is needed, not 'middle'"):
        _read._recording(topics, every, {}, "middle")
    read = _read._recording(topics, every, {}, "right")
    assert read.gyr is None and dict(read).keys() == {"t", "acc", "sign"}
    with pytest.raises(ValueError, match="path: there are no readings"):
        _read._recording({"/motion/activity": table}, every, {}, None)
