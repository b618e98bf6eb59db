# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""This filter with the interface of the package ``vqf`` 2.1: change one import.

>>> from opencoremotion.vqf import VQF                          # was: from vqf import VQF

Constructors, methods, keys, shapes and frames of `VQF`, `BasicVQF`, `PyVQF` and `offlineVQF` are those of ``vqf``; the equations
behind them are those of `opencoremotion.Filter`. What belongs to VQF's own equations raises NotImplementedError with the reason.
"""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _arrays
from . import _library as c
from ._vqf_basic import BasicVQF, Results, from_identity, tables
from ._vqf_functions import Array, product
from ._vqf_values import DEFAULTS, Attributes, Values

__all__ = ["BasicVQF", "PyVQF", "VQF", "get_cpp_path", "get_matlab_path", "offlineVQF"]


class VQF(BasicVQF):
    """Orientation estimation with VQF's interface.

    Parameters
    ----------
    gyrTs : float
        Sampling interval of the gyroscope, s.
    accTs, magTs : float
        Those of accelerometer and magnetometer, s; -1: as `gyrTs`. They may be longer.
    motionBiasEstEnabled, restBiasEstEnabled : bool, optional
        Whether motions and rests change the bias of the gyroscope; without the second no rest is detected. Default True.
    magDistRejectionEnabled : bool, optional
        False: every reading of the magnetometer has its full weight, and ``magDistDetected`` stays True. Default True.
    biasSigmaInit : float, optional
        Uncertainty of the bias at the start, °/s. Default 0.5.
    restMinT, restFilterTau, restThGyr, restThAcc : float, optional
        Rest is stillness for so many s, within these deviations, °/s and m/s², from a mean with this time constant, s.
        Defaults 1.5, 0.5, 2 and 0.5.
    tauAcc, tauMag, biasForgettingTime, …
        VQF's other settings: its defaults only.

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

    def __init__(
        self,
        gyrTs: float,
        accTs: float = -1.0,
        magTs: float = -1.0,
        tauAcc: Optional[float] = None,
        tauMag: Optional[float] = None,
        motionBiasEstEnabled: Optional[bool] = None,
        restBiasEstEnabled: Optional[bool] = None,
        magDistRejectionEnabled: Optional[bool] = None,
        biasSigmaInit: Optional[float] = None,
        biasForgettingTime: Optional[float] = None,
        biasClip: Optional[float] = None,
        biasSigmaMotion: Optional[float] = None,
        biasVerticalForgettingFactor: Optional[float] = None,
        biasSigmaRest: Optional[float] = None,
        restMinT: Optional[float] = None,
        restFilterTau: Optional[float] = None,
        restThGyr: Optional[float] = None,
        restThAcc: Optional[float] = None,
        magCurrentTau: Optional[float] = None,
        magRefTau: Optional[float] = None,
        magNormTh: Optional[float] = None,
        magDipTh: Optional[float] = None,
        magNewTime: Optional[float] = None,
        magNewFirstTime: Optional[float] = None,
        magNewMinGyr: Optional[float] = None,
        magMinUndisturbedTime: Optional[float] = None,
        magMaxRejectionTime: Optional[float] = None,
        magRejectionFactor: Optional[float] = None,
    ) -> None:
        given = locals()
        self._settings = dict(DEFAULTS)
        self._begin(gyrTs, accTs, magTs, {name: given[name] for name in DEFAULTS})

    def _named(self, r: Results) -> Results:
        largest = math.radians(self._settings["biasSigmaInit"])
        results = super()._named(r) | {
            "bias": r["bias"], "biasSigma": np.minimum(r["bias_deviation"], largest), "restDetected": r["rest"],
        }
        if self._uses_magnetometer:
            results["magDistDetected"] = self._disturbed(r)
        return results

    def _disturbed(self, r: Results) -> npt.NDArray[np.bool_]:
        if self._uses_magnetometer and self._settings["magDistRejectionEnabled"]:
            return ~r["field_trusted"]
        return np.ones(len(r["rest"]), bool)

    def _full(self, r: Results) -> Results:
        limits = [math.radians(self._settings["restThGyr"]), self._settings["restThAcc"]]
        with np.errstate(divide="ignore", invalid="ignore"):
            relative = r["rest_deviations"] / limits
        covariance = r["bias_covariance"] * math.degrees(100) ** 2
        return super()._full(r) | {
            "restDetected": r["rest"], "magDistDetected": self._disturbed(r), "bias": r["bias"], "biasP": covariance,
            "biasSigma": np.minimum(r["bias_deviation"], math.radians(self._settings["biasSigmaInit"])),
            "restLastSquaredDeviations": r["rest_deviations"] ** 2, "relativeRestDeviations": relative, "restT": r["rest_time"],
            "restLastGyrLp": r["rest_means"][:, :3], "restLastAccLp": r["rest_means"][:, 3:],
            "magRefNorm": r["known_field"][:, 0], "magRefDip": r["known_field"][:, 1], "magUndisturbedT": r["agreement_time"],
            "magNormDip": r["field"],
        }

    def getBiasEstimate(self) -> tuple[Array, float]:
        """The gyroscope's bias, shape (3,), and its uncertainty in the worst direction, `biasSigmaInit` at most; rad/s."""
        now = self._now()
        return now["bias"][0], float(now["biasSigma"][0])

    def setBiasEstimate(self, bias: npt.ArrayLike, sigma: float = -1.0) -> None:
        """Set the gyroscope's bias.

        Parameters
        ----------
        bias : array_like, shape (3,)
            rad/s, at most 0.2 (11 °/s) per axis.
        sigma : float
            One standard deviation per axis, rad/s; -1: the uncertainty stays as it is.
        """
        self._set_bias(bias, sigma)

    def getRestDetected(self) -> bool:
        """True while the device is still."""
        return bool(self._now()["restDetected"][0])

    def getRelativeRestDeviations(self) -> Array:
        """How far the latest rate and force are from their recent means, over the limits of rest, shape (2,): below 1 at rest."""
        return self._now()["relativeRestDeviations"][0]

    def getMagDistDetected(self) -> bool:
        """True while the magnetic field is disturbed, and until one has been the same for 5 s.

        It is disturbed where strength, dip or direction differ from those of the known field by more than 10 %, 10° or 15°.
        """
        return bool(self._now()["magDistDetected"][0])

    def getMagRefNorm(self) -> float:
        """The strength of the field that counts as the earth's, in the magnetometer's unit; 0 before there is one."""
        return float(self._now()["magRefNorm"][0])

    def getMagRefDip(self) -> float:
        """How far that field points down, rad; 0 before there is one."""
        return float(self._now()["magRefDip"][0])

    def setMagRef(self, norm: float, dip: float) -> None:
        """Set the earth's field.

        Parameters
        ----------
        norm : float
            Its strength, in the magnetometer's unit.
        dip : float
            How far it points down, rad.
        """
        self._set_field(norm, dip)

    def setMotionBiasEstEnabled(self, enabled: bool) -> None:
        """Whether motions change the bias."""
        self._set(motionBiasEstEnabled=enabled)

    def setRestBiasEstEnabled(self, enabled: bool) -> None:
        """Whether rests are detected and change the bias."""
        self._set(restBiasEstEnabled=enabled)

    def setMagDistRejectionEnabled(self, enabled: bool) -> None:
        """Whether readings of a disturbed field weigh less."""
        self._set(magDistRejectionEnabled=enabled)

    def setRestDetectionThresholds(self, thGyr: float, thAcc: float) -> None:
        """Largest deviations at rest, °/s and m/s²."""
        self._set(restThGyr=thGyr, restThAcc=thAcc)

    @property
    def params(self) -> Values:
        """The parameters by name."""
        return Values(self._settings)


class PyVQF(VQF):
    """`VQF`, whose parameters and coefficients are attributes, too, as those of ``vqf.PyVQF``. It is as fast as `VQF`."""

    @property
    def params(self) -> Attributes:
        """The parameters, as attributes and by name."""
        return Attributes(super().params)

    @property
    def coeffs(self) -> Attributes:
        """The sampling intervals, s, as attributes and by name."""
        return Attributes(super().coeffs)


def offlineVQF(
    gyr: npt.ArrayLike, acc: npt.ArrayLike, mag: Optional[npt.ArrayLike], Ts: float, params: Optional[dict[str, Any]] = None
) -> Results:
    """Process a whole recording: each row knows of the rows after it, too.

    Parameters
    ----------
    gyr, acc, mag
        As for `VQF.updateBatch`.
    Ts : float
        Sampling interval, s.
    params : dict, optional
        The settings of `VQF`.

    Returns
    -------
    dict
        That of `VQF.updateBatch`. Quaternions and ``delta`` are those of the smoother, ``opencoremotion.fuse(…, smooth=True)``;
        bias, its uncertainty, rest and disturbances are those of the filter.
    """
    results = VQF(Ts, **(params or {})).updateBatch(gyr, acc, mag)
    count = len(results["quat6D"])

    def smoothed(mag: Any) -> Array:
        """The attitudes of the smoother with these sensors."""
        table = tables(count, {"quaternion": 4})
        vqf = VQF(Ts, **(params or {}))
        stream = vqf._started(None if mag is None else _arrays.numbers("mag", mag))
        stream._run(count, c.Input(interval=Ts * 1e9), gyr, acc, mag, table, smooth=True)
        return from_identity(table)["quaternion"]

    results["quat6D"] = smoothed(None)
    if mag is not None:
        results["quat9D"] = q = smoothed(mag)
        # The azimuth of six axes, and the inclination of nine.
        turn = product(q, results["quat6D"] * [1, -1, -1, -1])
        half = np.arctan2(turn[:, 3], turn[:, 0])
        results["delta"] = 2 * (half - np.pi * np.round(half / np.pi))
        back = np.zeros_like(q)
        back[:, 0], back[:, 3] = np.cos(results["delta"] / 2), -np.sin(results["delta"] / 2)
        results["quat6D"] = product(back, q)
    return results


def get_cpp_path() -> str:
    """Raises: the C interface of this package is libocm.so and ocm.h."""
    raise NotImplementedError("get_cpp_path: there is no C++ source here. The C interface is Bindings/C/ocm.h with libocm.so.")


def get_matlab_path() -> str:
    """Raises: there is no Matlab version."""
    raise NotImplementedError("get_matlab_path: there is no Matlab version; Matlab calls Python by py.opencoremotion.")
