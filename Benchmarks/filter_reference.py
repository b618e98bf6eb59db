#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The orientation filter derived again from Documentation/Filter.md, in numpy, against `motionctl fuse` on the same recording.

  Benchmarks/filter_reference.py RECORDING [--magnetometer] [--motionctl PATH] [--range DEGREES]

It follows the page's equations and nothing else: dense matrices, no segments, no series. So it shows whether the page is complete, and a
change of the filter that the page does not tell shows here. With --magnetometer the recording's field must be free of hard iron
(a Sensor Logger export with Magnetometer.csv): the calibrator is not part of this. Prints the largest differences in degrees; fails
above 0.001. The recording must hold an accelerometer in SI (no g). Needs numpy. Numbers in comments are sections of the page.
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


def share(time, constant):
    return 1 - np.exp(-time / constant)


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


class Filter:
    def __init__(self, magnetometer, largest_rate):
        self.magnetometer, self.largest_rate = magnetometer, largest_rate
        self.size = 23 if magnetometer else 17
        self.P = np.zeros((self.size, self.size))
        self.P[BIAS, BIAS] = (0.5 * DEGREE) ** 2
        self.P[MATRIX, MATRIX] = 0.002**2
        if magnetometer:
            self.P[DELAY, DELAY] = 0.02**2
        self.q = None
        self.bias, self.matrix, self.delay, self.velocity = np.zeros(3), np.zeros((3, 3)), 0.0, np.zeros(2)
        self.iron, self.field, self.scale = np.zeros(3), np.zeros(2), 0.0
        self.reading, self.rate = np.zeros(3), np.zeros(3)
        self.gyroscope_time = self.accelerometer_time = None
        self.force_interval = 0.01
        self.rate_mean, self.force_mean = RecentMean(), RecentMean()
        self.still_time, self.force_is_still, self.at_rest, self.knows_bias = 0.0, False, False, False
        self.tolerance = np.full(3, 0.2)
        self.squared_acceleration, self.acceleration = 0.0, np.zeros(3)
        self.has_heading, self.field_age, self.misfit, self.deviation = False, 0.0, 0.0, 0.0
        self.consistent = self.disturbed = self.candidate_time = self.trusted = 0.0
        self.candidate = np.zeros(3)
        self.begin_block()

    def begin_block(self):
        self.time, self.A, self.squared_rate, self.extra, self.saturation = 0.0, np.zeros((3, 12)), 0.0, 0.0, np.zeros(3)
        self.V, self.force_time = np.zeros(3), 0.0
        self.field_sum, self.slope_sum, self.rotation_sum, self.count = np.zeros(3), np.zeros(3), np.zeros((3, 3)), 0
        self.correction = np.zeros(3)

    def corrected(self, reading):
        return reading + self.matrix @ reading - self.bias

    def isolate(self, index, variance):
        self.P[index, :] = self.P[:, index] = 0
        self.P[index, index] = variance

    # 2, 7
    def gyroscope(self, reading, time):
        if self.gyroscope_time is None:
            self.reading, self.rate, self.gyroscope_time = reading, self.corrected(reading), time
            return
        dt = (time - self.gyroscope_time) * 1e-9
        self.rate_mean.add(reading, dt)
        is_still = (
            self.force_is_still
            and np.linalg.norm(reading - self.rate_mean.mean) < 2 * DEGREE
            and (abs(self.rate_mean.mean - self.bias) <= self.tolerance).all()
        )
        self.still_time += dt
        self.at_rest = self.at_rest or self.still_time >= 1.5
        if not is_still:
            self.still_time, self.at_rest = 0.0, False
        rate = self.corrected(reading)
        if self.q is not None:
            start = matrix(self.q)
            self.q = times(self.q, exp((self.rate + rate) * dt / 2))
            R = matrix(self.q)
            mean = (self.reading + reading) / 2
            self.A[:, :3] -= (start + R) / 2 * dt
            self.A[:, 3:] += np.einsum("ia,j->iaj", (start + R) / 2, mean * dt).reshape(3, 9)
            self.squared_rate += mean @ mean * dt
            self.extra += (0.3 * np.linalg.norm(np.cross(self.reading, reading)) * dt * dt) ** 2
            if dt > 0.06:
                self.extra += ((dt - 0.06) * (0.5 * np.linalg.norm(reading - self.reading) + 0.2)) ** 2
            for axis in range(3):
                if abs(reading[axis]) >= 0.98 * self.largest_rate:
                    self.saturation += 10 * (4.363 * dt) ** 2 * R[:, axis] ** 2
            self.time += dt
        self.reading, self.rate, self.gyroscope_time = reading, rate, time
        if self.time >= 0.1:
            self.end_block()

    # 3, 7, 8
    def accelerometer(self, force, time):
        dt = self.force_interval
        if self.accelerometer_time is not None and (time - self.accelerometer_time) * 1e-9 <= 0.25:
            dt = (time - self.accelerometer_time) * 1e-9
            self.force_interval += 0.1 * (dt - self.force_interval)
        self.accelerometer_time = time
        self.force_mean.add(force, dt)
        self.force_is_still = np.linalg.norm(force - self.force_mean.mean) < 0.5
        if not self.force_is_still:
            self.still_time, self.at_rest = 0.0, False
        age = (time - self.gyroscope_time) * 1e-9 if self.gyroscope_time is not None else None
        if self.q is None or age is None:
            self.level(force, age or 0.0)
        elif abs(age) <= 0.1:
            self.V = self.V + matrix(self.q) @ matrix(exp(self.rate * age)) @ force * dt
            self.force_time += dt

    def level(self, force, age):
        strength = np.linalg.norm(force) / GRAVITY
        if not 0.2 < strength < 4:
            return
        q = np.array([1.0, 0, 0, 0]) if self.q is None else self.q
        up = matrix(q) @ matrix(exp(self.rate * age)) @ force
        axis = np.cross(up / np.linalg.norm(up), UP)
        sine = np.linalg.norm(axis)
        self.q = times(exp(axis * (np.arctan2(sine, up[2] / np.linalg.norm(up)) / sine if sine else 1)), q)
        for index in TILT:
            self.isolate(index, (5 * DEGREE + min(0.6, abs(strength - 1))) ** 2)
        self.isolate(HEADING, 9 if self.magnetometer else 0)
        self.reset_velocity()
        self.begin_block()

    def reset_velocity(self):
        self.velocity, self.squared_acceleration, self.acceleration = np.zeros(2), 0.0, np.zeros(3)
        for index in VELOCITY:
            self.isolate(index, 0.01)

    # 4, 8
    def magnetic_field(self, field, deviation, time):
        if self.q is None or self.gyroscope_time is None:
            return
        age = (time - self.gyroscope_time) * 1e-9
        if abs(age) > 0.1:
            return
        if not self.has_heading:
            self.first_heading(matrix(self.q) @ matrix(exp(self.rate * age)) @ field, deviation)
            return
        shift = age - self.delay
        c = np.cross(self.rate, field)
        d = np.cross(self.rate, c)
        R = matrix(self.q)
        self.field_sum = self.field_sum + R @ (field + shift * c + shift * shift / 2 * d)
        self.slope_sum = self.slope_sum + R @ (c + shift * d)
        self.rotation_sum, self.count = self.rotation_sum + R, self.count + 1

    def first_heading(self, world, deviation):
        horizontal, strength = np.hypot(world[0], world[1]), np.linalg.norm(world)
        if horizontal <= 0.03 * strength:
            return
        self.q = times(exp(UP * np.arctan2(world[0], world[1])), self.q)
        self.reset_velocity()
        self.begin_block()
        self.scale, self.deviation, self.has_heading = 1 / strength, deviation, True
        self.field = np.array([horizontal, -world[2]]) / strength
        self.isolate(HEADING, 9)
        self.reset_iron()
        for index in FIELD:
            self.isolate(index, 0.04**2)

    def reset_iron(self):
        self.iron = np.zeros(3)
        for index in IRON:
            self.isolate(index, max(0.001, self.deviation * self.scale) ** 2)

    # 6.1
    def correct(self, H, innovation, noise, consider=()):
        row = self.P @ H
        gain = row / (noise + H @ row)
        P = self.P - np.outer(gain, row)
        if consider:
            block = np.ix_(consider, consider)
            P[block] = self.P[block]
            gain[consider] = 0
        self.P = P
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

    def end_block(self):
        before, T = self.q, self.time
        self.predict(T)
        if self.force_time > 0:
            self.measure_velocity(T)
        if self.at_rest:  # 6.4
            self.knows_bias = True
            for axis in range(3):
                innovation = -self.corrected(self.rate_mean.mean)[axis]
                self.correct(self.row({BIAS[axis]: -1}), innovation, (0.03 * DEGREE) ** 2 / T)
        if self.has_heading:
            self.field_age += T
            if self.count:
                self.measure_field()
        self.bias = np.clip(self.bias, -0.2, 0.2)
        turn = times(self.q, inverse(before))
        turn = turn if turn[0] >= 0 else -turn
        sine = np.linalg.norm(turn[1:])
        self.begin_block()
        self.correction = turn[1:] * (2 * np.arctan2(sine, turn[0]) / sine if sine else 2)
        self.rate = self.corrected(self.reading)
        if self.knows_bias:
            self.tolerance = 0.25 * DEGREE + 5 * np.sqrt(self.P[BIAS, BIAS])

    # 5
    def predict(self, T):
        self.velocity = self.velocity + self.V[:2]
        F, tilt = np.eye(self.size), np.eye(self.size)
        F[:3, 5:17] = self.A
        tilt[3, 1], tilt[4, 0] = self.V[2], -self.V[2]
        F = tilt @ F
        self.P = F @ self.P @ F.T
        missing = max(0, T - self.force_time - 2 * self.force_interval)
        attitude = (0.01 * DEGREE) ** 2 * T + 2e-4**2 * self.squared_rate + self.extra
        Q = np.zeros(self.size)
        Q[:3] = attitude + self.saturation
        Q[VELOCITY] = 0.012**2 * T + (3 * missing) ** 2
        Q[BIAS] = (0.005 * DEGREE) ** 2 * T
        if self.magnetometer:
            Q[IRON] = (1e-4**2 + 0.04 * self.misfit) * T
            Q[FIELD] = 6e-4**2 * T
        self.P = self.P + np.diag(Q)

    # 6.2, 6.3
    def measure_velocity(self, T):
        acceleration = self.V / self.force_time - GRAVITY * UP
        self.squared_acceleration += share(T, 1) * (acceleration @ acceleration - self.squared_acceleration)
        self.acceleration = self.acceleration + (acceleration - self.acceleration) * share(T, 4)
        noise = (0.03**2 if self.at_rest else 0.06**2 + 0.04**2 * self.squared_acceleration) / T
        consider = []
        if np.hypot(*self.acceleration[:2]) > 1 or self.acceleration[2] > 0.25:
            consider = list(MATRIX)
            if self.knows_bias:
                consider, noise = BIAS + MATRIX, 25 * noise
        for axis in range(2):
            self.correct(self.row({VELOCITY[axis]: 1}), -self.velocity[axis], noise, consider)

    # 6.5, 6.6
    def measure_field(self):
        time, self.field_age = min(self.field_age, 1), 0.0
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
        disturbance = max(0, y @ y - sum(explained)) * 0.8 / time

        direction = self.reopening(mean, time)
        if direction is not None:
            angle = np.arctan2(direction[0], direction[1])
            self.isolate(HEADING, max(self.P[HEADING, HEADING], angle * angle))
            self.reset_iron()
            self.misfit = disturbance = 0.0
            if abs(angle) > 0.5:
                self.q = times(exp(UP * 0.2 * angle), self.q)
                return
        for axis in (2, 1, 0):
            turn = self.correct(rows[axis], residual()[axis], noise + disturbance, TILT + VELOCITY)
            mean = mean + np.cross(turn, mean)

    def reopening(self, mean, time):
        """The direction that is north from now on, if the heading is to be re-opened."""
        north, down = self.field
        strength, dip = np.hypot(mean[0], mean[1]) - north, mean[2] + down
        is_consistent = strength**2 + dip**2 < 0.01 * (north**2 + down**2)
        is_elsewhere = abs(mean[0]) > np.tan(15 * DEGREE) * mean[1]
        if is_elsewhere and is_consistent:
            self.consistent += time
        else:
            self.consistent = max(0, self.consistent - (time if is_elsewhere else 3 * time))
        self.disturbed = self.disturbed + time if is_elsewhere else max(0, self.disturbed - 2 * time)

        difference = mean - self.candidate
        is_same = is_elsewhere and difference @ difference < 0.01 * (self.candidate @ self.candidate)
        if is_same:
            self.candidate = self.candidate + difference * share(time, 5)
            self.candidate_time += time if self.rate @ self.rate > (20 * DEGREE) ** 2 else 0
        else:
            self.candidate_time = max(0, self.candidate_time - 3 * time)
            if is_elsewhere and self.candidate_time <= 0:
                self.candidate = mean
        if not is_elsewhere:
            self.trusted += time

        if is_elsewhere and ((is_consistent and self.consistent > 9) or self.disturbed > 60):
            return mean
        if self.candidate_time > max(9, self.trusted):
            self.field = np.array([np.hypot(*self.candidate[:2]), -self.candidate[2]])
            for index in FIELD:
                self.isolate(index, 0.04**2)
            self.candidate_time = self.trusted = 0.0
            return self.candidate
        return None

    # 9
    def attitude(self):
        x = min(1, self.time / 0.1)
        return times(exp(-(1 - 3 * x * x + 2 * x**3) * self.correction), self.q)


def readings(path, sensor):
    with open(path) as file:
        rows = csv.reader(file)
        next(rows)
        return [(int(row[0]), sensor, np.array([float(text) for text in row[1:4]])) for row in rows if all(row[1:4])]


def run(folder, magnetometer, largest_rate):
    """Time, ns → attitude and rate."""
    events = readings(folder / "r.sensor.accelerometer.csv", 0) + readings(folder / "r.sensor.gyroscope.csv", 1)
    if magnetometer:
        events += readings(folder / "r.sensor.magnetometer.csv", 2)
    events.sort(key=lambda event: event[:2])
    filter, results = Filter(magnetometer, largest_rate), {}
    for time, sensor, value in events:
        if sensor == 0:
            filter.accelerometer(value, time)
        elif sensor == 2:
            # What a magnetometer that its source calibrates is taken to have left (11.4).
            filter.magnetic_field(value, 0.5e-6, time)
        else:
            filter.gyroscope(value, time)
            if filter.q is not None:
                results[time] = (filter.attitude(), filter.rate)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording")
    parser.add_argument("--magnetometer", action="store_true")
    parser.add_argument("--motionctl", default=".build/release/motionctl")
    parser.add_argument("--range", type=float, default=2000, help="the gyroscope's, degrees per second (default 2000)")
    options = parser.parse_args()
    frame = "xMagneticNorthZVertical" if options.magnetometer else "xArbitraryZVertical"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([options.motionctl, "convert", options.recording, folder / "r.csv", "--to", "tidy"], **quiet)
        subprocess.run([options.motionctl, "fuse", options.recording, "-o", folder / "f.csv", "--frame", frame], **quiet)
        results = run(folder, options.magnetometer, options.range * DEGREE)
        with open(folder / "f.csv") as file:
            rows = list(csv.DictReader(file))
    times_of_results = np.array(sorted(results))
    worst, rate_worst, azimuth_worst, first = 0.0, 0.0, 0.0, None
    for row in rows:
        # Seconds as a double are a fraction of a microsecond off.
        time = float(row["timestamp"]) * 1e9
        nearest = times_of_results[np.argmin(abs(times_of_results - time))]
        if abs(nearest - time) > 2e3:
            continue  # A gyroscope sample before the first accelerometer sample (13).
        attitude, rate = results[nearest]
        theirs = np.array([float(row["attitude_" + axis]) for axis in "wxyz"])
        gravity = np.array([float(row["gravity_" + axis]) for axis in "xyz"])
        worst = max(worst, np.linalg.norm(matrix(attitude).T @ UP + gravity) / DEGREE)
        their_rate = np.array([float(row["rotationRate_" + axis]) for axis in "xyz"])
        rate_worst = max(rate_worst, np.linalg.norm(rate - their_rate) / DEGREE)
        between = times(attitude, inverse(theirs))
        azimuth = 2 * np.arctan2(between[3], between[0])
        first = azimuth if first is None else first
        azimuth_worst = max(azimuth_worst, abs((azimuth - first + np.pi) % (2 * np.pi) - np.pi) / DEGREE)
    # Core Motion's frames are turned against east-north-up by a constant angle.
    print(f"{len(rows)} states; constant turn of the frames {first / DEGREE:.4f} degrees")
    print(f"largest difference: vertical {worst:.1e}, azimuth {azimuth_worst:.1e} degrees, rate {rate_worst:.1e} degrees/s")
    return 0 if max(worst, azimuth_worst, rate_worst) < 1e-3 else 1


if __name__ == "__main__":
    sys.exit(main())
