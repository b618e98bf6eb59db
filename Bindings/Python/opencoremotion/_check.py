# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Whether what a filter is given has the units, signs, axes and times that it takes: the verdict of `ocm_check`, in words."""

from __future__ import annotations

import dataclasses
import threading
from ctypes import byref, sizeof
from typing import Any, Optional

import numpy as np

from . import _arrays
from . import _library as c

__all__ = ["InputError", "InputWarning", "Judge", "NOTHING", "Result", "check"]

GRAVITY = 9.80665


class InputError(ValueError):
    """An argument contradicts the other ones: a wrong unit, sign, axis or time.

    Attributes
    ----------
    argument : str
        "t", "gyr", "acc" or "mag".
    measured : str
        What the data show.
    remedy : str
        The likely mistake, and what to do.
    """

    def __init__(self, argument: str, measured: str, remedy: str, recording: Optional[int] = None) -> None:
        place = "" if recording is None else f"recording {recording}: "
        super().__init__(f"{place}{argument}: {measured}; {remedy}. (check=False computes it all the same.)")
        self.argument, self.measured, self.remedy = argument, measured, remedy

    def of(self, recording: int) -> InputError:
        """The same of one recording of many."""
        return InputError(self.argument, self.measured, self.remedy, recording)

    def __reduce__(self) -> tuple[Any, ...]:
        return InputError, (self.argument, self.measured, self.remedy)


class InputWarning(UserWarning):
    """What the data make unlikely, but not impossible: a unit, sign or axes."""


@dataclasses.dataclass(frozen=True)
class Result:
    """What a check has found, if it has not raised."""

    assumed: tuple[str, ...] = ()
    warning: str = ""


NOTHING = Result()


def check(
    t: np.ndarray, gyr: Any, acc: Any, mag: Any, *, tesla: float = 0, mag_unit: str = "any", calibrated: bool = False,
    sign_is_said: bool = True, zeros: bool = False,
) -> Result:
    """Raises `InputError` for what is not possible. `gyr`, `acc`, `mag` are three columns each; without `gyr` the rest is judged."""
    p = c.parameters()
    p.magnetometer_unit, p.magnetometer_is_calibrated, p.zeros_are_missing = tesla, calibrated, zeros
    rows, held = c.Input(t.ctypes.data, t.strides[0]), []
    for name, columns in (("gyroscope", gyr), ("accelerometer", acc), ("magnetometer", mag)):
        if columns is not None:
            vectors, kept = _arrays.vectors(name, _arrays.Columns(_arrays.numbers(name, column) for column in columns), len(t))
            setattr(rows, name, vectors)
            held.append(kept)
    v = c.Verdict(size=sizeof(c.Verdict))
    error = c.library.ocm_check(byref(p), sign_is_said, len(t), byref(rows), byref(v))
    if error:
        raise ValueError(c.message(error))
    warning = ""
    if v.kind:
        argument, measured, remedy = _words(v, tesla * 1e6, mag_unit)
        if v.level == c.IMPOSSIBLE:
            raise InputError(argument, measured, remedy)
        warning = f"{argument}: {measured}; {remedy}"
        if v.lever:
            warning += f". Or all is right, and it turns about a point {v.lever:.2g} m away, as a pendulum or a merry-go-round does"
    assumed = []
    if gyr is not None and not v.turns:
        assumed.append("unit, sign and axes of gyr, as gravity hardly turns")
    if not (sign_is_said or v.confirms_sign or warning):
        assumed.append('sign of acc, as no sensor tells it (sign="reaction" says it)')
    return Result(tuple(assumed), warning)


def _words(v: c.Verdict, microtesla: float, mag_unit: str) -> tuple[str, str, str]:
    """The argument, what was measured, and the remedy."""
    kind, x = v.kind, v.measured
    sure = f"a likelihood ratio of e^{v.evidence:.0f}"
    if kind == 1:
        return "t", *_interval(x)
    if 2 <= kind <= 7:
        measured = f"its mean over seconds, which is gravity, is {x:.3g} in place of 9.81"
        if kind == 2:
            return "acc", "all readings are 0", "the columns were never filled"
        if kind == 3:
            return "acc", measured, "gyr has the length of gravity: acc and gyr are exchanged"
        if kind == 4:
            return "acc", measured, _per_gravity(v.factor)
        if kind == 5:
            return "acc", measured, "m/s² are needed; this is as a magnetometer in µT reads"
        if kind == 6:
            return "acc", measured, (
                "gravity has been removed: this is a user (linear) acceleration, and the accelerometer's own readings are needed "
                "(Core Motion: gravity + userAcceleration); or it is in another unit (acc_unit=)"
            )
        return "acc", measured, "m/s² are needed: it is in another unit (acc_unit=), or in counts"
    if kind == 8:
        return "gyr", f"its readings do not change, while gravity turns in acc (log likelihood {x:.0f})", (
            "the columns are of another sensor, or were never filled"
        )
    if kind == 9:
        return "gyr", f"its length is {x:.3g} in all rows, while it points elsewhere", (
            "it is a direction (gravity, a normalised field), and no rate of turning"
        )
    if kind == 10:
        return "gyr", f"its usual rate is {x:.3g} rad/s, {np.degrees(x):.0f} °/s, at the end of what sensors can read", (
            'it is in degrees per second (gyr_unit="deg/s"), milliradians per second ("mrad/s") or counts'
        )
    if kind == 11:
        if v.factor == 1e-3:
            return "gyr", f"it turns a thousand times faster than gravity in acc ({sure})", (
                'it is in milliradians per second (gyr_unit="mrad/s"), or t is in milliseconds (t_unit="ms")'
            )
        if v.factor > 1:
            return "gyr", f"gravity in acc turns about 57 times faster ({sure})", "degrees were converted to radians twice"
        sign = ", and with the opposite sign" if v.factor < 0 else ""
        return "gyr", f"it turns with {x:.3g} rad/s (RMS), gravity in acc about 57 times slower ({sure})", (
            f'it fits in degrees per second{sign}: gyr_unit="deg/s"; or it is of another device or time than acc'
        )
    if kind == 12:
        word, other = ("half", "twice") if v.factor < 1 else ("twice", "half")
        return "t", f"gravity in acc turns {word} as fast as gyr × intervals ({sure})", (
            f"the rate of the recording is {other} what t says, or the full scale of gyr is another one"
        )
    if kind in (13, 15):
        order, signs = [abs(axis) - 1 for axis in v.axes], [1 if axis > 0 else -1 for axis in v.axes]
        axes = ", ".join(f"{'-' if sign < 0 else ''}{'xyz'[axis]}" for axis, sign in zip(order, signs))
        if kind == 15:
            return "mag", f"with its axes as they are it does not turn as gyr and acc do; as ({axes}) it does ({sure})", (
                f"the sensors have different axes: pass mag[:, {order}] * {signs}"
            )
        if list(v.axes) == [-1, -2, -3]:
            return "gyr", f"it turns against gravity in acc ({sure})", (
                "its sign is the opposite one: pass -gyr; or all axes of acc are mirrored"
            )
        return "gyr", f"with its axes as they are it does not turn as gravity does in acc; as ({axes}) it does ({sure})", (
            f"the sensors have different axes: pass gyr[:, {order}] * {signs}, or turn acc"
        )
    if kind == 14:
        number = x / microtesla
        units = (("T", 1e6), ("G", 100.0), ("mT", 1e3), ("mG", 0.1), ("nT", 1e-3), ("uT", 1.0))
        fitting = [unit for unit, size in units if unit != mag_unit.replace("µ", "u") and 20 <= number * size <= 70]
        return "mag", f"its usual length is {number:.3g} {mag_unit}, the earth's field has 22 to 67 µT", (
            f'it is in {fitting[0]}: mag_unit="{fitting[0]}"' if fitting
            else 'it is in another unit (mag_unit=, or "any"), or no magnetometer'
        )
    found = f"the magnetic field points {np.degrees(x):.0f}° above the horizon, as in the southern half of the earth"
    return "acc", found if kind == 16 else f"the device lies face down in {x:.0%} of the rows", (
        'or else acc has Apple\'s sign (-9.81 on the axis that points up). Say which: sign="reaction" or sign="apple"'
    )


def _interval(step: float) -> tuple[str, str]:
    measured = f"the usual interval is {step:.3g} s"
    for factor, name in ((1e6, "ms"), (1e3, "us"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"), (1e9, "s"), (86400.0, "days")):
        if 1e-3 <= step * factor <= 0.11:
            break
    else:
        return measured, "floats are seconds, integers nanoseconds: say t_unit="
    if name == "days":
        remedy = "they are days, as of a spreadsheet: multiply them by 86400, after subtracting the first"
    else:
        remedy = f'{"integers are nanoseconds" if factor > 1 else "floats are seconds"}, these are {name}: t_unit="{name}"'
    return f"{measured}, a rate of {1 / step:.3g} Hz", remedy


def _per_gravity(size: float) -> str:
    known = {1: 'it is in g: acc_unit="g"', 1000: 'it is in mg: acc_unit="mg"', 981: "it is in cm/s²: divide it by 100",
             32: "it is in ft/s²: multiply it by 0.3048"}  # fmt: skip
    return known.get(round(size), f"it is in counts of {size:.0f} a g: multiply it by 9.80665 / {size:.0f}")


class Judge:
    """The check of one filter: of a whole recording, or of the first minute of a stream, as it comes."""

    #: When a stream is judged, s from its first row; and the most rows that are kept for it.
    _TIMES, _ROWS = (0.5, 6.5, 13.0, 26.0, 60.0), 100_000

    def __init__(self, **said: Any) -> None:
        self._said = said
        self._lock = threading.Lock()
        self.reset()

    def reset(self) -> None:
        self._warned = False  # which is once enough
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
            check(t[:400], None, [np.full(min(len(t), 400), np.nan)] * 3, None)  # the times alone
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
            if self._warned:
                result = Result(result.assumed)
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
