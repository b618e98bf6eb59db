# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Steps (`steps`) and activities (`activity`) of a recording of an accelerometer."""

from __future__ import annotations

import ctypes
import dataclasses
import weakref
from collections.abc import Mapping
from ctypes import byref, sizeof
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from . import _arrays, _check
from . import _library as c
from ._filter import Options

if TYPE_CHECKING:
    from typing_extensions import Unpack

_KINDS = {1: "unknown", 2: "stationary", 4: "walking", 8: "running", 16: "automotive", 32: "cycling"}
_CONFIDENCES = ("low", "medium", "high")
_EPOCH = np.dtype(
    [(name, np.int64) for name in ("start", "end", "steps")]
    + [(name, np.float64) for name in ("distance", "distance_low", "distance_high", "distance_common_sd", "distance_variance")]
    + [("active_time", np.float64), ("floors_up", np.int32), ("floors_down", np.int32)]
)
_EVENT = np.dtype([("t", np.int64), ("is_walking", np.int32), ("reserved", np.int32)])
_SPAN = np.dtype([("start", np.float64), ("end", np.float64), ("activity", np.int32), ("confidence", np.int32)])
_SHARE = np.dtype(
    [("activity", np.int32), ("spans", np.int32)] + [(name, np.float64) for name in ("seconds", "value", "low", "high")]
)


class Estimate(NamedTuple):
    """A figure and the interval in which the true one is expected."""

    value: float
    low: float
    high: float


@dataclasses.dataclass(frozen=True, eq=False)
class Steps:
    """The steps of a recording; the figures of ``motionctl steps``.

    Attributes
    ----------
    count : int
        Steps of both feet.
    low, high : int
        What the true number is expected in: the largest error of a recording with truth (5 %), and below it the steps that the
        activities beside walking may have feigned.
    distance : float
        Metres on foot.
    distance_low, distance_high : float
        Metres; the true distance is between them in 95 of 100 cases.
    cadence : float
        Mean steps per second while stepping; NaN without steps.
    active_time : float
        Seconds of walking and running.
    floors_up, floors_down : Estimate or None
        Floors of 3 m; None without `pressure`.
    duration, covered : float
        Seconds from the first row to the last, and the same without stretches of more than 2 s without rows.
    epochs : ndarray, shape (n,)
        The steps of a few seconds each, as a structured array: `start` and `end` (ns), `steps`, `distance`, `distance_low`,
        `distance_high` (m), `distance_common_sd` (m) and `distance_variance` (m²), which add up from epoch to epoch,
        `active_time` (s), `floors_up`, `floors_down`. Where nobody steps there is none.
    events : ndarray, shape (n,)
        When a pause was noticed and when the person went on: `t` (ns) and `is_walking`.
    counts : dict
        Rows, and what was left out of them: late times, readings that were missing or impossible.
    placement : str
        Where the device was worn.
    assumed : tuple of str
        What no argument says and was taken for granted: the placement.
    """

    count: int
    low: int
    high: int
    distance: float
    distance_low: float
    distance_high: float
    cadence: float
    active_time: float
    floors_up: Optional[Estimate]
    floors_down: Optional[Estimate]
    duration: float
    covered: float
    epochs: npt.NDArray[np.void]
    events: npt.NDArray[np.void]
    counts: dict[str, int]
    placement: str
    assumed: tuple[str, ...]

    def __repr__(self) -> str:
        cadence = "" if np.isnan(self.cadence) else f", {self.cadence:.2f} steps/s"
        return (
            f"Steps({self.count} [{self.low}, {self.high}], {self.distance:.1f} m "
            f"[{self.distance_low:.1f}, {self.distance_high:.1f}]{cadence}, {len(self.epochs)} epochs{_arrays.granted(self.assumed, self.counts)})"
        )

    def to_dataframe(self) -> Any:
        """The epochs as a pandas.DataFrame, a row for each; `start` and `end` as datetime64[ns]. An ImportError without pandas."""
        pandas = _arrays.optional("pandas", "pandas", "Steps.to_dataframe")
        frame = pandas.DataFrame({name: self.epochs[name] for name in _EPOCH.names or ()})
        return frame.astype({"start": "datetime64[ns]", "end": "datetime64[ns]"})


class Span(NamedTuple):
    """An activity from its beginning to the next one."""

    #: Seconds from the first row.
    start: float
    end: float
    #: Of "stationary", "walking", "running", "automotive", "cycling", "unknown"; a car that waits is automotive and stationary.
    #: Empty: motion that fits none.
    kinds: tuple[str, ...]
    #: "low", "medium" or "high": the highest that was reached.
    confidence: str

    @property
    def name(self) -> str:
        """As motionctl names it: "walking", "stationary, automotive", "undecided"."""
        return ", ".join(self.kinds) or "undecided"


@dataclasses.dataclass(frozen=True, eq=False)
class Activity:
    """The activities of a recording; the figures of ``motionctl steps``.

    Attributes
    ----------
    spans : list of Span
        One after the other, from the first row to the last.
    minutes : dict of Estimate
        Minutes of each activity, with their interval, the longest first; stretches without rows are in none.
    t0 : int
        Time of the first row, ns.
    duration, covered : float
        Seconds from the first row to the last, and the same without stretches of more than 2 s without rows.
    counts : dict
        Rows, and what was left out of them.
    placement, assumed
        As in `Steps`.
    """

    spans: list[Span]
    minutes: dict[str, Estimate]
    t0: int
    duration: float
    covered: float
    counts: dict[str, int]
    placement: str
    assumed: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.spans)

    def __repr__(self) -> str:
        parts = (f"{name} {m.value:.1f} min [{m.low:.1f}, {m.high:.1f}]" for name, m in self.minutes.items())
        return f"Activity({len(self.spans)} spans: {'; '.join(parts)}{_arrays.granted(self.assumed, self.counts)})"

    def to_dataframe(self) -> Any:
        """The spans as a pandas.DataFrame, `start` and `end` in s from the first row. An ImportError without pandas."""
        pandas = _arrays.optional("pandas", "pandas", "Activity.to_dataframe")
        rows = [(span.start, span.end, span.name, span.confidence) for span in self.spans]
        return pandas.DataFrame(rows, columns=["start", "end", "activity", "confidence"])


class StepsOptions(Options, total=False):
    """The options of `steps` and `activity`: those of `fuse`, so that a recording has them all, and two more."""

    gyr: Any
    mag: Any
    height: Optional[float]
    pressure: Any


@_arrays.spelled(StepsOptions.__annotations__)
def steps(t: Any, acc: Any, **options: Unpack[StepsOptions]) -> Steps:
    """Count the steps of a recording, and measure the distance on foot.

    Parameters
    ----------
    t : array_like, shape (n,)
        Times: floats are seconds, integers nanoseconds; datetime64 is allowed.
    acc : array_like, shape (n, 3), or tuple of three arrays of shape (n,)
        Specific force, m/s², device axes, at 12 Hz or more, or a tuple (times, values). How the device is turned does not matter.
    placement : {"body", "wrist", "head"} or text, optional
        Where the device was worn: a phone in a pocket, hand or bag, a watch, headphones; or what a recording or its device says of
        it, as "Apple Watch" or "left_wrist", and `placement` of `ocm.read`. Default: not known, the body is taken for granted
        (`Steps.assumed`).
    height : float, optional
        The person's, 0.5 to 2.5 m, for the length of a step. Default: not known, 1.7 serves.
    pressure : array_like of shape (n,), or tuple (times, values), optional
        Pressure of the air, Pa, for floors: at the times of `acc`, NaN where there is no reading; or with times of its own.
    missing, t_unit, acc_unit, check
        As in `Filter`: what is left out and counted (`Steps.counts`), other units, and whether the times and gravity's length are judged.
    gyr, mag, …
        The other arguments of `fuse`, which are not used: ``ocm.steps(**recording)`` takes what `read` gives.

    Returns
    -------
    Steps
        The same numbers as ``motionctl steps``.

    Notes
    -----
    The estimator is that of the article Steps of the documentation, which says what it was measured on: a wavelet of the step
    frequency, where a hidden Markov model over windows of 5.12 s says that the person walks.

    Examples
    --------
    >>> import numpy as np, opencoremotion as ocm
    >>> t = np.arange(6000) / 100
    >>> phase = 2 * np.pi * 1.9 * t
    >>> acc = np.column_stack([np.sin(phase / 2), 0 * t, 9.81 + 3 * np.sin(phase) + 1.5 * np.sin(2 * phase + 1)])
    >>> walk = ocm.steps(t, acc, height=1.75)
    >>> walk.count, walk.low, walk.high, round(walk.cadence, 1)
    (114, 108, 120, 1.9)
    """
    run = Run(t, acc, options)
    total = run.summary
    return Steps(
        *map(int, _estimate(total.steps)),
        *_estimate(total.distance),
        total.cadence,
        total.active_time,
        *(_estimate(floors) if total.has_floors else None for floors in (total.floors_up, total.floors_down)),
        epochs=run.items("epochs", _EPOCH),
        events=run.items("events", _EVENT),
        **run.common,
    )


@_arrays.spelled(StepsOptions.__annotations__)
def activity(t: Any, acc: Any, **options: Unpack[StepsOptions]) -> Activity:
    """Tell stationary, walking, running, cycling and automotive apart.

    Parameters
    ----------
    t, acc, **options
        As in `steps`; `height` and `pressure` are not used.

    Returns
    -------
    Activity
        The same spans and minutes as ``motionctl steps``.

    Notes
    -----
    What is decided is the middle of a window of 5.12 s; the article ActivityModel of the documentation says how good it is, and
    on what it was measured. Vehicles and bicycles were learned from simulations: the confidence of cycling is medium at most.

    Examples
    --------
    >>> import numpy as np, opencoremotion as ocm
    >>> t = np.arange(6000) / 100
    >>> found = ocm.activity(t, np.tile([0, 0, 9.81], (6000, 1)))
    >>> [(span.name, span.confidence) for span in found.spans]
    [('stationary', 'high')]
    """
    run = Run(t, acc, options)
    spans = [
        Span(float(span["start"]), float(span["end"]), _kinds(int(span["activity"])), _CONFIDENCES[int(span["confidence"])])
        for span in run.items("spans", _SPAN)
    ]
    minutes = {
        ", ".join(_kinds(int(share["activity"]))) or "undecided": Estimate(
            float(share["value"]), float(share["low"]), float(share["high"])
        )
        for share in run.items("shares", _SHARE)
    }
    return Activity(spans, minutes, int(run.summary.start), **run.common)


class Run:
    """The arguments, checked, and an ocm_activity that has them all."""

    def __init__(self, t: Any, acc: Any, options: Mapping[str, Any]) -> None:
        said = _arrays.chosen(options)
        t_unit, placement, height = said["t_unit"], said["placement"], said.get("height")
        times, acc = _arrays.own_times("acc", acc, t_unit) or (_arrays.nanoseconds(t, t_unit), acc)
        if not len(times):
            raise ValueError("t: there are no rows")
        readings = _arrays.columns("acc", acc, len(times), _arrays.ACC_UNITS[said["acc_unit"]])
        if said["check"]:
            _check.check(times, None, readings, None)
        p = c.ActivityParameters()
        c.library.ocm_activity_parameters_init(byref(p), sizeof(p))
        p.placement = _arrays.place(placement)
        p.skips_missing = _arrays.MISSING[said["missing"]]
        if height is not None:
            if isinstance(height, (str, bytes, complex)) or not 0.5 <= float(height) <= 2.5:
                raise ValueError(f"height: metres from 0.5 to 2.5 are needed, not {height!r}")
            p.height = float(height)
        self._handle = ctypes.c_void_p()
        error = c.library.ocm_activity_create(byref(p), byref(self._handle))
        if error:
            raise MemoryError(c.message(error))
        weakref.finalize(self, c.library.ocm_activity_destroy, self._handle)
        rows = c.Input(times.ctypes.data, times.strides[0])
        rows.accelerometer, columns = _arrays.vectors("acc", readings, len(times))
        barometer, air = _pressure(said.get("pressure"), times, t_unit)
        error = c.library.ocm_activity_update(self._handle, len(times), byref(rows), byref(barometer))
        if error:
            row = c.library.ocm_activity_error_row(self._handle)
            if error == c.PRESSURE:
                reading = f"{air[1][row]:g} Pa at {int(air[0][row])} ns"
                raise ValueError(f"pressure: row {row}: {reading}: finite, and sorted by time, is needed")
            _arrays.refuse(error, row, times, "acc" if error == c.ACCELEROMETER else "", columns)
        c.library.ocm_activity_finish(self._handle)
        self.summary, counts = c.ActivitySummary(size=sizeof(c.ActivitySummary)), c.Counts(size=sizeof(c.Counts))
        c.library.ocm_activity_get_summary(self._handle, byref(self.summary))
        c.library.ocm_activity_get_counts(self._handle, byref(counts))
        self.common: dict[str, Any] = {
            "duration": self.summary.duration,
            "covered": self.summary.covered,
            "counts": {name: getattr(counts, name) for name in ("rows", "late", "accelerometer")},
            "placement": _arrays.PLACEMENTS[p.placement],
            "assumed": () if placement else ('placement: body (give placement="wrist" for a watch, "head" for headphones)',),
        }

    def items(self, name: str, kind: np.dtype[np.void]) -> npt.NDArray[np.void]:
        """A list as a structured array."""
        get, count = getattr(c.library, f"ocm_activity_get_{name}"), ctypes.c_int64()
        get(self._handle, kind.itemsize, 0, None, byref(count))
        result = np.zeros(count.value, kind)
        get(self._handle, kind.itemsize, len(result), result.ctypes.data, byref(count))
        return result


def _median(values: npt.NDArray[np.float64]) -> float:
    """Of the finite ones; NaN without one."""
    finite = values[np.isfinite(values)]
    return float(np.median(finite)) if len(finite) else float("nan")


def _pressure(pressure: Any, times: npt.NDArray[np.int64], t_unit: Optional[str]) -> tuple[c.Pressure, tuple[Any, Any]]:
    """What ocm.h takes, and the arrays that have to stay alive."""
    if pressure is None:
        return c.Pressure(), (None, None)
    own = _arrays.own_times("pressure", pressure, t_unit)
    air_times, pressure = own or (times, pressure)
    values = np.asarray(_arrays.numbers("pressure", pressure), np.float64)
    if values.shape != air_times.shape:
        raise ValueError(f"pressure: the shape {air_times.shape} is needed, as its times have; it is {values.shape}")
    if air_times is times:
        is_reading = ~np.isnan(values)
        air_times, values = times[is_reading], values[is_reading]
    median = _median(values)
    if median <= 20_000 or median >= 115_000:
        raise ValueError(f"pressure: the median is {median:g}; Pa is needed: multiply hPa by 100, kPa by 1000")
    barometer = c.Pressure(len(values), air_times.ctypes.data, air_times.strides[0], values.ctypes.data, values.strides[0])
    return barometer, (air_times, values)


def _kinds(activity: int) -> tuple[str, ...]:
    return tuple(name for flag, name in _KINDS.items() if activity & flag)


def _estimate(estimate: c.Estimate) -> Estimate:
    return Estimate(estimate.value, estimate.low, estimate.high)
