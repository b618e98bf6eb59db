# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters, coefficients and states of `opencoremotion.vqf`: dictionaries that say why a value of VQF is not in them."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Optional

from ._filter import Filter

DEFAULTS: dict[str, Any] = {
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
SWITCHES = ("motionBiasEstEnabled", "restBiasEstEnabled", "magDistRejectionEnabled")
#: The settings that act, with their smallest values.
LEAST = {"biasSigmaInit": 1e-9, "restMinT": 0.0, "restFilterTau": 1e-9, "restThGyr": 0.0, "restThAcc": 0.0}
#: Why the others do not.
_REASONS = {
    "tauAcc": "the weight of the accelerometer follows from the motion, there is no time constant",
    "tauMag": "the weight of the magnetometer follows from the uncertainties, there is no time constant",
    "biasForgettingTime": "the bias is assumed to wander by 0.005 °/s per √s",
    "biasClip": "a bias up to 11 °/s is accepted",
    "biasSigmaMotion": "what a motion says of the bias follows from the covariance",
    "biasVerticalForgettingFactor": "what a motion says of the bias follows from the covariance",
    "biasSigmaRest": "what a rest says of the bias follows from the noise",
    "magMaxRejectionTime": "a field that points elsewhere is followed once it has done so for longer than the known one agreed",
}
#: What VQF's own equations need and this filter does not have.
_FOREIGN = {
    "lastAccLp", "accLpState", "lastAccCorrAngularRate", "kMagInit", "lastMagDisAngle", "lastMagCorrAngularRate",
    "motionBiasEstRLpState", "motionBiasEstBiasLpState", "restGyrLpState", "restAccLpState", "magRejectT", "magCandidateNorm",
    "magCandidateDip", "magCandidateT", "magNormDipLpState", "accLpB", "accLpA", "kMag", "biasP0", "biasV", "biasMotionW",
    "biasVerticalW", "biasRestW", "restGyrLpB", "restGyrLpA", "restAccLpB", "restAccLpA", "kMagRef", "magNormDipLpB",
    "magNormDipLpA",
}


class Values(dict[str, Any]):
    """A dictionary; a name of VQF that has no meaning here raises NotImplementedError."""

    def __missing__(self, name: str) -> Any:
        if name in _FOREIGN:
            raise NotImplementedError(f"{name}: it belongs to VQF's own equations, and this filter has others. See {sorted(self)}.")
        raise KeyError(name)


class Attributes(Values):
    """The same, with the values as attributes, too."""

    def __getattr__(self, name: str) -> Any:
        if name in self or name in _FOREIGN:
            return self[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


class State(Values):
    """The values of a state, and the filter that has it: only together they can be set again."""

    def __init__(self, values: Mapping[str, Any], stream: Optional[Filter], latest: int) -> None:
        super().__init__(values)
        self.read = copy.deepcopy(dict(values))
        self.stream = stream
        #: The time of the latest row, ns; below 0: there is none.
        self.latest = latest

    def copy(self) -> State:
        return copy.copy(self)

    def __copy__(self) -> State:
        twin = State(self.read, self.stream, self.latest)
        twin.update(self)
        return twin

    def __deepcopy__(self, memo: Any) -> State:
        twin = self.__copy__()
        for name, value in self.items():
            twin[name] = copy.deepcopy(value, memo)
        return twin

    def __reduce__(self) -> Any:
        raise TypeError("state: it is in the memory of this process. Keep setBiasEstimate and setMagRef for the next one.")


def checked(name: str, value: Any) -> Any:
    """A setting that acts, or one that is VQF's default."""
    if name not in DEFAULTS:
        raise TypeError(f"{name}: VQF has no such parameter")
    if name in SWITCHES:
        return bool(value)
    if name in LEAST:
        if isinstance(value, (str, bytes, complex)) or not LEAST[name] <= float(value) <= 1e3:
            raise ValueError(f"{name}: a number from {LEAST[name]:g} to 1000 is needed, not {value!r}")
        return float(value)
    if value != DEFAULTS[name]:
        reason = _REASONS.get(name, "its disturbances of the field are found with VQF's defaults")
        raise NotImplementedError(f"{name}={value!r}: this filter has no such setting; {reason}. Leave it at {DEFAULTS[name]!r}.")
    return DEFAULTS[name]
