# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings that the tests share: made up, with the true attitude known."""

import numpy as np
import pytest


class Recording:
    """A device that turns all ways at 100 Hz, with a gyroscope bias, in a field of 48 µT."""

    def __init__(self, count=3000, seed=1):
        random = np.random.default_rng(seed)
        self.t = np.arange(count) / 100
        s = self.t[:, None]
        self.gyr = np.sin(s * [0.9, 0.7, 0.5]) * [1.5, 1.0, 2.0]
        self.gyr[:300] = 0
        self.bias = np.array([0.003, -0.002, 0.004])
        q = np.empty((count, 4))
        q[0] = 1, 0, 0, 0
        for i in range(1, count):
            turn = (self.gyr[i - 1] + self.gyr[i]) * 0.005
            q[i] = multiply(q[i - 1], [1, *(turn / 2)])
            q[i] /= np.linalg.norm(q[i])
        self.quaternion = q
        self.acc = rotate_back(q, [0, 0, 9.80665]) + random.normal(0, 0.02, (count, 3))
        self.mag = rotate_back(q, [0, 18.0, -44.5]) + random.normal(0, 0.3, (count, 3))
        self.gyr = self.gyr + self.bias + random.normal(0, 0.001, (count, 3))


def multiply(p, q):
    (a, b, c, d), (w, x, y, z) = np.moveaxis(np.asarray(p), -1, 0), np.moveaxis(np.asarray(q), -1, 0)
    return np.stack([
        a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w], -1)


def rotate_back(q, v):
    """The vector v of the world in the device's axes."""
    v = np.broadcast_to([0.0, *v], q.shape)
    return multiply(multiply(q * [1, -1, -1, -1], v), q)[:, 1:]


def angle(p, q):
    """Degrees between attitudes."""
    return np.degrees(2 * np.arccos(np.minimum(1, abs((p * q).sum(-1)))))


@pytest.fixture(scope="session")
def recording():
    return Recording()


class Walk:
    """A minute of 1.9 steps a second at 100 Hz, between two rests of half a minute, from the third floor to the first."""

    def __init__(self, seed=1):
        random = np.random.default_rng(seed)
        self.t = np.arange(12_000) * 10_000_000 + 1_790_000_000_000_000_000
        s = np.arange(12_000) / 100
        phase = 2 * np.pi * 1.9 * (s - 30)
        swing = np.column_stack([np.sin(phase / 2), 0 * s, 3 * np.sin(phase) + 1.5 * np.sin(2 * phase + 1)])
        swing[(s < 30) | (s >= 90)] = 0
        self.acc = swing + [0, 0, 9.80665] + random.normal(0, 0.05, (12_000, 3))
        # 12 Pa a metre: 6 m in a minute.
        self.pressure = np.where(np.arange(12_000) % 4, np.nan, 101_000 + 72 * np.clip((s - 30) / 60, 0, 1))


@pytest.fixture(scope="session")
def walk():
    return Walk()
