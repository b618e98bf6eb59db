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

    def _show(self, rate):
        w, x, y, z = self.attitude
        # Up in the device's axes: the third row of the rotation.
        up = (2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2 * (x*x + y*y))
        self._vector("accelerometer", *(9.80665 * u for u in up))
        self._set("relative-orientation", quaternion={"w": w, "x": x, "y": y, "z": z})
        self._vector("gyroscope", *rate)

    def hold(self, seconds=1.0):
        """Lies still."""
        self._vector("linear-acceleration", 0, 0, 0)
        self._show((0, 0, 0))
        self.page.wait_for_timeout(seconds * 1000)

    def turn(self, axis, angle, seconds):
        """Turns by `angle` rad about an axis of the device at an even rate, then lies still for half a second."""
        start, begin = self.attitude, time.monotonic()
        rate = tuple(a * angle / seconds for a in axis)
        while (share := (time.monotonic() - begin) / seconds) < 1:
            self.attitude = multiply(start, about(axis, angle * share))
            self._show(rate)
            self.page.wait_for_timeout(8)
        self.attitude = multiply(start, about(axis, angle))
        self.hold(0.5)
