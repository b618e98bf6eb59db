# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Filters in this process: ours through the C library, as `motionctl fuse` runs it on a table; VQF with its defaults, where Python has it."""

import os
import pathlib
import platform
import sys
from typing import NamedTuple, Optional

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("OPENCOREMOTION_LIBRARY", str(ROOT / ".build-python" / platform.machine() / "libocm.so"))
sys.path.insert(0, str(ROOT / "Bindings/Python"))
import opencoremotion as ocm  # noqa: E402

try:
    import vqf
except ImportError:
    vqf = None

LARGEST_HEADING_DEVIATION = 0.32  # rad: a heading is called known up to it, as MotionFraming does


class Rows(NamedTuple):
    t: np.ndarray  # s
    rate: np.ndarray  # rad/s
    acceleration: np.ndarray  # specific force, m/s²; three NaN: no reading
    field: Optional[np.ndarray] = None  # µT; three NaN: no reading; None: six axes


class Result(NamedTuple):
    q: np.ndarray  # device to east-north-up; NaN before the first attitude
    inclination: np.ndarray  # stated deviations, °
    heading: np.ndarray
    known: np.ndarray  # whether the azimuth counts from north


def stamps(rows):
    """Nanoseconds as a recording's reader has them: rows that share a stamp follow one another, but a row said twice says nothing new."""
    t = np.rint(rows.t * 1e9).astype(np.int64)
    twice = np.zeros(len(t), bool)
    twice[1:] = (t[1:] == t[:-1]) & (rows.rate[1:] == rows.rate[:-1]).all(1) & (rows.acceleration[1:] == rows.acceleration[:-1]).all(1)
    place = np.cumsum(~twice)
    return np.maximum.accumulate(t - place) + place, twice


def ours(rows, smooth=False, times=None, **told):
    """`told`: options of opencoremotion.Filter, which a user's table does not say."""
    filter = ocm.Filter(magnetometer=rows.field is not None, check=False, **{"missing": "skip", "order": "agm", **told})
    times, count = stamps(rows)[0] if times is None else times, len(rows.t)
    result = Result(np.empty((count, 4)), np.empty(count), np.empty(count), np.empty(count, bool))
    filter._run(times, rows.rate, rows.acceleration, rows.field,
                dict(zip(("quaternion", "inclination_sd", "heading_sd", "heading_known"), result)), smooth)
    known = result.known & (result.heading <= LARGEST_HEADING_DEVIATION)
    return Result(result.q, np.degrees(result.inclination), np.degrees(result.heading), known)


def held(x):
    """The latest reading where there is none."""
    latest = np.maximum.accumulate(np.where(np.isfinite(x[:, 0]), np.arange(len(x)), 0))
    return np.ascontiguousarray(x[latest] if np.isfinite(x[0, 0]) else np.nan_to_num(x[latest]))


def peers(rows, step=None):
    """Attitudes of VQF and offline VQF, None where Python has none. Each sensor has its mean interval; a blank cell is no reading."""
    if vqf is None:
        return None, None
    t, rate, acceleration, field = rows
    step = step or (t[-1] - t[0]) / (len(t) - 1)
    key = "quat6D" if field is None else "quat9D"
    sensors = [held(rate), held(acceleration)] + ([] if field is None else [held(field)])
    offline = vqf.offlineVQF(*sensors, *([None] if field is None else []), step)[key]
    here = [np.isfinite(x[:, 0]) for x in (acceleration, field) if x is not None]
    if all(x.all() for x in here):
        return vqf.VQF(step).updateBatch(*sensors)[key], offline
    online, out = vqf.VQF(step, *(step * len(t) / x.sum() for x in here)), np.empty((len(t), 4))
    for k in range(len(t)):
        online.updateGyr(rate[k])
        if here[0][k]:
            online.updateAcc(acceleration[k])
        if field is not None and here[1][k]:
            online.updateMag(field[k])
        out[k] = online.getQuat6D() if field is None else online.getQuat9D()
    return out, offline
