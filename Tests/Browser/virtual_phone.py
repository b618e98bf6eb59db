# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""A phone that turns: the sensors of Chromium's developer protocol, moved together as those of a rigid body."""

import math, time

AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
TYPES = ("accelerometer", "gravity", "linear-acceleration", "gyroscope", "relative-orientation")


def multiply(p, q):
    w, x, y, z = p
    a, b, c, d = q
    return (w*a - x*b - y*c - z*d, w*b + x*a + y*d - z*c, w*c - x*d + y*a + z*b, w*d + x*c - y*b + z*a)


def about(axis, angle):
    s = math.sin(angle / 2)
    return (math.cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s)


def angle_between(before, after, axis, angle):
    """How far, in rad, `after` is from `before` turned by `angle` about an axis of the device. Quaternions: {w, x, y, z}."""
    expected = multiply(tuple(before[k] for k in "wxyz"), about(axis, angle))
    return 2 * math.acos(min(1, abs(sum(a * after[k] for a, k in zip(expected, "wxyz")))))


class VirtualPhone:
    """Face up, top to the north. The page has to be opened before, and loaded again after."""

    def __init__(self, page):
        self.page, self.attitude = page, (1, 0, 0, 0)
        self.session = page.context.new_cdp_session(page)
        page.context.grant_permissions(["accelerometer", "gyroscope"])
        for kind in TYPES:
            self.session.send("Emulation.setSensorOverrideEnabled", {
                "enabled": True, "type": kind, "metadata": {"available": True, "maximumFrequency": 60}})

    def _set(self, kind, **reading):
        self.session.send("Emulation.setSensorOverrideReadings", {"type": kind, "reading": reading})

    def _vector(self, kind, x, y, z):
        self._set(kind, xyz={"x": x, "y": y, "z": z})

    def _show_attitude(self, attitude):
        self.attitude = attitude
        w, x, y, z = attitude
        # Up in the device's axes: the third row of the rotation.
        up = (2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2 * (x*x + y*y))
        self._vector("accelerometer", *(9.80665 * u for u in up))
        self._set("relative-orientation", quaternion={"w": w, "x": x, "y": y, "z": z})

    def hold(self, seconds=1.0):
        """Lies still."""
        self._vector("linear-acceleration", 0, 0, 0)
        self._vector("gyroscope", 0, 0, 0)
        self._show_attitude(self.attitude)
        self.page.wait_for_timeout(seconds * 1000)

    def turn(self, axis, angle, seconds):
        """Turns by about `angle` rad about an axis of the device, then lies still for half a second; returns the angle of the turn.

        It is what the rates add up to that were shown: this program may be held up for a moment, and the page sees the last rate
        meanwhile. The rate rises and falls smoothly, to twice its mean.
        """
        start, begin = self.attitude, time.monotonic()
        turned, rate, since = 0, 0, begin
        while since - begin < seconds:
            share = (since - begin) / seconds
            after = angle / seconds * (1 - math.cos(2 * math.pi * share))
            turned, rate, since = self._change_rate(axis, turned, rate, since, after)
            self._show_attitude(multiply(start, about(axis, turned)))
            self.page.wait_for_timeout(4)
        turned, _, _ = self._change_rate(axis, turned, rate, since, 0)
        self._show_attitude(multiply(start, about(axis, turned)))
        self.page.wait_for_timeout(500)
        return turned

    def _change_rate(self, axis, turned, rate, since, after):
        """Shows the rate `after`; returns the turn until then, that rate, and when it was shown."""
        begin = time.monotonic()
        self._vector("gyroscope", *(a * after for a in axis))
        now = (begin + time.monotonic()) / 2
        return turned + rate * (now - since), after, now


def turn_and_compare(phone, axis, read, attempts=3):
    """Turns by 90° and back; the turn and how far the attitude of `read` is from it, in degrees.

    The best of three attempts: on a machine that is busy the browser itself misses readings, and what it does not report is lost.
    """
    results = []
    for _ in range(attempts):
        phone.hold(0.3)
        before = read()
        turned = phone.turn(axis, math.radians(90), 2.5)
        results.append((math.degrees(angle_between(before, read(), axis, turned)), math.degrees(turned)))
        phone.turn(axis, -turned, 2.5)
        if results[-1][0] < 2:
            break
    return min(results)
