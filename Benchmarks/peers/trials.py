# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Trials of the BROAD layout and their errors (data/broad/README.md defines both)."""

import json
import math
import sys

import numpy as np

COLUMNS = 17
# From a world whose x axis is north and whose y axis is west to east-north-up.
NORTH_WEST_UP = np.array([math.sqrt(0.5), 0, 0, math.sqrt(0.5)])


USUAL_RATE = 2000 / 7


def find(folder):
    """Path and rate (Hz) of every trial in a folder."""
    paths = sorted(folder.glob("*.f32"))
    if not paths:
        sys.exit(f"{folder} holds no .f32 file of the BROAD layout.")
    index = folder / "index.json"
    rates = json.loads(index.read_text()) if index.exists() else {}
    return [(path, rates.get(path.stem, {}).get("rate", USUAL_RATE)) for path in paths]


class Trial:
    def __init__(self, path, rate):
        rows = np.fromfile(path, dtype="<f4").astype(np.float64)
        if rows.size == 0 or rows.size % COLUMNS:
            sys.exit(f"{path} is no table of {COLUMNS} 32-bit floats a row.")
        rows = rows.reshape(-1, COLUMNS)
        self.path, self.rate, self.name = path, rate, path.stem
        self.gyroscope = np.ascontiguousarray(rows[:, 0:3])
        self.accelerometer = np.ascontiguousarray(rows[:, 3:6])
        self.magnetometer = np.ascontiguousarray(rows[:, 6:9])
        self.reference = rows[:, 9:13]
        self.counts = (rows[:, 16] == 1) & np.isfinite(self.reference).all(axis=1)

    def start(self, north):
        """Quaternion of the first row's accelerometer and magnetometer; `north`: the world axis (x or y) that points there."""
        up = self.accelerometer[0] / np.linalg.norm(self.accelerometer[0])
        east = np.cross(self.magnetometer[0], up)
        east /= np.linalg.norm(east)
        ahead = np.cross(up, east)
        matrix = np.array([east, ahead, up]) if north == "y" else np.array([ahead, -east, up])
        w = math.sqrt(max(0.0, 1 + np.trace(matrix))) / 2
        if w < 1e-3:  # A half turn: another quaternion close to it does as well for a start.
            return np.array([1.0, 0, 0, 0])
        m = matrix
        return np.array([w, (m[2, 1] - m[1, 2]) / (4 * w), (m[0, 2] - m[2, 0]) / (4 * w), (m[1, 0] - m[0, 1]) / (4 * w)])

    def dip(self):
        """Of the field in the first row, degrees below the horizontal."""
        force, field = self.accelerometer[0], self.magnetometer[0]
        return float(np.degrees(np.arcsin(-(force @ field) / np.linalg.norm(force) / np.linalg.norm(field))))


def product(a, b):
    """Hamilton product of arrays of quaternions, w x y z in the last axis."""
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def errors(estimate, trial):
    """RMS of total, heading and inclination in degrees over the movement."""
    estimate, reference = estimate[trial.counts], trial.reference[trial.counts]
    reference = reference / np.linalg.norm(reference, axis=1, keepdims=True)
    estimate = estimate / np.linalg.norm(estimate, axis=1, keepdims=True)
    w, _, _, z = np.moveaxis(product(estimate, reference * [1, -1, -1, -1]), -1, 0)
    total = 2 * np.arccos(np.clip(np.abs(w), 0, 1))
    heading = 2 * np.arctan2(np.abs(z), np.abs(w))
    inclination = 2 * np.arccos(np.clip(np.sqrt(w * w + z * z), 0, 1))
    return [math.degrees(math.sqrt(np.mean(e * e))) for e in (total, heading, inclination)]
