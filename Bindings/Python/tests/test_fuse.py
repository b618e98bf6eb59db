# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""What the filter says, in every layout of arrays that numpy has."""

import pickle
import threading

import numpy as np
import pytest

import opencoremotion as ocm
from conftest import angle, changed


def same(a, b):
    for name in ("quaternion", "gravity", "user_acceleration", "rate", "bias", "bias_sd", "heading_sd", "inclination_sd", "rest"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)


def test_the_attitude_is_the_true_one(recording):
    motion = ocm.fuse(recording.t, recording.gyr, recording.acc, recording.mag, calibrated=True)
    assert angle(motion.quaternion[500:], recording.quaternion[500:]).max() < 3
    assert abs(motion.bias[-1] - recording.bias).max() < 1e-3
    assert motion.heading_known[-1] and motion.rest[250] and not motion.rest[1000]
    assert 0 < motion.heading_sd[-1] < 0.2 and 0 < motion.inclination_sd[-1] < 0.1


def test_shapes_types_and_units(recording):
    motion = ocm.fuse(recording.t, recording.gyr, recording.acc)
    n = len(recording.t)
    assert len(motion) == n and motion.t.dtype == np.int64 and motion.t[1] == 10_000_000
    assert motion.quaternion.shape == (n, 4) and motion.bias_sd.shape == (n, 3) and motion.heading.shape == (n,)
    assert motion.rest.dtype == bool and motion.heading_known.dtype == bool
    np.testing.assert_allclose(np.linalg.norm(motion.quaternion, axis=1), 1, atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(motion.gravity, axis=1), 9.80665, atol=1e-13)
    np.testing.assert_array_equal(motion.user_acceleration, recording.acc + motion.gravity)
    assert np.isnan(motion.heading).all(), "without a magnetometer no heading is known"


def test_the_heading_is_clockwise_from_north(recording):
    turn = np.radians(-40)
    q = np.array([np.cos(turn / 2), 0, 0, np.sin(turn / 2)])
    field = [18.0 * np.sin(turn), 18.0 * np.cos(turn), -44.5]
    acc, mag = np.tile([0, 0, 9.80665], (3000, 1)), np.tile(field, (3000, 1))
    motion = ocm.fuse(recording.t, np.zeros_like(recording.gyr), acc, mag, calibrated=True)
    assert angle(motion.quaternion[-1], q) < 0.1
    assert np.degrees(motion.heading[-1]) == pytest.approx(40, abs=0.1)


def test_every_layout_gives_the_same_bits(recording):
    t, gyr, acc, mag = recording.t, recording.gyr, recording.acc, recording.mag
    expected = ocm.fuse(t, gyr, acc, mag)
    wide = np.concatenate([gyr, acc, mag, np.zeros((len(t), 2))], 1)
    readonly = [array.copy() for array in (gyr, acc, mag)]
    for array in readonly:
        array.flags.writeable = False
    layouts = {
        "lists": (t, gyr.tolist(), acc.tolist(), mag.tolist()),
        "columns of one table": (t, wide[:, :3], wide[:, 3:6], wide[:, 6:9]),
        "Fortran order": (t, np.asfortranarray(gyr), np.asfortranarray(acc), np.asfortranarray(mag)),
        "separate columns": (t, *(tuple(array[:, i].copy() for i in range(3)) for array in (gyr, acc, mag))),
        "backwards in memory": (t[::-1].copy()[::-1], *(array[::-1].copy()[::-1] for array in (gyr, acc, mag))),
        "read only": (t, *readonly),
        "other byte order": (t, *(array.astype(">f8") for array in (gyr, acc, mag))),
        "nanoseconds": (np.rint(t * 1e9).astype(np.int64), gyr, acc, mag),
        "datetime64": (np.rint(t * 1e9).astype("datetime64[ns]"), gyr, acc, mag),
    }
    for name, arguments in layouts.items():
        print(name)
        same(ocm.fuse(*arguments), expected)


def test_float32_is_read_as_it_is(recording):
    short = [array.astype(np.float32) for array in (recording.gyr, recording.acc, recording.mag)]
    same(ocm.fuse(recording.t, *short), ocm.fuse(recording.t, *(array.astype(np.float64) for array in short)))


def test_a_stream_gives_the_same_bits_as_a_whole_recording(recording):
    t, sensors = recording.t, (recording.gyr, recording.acc, recording.mag)
    whole = ocm.fuse(t, *sensors)
    stream = ocm.Filter()
    for start in range(0, len(t), 7):
        rows = slice(start, start + 7)
        part = stream.update(t[rows], *(array[rows] for array in sensors))
        np.testing.assert_array_equal(part.quaternion, whole.quaternion[rows])
    assert stream.learned == whole.learned and stream.counts["rows"] == len(t)
    stream.reset()
    np.testing.assert_array_equal(stream.update(t, *sensors).quaternion, whole.quaternion)


def test_a_smoothed_recording_is_nearer_to_the_truth_and_has_a_heading_from_the_start(recording):
    plain = ocm.fuse(recording.t, recording.gyr, recording.acc, recording.mag)
    smooth = ocm.fuse(recording.t, recording.gyr, recording.acc, recording.mag, smooth=True)
    assert not plain.heading_known.all() and smooth.heading_known.all()
    error = angle(smooth.quaternion, recording.quaternion)
    known = plain.heading_known
    assert error[known].mean() <= angle(plain.quaternion[known], recording.quaternion[known]).mean() + 0.2
    assert error.max() < 5
    np.testing.assert_array_equal(smooth.user_acceleration, recording.acc + smooth.gravity)
    again = ocm.fuse(recording.t, recording.gyr, recording.acc, recording.mag, smooth=True)
    same(smooth, again)


def test_rows_that_are_left_out_of_a_smoothed_recording_have_the_orientation_before(recording):
    gyr = changed(recording.gyr, 100, np.nan)
    smooth = ocm.fuse(recording.t, gyr, recording.acc, smooth=True, missing="skip")
    assert smooth.counts["gyroscope"] == 1
    np.testing.assert_array_equal(smooth.quaternion[100], smooth.quaternion[99])
    assert np.isfinite(smooth.quaternion).all()
    late = changed(recording.t, 200, recording.t[150])
    smooth = ocm.fuse(late, recording.gyr, recording.acc, smooth=True, missing="skip")
    assert smooth.counts["late"] == 1
    np.testing.assert_array_equal(smooth.quaternion[200], smooth.quaternion[199])
    # A late row behind one without a rate.
    late[200], absent = late[199] - 1, changed(recording.gyr, 199, np.nan)
    smooth = ocm.fuse(late, absent, recording.acc, smooth=True, missing="skip")
    np.testing.assert_array_equal(smooth.quaternion[199:201], smooth.quaternion[[198, 198]])
    with pytest.raises(ValueError, match="gyr: row 100"):
        ocm.fuse(recording.t, gyr, recording.acc, smooth=True, missing="error")


def test_a_slower_magnetometer_has_rows_of_nan(recording):
    mag = changed(recording.mag, np.arange(3000) % 5 != 0, np.nan)
    motion = ocm.fuse(recording.t, recording.gyr, recording.acc, mag, calibrated=True)
    assert angle(motion.quaternion[500:], recording.quaternion[500:]).max() < 4
    assert motion.counts == {"rows": 3000, "late": 0, "gyroscope": 0, "accelerometer": 0, "magnetometer": 0}


def test_missing_readings_are_counted(recording):
    t, gyr, acc = recording.t.copy(), recording.gyr.copy(), recording.acc.copy()
    gyr[100], acc[200:203], t[300] = np.nan, np.inf, t[298]
    motion = ocm.fuse(t, gyr, acc, missing="skip")
    assert motion.counts == {"rows": 3000, "late": 1, "gyroscope": 1, "accelerometer": 3, "magnetometer": 0}
    assert np.isfinite(motion.quaternion).all() and np.isnan(motion.user_acceleration[200]).all()


def test_what_was_learned_is_used_and_kept(recording, tmp_path):
    first = ocm.fuse(recording.t, recording.gyr, recording.acc, recording.mag)
    path = tmp_path / "phone.json"
    first.learned.save(path)
    assert ocm.Learned.load(path) == first.learned == pickle.loads(pickle.dumps(first.learned))
    again = ocm.fuse(recording.t, recording.gyr, recording.acc, recording.mag, learned=ocm.Learned.load(path))
    assert abs(again.bias[10] - recording.bias).max() < abs(first.bias[10] - recording.bias).max() / 2
    path.write_text(path.read_text().replace('"covariance": [', '"covariance": [1, '))
    with pytest.raises(ValueError, match="covariance has 92 numbers"):
        ocm.Learned.load(path)


def test_many_recordings_come_out_in_order(recording):
    cuts = [slice(0, 500 + 100 * i) for i in range(8)]
    recordings = [tuple(array[cut] for array in (recording.t, recording.gyr, recording.acc)) for cut in cuts]
    for motion, parts in zip(ocm.fuse_many(recordings, threads=3), recordings):
        same(motion, ocm.fuse(*parts))
    recordings[3] = dict(t=recording.t, gyr=recording.gyr, acc=recording.acc[:-1])
    with pytest.raises(ValueError, match="recording 3: acc: the shape"):
        ocm.fuse_many(recordings)
    results = ocm.fuse_many(recordings, errors="return")
    assert isinstance(results[3], ValueError) and len(results[4]) == 900


def test_a_filter_may_be_shared_by_threads(recording):
    stream = ocm.Filter(magnetometer=False, missing="skip")
    arrays = [recording.t, recording.gyr, recording.acc]
    threads = [threading.Thread(target=lambda: [stream.update(*arrays) for _ in range(20)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stream.counts["rows"] == 80 * 3000 and stream.counts["late"] == 79 * 3000


def test_it_draws(recording):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = ocm.fuse(recording.t, recording.gyr, recording.acc, recording.mag).plot()
    assert len(figure.axes) == 3 and len(figure.axes[0].lines) == 3
