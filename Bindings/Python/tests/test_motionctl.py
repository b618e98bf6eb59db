# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The same bits as `motionctl fuse`, and its file of learned numbers; where motionctl has been built (MOTIONCTL names it)."""

import csv
import subprocess

import numpy as np
import pytest

import opencoremotion as ocm
from conftest import MOTIONCTL, needs_motionctl

pytestmark = needs_motionctl
COLUMNS = "t=t[s] ax=ax[m/s2] ay=ay az=az gx=gx[rad/s] gy=gy gz=gz mx=mx[uT] my=my mz=mz"


def run(folder, recording, frame, *options):
    sensors = np.column_stack([recording.t, recording.acc, recording.gyr, recording.mag])
    lines = ["t,ax,ay,az,gx,gy,gz,mx,my,mz", *(",".join(repr(float(x)) for x in row) for row in sensors)]
    (folder / "in.csv").write_text("\n".join(lines) + "\n")
    command = [MOTIONCTL, "fuse", "in.csv", "--map", COLUMNS, "--sign", "reaction", "--frame", frame, "-o", "out.csv", *options]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    with open(folder / "out.csv") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name] or "nan") for row in rows]) for name in rows[0]}


def columns(table, name, axes="xyz"):
    return np.column_stack([table[f"{name}_{axis}"] for axis in axes])


def test_six_axes(recording, tmp_path):
    theirs = run(tmp_path, recording, "arbitrary")
    ours = ocm.fuse(recording.t, recording.gyr, recording.acc)
    np.testing.assert_array_equal(columns(theirs, "rotationRate"), ours.rate)
    np.testing.assert_array_equal(columns(theirs, "gravity") * 9.80665, ours.gravity)


def test_nine_axes_and_learned_numbers(recording, tmp_path):
    theirs = run(tmp_path, recording, "magnetic", "--learn", "phone.json")
    ours = ocm.fuse(recording.t, recording.gyr, recording.acc, recording.mag)
    # Without the first row, which is before the first reading of the magnetometer, and turned from east-north-up to north-west-up.
    w, x, y, z = ours.quaternion[1:].T
    c, s = np.cos(-np.pi / 4), np.sin(-np.pi / 4)
    q = np.stack([c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w])
    q *= 1.5 - 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    # A north frame is turned to its north within a second of the first heading.
    turned = recording.t[1:] > recording.t[1 + ours.heading_known[1:].argmax()] + 1
    assert turned.sum() > len(turned) / 2
    np.testing.assert_array_equal(columns(theirs, "attitude", "wxyz")[turned], q.T[turned])
    np.testing.assert_array_equal(columns(theirs, "rotationRate"), ours.rate[1:])
    assert ocm.Learned.load(tmp_path / "phone.json") == ours.learned
    ours.learned.save(tmp_path / "phone.json")
    theirs = run(tmp_path, recording, "magnetic", "--learned", "phone.json")
    again = ocm.fuse(recording.t, recording.gyr, recording.acc, recording.mag, learned=ours.learned)
    np.testing.assert_array_equal(columns(theirs, "rotationRate"), again.rate[-len(theirs["timestamp"]):])
