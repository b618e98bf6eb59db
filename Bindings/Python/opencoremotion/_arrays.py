# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""From arrays to the columns of ocm.h: checks that name the argument, and copies only where the type needs one."""

from __future__ import annotations

import datetime
import difflib
import functools
import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Optional, TypeVar

import numpy as np

from . import _library as c

_Function = TypeVar("_Function", bound=Callable[..., Any])
_ABSENT = {
    "gyr": "there is no gyroscope, and orientation needs one beside the accelerometer; steps and activity need the accelerometer alone",
    "acc": "there is no accelerometer, which fuse, steps and activity need",
}


def spelled(others: Iterable[str] = ()) -> Callable[[_Function], _Function]:
    """For a function of these `others`, too: a sentence for an argument that it does not have, and for a sensor that is missing."""

    def decorate(function: _Function) -> _Function:
        parameters = inspect.signature(function).parameters
        needed = [name for name, each in parameters.items() if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD]
        known = {*parameters, *others} - {"options", "others", "self"}

        @functools.wraps(function)
        def call(*arguments: Any, **named: Any) -> Any:
            for name in named.keys() - known:
                near = difflib.get_close_matches(name, known, 1)
                raise TypeError(f"{name}: there is no such argument" + (f"; did you mean {near[0]}?" if near else ""))
            for name in needed[len(arguments) :]:
                if name not in named:
                    raise TypeError(f"{name}: {_ABSENT.get(name, 'this argument is missing')}")
            return function(*arguments, **named)

        return call  # type: ignore[return-value]

    return decorate


def _array(name: str, value: Any) -> np.ndarray:
    """`value` as numpy has it. Beside its types there are pandas' nullable numbers, dates with a zone, and lists of datetime."""
    if value is None and name in _ABSENT:
        raise TypeError(f"{name}: real numbers are needed, not None: {_ABSENT[name]}")
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name}: not an array: {error}") from None
    if array.dtype != object:
        return array
    column: Any = value
    try:
        if hasattr(column, "to_numpy"):
            if hasattr(getattr(column, "dtype", None), "tz"):
                return column.to_numpy("datetime64[ns]")
            if name != "t":
                return column.to_numpy(np.float64, na_value=np.nan)
            if column.isna().any():
                raise ValueError(f"t: row {int(np.argmax(column.isna()))} is not a time")
            return column.to_numpy(np.float64 if column.dtype.kind == "f" else np.int64)
        if array.size and all(isinstance(x, datetime.datetime) for x in array.flat):
            utc = (x.astimezone(datetime.timezone.utc).replace(tzinfo=None) if x.tzinfo else x if x == x else "NaT" for x in array.flat)
            return np.array([*utc], "datetime64[us]").reshape(array.shape)
    except (TypeError, AttributeError):
        pass
    return array


def numbers(name: str, value: Any) -> np.ndarray:
    """`value` as an array of 32-bit or 64-bit floats of this machine; NaN where it is masked."""
    if isinstance(value, np.ma.MaskedArray):
        if value.dtype.kind not in "fiu":
            raise TypeError(f"{name}: real numbers are needed, not {value.dtype}")
        if value.dtype not in (np.float32, np.float64):
            value = value.astype(np.float64)
        value = value.filled(np.nan)
    array = _array(name, value)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: real numbers are needed, not {array.dtype}")
    if array.dtype in (np.float32, np.float64) and array.dtype.isnative:
        return array
    return array.astype(np.float64)


class Columns(tuple[np.ndarray, np.ndarray, np.ndarray]):
    """Three columns that have been checked."""


def columns(name: str, value: Any, count: int, factor: float = 1.0) -> Columns:
    """The columns of (n, 3) readings, or of three arrays of n, times a factor."""
    _, held = vectors(name, value, count)
    if factor != 1:
        held = [column.astype(np.float64) * factor for column in held]
    return Columns(held)


def vectors(name: str, value: Any, count: int) -> tuple[c.Vectors, Any]:
    """The columns of (n, 3) readings, or of three arrays of n, and what has to stay alive."""
    columns: Any
    if isinstance(value, Columns):
        columns = value
    elif isinstance(value, tuple) and len(value) == 3 and all(getattr(a, "ndim", 0) == 1 for a in value):
        columns = [numbers(name, column) for column in value]
        if any(column.shape != (count,) for column in columns):
            shapes = ", ".join(str(column.shape) for column in columns)
            raise ValueError(f"{name}: three columns of {count} rows are needed, as in t; their shapes are {shapes}")
        if len({(column.dtype, column.strides) for column in columns}) > 1:
            columns = [np.ascontiguousarray(column, np.float64) for column in columns]
    else:
        array = numbers(name, value)
        if array.shape != (count, 3):
            raise ValueError(f"{name}: the shape ({count}, 3) is needed, as t has {count} rows; it is {array.shape}")
        columns = [array[:, i] for i in range(3)]
    pointers = [column.ctypes.data for column in columns]
    return c.Vectors(*pointers, columns[0].strides[0], 1 if columns[0].dtype == np.float32 else 0), columns


def own_times(name: str, value: Any, unit: Optional[str]) -> Optional[tuple[np.ndarray, Any]]:
    """The times and values of a sensor that is a tuple of both; None for one with the times of the others."""
    if not isinstance(value, tuple) or len(value) != 2:
        return None
    try:
        return nanoseconds(value[0], unit), value[1]
    except (ValueError, TypeError) as error:
        raise type(error)(f"{name}: {error}") from None


def nearest(t: np.ndarray, times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The reading that is nearest to each time, as `motionctl fuse` takes it; NaN where it is more than 250 ms away."""
    if not len(times):
        return np.full((len(t), 3), np.nan)
    order = np.argsort(times, kind="stable")
    times, values = times[order], values[order]
    after = np.minimum(np.maximum(np.searchsorted(times, t), 1), len(times) - 1)
    before = np.maximum(after - 1, 0)
    row = np.where(t - times[before] <= times[after] - t, before, after)
    return np.where(abs(times[row] - t)[:, None] > 250_000_000, np.nan, values[row])


#: Nanoseconds per unit of time.
TIMES = {"s": 1_000_000_000, "ms": 1_000_000, "us": 1000, "µs": 1000, "ns": 1}
#: m/s² and rad/s per unit.
ACC_UNITS = {"m/s2": 1.0, "m/s²": 1.0, "g": 9.80665, "mg": 9.80665e-3}
GYR_UNITS = {"rad/s": 1.0, "deg/s": np.pi / 180, "°/s": np.pi / 180, "mrad/s": 1e-3}
SIGNS = {"reaction": 1.0, "apple": -1.0}
AccUnit = Literal["m/s2", "m/s²", "g", "mg"]
GyrUnit = Literal["rad/s", "deg/s", "°/s", "mrad/s"]
MagUnit = Literal["uT", "µT", "T", "mT", "nT", "G", "mG", "any"]
TimeUnit = Literal["s", "ms", "us", "µs", "ns"]
Sign = Literal["reaction", "apple"]
Order = Literal["agm", "gam", "mga"]
Missing = Literal["nan", "skip", "error"]
#: As `skips_missing` of ocm.h.
MISSING = {"nan": 2, "skip": 1, "error": 0}
#: Tesla per unit of a magnetometer.
MAG_UNITS = {"any": 0.0, "T": 1.0, "mT": 1e-3, "uT": 1e-6, "µT": 1e-6, "nT": 1e-9, "G": 1e-4, "mG": 1e-7}
_CHOICES: dict[str, Any] = {
    "acc_unit": ACC_UNITS, "gyr_unit": GYR_UNITS, "mag_unit": MAG_UNITS, "t_unit": (*TIMES, None), "sign": (*SIGNS, None),
    "order": c.ORDERS, "missing": MISSING, "errors": ("raise", "return"),
}  # fmt: skip


DEFAULTS: dict[str, Any] = {
    "acc_unit": "m/s2", "gyr_unit": "rad/s", "mag_unit": "uT", "t_unit": None, "sign": None, "order": "agm", "missing": "nan",
    "placement": None, "check": True, "calibrated": False, "slow_acc": False, "zeros_are_missing": False, "learned": None,
}  # fmt: skip


def chosen(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with the defaults, once each is one of its choices."""
    choose(**{name: value for name, value in options.items() if name in _CHOICES})
    return {**DEFAULTS, **options}


def choose(**given: Any) -> None:
    """Raises for an option that is none of its choices."""
    for name, value in given.items():
        if value not in (*_CHOICES[name],):
            raise ValueError(f"{name}: one of {', '.join(filter(None, _CHOICES[name]))} is needed, not {value!r}")


PLACEMENTS = ("body", "wrist", "head")


def place(words: Optional[str]) -> int:
    """Which of `PLACEMENTS` a text says; the first for None."""
    number = 0 if words is None else c.library.ocm_placement(str(words).encode())
    if number < 0:
        raise ValueError(f'placement: one of {", ".join(PLACEMENTS)}, or words as "Apple Watch", is needed, not {words!r}')
    return number


def refuse(error: int, row: int, times: np.ndarray, name: str, columns: Any, numbers: Any = None) -> None:
    """Raises for an error of the library in a row of times and the columns of a sensor; `numbers` of the rows where they are other ones."""
    number = row if numbers is None or row < 0 else int(numbers[row])
    if error == c.TIME:
        raise ValueError(
            f't: row {number}, {int(times[row])} ns, is not later than the row before: sort the rows by time, or missing="skip" leaves it out'
        )
    if row >= 0 and name:
        raise ValueError(f"{name}: row {number}, ({', '.join(f'{column[row]:g}' for column in columns)}): {c.message(error)}")
    raise ValueError(c.message(error))


def optional(name: str, module: str, user: str) -> Any:
    """A package that only its user needs."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ImportError(f"{user} needs {name}: pip install {name.lower()}") from None


def nanoseconds(value: Any, unit: Optional[str] = None) -> np.ndarray:
    """Times as integers: int64 are nanoseconds, floats are seconds, unless a unit is given; datetime64 are what they are."""
    if isinstance(value, np.ma.MaskedArray):
        if np.ma.getmaskarray(value).any():
            raise ValueError(f"t: row {int(np.ma.getmaskarray(value).argmax())} is masked: every row needs a time")
        value = value.data
    array = _array("t", value)
    if array.ndim != 1:
        raise ValueError(f"t: one dimension is needed; the shape is {array.shape}")
    if array.dtype.kind in "Mm":
        if np.isnat(array).any():
            raise ValueError(f"t: row {int(np.isnat(array).argmax())} is not a time")
        return array.astype(array.dtype.str[1] + "8[ns]").view(np.int64)
    if array.dtype.kind in "iu":
        if array.dtype.kind == "u" and array.size and int(array.max()) > np.iinfo(np.int64).max:
            raise ValueError("t: a time does not fit in 64 bits")
        array = array if array.dtype == np.int64 and array.dtype.isnative else array.astype(np.int64)
        factor = TIMES[unit or "ns"]
        if factor == 1:
            return array
        if array.size and max(abs(int(array.max())), abs(int(array.min()))) > np.iinfo(np.int64).max // factor:
            raise ValueError(f"t: a time in {unit} does not fit in 64 bits of nanoseconds")
        return array * factor
    if array.dtype.kind != "f":
        remedy = ": numpy.array(t, 'datetime64[ns]') reads ISO dates" if array.dtype.kind in "US" else ""
        raise TypeError(f"t: seconds as floats, nanoseconds as integers or datetime64 are needed, not {array.dtype}{remedy}")
    with np.errstate(all="ignore"):
        scaled = array.astype(np.float64) * float(TIMES[unit or "s"])
    usable = np.abs(scaled) < 9.2e18  # False for NaN, too
    if not usable.all():
        row = int(np.argmin(usable))
        size = abs(float(array[row]))
        remedy = '; of another unit: t_unit="ms", "us" or "ns"' if unit is None and size > 0 else ""
        if unit is None and 1e11 < size < 1e19:
            name = "ms" if size < 1e14 else "us" if size < 1e17 else "ns"
            remedy = f'; since 1970 this is {name}: t_unit="{name}"'
        raise ValueError(f"t: row {row} is {array[row]}: seconds below 9.2e9 are needed{remedy}")
    return np.rint(scaled).astype(np.int64)


def table(array: np.ndarray) -> c.Table:
    """Where a result goes; an array of one dimension is one column."""
    return c.Table(array.ctypes.data, array.strides[0], array.strides[1] if array.ndim > 1 else 8)


def flags(array: np.ndarray) -> c.Flags:
    """Where flags go."""
    return c.Flags(array.ctypes.data, array.strides[0])


def granted(assumed: tuple[str, ...], counts: Optional[dict[str, int]] = None) -> str:
    """What was left out, and taken for granted, as the end of a text."""
    left = ", ".join(f"{count} {name}" for name, count in (counts or {}).items() if name != "rows" and count)
    return (f"; left out: {left}" if left else "") + "".join(f"; taken for granted: {assumption}" for assumption in assumed)
