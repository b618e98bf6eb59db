# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The static functions of the classes of `opencoremotion.vqf`: quaternions, vectors, low-passes and matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


class Functions:
    """Quaternions are w, x, y, z. What changes its argument needs an array of float64."""

    # Quaternions and vectors

    @staticmethod
    def quatMultiply(q1: npt.ArrayLike, q2: npt.ArrayLike) -> Array:
        """The product q1 q2, each of shape (4,)."""
        return product(np.asarray(q1, np.float64), np.asarray(q2, np.float64))

    @staticmethod
    def quatConj(q: npt.ArrayLike) -> Array:
        """The inverse of a unit quaternion, shape (4,)."""
        return np.asarray(q, np.float64) * [1, -1, -1, -1]

    @staticmethod
    def quatSetToIdentity(out: Array) -> None:
        """Writes (1, 0, 0, 0) into `out`, shape (4,)."""
        out[:] = [1, 0, 0, 0]

    @staticmethod
    def quatRotate(q: npt.ArrayLike, v: npt.ArrayLike) -> Array:
        """The vector v, shape (3,), turned by q, shape (4,)."""
        vector = np.concatenate([[0.0], np.asarray(v, np.float64)])
        return Functions.quatMultiply(Functions.quatMultiply(q, vector), Functions.quatConj(q))[1:]

    @staticmethod
    def quatApplyDelta(q: npt.ArrayLike, delta: float) -> Array:
        """q, shape (4,), turned about the vertical by delta rad."""
        return Functions.quatMultiply([math.cos(delta / 2), 0.0, 0.0, math.sin(delta / 2)], q)

    @staticmethod
    def norm(vec: npt.ArrayLike) -> float:
        """The length of a vector."""
        return float(np.linalg.norm(np.asarray(vec, np.float64)))

    @staticmethod
    def normalize(vec: Array) -> None:
        """Gives `vec` the length 1; one of length 0 stays."""
        length = Functions.norm(vec)
        if length > 0:
            vec /= length

    @staticmethod
    def clip(vec: Array, min_: float, max_: float) -> None:
        """Brings the elements of `vec` into the range from `min_` to `max_`."""
        vec[:] = np.minimum(np.maximum(vec, min_), max_)

    # Low-passes

    @staticmethod
    def gainFromTau(tau: float, Ts: float) -> float:
        """The gain of a low-pass of first order, 1 - exp(-Ts / tau); `tau` and `Ts` in s. 0 for a negative `tau`, 1 for 0."""
        if tau < 0:
            return 0.0
        return -math.expm1(-Ts / tau) if tau > 0 else 1.0

    @staticmethod
    def filterCoeffs(tau: float, Ts: float) -> tuple[Array, Array]:
        """A Butterworth low-pass of second order with the cutoff frequency sqrt(2) / (2 pi tau).

        Parameters
        ----------
        tau, Ts : float
            Time constant and sampling interval, s. A `tau` below Ts / 2 lets everything pass.

        Returns
        -------
        b, a : ndarray, shapes (3,) and (2,)
            The coefficients of input and output; that of the latest output, 1, is left out.
        """
        if tau < Ts / 2:
            return np.array([1.0, 0, 0]), np.zeros(2)
        # The bilinear transform of 1 / (s² + √2 s + 1), exact at the cutoff frequency.
        k = math.tan(Ts / (math.sqrt(2) * tau))
        scale = 1 / (1 + math.sqrt(2) * k + k * k)
        b = k * k * scale * np.array([1.0, 2, 1])
        return b, scale * np.array([2 * (k * k - 1), 1 - math.sqrt(2) * k + k * k])

    @staticmethod
    def filterInitialState(x0: float, b: Array, a: Array) -> Array:
        """The state, shape (2,), of a low-pass that has had the input `x0` for ever."""
        return x0 * np.array([1 - b[0], b[2] - a[1]])

    @staticmethod
    def filterAdaptStateForCoeffChange(
        last_y: Array, b_old: Array, a_old: Array, b_new: Array, a_new: Array, state: Array
    ) -> None:
        """Changes `state`, 2 n numbers, so that new coefficients go on from the outputs `last_y`, shape (n,), without a step."""
        pairs = _flat(state)
        if np.isnan(pairs[0]):
            return  # Still the mean of the first inputs, without coefficients.
        pairs[0::2] += (b_old[0] - b_new[0]) * last_y
        pairs[1::2] += (b_new[2] - b_old[2] - a_new[1] + a_old[1]) * last_y

    @staticmethod
    def filterStep(x: float, b: Array, a: Array, state: Array) -> float:
        """The output for the input `x`; `state`, shape (2,), moves on."""
        y = b[0] * x + state[0]
        state[0] = b[1] * x - a[0] * y + state[1]
        state[1] = b[2] * x - a[1] * y
        return float(y)

    @staticmethod
    def filterVec(x: Array, tau: float, Ts: float, b: Array, a: Array, state: Array) -> Array:
        """The output, shape (n,), for the input `x`, shape (n,) with n from 2 on.

        Until `tau` seconds have passed it is the mean of the inputs, if `state`, 2 n numbers, begins as NaN.
        """
        pairs = _flat(state)
        count = len(x)
        if count < 2 or len(pairs) != 2 * count:
            raise ValueError(f"x: two numbers or more are needed, and twice as many in state; they have {count} and {len(pairs)}")
        if not np.isnan(pairs[0]):
            y = b[0] * x + pairs[0::2]
            pairs[0::2], pairs[1::2] = b[1] * x - a[0] * y + pairs[1::2], b[2] * x - a[1] * y
            return y
        # NaN, how many inputs there were, and their sums.
        if np.isnan(pairs[1]):
            pairs[1:] = 0
        pairs[1] += 1
        pairs[2 : 2 + count] += x
        mean = pairs[2 : 2 + count] / pairs[1]
        if pairs[1] * Ts >= tau:
            pairs[0::2], pairs[1::2] = (1 - b[0]) * mean, (b[2] - a[1]) * mean
        return mean

    # Matrices of 3 by 3

    @staticmethod
    def matrix3SetToScaledIdentity(scale: float, out: Array) -> None:
        """Writes `scale` times the identity into `out`."""
        out[:] = scale * np.eye(3)

    @staticmethod
    def matrix3Multiply(in1: Array, in2: Array) -> Array:
        """The product."""
        return in1 @ in2

    @staticmethod
    def matrix3MultiplyTpsFirst(in1: Array, in2: Array) -> Array:
        """The product, the first matrix transposed."""
        return np.swapaxes(in1, 0, 1) @ in2

    @staticmethod
    def matrix3MultiplyTpsSecond(in1: Array, in2: Array) -> Array:
        """The product, the second matrix transposed."""
        return in1 @ np.swapaxes(in2, 0, 1)

    @staticmethod
    def matrix3Inv(in_: Array) -> tuple[bool, Array]:
        """Whether there is an inverse, and it, or zeros."""
        try:
            return True, np.asarray(np.linalg.inv(in_), np.float64)
        except np.linalg.LinAlgError:
            return False, np.zeros((3, 3))


def _flat(state: Array) -> Array:
    if not state.flags.c_contiguous:
        raise ValueError("state: an array in one piece is needed, so that it can move on")
    return state.ravel()


def product(q: Array, p: Array) -> Array:
    """The products of quaternions, shape (…, 4)."""
    (a, b, c, d), (w, x, y, z) = np.moveaxis(q, -1, 0), np.moveaxis(p, -1, 0)
    parts: tuple[Any, ...] = (
        a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y, a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w,
    )
    return np.stack(parts, axis=-1)
