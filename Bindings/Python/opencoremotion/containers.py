# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Sensor arrays out of files of named arrays: HDF5 (needs h5py) and MATLAB's MAT (needs SciPy; version 7.3 is HDF5).

>>> arrays = read("walk.mat")                    # doctest: +SKIP
>>> motion = ocm.fuse(**arrays)                  # doctest: +SKIP

The arrays are found by name: a part of ``gyr``, ``acc``, ``mag`` with three columns or rows, and a time or a rate. Where a name is another
one, or a file has several sensors, say which. On the command line, as a table that motionctl reads:

    python3 -m opencoremotion.containers walk.mat walk.csv
    python3 -m opencoremotion.containers walk.h5 --list
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np

#: What names of the sensors, of the time and of the rate look like, without what a unit in brackets adds.
NAMES = {
    "gyr": r"gyr(o|os|oscopes?)?|rotation_?rates?|ang(ular)?_?(vel(ocity)?|rate)s?|omega|w",
    "acc": r"acc(el|eleration|elerations|elerometers?|s)?|specific_?forces?|f|a",
    "mag": r"mag(s|netometers?|netic_?fields?)?|m",
    "t": r"t|times?|time_?stamps?|time_?s|seconds|sec",
    "rate": r"fs|rate|freq(uency)?|sampl(e|ing)_?(rate|freq(uency)?)|hz",
}
_PREFIX = r"(?:.*[_./ -])?(?:imu|sensors?|raw|data|body|cal(ibrated)?)?_?"
# Days, as MATLAB's datenum counts them.
_TIME_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "d": 86400.0}


class ContainerError(ValueError):
    """What a file has, and what to say, where the arrays of a recording cannot be told from their names."""


def arrays(path: Any) -> dict[str, np.ndarray]:
    """All arrays of numbers in a file, by their path in it ("trial1/imu_acc")."""
    with open(path, "rb") as file:
        head = file.read(8200)
    if any(head[place:].startswith(b"\x89HDF\r\n\x1a\n") for place in (0, 512, 1024, 2048, 4096, 8192)):
        return _hdf5(path)
    if head.startswith(b"MATLAB 5.0 MAT-file"):
        return _mat(path)
    raise ContainerError(f"{path} is neither HDF5 nor a MAT file of version 5 to 7.3.")


def _hdf5(path: Any) -> dict[str, np.ndarray]:
    try:
        import h5py
    except ImportError:
        raise ImportError("HDF5 and MAT files of version 7.3 need h5py: pip install h5py") from None
    found: dict[str, np.ndarray] = {}

    def visit(name: str, item: Any) -> None:
        # Of a MAT file, "#refs#" holds the cells of cell arrays, and characters are numbers.
        if not isinstance(item, h5py.Dataset) or name.startswith("#") or item.attrs.get("MATLAB_class") == b"char":
            return
        if item.dtype.kind in "fiu" and item.size:
            found[name] = np.asarray(item[()])
        elif item.dtype.names:
            for column in item.dtype.names:
                if item.dtype[column].base.kind in "fiu":
                    found[f"{name}/{column}"] = np.asarray(item[column])

    try:
        with h5py.File(path, "r") as file:
            file.visititems(visit)
            # The rate is often an attribute.
            for name, value in file.attrs.items():
                if np.asarray(value).dtype.kind in "fiu":
                    found.setdefault(name, np.asarray(value))
    except (OSError, RuntimeError, KeyError) as error:
        raise ContainerError(f"{path} cannot be read, it is damaged: {error}") from error
    return found


def _mat(path: Any) -> dict[str, np.ndarray]:
    try:
        from scipy.io import loadmat
    except ImportError:
        raise ImportError("MAT files need SciPy: pip install scipy") from None
    found: dict[str, np.ndarray] = {}

    def visit(name: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                if not key.startswith("__"):
                    visit(f"{name}/{key}" if name else key, inner)
        elif isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.dtype == object):
            for index, inner in enumerate(np.ravel(np.asarray(value, dtype=object))):
                visit(f"{name}/{index}", inner)
        elif np.asarray(value).dtype.kind in "fiu" and np.asarray(value).size:
            found[name] = np.asarray(value)

    try:
        visit("", loadmat(path, simplify_cells=True))
    # SciPy raises many kinds on a damaged file.
    except Exception as error:
        raise ContainerError(f"{path} cannot be read, it is damaged: {error}") from error
    if not found:
        raise ContainerError(
            f"{path} holds no arrays of numbers that SciPy can read. Of a table or timetable, save its columns: "
            "s = table2struct(T, 'ToScalar', true); save('walk.mat', '-struct', 's')"
        )
    return found


def read(
    path: Any,
    *,
    gyr: Union[str, Sequence[str], None] = None,
    acc: Union[str, Sequence[str], None] = None,
    mag: Union[str, Sequence[str], None] = None,
    t: Optional[str] = None,
    rate: Optional[float] = None,
    group: str = "",
    t_unit: Optional[str] = None,
) -> dict[str, np.ndarray]:
    """Read the arrays of one recording.

    Parameters
    ----------
    path : str or pathlib.Path
        An HDF5 or MAT file.
    gyr, acc, mag : str or three of them, optional
        The path of an array of three columns in the file, or of three arrays. Default: found by name.
    t : str, optional
        The path of the times. Default: found by name; without one the times follow from the rate.
    rate : float, optional
        Samples a second, where the file has no times. Default: found by name.
    group : str
        Only arrays whose path begins so: of a file with several sensors or trials.
    t_unit : {"s", "ms", "us", "ns", "d"}, optional
        Default: the one that makes the median rate lie between 4 and 4000 samples a second.

    Returns
    -------
    dict
        ``t`` (n,) in seconds, ``gyr`` (n, 3), ``acc`` (n, 3), and ``mag`` (n, 3) where there is one; in the units of the file, float64.

    Raises
    ------
    ContainerError
        If an array is missing or cannot be told from others; it names what the file has.
    ImportError
        If h5py or SciPy is not installed.
    """
    every = arrays(path)
    inside = {name: array for name, array in every.items() if name.startswith(group)}
    chooser = _Chooser(str(path), inside)
    result = {}
    for sensor, wanted in (("gyr", gyr), ("acc", acc), ("mag", mag)):
        found = chooser.vectors(sensor, wanted)
        if found is not None:
            result[sensor] = found
        elif sensor != "mag":
            raise chooser.error(f"no array is called like {sensor}: say {sensor}=")
    lengths = {len(array) for array in result.values()}
    if len(lengths) != 1:
        shapes = ", ".join(f"{name} {len(array)}" for name, array in result.items())
        raise chooser.error(f"the sensors have different numbers of rows ({shapes}): leave one out, or bring them to one rate")
    count = lengths.pop()
    times = chooser.times(t, count)
    if times is not None and rate is None:
        times = _seconds(times, t_unit, chooser)
    else:
        rate = chooser.rate() if rate is None else rate
        if rate is None or not np.isfinite(rate) or rate <= 0:
            raise chooser.error("there is neither a time of each row nor a rate: say t= or rate=")
        times = np.arange(count) / rate
    return {"t": times, **result}


def read_hdf5(path: Any, **options: Any) -> dict[str, np.ndarray]:
    """`read` of an HDF5 file."""
    return read(path, **options)


def read_mat(path: Any, **options: Any) -> dict[str, np.ndarray]:
    """`read` of a MAT file."""
    return read(path, **options)


def _seconds(times: np.ndarray, unit: Optional[str], chooser: _Chooser) -> np.ndarray:
    """Times in seconds, from zero where integers would lose bits."""
    if unit is not None and unit not in _TIME_UNITS:
        raise ValueError(f"t_unit is one of {', '.join(_TIME_UNITS)}, not {unit!r}.")
    start = times[0] if times.dtype.kind in "iu" else times.dtype.type(0)
    numbers = (times - start).astype(np.float64)
    if unit is None:
        step = float(np.median(np.diff(numbers))) if len(numbers) > 1 else 0.0
        fitting = [name for name, scale in _TIME_UNITS.items() if 1 / 4000 <= step * scale < 1 / 4]
        if not fitting:
            raise chooser.error(f"the unit of the times is unclear, they are {step:g} apart: say t_unit=")
        unit = fitting[0]
    return numbers * _TIME_UNITS[unit]


class _Chooser:
    """Finds arrays by their names."""

    def __init__(self, path: str, found: dict[str, np.ndarray]) -> None:
        self.path, self.found = path, found

    def error(self, what: str) -> ContainerError:
        names = [f"{name} {array.shape}" for name, array in self.found.items()]
        more = f" and {len(names) - 20} more" if len(names) > 20 else ""
        return ContainerError(f"{self.path}: {what}. It has: {', '.join(names[:20]) or 'nothing'}{more}.")

    def _get(self, name: str) -> np.ndarray:
        if name not in self.found:
            raise self.error(f"there is no array {name!r}")
        return self.found[name]

    def _called(self, role: str, axis: str = "") -> list[str]:
        pattern = re.compile(_PREFIX + f"(?:{NAMES[role]})" + (f"_?{axis}" if axis else "") + r"(?:_?[\[(].*)?$", re.IGNORECASE)
        return [name for name in self.found if pattern.fullmatch(name.rsplit("/", 1)[-1])]

    def vectors(self, role: str, wanted: Union[str, Sequence[str], None]) -> Optional[np.ndarray]:
        if isinstance(wanted, str):
            found = _rows_of_three(self._get(wanted))
            if found is None:
                raise self.error(f"{wanted!r} has no three columns")
            return found
        if wanted is not None:
            return self._joined([self._get(name) for name in wanted])
        named = [name for name in self._called(role) if _rows_of_three(self.found[name]) is not None]
        if len(named) > 1:
            raise self.error(f"several arrays are called like {role} ({', '.join(named)}): say {role}= or group=")
        if named:
            return _rows_of_three(self.found[named[0]])
        axes = [self._called(role, axis) for axis in "xyz"]
        if any(len(names) > 1 for names in axes):
            raise self.error(f"several arrays are called like an axis of {role}: say {role}= or group=")
        return self._joined([self.found[names[0]] for names in axes]) if all(axes) else None

    def _joined(self, columns: Sequence[np.ndarray]) -> np.ndarray:
        flat = [np.ravel(column).astype(np.float64) for column in columns]
        if len(flat) != 3 or len({len(column) for column in flat}) != 1:
            raise self.error("three arrays of one length are needed for a sensor")
        return np.column_stack(flat)

    def times(self, wanted: Optional[str], count: int) -> Optional[np.ndarray]:
        if wanted is not None:
            times = np.ravel(self._get(wanted))
            if len(times) != count:
                raise self.error(f"{wanted!r} has {len(times)} times for {count} rows")
            return times
        named = [name for name in self._called("t") if self.found[name].size == count and count > 1]
        if len(named) > 1:
            raise self.error(f"several arrays are called like a time ({', '.join(named)}): say t=")
        return np.ravel(self.found[named[0]]) if named else None

    def rate(self) -> Optional[float]:
        named = [name for name in self._called("rate") if self.found[name].size == 1]
        return float(np.ravel(self.found[named[0]])[0]) if len(named) == 1 else None


def _rows_of_three(array: np.ndarray) -> Optional[np.ndarray]:
    """(n, 3) as it is, and (3, n), as HDF5 shows what MATLAB has written; else None."""
    array = np.squeeze(array)
    if array.ndim != 2 or 3 not in array.shape:
        return None
    return np.ascontiguousarray(array if array.shape[1] == 3 else array.T, dtype=np.float64)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python3 -m opencoremotion.containers", description="HDF5 or MAT in, a table of t,ax,ay,az,gx,gy,gz,mx,my,mz out."
    )
    parser.add_argument("file")
    parser.add_argument("output", nargs="?", help="a .csv")
    parser.add_argument("--list", action="store_true", help="the arrays of the file, and nothing else")
    parser.add_argument("--group", default="", help="only arrays whose path begins so")
    for name in ("gyr", "acc", "mag"):
        parser.add_argument(f"--{name}", help="the path of its array, or of three, with commas between")
    parser.add_argument("--t", help="the path of the times")
    parser.add_argument("--t-unit", choices=list(_TIME_UNITS))
    parser.add_argument("--rate", type=float, help="samples a second, where there are no times")
    options = parser.parse_args(arguments)
    if not options.list and not str(options.output or "").lower().endswith(".csv"):
        parser.error("name the table to write; its name ends with .csv")
    try:
        if options.list:
            for name, array in arrays(options.file).items():
                print(name, array.shape, array.dtype)
            return 0

        def names(text: Optional[str]) -> Union[str, Sequence[str], None]:
            return text.split(",") if text and "," in text else text

        found = read(
            options.file, gyr=names(options.gyr), acc=names(options.acc), mag=names(options.mag), t=options.t, rate=options.rate,
            group=options.group, t_unit=options.t_unit,
        )  # fmt: skip
    except (ContainerError, ImportError, OSError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    sensors = [name for name in ("acc", "gyr", "mag") if name in found]
    rows = np.column_stack([found["t"], *(found[name] for name in sensors)])
    header = ",".join(["t", *(name[0] + axis for name in sensors for axis in "xyz")])
    # 17 digits: the same numbers come back.
    np.savetxt(options.output, rows, delimiter=",", header=header, comments="", fmt="%.17g")
    print(f"{len(rows)} rows of {', '.join(sensors)} in the units of the file: {options.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
