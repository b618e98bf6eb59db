# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Whether what a filter is given has the units, signs, axes and times that it takes: judged by the data themselves."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any, Optional

import numpy as np

from ._mistakes import AXES_EVIDENCE, EVIDENCE, InputError, InputWarning, fast, field, gravity, interval, sign, turning
from ._windows import FEW, MANY, TO_MODES, Fit, Windows, fit_of, middle, windows

__all__ = ["InputError", "InputWarning", "Judge", "NOTHING", "Result", "check"]


@dataclasses.dataclass(frozen=True)
class Result:
    """What a check has found, if it has not raised."""

    assumed: tuple[str, ...] = ()
    warning: str = ""


NOTHING = Result()


def check(
    t: np.ndarray, gyr: Any, acc: Any, mag: Any, *, tesla: float, mag_unit: str, calibrated: bool, sign_is_said: bool, zeros: bool = False
) -> Result:
    """Raises `InputError` for a wrong unit, axis or time. `gyr`, `acc`, `mag` are three columns each."""
    interval(t)
    count = len(t)
    if not count:
        return Result()
    rows = slice(None, None, max(1, count // 500))
    with np.errstate(all="ignore"):
        if zeros:
            absent = (acc[0] == 0) & (acc[1] == 0) & (acc[2] == 0)
            if absent.any():
                acc = [np.where(absent, np.nan, column) for column in acc]
        some_gyr, some_acc = (np.array([column[rows] for column in sensor], np.float64) for sensor in (gyr, acc))
        for sensor in (some_gyr, some_acc):
            sensor[:, np.abs(sensor).max(0) > 1e12] = np.nan  # impossible: the filter says so
        w: Optional[Windows] = None
        fit: Optional[Fit] = None
        mean: Optional[float] = None
        is_rough, assumed = False, list[str]()
        for size in (FEW, MANY):
            tried = windows(t, gyr, acc, mag, size)
            if tried is None:
                break
            is_rough |= tried.clipped
            if not len(tried.time) or not np.abs(tried.turn).max() < 1e6 or not np.abs(tried.force).max() < 1e12:
                break
            w, fit = tried, fit_of(tried, tried.turn, solve=False)
            is_rough |= bool(tried.time[0].sum() < 2)
            if -fit.likelihood < EVIDENCE:
                break
        if w is not None and fit is not None:
            # Whichever is longer: in the device's axes, should gyr be wrong.
            mean = max(float(middle(np.sqrt((m * m).sum(0)))) for m in (fit.mean, w.force @ TO_MODES[:, 0]))
        gravity(some_gyr, some_acc, mean, is_rough)
        fast(some_gyr)
        if w is not None and fit is not None:
            fit = turning(w, fit)
        if w is None or not _turns(w):
            assumed.append("unit, sign and axes of gyr, as gravity hardly turns")
        inclination = None
        if mag is not None:
            some_mag = np.array([column[rows] for column in mag], np.float64)
            inclination = field(w, some_mag, fit, tesla, mag_unit, calibrated)
        warning = ""
        if not sign_is_said:
            confirmed, warning = sign(some_acc, inclination)
            if not confirmed and not warning:
                assumed.append('sign of acc, as no sensor tells it (sign="reaction" says it)')
        return Result(tuple(assumed), warning)


def _turns(w: Windows) -> bool:
    """Whether gravity turns in the device's axes."""
    rest = w.force @ TO_MODES[:, 1:]
    return bool(2.5 * np.log1p((rest * rest).sum((0, -1)) / 5 / w.variance).sum() > AXES_EVIDENCE)


class Judge:
    """The check of one filter: of a whole recording, or of the first minute of a stream, as it comes."""

    #: When a stream is judged, s from its first row; and the most rows that are kept for it.
    _TIMES, _ROWS = (0.5, 6.5, 13.0, 26.0, 60.0), 100_000

    def __init__(self, **said: Any) -> None:
        self._said = said
        self._lock = threading.Lock()
        self.reset()

    def reset(self) -> None:
        self._warned = False  # of the sign, which is once enough
        self._parts: Optional[list[Any]] = []
        self._rows = self._judged = 0

    def copy(self) -> "Judge":
        twin = Judge(**self._said)
        with self._lock:
            twin._warned, twin._rows, twin._judged = self._warned, self._rows, self._judged
            twin._parts = None if self._parts is None else list(self._parts)
        return twin

    def whole(self, t: np.ndarray, gyr: Any, acc: Any, mag: Any) -> Result:
        return check(t, gyr, acc, mag, **self._said)

    def more(self, t: np.ndarray, gyr: Any, acc: Any, mag: Any) -> Result:
        """Keeps the rows until the minute is over. After an error the rows of this call are not kept, as the filter has not seen them."""
        if self._parts is None or not len(t):
            return NOTHING
        with self._lock:
            return self._more(t, gyr, acc, mag)

    def _more(self, t: np.ndarray, gyr: Any, acc: Any, mag: Any) -> Result:
        parts = self._parts
        if parts is None:
            return NOTHING
        first = parts[0][0][0] if parts else t[0]
        if self._judged == 0 and not parts:
            interval(t)
        # The caller may use its arrays again.
        kept = t.copy(), *(None if s is None else np.array(s, np.float64) for s in (gyr, acc, mag))
        due = (int(t[-1]) - int(first)) * 1e-9 >= self._TIMES[self._judged] or self._rows + len(t) > self._ROWS
        result = NOTHING
        if due:
            every = [*parts, kept]
            times = np.concatenate([part[0] for part in every])
            sensors = [
                None if any(part[i] is None for part in every) else np.concatenate([part[i] for part in every], 1) for i in (1, 2, 3)
            ]
            is_said = self._said["sign_is_said"] or self._warned or self._judged == 0  # half a second tells no posture
            result = check(times, *sensors, **{**self._said, "sign_is_said": is_said})
            while self._judged < len(self._TIMES) and (int(t[-1]) - int(first)) * 1e-9 >= self._TIMES[self._judged]:
                self._judged += 1
            if self._judged == len(self._TIMES) or self._rows + len(t) > self._ROWS:
                self._parts = None
                return result
            if result.warning:
                self._warned = True
        parts.append(kept)
        self._rows += len(t)
        return result
