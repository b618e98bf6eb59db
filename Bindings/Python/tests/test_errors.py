# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Bad input: an exception that names the argument, never a crash."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import opencoremotion as ocm
from conftest import changed

N = 20
T = np.arange(N) / 100
GYR = np.zeros((N, 3))
ACC = np.tile([0, 0, 9.81], (N, 1))
MAG = np.tile([0, 20.0, -40.0], (N, 1))


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ((T[:0], GYR[:0], ACC[:0]), ValueError, "t: there are no rows"),
        ((T.reshape(4, 5), GYR, ACC), ValueError, "t: one dimension"),
        ((T.astype(complex), GYR, ACC), TypeError, "t: seconds"),
        ((T.astype(str), GYR, ACC), TypeError, "t: seconds"),
        ((T > 0, GYR, ACC), TypeError, "t: seconds"),
        ((changed(T, 3, np.nan), GYR, ACC), ValueError, "t: row 3 is nan"),
        ((changed(T, 3, 1e300), GYR, ACC), ValueError, r"t: row 3 is 1e\+300"),
        ((np.full(N, np.datetime64("NaT", "ns")), GYR, ACC), ValueError, "t: row 0 is not a time"),
        ((np.full(N, 2**63, np.uint64), GYR, ACC), ValueError, "t: a time does not fit"),
        ((changed(T, 5, T[4]), changed(GYR, 5, 0.1), ACC), ValueError, "t: row 5, .* is not later"),
        ((T[::-1], GYR, ACC), ValueError, "t: row 1, .* sort the rows"),
        ((T, GYR[:-1], ACC), ValueError, r"gyr: the shape \(20, 3\) is needed, .* \(19, 3\)"),
        ((T, GYR.T, ACC), ValueError, "gyr: the shape"),
        ((T, GYR, ACC[:, :2]), ValueError, "acc: the shape"),
        ((T, GYR, ACC, MAG[0]), ValueError, "mag: the shape"),
        ((T, (T, T, T[1:]), ACC), ValueError, "gyr: three columns of 20 rows"),
        ((T, [[0, 0, 0], [0, 0]], ACC), ValueError, "gyr: not an array"),
        ((T, GYR.astype(object), ACC), TypeError, "gyr: real numbers are needed, not object"),
        ((T, "many", ACC), TypeError, "gyr: real numbers"),
        ((T, None, ACC), TypeError, "gyr: real numbers"),
        ((T, GYR > 0, ACC), TypeError, "gyr: real numbers are needed, not bool"),
        ((T, changed(GYR, 7, [0, np.nan, 0]), ACC), ValueError, r"gyr: row 7, \(0, nan, 0\)"),
        ((T, changed(GYR, 7, 2000), ACC), ValueError, "gyr: row 7, .* 1000 rad/s"),
        ((T, GYR, changed(ACC, 0, np.inf)), ValueError, "acc: row 0, "),
        ((T, GYR, ACC / 9.81), ValueError, "acc: .* it is in g: acc_unit="),
        ((T, GYR, ACC, changed(MAG, 2, [np.nan, 0, 0])), ValueError, "mag: row 2, "),
        ((T, GYR, ACC, changed(MAG, 2, 1e9)), ValueError, "mag: row 2, .* above 1 tesla"),
    ],
)
def test_arguments(arguments, kind, text):
    with pytest.raises(kind, match=text):
        ocm.fuse(*arguments)


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        (dict(mag_unit="tesla"), ValueError, "mag_unit"),
        (dict(mag_unit=[]), ValueError, "mag_unit"),
        (dict(gyro_delay=2), ValueError, "gyro_delay"),
        (dict(gyro_delay=float("nan")), ValueError, "gyro_delay"),
        (dict(gyro_range=-1), ValueError, "gyro_range"),
        (dict(gyro_bias_sd="1"), ValueError, "gyro_bias_sd"),
        (dict(missing="drop"), ValueError, "missing"),
        (dict(acc_unit="G"), ValueError, "acc_unit: one of m/s2"),
        (dict(gyr_unit="dps"), ValueError, "gyr_unit: one of rad/s"),
        (dict(t_unit="min"), ValueError, "t_unit: one of s, ms"),
        (dict(sign="android"), ValueError, "sign: one of reaction, apple"),
        (dict(order="mag"), ValueError, "order"),
        (dict(learned={}), TypeError, "learned"),
        (dict(magnetometer=True), TypeError, "magnetometer"),
        (dict(tauAcc=3), TypeError, "tauAcc"),
    ],
)
def test_options(options, kind, text):
    with pytest.raises(kind, match=text):
        ocm.fuse(T, GYR, ACC, **options)


def test_after_an_error_a_filter_has_not_changed():
    stream, other = ocm.Filter(magnetometer=False), ocm.Filter(magnetometer=False)
    stream.update(T, GYR, ACC), other.update(T, GYR, ACC)
    with pytest.raises(ValueError, match="acc: row 19"):
        stream.update(T + 1, GYR + 0.1, changed(ACC, -1, np.inf))
    assert stream.counts == other.counts
    np.testing.assert_array_equal(
        stream.update(T + 2, GYR, ACC).quaternion, other.update(T + 2, GYR, ACC).quaternion
    )


def test_a_magnetometer_that_the_filter_does_not_use_is_an_error():
    with pytest.raises(ValueError, match="mag: this filter is without"):
        ocm.Filter(magnetometer=False).update(T, GYR, ACC, MAG)


def test_impossible_learned_numbers_are_refused():
    values = ocm.fuse(T, GYR, ACC).learned.to_dict()
    values["gyroscopeBias"][0] = 1e9
    with pytest.raises(ValueError, match="learned: "):
        ocm.fuse(T, GYR, ACC, learned=ocm.Learned.from_dict(values))


shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5)
anything = hnp.arrays(st.one_of(hnp.scalar_dtypes(), hnp.unicode_string_dtypes(), hnp.datetime64_dtypes()), shapes)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(t=anything, gyr=anything, acc=anything, mag=st.none() | anything)
def test_any_arrays_at_all(t, gyr, acc, mag):
    try:
        ocm.fuse(t, gyr, acc, mag)
    except (ValueError, TypeError) as error:
        assert str(error).split(":")[0] in ("t", "gyr", "acc", "mag")


numbers = st.floats(width=64) | st.sampled_from([0.0, 9.81, 1e308, -1e308, 5e-324, 1e3, 1e4])


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    t=hnp.arrays(np.int64, 12, elements=st.integers(-(2**63), 2**63 - 1)),
    values=hnp.arrays(np.float64, (12, 9), elements=numbers),
    isSkipping=st.booleans(),
    isChecked=st.booleans(),
    options=st.fixed_dictionaries({}, optional=dict(
        calibrated=st.booleans(), order=st.sampled_from(["agm", "gam", "mga"]), mag_unit=st.sampled_from(["any", "T", "uT"]),
        placement=st.sampled_from([None, "head", "left wrist"]), slow_acc=st.booleans(), zeros_are_missing=st.booleans(),
        gyro_delay=st.floats(-1, 1), gyro_range=st.floats(1e-6, 1e3),
    )),
)
def test_any_numbers_at_all(t, values, isSkipping, isChecked, options):
    options["missing"] = "skip" if isSkipping else "error"
    gyr, acc, mag = values[:, :3], values[:, 3:6], values[:, 6:]
    try:
        motion = ocm.fuse(t, gyr, acc, mag, check=isChecked, **options)
    except ValueError as error:
        assert str(error).split(":")[0] in ("t", "gyr", "acc", "mag")
        return
    known = ~np.isnan(motion.quaternion[:, 0])
    np.testing.assert_allclose(np.linalg.norm(motion.quaternion[known], axis=1), 1, atol=1e-12)
    if isSkipping:
        assert motion.counts["rows"] == 12
