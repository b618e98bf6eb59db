# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings that the tests share: made up, with the true attitude known."""

import os
import pathlib

import numpy as np
import pytest

MOTIONCTL = os.environ.get("MOTIONCTL") or str(pathlib.Path(__file__).parents[3] / ".build/release/motionctl")
needs_motionctl = pytest.mark.skipif(not os.access(MOTIONCTL, os.X_OK), reason=f"{MOTIONCTL} is not there")
SHARED = pathlib.Path(os.environ.get("OPENCOREMOTION_SHARED_DATA") or pathlib.Path(__file__).parents[4] / "shared/data")


class Recording:
    """A device that turns all ways at 100 Hz, with a gyroscope bias, in a field of 48 µT."""

    def __init__(self, count=3000, seed=1):
        random = np.random.default_rng(seed)
        self.t = np.arange(count) / 100
        s = self.t[:, None]
        self.gyr = np.sin(s * [0.9, 0.7, 0.5]) * [1.5, 1.0, 2.0]
        self.gyr[:300] = 0
        self.bias = np.array([0.003, -0.002, 0.004])
        q = self.quaternion = integrated(self.gyr)
        self.acc = rotate_back(q, [0, 0, 9.80665]) + random.normal(0, 0.02, (count, 3))
        self.mag = rotate_back(q, [0, 18.0, -44.5]) + random.normal(0, 0.3, (count, 3))
        self.gyr = self.gyr + self.bias + random.normal(0, 0.001, (count, 3))


def integrated(rate):
    """The attitudes of a device that turns at a rate, at 100 Hz."""
    q = np.zeros((len(rate), 4))
    q[0, 0] = 1
    for i in range(1, len(rate)):
        q[i] = multiply(q[i - 1], [1, *(0.0025 * (rate[i - 1] + rate[i]))])
        q[i] /= np.linalg.norm(q[i])
    return q


def changed(array, row, value):
    result = array.copy()
    result[row] = value
    return result


def multiply(p, q):
    (a, b, c, d), (w, x, y, z) = np.moveaxis(np.asarray(p), -1, 0), np.moveaxis(np.asarray(q), -1, 0)
    return np.stack([
        a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w], -1)


def rotate_back(q, v):
    """The vector v of the world, or one for each attitude, in the device's axes."""
    v = np.column_stack([np.zeros(len(q)), np.broadcast_to(v, (len(q), 3))])
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
