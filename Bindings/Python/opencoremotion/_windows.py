# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Windows of a recording, turned into axes that do not turn: what the check of the arguments is worked out from.

There the specific force is gravity plus what a few seconds of motion leave of an acceleration, which is little, as velocities are bounded.
What is left beside a constant vector of one g is the error of an assumption: a wrong unit, sign, axis or interval turns the force wrongly.
"""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any, Optional

import numpy as np

GRAVITY = 9.80665
_STEPS, _LENGTH = 48, 6.0
# Windows, and rows that are read of each step of them: few at first, many where these are not explained well.
FEW, MANY = (8, 4), (32, 6)
_NOISE, _MOTION_NOISE = 0.5, 0.2  # m/s²: of a mean of seconds; and its share of the force's variation within the window
_BIAS = 0.15  # rad/s: what a gyroscope may read at rest


def middle(values: np.ndarray) -> Any:
    """The median along the last axis, the upper of two: several times faster than numpy's on few values."""
    return np.sort(values, axis=-1)[..., values.shape[-1] // 2]


@dataclasses.dataclass
class Windows:
    """Windows of a recording, each of `_STEPS` steps: their means, K windows."""

    turn: np.ndarray  # (3, K, steps): mean angular velocity × duration, rad
    time: np.ndarray  # (K, steps): s
    force: np.ndarray  # (3, K, steps): m/s²
    field: Optional[np.ndarray]  # (3, K, steps)
    variance: np.ndarray  # (K,): expected, of a mode, (m/s²)²
    clipped: bool  # some windows were left out, as the force stops at the end of a range
    rows: int


def windows(t: np.ndarray, gyr: Any, acc: Any, mag: Any = None, size: tuple[int, int] = MANY) -> Optional[Windows]:
    """Windows over the whole recording; None if it is too short or has gaps everywhere."""
    count = len(t)
    if count < _STEPS + 1:
        return None
    span = float(t[-1] - t[0]) * 1e-9
    if not span > 0:
        return None
    each = min(max(1, round(_LENGTH / span * count / _STEPS)), (count - 1) // _STEPS)
    rows = each * _STEPS
    number = int(min(size[0], max(1, count // rows)))
    starts = np.linspace(0, count - 1 - rows, number).astype(int)
    edges = t[starts[:, None] + np.arange(0, rows + 1, each)]
    time = np.diff(edges, axis=1) * 1e-9
    lengths = time.sum(1)
    fine = (time > 0).all(1) & (lengths <= 2 * middle(lengths)) & (time.max(1, initial=0) <= 0.2 * lengths) & (lengths >= 0.5)
    if not fine.any():
        return None
    starts, time = starts[fine], time[fine]
    # A few rows of each step are enough, evenly spaced.
    inside = (np.arange(min(each, size[1])) * each) // min(each, size[1])
    index = starts[:, None, None] + (np.arange(0, rows, each)[:, None] + inside)
    rate, force = (np.array([column[index] for column in sensor], np.float64) for sensor in (gyr, acc))
    field = None if mag is None else np.array([column[index] for column in mag], np.float64)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # means of nothing
        if np.isnan(force.sum()):
            mean_force, holes = np.nanmean(force, -1), True
        else:
            mean_force, holes = force.mean(-1), False
        squared = np.einsum("iksr,iksr->ksr", force, force)
        length = np.sqrt(squared).reshape(len(starts), -1)
        deviation = np.nanstd(length, axis=1) if holes else length.std(1)
        top = float(np.nanmax(np.abs(force), initial=0)) if holes else max(float(force.max()), -float(force.min()))
        clipped = np.zeros(len(starts))
        if top > 1.5 * GRAVITY:  # readings that stop at the end of a range have no mean
            stopped = (np.abs(force) >= 0.98 * top).any(0).reshape(len(starts), -1)
            if stopped.sum() >= 20:
                clipped = stopped.mean(1) * (deviation > 0.15 * np.nanmean(length, 1))  # else it is gravity in another unit
        if holes:
            mean_force = _filled(mean_force)
        turn = rate.mean(-1) * time
        mean_field = None if field is None else _filled(np.nanmean(field, -1))
    fine = np.isfinite(turn).all((0, 2)) & np.isfinite(mean_force).all((0, 2))
    clipped_out = bool((fine & (clipped > 0.02)).any())
    fine &= clipped <= 0.02
    return Windows(
        turn[:, fine], time[fine], mean_force[:, fine], None if mean_field is None else mean_field[:, fine],
        (_NOISE**2 + (_MOTION_NOISE * deviation) ** 2)[fine], clipped_out, count,
    )


def _filled(means: np.ndarray) -> np.ndarray:
    """Steps without a reading hold the one before; windows with more than half of those stay NaN."""
    known = np.isfinite(means).all(0)
    index = np.maximum.accumulate(np.where(known, np.arange(_STEPS), 0), axis=-1)
    filled = np.take_along_axis(means, np.broadcast_to(index, means.shape), -1)
    filled[:, known.mean(-1) < 0.5] = np.nan
    return filled


_x = (np.arange(_STEPS) + 0.5) / _STEPS
_MODES = np.sin(np.pi * _x) ** 2 * np.cos(np.pi * np.outer(np.arange(5), _x))
_MODES[1:] -= np.outer(_MODES[1:].sum(1) / _MODES[0].sum(), _MODES[0])
_MODES[0] /= _MODES[0].sum()
_MODES[1:] *= np.linalg.norm(_MODES[0]) / np.linalg.norm(_MODES[1:], axis=1)[:, None]
TO_MODES = np.ascontiguousarray(_MODES.T)


def _product(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return a * c - b * d.conj(), a * d + b * c.conj()


def _rotations(turn: np.ndarray) -> np.ndarray:
    """(3, 3, …, steps): from the axes in the middle of each step to those at the window's begin; turn is (3, …, steps)."""
    angle = np.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2])
    scale = 0.25 * np.sinc(angle / (4 * np.pi))
    # A unit quaternion as a pair of complex numbers, whose product is that of quaternions: half of each step, and all of it.
    half_a = np.cos(angle / 4) - 1j * (scale * turn[2])
    half_b = scale * turn[1] + 1j * (scale * turn[0])
    a, b = _product(half_a, half_b, half_a, half_b)
    reach = 1
    while reach < _STEPS:
        next_a, next_b = a.copy(), b.copy()
        next_a[..., reach:], next_b[..., reach:] = _product(a[..., :-reach], b[..., :-reach], a[..., reach:], b[..., reach:])
        a, b = next_a, next_b
        reach *= 2
    half_a[..., 1:], half_b[..., 1:] = _product(a[..., :-1], b[..., :-1], half_a[..., 1:], half_b[..., 1:])
    a, b = half_a, half_b
    w, z, y, x = a.real, -a.imag, b.real, b.imag
    result = np.empty((3, 3, *w.shape))
    xx, yy, zz, xy, xz, yz = 2 * x * x, 2 * y * y, 2 * z * z, 2 * x * y, 2 * x * z, 2 * y * z
    wx, wy, wz = 2 * w * x, 2 * w * y, 2 * w * z
    result[0, 0], result[0, 1], result[0, 2] = 1 - yy - zz, xy - wz, xz + wy
    result[1, 0], result[1, 1], result[1, 2] = xy + wz, 1 - xx - zz, yz - wx
    result[2, 0], result[2, 1], result[2, 2] = xz - wy, yz + wx, 1 - xx - yy
    return result


@dataclasses.dataclass
class Fit:
    """How well a hypothesis explains the windows."""

    likelihood: np.ndarray  # (…): logarithm, against windows without any residual
    bias: np.ndarray  # (…, 3)
    mean: np.ndarray  # (3, …, K): of the specific force in axes that do not turn
    rotation: np.ndarray


def fit_of(w: Windows, turn: np.ndarray, bias: Optional[np.ndarray] = None, solve: bool = True) -> Fit:
    """`turn` is (3, …, K, steps); the bias is solved for once, from `bias` on."""
    start = np.zeros((*turn.shape[1:-2], 3)) if bias is None else bias
    taken = turn if bias is None else turn - np.moveaxis(start, -1, 0)[..., None, None] * w.time
    rotation = _rotations(taken)
    force = w.force if turn.ndim == 3 else w.force[:, None]
    turned = rotation[:, 0] * force[0] + rotation[:, 1] * force[1] + rotation[:, 2] * force[2]
    modes = turned @ TO_MODES  # (3, …, K, 5)
    if solve:
        reached = np.cumsum(rotation * w.time, -1)  # (3, axis, …): the turn that a bias of that axis makes
        r0, r1, r2 = turned[0], turned[1], turned[2]
        change = np.stack([reached[2] * r1 - reached[1] * r2, reached[0] * r2 - reached[2] * r0, reached[1] * r0 - reached[0] * r1])
        slope = change @ TO_MODES[:, 1:]  # (3, axis, …, K, 4)
        rest = modes[..., 1:]
        weight = 1 / (w.variance + (rest * rest).sum((0, -1)) / 4)
        normal = np.einsum("...k,im...kj,in...kj->...mn", weight, slope, slope) + np.eye(3) / _BIAS**2
        right = np.einsum("...k,im...kj,i...kj->...m", weight, slope, rest) + start / _BIAS**2
        step = np.clip(np.linalg.solve(normal, right[..., None])[..., 0], -0.5, 0.5)
        return fit_of(w, turn, start - step, solve=False)
    length = np.sqrt((modes[..., 0] ** 2).sum(0))
    gravity = np.clip(middle(length), 0.95 * GRAVITY, 1.05 * GRAVITY)[..., None]
    energy = ((length - gravity) ** 2 + (modes[..., 1:] ** 2).sum((0, -1))) / 5
    likelihood = -2.5 * np.log1p(energy / w.variance).sum(-1) - 0.5 * (start * start).sum(-1) / _BIAS**2
    return Fit(likelihood, start, modes[..., 0], rotation)
