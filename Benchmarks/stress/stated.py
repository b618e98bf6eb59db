# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""What the filter states of its own error, beside the error: shares within the stated bounds, and correlations.

Each row states one standard deviation of the inclination, and of the azimuth where that is known. 95 % of the errors should be within
1.73 (a tilt has two axes: √(−ln 0.05)) and 1.96 of them. Nothing here decides whether a case passes.
"""

import numpy as np

FACTORS = {"inclination": 1.73, "heading": 1.96, "yaw": 1.96}
ROWS_PER_CASE = 4000  # of the correlation by sample: each case counts alike, however long it is


def stated(case, inclination, heading, deviations, present, known):
    """Per quantity the pairs of stated deviation and absolute error (degrees) of the rows that state one.

    `heading`: in the frames with north; `yaw`: in the arbitrary frame the azimuth since the first row that is not upside down.
    """
    tilt, azimuth = deviations
    upright = present & (inclination < 45)
    pairs = {"inclination": (present, tilt, inclination)}
    if case["azimuth"] == "north":
        pairs["heading"] = (present & known & (inclination < 90), azimuth, np.abs(heading))
    elif upright.any():
        since = heading - heading[np.flatnonzero(upright)[0]]
        pairs["yaw"] = (present & (inclination < 90), azimuth, np.abs((since + 180) % 360 - 180))
    rows = {name: k & np.isfinite(deviation) for name, (k, deviation, _) in pairs.items()}
    return {name: (deviation[rows[name]], error[rows[name]]) for name, (_, deviation, error) in pairs.items() if rows[name].any()}


def report(pairs):
    """For the JSON and the line of a case."""
    return {name: {"within95": float((error <= FACTORS[name] * deviation).mean()), "stated": rms(deviation), "error": rms(error),
                   "rows": len(error)} for name, (deviation, error) in pairs.items()}


def rms(x):
    return float(np.sqrt((x ** 2).mean()))


def ranks(x):
    """1 …, equal values share the mean of their places."""
    _, place, count = np.unique(x, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


def correlation(x, y):
    """Pearson's; None where one of them does not vary."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return float(np.corrcoef(x, y)[0, 1])


def correlations(cases):
    """Stated against real error over all cases: by case (both RMS) and by sample, Spearman's and Pearson's."""
    found = {}
    for name in FACTORS:
        own = [c[name] for c in cases if name in c]
        if not own:
            continue
        thin = [(d[::max(1, len(d) // ROWS_PER_CASE)], e[::max(1, len(e) // ROWS_PER_CASE)]) for d, e in own]
        by = {"case": ([rms(d) for d, _ in own], [rms(e) for _, e in own]),
              "sample": tuple(np.concatenate([p[k] for p in thin]) for k in (0, 1))}
        found[name] = {"cases": len(own), **{f"by_{key}": {"spearman": correlation(ranks(x), ranks(y)), "pearson": correlation(x, y)}
                                             for key, (x, y) in by.items()}}
    return found


def shown(value):
    return "–" if value is None else f"{value:.2f}"


def print_stated(results, found):
    """Shares within the stated 95 % bounds by family, then the correlations."""
    columns = list(FACTORS)
    print(f"\n{'stated bounds of 95 %':<24}" + "".join(f"{'rows ' + c + ' %':>20}{'lowest case':>13}" for c in columns))
    for family in [*dict.fromkeys(r["family"] for r in results), None]:
        own = [r["stated"] for r in results if family in (None, r["family"])]
        cells = ""
        for column in columns:
            shares = [(s[column]["within95"], s[column]["rows"]) for s in own if column in s]
            mean = sum(a * n for a, n in shares) / sum(n for _, n in shares) if shares else None
            cells += f"{shown(mean and 100 * mean):>20}{shown(100 * min(shares)[0]) if shares else '–':>13}"
        print(f"{family or 'all':<24}{cells}")
    print(f"\n{'stated and real error':<24}{'cases':>6}{'by case: Spearman':>20}{'Pearson':>9}{'by sample: Spearman':>22}{'Pearson':>9}")
    for name, c in found.items():
        print(f"{name:<24}{c['cases']:>6}{shown(c['by_case']['spearman']):>20}{shown(c['by_case']['pearson']):>9}"
              f"{shown(c['by_sample']['spearman']):>22}{shown(c['by_sample']['pearson']):>9}")
