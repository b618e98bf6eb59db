# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Readings of a phone's sensors along a motion: noise, bias, scale, misalignment, quantisation, ranges, delays."""

from dataclasses import dataclass, field

import numpy as np

import quaternions as quat
from motion import GRAVITY

EARTH_FIELD = np.array([0.0, 21.0, -43.0])  # µT, east-north-up; magnetic north, 64° down


@dataclass
class Phone:
    """The errors of one phone; the default figures are those of data sheets (BMI260, LSM6DSO, AK09918)."""

    rng: np.random.Generator
    bias: np.ndarray = None  # °/s
    gyroscope_range: float = 2000.0  # °/s
    accelerometer_range: float = 8.0  # g
    hard_iron: np.ndarray = field(default_factory=lambda: np.zeros(3))  # µT
    soft_iron: float = 0.0  # relative
    field_noise: float = 0.5  # µT

    def __post_init__(self):
        rng = self.rng
        if self.bias is None:
            self.bias = np.clip(rng.normal(0, 0.25, 3), -0.6, 0.6)
        self.gyroscope_matrix = np.eye(3) + np.diag(rng.normal(0, 0.004, 3)) + rng.normal(0, 0.003, (3, 3))
        self.accelerometer_matrix = np.eye(3) + np.diag(rng.normal(0, 0.002, 3)) + rng.normal(0, 0.001, (3, 3))
        self.accelerometer_bias = rng.normal(0, 0.04, 3)
        skew = rng.normal(0, 1, (3, 3))
        self.field_matrix = np.eye(3) + self.soft_iron * (skew + skew.T) / np.linalg.norm(skew + skew.T, 2)


@dataclass
class Readings:
    t: np.ndarray  # time stamps, s
    acceleration: np.ndarray  # specific force, m/s²
    rate: np.ndarray  # rad/s
    field: np.ndarray = None  # µT
    q: np.ndarray = None  # truth at the time stamps

    def cut(self, keep):
        return Readings(*(None if x is None else x[keep] for x in (self.t, self.acceleration, self.rate, self.field, self.q)))


def quantised(x, unit):
    return np.round(x / unit) * unit


def measure(motion, phone, rate, bias_drift=None, average=False, delay=0.0, world_field=None, body_field=None):
    """Readings at `rate` Hz. `delay`: gyroscope and accelerometer speak of that long before their stamp. `bias_drift`: °/s
    added to the bias, a function of time. Fields in µT, functions of (t, position): of the world (default: the earth's), and
    of a magnet that moves with the device."""
    rng, n = phone.rng, round(1 / rate / motion.step)
    assert abs(n * motion.step * rate - 1) < 1e-6, "the fine grid must divide the sampling interval"
    omega = motion.rates()
    force = quat.unrotate(motion.q, motion.acceleration + [0, 0, GRAVITY])
    rows = np.arange(n, len(omega), n)
    t = motion.t[rows]
    if average:
        total = np.concatenate([np.zeros((1, 3)), np.cumsum(omega, 0)])
        w = (total[rows] - total[rows - n]) / n
        total = np.concatenate([np.zeros((1, 3)), np.cumsum(force, 0)])
        f = (total[rows] - total[rows - n]) / n
    else:
        earlier = t - delay
        mid = motion.t[:-1] + motion.step / 2
        w = np.stack([np.interp(earlier, mid, omega[:, k]) for k in range(3)], -1)
        f = np.stack([np.interp(earlier, motion.t, force[:, k]) for k in range(3)], -1)
    drift = np.zeros((len(t), 3)) if bias_drift is None else bias_drift(t)
    walk = np.cumsum(rng.normal(0, 0.001 / np.sqrt(rate), (len(t), 3)), 0)
    w = w @ phone.gyroscope_matrix.T + np.radians(phone.bias + drift + walk)
    w += rng.normal(0, np.radians(0.007) * np.sqrt(rate / 2), w.shape)
    limit = np.radians(phone.gyroscope_range)
    w = np.clip(quantised(w, np.radians(2000) / 32768), -limit, limit)
    f = f @ phone.accelerometer_matrix.T + phone.accelerometer_bias + rng.normal(0, 0.0018 * np.sqrt(rate / 2), f.shape)
    limit = phone.accelerometer_range * GRAVITY
    f = np.clip(quantised(f, 8 * GRAVITY / 32768), -limit, limit)
    q, position = motion.q[rows], motion.position[rows]
    world = np.tile(EARTH_FIELD, (len(t), 1)) if world_field is None else world_field(t, position)
    m = quat.unrotate(q, world)
    if body_field is not None:
        m = m + body_field(t, position)
    m = m @ phone.field_matrix.T + phone.hard_iron + rng.normal(0, phone.field_noise, m.shape)
    return Readings(t, f, w, quantised(m, 0.15), q)
