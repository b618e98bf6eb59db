# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""What a case has to do: errors within its bounds, and what is stated of them true. README.md has the rules."""

import numpy as np

import quaternions as quat

TIMES_PEER, PLUS = 1.25, 0.3  # of the second and third suite: an error passes at its bound of physics, or at 1.25 × VQF + 0.3°
COVERAGE, WRONG = 0.80, 5.0  # least share within the stated 95 %; most seconds on end beyond three times that
FACTORS = {"inclination": 1.731, "azimuth": 1.96, "heading": 1.96}  # 95 % of a tilt's two axes, of one angle
AT_LEAST, OURS_ALONE = {"known", "rows"}, {"known", "rows", "overconfident"}


def longest(t, bad):
    """Longest stretch of seconds on end; gaps of 0.1 s are closed."""
    k = np.flatnonzero(bad)
    if not len(k):
        return 0.0
    steps = np.cumsum(np.minimum(np.diff(t, prepend=t[:1]), 0.2))
    ends = np.append(np.flatnonzero(steps[k[1:]] - steps[k[:-1]] - np.diff(steps, prepend=0)[k[1:]] >= 0.1), len(k) - 1)
    begins = np.append(0, ends[:-1] + 1)
    return float((steps[k[ends]] - steps[np.maximum(k[begins] - 1, 0)]).max())


def lasting(t, good, event, hold=2.0):
    """Seconds from the event until all is good for `hold` seconds; infinite when that never comes."""
    k = t >= event
    t, bad = t[k], np.flatnonzero(~good[k])
    for start, end in zip(np.append(0, bad + 1), np.append(bad, len(t))):
        if start < end and (end == len(t) or t[end] - t[start] >= hold):
            return float(t[start] - event)
    return np.inf


def rms(x):
    return float(np.sqrt(np.mean(np.square(x)))) if len(x) else np.nan


def since_first(heading):
    return np.degrees(np.unwrap(np.radians(heading))) - heading[0]


def errors(q, truth):
    """Rows that count, their inclination and heading errors; degrees."""
    known = np.isfinite(truth).all(1)
    present = known & np.isfinite(q).all(1)
    safe = np.where(known[:, None], truth, [1.0, 0, 0, 0])
    return (known, present, *quat.errors(np.where(present[:, None], q, safe), safe))


def value(metric, t, start, end, counts, found, deviation=None, angle=None):
    """`counts`: rows whose heading counts; `found`: what errors() gives."""
    known, present, inclination, heading = found
    window = known & (t >= start) & (t < end)
    k = window & present
    h = k & counts
    if metric in ("rows", "known"):
        return (k if metric == "rows" else h).sum() / max(1, window.sum())
    if metric == "flipped":
        return float(np.minimum(np.gradient(t), 0.1)[k & (inclination > 90)].sum())
    if metric == "recover":
        return lasting(t[k], inclination[k] < angle, start)
    if metric == "recover_heading":
        return lasting(t[k], (np.abs(heading[k]) < angle) & counts[k], start)
    if not k.any():
        return np.inf
    if metric == "tilt_rms":
        return rms(inclination[k])
    if metric == "tilt_max":
        return float(inclination[k].max())
    if metric == "yaw_drift":
        return float(np.abs(since_first(heading[k])).max())
    if not h.any():  # nothing to judge: `known` fails for that
        return np.nan
    if metric == "overconfident":
        return float((np.abs(heading[h]) > 2 * deviation[h]).mean())
    return rms(heading[h]) if metric == "heading_rms" else float(np.abs(heading[h]).max())


def claim(t, error, deviation, factor):
    """Share within the stated 95 %, and seconds on end beyond three times that."""
    ratio = error / (factor * deviation)
    return float((ratio <= 1).mean()), longest(t, ratio > 3), rms(error), rms(deviation)


def passes(metric, found, bound):
    return np.isnan(found) or (found >= bound if metric in AT_LEAST else found <= bound)


def judged(case, result, peers):
    """A case's row: booleans of what it has to do, and what a person reads."""
    t, north = case.rows.t, case.rows.field is not None
    found, others = errors(result.q, case.truth), [None if q is None else errors(q, case.truth) for q in peers]
    counts = result.known if north else np.ones(len(t), bool)
    anywhere = counts if counts.any() else np.ones(len(t), bool)
    row = dict(suite=case.suite, seed=case.seed, family=case.family, name=case.name, within=True, physics=True, peers=[q is not None for q in others])
    words = []
    for metric, start, end, bound, *angle in case.checks:
        ours = value(metric, t, start, end, counts, found, result.heading, *angle)
        theirs = [np.nan if q is None or metric in OURS_ALONE else value(metric, t, start, end, anywhere, q, None, *angle) for q in others]
        limit = bound if case.suite == 1 or metric in AT_LEAST or not np.isfinite(theirs[0]) else max(bound, TIMES_PEER * theirs[0] + PLUS)
        good = passes(metric, ours, limit)
        row["within"] &= bool(good)
        row["physics"] &= bool(passes(metric, ours, bound))
        row["peers"] = [bool(is_good and passes(metric, x, bound)) for is_good, x in zip(row["peers"], theirs)]
        if not good or metric not in ("rows", "flipped"):
            sign = "≥" if metric in AT_LEAST else "≤"
            words.append(f"{'' if good else '✗ '}{metric} {ours:.3g} ({sign} {bound:.3g}" + (")" if np.isnan(theirs[0]) else f", VQF {theirs[0]:.3g})"))
    k = found[1] & (t >= case.start) & np.isfinite(result.inclination)
    h = k & counts & np.isfinite(result.heading)
    claims = {"inclination": claim(t[k], found[2][k], result.inclination[k], FACTORS["inclination"])} if k.any() else {}
    if h.any():
        name, heading = ("heading", found[3][h]) if north else ("azimuth", (found[3][h] - found[3][h][0] + 180) % 360 - 180)
        claims[name] = claim(t[h], np.abs(heading), result.heading[h], FACTORS[name])
    words += [f"| {name}: {100 * within:.0f} % within, {wrong:.0f} s wrong, error {error:.3g}, stated {stated:.3g}"
              for name, (within, wrong, error, stated) in claims.items()]
    row["wrong"] = case.honest and any(wrong > WRONG for _, wrong, *_ in claims.values())
    row["honest"] = not case.honest or all(wrong <= WRONG and within >= COVERAGE for within, wrong, *_ in claims.values())
    row["good"] = row["within"] and (case.suite == 1 or row["honest"])
    mark = "good" if row["good"] else "WRONG" if row["wrong"] else "FAIL" if not row["within"] else "unsaid"
    return row | dict(inside=[claims["inclination"][0] if claims else np.nan, claims[name][0] if h.any() else np.nan],
                      line=f"{mark:<6} {case.suite}.{case.seed} {case.family}/{case.name}: {'  '.join(words)}")
