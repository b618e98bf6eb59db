# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The filter: a whole recording (`fuse`), many (`fuse_many`), or rows as they come (`Filter`)."""

from __future__ import annotations

import concurrent.futures
import ctypes
import dataclasses
import os
import threading
import warnings
import weakref
from collections.abc import Iterable, Mapping
from ctypes import byref, sizeof
from typing import TYPE_CHECKING, Any, Literal, Optional, TypedDict, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _arrays, _check
from . import _library as c
from ._learned import Learned
from ._motion import Motion

if TYPE_CHECKING:
    from typing_extensions import Unpack

_WIDTHS = {"quaternion": 4, "gravity": 3, "user_acceleration": 3, "rate": 3, "bias": 3, "bias_sd": 3}
_COLUMNS = ("heading_sd", "inclination_sd")
_FLAGS = ("rest", "heading_known", "disturbed")
_ARGUMENTS = {c.GYROSCOPE: "gyr", c.ACCELEROMETER: "acc", c.MAGNETOMETER: "mag"}


class Options(TypedDict, total=False):
    """The options of `fuse` and `Filter`, for type checkers; `Filter` says what they mean."""

    calibrated: bool
    mag_unit: _arrays.MagUnit
    acc_unit: _arrays.AccUnit
    gyr_unit: _arrays.GyrUnit
    t_unit: Optional[_arrays.TimeUnit]
    sign: Optional[_arrays.Sign]
    placement: Optional[str]
    check: bool
    gyro_delay: Optional[float]
    gyro_range: Optional[float]
    gyro_bias_sd: Optional[float]
    acc_bias_sd: Optional[float]
    time_sd: Optional[float]
    missing: _arrays.Missing
    slow_acc: bool
    zeros_are_missing: bool
    order: _arrays.Order
    learned: Optional[Learned]


class SmoothOptions(Options, total=False):
    """The options of `fuse_many`."""

    smooth: bool


class Filter:
    """An orientation filter that takes rows as they come.

    Parameters
    ----------
    magnetometer : bool
        Use the magnetometer: the azimuth then counts from magnetic north. Else it is arbitrary.
    calibrated : bool
        The magnetometer's readings hold no field of the device itself. Default False: it is estimated.
    mag_unit : str
        "T", "mT", "uT" (default), "nT", "G", "mG", or "any": the first reading then counts as that of the earth's field.
    acc_unit : {"m/s2", "g", "mg"}
        Unit of the accelerometer. Default m/s².
    gyr_unit : {"rad/s", "deg/s", "mrad/s"}
        Unit of the gyroscope. Default rad/s.
    t_unit : {"s", "ms", "us", "ns"}, optional
        Unit of the times, integers or floats. Default: floats are seconds, integers nanoseconds.
    sign : {"reaction", "apple"}, optional
        Which way `acc` points at rest: +9.81 ("reaction", as of a chip, Android, ROS) or -9.81 m/s² ("apple", as Core Motion) on the axis that
        points up. Unless it is said it is "reaction", and `InputWarning` says where posture or magnetometer speak against it: an
        accelerometer and a gyroscope alone cannot tell, as mechanics is its own mirror image.
    placement : {"body", "wrist", "head"} or text, optional
        Where the device is worn, as in `steps`: a head turns more than it moves.
    check : bool
        Whether units, axes and times are judged by the data, and `InputError` raised for what contradicts them: of `Filter` in the first
        minute. Default True.
    gyro_delay : float, optional
        Age of a gyroscope reading at its time, s. Default: half an interval, as of a chip that averages and stamps the end; 0: a reading
        stands for the instant of its stamp.
    gyro_range : float, optional
        Largest reading of the gyroscope, rad/s; a reading there counts as uncertain.
    gyro_bias_sd : float, optional
        Uncertainty of the bias at the start, rad/s. Default 0.026 (1.5 °/s).
    acc_bias_sd : float, optional
        Error of the accelerometer, per axis, m/s². Default 0.08.
    time_sd : float, optional
        Uncertainty of the times, s. Default 0.0025.
    missing : {"nan", "skip", "error"}
        What is left out and counted (`counts`): "nan", default, as by motionctl: readings of three NaN and rows said twice; "skip": all that
        is an error otherwise, impossible readings and times out of order, too; "error": nothing. A magnetometer row of three NaN is no
        reading in any case: it may be slower than the other sensors.
    slow_acc : bool
        Gyroscope and accelerometer may be slower, too: a row of three NaN is no reading.
    zeros_are_missing : bool
        A row of three zeros of accelerometer or magnetometer is no reading.
    order : {"agm", "gam", "mga"}
        Order of the sensors within a row. "agm", default: accelerometer, gyroscope, output, magnetometer, as ``motionctl fuse``;
        "gam": gyroscope, accelerometer, magnetometer, output; "mga": magnetometer, gyroscope, accelerometer, output.
    learned : Learned, optional
        What an earlier recording of the same device has learned.

    Notes
    -----
    A filter may be used from several threads; one update runs at a time.
    """

    @_arrays.spelled(Options.__annotations__)
    def __init__(self, *, magnetometer: bool = True, **options: Unpack[Options]) -> None:
        said = _arrays.chosen(options)
        learned = said["learned"]
        if learned is not None and not isinstance(learned, Learned):
            raise TypeError(f"learned: a Learned is needed, not {type(learned).__name__}")
        p = c.parameters()
        p.uses_magnetometer, p.magnetometer_is_calibrated = bool(magnetometer), bool(said["calibrated"])
        p.is_headphone = _arrays.place(said["placement"]) == _arrays.PLACEMENTS.index("head")
        p.skips_missing, p.order = _arrays.MISSING[said["missing"]], c.ORDERS[said["order"]]
        p.accelerometer_is_slower, p.zeros_are_missing = bool(said["slow_acc"]), bool(said["zeros_are_missing"])
        p.magnetometer_unit = _arrays.MAG_UNITS[said["mag_unit"]]
        for name, argument, least, most in (
            ("gyroscope_delay", "gyro_delay", -1, 1),
            ("gyroscope_range", "gyro_range", 1e-9, 1e3),
            ("gyroscope_bias_deviation", "gyro_bias_sd", 1e-9, 1e3),
            ("accelerometer_bias_deviation", "acc_bias_sd", 1e-9, 1e3),
            ("time_stamp_deviation", "time_sd", 1e-9, 1e3),
        ):
            value = said.get(argument)
            if value is None:
                continue
            if isinstance(value, (str, bytes, complex)) or not least <= float(value) <= most:
                raise ValueError(f"{argument}: a number from {least} to {most:g} is needed, not {value!r}")
            setattr(p, name, float(value))
        self._factors = _arrays.ACC_UNITS[said["acc_unit"]] * _arrays.SIGNS[said["sign"] or "reaction"], _arrays.GYR_UNITS[said["gyr_unit"]]
        self._t_unit = said["t_unit"]
        given = dict(mag_unit=said["mag_unit"], tesla=p.magnetometer_unit, calibrated=bool(said["calibrated"]), zeros=bool(said["zeros_are_missing"]))
        self._judge = _check.Judge(sign_is_said=said["sign"] is not None, **given) if said["check"] else None
        handle = ctypes.c_void_p()
        error = c.library.ocm_create(byref(p), byref(learned._numbers) if learned else None, byref(handle))
        if error:
            raise ValueError(("learned: " if error == c.LEARNED else "") + c.message(error))
        self._parameters = p
        self._own(handle)

    def _own(self, handle: ctypes.c_void_p) -> None:
        self._handle = handle
        self._uses_magnetometer = bool(self._parameters.uses_magnetometer)
        self._lock = threading.Lock()
        weakref.finalize(self, c.library.ocm_destroy, handle)

    def __copy__(self) -> Filter:
        handle = ctypes.c_void_p()
        with self._lock:
            error = c.library.ocm_copy(self._handle, byref(handle))
        if error:
            raise MemoryError(c.message(error))
        twin = Filter.__new__(Filter)
        twin._parameters = c.Parameters.from_buffer_copy(self._parameters)
        twin._factors, twin._t_unit = self._factors, self._t_unit
        twin._judge = None if self._judge is None else self._judge.copy()
        twin._own(handle)
        return twin

    def __deepcopy__(self, memo: Any) -> Filter:
        return self.__copy__()

    def update(self, t: Any, gyr: Any, acc: Any, mag: Any = None) -> Motion:
        """Process rows that follow the earlier ones.

        Parameters
        ----------
        t : array_like, shape (n,)
            Times: floats are seconds, integers nanoseconds; datetime64 is allowed.
        gyr : array_like, shape (n, 3), or tuple of three arrays of shape (n,)
            Angular velocity, rad/s, device axes.
        acc : array_like, the same shape
            Specific force, m/s², device axes: +9.81 on the axis that points up at rest.
        mag : array_like, the same shape, optional
            Magnetic field, in the filter's unit; a row of NaN is no reading.

        Returns
        -------
        Motion
        """
        motion, warning = self._update(_arrays.nanoseconds(t, self._t_unit), gyr, acc, mag)
        if warning:
            warnings.warn(warning, _check.InputWarning, stacklevel=2)
        return motion

    def _update(
        self, times: NDArray[np.int64], gyr: Any, acc: Any, mag: Any, smooth: bool = False, whole: bool = False
    ) -> tuple[Motion, str]:
        """The motion, and a warning of the check; `whole`: no rows follow."""
        count = len(times)
        if mag is not None and not self._uses_magnetometer:
            raise ValueError("mag: this filter is without magnetometer; leave it out, or make one with magnetometer=True")
        gyr = _arrays.columns("gyr", gyr, count, self._factors[1])
        acc = _arrays.columns("acc", acc, count, self._factors[0])
        mag = None if mag is None else _arrays.columns("mag", mag, count)
        found = _check.NOTHING
        if self._judge is not None:
            found = self._judge.whole(times, gyr, acc, mag) if whole else self._judge.more(times, gyr, acc, mag)
        return self._motion(times, gyr, acc, mag, smooth, found.assumed), found.warning

    def _apart(self, times: NDArray[np.int64], own: dict[str, Any], smooth: bool) -> tuple[Motion, str]:
        """As `_update`, where sensors have times of their own: a row for each of `gyr`. `own` has pairs of times and values."""
        factors = {"gyr": self._factors[1], "acc": self._factors[0]}
        own = {name: (t, np.column_stack(_arrays.columns(name, value, len(t), factors.get(name, 1.0)))) for name, (t, value) in own.items()}
        near = {name: _arrays.nearest(times, *each) for name, each in own.items()} | {"gyr": own["gyr"][1]}
        found = _check.NOTHING
        if self._judge is not None:
            three = {name: _arrays.columns(name, each, len(times)) for name, each in near.items()}
            found = self._judge.whole(times, three["gyr"], three["acc"], three.get("mag"))
        # Each reading is a row; of those at one time the accelerometer's comes first, and the magnetometer's last, as by motionctl.
        names = [name for name in ("acc", "gyr", "mag") if name in own]
        stamps, numbers = (np.concatenate(parts) for parts in zip(*((own[name][0], np.arange(len(own[name][0]))) for name in names)))
        order, begin, rows = np.argsort(stamps, kind="stable"), 0, dict[str, Any](mag=None)
        for name in names:
            rows[name] = np.full((len(stamps), 3), np.nan)
            rows[name][begin : begin + len(own[name][1])] = own[name][1]
            rows[name], begin = rows[name][order], begin + len(own[name][1])
        motion = self._motion(stamps[order], rows["gyr"], rows["acc"], rows["mag"], smooth, found.assumed, numbers[order])
        place = np.argsort(order)
        first, place = place[0], place[len(own["acc"][0]) :][: len(times)]
        place[place == place[place < first].max(initial=-1)] = first  # the latest before the accelerometer begins waits for it
        fields = {field.name: getattr(motion, field.name)[place] for field in dataclasses.fields(Motion)[:12]}
        fields["user_acceleration"] = near["acc"] + fields["gravity"]
        return dataclasses.replace(motion, **fields), found.warning

    def _motion(
        self, times: NDArray[np.int64], gyr: Any, acc: Any, mag: Any, smooth: bool, assumed: tuple[str, ...] = (), numbers: Any = None
    ) -> Motion:
        # One block for the vectors: a large one gets huge pages, and a freed one is used again. Page faults cost as much as the filter.
        count = len(times)
        block, begin = np.empty(count * sum(_WIDTHS.values())), 0
        results: dict[str, Any] = {name: np.empty(count) for name in _COLUMNS}
        for name, width in _WIDTHS.items():
            results[name] = block[begin : begin + count * width].reshape(count, width)
            begin += count * width
        results |= {name: np.empty(count, bool) for name in _FLAGS}
        self._run(times, gyr, acc, mag, results, smooth, numbers)
        return Motion(t=times, **results, assumed=assumed)

    def _run(
        self, times: NDArray[np.int64], gyr: Any, acc: Any, mag: Any, results: Mapping[str, np.ndarray], smooth: bool = False,
        numbers: Any = None,
    ) -> None:  # fmt: skip
        count, rows = len(times), c.Input(times.ctypes.data, times.strides[0])
        rows.gyroscope, held_gyr = _arrays.vectors("gyr", gyr, count)
        rows.accelerometer, held_acc = _arrays.vectors("acc", acc, count)
        rows.magnetometer, held_mag = (c.Vectors(), None) if mag is None else _arrays.vectors("mag", mag, count)
        output = c.Output()
        for name, array in results.items():
            setattr(output, name, _arrays.flags(array) if array.dtype == bool else _arrays.table(array))
        with self._lock:
            process = c.library.ocm_smooth if smooth else c.library.ocm_update
            error = process(self._handle, count, byref(rows), byref(output))
            row = c.library.ocm_error_row(self._handle) if error else -1
        if error == c.OK:
            return
        name = _ARGUMENTS.get(error, "")
        _arrays.refuse(error, row, times, name, {"gyr": held_gyr, "acc": held_acc, "mag": held_mag}.get(name), numbers)

    @property
    def learned(self) -> Optional[Learned]:
        """What is known of the sensors now; None before the first attitude."""
        numbers = c.LearnedNumbers(size=sizeof(c.LearnedNumbers))
        with self._lock:
            error = c.library.ocm_get_learned(self._handle, byref(numbers))
        return None if error else Learned(numbers)

    @property
    def counts(self) -> dict[str, int]:
        """Rows so far, and what was left out of them: late times, readings of each sensor that were missing or impossible."""
        counts = c.Counts(size=sizeof(c.Counts))
        with self._lock:
            c.library.ocm_get_counts(self._handle, byref(counts))
        return {name: getattr(counts, name) for name, *_ in c.Counts._fields_[2:]}

    def reset(self) -> None:
        """Begin again, with what the filter was made with."""
        with self._lock:
            c.library.ocm_reset(self._handle)
        if self._judge is not None:
            self._judge.reset()


@_arrays.spelled(Options.__annotations__)
def fuse(
    t: Any, gyr: Any, acc: Any, mag: Any = None, *, smooth: bool = False, pressure: Any = None, **options: Unpack[Options]
) -> Motion:
    """Compute orientation and motion of a whole recording.

    Parameters
    ----------
    t, gyr, acc, mag
        Times, rad/s, m/s² and µT, as in `Filter.update`. Without `mag` the azimuth is arbitrary. `acc` and `mag` may have times of their
        own, as tuples (times, values).
    smooth : bool
        Each row knows of the rows after it, too: more accurate, above all in the first minutes and in heading, for some times the
        processor time. Bias, rest and `disturbed` stay those of the filter. As ``motionctl fuse --smooth``.
    pressure
        Not used here: a recording of `read` has what `steps` needs, too.
    **options
        Those of `Filter`: `calibrated`, `mag_unit`, `acc_unit`, `gyr_unit`, `t_unit`, `sign`, `placement`, `check`, `gyro_delay`,
        `gyro_range`, `missing`, `learned` …

    Returns
    -------
    Motion
        A row for each row of `gyr`; with the defaults the numbers of ``motionctl fuse`` of separate sensors.

    Raises
    ------
    InputError
        Units, axes or times contradict one another: a ValueError with the argument, what was measured, and the likely remedy.
    ValueError, TypeError
        The argument is named.

    Warns
    -----
    InputWarning
        The sign of `acc` was not said, and is unlikely.

    Examples
    --------
    >>> import numpy as np, opencoremotion as ocm
    >>> t = np.arange(500) / 100
    >>> motion = ocm.fuse(t, np.zeros((500, 3)), np.tile([0, 0, 9.81], (500, 1)))
    >>> print(f"{motion.gravity[-1, 2]:.2f}")
    -9.81
    """
    is_apart = any(isinstance(sensor, tuple) and len(sensor) == 2 for sensor in (acc, mag))
    if is_apart:
        options["slow_acc"] = True
    stream = Filter(magnetometer=mag is not None, **options)
    times = _arrays.nanoseconds(t, options.get("t_unit"))
    if not len(times):
        raise ValueError("t: there are no rows")
    if is_apart:
        own = {name: _arrays.own_times(name, value, options.get("t_unit")) for name, value in (("acc", acc), ("mag", mag))}
        sensors = {name: own.get(name) or (times, value) for name, value in (("gyr", gyr), ("acc", acc), ("mag", mag)) if value is not None}
        motion, warning = stream._apart(times, sensors, smooth)
    else:
        motion, warning = stream._update(times, gyr, acc, mag, smooth, whole=True)
    if warning:
        warnings.warn(warning, _check.InputWarning, stacklevel=3)
    if np.isnan(motion.quaternion[-1, 0]):
        raise ValueError(
            "acc: no row has a usable specific force, 2 to 39 m/s². Readings in g have to be multiplied by 9.80665 (acc_unit=\"g\")."
        )
    return dataclasses.replace(motion, learned=stream.learned, counts={**stream.counts, "rows": len(times)})


_Recordings = Iterable[Union[Mapping[str, Any], tuple[Any, ...]]]


@overload
def fuse_many(
    recordings: _Recordings, *, threads: Optional[int] = None, errors: Literal["raise"] = "raise", **options: Unpack[SmoothOptions]
) -> list[Motion]: ...
@overload
def fuse_many(
    recordings: _Recordings, *, threads: Optional[int] = None, errors: Literal["return"], **options: Unpack[SmoothOptions]
) -> list[Union[Motion, Exception]]: ...


@_arrays.spelled(SmoothOptions.__annotations__)
def fuse_many(
    recordings: _Recordings, *, threads: Optional[int] = None, errors: str = "raise", **options: Unpack[SmoothOptions]
) -> Any:
    """Compute many recordings at once, on threads of this process.

    Parameters
    ----------
    recordings : iterable of tuple or mapping
        (t, gyr, acc) or (t, gyr, acc, mag), or the arguments of `fuse` by name.
    threads : int, optional
        Default: the number of processors that this process may use.
    errors : {"raise", "return"}
        "return" puts the exception in the place of a recording that cannot be computed.
    **options
        Those of `fuse`, for all recordings.

    Returns
    -------
    list of Motion
        In the order of `recordings`.
    """
    _arrays.choose(errors=errors)
    if threads is None:
        threads = len(os.sched_getaffinity(0))
    if not isinstance(threads, int) or threads < 1:
        raise ValueError(f"threads: a whole number from 1 is needed, not {threads!r}")

    def one(item: tuple[int, Any]) -> Union[Motion, Exception]:
        index, recording = item
        try:
            if isinstance(recording, Mapping):
                arguments: dict[str, Any] = {**options, **recording}
                return fuse(**arguments)
            return fuse(*recording, **options)
        except (ValueError, TypeError) as error:
            if isinstance(error, _check.InputError):
                failure: Exception = error.of(index)
            else:
                failure = type(error)(f"recording {index}: {error}")
            if errors == "return":
                return failure
            raise failure from None

    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        return list(pool.map(one, enumerate(recordings)))
