# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Shared by the second and the third suite: their cases, defects of poor chips, motions the first suite lacks."""
import zlib
from dataclasses import dataclass, field

import numpy as np
import quaternions as quat
from motion import (GRAVITY, UP, SOUTH_NORTH, WEST_EAST, Motion, active, city, euler, from_position, from_velocity, handheld, sines, smooth,
                    smoothstep, thrown, tilted, times, walking)
from sensors import EARTH_FIELD, Phone, Readings, measure

END = 1e9


@dataclass
class Case:
    """Checks: [metric, from, to, physics bound]. README.md says when one passes."""
    name: str
    readings: Readings
    checks: list
    about: str
    frame: str = "arbitrary"
    start: float = 10.0        # s, from which stated bounds are held against the filter
    honest: bool = True        # False: what is stated cannot be known from the data
    slow_field: bool = False   # NaN rows of magnetometer or accelerometer are blank cells
    family: str = field(default="")


def suite(number):
    """FAMILIES, what adds one to them, and what makes the cases of one: each family has random numbers of its own."""
    families = {}

    def family(name):
        return lambda function: families.setdefault(name, function)

    def make(name, seed):
        for case in families[name](np.random.default_rng([seed, zlib.crc32(name.encode()), number])):
            case.family = name
            yield case
    return families, family, make


def six(tilt, yaw, start=10, maximum=None):
    return [("tilt_rms", start, END, tilt), ("yaw_drift", start, END, yaw)] + ([("tilt_max", start, END, maximum)] if maximum else [])


def both(name, r, about, six_checks, nine_checks, start=10.0, **more):
    """The same readings without and with the magnetometer."""
    if six_checks:
        yield Case(name + "-6d", r.cut(slice(None)), six_checks, about, start=start, **more)
    if nine_checks:
        yield Case(name + "-9d", r.cut(slice(None)), nine_checks, about, "magnetic", start=start, **more)


def unit(rng):
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def poor(rng, bias=None, **more):
    """A cheap uncalibrated chip (MPU-6050, MPU-9250 class): scale 3 %, misalignment 2°, 0.05 g, accelerometer scale 2 %."""
    p = Phone(rng, rng.normal(0, 2, 3) if bias is None else bias, **more)
    p.gyroscope_matrix = np.eye(3) + np.diag(rng.normal(0, 0.03, 3)) + np.radians(2) * rng.normal(0, 0.6, (3, 3)) * (1 - np.eye(3))
    p.accelerometer_matrix = np.eye(3) + np.diag(rng.normal(0, 0.02, 3)) + 0.01 * rng.normal(0, 1, (3, 3)) * (1 - np.eye(3))
    p.accelerometer_bias = 0.05 * GRAVITY * unit(rng)
    return p


def g_sensitive(rng, r, degrees_per_s_per_g=0.1):
    """A gyroscope that feels acceleration: °/s per g, each entry."""
    r.rate = r.rate + (r.acceleration / GRAVITY) @ (np.radians(degrees_per_s_per_g) * rng.normal(size=(3, 3))).T
    return r


def noisier(rng, r, gyro=0.0, acc=0.0):
    """White noise per sample: °/s, m/s²."""
    r.rate = r.rate + np.radians(gyro) * rng.normal(size=r.rate.shape)
    r.acceleration = r.acceleration + acc * rng.normal(size=r.acceleration.shape)
    return r


def leaning(yaw, pitch, speed, yaw_rate):
    """Attitude of what leans into its curves (bicycle, aeroplane): the apparent gravity stays in its own plane of symmetry."""
    return euler(yaw, pitch, -np.arctan2(speed * yaw_rate, GRAVITY))


def thrust_aligned(acceleration, velocity, yaw, drag=0.35):
    """A multicopter: its z axis is the thrust's, which carries weight, acceleration and air drag."""
    z = acceleration + [0, 0, GRAVITY] + drag * velocity
    z = z / np.linalg.norm(z, axis=1, keepdims=True)
    axis = np.cross([0, 0, 1.0], z)
    sine = np.linalg.norm(axis, axis=1)
    angle = np.arctan2(sine, z[:, 2])
    axis = axis / np.maximum(sine, 1e-12)[:, None]
    tilt = np.concatenate([np.cos(angle / 2)[:, None], np.sin(angle / 2)[:, None] * axis], -1)
    return quat.multiply(tilt, quat.about(UP, yaw))


def with_lever(step, q, lever, position=0.0):
    """The sensor sits at `lever` (body axes, m) of a body that turns about `position`."""
    return from_position(step, q, position + quat.rotate(q, np.broadcast_to(np.asarray(lever, float), (len(q), 3))))


def poses(rng, t, move, hold, reach, axes=3):
    """Stop and go: smooth moves between random values of ±reach (rad)."""
    x, at, out = np.zeros(axes), 0.0, np.zeros((len(t), axes))
    while at < t[-1]:
        to, m, h = rng.uniform(-1, 1, axes) * reach, rng.uniform(*move), rng.uniform(*hold)
        k = (t >= at) & (t < at + m + h)
        out[k] = x + smoothstep((t[k] - at) / m)[:, None] * (to - x)
        x, at = to, at + m + h
    return out


def pendulum(step, duration, length, amplitude, start=4.0):
    """Angle of a swing that is let go at `start`; damped a little, pushed up again each 40 s. Rope angle in rad."""
    n = int(duration / step) + 1
    theta, omega, out = 0.0, 0.0, np.zeros(n)
    for k in range(n):
        now = k * step
        push = 0.9 * np.sign(omega if abs(omega) > 0.02 else 1.0) if (start < now and abs(theta) < 0.25 and (omega ** 2 * length / 2 + GRAVITY * (1 - np.cos(theta))) < GRAVITY * (1 - np.cos(amplitude))) else 0.0
        omega += (-GRAVITY / length * np.sin(theta) - 0.02 * omega + push / length) * step
        theta += omega * step
        out[k] = theta
    return smooth(out[:, None], 0.08 / step)[:, 0]
