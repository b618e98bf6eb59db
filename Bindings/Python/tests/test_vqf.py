# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""`opencoremotion.vqf.VQF` beside the package vqf, where that is installed."""

import numpy as np
import pytest

from conftest import angle
from opencoremotion.vqf import VQF, offlineVQF


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
    # The same names, but for those that one has no use for.
    missing = {name for name in dir(vqf.VQF) if not name.startswith(("_", "filter", "matrix", "gain"))} - set(dir(VQF))
    missing -= {"clip", "norm", "normalize", "quatSetToIdentity"}
    for name in missing:
        with pytest.raises(NotImplementedError, match=name):
            getattr(VQF(0.01), name)
    assert VQF(0.01).params == vqf.VQF(0.01).params


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
    with pytest.raises(NotImplementedError, match="getQuat3D"):
        VQF(0.01).getQuat3D()
    with pytest.raises(NotImplementedError, match="offlineVQF"):
        offlineVQF(None, None, None, 0.01)
    with pytest.raises(AttributeError):
        VQF(0.01).getQuat10D()
    with pytest.raises(NotImplementedError, match="state"):
        VQF(0.01).state = {}


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
