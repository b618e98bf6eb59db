# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Steps (`steps`) and activities (`activity`) of a recording of an accelerometer."""

from __future__ import annotations

import ctypes
import dataclasses
import importlib
import weakref
from ctypes import byref, sizeof
from typing import Any, NamedTuple, Optional, cast

import numpy as np
import numpy.typing as npt

from . import _arrays
from . import _library as c

_PLACEMENTS = {"body": 0, "wrist": 1, "head": 2}
_KINDS = {1: "unknown", 2: "stationary", 4: "walking", 8: "running", 16: "automotive", 32: "cycling"}
_CONFIDENCES = ("low", "medium", "high")
_EPOCH = np.dtype(
    [(name, np.int64) for name in ("start", "end", "steps")]
    + [(name, np.float64) for name in ("distance", "distance_low", "distance_high", "distance_common_sd", "distance_variance")]
    + [("active_time", np.float64), ("floors_up", np.int32), ("floors_down", np.int32)]
)
_EVENT = np.dtype([("time", np.int64), ("is_walking", np.int32), ("reserved", np.int32)])
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
        When a pause was noticed and when the person went on: `time` (ns) and `is_walking`.
    counts : dict
        Rows, and what was left out with ``missing="skip"``: late times, readings that were missing or impossible.
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

    def __repr__(self) -> str:
        cadence = "" if np.isnan(self.cadence) else f", {self.cadence:.2f} steps/s"
        return (
            f"Steps({self.count} [{self.low}, {self.high}], {self.distance:.1f} m "
            f"[{self.distance_low:.1f}, {self.distance_high:.1f}]{cadence}, {len(self.epochs)} epochs)"
        )

    def to_dataframe(self) -> Any:
        """The epochs as a pandas.DataFrame, a row for each; `start` and `end` as datetime64[ns].

        Raises
        ------
        ImportError
            Pandas is not installed.
        """
        pandas = load_pandas("Steps.to_dataframe")
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
    start : int
        Time of the first row, ns.
    duration, covered : float
        Seconds from the first row to the last, and the same without stretches of more than 2 s without rows.
    counts : dict
        Rows, and what was left out with ``missing="skip"``.
    """

    spans: list[Span]
    minutes: dict[str, Estimate]
    start: int
    duration: float
    covered: float
    counts: dict[str, int]

    def __len__(self) -> int:
        return len(self.spans)

    def __repr__(self) -> str:
        parts = (f"{name} {m.value:.1f} min [{m.low:.1f}, {m.high:.1f}]" for name, m in self.minutes.items())
        return f"Activity({len(self.spans)} spans: {'; '.join(parts)})"

    def to_dataframe(self) -> Any:
        """The spans as a pandas.DataFrame with `start` and `end` (s from the first row), `activity`, `confidence`.

        Raises
        ------
        ImportError
            Pandas is not installed.
        """
        pandas = load_pandas("Activity.to_dataframe")
        rows = [(span.start, span.end, span.name, span.confidence) for span in self.spans]
        return pandas.DataFrame(rows, columns=["start", "end", "activity", "confidence"])


def steps(
    t: Any,
    acc: Any,
    *,
    placement: str = "body",
    height: Optional[float] = None,
    pressure: Any = None,
    missing: str = "error",
) -> Steps:
    """Count the steps of a recording, and measure the distance on foot.

    Parameters
    ----------
    t : array_like, shape (n,)
        Times: floats are seconds, integers nanoseconds; datetime64 is allowed.
    acc : array_like, shape (n, 3), or tuple of three arrays of shape (n,)
        Specific force, m/s², device axes, at 12 Hz or more. How the device is turned does not matter.
    placement : {"body", "wrist", "head"}
        Where the device was worn: a phone in a pocket, hand or bag (default), a watch, headphones.
    height : float, optional
        The person's, 0.5 to 2.5 m, for the length of a step. Default: not known, 1.7 serves.
    pressure : array_like of shape (n,), or tuple (times, values), optional
        Pressure of the air, Pa, for floors: at the times of `acc`, NaN where there is no reading; or with times of its own.
    missing : {"error", "skip"}
        What to do with NaN, impossible readings and times out of order. "skip" leaves them out and counts them (`Steps.counts`).

    Returns
    -------
    Steps
        The same numbers as ``motionctl steps``.

    Raises
    ------
    ValueError, TypeError
        The argument is named.

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
    rows = Rows(t, acc)
    with Run(placement, height, missing) as run:
        run.update(rows, pressure)
        total = run.summary()
        floors = bool(total.has_floors)
        return Steps(
            count=int(total.steps.value),
            low=int(total.steps.low),
            high=int(total.steps.high),
            distance=total.distance.value,
            distance_low=total.distance.low,
            distance_high=total.distance.high,
            floors_up=_estimate(total.floors_up) if floors else None,
            floors_down=_estimate(total.floors_down) if floors else None,
            **{name: getattr(total, name) for name in ("cadence", "active_time", "duration", "covered")},
            epochs=run.items("epochs", _EPOCH),
            events=run.items("events", _EVENT),
            counts=run.counts(),
        )


def activity(t: Any, acc: Any, *, placement: str = "body", missing: str = "error") -> Activity:
    """Tell stationary, walking, running, cycling and automotive apart.

    Parameters
    ----------
    t, acc, placement, missing
        As in `steps`.

    Returns
    -------
    Activity
        The same spans and minutes as ``motionctl steps``.

    Raises
    ------
    ValueError, TypeError
        The argument is named.

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
    rows = Rows(t, acc)
    with Run(placement, None, missing) as run:
        run.update(rows)
        total = run.summary()
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
        return Activity(spans, minutes, int(total.start), total.duration, total.covered, run.counts())


class Rows:
    """The arguments `t` and `acc`, checked, as the columns of ocm.h."""

    def __init__(self, t: Any, acc: Any) -> None:
        self.times: npt.NDArray[np.int64] = _arrays.nanoseconds(t)
        self.count = len(self.times)
        if not self.count:
            raise ValueError("t: there are no rows")
        self.input = c.Input(self.times.ctypes.data, self.times.strides[0])
        self.input.accelerometer, self.columns = _arrays.vectors("acc", acc, self.count)
        _check_unit(self.columns)


class Run:
    """An ocm_activity, from its creation to its end."""

    def __init__(self, placement: str, height: Optional[float], missing: str) -> None:
        if placement not in _PLACEMENTS:
            raise ValueError(f"placement: one of {', '.join(_PLACEMENTS)} is needed, not {placement!r}")
        if missing not in ("error", "skip"):
            raise ValueError(f'missing: "error" or "skip" is needed, not {missing!r}')
        p = c.ActivityParameters()
        c.library.ocm_activity_parameters_init(byref(p), sizeof(p))
        p.placement, p.skips_missing = _PLACEMENTS[placement], missing == "skip"
        if height is not None:
            if isinstance(height, (str, bytes, complex)) or not 0.5 <= float(height) <= 2.5:
                raise ValueError(f"height: metres from 0.5 to 2.5 are needed, not {height!r}")
            p.height = float(height)
        self._handle = ctypes.c_void_p()
        error = c.library.ocm_activity_create(byref(p), byref(self._handle))
        if error:
            raise MemoryError(c.message(error))
        self._end = weakref.finalize(self, c.library.ocm_activity_destroy, self._handle)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: Any) -> None:
        self._end()

    def update(self, rows: Rows, pressure: Any = None) -> None:
        """All rows of a recording."""
        times, columns = rows.times, rows.columns
        barometer, air = _pressure(pressure, times)
        error = c.library.ocm_activity_update(self._handle, rows.count, byref(rows.input), byref(barometer))
        if error == c.OK:
            error = c.library.ocm_activity_finish(self._handle)
        if error == c.OK:
            return
        row = c.library.ocm_activity_error_row(self._handle)
        if error == c.TIME:
            raise ValueError(f"t: row {row}, {int(times[row])} ns, is not later than the row before: sort the rows by time")
        if error == c.PRESSURE:
            reading = f"{air[1][row]:g} Pa at {int(air[0][row])} ns"
            raise ValueError(f"pressure: row {row}: {reading}: finite, and sorted by time, is needed")
        if error == c.ACCELEROMETER:
            raise ValueError(f"acc: row {row}, ({', '.join(f'{column[row]:g}' for column in columns)}): {c.message(error)}")
        raise ValueError(c.message(error))

    def summary(self) -> c.ActivitySummary:
        result = c.ActivitySummary(size=sizeof(c.ActivitySummary))
        c.library.ocm_activity_get_summary(self._handle, byref(result))
        return result

    def items(self, name: str, kind: np.dtype[np.void]) -> npt.NDArray[np.void]:
        """A list as a structured array."""
        get, count = getattr(c.library, f"ocm_activity_get_{name}"), ctypes.c_int64()
        get(self._handle, kind.itemsize, 0, None, byref(count))
        result = np.zeros(count.value, kind)
        get(self._handle, kind.itemsize, len(result), result.ctypes.data, byref(count))
        return result

    def counts(self) -> dict[str, int]:
        counts = c.Counts(size=sizeof(c.Counts))
        c.library.ocm_activity_get_counts(self._handle, byref(counts))
        return {name: getattr(counts, name) for name in ("rows", "late", "accelerometer")}


def _check_unit(columns: Any) -> None:
    """Readings in g have a median length near 1."""
    part = slice(None, None, max(1, len(columns[0]) // 10_000))
    x, y, z = (np.asarray(column[part], np.float64) for column in columns)
    with np.errstate(all="ignore"):
        length = np.sqrt(x * x + y * y + z * z)
    median = _median(length)
    if 0.5 < median < 2:
        raise ValueError(f"acc: the median length is {median:.2f}, which are g: m/s² is needed; multiply by 9.80665")


def _median(values: npt.NDArray[np.float64]) -> float:
    """Of the finite ones; NaN without one."""
    finite = values[np.isfinite(values)]
    return float(np.median(finite)) if len(finite) else float("nan")


def _pressure(pressure: Any, times: npt.NDArray[np.int64]) -> tuple[c.Pressure, tuple[Any, Any]]:
    """What ocm.h takes, and the arrays that have to stay alive."""
    if pressure is None:
        return c.Pressure(), (None, None)
    if isinstance(pressure, tuple):
        parts = cast("tuple[Any, ...]", pressure)
        if len(parts) != 2:
            raise ValueError(f"pressure: a tuple has two parts, times and values; this one has {len(parts)}")
        try:
            air_times = _arrays.nanoseconds(parts[0])
        except (ValueError, TypeError) as error:
            raise type(error)(f"pressure: {error}") from None
        values = np.asarray(_arrays.numbers("pressure", parts[1]), np.float64)
        if values.shape != air_times.shape:
            raise ValueError(f"pressure: there are {len(air_times)} times; the shape of the values is {values.shape}")
    else:
        values = np.asarray(_arrays.numbers("pressure", pressure), np.float64)
        if values.shape != times.shape:
            raise ValueError(f"pressure: the shape {times.shape} is needed, as in t; it is {values.shape}")
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


def load_pandas(name: str) -> Any:
    try:
        pandas: Any = importlib.import_module("pandas")
    except ImportError:
        raise ImportError(f"{name} needs pandas: pip install pandas") from None
    return pandas
