# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""What the classes of `opencoremotion.vqf` share: rows in, attitudes and states out; and the first of them."""

from __future__ import annotations

import copy
import ctypes
import math
from ctypes import sizeof
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _arrays
from . import _library as c
from ._filter import Filter
from ._vqf_functions import Array, Functions, product
from ._vqf_values import DEFAULTS, SWITCHES, State, Values, checked

Results = dict[str, npt.NDArray[Any]]
#: What `updateBatch` needs of the library, and what else the state has: columns, 0 for flags.
_BATCH = {"quaternion": 4, "bias": 3, "bias_deviation": 1, "rest": 0}
_BATCH_FIELD = {"quaternion_6d": 4, "field_turn": 1, "field_trusted": 0}
_STATE = {
    "gyroscope_quaternion": 4, "bias_covariance": 9, "rest_deviations": 2, "rest_means": 6, "rest_time": 1, "known_field": 2, "field": 2,
    "agreement_time": 1,
}
_DETAILS = {name for name, *_ in c.Details._fields_}


class BasicVQF(Functions):
    """VQF without bias estimation, detection of rest and of disturbances of the field.

    Parameters
    ----------
    gyrTs : float
        Sampling interval of the gyroscope, s.
    accTs, magTs : float
        Those of accelerometer and magnetometer, s; -1: as `gyrTs`. They may be longer.
    tauAcc, tauMag : float, optional
        VQF's defaults only, 3 and 9 s.
    """

    def __init__(
        self, gyrTs: float, accTs: float = -1.0, magTs: float = -1.0, tauAcc: Optional[float] = None, tauMag: Optional[float] = None
    ) -> None:
        self._settings = {**DEFAULTS, **dict.fromkeys(SWITCHES, False)}
        self._begin(gyrTs, accTs, magTs, {"tauAcc": tauAcc, "tauMag": tauMag})

    def _begin(self, gyrTs: float, accTs: float, magTs: float, params: dict[str, Any]) -> None:
        for name, value in (("gyrTs", gyrTs), ("accTs", accTs), ("magTs", magTs)):
            is_absent = name != "gyrTs" and value == -1
            if not is_absent and not 1e-6 <= float(value) <= 1:
                raise ValueError(f"{name}: an interval from 1e-6 s to 1 s is needed, not {value!r}")
            if not is_absent and value < gyrTs:
                raise NotImplementedError(f"{name}: no sensor may be faster than the gyroscope; average its readings.")
        self._settings |= {name: checked(name, value) for name, value in params.items() if value is not None}
        self._intervals = {
            "gyrTs": float(gyrTs),
            "accTs": float(gyrTs if accTs == -1 else accTs),
            "magTs": float(gyrTs if magTs == -1 else magTs),
        }
        self._expects_magnetometer = magTs != -1
        self.resetState()

    def resetState(self) -> None:
        """Begin again, as a new object; settings stay."""
        self._filter: Optional[Filter] = None
        self._uses_magnetometer = False
        self._row, self._latest = 0, -1
        self._pending: dict[str, Array] = {}
        self._known_bias: Optional[tuple[Array, float]] = None
        self._known_field: Optional[tuple[float, float]] = None

    # Updates

    def update(self, gyr: npt.ArrayLike, acc: npt.ArrayLike, mag: Optional[npt.ArrayLike] = None) -> None:
        """One row: rad/s, m/s², and the magnetic field in any unit, each of shape (3,)."""
        self.updateGyr(gyr)
        self.updateAcc(acc)
        if mag is not None:
            self.updateMag(mag)
        self._flush()

    def updateGyr(self, gyr: npt.ArrayLike) -> None:
        """A reading of the gyroscope, rad/s, shape (3,); those of the other sensors follow it."""
        reading = _single("gyr", gyr)
        self._flush()
        self._pending = {"gyr": reading}

    def updateAcc(self, acc: npt.ArrayLike) -> None:
        """A reading of the accelerometer, m/s², shape (3,); three zeros are none."""
        self._add("acc", acc)

    def updateMag(self, mag: npt.ArrayLike) -> None:
        """A reading of the magnetometer, any unit, shape (3,); three zeros are none."""
        self._add("mag", mag)

    def _add(self, name: str, value: npt.ArrayLike) -> None:
        reading = _single(name, value)
        if "gyr" not in self._pending or name in self._pending:
            raise NotImplementedError(f"{name}: a reading of the gyroscope has to come first, and one of each sensor after it.")
        self._pending[name] = reading

    def _flush(self) -> None:
        """Processes the row whose readings came one by one; zeros stand for those that did not come."""
        if not self._pending:
            return
        row, self._pending = self._pending, {}
        missing = np.zeros(3)
        mag = row.get("mag", missing if self._uses_magnetometer or self._expects_magnetometer else None)
        self._run(row["gyr"][None], row.get("acc", missing)[None], None if mag is None else mag[None], _BATCH)

    def updateBatch(self, gyr: npt.ArrayLike, acc: npt.ArrayLike, mag: Optional[npt.ArrayLike] = None) -> Results:
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
            ``quat9D`` (n, 4), ``delta`` (n,) rad, ``magDistDetected`` (n,) bool; of `BasicVQF` ``quat6D``, ``quat9D``, ``delta``.
        """
        self._flush()
        return self._named(self._run(gyr, acc, mag, _BATCH))

    def updateBatchFullState(self, gyr: npt.ArrayLike, acc: npt.ArrayLike, mag: Optional[npt.ArrayLike] = None) -> Results:
        """Process rows of all sensors, and give the state after each.

        Parameters
        ----------
        gyr, acc, mag
            As for `updateBatch`.

        Returns
        -------
        dict
            ``quat6D``, ``quat9D``, and the keys of `state`, each with a row for each row. A key of VQF that belongs to its own
            equations raises NotImplementedError.
        """
        self._flush()
        return Values(self._full(self._run(gyr, acc, mag, _BATCH | _STATE)))

    def _run(self, gyr: Any, acc: Any, mag: Any, columns: dict[str, int]) -> Results:
        """The tables of the library after these rows."""
        gyr = _arrays.numbers("gyr", gyr)
        if gyr.ndim != 2 or gyr.shape[1] != 3:
            raise ValueError(f"gyr: the shape (n, 3) is needed; it is {gyr.shape}")
        count = len(gyr)
        stream = self._started(None if mag is None else _arrays.numbers("mag", mag))
        results = tables(count, self._columns(columns))
        rows = c.Input(first_row=self._row, interval=self._intervals["gyrTs"] * 1e9)
        output, details = split(results)
        stream._run(count, rows, gyr, acc, mag, output, details=details)
        if count:
            self._row += count
            self._latest = self._time(self._row - 1)
        return from_identity(results)

    def _time(self, row: int) -> int:
        """Of a row, ns, as the library has it."""
        return math.floor(row * (self._intervals["gyrTs"] * 1e9) + 0.5)

    def _columns(self, columns: dict[str, int]) -> dict[str, int]:
        return columns | _BATCH_FIELD if self._uses_magnetometer else columns

    def _started(self, mag: Optional[Array]) -> Filter:
        """The filter, made by the first update."""
        if self._filter is not None and mag is not None and not self._uses_magnetometer:
            raise ValueError("mag: the first update had none. Give it from the first row on, with NaN where there is no reading.")
        if self._filter is not None:
            return self._filter
        self._uses_magnetometer = mag is not None or self._expects_magnetometer
        self._filter = Filter(
            magnetometer=self._uses_magnetometer, calibrated=True, mag_unit="any", order="gam",
            gyro_delay=0.5 * self._intervals["gyrTs"], gyro_range=math.radians(2000),
            gyro_bias_sd=math.radians(self._settings["biasSigmaInit"]),
            slow_acc=self._intervals["accTs"] > self._intervals["gyrTs"], zeros_are_missing=True, check=False,
        )
        self._configure()
        if self._known_bias is not None:
            self._filter_bias(*self._known_bias)
        if self._known_field is not None and self._uses_magnetometer:
            c.check(c.library.ocm_set_field(self._filter._handle, *self._known_field))
        return self._filter

    def _configure(self) -> None:
        """Tells the filter the settings; what it knows stays."""
        if self._filter is None:
            return
        s, p = self._settings, self._filter._parameters
        p.rest_rate_limit, p.rest_force_limit = math.radians(s["restThGyr"]), s["restThAcc"]
        p.rest_duration = s["restMinT"] if s["restBiasEstEnabled"] else math.inf
        p.rest_smoothing = s["restFilterTau"]
        p.keeps_bias_in_motion, p.trusts_every_field = not s["motionBiasEstEnabled"], not s["magDistRejectionEnabled"]
        c.check(c.library.ocm_set_parameters(self._filter._handle, ctypes.byref(p)))

    def _set(self, **settings: Any) -> None:
        values = {name: checked(name, value) for name, value in settings.items()}
        self._flush()
        self._settings |= values
        self._configure()

    # Results under VQF's names

    def _named(self, r: Results) -> Results:
        if not self._uses_magnetometer:
            return {"quat6D": r["quaternion"]}
        return {"quat6D": r["quaternion_6d"], "quat9D": r["quaternion"], "delta": r["field_turn"]}

    def _full(self, r: Results) -> Results:
        count = len(r["quaternion"])
        results = {"quat6D": r["quaternion"], "quat9D": r["quaternion"], "delta": np.zeros(count)} | BasicVQF._named(self, r)
        turn = r["gyroscope_quaternion"]
        results["gyrQuat"], results["accQuat"] = turn, product(results["quat6D"], turn * [1, -1, -1, -1])
        return {name: results[name] for name in ("quat6D", "quat9D", "gyrQuat", "accQuat", "delta")}

    def _now(self) -> Results:
        """The state, one row under VQF's names."""
        self._flush()
        if self._filter is not None:
            row = tables(1, self._columns(_BATCH | _STATE))
            output, details = split(row)
            structure = c.Output()
            for name, table in output.items():
                setattr(structure, name, _arrays.flags(table) if table.dtype == bool else _arrays.table(table))
            c.check(c.library.ocm_state(self._filter._handle, ctypes.byref(structure)))
            c.check(c.library.ocm_get_details(self._filter._handle, ctypes.byref(details)))
            return self._full(from_identity(row))
        columns = _BATCH | _STATE | _BATCH_FIELD
        row = {name: np.zeros((1, width) if width > 1 else 1, float if width else bool) for name, width in columns.items()}
        for name in ("quaternion", "quaternion_6d", "gyroscope_quaternion"):
            row[name][:] = [1, 0, 0, 0]
        row["bias_covariance"][0, ::4] = math.radians(self._settings["biasSigmaInit"]) ** 2
        if self._known_bias is not None:
            row["bias"][:] = self._known_bias[0]
            if self._known_bias[1] >= 0:
                row["bias_covariance"][0, ::4] = self._known_bias[1] ** 2
        row["bias_deviation"][:] = math.sqrt(row["bias_covariance"][0, 0])
        if self._known_field is not None:
            row["known_field"][:] = self._known_field
        return self._full(row)

    def getQuat3D(self) -> Array:
        """The rates without bias integrated, and nothing else, shape (4,)."""
        return self._now()["gyrQuat"][0]

    def getQuat6D(self) -> Array:
        """The attitude without the magnetometer, shape (4,)."""
        return self._now()["quat6D"][0]

    def getQuat9D(self) -> Array:
        """The attitude with the magnetometer, shape (4,)."""
        return self._now()["quat9D"][0]

    def getDelta(self) -> float:
        """The angle from the azimuth of `getQuat6D` to that of `getQuat9D`, rad."""
        return float(self._now()["delta"][0])

    @property
    def params(self) -> Values:
        """The parameters by name."""
        return Values(tauAcc=self._settings["tauAcc"], tauMag=self._settings["tauMag"])

    @property
    def coeffs(self) -> Values:
        """The sampling intervals, s. The others of VQF belong to its own equations and raise NotImplementedError."""
        return Values(self._intervals)

    @property
    def state(self) -> State:
        """The values of the state. One that was read can be set again, also of another object.

        Before it is set, ``bias``, ``magRefNorm`` and ``magRefDip`` may be changed; other changes raise NotImplementedError.
        """
        values: dict[str, Any] = {}
        for name, table in self._now().items():
            if name not in ("quat6D", "quat9D", "biasSigma", "relativeRestDeviations"):
                values[name] = table[0].tolist()
        stream = None if self._filter is None else copy.copy(self._filter)
        return State(values, stream, self._latest)

    @state.setter
    def state(self, value: Any) -> None:
        if not isinstance(value, State) or value.keys() != value.read.keys():
            raise NotImplementedError("state: only one that was read from this property can be set; it holds more than its values.")
        changed = {name for name in value if not np.array_equal(value[name], value.read[name])}
        fixed = changed - {"bias", "magRefNorm", "magRefDip"}
        if fixed:
            raise NotImplementedError(
                f"state: {', '.join(sorted(fixed))} cannot be changed alone. See setBiasEstimate, setMagRef and the settings."
            )
        self.resetState()
        if value.stream is not None:
            self._filter = copy.copy(value.stream)
            self._uses_magnetometer = self._filter._uses_magnetometer
            self._latest = value.latest
            self._row = max(0, math.floor(value.latest / self._intervals["gyrTs"] * 1e-9))
            while self._time(self._row) <= self._latest:
                self._row += 1
            self._configure()
        if "bias" in changed:
            self._set_bias(value["bias"], -1.0)
        if changed & {"magRefNorm", "magRefDip"}:
            self._set_field(value["magRefNorm"], value["magRefDip"])

    def _set_bias(self, bias: npt.ArrayLike, sigma: float) -> None:
        values = _single("bias", bias)
        if not (np.abs(values) <= 0.2).all():
            raise ValueError(f"bias: rad/s, at most 0.2 (11 °/s), are needed, not {bias!r}")
        if not (sigma == -1 or 0 <= sigma <= 1e3):
            raise ValueError(f"sigma: rad/s, or -1 to keep it, are needed, not {sigma!r}")
        self._flush()
        if self._filter is None:
            self._known_bias = (values, float(sigma))
        else:
            self._filter_bias(values, float(sigma))

    def _filter_bias(self, bias: Array, sigma: float) -> None:
        assert self._filter is not None
        c.check(c.library.ocm_set_bias(self._filter._handle, (ctypes.c_double * 3)(*bias), sigma))

    def _set_field(self, norm: float, dip: float) -> None:
        if not 0 < norm < 1e12:
            raise ValueError(f"norm: the strength of the earth's field in the magnetometer's unit is needed, not {norm!r}")
        if not abs(dip) < 1.57:
            raise ValueError(f"dip: rad, less than a right angle, are needed, not {dip!r}")
        self._flush()
        if self._filter is None:
            self._known_field = (float(norm), float(dip))
        elif self._uses_magnetometer:
            c.check(c.library.ocm_set_field(self._filter._handle, float(norm), float(dip)))

    # Settings

    def setTauAcc(self, tauAcc: float) -> None:
        """Accepts the default, 3 s, only: the weight of the accelerometer follows from the motion."""
        checked("tauAcc", tauAcc)

    def setTauMag(self, tauMag: float) -> None:
        """Accepts the default, 9 s, only: the weight of the magnetometer follows from the uncertainties."""
        checked("tauMag", tauMag)


def tables(count: int, columns: dict[str, int]) -> Results:
    """Arrays of so many columns each, in one piece of memory: the first touch of a page costs as much as a few rows of the filter."""
    memory = np.empty(count * sum(columns.values()))
    result: Results = {}
    start = 0
    for name, width in columns.items():
        table = memory[start : start + count * width]
        result[name] = np.empty(count, bool) if width == 0 else np.reshape(table, (count, width)) if width > 1 else table
        start += count * width
    return result


def split(results: Results) -> tuple[Results, c.Details]:
    """The tables of `ocm_output`, and the structure of the others."""
    details = c.Details(size=sizeof(c.Details))
    for name in results.keys() & _DETAILS:
        table = results[name]
        setattr(details, name, _arrays.flags(table) if table.dtype == bool else _arrays.table(table))
    return {name: table for name, table in results.items() if name not in _DETAILS}, details


def from_identity(results: Results) -> Results:
    """The identity instead of NaN in the rows before the first attitude."""
    first = results["quaternion"][:, 0]
    if len(first) and np.isnan(first[0]):
        known = ~np.isnan(first)
        unknown = int(known.argmax()) if known.any() else len(first)
        for name in results.keys() & {"quaternion", "quaternion_6d"}:
            results[name][:unknown] = [1, 0, 0, 0]
    return results


def _single(name: str, value: Any) -> Array:
    array = _arrays.numbers(name, value)
    if array.shape != (3,):
        raise ValueError(f"{name}: the shape (3,) is needed; it is {array.shape}")
    return array.astype(np.float64)
