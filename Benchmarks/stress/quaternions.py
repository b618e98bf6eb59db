# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Rotations as rows w, x, y, z; device to east-north-up. All functions take and give arrays of rows."""

import numpy as np


def multiply(a, b):
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack([
        aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw], -1)


def conjugate(q):
    return q * np.array([1.0, -1, -1, -1])


def rotate(q, v):
    """The vector v (device) in the world."""
    u = q[..., 1:]
    return v + 2 * np.cross(u, np.cross(u, v) + q[..., :1] * v)


def unrotate(q, v):
    """The vector v (world) in the device."""
    return rotate(conjugate(q), v)


def about(axis, angle):
    """A turn by angle (rad, one per row) about one axis."""
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    angle = np.atleast_1d(angle)
    return np.concatenate([np.cos(angle / 2)[:, None], np.sin(angle / 2)[:, None] * axis], -1)


def rotation_vector(q):
    q = q * np.where(q[..., :1] < 0, -1.0, 1.0)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, q[..., :1])
    return q[..., 1:] * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 2.0)


def random_attitude(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def interpolate(t, times, q):
    """q at t, linear between neighbours: at sensor rates that is the arc to 1e-6 rad."""
    k = np.clip(np.searchsorted(times, t), 1, len(times) - 1)
    share = np.clip((t - times[k - 1]) / (times[k] - times[k - 1]), 0, 1)[:, None]
    first, second = q[k - 1], q[k]
    second = second * np.where((first * second).sum(-1, keepdims=True) < 0, -1.0, 1.0)
    mixed = (1 - share) * first + share * second
    return mixed / np.linalg.norm(mixed, axis=-1, keepdims=True)


def errors(estimate, truth):
    """Inclination error and signed heading error in degrees, as BROAD defines them."""
    e = multiply(estimate, conjugate(truth))
    inclination = 2 * np.arctan2(np.hypot(e[..., 1], e[..., 2]), np.hypot(e[..., 0], e[..., 3]))
    heading = 2 * np.arctan2(e[..., 3], e[..., 0])
    return np.degrees(inclination), np.degrees((heading + np.pi) % (2 * np.pi) - np.pi)
