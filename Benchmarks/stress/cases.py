# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The cases of the three suites, with the digits that a table of text has."""

import dataclasses

import numpy as np

import families
import families2
import families3
import filters

SUITES = {1: families, 2: families2, 3: families3}
RECORDED = {"bad-first-sample", "gap-in-motion", "start-in-motion", "broad-uncalibrated", "clipping"}  # of the first suite: made of BROAD


@dataclasses.dataclass
class Case:
    suite: int
    seed: int
    family: str
    name: str
    rows: filters.Rows
    truth: np.ndarray  # NaN where it is not known
    checks: list
    start: float  # s, from which stated bounds are held against the filter
    honest: bool = True
    step: float | None = None  # s; None: the mean interval is that of the sensors


def digits(x, count):
    """Rounded to so many significant digits."""
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.nan_to_num(count - 1 - np.floor(np.log10(np.abs(x))), posinf=0.0)
    up, down = 10.0 ** np.clip(power, 0, 22), 10.0 ** np.clip(-power, 0, 22)
    return np.rint(x * up / down) / up * down


def made(suite, seed, family, trials):
    """The cases of a family, one after the other; of another suite, family or seed nothing changes."""
    own = SUITES[suite].make(family, seed, *([trials] if suite == 1 else []))
    for case in own:
        r = case.readings
        t = np.round(r.t, 7)
        field = digits(r.field, 4 if suite == 1 else 5) if case.frame != "arbitrary" else None
        jumps = family == "gap-in-motion" or case.name.startswith("clock-")
        yield Case(suite, seed, family, case.name, filters.Rows(t, digits(r.rate, 6), digits(r.acceleration, 5), field), r.q.astype("f4").astype(float),
                   case.checks, max(10.0, case.event + 7) if suite == 1 else case.start, getattr(case, "honest", True),
                   float(np.median(np.diff(t))) if jumps else None)


def write(rows, path):
    """A table for `motionctl fuse`; a missing reading is a blank cell."""
    columns = np.column_stack([x for x in (rows.t, rows.acceleration, rows.rate, rows.field) if x is not None])
    with open(path, "w") as file:
        print("t,ax,ay,az,gx,gy,gz" + (",mx,my,mz" if rows.field is not None else ""), file=file)
        for row in columns.tolist():
            print(",".join(repr(x) if x == x else "" for x in row), file=file)
