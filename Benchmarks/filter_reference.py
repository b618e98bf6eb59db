#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The orientation filter derived again from Documentation/Filter.md, in numpy, against `motionctl fuse` on the same recording.

  Benchmarks/filter_reference.py RECORDING [--magnetometer] [--motionctl PATH] [--range DEGREES] [--map COLUMNS ...]

It follows the page's equations and nothing else: dense matrices, no tricks. So it shows whether the page is complete, and a change of the
filter that the page does not tell shows here. With --magnetometer the recording's field must be that of a source that calibrates itself (a
Sensor Logger export with Magnetometer.csv): of the calibrator only the watch over such a source is part of this. Prints the largest
differences, those of the stated deviations relative to them, and fails above LIMIT. The recording must hold an accelerometer in SI (no g).
Other options go to motionctl: a case of Benchmarks/stress needs --map "t=t[s] ax=ax[m/s^2] ay=ay az=az gx=gx[rad/s] gy=gy gz=gz" --sign
reaction. Needs numpy. Numbers in comments are sections of the page.
"""

import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

DEGREE = np.pi / 180
GRAVITY = 9.80665
UP = np.array([0.0, 0.0, 1.0])
# Where each error stands (1).
TILT, HEADING, VELOCITY, BIAS, MATRIX, DELAY, IRON, FIELD = [0, 1], 2, [3, 4], [5, 6, 7], list(range(8, 17)), 17, [18, 19, 20], [21, 22]
INITIAL_MATRIX = 0.0027
# Degrees, degrees/s, and of a deviation: rounding leaves 1e-9.
LIMIT = 1e-6


def exp(v):
    angle = np.linalg.norm(v)
    return np.append(np.cos(angle / 2), (0.5 if angle < 1e-12 else np.sin(angle / 2) / angle) * v)


def times(p, q):
    product = np.append(p[0] * q[0] - p[1:] @ q[1:], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))
    return product / np.linalg.norm(product)


def inverse(q):
    return q * [1, -1, -1, -1]


def matrix(q):
    w, x, y, z = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def turned(vector, turn):
    """To the second order below 0.1 rad (15)."""
    if turn @ turn >= 0.01:
        return matrix(exp(turn)) @ vector
    first = np.cross(turn, vector)
    return vector + first + np.cross(turn, first) / 2


def share(time, constant):
    """Of a low-pass (15)."""
    x = time / constant
    return x / (1 + x / 2 + x * x / 12) if x < 0.7 else 1 - np.exp(-x)


class RecentMean:
    """The low-pass of 7."""

    def __init__(self):
        self.mean, self.inner, self.age, self.count = np.zeros(3), np.zeros(3), 0.0, 0

    def add(self, value, time):
        if self.age > 0.5:
            gain = time / (time + 0.455 * 0.5)
            self.inner = self.inner + (value - self.inner) * gain
            self.mean = self.mean + (self.inner - self.mean) * gain
        else:
            self.count, self.age = self.count + 1, self.age + time
            self.inner = self.inner + (value - self.inner) / self.count
            self.mean = self.inner


class Stillness:
    """The clocks of 7. Whether stillness is rest, the filter decides."""

    def __init__(self):
        self.rate, self.force = RecentMean(), RecentMean()
        self.force_is_still, self.silence = False, 0.0
        self.interrupt()
        self.new_bias = False
        self.steady_rate, self.steady_time, self.spread = np.zeros(3), 0.0, 0.0

    def interrupt(self):
        self.time, self.quiet, self.at_rest = 0.0, 0.0, False

    def add_force(self, force, dt):
        self.force.add(force, dt)
        distance, self.silence = np.linalg.norm(force - self.force.mean), 0.0
        self.force_is_still = distance < 0.5
        if distance > np.sqrt(0.1) * 0.5:
            self.quiet = 0.0
        if not self.force_is_still:
            self.interrupt()

    def add_rate(self, reading, dt):
        self.rate.add(reading, dt)
        distance = np.linalg.norm(reading - self.rate.mean)
        wander = self.rate.inner - self.rate.mean
        self.spread += (wander @ wander - self.spread) * min(1, dt)
        self.silence += dt
        if not self.force_is_still or distance >= 2 * DEGREE or self.silence >= 1:
            self.interrupt()
            return
        self.time, self.steady_time = self.time + dt, self.steady_time + dt
        change = self.rate.mean - self.steady_rate
        if change @ change > 3.046e-6:
            self.steady_rate, self.steady_time = self.rate.mean, 0.0
        self.quiet = self.quiet + dt if distance < np.sqrt(0.1) * 2 * DEGREE else 0.0


class Clock:
    """The time of a sensor's readings from their stamps (2.2)."""

    def __init__(self):
        self.stamp = None

    def start(self, stamp, reading):
        self.time = self.stamp = stamp
        self.reading, self.lateness, self.most = reading, 0.0, 0.0
        self.mean, self.median, self.count, self.shortfall = 0.0, 0.0, 0, 0.0

    def seconds(self, stamp):
        return None if self.stamp is None else (stamp - self.stamp) * 1e-9

    def step(self, stamp, reading):
        """Seconds between the latest reading and this one; 0 for one that is not used."""
        interval = self.seconds(stamp)
        if interval < 0 or (interval == 0 and (reading == self.reading).all()):
            return 0.0
        self.stamp, self.reading, self.count = stamp, reading, min(self.count + 1, 200)
        self.mean += (min(interval, 0.25) - self.mean) / self.count
        moved = self.median * 1.02 if interval > self.median else self.median / 1.02
        self.median = interval if self.count == 1 else max(self.mean / 10, moved)
        self.shortfall = self.shortfall + self.mean - interval if interval < self.mean else 0.0
        self.most *= 1 - min(1, interval / 5)
        self.most = max(self.most, min(self.shortfall, 0.25)) if self.mean > 3 * self.median else 0.0
        due = interval + self.lateness
        step = max(min(self.mean, due), due - self.most)
        self.lateness = due - step
        self.time = stamp - round(self.lateness * 1e9)
        return step


class FlatTop:
    """One axis of 2.1."""

    def __init__(self, given):
        self.given, self.range, self.top, self.count = given is not None, given or np.inf, given or 1.69, 0
        self.forget()

    def forget(self):
        """Times since the reading before, and readings; steps: times and the axis in the world."""
        self.readings, self.is_open, self.steps = [], False, []

    @property
    def excess(self):
        return max(4.363, self.top / 2)

    @property
    def duration(self):
        return sum(time for time, _ in self.steps)

    @property
    def possible_loss(self):
        return self.excess * self.integral() if self.is_open and self.range < np.inf else np.zeros(3)

    def integral(self):
        return sum((time * axis for time, axis in self.steps), np.zeros(3))

    def is_at_top(self, magnitude):
        return magnitude >= self.top * (0.98 if self.given else 1 - 5e-4)

    def add(self, dt, reading, axis, smallest_range):
        """The lost turn, its deviation and the time that it took, when a flat top or a part of a long one ends."""
        self.readings.append((dt, reading))
        if not self.is_open:
            self.readings = self.readings[-3:]
            if len(self.readings) == 3 and self.is_at_top(abs(reading)):
                self.open(axis)
            return None
        self.steps.append((dt, axis))
        if self.duration > 0.5:
            return self.end_part()
        magnitude = self.sign * reading
        if not self.given and magnitude > self.top * (1 + 5e-4):
            self.readings = self.readings[-3:]
            self.open(axis)
        elif self.is_at_top(magnitude):
            self.number, self.below = self.number + 1, 0
        else:
            self.below += 1
            if self.below == 2:
                self.is_open = False
                return self.end_part() if self.is_long else self.end(smallest_range)
        return None

    def open(self, axis):
        (_, _), (before, _), (dt, reading) = self.readings
        if not self.given and abs(reading) > self.top * (1 + 5e-4):
            self.range, self.count = np.inf, 0
        self.top = self.top if self.given else max(self.top, abs(reading))
        self.is_open, self.is_long, self.number, self.below, self.sign = True, False, 1, 0, np.sign(reading)
        self.steps = [(before / 2 + dt, axis)]

    def end_part(self):
        D, integral = self.duration, self.integral()
        self.steps, self.is_long = [], True
        return (np.zeros(3), integral * min(self.excess, 1.8 / D), D) if self.range < np.inf else None

    def end(self, smallest_range):
        dt, g = np.array([time for time, _ in self.readings]), self.sign * np.array([value for _, value in self.readings])
        mean, slope = (g[1:] + g[:-1]) / 2, (g[1:] - g[:-1]) / dt[1:]
        axis, D = self.integral() / self.duration, self.duration - dt[-1] / 2
        # Trapezoids without the outer half of the first and of the last.
        sum_of_readings = mean @ dt[1:] - (3 * g[0] + g[1]) * dt[1] / 8 - (g[-2] + 3 * g[-1]) * dt[-1] / 8
        loss = D / 2 * (mean[0] + mean[-1]) + D * D / 12 * (slope[0] - slope[-1]) - sum_of_readings
        most = self.excess * D
        loss = np.clip(loss, 0, most)
        if self.range == np.inf:
            if self.number < 3 or loss < 0.01 * self.top * D:
                return None
            self.count += 1
            if self.count < 2 and abs(self.top / smallest_range - 1) >= 0.035:
                return np.zeros(3), min(most, 1.8, loss) * axis, D
            self.range = self.top
        # Where it rises from the last reading before the flat top, and falls to the first after it.
        edges = max(0, slope[1] - slope[0]) + max(0, slope[-1] - slope[-2])
        return self.sign * loss * axis, min(most, 1.8, np.hypot(0.4 * loss, D * D * edges / 12)) * axis, D


class Upright:
    """The means of 6.8."""

    TIMES = (1, 4)

    def __init__(self):
        self.begin()

    def add(self, force, time):
        self.age = min(100, self.age + time)
        self.means = [m + (force - m) * min(1, time / min(self.age, t)) for m, t in zip(self.means, self.TIMES)]

    def begin(self):
        self.age, self.leaning, self.strength, self.means = 0.0, 0.0, None, [np.zeros(3)] * 2

    def keep_shortest(self):
        self.age, self.leaning, self.strength, self.means = 1.0, 0.0, None, [self.means[0]] * 2


class Filter:
    def __init__(self, magnetometer, given_range):
        self.magnetometer = magnetometer
        self.size = 23 if magnetometer else 17
        self.P = np.zeros((self.size, self.size))
        self.P[BIAS, BIAS] = (1.5 * DEGREE) ** 2
        self.P[MATRIX, MATRIX] = INITIAL_MATRIX**2
        if magnetometer:
            self.P[DELAY, DELAY] = 0.02**2
        self.q, self.needs_levelling = None, True
        self.bias, self.matrix, self.delay, self.velocity = np.zeros(3), np.zeros((3, 3)), 0.0, np.zeros(2)
        self.iron, self.field, self.scale = np.zeros(3), np.zeros(2), 0.0
        self.reading, self.rate = np.zeros(3), np.zeros(3)
        self.gyroscope_clock, self.accelerometer_clock = Clock(), Clock()
        self.force_interval, self.rate_interval = 0.01, 0.0
        self.rest, self.knows_bias = Stillness(), False
        self.tops, self.given_range = [FlatTop(given_range) for _ in range(3)], given_range
        self.upright = Upright()
        self.squared_acceleration = self.squared_tilting = self.contradiction = 0.0
        self.mean_up, self.density, self.slow = np.zeros(3), 0.06**2, np.zeros(2)
        self.in_device = np.zeros(3)
        self.mean_rate, self.mean_rate_time, self.lasting_squared_rate = np.zeros(3), 0.0, 0.0
        self.matrix_factor, self.accelerometer_variance = 1.0, 0.04**2
        self.has_heading, self.field_age, self.misfit, self.deviation = False, 0.0, 0.0, 0.0
        self.consistent = self.disturbed = self.trusted = self.spread = 0.0
        self.turned = self.explained = self.heading_age = 0.0
        self.early, self.early_time = np.zeros(3), 0.0
        self.lasting = np.zeros(3)
        self.begin_block()

    def begin_block(self):
        self.time, self.A, self.squared_rate, self.extra = 0.0, np.zeros((3, 12)), 0.0, 0.0
        self.V, self.force_time = np.zeros(3), 0.0
        self.begin_segment(np.eye(3) if self.q is None else matrix(self.q))
        self.clear_field()
        self.correction = np.zeros(3)
        self.state_variances()

    # 6.6
    def doubt(self):
        return self.turned**2 if self.turned**2 > 2 * self.explained else 0

    # 9
    def state_variances(self):
        self.stated = np.diag(self.P)[:3] + sum(top.possible_loss**2 for top in self.tops)
        if self.has_heading:
            own = 1.2 * self.spread + 0.6 * (self.deviation * self.scale) ** 2
            self.stated[HEADING] += self.doubt() + own / max(self.field[0] ** 2, 1e-3)
        mean = self.upright.means[1]
        if self.upright.age >= 4:
            self.stated[TILT] += mean[:2] @ mean[:2] / max(1, mean @ mean) / 4

    def deviations(self):
        """Of inclination and heading."""
        stamps = self.rate @ self.rate / 3 * (0.0025**2 + self.rate_interval**2 / 12)
        inclination = np.sqrt(self.stated[0] + self.stated[1] + 2 * max(0.04**2, self.accelerometer_variance) / GRAVITY**2 + 2 * stamps)
        if not self.magnetometer:
            return np.array([inclination, np.sqrt(self.stated[2] + stamps)])
        heading = np.sqrt(self.stated[2] + (1.5 * DEGREE) ** 2 + stamps)
        return np.array([inclination, heading if self.has_heading else max(heading, np.pi / np.sqrt(3))])

    def clear_field(self):
        self.field_sum, self.slope_sum, self.rotation_sum, self.count = np.zeros(3), np.zeros(3), np.zeros((3, 3)), 0

    def corrected(self, reading):
        return reading + self.matrix @ reading - self.bias

    def isolate(self, index, variance):
        self.P[index, :] = self.P[:, index] = 0
        self.P[index, index] = variance

    # 2, 7
    def gyroscope(self, reading, time):
        clock = self.gyroscope_clock
        dt = clock.seconds(time)
        if dt is None or dt > 1 or dt < -1:
            if dt is not None:
                self.restart(dt)
            self.reading, self.rate = reading, self.corrected(reading)
            clock.start(time, reading)
            for top in self.tops:
                top.forget()
            return
        dt = clock.step(time, reading)
        if dt <= 0:
            return
        self.rest.add_rate(reading, dt)
        rate = self.corrected(reading)
        if self.q is not None:
            self.q = times(self.q, exp((self.rate + rate) * dt / 2))
            R = matrix(self.q)
            mean = (self.reading + reading) / 2
            self.segment_time, self.segment_turn = self.segment_time + dt, self.segment_turn + mean * dt
            if self.segment_time > 0.012 or np.linalg.norm(self.segment_turn) > 0.15:
                self.end_segment(R)
            self.squared_rate += mean @ mean * dt
            self.time += dt
            if dt > 0.06:
                self.gap(reading, dt)
            self.clipping(reading, R, dt)
        self.reading, self.rate = reading, rate
        self.rate_interval += 0.02 * (min(dt, 0.1) - self.rate_interval)
        if self.time >= 0.1:
            self.end_block()

    def end_segment(self, R):
        mean = (self.segment_start + R) / 2
        self.A[:, :3] -= mean * self.segment_time
        self.A[:, 3:] += np.einsum("ia,j->iaj", mean, self.segment_turn).reshape(3, 9)
        self.begin_segment(R)

    def begin_segment(self, R):
        self.segment_start, self.segment_time, self.segment_turn = R, 0.0, np.zeros(3)

    def gap(self, reading, dt):
        size = max(np.linalg.norm(reading), np.linalg.norm(self.reading))
        unknown = 0.5 * np.linalg.norm(reading - self.reading) + min(0.5, 0.3 * size * dt) * size + 0.2
        self.extra += ((dt - 0.06) * unknown) ** 2
        if (dt - 0.06) * unknown > 0.1:
            self.upright.begin()

    # 2.1
    def clipping(self, reading, R, dt):
        smallest = min(top.range for top in self.tops)
        for axis, top in enumerate(self.tops):
            if not top.readings:
                top.readings = [(0.0, self.reading[axis])]
            loss = top.add(dt, reading[axis], R[:, axis], smallest)
            if loss is None:
                continue
            turn, deviation, D = loss
            self.q = times(exp(turn), self.q)
            speed, self.density = GRAVITY * D / 2, 0.0
            self.velocity = self.velocity + speed * np.array([turn[1], -turn[0]])
            error = np.zeros(self.size)
            error[:5] = [*deviation, speed * deviation[1], -speed * deviation[0]]
            self.P = self.P + np.outer(error, error)
            self.P[[0, 1, 2], [0, 1, 2]] += (0.5 * min(1, deviation @ deviation)) ** 2

    # 3, 7, 8
    def accelerometer(self, force, time):
        clock = self.accelerometer_clock
        pause = clock.seconds(time)
        if pause is None or pause < -1 or pause > 0.25:
            clock.start(time, force)
            dt = self.force_interval
        else:
            dt = clock.step(time, force)
            if dt <= 0:
                return
            self.force_interval += 0.1 * (dt - self.force_interval)
        self.rest.add_force(force, dt)
        age = self.age(clock.time)
        if self.needs_levelling or age is None:
            if age is None or abs(age) <= 1:
                self.level(force, age or 0.0)
        elif abs(age) <= 0.1:
            self.V = self.V + matrix(self.q) @ turned(force, self.rate * age) * dt
            self.force_time += dt

    def age(self, time):
        return None if self.gyroscope_clock.stamp is None else (time - self.gyroscope_clock.time) * 1e-9

    def level(self, force, age):
        strength = np.linalg.norm(force) / GRAVITY
        if not 0.2 < strength < 4:
            return
        q = np.array([1.0, 0, 0, 0]) if self.q is None else self.q
        self.q = self.levelled(q, matrix(q) @ matrix(exp(self.rate * age)) @ force)
        deviation = 5 * DEGREE + min(0.6, abs(strength - 1))
        for index in TILT:
            self.isolate(index, deviation**2)
        if self.magnetometer and not self.has_heading:
            self.isolate(HEADING, 9)
        self.reset_velocity()
        self.upright.begin()
        self.begin_block()
        self.needs_levelling = False

    def levelled(self, q, up):
        """By the shortest rotation."""
        axis = np.cross(up / np.linalg.norm(up), UP)
        sine = np.linalg.norm(axis)
        return times(exp(axis * (np.arctan2(sine, up[2] / np.linalg.norm(up)) / sine if sine else 1)), q)

    def restart(self, pause):
        self.needs_levelling, self.has_heading = True, False
        self.upright.begin()
        self.rest = Stillness()
        self.early, self.early_time = np.zeros(3), 0.0
        self.begin_block()
        pause = min(pause, 3600) if pause > 0 else 3600
        self.open_azimuth(max(0.5, np.linalg.norm(self.rate)) * pause)
        self.P[BIAS, BIAS] += (0.005 * DEGREE) ** 2 * pause

    def open_azimuth(self, angle):
        self.isolate(HEADING, min(3.29, self.P[HEADING, HEADING] + angle**2))

    def reset_velocity(self):
        self.velocity, self.squared_acceleration = np.zeros(2), 0.0
        self.density, self.slow, self.in_device = 0.0, np.zeros(2), np.zeros(3)
        for index in VELOCITY:
            self.isolate(index, 0.01)

    # 4, 8
    def magnetic_field(self, field, deviation, time):
        is_known = np.isfinite(deviation)
        if self.has_heading and not is_known and self.trusted <= 30 and self.doubt() < 1:
            self.turned, self.explained, self.heading_age, self.trusted = 1.0, 0.0, 0.0, -9.0
            self.state_variances()
        age = self.age(time)
        if self.needs_levelling or age is None or (self.has_heading and not is_known):
            return
        if abs(age) > 0.1:
            return
        if is_known and not self.has_heading:
            self.first_heading(matrix(self.q) @ turned(field, self.rate * age), deviation)
            return
        shift = age - self.delay
        c = np.cross(self.rate, field)
        d = np.cross(self.rate, c)
        R = matrix(self.q)
        self.field_sum = self.field_sum + R @ (field + shift * c + shift * shift / 2 * d)
        self.slope_sum = self.slope_sum + R @ (c + shift * d)
        self.rotation_sum, self.count = self.rotation_sum + R, self.count + 1

    def first_heading(self, world, deviation):
        early = deviation < 1.5e-6 and self.early_time > 1
        world = self.early if early else world
        horizontal, strength = np.hypot(world[0], world[1]), np.linalg.norm(world)
        if horizontal <= max(0.03 * strength, 1.7 * deviation):
            return
        self.q = times(exp(UP * np.arctan2(world[0], world[1])), self.q)
        self.reset_velocity()
        self.begin_block()
        self.scale, self.deviation, self.has_heading = 1 / strength, deviation, True
        self.field = np.array([horizontal, -world[2]]) / strength
        self.isolate(HEADING, 0.001 if early else 9)
        self.early, self.early_time = np.zeros(3), 0.0
        self.reset_iron()
        for index in FIELD:
            self.isolate(index, 0.04**2 + (deviation / strength) ** 2)
        self.consistent = self.disturbed = self.trusted = self.misfit = self.field_age = self.spread = 0.0
        self.lasting = np.zeros(3)
        self.state_variances()

    def reset_iron(self):
        self.iron = np.zeros(3)
        for index in IRON:
            self.isolate(index, max(0.001, self.deviation * self.scale) ** 2)

    # 6.1
    def correct(self, H, innovation, noise, withheld=None):
        """`withheld`: a matrix that takes from the gain what must not be followed."""
        row = self.P @ H
        S = noise + H @ row
        gain = row / S
        self.P = self.P - S * np.outer(gain, gain)
        if withheld is not None:
            D = withheld @ gain
            self.P = self.P + S * np.outer(D, D)
            gain = gain - D
        error = gain * innovation
        self.q = times(exp(error[:3]), self.q)
        self.velocity, self.bias = self.velocity + error[VELOCITY], self.bias + error[BIAS]
        self.matrix = self.matrix + error[MATRIX].reshape(3, 3)
        if self.magnetometer:
            self.delay += error[DELAY]
            self.iron, self.field = self.iron + error[IRON], self.field + error[FIELD]
        return error[:3]

    def row(self, entries):
        H = np.zeros(self.size)
        for index, value in entries.items():
            H[index] = value
        return H

    def consider(self, states):
        return np.diag([1.0 if index in states else 0.0 for index in range(self.size)])

    def end_block(self):
        before, T = self.q, self.time
        self.end_segment(matrix(self.q))
        self.predict(T)
        self.axes = matrix(self.q)
        if self.force_time > 0:
            self.check_upright()
            self.measure_velocity(T)
        if self.rest.time >= 1.5:
            self.decide_rest()
        if self.rest.at_rest:
            self.measure_rest(T)
        if self.has_heading:
            self.field_age += T
            if self.count:
                self.measure_field()
        elif self.count:
            self.early_time = min(self.early_time + T, 60)
            self.early = self.early + (self.field_sum / self.count - self.early) * T / self.early_time
        self.bias = np.clip(self.bias, -0.2, 0.2)
        turn = times(self.q, inverse(before))
        turn = turn if turn[0] >= 0 else -turn
        sine = np.linalg.norm(turn[1:])
        self.begin_block()
        self.correction = turn[1:] * (2 * np.arctan2(sine, turn[0]) / sine if sine else 2)
        self.rate = self.corrected(self.reading)

    # 5
    def predict(self, T):
        kept = 1 - share(T, 5)
        self.velocity = kept * self.velocity + self.V[:2]
        F, tilt = np.eye(self.size), np.eye(self.size)
        F[:3, 5:17] = self.A
        tilt[3, 1], tilt[4, 0] = self.V[2], -self.V[2]
        F = tilt @ F
        F[VELOCITY] *= kept
        self.P = F @ self.P @ F.T
        missing = max(0, T - self.force_time - 2 * self.force_interval)
        attitude = (0.01 * DEGREE) ** 2 * T + 3e-4**2 * self.squared_rate + self.extra
        Q = np.zeros(self.size)
        Q[:3] = attitude
        Q[VELOCITY] = 0.012**2 * T + (3 * missing) ** 2
        Q[BIAS] = (0.005 * DEGREE) ** 2 * T
        factor = self.bias @ self.bias / 2.28e-4
        if factor > max(3, 1.2 * self.matrix_factor):
            Q[MATRIX] = (factor - self.matrix_factor) * INITIAL_MATRIX**2
            self.matrix_factor = factor
        if self.magnetometer:
            Q[IRON] = (3e-4**2 + 0.04 * self.misfit) * T
            Q[FIELD] = 6e-4**2 * T
        self.P = self.P + np.diag(Q)

    # 6.8
    def check_upright(self):
        self.upright.add(self.V / self.force_time, self.force_time)
        mean = self.upright.means[0]
        strength = np.linalg.norm(mean)
        if self.upright.age < 1:
            if strength > 0.5 * GRAVITY and mean[2] < 0.906 * strength:
                self.level_again(mean)
            return
        leans = strength > 0.3 * GRAVITY and (mean[2] < 0.5 * GRAVITY or mean[2] < 0.5 * strength)
        self.upright.leaning = self.upright.leaning + self.force_time if leans else 0.0
        if self.upright.leaning > 0.7:
            self.level_again(mean)
            return
        self.check_contradiction()

    def level_again(self, mean):
        self.q = self.levelled(self.q, mean)
        self.open_azimuth(np.arctan2(np.hypot(*mean[:2]), mean[2]))
        self.axes = matrix(self.q)
        for index in TILT:
            self.isolate(index, (15 * DEGREE) ** 2)
        if self.magnetometer:
            self.has_heading = False
            self.clear_field()
        self.reset_velocity()
        self.upright.leaning, self.upright.means = 0.0, [UP * np.linalg.norm(mean)] * 2

    def is_short(self, mean, angle):
        return np.linalg.norm(mean) < GRAVITY * (1 + angle**2 / 4) + 0.06

    def open_inclination(self, angle, rate):
        for index in TILT:
            self.isolate(index, max(self.P[index, index], angle**2))
        self.P[np.ix_(BIAS, BIAS)] += rate**2 * (np.eye(3) - np.outer(self.mean_up, self.mean_up))
        self.reset_velocity()
        self.upright.keep_shortest()

    # 6.2, 6.3
    def measure_velocity(self, T):
        acceleration = self.V / self.force_time - GRAVITY * UP
        square = acceleration @ acceleration
        self.squared_acceleration = max(square, self.squared_acceleration + share(T, 1) * (square - self.squared_acceleration))
        moving = 0.06**2 + 0.04**2 * self.squared_acceleration + 0.03 * (self.mean_rate @ self.mean_rate)
        usual = 0.03**2 if self.rest.at_rest else moving
        noise = max(usual, self.density) / T
        up = self.axes.T @ UP
        self.mean_up = up if not self.mean_up.any() else self.mean_up
        self.mean_up = self.mean_up + (up - self.mean_up) * share(T, 10)

        W = np.zeros((self.size, self.size))
        if not self.has_heading:
            W[HEADING, HEADING] = 1
        W[np.ix_(BIAS, BIAS)] = 0.6 * np.eye(3)
        if self.mean_up @ self.mean_up >= 0.97:
            W[np.ix_(BIAS, BIAS)] += 0.4 * np.outer(up, up)
        explained = self.P[3, 3] + self.P[4, 4]
        for axis in range(2):
            self.correct(self.row({VELOCITY[axis]: 1}), -self.velocity[axis], noise, W)

        left = self.velocity @ self.velocity + self.P[3, 3] + self.P[4, 4]
        white = left * T
        self.slow = self.slow + share(T, 0.7) * (self.velocity - self.slow)
        slow = max(0, self.slow @ self.slow - explained) * 0.7
        self.density += share(T, 2) * (max(white, slow, 15 * self.lasting_velocity(T, explained)) - self.density)
        if self.upright.age >= 4:
            error = min(1, (self.upright.means[1][2] - GRAVITY) ** 2)
            memory = 10 if error > self.accelerometer_variance or self.rest.at_rest else 100
            self.accelerometer_variance += T / memory * (error - self.accelerometer_variance)

    def lasting_velocity(self, T, explained):
        """The square of what lasts in the device beyond what the errors explain."""
        kept, rate = share(T, 15), self.rate
        self.in_device = self.in_device + (self.axes.T @ np.append(self.velocity, 0) - self.in_device) * kept
        self.lasting_squared_rate += (rate @ rate - self.lasting_squared_rate) * kept
        self.mean_rate_time = min(self.mean_rate_time + T, 60)
        self.mean_rate = self.mean_rate + (rate - self.mean_rate) * T / self.mean_rate_time
        force = 4 * (GRAVITY**2 * (self.P[0, 0] + self.P[1, 1]) + 2 * self.accelerometer_variance)
        return max(0, self.in_device @ self.in_device - explained - force / (1 / 5**2 + self.lasting_squared_rate))

    # 6.8
    def check_contradiction(self):
        up, T = self.axes.T @ UP, self.force_time
        tilting = self.rate - up * (self.rate @ up)
        self.squared_tilting += (tilting @ tilting - self.squared_tilting) * share(T, 10)
        mean = self.upright.means[1]
        length, angle = np.linalg.norm(mean), np.arctan2(np.hypot(*mean[:2]), max(mean[2], 1))
        leans = angle > max(0.07, 3 * np.sqrt(self.P[0, 0] + self.P[1, 1]))
        upright = self.upright
        if not leans and upright.age >= 4:
            upright.strength = length if upright.strength is None else upright.strength + (length - upright.strength) * share(T, 10)
        is_handled = self.squared_tilting > 0.49 and self.is_short(mean, angle)
        is_shorter = upright.strength is not None and length < upright.strength - 0.03
        contradicts = leans and (is_handled or is_shorter)
        self.contradiction = max(0, self.contradiction + (T if contradicts else -T))
        if self.contradiction <= 5:
            return
        self.contradiction = 0.0
        self.open_inclination(angle, angle / 4 if is_handled else 0)

    # 7
    def decide_rest(self):
        rest = self.rest
        offset, length = self.corrected(rest.rate.mean), np.linalg.norm(rest.force.mean)
        up = rest.force.mean / length
        turning, tilting = abs(offset @ up), np.linalg.norm(offset - up * (offset @ up))
        known = 0.0262
        if self.knows_bias:
            known = min(known, 0.05 * DEGREE + 5 * np.sqrt(self.P[BIAS, BIAS].max()))
        if turning <= known and tilting <= known:
            rest.at_rest, rest.new_bias = True, False
            return
        read = offset if self.knows_bias else rest.rate.mean
        across = read - up * (read @ up)
        unlikely = turning <= known or across @ across > turning**2 / 4 or (rest.quiet > 30 and turning < 0.0436)
        may_be_new = not self.knows_bias or rest.steady_time >= 1.5
        rest.at_rest = bool(may_be_new and unlikely and max(tilting, turning) <= 0.2)
        rest.new_bias = rest.at_rest

    # 6.4
    def measure_rest(self, T):
        is_new, self.knows_bias = not self.knows_bias or self.rest.new_bias, True
        mean, noise = self.rest.rate.mean, ((0.03 * DEGREE) ** 2 + 0.5 * self.rest.spread) / T
        self.P[HEADING, HEADING] += 2 * 4.87e-9 * self.rest.time * T
        for axis in range(3):
            y, index = -self.corrected(mean)[axis], BIAS[axis]
            if is_new and y * y > 9 * (self.P[index, index] + noise):
                self.P[index, index] += y * y
                self.P[[0, 1, 2], [0, 1, 2]] += (y * self.axes[:, axis] * self.rest.time) ** 2
                self.reset_velocity()
            self.correct(self.row({index: -1, **{MATRIX[3 * axis + i]: mean[i] for i in range(3)}}), y, noise)

    # 6.5, 6.6
    def measure_field(self):
        time, self.field_age = min(self.field_age, 1), 0.0
        self.heading_age += time
        fading = share(time, 2 * max(5, self.heading_age))
        self.turned, self.explained = self.turned * (1 - fading), self.explained * (1 - 2 * fading)
        before = self.P[HEADING, HEADING]
        mean, slope = self.field_sum * self.scale / self.count, self.slope_sum * self.scale / self.count
        R, (north, down) = self.rotation_sum / self.count, self.field

        def equation(axis, entries):
            return self.row({**entries, **{IRON[i]: R[axis, i] for i in range(3)}, DELAY: slope[axis]})

        rows = [
            equation(0, {1: down, HEADING: north}),
            equation(1, {0: -down, FIELD[0]: 1}),
            equation(2, {0: -north, FIELD[1]: -1}),
        ]

        def residual():
            return mean - R @ self.iron - np.array([0, self.field[0], -self.field[1]])

        y = residual()
        noise = 0.014**2 / time
        explained = [H @ self.P @ H for H in rows]
        unexplained = max(0, y[1] ** 2 + y[2] ** 2 - 2 * noise - explained[1] - explained[2])
        self.misfit += share(time, 0.15) * (unexplained - self.misfit)
        self.spread += share(time, 10) * (min(0.15**2, (y[1] ** 2 + y[2] ** 2) / 2) - self.spread)
        self.lasting = self.lasting + share(time, 10) * (np.clip(y, -0.3, 0.3) - self.lasting)
        squares = self.lasting**2
        if squares[0] > 2 * explained[0] + self.spread / 2:
            variance = share(time, 10) * squares[0] / north**2
            self.P[HEADING, HEADING] += variance
            self.P[BIAS, BIAS] += self.axes[2] ** 2 * variance / 200
        if squares[1] + squares[2] > 2 * (explained[1] + explained[2]) + 1.7 * self.spread:
            self.P[FIELD, FIELD] += share(time, 10) * squares[1:]
        disturbance = max(0, y @ y - sum(explained)) * 0.8 / time

        if self.must_follow(mean, time):
            angle = np.arctan2(mean[0], mean[1])
            self.isolate(HEADING, max(self.P[HEADING, HEADING], angle * angle))
            self.reset_iron()
            self.misfit = disturbance = 0.0
            if abs(angle) > 0.5:
                self.q = times(exp(UP * 0.2 * angle), self.q)
                self.turned += 0.2 * angle
                return self.explain_turn(before)
        for axis in (2, 1, 0):
            turn = self.correct(rows[axis], residual()[axis], noise + disturbance, self.consider(TILT + VELOCITY))
            mean = mean + np.cross(turn, mean)
            self.lasting[0] -= turn[2] * self.field[0]
            self.turned += turn[2]
        self.explain_turn(before)

    def explain_turn(self, before):
        self.explained = min(self.explained + before - self.P[HEADING, HEADING], self.turned**2)

    def must_follow(self, mean, time):
        """Whether the heading is to be re-opened; then the field may be another one, too."""
        if abs(mean[0]) <= np.tan(15 * DEGREE) * mean[1]:
            self.trusted += time
            self.consistent, self.disturbed = max(0, self.consistent - 2 * time), max(0, self.disturbed - 2 * time)
            return False
        known, read = self.field, np.array([np.hypot(mean[0], mean[1]), -mean[2]])
        is_consistent = (read - known) @ (read - known) < 0.01 * (known @ known)
        self.consistent = max(0, self.consistent + (time if is_consistent else -time))
        self.disturbed += time
        is_same_field = is_consistent and self.consistent > 9 * min(max(1, self.trusted / 30), 4)
        if not is_same_field and self.disturbed <= 2 * 9 + self.trusted:
            return False
        if not is_same_field:
            self.field = read
            for index in FIELD:
                self.isolate(index, 0.04**2)
        self.trusted = self.consistent = self.disturbed = 0.0
        return True

    # 9
    def attitude(self):
        x = min(1, self.time / 0.1)
        return times(exp(-(1 - 3 * x * x + 2 * x**3) * self.correction), self.q)


def readings(path, sensor):
    with open(path) as file:
        rows = csv.reader(file)
        next(rows)
        return [(int(row[0]), sensor, np.array([float(text) for text in row[1:4]])) for row in rows if all(row[1:4])]


class Watch:
    """What 11.5 and 13 do with the field of a source that calibrates itself."""

    def __init__(self):
        self.level, self.strength, self.agreeing, self.disagreeing = 2, 0.0, 0.0, 0.0
        self.time, self.field, self.turn = None, np.zeros(3), 0.0

    def deviation(self, field, rate, time):
        """Of the hard iron that is left; infinite while it is not known, None for a sensor that hangs."""
        dt = (time - self.time) * 1e-9 if self.time is not None else np.inf
        self.time = time
        self.turn = self.turn + np.linalg.norm(rate) * dt if (field == self.field).all() and dt < np.inf else 0.0
        self.field = field
        if self.turn >= 0.2:
            return None
        if dt <= 0.5:
            self.judge(np.linalg.norm(field), dt)
        return 0.3e-6 if self.level >= 0 else np.inf

    def judge(self, strength, dt):
        if 22e-6 <= strength <= 67e-6 and (self.strength == 0 or abs(strength - self.strength) <= 0.2 * self.strength):
            self.agreeing, self.disagreeing = self.agreeing + dt, 0.0
            self.strength += (1 if self.strength == 0 else min(1, dt / 30)) * (strength - self.strength)
        else:
            self.agreeing, self.disagreeing = 0.0, self.disagreeing + dt
        if self.agreeing >= 1 and self.level < 2:
            self.level, self.agreeing = self.level + 1, 0.0
        if self.disagreeing >= 2:
            self.level, self.disagreeing = max(-1, self.level - 1), 0.0


def run(folder, magnetometer, given_range):
    """Time, ns → attitude, rate and stated deviations."""
    events = readings(folder / "r.sensor.accelerometer.csv", 0) + readings(folder / "r.sensor.gyroscope.csv", 1)
    if magnetometer:
        events += readings(folder / "r.sensor.magnetometer.csv", 2)
    events.sort(key=lambda event: event[:2])
    filter, watch, results = Filter(magnetometer, given_range), Watch(), {}
    for time, sensor, value in events:
        if sensor == 0:
            filter.accelerometer(value, time)
        elif sensor == 2:
            deviation = watch.deviation(value, filter.rate, time)
            if deviation is not None:
                filter.magnetic_field(value, deviation, time)
        else:
            filter.gyroscope(value, time)
            if filter.q is not None:
                results[time] = (filter.attitude(), filter.rate, filter.deviations())
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("recording")
    parser.add_argument("--magnetometer", action="store_true")
    parser.add_argument("--motionctl", default=".build/release/motionctl")
    parser.add_argument("--range", type=float, help="the gyroscope's, degrees per second, where the recording states it")
    options, others = parser.parse_known_args()
    frame = "xMagneticNorthZVertical" if options.magnetometer else "xArbitraryZVertical"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([options.motionctl, "convert", options.recording, folder / "r.csv", "--to", "tidy", *others], **quiet)
        subprocess.run([options.motionctl, "fuse", options.recording, "-o", folder / "f.csv", "--frame", frame, *others], **quiet)
        results = run(folder, options.magnetometer, options.range and options.range * DEGREE)
        with open(folder / "f.csv") as file:
            rows = list(csv.DictReader(file))
    times_of_results = np.array(sorted(results))
    worst, rate_worst, azimuth_worst, deviation_worst, first = 0.0, 0.0, 0.0, 0.0, None
    for row in rows:
        # Seconds as a double are a fraction of a microsecond off.
        time = float(row["timestamp"]) * 1e9
        nearest = times_of_results[np.argmin(abs(times_of_results - time))]
        if abs(nearest - time) > 2e3:
            continue  # A gyroscope sample before the first accelerometer sample (13).
        attitude, rate, deviations = results[nearest]
        theirs = np.array([float(row["attitude_" + axis]) for axis in "wxyz"])
        gravity = np.array([float(row["gravity_" + axis]) for axis in "xyz"])
        worst = max(worst, np.linalg.norm(matrix(attitude).T @ UP + gravity) / DEGREE)
        their_rate = np.array([float(row["rotationRate_" + axis]) for axis in "xyz"])
        rate_worst = max(rate_worst, np.linalg.norm(rate - their_rate) / DEGREE)
        for name, deviation in zip(("inclinationDeviation", "headingDeviation"), np.minimum(deviations, np.pi)):
            if row[name]:  # That of an unknown heading is not told.
                deviation_worst = max(deviation_worst, abs(deviation / (float(row[name]) * DEGREE) - 1))
        between = times(attitude, inverse(theirs))
        azimuth = 2 * np.arctan2(between[3], between[0])
        first = azimuth if first is None else first
        azimuth_worst = max(azimuth_worst, abs((azimuth - first + np.pi) % (2 * np.pi) - np.pi) / DEGREE)
    # Core Motion's frames are turned against east-north-up by a constant angle.
    print(f"{len(rows)} states; constant turn of the frames {first / DEGREE:.4f} degrees")
    print(f"largest difference: vertical {worst:.1e}, azimuth {azimuth_worst:.1e} degrees, rate {rate_worst:.1e} degrees/s, ", end="")
    print(f"stated deviations {deviation_worst:.1e} of them")
    return 0 if max(worst, azimuth_worst, rate_worst, deviation_worst) < LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
