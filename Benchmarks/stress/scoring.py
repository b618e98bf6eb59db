# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""What the scores of both suites share: motionctl's mapping, tables, rows of the same time, and how long until all is good."""

import numpy as np

COLUMNS = "t=t[s] ax=ax[m/s^2] ay=ay az=az gx=gx[rad/s] gy=gy gz=gz"
FIELD = " mx=mx[uT] my=my mz=mz"
NORTH_TO_EAST = np.array([np.sqrt(0.5), 0, 0, np.sqrt(0.5)])  # Core Motion: x north, y west; truth: x east, y north


def read_table(path):
    """The names of a CSV file's columns, and its numbers; NaN for blank cells."""
    with open(path, "rb") as file:
        names = file.readline().decode().strip().split(",")
        text = file.read().replace(b",,", b",nan,").replace(b",,", b",nan,").replace(b",\n", b",nan\n")
    return names, np.fromstring(text.replace(b"\n", b",").rstrip(b",").decode(), sep=",").reshape(-1, len(names))


def read_output(path):
    """Times, attitudes, and stated accuracy of the heading with the deviations of inclination and heading; NaN where there is none."""
    names, table = read_table(path)
    wanted = ("headingAccuracy", "inclinationDeviation", "headingDeviation")
    claims = [table[:, names.index(n)] if n in names else np.full(len(table), np.nan) for n in wanted]
    return table[:, names.index("timestamp")], table[:, [names.index("attitude_" + axis) for axis in "wxyz"]], np.column_stack(claims)


def rows_at(t, times, within):
    """For each time of `t` the nearest row of ascending `times`, and whether it is near enough, s."""
    k = np.clip(np.searchsorted(times, t), 1, len(times) - 1)
    k -= (t - times[k - 1]) < (times[k] - t)
    return k, np.abs(times[k] - t) < within


def lasting(t, good, event, hold=2.0):
    """Seconds from the event until all is good for `hold` seconds; infinite when that never comes."""
    k = t >= event
    t, good = t[k], good[k]
    if not len(t):
        return np.inf
    bad = np.flatnonzero(~good)
    starts = np.concatenate([[0], bad + 1])
    ends = np.concatenate([bad, [len(t)]])
    for start, end in zip(starts, ends):
        if start < len(t) and end > start and (t[min(end, len(t) - 1)] - t[start] >= hold or end == len(t)):
            return float(t[start] - event)
    return np.inf


def shown(value):
    return "–" if value is None or np.isnan(value) else "∞" if np.isinf(value) else f"{value:.2f}" if value < 100 else f"{value:.0f}"
