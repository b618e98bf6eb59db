# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Motion as text, table, rotation and angles; masked arrays; what a type checker says."""

import datetime
import importlib.util
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import opencoremotion as ocm
from conftest import changed


def test_the_repr_is_one_short_line(recording):
    motion = ocm.fuse(recording.t, recording.gyr, recording.acc, recording.mag)
    assert repr(motion).startswith("Motion(3000 rows, 29.99 s, rest ") and "heading ±" in repr(motion) and len(repr(motion)) < 120
    assert "heading unknown" in repr(ocm.fuse(recording.t, recording.gyr, recording.acc, sign="reaction"))
    assert repr(ocm.Filter().update(recording.t[:0], recording.gyr[:0], recording.acc[:0])) == "Motion(0 rows)"


def test_a_table_has_a_column_for_each_number(recording):
    pytest.importorskip("pandas")
    motion = ocm.fuse(recording.t, recording.gyr, recording.acc, recording.mag)
    table = motion.to_dataframe()
    assert list(table.columns) == [
        "quaternion_w", "quaternion_x", "quaternion_y", "quaternion_z",
        *(f"{name}_{axis}" for name in ("gravity", "user_acceleration", "rate", "bias", "bias_sd") for axis in "xyz"),
        "heading", "heading_sd", "inclination_sd", "rest", "heading_known", "disturbed",
    ]
    assert table.index.name == "t" and table.rest.dtype == bool
    np.testing.assert_array_equal(table.index, motion.t)
    np.testing.assert_array_equal(table[["gravity_x", "gravity_y", "gravity_z"]], motion.gravity)
    np.testing.assert_array_equal(table.heading, motion.heading)


def test_rotation_and_angles_are_the_attitude(recording):
    scipy = pytest.importorskip("scipy.spatial.transform")
    motion = ocm.fuse(recording.t, recording.gyr, recording.acc, recording.mag)
    up = motion.rotation.inv().apply([0, 0, -9.80665])
    np.testing.assert_allclose(up, motion.gravity, atol=1e-12)
    # Core Motion's, in a frame whose x axis points north where that is known.
    known = motion.heading_known
    yaw = np.where(known, np.pi / 2, motion.rotation[0].as_euler("ZXY")[0])
    turns = scipy.Rotation.from_euler("z", -yaw[:, None])
    np.testing.assert_allclose(motion.euler(), (turns * motion.rotation).as_euler("ZXY"), atol=1e-9)
    assert known.any() and not known.all() and motion.euler()[0, 0] == 0
    np.testing.assert_allclose(motion.euler("ZYX"), motion.rotation.as_euler("ZYX"), atol=1e-9)
    np.testing.assert_allclose(motion.euler("xyz", degrees=True), motion.rotation.as_euler("xyz", degrees=True))
    np.testing.assert_allclose(motion.euler(degrees=True), np.degrees(motion.euler()))
    again = scipy.Rotation.from_euler("ZYX", motion.euler("ZYX"))
    assert (again * motion.rotation.inv()).magnitude().max() < 1e-7
    for order in ("XXY", "zY", "XYz", "abc", ""):
        with pytest.raises(ValueError, match="order: "):
            motion.euler(order)


def test_rows_without_an_attitude_have_no_angles(recording):
    pytest.importorskip("scipy")
    acc = changed(recording.acc, slice(10), np.nan)
    motion = ocm.fuse(recording.t, recording.gyr, acc, slow_acc=True)
    assert np.isnan(motion.euler()[:10]).all() and np.isnan(motion.euler("xyz")[:10]).all()
    assert np.isfinite(motion.euler()[10:]).all()
    np.testing.assert_array_equal(motion.rotation[:10].as_quat(), [[0, 0, 0, 1]] * 10)


def test_masked_readings_are_no_readings(recording):
    t, gyr, acc, mag = recording.t, recording.gyr, recording.acc, recording.mag
    mask = np.zeros((3000, 3), bool)
    mask[500:510] = True
    expected = ocm.fuse(t, gyr, changed(acc, slice(500, 510), np.nan), missing="skip")
    motion = ocm.fuse(t, gyr, np.ma.array(acc, mask=mask), missing="skip")
    np.testing.assert_array_equal(motion.quaternion, expected.quaternion)
    assert motion.counts["accelerometer"] == 10
    np.testing.assert_array_equal(ocm.fuse(t, gyr, np.ma.array(acc, mask=mask)).quaternion, expected.quaternion)
    with pytest.raises(ValueError, match="acc: row 500"):
        ocm.fuse(t, gyr, np.ma.array(acc, mask=mask), missing="error")
    with pytest.raises(ValueError, match="gyr: row 500"):
        ocm.fuse(t, tuple(np.ma.array(gyr, mask=mask).T), acc, missing="error")
    slow = changed(mag, mask, np.nan)
    np.testing.assert_array_equal(ocm.fuse(t, gyr, acc, np.ma.array(mag, mask=mask)).quaternion, ocm.fuse(t, gyr, acc, slow).quaternion)
    counts = np.ma.array(np.zeros((3000, 3), np.int16), mask=mask)
    assert ocm.fuse(t, counts, np.tile([0, 0, 9.81], (3000, 1)), missing="skip").counts["gyroscope"] == 10
    with pytest.raises(ValueError, match="t: row 7 is masked"):
        ocm.fuse(np.ma.array(t, mask=np.arange(3000) == 7), gyr, acc)
    unmasked = np.ma.array(t), np.ma.array(gyr), np.ma.array(acc)
    np.testing.assert_array_equal(ocm.fuse(*unmasked).quaternion, ocm.fuse(t, gyr, acc).quaternion)


RIGHT = """
import numpy as np
import opencoremotion as ocm
t = np.arange(100) / 100
motion = ocm.fuse(t, np.zeros((100, 3)), np.zeros((100, 3)), smooth=True, gyr_unit="deg/s", missing="skip")
w: float = float(motion.quaternion[-1, 0])
angles = motion.euler(degrees=True)
print(w, angles.shape, motion.rest.mean(), motion.heading, motion.learned, motion.counts, motion.assumed)
for each in ocm.fuse_many([(t, t, t)], threads=1, gyr_unit="deg/s"):
    print(each.quaternion)
stream = ocm.Filter(magnetometer=False, sign="apple")
print(stream.update(t, t, t).gravity, stream.counts["rows"])
recording = ocm.read("walk.zip")
print(recording.t, recording.acc, recording.metadata, ocm.fuse(**recording), ocm.steps(**recording))
"""
WRONG = """
import opencoremotion as ocm
ocm.fuse([0.0], [[0.0]], [[0.0]], smoth=True)
ocm.fuse([0.0], [[0.0]], [[0.0]], gyr_unit="dps")
ocm.fuse_many([], smoth=True)
ocm.Filter(smooth=True)
ocm.steps([0.0], [[0.0]], hight=1.8)
"""


@pytest.mark.skipif(importlib.util.find_spec("pyright") is None, reason="pyright is not installed")
def test_a_strict_type_checker_finds_wrong_options_and_nothing_else(tmp_path):
    package = pathlib.Path(ocm.__file__).parent.parent
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "wrong.py").write_text(WRONG)
    settings = f'{{"typeCheckingMode": "strict", "extraPaths": ["{package}"], "include": ["right.py", "wrong.py"]}}'
    (tmp_path / "pyrightconfig.json").write_text(settings)
    result = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "-p", str(tmp_path)], capture_output=True, text=True
    )
    if "error" not in result.stdout:
        pytest.skip(f"pyright does not run: {(result.stdout + result.stderr)[-200:]}")
    errors = [line for line in result.stdout.splitlines() if " - error: " in line or " - warning: " in line]
    assert not [line for line in errors if "right.py" in line], errors
    assert len({line.split(":")[1] for line in errors if "wrong.py" in line}) == 5, errors


def test_a_wrong_word_and_a_missing_sensor_get_a_sentence(recording):
    t, gyr, acc = recording.t, recording.gyr, recording.acc
    for wrong in (lambda **o: ocm.fuse(t, gyr, acc, **o), lambda **o: ocm.fuse_many([], **o)):
        with pytest.raises(TypeError, match="^smoth: there is no such argument; did you mean smooth?"):
            wrong(smoth=True)
    with pytest.raises(TypeError, match="^acc_units: there is no such argument; did you mean acc_unit?"):
        ocm.Filter(acc_units="g")
    for wrong in (lambda: ocm.fuse(t=t, acc=acc), lambda: ocm.fuse(t, None, acc)):
        with pytest.raises(TypeError, match="^gyr: .*there is no gyroscope, and orientation needs one.*steps and activity need"):
            wrong()


def test_what_pandas_and_datetime_have_is_read(recording):
    pd = pytest.importorskip("pandas")
    t, gyr, acc = np.rint(recording.t * 1e9).astype(np.int64), changed(recording.gyr, 100, np.nan), recording.acc
    expected = ocm.fuse(t, gyr, acc)
    assert expected.counts["gyroscope"] == 1 and "; left out: 1 gyroscope" in repr(expected)
    rate = pd.DataFrame(gyr, columns=list("xyz")).convert_dtypes()
    assert rate["x"].isna()[100]
    zone = datetime.timezone(datetime.timedelta(hours=2))
    start = datetime.datetime(1970, 1, 1, 2, tzinfo=zone)
    dates = pd.Series(pd.to_datetime(t, utc=True))
    for times in (
        dates, dates.dt.tz_convert("Europe/Berlin"), pd.DatetimeIndex(dates), pd.Series(t, dtype="Int64"), pd.Series(recording.t, dtype="Float64"),
        [start + datetime.timedelta(microseconds=int(each) // 1000) for each in t],
        [datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=int(each) // 1000) for each in t],
    ):
        for rates in (rate, tuple(rate[axis] for axis in "xyz")):
            np.testing.assert_array_equal(ocm.fuse(times, rates, pd.DataFrame(acc)).quaternion, expected.quaternion)
    for times in (pd.Series([1, None, 3], dtype="Int64"), [start, pd.NaT, start]):
        with pytest.raises(ValueError, match="t: row 1 is (nan|not a time)"):
            ocm.fuse(times, gyr[:3], acc[:3])
