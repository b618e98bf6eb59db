# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""This filter with the interface of the package ``vqf`` 2.1: change one import.

>>> from opencoremotion.vqf import VQF                          # was: from vqf import VQF

Constructor, methods, keys, shapes and frames are those of ``vqf.VQF``. The settings that belong to VQF's own equations do not
exist here; other values than the defaults raise NotImplementedError.
"""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np

from . import _arrays
from . import _library as c
from ._filter import Filter

_DEFAULTS: dict[str, Any] = {
    "tauAcc": 3.0,
    "tauMag": 9.0,
    "motionBiasEstEnabled": True,
    "restBiasEstEnabled": True,
    "magDistRejectionEnabled": True,
    "biasSigmaInit": 0.5,
    "biasForgettingTime": 100.0,
    "biasClip": 2.0,
    "biasSigmaMotion": 0.1,
    "biasVerticalForgettingFactor": 0.0001,
    "biasSigmaRest": 0.03,
    "restMinT": 1.5,
    "restFilterTau": 0.5,
    "restThGyr": 2.0,
    "restThAcc": 0.5,
    "magCurrentTau": 0.05,
    "magRefTau": 20.0,
    "magNormTh": 0.1,
    "magDipTh": 10.0,
    "magNewTime": 20.0,
    "magNewFirstTime": 5.0,
    "magNewMinGyr": 20.0,
    "magMinUndisturbedTime": 0.5,
    "magMaxRejectionTime": 60.0,
    "magRejectionFactor": 2.0,
}
_SUPPORTED = ("biasSigmaInit", "restMinT", "restThGyr", "restThAcc")


class VQF:
    """Orientation estimation with VQF's interface.

    Parameters
    ----------
    gyrTs : float
        Sampling interval of the gyroscope, s.
    accTs, magTs : float
        Those of accelerometer and magnetometer, s; -1: as `gyrTs`. They may be longer.
    **params
        ``biasSigmaInit`` (°/s), ``restMinT`` (s), ``restThGyr`` (°/s) and ``restThAcc`` (m/s²) are used. All others may be
        given with VQF's default only.

    Raises
    ------
    NotImplementedError
        A setting that this filter does not have.

    Notes
    -----
    The magnetometer may have any unit, and has to be calibrated, as for VQF. The first update decides whether there is a
    magnetometer (or `magTs`, when it is given). ``quat6D`` of a filter with a magnetometer is the attitude without the turns
    that the magnetometer has made.
    """

    def __init__(self, gyrTs: float, accTs: float = -1.0, magTs: float = -1.0, **params: Any) -> None:
        for name, value in (("gyrTs", gyrTs), ("accTs", accTs), ("magTs", magTs)):
            is_absent = name != "gyrTs" and value == -1
            if not is_absent and not 1e-6 <= float(value) <= 1:
                raise ValueError(f"{name}: an interval from 1e-6 s to 1 s is needed, not {value!r}")
            if not is_absent and value < gyrTs:
                raise NotImplementedError(f"{name}: no sensor may be faster than the gyroscope; average its readings.")
        for name, value in params.items():
            if name not in _DEFAULTS:
                raise TypeError(f"{name}: VQF has no such parameter")
            if name not in _SUPPORTED:
                _refuse(name, value)
        self._params = {**_DEFAULTS, **params}
        self._intervals = {
            "gyrTs": float(gyrTs),
            "accTs": float(gyrTs if accTs == -1 else accTs),
            "magTs": float(gyrTs if magTs == -1 else magTs),
        }
        self._expects_magnetometer = magTs != -1
        self.resetState()

    def resetState(self) -> None:
        """Begin again."""
        self._filter: Optional[Filter] = None
        self._uses_magnetometer = False
        self._row = 0
        self._pending: dict[str, np.ndarray] = {}
        self._last = self._initial()

    @staticmethod
    def _initial() -> dict[str, Any]:
        identity = np.array([1.0, 0.0, 0.0, 0.0])
        return {"quat6D": identity, "quat9D": identity.copy(), "delta": 0.0, "bias": np.zeros(3)}

    # Updates

    def update(self, gyr: Any, acc: Any, mag: Any = None) -> None:
        """One row: rad/s, m/s², and the magnetic field in any unit, each of shape (3,)."""
        self.updateGyr(gyr)
        self.updateAcc(acc)
        if mag is not None:
            self.updateMag(mag)
        self._flush()

    def updateGyr(self, gyr: Any) -> None:
        """A reading of the gyroscope, rad/s; those of the other sensors follow it."""
        self._flush()
        self._pending = {"gyr": _single("gyr", gyr)}

    def updateAcc(self, acc: Any) -> None:
        """A reading of the accelerometer, m/s²; three zeros are none."""
        self._add("acc", acc)

    def updateMag(self, mag: Any) -> None:
        """A reading of the magnetometer; three zeros are none."""
        self._add("mag", mag)

    def _add(self, name: str, value: Any) -> None:
        reading = _single(name, value)
        if "gyr" not in self._pending or name in self._pending:
            raise NotImplementedError(f"{name}: a reading of the gyroscope has to come first, and one of each sensor after it.")
        self._pending[name] = reading

    def _flush(self) -> None:
        if not self._pending:
            return
        row, self._pending = self._pending, {}
        missing = np.full(3, np.nan)
        mag = row.get("mag", missing if self._uses_magnetometer or self._expects_magnetometer else None)
        result = self._run(row["gyr"][None], row.get("acc", missing)[None], None if mag is None else mag[None])
        self._last = {name: values[-1] for name, values in result.items()}

    def updateBatch(self, gyr: Any, acc: Any, mag: Any = None) -> dict[str, np.ndarray]:
        """Process rows of all sensors.

        Parameters
        ----------
        gyr, acc : array_like, shape (n, 3)
            rad/s and m/s².
        mag : array_like, shape (n, 3), optional
            Magnetic field, any unit.

        Returns
        -------
        dict
            ``quat6D`` (n, 4), ``bias`` (n, 3) rad/s, ``biasSigma`` (n,) rad/s, ``restDetected`` (n,) bool, and with `mag`
            ``quat9D`` (n, 4), ``delta`` (n,) rad, ``magDistDetected`` (n,) bool.
        """
        self._flush()
        result = self._run(gyr, acc, mag)
        if len(result["quat6D"]):
            self._last = {name: values[-1] for name, values in result.items()}
        return result

    def _run(self, gyr: Any, acc: Any, mag: Any) -> dict[str, np.ndarray]:
        gyr = _arrays.numbers("gyr", gyr)
        if gyr.ndim != 2 or gyr.shape[1] != 3:
            raise ValueError(f"gyr: the shape (n, 3) is needed; it is {gyr.shape}")
        count = len(gyr)
        if mag is not None:
            mag = _arrays.numbers("mag", mag)
        stream = self._started(mag)
        columns = {"quaternion": 4, "bias": 3, "largest_bias_sd": 1}
        if self._uses_magnetometer:
            columns |= {"quaternion_6d": 4, "field_turn": 1}
        results = _tables(count, columns)
        results["rest"] = np.empty(count, bool)
        if self._uses_magnetometer:
            results["disturbed"] = np.empty(count, bool)
        times = c.Input(first_row=self._row, interval=self._intervals["gyrTs"] * 1e9)
        stream._run(count, times, gyr, acc, mag, results)
        self._row += count
        unknown = 0
        if count and np.isnan(results["quaternion"][0, 0]):
            known = ~np.isnan(results["quaternion"][:, 0])
            unknown = int(known.argmax()) if known.any() else count
        for name in ("quaternion", "quaternion_6d"):
            if unknown and name in results:
                results[name][:unknown] = [1, 0, 0, 0]
        sigma = results["largest_bias_sd"]
        if not self._uses_magnetometer:
            return {
                "quat6D": results["quaternion"], "bias": results["bias"], "biasSigma": sigma, "restDetected": results["rest"],
            }
        return {
            "quat6D": results["quaternion_6d"],
            "quat9D": results["quaternion"],
            "delta": results["field_turn"],
            "bias": results["bias"],
            "biasSigma": sigma,
            "restDetected": results["rest"],
            "magDistDetected": results["disturbed"],
        }

    def _started(self, mag: Optional[np.ndarray]) -> Filter:
        """The filter, made by the first update."""
        if self._filter is not None and mag is not None and not self._uses_magnetometer:
            raise ValueError("mag: the first update had none. Give it from the first row on, with NaN where there is no reading.")
        if self._filter is None:
            p = self._params
            self._uses_magnetometer = mag is not None or self._expects_magnetometer
            self._filter = Filter(
                magnetometer=self._uses_magnetometer, calibrated=True, mag_unit="any", order="gam",
                gyro_delay=0.5 * self._intervals["gyrTs"], gyro_range=math.radians(2000),
                gyro_bias_sd=math.radians(p["biasSigmaInit"]), rest_duration=p["restMinT"],
                slow_acc=self._intervals["accTs"] > self._intervals["gyrTs"], zeros_are_missing=True,
                rest_rate_limit=math.radians(p["restThGyr"]), rest_force_limit=p["restThAcc"],
            )
        return self._filter

    # What is known now

    def _now(self, name: str, otherwise: Any) -> Any:
        self._flush()
        value = self._last.get(name, otherwise)
        return value.copy() if isinstance(value, np.ndarray) else value

    def getQuat6D(self) -> np.ndarray:
        """The attitude without the magnetometer, shape (4,)."""
        return self._now("quat6D", None)

    def getQuat9D(self) -> np.ndarray:
        """The attitude with the magnetometer, shape (4,)."""
        self._flush()
        return self._now("quat9D", self._last["quat6D"])

    def getDelta(self) -> float:
        """The angle from the azimuth of `getQuat6D` to that of `getQuat9D`, rad."""
        return float(self._now("delta", 0.0))

    def getBiasEstimate(self) -> tuple[np.ndarray, float]:
        """The gyroscope's bias, shape (3,), and its uncertainty, rad/s."""
        sigma = math.radians(self._params["biasSigmaInit"])
        return self._now("bias", None), float(self._now("biasSigma", sigma))

    def getRestDetected(self) -> bool:
        """True while the device is still."""
        return bool(self._now("restDetected", False))

    def getMagDistDetected(self) -> bool:
        """True while the magnetic field is disturbed, and before there is one."""
        return bool(self._now("magDistDetected", True))

    @property
    def params(self) -> dict[str, Any]:
        """The parameters by name."""
        return dict(self._params)

    @property
    def coeffs(self) -> dict[str, float]:
        """The sampling intervals."""
        return dict(self._intervals)

    @property
    def state(self) -> dict[str, Any]:
        """The latest results. It cannot be set."""
        self._flush()
        return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in self._last.items()}

    @state.setter
    def state(self, value: Any) -> None:
        raise NotImplementedError("state: this filter cannot be set to a state; keep the object instead.")

    # Settings

    def setRestDetectionThresholds(self, thGyr: float, thAcc: float) -> None:
        """Largest deviations at rest, °/s and m/s²; before the first update."""
        if self._filter is not None and (thGyr, thAcc) != (self._params["restThGyr"], self._params["restThAcc"]):
            raise NotImplementedError("The thresholds of rest can be set before the first update only.")
        self._params["restThGyr"], self._params["restThAcc"] = float(thGyr), float(thAcc)

    def setTauAcc(self, tauAcc: float) -> None:
        """Accepts the default only."""
        _refuse("tauAcc", tauAcc)

    def setTauMag(self, tauMag: float) -> None:
        """Accepts the default only."""
        _refuse("tauMag", tauMag)

    def setMotionBiasEstEnabled(self, enabled: bool) -> None:
        """Accepts True only."""
        _refuse("motionBiasEstEnabled", enabled)

    def setRestBiasEstEnabled(self, enabled: bool) -> None:
        """Accepts True only."""
        _refuse("restBiasEstEnabled", enabled)

    def setMagDistRejectionEnabled(self, enabled: bool) -> None:
        """Accepts True only."""
        _refuse("magDistRejectionEnabled", enabled)

    def __getattr__(self, name: str) -> Any:
        if name in _MISSING:
            raise NotImplementedError(f"{name}: {_MISSING[name]}")
        raise AttributeError(f"'VQF' object has no attribute {name!r}")

    # Quaternions

    @staticmethod
    def quatMultiply(q1: np.ndarray, q2: np.ndarray) -> np.ndarray:
        """The product q1 q2, each of shape (4,)."""
        (a, b, c, d), (w, x, y, z) = q1, q2
        return np.array([
            a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w,
        ])

    @staticmethod
    def quatConj(q: np.ndarray) -> np.ndarray:
        """The inverse of a unit quaternion."""
        return np.asarray(q) * [1, -1, -1, -1]

    @staticmethod
    def quatRotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The vector v, shape (3,), turned by q."""
        return VQF.quatMultiply(VQF.quatMultiply(q, np.array([0.0, *v])), VQF.quatConj(q))[1:]

    @staticmethod
    def quatApplyDelta(q: np.ndarray, delta: float) -> np.ndarray:
        """q turned about the vertical by delta rad."""
        return VQF.quatMultiply(np.array([math.cos(delta / 2), 0.0, 0.0, math.sin(delta / 2)]), q)


_MISSING = {
    "getQuat3D": "the integral of the gyroscope alone is not computed here.",
    "getMagRefNorm": "the field's strength is not estimated on its own here.",
    "getMagRefDip": "the field's dip is not estimated on its own here.",
    "getRelativeRestDeviations": "use getRestDetected.",
    "setBiasEstimate": "begin with what an earlier recording learned: opencoremotion.fuse(…, learned=…).",
    "setMagRef": "the field is found by the filter itself.",
    "updateBatchFullState": "use updateBatch; the inner state is another one here.",
}


def offlineVQF(*arguments: Any, **options: Any) -> Any:
    """Not available: this filter runs forward in time only."""
    raise NotImplementedError("offlineVQF: this filter runs forward in time only; use VQF.updateBatch.")


def _tables(count: int, columns: dict[str, int]) -> dict[str, np.ndarray]:
    """Arrays of so many columns each, in one piece of memory: the first touch of a page costs as much as a few rows of the filter."""
    memory = np.empty(count * sum(columns.values()))
    tables, start = {}, 0
    for name, width in columns.items():
        table = memory[start : start + count * width]
        tables[name] = table.reshape(count, width) if width > 1 else table
        start += count * width
    return tables


def _refuse(name: str, value: Any) -> None:
    if value != _DEFAULTS[name]:
        raise NotImplementedError(
            f"{name}={value!r}: this filter has no such setting; it adapts to the data. Leave it out ({_DEFAULTS[name]!r})."
        )


def _single(name: str, value: Any) -> np.ndarray:
    array = _arrays.numbers(name, value)
    if array.shape != (3,):
        raise ValueError(f"{name}: the shape (3,) is needed; it is {array.shape}")
    return array.astype(np.float64)
