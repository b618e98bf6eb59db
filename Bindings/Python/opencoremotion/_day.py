# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Days of a worn accelerometer (`day`): wear, movement, steps and activities, a row for each day."""

from __future__ import annotations

import ctypes
import dataclasses
import datetime
import importlib
from collections.abc import Iterator
from ctypes import byref, sizeof
from typing import Any, Optional, Union

import numpy as np

from . import _library as c
from ._activity import Rows, Run, load_pandas

_KINDS = ("stationary", "walking", "running", "cycling", "automotive", "other")
_ESTIMATES = ("steps", "distance", *(f"{kind}_minutes" for kind in _KINDS))
_BANDS = ("0", "1_19", "20_39", "40_59", "60_79", "80_99", "100_119", "120")
_NUMBERS = ("covered", "worn", "not_worn", "clipped", "enmo_mg", "mad_mg", "m5_mg", "m5_start", "l5_mg", "l5_start")
_DAY = np.dtype(
    [(name, np.int64) for name in ("day", "start", "end", "samples", "gaps")]
    + [(name, np.float64) for name in _NUMBERS]
    + [(name + part, np.float64) for name in _ESTIMATES for part in ("", "_low", "_high")]
    + [(f"cadence_{band}", np.float64) for band in _BANDS]
)
#: The names of a row, in order. Text and whole numbers are these; all others are floats.
COLUMNS = (
    "day", "start", "end", *_NUMBERS[:3], "samples", "gaps", *_NUMBERS[3:],
    *(name + part for name in _ESTIMATES[:2] for part in ("", "_low", "_high")),
    *(f"cadence_{band}" for band in _BANDS),
    *(name + part for name in _ESTIMATES[2:] for part in ("", "_low", "_high")),
    "calibration", "calibration_error_before_mg", "calibration_error_after_mg", "still_windows",
)
TEXTS = ("day", "start", "end", "calibration")
WHOLE = ("samples", "gaps", "still_windows")
_OUTCOMES = ("calibrated", "too few still windows", "too few directions", "no improvement", "off")
#: Seconds since 1970: earlier times count from the start of a device. 1980.
_FIRST_DATE = 315_532_800


@dataclasses.dataclass(frozen=True, eq=False)
class Days:
    """A row for each day of a recording, as ``motionctl day -o days.json``.

    Attributes
    ----------
    rows : list of dict
        Of each day:

        - `day`: "2026-11-26", or "day 1" where the times have no dates; `start`, `end`: the first and the last row, as
          "2026-11-26T08:12:31.250" on the local clock, or in seconds since the first row, as text.
        - `covered`, `worn`, `not_worn`: seconds with rows, and of these worn and not worn; `samples`, and `gaps`: stretches of
          more than a second without rows; `clipped`: the part of the rows that reach the range of the sensor.
        - `enmo_mg`, `mad_mg`: means over worn time, mg; `m5_mg`, `m5_start`, `l5_mg`, `l5_start`: the five hours with most and
          least movement, mg of ENMO and seconds from midnight. None where there is no such time.
        - `steps`, `distance` (m), `stationary_minutes`, `walking_minutes`, `running_minutes`, `cycling_minutes`,
          `automotive_minutes`, `other_minutes`: each with `_low` and `_high`, the interval in which the true figure is expected.
        - `cadence_0`, `cadence_1_19` … `cadence_120`: worn minutes by steps a minute.
        - `calibration`, `calibration_error_before_mg`, `calibration_error_after_mg`, `still_windows`: of the whole recording.
    counts : dict
        Rows, and what was left out with ``missing="skip"``.
    """

    rows: list[dict[str, Any]]
    counts: dict[str, int]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self.rows[index]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __repr__(self) -> str:
        worn = sum(row["worn"] for row in self.rows) / 3600
        return f"Days({len(self)} days, worn {worn:.1f} h, {sum(row['steps'] for row in self.rows):.0f} steps)"

    def to_dataframe(self) -> Any:
        """The rows as a pandas.DataFrame; raises ImportError where pandas is not installed."""
        return load_pandas("Days.to_dataframe").DataFrame(self.rows)

    def to_arrow(self) -> Any:
        """The rows as a pyarrow.Table; raises ImportError where PyArrow is not installed."""
        try:
            pyarrow: Any = importlib.import_module("pyarrow")
        except ImportError:
            raise ImportError("Days.to_arrow needs PyArrow: pip install pyarrow") from None
        return pyarrow.Table.from_pylist(self.rows)


def day(
    t: Any,
    acc: Any,
    *,
    placement: str = "wrist",
    height: Optional[float] = None,
    range: Optional[float] = None,
    utc_offset: Union[float, datetime.timedelta] = 0.0,
    calibrate: bool = True,
    missing: str = "error",
) -> Days:
    """Sum up days of a worn accelerometer: wear, ENMO, MAD, steps, cadence, activities.

    Parameters
    ----------
    t : array_like, shape (n,)
        Times: floats are seconds, integers nanoseconds; datetime64 is allowed. From 1980 on they have dates, and days begin at
        midnight; earlier ones are counted from the first row, and so are the days.
    acc : array_like, shape (n, 3), or tuple of three arrays of shape (n,)
        Specific force, m/s², device axes, at 12 Hz or more.
    placement : {"wrist", "body", "head"}
        Where the device was worn. Default "wrist".
    height : float, optional
        The person's, 0.5 to 2.5 m, for the length of a step.
    range : float, optional
        Largest reading of the accelerometer, m/s² (8 g: 78.5). Default: not known, no row counts as clipped.
    utc_offset : float or datetime.timedelta
        Seconds from the times to the local clock, for midnight. Default 0: the times are those of the local clock.
    calibrate : bool
        The rest of the recording corrects offset and scale of the accelerometer, where it has ten still windows of 10 s in all
        directions; else, and with False, the readings are taken as they are.
    missing : {"error", "skip"}
        What to do with NaN, impossible readings and times out of order.

    Returns
    -------
    Days
        The same numbers as ``motionctl day -o days.json``, to a thousandth.

    Raises
    ------
    ValueError, TypeError
        The argument is named.

    Notes
    -----
    Wear (van Hees et al. 2013), calibration (van Hees et al. 2014), ENMO, MAD, M5, L5 and the bands of cadence are by the
    definitions that GGIR publishes. Sleep is not estimated.

    Examples
    --------
    >>> import numpy as np, opencoremotion as ocm
    >>> t = np.arange("2026-11-26T22:00", "2026-11-27T02:00", 50, "datetime64[ms]")
    >>> acc = np.random.default_rng(1).normal([0, 0, 9.81], 1.0, (len(t), 3))
    >>> [(row["day"], row["worn"]) for row in ocm.day(t, acc)]
    [('2026-11-26', 7199.95), ('2026-11-27', 7200.0)]
    """
    rows = Rows(t, acc)
    dated = bool(rows.times[0] >= _FIRST_DATE * 1_000_000_000)
    if range is not None and not 0 < float(range) < 1e4:
        raise ValueError(f"range: the largest reading in m/s² is needed, not {range!r}")
    seconds = utc_offset.total_seconds() if isinstance(utc_offset, datetime.timedelta) else float(utc_offset)
    if not abs(seconds) <= 86_400:
        raise ValueError(f"utc_offset: seconds of at most a day are needed, not {utc_offset!r}")
    calibration = _calibration(rows) if calibrate else c.Calibration(sizeof(c.Calibration), 4, (1, 1, 1))
    if not calibrate:
        calibration.error_before = calibration.error_after = np.nan
    settings: dict[str, Union[int, float]] = {"days": 1 if dated else 2, "local_offset": round(seconds * 1e9)}
    if range is not None:
        settings["range"] = float(range)
    with Run(placement, height, missing, calibration, **settings) as run:
        run.update(rows)
        found, counts = run.items("days", _DAY), run.counts()
    return Days([_row(item, dated, calibration) for item in found], counts)


def _calibration(rows: Rows) -> c.Calibration:
    """Of the whole recording."""
    handle, calibration = ctypes.c_void_p(), c.Calibration(size=sizeof(c.Calibration))
    if c.library.ocm_calibrator_create(byref(handle)):
        raise MemoryError("There is no memory for a calibrator.")
    try:
        error = c.library.ocm_calibrator_update(handle, rows.count, byref(rows.input))
        error = error or c.library.ocm_calibrator_get(handle, byref(calibration))
    finally:
        c.library.ocm_calibrator_destroy(handle)
    if error:
        raise ValueError(f"acc: {c.message(error)}")
    return calibration


def _row(item: np.void, dated: bool, calibration: c.Calibration) -> dict[str, Any]:
    """As motionctl writes it: names, order, units and rounding."""

    def number(name: str, scale: float = 1) -> Optional[float]:
        value = float(item[name]) * scale
        return None if np.isnan(value) else round(value, 3)

    def clock(name: str) -> str:
        nanoseconds = int(item[name])
        return str(np.datetime64(nanoseconds // 1_000_000, "ms")) if dated else f"{nanoseconds / 1e9:.3f}"

    row: dict[str, Any] = {"day": str(np.datetime64(int(item["day"]), "D")) if dated else f"day {int(item['day']) + 1}"}
    row |= {name: clock(name) for name in ("start", "end")}
    row |= {name: number(name) for name in _NUMBERS[:3]}
    row |= {name: int(item[name]) for name in ("samples", "gaps")}
    row["clipped"] = number("clipped")
    row |= {name: number(name, 1000 if name.endswith("_mg") else 1) for name in _NUMBERS[4:]}
    row |= {name + part: number(name + part) for name in _ESTIMATES[:2] for part in ("", "_low", "_high")}
    row |= {f"cadence_{band}": number(f"cadence_{band}") for band in _BANDS}
    row |= {name + part: number(name + part) for name in _ESTIMATES[2:] for part in ("", "_low", "_high")}
    row["calibration"] = _OUTCOMES[calibration.outcome]
    for part in ("before", "after"):
        error = getattr(calibration, f"error_{part}") * 1000
        row[f"calibration_error_{part}_mg"] = None if np.isnan(error) else round(error, 3)
    row["still_windows"] = int(calibration.windows)
    return row
