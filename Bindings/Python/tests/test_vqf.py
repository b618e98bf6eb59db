# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""`opencoremotion.vqf.VQF` beside the package vqf, where that is installed."""

import copy
import ctypes
import inspect
import pickle

import numpy as np
import pytest

from conftest import Recording, angle, multiply, rotate_back
from opencoremotion import _library as c
from opencoremotion.vqf import VQF, BasicVQF, PyVQF, get_cpp_path, get_matlab_path, offlineVQF


def norms(q):
    return np.linalg.norm(q, axis=-1)


@pytest.mark.parametrize("unit", [1, 1e-6, 1e3, 17])
def test_nine_axes_in_any_unit(recording, unit):
    out = VQF(0.01).updateBatch(recording.gyr, recording.acc, recording.mag * unit)
    assert list(out) == ["quat6D", "quat9D", "delta", "bias", "biasSigma", "restDetected", "magDistDetected"]
    assert angle(out["quat9D"][500:], recording.quaternion[500:]).max() < 3
    np.testing.assert_allclose(norms(out["quat6D"]), 1, atol=1e-12)
    # quat9D is quat6D turned by delta.
    turned = np.array([VQF.quatApplyDelta(q, d) for q, d in zip(out["quat6D"], out["delta"])])
    assert angle(turned, out["quat9D"]).max() < 1e-5
    assert abs(out["delta"]).max() <= np.pi


def test_keys_shapes_and_types_are_those_of_vqf(recording):
    vqf = pytest.importorskip("vqf")
    for sensors in ((recording.gyr, recording.acc), (recording.gyr, recording.acc, recording.mag)):
        ours, theirs = VQF(0.01).updateBatch(*sensors), vqf.VQF(0.01).updateBatch(*sensors)
        assert list(ours) == list(theirs)
        for key in theirs:
            assert (ours[key].shape, ours[key].dtype) == (theirs[key].shape, theirs[key].dtype), key
        assert angle(ours["quat6D"][0], theirs["quat6D"][0]) < 1, "the same azimuth at the start"
        last = "quat9D" if len(sensors) == 3 else "quat6D"
        assert angle(ours[last][-1], theirs[last][-1]) < 8


def test_the_package_s_own_example_runs_with_the_import_swapped():
    """The example of the page "Getting started" of vqf.readthedocs.io."""
    gyr_sampling_time, acc, gyr = 0.01, np.tile([0, 0, 9.81], (6000, 1)), np.zeros((6000, 3)) + np.deg2rad(0.1)
    mag = np.tile([0.0, 20, -40], (6000, 1))
    vqf = VQF(gyr_sampling_time)
    out = vqf.updateBatch(np.ascontiguousarray(gyr), np.ascontiguousarray(acc), np.ascontiguousarray(mag))
    assert out["quat9D"].shape == (6000, 4) and out["restDetected"][-1]
    vqf.resetState()
    for gyr_row, acc_row, mag_row in zip(gyr[:10], acc, mag):
        vqf.update(gyr_row, acc_row, mag_row)
    np.testing.assert_array_equal(vqf.getQuat9D(), out["quat9D"][9])
    np.testing.assert_array_equal(vqf.getQuat6D(), out["quat6D"][9])


def test_row_by_row_is_the_same_as_a_batch(recording):
    n = 400
    gyr, acc, mag = (a[:n] for a in (recording.gyr, recording.acc, recording.mag))
    batch, rows, parts = VQF(0.01).updateBatch(gyr, acc, mag), VQF(0.01), VQF(0.01)
    for i in range(n):
        rows.updateGyr(gyr[i]), rows.updateAcc(acc[i]), rows.updateMag(mag[i])
    parts.updateBatch(gyr[:150], acc[:150], mag[:150])
    rest = parts.updateBatch(gyr[150:], acc[150:], mag[150:])
    for key in batch:
        np.testing.assert_array_equal(rest[key], batch[key][150:], err_msg=key)
    np.testing.assert_array_equal(rows.getQuat9D(), batch["quat9D"][-1])
    bias, sigma = rows.getBiasEstimate()
    np.testing.assert_array_equal(bias, batch["bias"][-1])
    assert (sigma, rows.getDelta(), rows.getRestDetected()) == (
        batch["biasSigma"][-1], batch["delta"][-1], batch["restDetected"][-1])
    assert rows.getMagDistDetected() == batch["magDistDetected"][-1]


def test_slower_sensors(recording):
    slow = VQF(0.01, accTs=0.02, magTs=0.05)
    for i in range(2000):
        slow.updateGyr(recording.gyr[i])
        if i % 2 == 0:
            slow.updateAcc(recording.acc[i])
        if i % 5 == 0:
            slow.updateMag(recording.mag[i])
    assert angle(slow.getQuat9D(), recording.quaternion[1999]) < 4


def test_before_the_first_reading():
    vqf = VQF(0.01)
    np.testing.assert_array_equal(vqf.getQuat6D(), [1, 0, 0, 0])
    np.testing.assert_array_equal(vqf.getQuat9D(), [1, 0, 0, 0])
    assert vqf.getBiasEstimate()[1] == pytest.approx(np.radians(0.5)) and not vqf.getRestDetected()
    out = vqf.updateBatch(np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)))
    np.testing.assert_array_equal(out["quat9D"], np.tile([1, 0, 0, 0], (3, 1)))
    assert len(vqf.updateBatch(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3)))["quat9D"]) == 0


def test_settings():
    VQF(0.01, tauAcc=3.0, restThGyr=1.5, restThAcc=0.3, restMinT=1, biasSigmaInit=0.3)
    with pytest.raises(NotImplementedError, match="tauAcc=5"):
        VQF(0.01, tauAcc=5)
    with pytest.raises(TypeError, match="tauacc"):
        VQF(0.01, tauacc=3)
    with pytest.raises(ValueError, match="gyrTs"):
        VQF(-1)
    with pytest.raises(NotImplementedError, match="accTs"):
        VQF(0.01, accTs=0.001)
    for name in ("restMinT", "restThGyr", "biasSigmaInit"):
        for value in (-1, float("nan"), "1", 1e9):
            with pytest.raises(ValueError, match=name):
                VQF(0.01, **{name: value})
    for setter in ("setTauAcc", "setTauMag"):
        getattr(VQF(0.01), setter)(VQF(0.01).params[setter[3].lower() + setter[4:]])
        with pytest.raises(NotImplementedError, match=setter[4:] + "=1: .* follows from"):
            getattr(VQF(0.01), setter)(1)
    for function in (get_cpp_path, get_matlab_path):
        with pytest.raises(NotImplementedError, match=function.__name__):
            function()
    with pytest.raises(AttributeError):
        VQF(0.01).getQuat10D()


def test_bad_input_names_the_argument(recording):
    gyr, acc, mag = recording.gyr[:10], recording.acc[:10], recording.mag[:10]
    for arguments, text in (
        ((gyr[0], acc), "gyr: the shape"),
        ((gyr, acc[:-1]), "acc: the shape"),
        ((gyr, acc, mag[:, :2]), "mag: the shape"),
        ((gyr * np.nan, acc), "gyr: row 0"),
        ((gyr, acc * np.inf), "acc: row 0"),
    ):
        with pytest.raises(ValueError, match=text):
            VQF(0.01).updateBatch(*arguments)
    vqf = VQF(0.01)
    vqf.updateBatch(gyr, acc)
    with pytest.raises(ValueError, match="mag: the first update had none"):
        vqf.updateBatch(gyr, acc, mag)


# Names, functions and values beside those of vqf


@pytest.mark.parametrize("ours", [VQF, BasicVQF, PyVQF])
def test_no_name_of_vqf_is_missing(ours):
    theirs = getattr(pytest.importorskip("vqf"), ours.__name__)
    assert {name for name in dir(theirs) if not name.startswith("_")} <= set(dir(ours))
    for key, value in dict(theirs(0.01).params if ours is not PyVQF else vars(theirs(0.01).params)).items():
        assert ours(0.01).params[key] == value
    if ours is PyVQF:
        assert ours(0.01).params.tauAcc == 3.0 and ours(0.01).coeffs.gyrTs == 0.01
    for name in ("params", "coeffs", "state"):
        value = getattr(theirs(0.01, 0.02, 0.05), name)
        value, own = value if isinstance(value, dict) else vars(value), getattr(ours(0.01, 0.02, 0.05), name)
        for key in value:
            try:
                np.testing.assert_allclose(np.ravel(own[key]), np.ravel(value[key]), err_msg=key)
            except NotImplementedError as error:
                assert key in str(error) and "own equations" in str(error)


def test_static_functions_give_the_numbers_of_vqf():
    theirs = pytest.importorskip("vqf").VQF
    random = np.random.default_rng(1)
    q, p, v, m = (random.normal(size=shape) for shape in (4, 4, 3, (3, 3)))
    q /= np.linalg.norm(q)
    for name, arguments in {
        "quatMultiply": (q, p), "quatConj": (q,), "quatRotate": (q, v), "quatApplyDelta": (q, 0.3), "norm": (v,),
        "gainFromTau": (2.0, 0.01), "matrix3Multiply": (m, m), "matrix3MultiplyTpsFirst": (m, m),
        "matrix3MultiplyTpsSecond": (m, m), "matrix3Inv": (m,), "filterCoeffs": (1.5, 0.01),
    }.items():
        own, other = getattr(VQF, name)(*arguments), getattr(theirs, name)(*arguments)
        own, other = (x if isinstance(x, tuple) else (x,) for x in (own, other))
        assert len(own) == len(other)
        for x, y in zip(own, other):
            np.testing.assert_allclose(x, y, atol=1e-12, err_msg=name)
    for name, array, arguments in (("normalize", v, ()), ("clip", v, (-0.1, 0.2)), ("quatSetToIdentity", q, ())):
        own, other = array.copy(), array.copy()
        assert getattr(VQF, name)(own, *arguments) is None
        getattr(theirs, name)(other, *arguments)
        np.testing.assert_allclose(own, other, err_msg=name)
    # The low-passes: mean of the first inputs, then the filter.
    (b, a), (b2, a2) = VQF.filterCoeffs(0.5, 0.1), VQF.filterCoeffs(0.2, 0.1)
    own, other = np.full(6, np.nan), np.full(6, np.nan)
    for row in random.normal(size=(12, 3)):
        x, y = (c.filterVec(row, 0.5, 0.1, b, a, state) for c, state in ((VQF, own), (theirs, other)))
        np.testing.assert_allclose(x, y)
    np.testing.assert_allclose(own, other)
    # That of vqf 2.1.2 steps by 7 % here, against its documentation.
    steady = np.tile(VQF.filterInitialState(1.0, b, a), 2)
    VQF.filterAdaptStateForCoeffChange(np.ones(2), b, a, b2, a2, steady)
    for _ in range(3):
        np.testing.assert_allclose(VQF.filterVec(np.ones(2), 0.2, 0.1, b2, a2, steady), 1)
    assert VQF.filterStep(1.0, b, a, own[:2]) == pytest.approx(theirs.filterStep(1.0, b, a, other[:2]))
    np.testing.assert_allclose(VQF.filterInitialState(2.0, b, a), theirs.filterInitialState(2.0, b, a))
    assert VQF.matrix3Inv(np.zeros((3, 3)))[0] is False
    with pytest.raises(ValueError, match="x: two numbers"):
        VQF.filterVec(np.zeros(3), 0.5, 0.1, b, a, np.zeros(4))


def test_the_full_state_has_the_keys_shapes_and_units_of_vqf(recording):
    vqf = pytest.importorskip("vqf")
    for ours, theirs in ((VQF(0.01), vqf.VQF(0.01)), (BasicVQF(0.01), vqf.BasicVQF(0.01))):
        for sensors in ((recording.gyr, recording.acc, recording.mag), (recording.gyr, recording.acc)):
            ours.resetState(), theirs.resetState()
            own, other = ours.updateBatchFullState(*sensors), theirs.updateBatchFullState(*sensors)
            shared = {name for name in other if name in own}
            assert shared == set(own)
            for name in shared:
                assert (own[name].shape, own[name].dtype) == (other[name].shape, other[name].dtype), name
            for name in set(other) - shared:
                with pytest.raises(NotImplementedError, match=name):
                    own[name]
            with pytest.raises(KeyError):
                own["nothing"]
            # quat6D = accQuat gyrQuat, as there.
            for out in (own, other):
                np.testing.assert_allclose(multiply(out["accQuat"], out["gyrQuat"]), out["quat6D"], atol=1e-9)
            for name, value in ours.state.items():
                np.testing.assert_allclose(value, own[name][-1], err_msg=name)
            assert angle(own["gyrQuat"][-1], other["gyrQuat"][-1]) < 8
    own, other = VQF(0.01).updateBatchFullState(*sensors), vqf.VQF(0.01).updateBatchFullState(*sensors)
    for name, tolerance in (
        ("restLastGyrLp", 5e-4), ("restLastAccLp", 0.02), ("relativeRestDeviations", 0.02), ("restLastSquaredDeviations", 0.01),
        ("bias", 5e-4), ("restT", 0.1),
    ):
        np.testing.assert_allclose(own[name][200], other[name][200], atol=tolerance, err_msg=name)
    own, other = (c(0.01).updateBatchFullState(recording.gyr, recording.acc, recording.mag) for c in (VQF, vqf.VQF))
    for name, tolerance in (("magRefNorm", 1), ("magRefDip", 0.03), ("magNormDip", 1)):
        np.testing.assert_allclose(own[name][-1], other[name][-1], atol=tolerance, err_msg=name)


# What can be read


def test_quat3d_is_the_integral_of_the_gyroscope_alone(recording):
    vqf = VQF(0.01)
    q = np.array([1.0, 0, 0, 0])
    for row in recording.gyr[300:500]:
        vqf.updateGyr(row)
        half = np.linalg.norm(row) * 0.005
        q = VQF.quatMultiply(q, [np.cos(half), *(np.sin(half) * row / np.linalg.norm(row))])
    np.testing.assert_allclose(vqf.getQuat3D(), q, atol=1e-12)
    # Without a bias in it once that is known.
    rest = VQF(0.01)
    still = np.tile([0.004, 0, 0], (3000, 1)), np.tile([0, 0, 9.81], (3000, 1))
    rest.updateBatch(*still)
    before = rest.getQuat3D()
    rest.updateBatch(*still)
    assert angle(before, rest.getQuat3D()) < 0.1


def test_rest_deviations_are_below_one_at_rest_only(recording):
    vqf = VQF(0.01)
    out = vqf.updateBatchFullState(recording.gyr, recording.acc)
    deviations = out["relativeRestDeviations"]
    np.testing.assert_array_equal(vqf.getRelativeRestDeviations(), deviations[-1])
    assert deviations[50:300].max() < 1 and out["restDetected"][200:300].all()
    assert np.median(deviations[400:].max(axis=1)) > 1 and not out["restDetected"][400:].any()
    assert (deviations >= 0).all() and not VQF(0.01).getRelativeRestDeviations().any()


# What can be set


@pytest.mark.parametrize("rows", [0, 100])
def test_a_bias_that_is_set_is_used_with_its_uncertainty(recording, rows):
    gyr, acc = recording.gyr + [0.02, 0, 0], recording.acc
    bias = recording.bias + [0.02, 0, 0]
    plain, told, wrong = (VQF(0.01, restBiasEstEnabled=False) for _ in range(3))
    for vqf in (plain, told, wrong):
        vqf.updateBatch(gyr[:rows], acc[:rows])
    told.setBiasEstimate(bias, np.radians(0.01))
    wrong.setBiasEstimate(list(-bias), np.radians(0.01))
    np.testing.assert_allclose(told.getBiasEstimate()[0], bias)
    assert told.getBiasEstimate()[1] == pytest.approx(np.radians(0.01), rel=0.01)
    uncertainty = plain.getBiasEstimate()[1]
    plain.setBiasEstimate(bias)
    np.testing.assert_allclose(plain.getBiasEstimate()[0], bias)
    assert plain.getBiasEstimate()[1] == uncertainty
    out = told.updateBatch(gyr[rows:500], acc[rows:500])
    assert angle(out["quat6D"][-1], recording.quaternion[499]) < 1
    assert np.abs(out["bias"] - bias).max() < 1e-3 and out["biasSigma"].max() < np.radians(0.2)
    # Within a wrong, narrow uncertainty it stays wrong.
    assert np.abs(wrong.updateBatch(gyr[rows:200], acc[rows:200])["bias"][-1] + bias).max() < 2e-3
    for value, sigma, text in (
        ([0, 0], -1, "bias: the shape"), ([1, 0, 0], -1, "bias: rad/s"), (bias, np.nan, "sigma: "), (bias, -2, "sigma"),
    ):
        with pytest.raises(ValueError, match=text):
            told.setBiasEstimate(value, sigma)


def test_the_bias_is_learned_where_it_may_be(recording):
    gyr = recording.gyr
    for motion, rest in ((False, False), (False, True), (True, False)):
        vqf = VQF(0.01, motionBiasEstEnabled=motion, restBiasEstEnabled=rest)
        out = vqf.updateBatch(gyr, recording.acc, recording.mag)
        moving = out["bias"][310:]
        assert (np.ptp(moving, axis=0) > 0).any() == motion
        assert (np.abs(out["bias"][299] - recording.bias).max() < 3e-4) == rest and out["restDetected"].any() == rest
        assert (out["bias"] == 0).all() == (not motion and not rest)
    # And while it runs.
    vqf = VQF(0.01)
    assert vqf.updateBatch(gyr[:250], recording.acc[:250])["restDetected"][-1]
    vqf.setRestBiasEstEnabled(False)
    assert not vqf.updateBatch(gyr[250:300], recording.acc[250:300])["restDetected"][11:].any()
    vqf.setMotionBiasEstEnabled(False)
    assert np.ptp(vqf.updateBatch(gyr[300:], recording.acc[300:])["bias"], axis=0).max() == 0
    assert (vqf.params["restBiasEstEnabled"], vqf.params["motionBiasEstEnabled"]) == (False, False)


def test_thresholds_of_rest_can_change_while_it_runs(recording):
    vqf = VQF(0.01)
    assert vqf.updateBatch(recording.gyr[:200], recording.acc[:200])["restDetected"][-1]
    vqf.setRestDetectionThresholds(1e-6, 1e-6)
    assert not vqf.updateBatch(recording.gyr[200:250], recording.acc[200:250])["restDetected"].any()
    assert vqf.getRelativeRestDeviations().min() > 1 and vqf.params["restThGyr"] == 1e-6
    with pytest.raises(ValueError, match="restThGyr"):
        vqf.setRestDetectionThresholds(-1, 1)
    assert vqf.params["restThGyr"] == 1e-6


@pytest.mark.parametrize("unit", [1, 1e-6, 1e3])
def test_a_field_that_is_set_is_the_known_one(recording, unit):
    mag = recording.mag * unit
    strength, dip = np.hypot(18, 44.5) * unit, np.arctan2(44.5, 18)
    plain, told, wrong = (VQF(0.01) for _ in range(3))
    assert (plain.getMagRefNorm(), plain.getMagRefDip(), plain.getMagDistDetected()) == (0, 0, True)
    told.setMagRef(strength, dip)
    wrong.setMagRef(1.3 * strength, dip)
    assert (told.getMagRefNorm(), told.getMagRefDip()) == (strength, dip)
    disturbed = [vqf.updateBatch(recording.gyr, recording.acc, mag)["magDistDetected"] for vqf in (plain, told, wrong)]
    # Undisturbed after half a second; without the setter after five; disturbed while another one stands.
    assert disturbed[0][:490].all() and not disturbed[0][520:].any()
    assert disturbed[1][:49].all() and not disturbed[1][60:].any()
    assert disturbed[2][:100].all()
    for vqf in (plain, told):
        assert vqf.getMagRefNorm() == pytest.approx(strength, rel=0.03) and vqf.getMagRefDip() == pytest.approx(dip, abs=0.03)
    told.setMagRef(2 * strength, -dip)
    assert told.getMagRefNorm() == pytest.approx(2 * strength) and told.getMagRefDip() == pytest.approx(-dip)
    for arguments, text in (((0, 1), "norm"), ((np.nan, 1), "norm"), ((1, 2), "dip"), ((1, np.nan), "dip")):
        with pytest.raises(ValueError, match=text):
            told.setMagRef(*arguments)


def test_without_rejection_a_disturbed_field_turns_the_heading():
    recording = Recording(1500)
    mag = recording.mag.copy()
    mag[1000:1200] += rotate_back(recording.quaternion[1000:1200], [25, 0, 10])
    errors = {}
    for rejects in (True, False):
        out = VQF(0.01, magDistRejectionEnabled=rejects).updateBatch(recording.gyr, recording.acc, mag)
        errors[rejects] = angle(out["quat9D"], recording.quaternion)[1000:1200].max()
        assert out["magDistDetected"][1010:1200].all()
    assert errors[True] < 4 and errors[False] > 2 * errors[True]


# The state


def test_a_state_can_be_set_again(recording):
    sensors = [a[:600] for a in (recording.gyr, recording.acc, recording.mag)]
    whole, first = VQF(0.01).updateBatch(*sensors), VQF(0.01)
    first.updateBatch(*(a[:250] for a in sensors))
    states = [first.state, copy.copy(first.state), copy.deepcopy(first.state), first.state.copy()]
    first.updateBatch(*(a[250:] for a in sensors))
    for state in states:
        other = PyVQF(0.01)
        other.state = state
        rest = other.updateBatch(*(a[250:] for a in sensors))
        for name, table in rest.items():
            np.testing.assert_array_equal(table, whole[name][250:], err_msg=name)
        np.testing.assert_array_equal(other.getQuat3D(), first.getQuat3D())
    # Also by an object with another interval.
    for interval in (1e-6, 0.007, 1.0):
        other = VQF(interval)
        other.state = states[0]
        assert angle(other.updateBatch(*(a[250:260] for a in sensors))["quat9D"][0], whole["quat9D"][250]) < 3
    empty = VQF(0.01).state
    first.state = empty
    np.testing.assert_array_equal(first.updateBatch(*sensors)["quat9D"], whole["quat9D"])


def test_of_a_state_only_bias_and_field_can_be_changed(recording):
    vqf = VQF(0.01)
    vqf.updateBatch(recording.gyr, recording.acc, recording.mag)
    state = vqf.state
    state["bias"], state["magRefNorm"] = [0.01, 0, 0], 50.0
    vqf.state = state
    np.testing.assert_allclose(vqf.getBiasEstimate()[0], [0.01, 0, 0])
    assert vqf.getMagRefNorm() == pytest.approx(50)
    state["delta"] = 0.3
    with pytest.raises(NotImplementedError, match="state: delta"):
        vqf.state = state
    for plain in ({}, dict(vqf.state)):
        with pytest.raises(NotImplementedError, match="state: only one that was read"):
            vqf.state = plain
    with pytest.raises(TypeError, match="state"):
        pickle.dumps(state)
    np.testing.assert_allclose(vqf.getBiasEstimate()[0], [0.01, 0, 0])


# Whole recordings, and the basic version


def test_offline_is_closer_to_the_truth(recording):
    gyr = recording.gyr[300:], recording.acc[300:], recording.mag[300:]
    truth = recording.quaternion[300:]
    for sensors in (gyr, gyr[:2]):
        mag = sensors[2] if len(sensors) == 3 else None
        live, offline = VQF(0.01).updateBatch(*sensors), offlineVQF(sensors[0], sensors[1], mag, 0.01, {"restMinT": 1.0})
        assert list(live) == list(offline)
        for name in live:
            assert (live[name].shape, live[name].dtype) == (offline[name].shape, offline[name].dtype), name
        name = "quat9D" if len(sensors) == 3 else "quat6D"
        up = [rotate_back(q, [0, 0, 1.0]) for q in (live[name], offline[name], truth)]
        errors = [np.degrees(np.arccos(np.clip((u * up[2]).sum(1), -1, 1))).mean() for u in up[:2]]
        assert errors[1] < errors[0]
    offline = offlineVQF(*gyr, 0.01, None)
    turned = np.array([VQF.quatApplyDelta(q, d) for q, d in zip(offline["quat6D"], offline["delta"])])
    assert angle(turned, offline["quat9D"]).max() < 1e-5 and np.abs(offline["delta"]).max() <= np.pi
    with pytest.raises(NotImplementedError, match="tauAcc"):
        offlineVQF(*gyr, 0.01, {"tauAcc": 1})


def test_the_basic_version_estimates_no_bias(recording):
    sensors = recording.gyr, recording.acc, recording.mag
    basic = BasicVQF(0.01)
    out = basic.updateBatch(*sensors)
    off = VQF(0.01, motionBiasEstEnabled=False, restBiasEstEnabled=False, magDistRejectionEnabled=False).updateBatch(*sensors)
    assert list(out) == ["quat6D", "quat9D", "delta"] and list(BasicVQF(0.01).updateBatch(*sensors[:2])) == ["quat6D"]
    for name, table in out.items():
        np.testing.assert_array_equal(table, off[name])
    assert (off["bias"] == 0).all() and not off["restDetected"].any() and off["magDistDetected"].all()
    assert not hasattr(basic, "getBiasEstimate") and set(basic.params) == {"tauAcc", "tauMag"}


def test_rows_of_any_layout_are_read(recording):
    gyr, acc, mag = (a[:400] for a in (recording.gyr, recording.acc, recording.mag))
    expected = VQF(0.01).updateBatch(gyr, acc, mag)["quat9D"]
    columns = [np.asfortranarray(a) for a in (gyr, acc, mag)]
    strided = [np.repeat(a, 2, axis=0)[::2] for a in (gyr, acc, mag)]
    for sensors in (columns, strided, [a.tolist() for a in (gyr, acc, mag)]):
        np.testing.assert_array_equal(VQF(0.01).updateBatch(*sensors)["quat9D"], expected)
    assert angle(VQF(0.01).updateBatch(*(a.astype(np.float32) for a in (gyr, acc, mag)))["quat9D"], expected).max() < 0.01


def test_every_method_says_what_it_does():
    for member in {VQF, BasicVQF, PyVQF, offlineVQF} | {getattr(VQF, n) for n in dir(VQF) if not n.startswith("_")}:
        assert inspect.getdoc(member)


def test_calls_in_any_order_with_any_numbers_keep_the_attitude_a_rotation():
    random = np.random.default_rng(3)
    odd = [0, 1e-300, 1e300, np.nan, np.inf, -1, 1, 9.81, 50, 999, 1e4]

    def numbers(shape):
        values = random.normal(size=shape) * 10.0 ** random.integers(-8, 5)
        if random.random() < 0.3:
            values.flat[random.integers(values.size)] = random.choice(odd)
        return values

    vqf = VQF(0.01)
    states, refused, rotations = [vqf.state], 0, 0
    actions = [
        lambda: vqf.update(numbers(3), numbers(3), numbers(3)),
        lambda: vqf.update(numbers(3), numbers(3)),
        lambda: vqf.updateBatchFullState(numbers((5, 3)), numbers((5, 3)), numbers((5, 3))),
        lambda: vqf.updateBatch(*(np.tile(numbers(3), (200, 1)) for _ in range(3))),
        lambda: vqf.setBiasEstimate(numbers(3) * 0.01, random.choice(odd)),
        lambda: vqf.setMagRef(random.choice(odd), random.choice(odd)),
        lambda: vqf.setRestDetectionThresholds(random.choice(odd), random.choice(odd)),
        lambda: [set(random.random() < 0.5) for set in (vqf.setRestBiasEstEnabled, vqf.setMotionBiasEstEnabled)],
        lambda: states.append(vqf.state),
        lambda: setattr(vqf, "state", states[random.integers(len(states))]),
        lambda: vqf.resetState() if random.random() < 0.1 else None,
    ]
    for _ in range(3000):
        try:
            actions[random.integers(len(actions))]()
        except ValueError as error:
            assert str(error).split(":")[0] in ("gyr", "acc", "mag", "bias", "sigma", "norm", "dip", "restThGyr", "restThAcc")
            refused += 1
            continue
        for q in (vqf.getQuat3D(), vqf.getQuat6D(), vqf.getQuat9D()):
            np.testing.assert_allclose(np.linalg.norm(q), 1, atol=1e-6)
            rotations += abs(q[0]) < 1
        assert np.isfinite(vqf.getBiasEstimate()[0]).all()
    assert refused > 100 and rotations > 1000


# The C interface behind it


def test_a_program_of_an_older_header_has_the_defaults():
    library, old = c.library, c.Parameters()
    old.rest_smoothing, old.keeps_bias_in_motion = -1, 7
    assert library.ocm_parameters_init(ctypes.byref(old), 104) == c.OK
    # Not a byte behind its end is written, or read.
    assert (old.size, old.rest_smoothing, old.keeps_bias_in_motion, old.rest_duration) == (104, -1, 7, 1.5)
    handle, twin = ctypes.c_void_p(), ctypes.c_void_p()
    assert library.ocm_create(ctypes.byref(old), None, ctypes.byref(handle)) == c.OK
    assert library.ocm_set_parameters(handle, ctypes.byref(old)) == c.OK
    for wrong in (0, 96, 108, 4104, -1):
        old.size = wrong
        assert library.ocm_parameters_init(ctypes.byref(old), wrong) == 2
        old.size = wrong
        assert library.ocm_create(ctypes.byref(old), None, ctypes.byref(twin)) == 2 and not twin
    library.ocm_destroy(handle)


def test_a_program_of_a_newer_header_works_until_it_sets_what_the_library_does_not_have():
    class Newer(c.Parameters):
        _fields_ = [("later", ctypes.c_double)]

    library, size, new, handle = c.library, ctypes.sizeof(Newer), Newer(later=5), ctypes.c_void_p()
    old = ctypes.cast(ctypes.byref(new), ctypes.POINTER(c.Parameters))
    assert library.ocm_parameters_init(old, size) == c.OK
    assert (new.size, new.later, new.rest_smoothing) == (size, 0, c.parameters().rest_smoothing)
    assert library.ocm_create(old, None, ctypes.byref(handle)) == c.OK
    library.ocm_destroy(handle)
    new.later = 5
    assert library.ocm_create(old, None, ctypes.byref(handle)) == 12 and not handle
    assert "older than the header" in c.message(12)


def test_what_cannot_be_set_changes_nothing():
    library, p, handle = c.library, c.parameters(), ctypes.c_void_p()
    p.uses_magnetometer = 0
    assert library.ocm_create(ctypes.byref(p), None, ctypes.byref(handle)) == c.OK
    bias = (ctypes.c_double * 3)(0.01, 0, 0)
    assert library.ocm_set_bias(handle, bias, np.nan) == library.ocm_set_bias(handle, (ctypes.c_double * 3)(0.3, 0, 0), 1) == 3
    assert library.ocm_set_bias(handle, (ctypes.c_double * 3)(np.nan, 0, 0), 1) == library.ocm_set_field(handle, 50, 1) == 3
    assert library.ocm_set_bias(handle, None, 1) == library.ocm_copy(None, None) == library.ocm_get_details(None, None) == 1
    details = c.Details(size=8)
    assert library.ocm_get_details(handle, ctypes.byref(details)) == 2
    for name, value in (("uses_magnetometer", 1), ("magnetometer_is_calibrated", 1), ("rest_smoothing", 0), ("rest_duration", np.nan)):
        other = c.Parameters.from_buffer_copy(p)
        setattr(other, name, value)
        assert library.ocm_set_parameters(handle, ctypes.byref(other)) == 3, name
    table = np.zeros((1, 3))
    output = c.Output()
    output.bias.data, output.bias.row, output.bias.column = table.ctypes.data, 24, 8
    assert library.ocm_set_bias(handle, bias, 0) == library.ocm_state(handle, ctypes.byref(output)) == c.OK
    assert table[0].tolist() == [0.01, 0, 0]
    library.ocm_destroy(handle)
