# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The usual mistakes in what a filter is given, and how each shows in the data.

A mistake of the gyroscope's unit, sign or axes is taken back, and explains the windows better by a factor of e^8 to e^26, with a bias of
the gyroscope fitted to each. The axes of the magnetometer are judged in the same way: where they do not turn, the earth's field is constant, of
one strength and at one angle to gravity in all windows, once the device's own field is subtracted, which is fitted, too.

What cannot be told so is the sign of the specific force. Mechanics is its own mirror image: a recording with -acc and the same gyr is that
of a possible motion in a world upside down. Only a magnetometer (a field that points down in the north) and the usual posture have an opinion.
"""

from __future__ import annotations

import itertools
from typing import Any, Optional

import numpy as np

from ._windows import GRAVITY, TO_MODES, Fit, Windows, fit_of, middle

# Natural logarithms of the likelihood ratio that is needed: for the opposite sign, a gyroscope that reads too little, and twice the time; for
# each of 46 other axes; for a gyroscope that reads too much: what swings to and fro is steady in its own axes, in all windows alike. The
# largest of 589 shared recordings, which are right, without the first look at few windows: 2, 12 (then 9) and 20 (then 15).
EVIDENCE, AXES_EVIDENCE, _SLOWER_EVIDENCE = 8.0, 16.0, 26.0
_FIELD_EVIDENCE = 12.0  # for other axes of the magnetometer; the largest: 8
_SLOWER = ("deg", "-deg", "milli", "half")
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


# Times


def interval(t: np.ndarray) -> None:
    """Whether the times can be those of sensors, ns: 1 Hz to 9 kHz."""
    if len(t) < 3:
        return
    steps = np.diff(t[:400])
    steps = steps[steps > 0]
    if not len(steps):
        return
    step = float(middle(steps)) * 1e-9
    if 1.1e-4 <= step < 1.0:
        return
    for factor, name in ((1e6, "ms"), (1e3, "us"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"), (1e9, "s"), (86400.0, "days")):
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


# The gyroscope


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
    if -fit.likelihood < EVIDENCE:
        return fit
    fit = fit_of(w, w.turn)
    if -fit.likelihood < EVIDENCE:
        return fit
    _refuse_constant(w, float(fit.likelihood))
    # All hypotheses on the windows that turn most, then the best of them on all.
    turns = np.sqrt((w.turn**2).sum(0)).sum(-1)
    some = np.argsort(turns)[-6:]
    part = Windows(w.turn[:, some], w.time[some], w.force[:, some], None, w.variance[some], w.clipped, w.rows)
    screened = fit_of(part, np.einsum("hij,jks->ihks", _MATRICES, part.turn))
    best = np.argsort(-screened.likelihood)[:4]
    best = np.unique(np.concatenate([best, np.arange(6)]))
    full = fit_of(w, np.einsum("hij,jks->ihks", _MATRICES[best], w.turn))
    order = np.argsort(-full.likelihood)
    for index in order:
        name, matrix = _HYPOTHESES[best[index]]
        is_sign = name != "axes" or np.array_equal(matrix, -np.eye(3))
        needed = _SLOWER_EVIDENCE if name in _SLOWER else EVIDENCE if is_sign else AXES_EVIDENCE
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
    usual = float(middle(lengths))
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
    if len(speeds) and 9 < middle(speeds) < 10.6 and np.std(speeds) < 0.35 * middle(speeds) and usual < 5:
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
            "gravity has been removed: this is a user (linear) acceleration, and the accelerometer's own readings are needed "
            "(Core Motion: gravity + userAcceleration); or it is in another unit (acc_unit=)",
        )
    raise InputError("acc", measured, "m/s² are needed: it is in another unit (acc_unit=), or in counts")


def fast(gyr: np.ndarray) -> None:
    """Whether something turns as fast as it says."""
    speeds = np.sqrt((gyr * gyr).sum(0))
    speeds = speeds[np.isfinite(speeds)]
    speed = float(middle(speeds)) if len(speeds) else 0.0
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
    usual = float(middle(lengths))
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
    modes = (rotation[:, :, None] * reading) @ TO_MODES  # (3, 3 of the rotation, 3 of the reading, K, 5)
    offset_modes = rotation @ TO_MODES  # (3, 3, K, 5)
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
        changes = sum((each - middle(each)[:, None]) ** 2 for each in (strength, vertical))
        energy = ((rest * rest).sum((1, 3)) + changes) / 6
        return -2.5 * np.log1p(energy / _FIELD_CHANGE**2).sum(-1), middle(strength), middle(vertical)

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
