# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Motions with known truth, on a fine grid of times: attitude and acceleration that belong to one path.

Every acceleration is the derivative of a velocity that stays within what a hand or a vehicle does, and every rate is
the derivative of the attitude, so that sensors computed from them agree with each other exactly.
"""

from dataclasses import dataclass

import numpy as np

import quaternions as quat

GRAVITY = 9.80665
WEST_EAST, SOUTH_NORTH, UP = np.eye(3)


@dataclass
class Motion:
    step: float  # s between two rows
    q: np.ndarray  # device to east-north-up
    acceleration: np.ndarray  # m/s², east-north-up, without gravity
    position: np.ndarray  # m; relative, only where the field depends on it

    @property
    def t(self):
        return np.arange(len(self.q)) * self.step

    def rates(self):
        """Mean rate from each row to the next, rad/s, device axes."""
        turn = quat.multiply(quat.conjugate(self.q[:-1]), self.q[1:])
        return quat.rotation_vector(turn) / self.step


def times(duration, step):
    return np.arange(int(round(duration / step)) + 1) * step


def sines(rng, t, low, high, deviation, columns=3, count=14):
    """Smooth noise of the given standard deviation between two frequencies (Hz): (rows, columns)."""
    f = np.exp(rng.uniform(np.log(low), np.log(high), (count, columns)))
    phase = rng.uniform(0, 2 * np.pi, (count, columns))
    x = sum(np.sin(2 * np.pi * f[k] * t[:, None] + phase[k]) for k in range(count))
    return deviation * x / np.sqrt(count / 2)


def smoothstep(x):
    x = np.clip(x, 0, 1)
    return x * x * x * (10 - 15 * x + 6 * x * x)


def active(t, start, end, ramp=1.0):
    """One between start and end, zero outside, without kinks in the acceleration."""
    return smoothstep((t - start) / ramp) * smoothstep((end - t) / ramp)


def smooth(x, width):
    """Mean over `width` rows, twice: limits jerk."""
    width = max(1, int(width))
    for _ in range(2):
        padded = np.concatenate([np.repeat(x[:1], width, 0), x, np.repeat(x[-1:], width, 0)])
        total = np.concatenate([np.zeros_like(padded[:1]), np.cumsum(padded, 0)])
        mean = (total[width:] - total[:-width]) / width
        x = mean[width // 2 + 1: width // 2 + 1 + len(x)]
    return x


def from_position(step, q, position):
    velocity = np.gradient(position, step, axis=0)
    return Motion(step, q, np.gradient(velocity, step, axis=0), position)


def from_velocity(step, q, velocity):
    return Motion(step, q, np.gradient(velocity, step, axis=0), np.cumsum(velocity, 0) * step)


def euler(yaw, pitch, roll):
    return quat.multiply(quat.about(UP, yaw), quat.multiply(quat.about(WEST_EAST, pitch), quat.about(SOUTH_NORTH, roll)))


def handheld(rng, duration, step, envelope=None, vigour=1.0, reach=0.06, base=None):
    """A phone in a hand that looks at all sides: turns of ±90°, some 100 °/s, and decimetres of travel."""
    t = times(duration, step)
    envelope = np.ones(len(t)) if envelope is None else envelope(t)
    turn = sines(rng, t, 0.08, 0.6, np.radians(38), 3) * envelope[:, None] * vigour
    position = sines(rng, t, 0.2, 1.2, reach) * envelope[:, None]
    q = euler(1.6 * turn[:, 0], turn[:, 1], turn[:, 2])
    base = quat.random_attitude(rng) if base is None else base
    return from_position(step, quat.multiply(q, base[None]), position)


def slow_turn(rng, step, rate, turning, after):
    """A steady turn about the vertical from the first sample on, then a hand."""
    t = times(turning + after, step)
    hand = handheld(rng, turning + after, step, lambda t: smoothstep((t - turning) / 1.5), base=tilted(rng, 30))
    share = 1 - smoothstep((t - turning) / 1.0)
    yaw = np.cumsum(np.radians(rate) * share) * step
    return Motion(step, quat.multiply(quat.about(UP, yaw), hand.q), hand.acceleration, hand.position)


def tilted(rng, degrees):
    """Face up, tilted by up to `degrees`, any azimuth."""
    return euler(rng.uniform(0, 2 * np.pi, 1), np.radians(rng.uniform(-degrees, degrees, 1)),
                 np.radians(rng.uniform(-degrees, degrees, 1)))[0]


def vehicle(rng, step, speed, yaw_rate, mount=None, shake=0.25):
    """A phone in a holder in a car: speed (m/s) and yaw rate (rad/s) per row, made smooth; body roll, pitch and road shake."""
    speed, yaw_rate = smooth(speed, 0.8 / step), smooth(yaw_rate, 0.8 / step)
    t = np.arange(len(speed)) * step
    yaw = np.cumsum(yaw_rate) * step
    velocity = speed[:, None] * np.stack([-np.sin(yaw), np.cos(yaw), 0 * yaw], -1)
    forward, lateral = np.gradient(speed, step), speed * yaw_rate
    rough = np.clip(speed / 10, 0.03, 1)
    wobble = sines(rng, t, 1, 2.5, np.radians(0.25), 2) * rough[:, None]
    pitch = np.radians(0.6) * forward + wobble[:, 0]  # nose up when it accelerates
    roll = np.radians(0.5) * smooth(lateral, 0.3 / step) + wobble[:, 1]
    car = euler(yaw, pitch, roll)
    mount = euler(np.zeros(1), np.radians(rng.uniform(30, 75, 1)), np.radians(rng.uniform(-15, 15, 1)))[0] if mount is None else mount
    # Road and engine: 8–25 Hz; as an acceleration it is the derivative of a velocity of some cm/s.
    road = sines(rng, t, 8, 25, shake, 3) * rough[:, None]
    motion = from_velocity(step, quat.multiply(car, mount[None]), velocity)
    motion.acceleration += road
    return motion


def city(rng, step, duration, parked, stops=True):
    """Speed and yaw rate of a drive through a town: blocks of 60–250 m, turns at 4–7 m/s, traffic lights."""
    n = int(round(duration / step)) + 1
    speed, turn = np.zeros(n), np.zeros(n)
    at, v = int(parked / step), 0.0

    def go(to, rate, turn_rate=0.0, hold=0.0):
        nonlocal at, v
        ramp = max(1, int(abs(to - v) / rate / step))
        for part, rows in ((np.linspace(v, to, ramp), ramp), (np.full(int(hold / step), to), int(hold / step))):
            rows = max(0, min(rows, n - at))
            speed[at:at + rows], turn[at:at + rows] = part[:rows], turn_rate
            at += rows
        v = to

    while at < n - 1:
        go(rng.uniform(8, 14), rng.uniform(1.2, 2.5), hold=rng.uniform(5, 15))
        if stops and rng.random() < 0.45:
            go(0.0, rng.uniform(1.5, 3.0), hold=rng.uniform(4, 15))
            continue
        corner = rng.uniform(4, 7)
        go(corner, rng.uniform(1.5, 3.0))
        angle = np.radians(rng.uniform(75, 105)) * rng.choice([-1, 1])
        rate = rng.uniform(1.5, 3.0) / corner
        go(corner, 1.0, np.sign(angle) * rate, abs(angle) / rate)
    return speed, turn


def block(step, duration):
    """Speed and yaw rate of a car that drives round a block, always to the left, 36 s a side with 4 s of standing."""
    t = np.arange(int(round(duration / step)) + 1) * step
    sides = [(0, 0), (3, 0), (11, 15), (17, 15), (21, 6), (26, 6), (30, 12), (32, 12), (35, 0), (36, 0)]
    speed = np.interp(t % 36, *np.transpose(sides))
    return speed, np.where((t % 36 >= 21) & (t % 36 < 26), np.pi / 10, 0.0)


def thrown(rng, step, duration, throws, tumble, impact=0.0, flight=0.7):
    """A hand, throws of `flight` seconds with a tumble (°/s) and, where impact (m/s²) is given, a blow instead of a catch."""
    start, end = throws[0] - 6, throws[-1] + flight + (0.05 if impact else 6)
    hand = handheld(rng, duration, step, lambda t: active(t, start, end), vigour=0.5, reach=0.03)
    t, q, acceleration = hand.t, hand.q, hand.acceleration
    for at in throws:
        airborne = (t >= at) & (t < at + flight)
        push = (t >= at - 0.3) & (t < at)
        rate = np.radians(tumble) * np.where(airborne, 1.0, np.clip((t - at + 0.3) / 0.3, 0, 1) * push)
        stop = (t >= at + flight) & (t < at + flight + (0.04 if impact else 0.3))
        rate += np.radians(tumble) * stop * np.clip(1 - (t - at - flight) / (0.04 if impact else 0.3), 0, 1)
        q = quat.multiply(q, quat.about(rng.normal(size=3), np.cumsum(rate) * step))
        # Up for 0.3 s, free, and caught (or struck): then it moves with the hand again.
        acceleration = np.where(airborne[:, None], [0, 0, -GRAVITY], acceleration)
        acceleration[push, 2] += GRAVITY * flight / 2 / 0.3
        gathered = (acceleration - hand.acceleration)[t < at + flight].sum(0) * step
        acceleration[stop] -= gathered / (stop.sum() * step)
        if impact:
            acceleration[stop] += impact * rng.normal(size=(1, 3)) * np.sin(np.linspace(0, 2 * np.pi, stop.sum()))[:, None]
    return Motion(step, q, acceleration, hand.position)


def walking(rng, duration, step, speed=1.2, hold=None):
    """Someone walks about in a room with the phone before them: loops of some metres, two steps a second, looking around."""
    t = times(duration, step)
    turn = sines(rng, t, 0.02, 0.1, np.radians(25), 1)[:, 0]
    yaw = np.cumsum(turn) * step
    moving = smoothstep((t - 4) / 1.5)
    velocity = speed * moving[:, None] * np.stack([-np.sin(yaw), np.cos(yaw), 0 * yaw], -1)
    phase = 2 * np.pi * 1.9 * t
    bounce = np.stack([0.006 * np.sin(phase / 2), 0.008 * np.sin(phase + 1), 0.018 * np.sin(phase)], -1) * moving[:, None]
    sway = sines(rng, t, 0.1, 0.7, np.radians(14)) * moving[:, None]
    look = sines(rng, t, 0.06, 0.25, np.radians(35)) * moving[:, None]
    q = quat.multiply(quat.about(UP, yaw), euler(sway[:, 0] + look[:, 0], sway[:, 1] + look[:, 1], sway[:, 2] + look[:, 2]))
    hold = tilted(rng, 45) if hold is None else hold
    motion = from_velocity(step, quat.multiply(q, hold[None]), velocity + np.gradient(bounce, step, axis=0))
    return motion
