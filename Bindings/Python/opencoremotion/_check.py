# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Whether units, signs, axes and times are those that the filter takes: judged by the data themselves.

The model: in axes that do not turn, the specific force is gravity plus what a few seconds of motion leave of an acceleration, which is
little, as velocities are bounded. So some windows of six seconds are turned into their first instant's axes by the gyroscope alone, and
what is left there beside a constant vector of one g is the error of an assumption: a wrong unit, sign, axis or interval turns
the specific force wrongly. The same is done with each usual mistake taken back. A mistake is said when it explains the data
better by a factor of e^8 to e^26, with a bias of the gyroscope fitted to each.

What cannot be told so: the sign of the specific force. Mechanics is its own mirror image: a recording with -acc and the same gyr is that of a
possible motion in a world upside down. Only a magnetometer (a field that points down in the north) and the usual posture
have an opinion; see `sign`.

The axes of the magnetometer are judged in the same way: where they do not turn, the earth's field is constant, of one strength and at one
angle to gravity in all windows, once the device's own field is subtracted, which is fitted, too.
"""

from __future__ import annotations

import dataclasses
import itertools
import threading
import warnings
from typing import Any, Optional

import numpy as np

GRAVITY = 9.80665
_STEPS, _LENGTH = 48, 6.0
# Windows, and rows that are read of each step of them: few at first, many where these are not explained well.
_FEW, _MANY = (8, 4), (32, 6)
# Natural logarithms of the likelihood ratio that is needed: for the opposite sign, a gyroscope that reads too little, and twice the time; for
# each of 46 other axes; for a gyroscope that reads too much: what swings to and fro is steady in its own axes, in all windows alike. The
# largest of 589 shared recordings, which are right, without the first look at few windows: 2, 12 (then 9) and 20 (then 15).
_EVIDENCE, _AXES_EVIDENCE, _SLOWER_EVIDENCE = 8.0, 16.0, 26.0
_FIELD_EVIDENCE = 12.0  # for other axes of the magnetometer; the largest: 8
_SLOWER = ("deg", "-deg", "milli", "half")
_NOISE, _MOTION_NOISE = 0.5, 0.2  # m/s²: of a mean of seconds; and its share of the force's variation within the window
_BIAS = 0.15  # rad/s: what a gyroscope may read at rest
_FIELD_NOISE, _FIELD_CHANGE = 2.0, 5.0  # µT: of a mean of the magnetometer; and what the place changes within and between windows


class InputError(ValueError):
    """An argument contradicts the other ones: a wrong unit, sign, axis or time.

    Attributes
    ----------
    argument : str
        "t", "gyr", "acc" or "mag".
    measured : str
        What the data show.
    remedy : str
        The likely mistake, and what to do.
    """

    def __init__(self, argument: str, measured: str, remedy: str, recording: Optional[int] = None) -> None:
        place = "" if recording is None else f"recording {recording}: "
        super().__init__(f"{place}{argument}: {measured}; {remedy}. (check=False computes it all the same.)")
        self.argument, self.measured, self.remedy = argument, measured, remedy

    def of(self, recording: int) -> InputError:
        """The same of one recording of many."""
        return InputError(self.argument, self.measured, self.remedy, recording)

    def __reduce__(self) -> tuple[Any, ...]:
        return InputError, (self.argument, self.measured, self.remedy)


class InputWarning(UserWarning):
    """What the data make unlikely, but not impossible: the sign of the specific force."""


def _middle(values: np.ndarray) -> Any:
    """The median along the last axis, the upper of two: several times faster than numpy's on few values."""
    return np.sort(values, axis=-1)[..., values.shape[-1] // 2]


# Times


def interval(t: np.ndarray) -> None:
    """Whether the times can be those of sensors, ns: 1 Hz to 9 kHz."""
    if len(t) < 3:
        return
    steps = np.diff(t[:400])
    steps = steps[steps > 0]
    if not len(steps):
        return
    step = float(_middle(steps)) * 1e-9
    if 1.1e-4 <= step < 1.0:
        return
    for factor, name in ((1e6, "ms"), (1e3, "us"), (1e-3, "ms"), (1e-6, "us"), (1e9, "s"), (86400.0, "days")):
        if 1e-3 <= step * factor <= 0.11:
            break
    else:
        raise InputError("t", f"the usual interval is {step:.3g} s", "floats are seconds, integers nanoseconds: say t_unit=")
    if name == "days":
        remedy = "they are days, as of a spreadsheet: multiply them by 86400, after subtracting the first"
    elif name == "s" or factor > 1:
        remedy = f'integers are nanoseconds, these are {name}: t_unit="{name}"'
    else:
        remedy = f'floats are seconds, these are {name}: t_unit="{name}"'
    raise InputError("t", f"the usual interval is {step:.3g} s, a rate of {1 / step:.3g} Hz", remedy)


# Windows


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


def windows(t: np.ndarray, gyr: Any, acc: Any, mag: Any = None, size: tuple[int, int] = _MANY) -> Optional[Windows]:
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
    fine = (time > 0).all(1) & (lengths <= 2 * _middle(lengths)) & (time.max(1, initial=0) <= 0.2 * lengths) & (lengths >= 0.5)
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


# The model

_x = (np.arange(_STEPS) + 0.5) / _STEPS
_MODES = np.sin(np.pi * _x) ** 2 * np.cos(np.pi * np.outer(np.arange(5), _x))
_MODES[1:] -= np.outer(_MODES[1:].sum(1) / _MODES[0].sum(), _MODES[0])
_MODES[0] /= _MODES[0].sum()
_MODES[1:] *= np.linalg.norm(_MODES[0]) / np.linalg.norm(_MODES[1:], axis=1)[:, None]
_TO_MODES = np.ascontiguousarray(_MODES.T)


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


def _fit(w: Windows, turn: np.ndarray, bias: Optional[np.ndarray] = None, solve: bool = True) -> Fit:
    """`turn` is (3, …, K, steps); the bias is solved for once, from `bias` on."""
    start = np.zeros((*turn.shape[1:-2], 3)) if bias is None else bias
    taken = turn if bias is None else turn - np.moveaxis(start, -1, 0)[..., None, None] * w.time
    rotation = _rotations(taken)
    force = w.force if turn.ndim == 3 else w.force[:, None]
    turned = rotation[:, 0] * force[0] + rotation[:, 1] * force[1] + rotation[:, 2] * force[2]
    modes = turned @ _TO_MODES  # (3, …, K, 5)
    if solve:
        reached = np.cumsum(rotation * w.time, -1)  # (3, axis, …): the turn that a bias of that axis makes
        r0, r1, r2 = turned[0], turned[1], turned[2]
        change = np.stack([reached[2] * r1 - reached[1] * r2, reached[0] * r2 - reached[2] * r0, reached[1] * r0 - reached[0] * r1])
        slope = change @ _TO_MODES[:, 1:]  # (3, axis, …, K, 4)
        rest = modes[..., 1:]
        weight = 1 / (w.variance + (rest * rest).sum((0, -1)) / 4)
        normal = np.einsum("...k,im...kj,in...kj->...mn", weight, slope, slope) + np.eye(3) / _BIAS**2
        right = np.einsum("...k,im...kj,i...kj->...m", weight, slope, rest) + start / _BIAS**2
        step = np.clip(np.linalg.solve(normal, right[..., None])[..., 0], -0.5, 0.5)
        return _fit(w, turn, start - step, solve=False)
    length = np.sqrt((modes[..., 0] ** 2).sum(0))
    gravity = np.clip(_middle(length), 0.95 * GRAVITY, 1.05 * GRAVITY)[..., None]
    energy = ((length - gravity) ** 2 + (modes[..., 1:] ** 2).sum((0, -1))) / 5
    likelihood = -2.5 * np.log1p(energy / w.variance).sum(-1) - 0.5 * (start * start).sum(-1) / _BIAS**2
    return Fit(likelihood, start, modes[..., 0], rotation)


def _hypotheses() -> list[tuple[str, np.ndarray]]:
    result = [
        (name, np.eye(3) * scale)
        for name, scale in (
            ("deg", np.pi / 180), ("-deg", -np.pi / 180), ("milli", 1e-3), ("twice", 180 / np.pi), ("half", 0.5), ("double", 2.0)
        )
    ]
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1.0, -1.0), repeat=3):
            matrix = np.zeros((3, 3))
            matrix[range(3), order] = signs
            if not np.array_equal(matrix, np.eye(3)):
                result.append(("axes", matrix))
    return result


_HYPOTHESES = _hypotheses()
_MATRICES = np.array([matrix for _, matrix in _HYPOTHESES])
_AXES = np.array([matrix for name, matrix in _HYPOTHESES if name == "axes"])


def turning(w: Windows, fit: Fit) -> Fit:
    """Whether the gyroscope turns as gravity does in the accelerometer; `fit` is without a bias."""
    # No hypothesis has a likelihood above 0: one that is near cannot be beaten.
    if -fit.likelihood < _EVIDENCE:
        return fit
    fit = _fit(w, w.turn)
    if -fit.likelihood < _EVIDENCE:
        return fit
    _refuse_constant(w, float(fit.likelihood))
    # All hypotheses on the windows that turn most, then the best of them on all.
    turns = np.sqrt((w.turn**2).sum(0)).sum(-1)
    some = np.argsort(turns)[-6:]
    part = Windows(w.turn[:, some], w.time[some], w.force[:, some], None, w.variance[some], w.clipped, w.rows)
    screened = _fit(part, np.einsum("hij,jks->ihks", _MATRICES, part.turn))
    best = np.argsort(-screened.likelihood)[:4]
    best = np.unique(np.concatenate([best, np.arange(6)]))
    full = _fit(w, np.einsum("hij,jks->ihks", _MATRICES[best], w.turn))
    order = np.argsort(-full.likelihood)
    for index in order:
        name, matrix = _HYPOTHESES[best[index]]
        is_sign = name != "axes" or np.array_equal(matrix, -np.eye(3))
        needed = _SLOWER_EVIDENCE if name in _SLOWER else _EVIDENCE if is_sign else _AXES_EVIDENCE
        if full.likelihood[index] - fit.likelihood > needed:
            _refuse_turning(w, name, matrix, float(full.likelihood[index] - fit.likelihood))
    return fit


def _refuse_constant(w: Windows, likelihood: float) -> None:
    speed = w.turn / w.time
    if np.ptp(speed.reshape(3, -1), axis=1).max() > 1e-6:
        return
    raise InputError(
        "gyr", f"its readings do not change, while gravity turns in acc (log likelihood {likelihood:.0f})",
        "the columns are of another sensor, or were never filled",
    )


def _refuse_turning(w: Windows, name: str, matrix: np.ndarray, evidence: float) -> None:
    speed = float(np.sqrt(np.mean((w.turn / w.time) ** 2) * 3))
    sure = f"a likelihood ratio of e^{evidence:.0f}"
    if name in ("deg", "-deg"):
        if speed > 1.0:
            sign = ", and with the opposite sign" if name == "-deg" else ""
            raise InputError(
                "gyr", f"it turns with {speed:.3g} rad/s (RMS), gravity in acc about 57 times slower ({sure})",
                f'it fits in degrees per second{sign}: gyr_unit="deg/s"; or t is in another unit than it seems',
            )
        raise InputError(
            "gyr", f"gravity in acc turns far less than with its {speed:.3g} rad/s (RMS; {sure})",
            'it is in degrees per second (gyr_unit="deg/s"), or of another device or time than acc',
        )
    if name == "milli":
        raise InputError(
            "gyr", f"it turns a thousand times faster than gravity in acc ({sure})",
            'it is in milliradians per second (gyr_unit="mrad/s"), or t is in milliseconds (t_unit="ms")',
        )
    if name == "twice":
        raise InputError(
            "gyr", f"gravity in acc turns about 57 times faster ({sure})", "degrees were converted to radians twice",
        )
    if name in ("half", "double"):
        factor = {"half": "half", "double": "twice"}[name]
        raise InputError(
            "t", f"gravity in acc turns {factor} as fast as gyr × intervals ({sure})",
            f"the rate of the recording is {'twice' if name == 'half' else 'half'} what t says, or the full scale of gyr is another one",
        )
    if np.array_equal(matrix, -np.eye(3)):
        raise InputError(
            "gyr", f"it turns against gravity in acc ({sure})",
            "its sign is the opposite one: pass -gyr; or all axes of acc are mirrored",
        )
    order, signs, axes = _described(matrix)
    raise InputError(
        "gyr", f"with its axes as they are it does not turn as gravity does in acc; as ({axes}) it does ({sure})",
        f"the sensors have different axes: pass gyr[:, {order}] * {signs}, or turn acc",
    )


def _described(matrix: np.ndarray) -> tuple[list[int], list[int], str]:
    """Which axis comes in the place of x, y, z, with which sign; and as text."""
    order = [int(np.flatnonzero(row)[0]) for row in matrix]
    signs = [int(row.sum()) for row in matrix]
    return order, signs, ", ".join(f"{'-' if sign < 0 else ''}{'xyz'[axis]}" for axis, sign in zip(order, signs))


# The accelerometer


_UNITS = (
    (1.0, 'it is in g: acc_unit="g"'), (1000.0, 'it is in mg: acc_unit="mg"'), (100 * GRAVITY, "it is in cm/s²: divide it by 100"),
    (32.174, "it is in ft/s²: multiply it by 0.3048"),
    *((float(n), f"it is in counts of {n} a g: multiply it by 9.80665 / {n}") for n in (64, *(256 << i for i in range(8)))),
)


def gravity(gyr: np.ndarray, acc: np.ndarray, mean: Optional[float], is_rough: bool) -> None:
    """Whether the specific force has the length of gravity; `gyr`, `acc` are (3, n) rows, `mean` the length of its mean over seconds.

    `is_rough`: over less, in which an impact counts, or the force stops at the end of a range.
    """
    lengths = np.sqrt((acc * acc).sum(0))
    lengths = lengths[np.isfinite(lengths)]
    if not len(lengths):
        return
    usual = float(_middle(lengths))
    known = mean is not None
    mean = usual if mean is None else mean
    least, most = (0.56, 1.65) if known and not is_rough else (0.4, 3.5)
    if least * GRAVITY <= mean <= most * GRAVITY:
        return
    measured = f"its mean over seconds, which is gravity, is {mean:.3g} in place of 9.81"
    speeds = np.sqrt((gyr * gyr).sum(0))
    speeds = speeds[np.isfinite(speeds)]
    if usual == 0:
        raise InputError("acc", "all readings are 0", "the columns were never filled")
    if len(speeds) and 9 < _middle(speeds) < 10.6 and np.std(speeds) < 0.35 * _middle(speeds) and usual < 5:
        raise InputError("acc", measured, "gyr has the length of gravity: acc and gyr are exchanged")
    if mean >= 0.5 * usual or not known:
        for size, remedy in _UNITS:
            if 0.88 < mean / size < 1.12:
                raise InputError("acc", measured, remedy)
        if 15 < mean < 100 and known and usual < 1.2 * mean:
            raise InputError("acc", measured, "m/s² are needed; this is as a magnetometer in µT reads")
    if mean < 0.56 * GRAVITY:
        raise InputError(
            "acc", measured,
            "m/s² with gravity are needed: this is a user (linear) acceleration, without gravity, or in another unit (acc_unit=)",
        )
    raise InputError("acc", measured, "m/s² are needed: it is in another unit (acc_unit=), or in counts")


def fast(gyr: np.ndarray) -> None:
    """Whether something turns as fast as it says."""
    speeds = np.sqrt((gyr * gyr).sum(0))
    speeds = speeds[np.isfinite(speeds)]
    speed = float(_middle(speeds)) if len(speeds) else 0.0
    if speed > 35:
        raise InputError(
            "gyr", f"its usual rate is {speed:.3g} rad/s, {np.degrees(speed):.0f} °/s, at the end of what sensors can read",
            'it is in degrees per second (gyr_unit="deg/s"), milliradians per second ("mrad/s") or counts',
        )


# The magnetometer


def field(w: Optional[Windows], mag: np.ndarray, fit: Optional[Fit], tesla: float, name: str, calibrated: bool) -> Optional[float]:
    """Whether the field has the length of the earth's. The inclination of the field below the horizon, rad, if it is known."""
    if tesla == 0:
        return None
    scale = tesla * 1e6
    lengths = np.sqrt((mag * mag).sum(0)) * scale
    lengths = lengths[np.isfinite(lengths)]
    if not len(lengths):
        return None
    usual = float(_middle(lengths))
    if not 8 <= usual <= (150 if calibrated else 5000):
        _refuse_field(usual, scale, name)
    if w is None or fit is None or w.field is None:
        return None
    fine = np.isfinite(w.field).all((0, 2))
    if not fine.any():
        return None
    reading, rotation = w.field[:, fine] * scale, fit.rotation[..., fine, :]
    up = fit.mean[:, fine] / np.sqrt((fit.mean[:, fine] ** 2).sum(0))
    # In axes that do not turn the earth's field is constant; that of the device turns: an offset.
    modes = (rotation[:, :, None] * reading) @ _TO_MODES  # (3, 3 of the rotation, 3 of the reading, K, 5)
    offset_modes = rotation @ _TO_MODES  # (3, 3, K, 5)
    slope = np.moveaxis(offset_modes[..., 1:], 1, -1).reshape(-1, 3)
    normal = slope.T @ slope / _FIELD_NOISE**2 + np.eye(3) * (1e4 if calibrated else 1e-6)
    deviation = float(np.sqrt(np.linalg.inv(normal).diagonal().max()))

    def explained(axes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of readings in other axes, (H, 3, 3): the likelihood, the strength and the part of the earth's field that points up."""
        turned = np.einsum("hij,aijkm->hakm", axes, modes)
        right = turned[..., 1:].reshape(len(axes), -1) @ slope / _FIELD_NOISE**2
        offset = np.linalg.solve(normal, right.T).T
        rest = turned[..., 1:] - np.einsum("aikm,hi->hakm", offset_modes[..., 1:], offset)
        earth = turned[..., 0] - np.einsum("aik,hi->hak", offset_modes[..., 0], offset)
        strength, vertical = np.sqrt((earth * earth).sum(1)), (earth * up).sum(1)
        changes = sum((each - _middle(each)[:, None]) ** 2 for each in (strength, vertical))
        energy = ((rest * rest).sum((1, 3)) + changes) / 6
        return -2.5 * np.log1p(energy / _FIELD_CHANGE**2).sum(-1), _middle(strength), _middle(vertical)

    likelihoods, strengths, verticals = explained(np.eye(3)[None])
    strength = float(strengths[0])
    if -likelihoods[0] > _FIELD_EVIDENCE:
        others, _, vertical = explained(_AXES)
        # With all signs reversed it is the same, but in the other half of the earth: six in seven people live where it points down.
        best = int(np.argmax(others + 1.7 * (vertical < 0)))
        # And explains them well: a magnet nearby fits no axes, but some less badly than others.
        if others[best] - likelihoods[0] > _FIELD_EVIDENCE and -others[best] < fine.sum():
            order, signs, axes = _described(_AXES[best])
            raise InputError(
                "mag", f"with its axes as they are it does not turn as gyr and acc do; as ({axes}) it does "
                f"(a likelihood ratio of e^{others[best] - likelihoods[0]:.0f})",
                f"the sensors have different axes: pass mag[:, {order}] * {signs}",
            )
    if deviation > 3:
        return None
    if 150 < strength < 1500 and usual > 150:
        _refuse_field(strength, scale, name)
    if not 12 < strength < 110:
        return None
    return float(np.arcsin(np.clip(-verticals[0] / strength, -1, 1)))


def _refuse_field(strength: float, scale: float, name: str) -> None:
    number = strength / scale
    for unit, size in (("T", 1e6), ("G", 100.0), ("mT", 1e3), ("mG", 0.1), ("nT", 1e-3), ("uT", 1.0)):
        if unit != name.replace("µ", "u") and 20 <= number * size <= 70:
            raise InputError(
                "mag", f"its usual length is {number:.3g} {name}, the earth's field has 22 to 67 µT",
                f'it is in {unit}: mag_unit="{unit}"',
            )
    raise InputError(
        "mag", f"its usual length is {number:.3g} {name}, the earth's field has 22 to 67 µT",
        'it is in another unit (mag_unit=, or "any"), or no magnetometer',
    )


# The sign


def sign(acc: np.ndarray, inclination: Optional[float]) -> tuple[bool, str]:
    """Whether the magnetometer confirms the reaction's sign, and a warning where it or the posture speaks against it.

    Mechanics alone cannot tell.
    """
    lengths = np.sqrt((acc * acc).sum(0))
    low = float(np.mean(acc[2] < -0.7 * lengths))
    if inclination is not None and abs(inclination) > 0.35:
        if inclination > 0:
            return True, ""
        found = f"the magnetic field points {np.degrees(-inclination):.0f}° above the horizon, as in the southern half of the earth"
    elif low > 0.8:
        found = f"the device lies face down in {low:.0%} of the rows"
    else:
        return False, ""
    return False, (
        f"acc: {found}; or else acc has Apple's sign (-9.81 on the axis that points up). "
        'Say which: sign="reaction" or sign="apple"'
    )


# All


@dataclasses.dataclass(frozen=True)
class Result:
    """What a check has found, if it has not raised."""

    assumed: tuple[str, ...] = ()
    warning: str = ""


NOTHING = Result()


def check(
    t: np.ndarray, gyr: Any, acc: Any, mag: Any, *, tesla: float, mag_unit: str, calibrated: bool, sign_is_said: bool, zeros: bool = False
) -> Result:
    """Raises `InputError` for a wrong unit, axis or time. `gyr`, `acc`, `mag` are three columns each."""
    interval(t)
    count = len(t)
    if not count:
        return Result()
    rows = slice(None, None, max(1, count // 500))
    with np.errstate(all="ignore"):
        if zeros:
            absent = (acc[0] == 0) & (acc[1] == 0) & (acc[2] == 0)
            if absent.any():
                acc = [np.where(absent, np.nan, column) for column in acc]
        some_gyr, some_acc = (np.array([column[rows] for column in sensor], np.float64) for sensor in (gyr, acc))
        for sensor in (some_gyr, some_acc):
            sensor[:, np.abs(sensor).max(0) > 1e12] = np.nan  # impossible: the filter says so
        w: Optional[Windows] = None
        fit: Optional[Fit] = None
        mean: Optional[float] = None
        is_rough, assumed = False, list[str]()
        for size in (_FEW, _MANY):
            tried = windows(t, gyr, acc, mag, size)
            if tried is None:
                break
            is_rough |= tried.clipped
            if not len(tried.time) or not np.abs(tried.turn).max() < 1e6 or not np.abs(tried.force).max() < 1e12:
                break
            w, fit = tried, _fit(tried, tried.turn, solve=False)
            is_rough |= bool(tried.time[0].sum() < 2)
            if -fit.likelihood < _EVIDENCE:
                break
        if w is not None and fit is not None:
            # Whichever is longer: in the device's axes, should gyr be wrong.
            mean = max(float(_middle(np.sqrt((m * m).sum(0)))) for m in (fit.mean, w.force @ _MODES[0]))
        gravity(some_gyr, some_acc, mean, is_rough)
        fast(some_gyr)
        if w is not None and fit is not None:
            fit = turning(w, fit)
        if w is None or not _turns(w):
            assumed.append("unit, sign and axes of gyr, as gravity hardly turns")
        inclination = None
        if mag is not None:
            some_mag = np.array([column[rows] for column in mag], np.float64)
            inclination = field(w, some_mag, fit, tesla, mag_unit, calibrated)
        warning = ""
        if not sign_is_said:
            confirmed, warning = sign(some_acc, inclination)
            if not confirmed and not warning:
                assumed.append('sign of acc, as no sensor tells it (sign="reaction" says it)')
        return Result(tuple(assumed), warning)


def _turns(w: Windows) -> bool:
    """Whether gravity turns in the device's axes."""
    rest = w.force @ _TO_MODES[:, 1:]
    return bool(2.5 * np.log1p((rest * rest).sum((0, -1)) / 5 / w.variance).sum() > _AXES_EVIDENCE)


class Judge:
    """The check of one filter: of a whole recording, or of the first minute of a stream, as it comes."""

    #: When a stream is judged, s from its first row; and the most rows that are kept for it.
    _TIMES, _ROWS = (0.5, 6.5, 13.0, 26.0, 60.0), 100_000

    def __init__(self, **said: Any) -> None:
        self._said = said
        self._lock = threading.Lock()
        self.reset()

    def reset(self) -> None:
        self._warned = False  # of the sign, which is once enough
        self._parts: Optional[list[Any]] = []
        self._rows = self._judged = 0

    def whole(self, t: np.ndarray, gyr: Any, acc: Any, mag: Any) -> Result:
        return check(t, gyr, acc, mag, **self._said)

    def more(self, t: np.ndarray, gyr: Any, acc: Any, mag: Any) -> Result:
        """Keeps the rows until the minute is over. After an error the rows of this call are not kept, as the filter has not seen them."""
        if self._parts is None or not len(t):
            return NOTHING
        with self._lock:
            return self._more(t, gyr, acc, mag)

    def _more(self, t: np.ndarray, gyr: Any, acc: Any, mag: Any) -> Result:
        parts = self._parts
        if parts is None:
            return NOTHING
        first = parts[0][0][0] if parts else t[0]
        if self._judged == 0 and not parts:
            interval(t)
        # The caller may use its arrays again.
        kept = t.copy(), *(None if s is None else np.array(s, np.float64) for s in (gyr, acc, mag))
        due = (int(t[-1]) - int(first)) * 1e-9 >= self._TIMES[self._judged] or self._rows + len(t) > self._ROWS
        result = NOTHING
        if due:
            every = [*parts, kept]
            times = np.concatenate([part[0] for part in every])
            sensors = [
                None if any(part[i] is None for part in every) else np.concatenate([part[i] for part in every], 1) for i in (1, 2, 3)
            ]
            is_said = self._said["sign_is_said"] or self._warned or self._judged == 0  # half a second tells no posture
            result = check(times, *sensors, **{**self._said, "sign_is_said": is_said})
            while self._judged < len(self._TIMES) and (int(t[-1]) - int(first)) * 1e-9 >= self._TIMES[self._judged]:
                self._judged += 1
            if self._judged == len(self._TIMES) or self._rows + len(t) > self._ROWS:
                self._parts = None
                return result
            if result.warning:
                self._warned = True
        parts.append(kept)
        self._rows += len(t)
        return result
