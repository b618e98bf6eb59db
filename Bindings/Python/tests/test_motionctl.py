# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The same values as `motionctl fuse` under the same names, and its file of learned numbers; where motionctl has been built (MOTIONCTL names it)."""

import csv
import re
import subprocess

import numpy as np
import pytest

import opencoremotion as ocm
from conftest import MOTIONCTL, needs_motionctl
from test_read import sensor_logger

pytestmark = needs_motionctl
COLUMNS = "t=t[s] ax=ax[m/s2] ay=ay az=az gx=gx[rad/s] gy=gy gz=gz mx=mx[uT] my=my mz=mz"


def run(folder, recording, frame, *options):
    sensors = np.column_stack([recording.t, recording.acc, recording.gyr, recording.mag])
    lines = ["t,ax,ay,az,gx,gy,gz,mx,my,mz", *(",".join(repr(float(x)) for x in row) for row in sensors)]
    (folder / "in.csv").write_text("\n".join(lines) + "\n")
    return fused(folder, ["in.csv", "--map", COLUMNS, "--sign", "reaction", "--frame", frame, *options])


def fused(folder, arguments):
    subprocess.run([MOTIONCTL, "fuse", *arguments, "-o", "out.csv"], cwd=folder, check=True, capture_output=True)
    with open(folder / "out.csv") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name] or "nan") for row in rows]) for name in rows[0]}


def columns(table, name, axes="xyz"):
    return np.column_stack([table[f"{name}_{axis}"] for axis in axes])


def snake(name):
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


#: What motionctl's columns are in the SI units of Python, where they are others.
UNITS = {"gravity": 9.80665, "user_acceleration": -9.80665, "heading": np.pi / 180, "heading_sd": np.pi / 180, "inclination_sd": np.pi / 180}


def same_by_name(motion, theirs, settled):
    """Every name that both have has the same value, in its unit; rates and deviations are compared, too."""
    theirs = {snake(name).replace("_deviation", "_sd"): values for name, values in theirs.items()}
    ours = {name: values[-len(theirs["timestamp"]) :] for name, values in motion.columns().items()}
    shared = {f"{name}_{axis}" for name in ("gravity", "user_acceleration") for axis in "xyz"}
    assert set(ours) & set(theirs) == shared | {"heading", "heading_sd", "inclination_sd"}
    ours |= {f"rotation_rate_{axis}": ours[f"rate_{axis}"] for axis in "xyz"}
    for name in sorted(set(ours) & set(theirs)):
        rows = settled if "heading" in name else slice(1, None)
        unit = UNITS.get(re.sub("_[xyz]$", "", name), 1)
        np.testing.assert_allclose(ours[name][rows], theirs[name][rows] * unit, rtol=1e-13, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("frame", ["arbitrary", "magnetic"])
@pytest.mark.parametrize("source", ["a table", "sensors with times of their own"])
def test_a_name_that_both_have_has_one_value_unit_and_sign(recording, source, frame, smooth, tmp_path, monkeypatch):
    monkeypatch.setenv("MOTIONCTL", MOTIONCTL)
    options = ["--smooth"] if smooth else []
    if source == "a table":
        theirs = run(tmp_path, recording, frame, *options)
        read = {"t": recording.t, "gyr": recording.gyr, "acc": recording.acc, "mag": recording.mag}
    else:
        t = 1_790_000_000_000_000_000 + np.rint(recording.t * 1e9).astype(np.int64)
        tables = {
            "AccelerometerUncalibrated": (t[1:] - 3_000_000, recording.acc[1:]), "Gyroscope": (t, recording.gyr),
            "MagnetometerUncalibrated": (t[::2] + 1_000_000, recording.mag[::2]),
        }  # fmt: skip
        log = sensor_logger(tmp_path / "log", "android", tables)
        theirs, read = fused(tmp_path, [log, "--frame", frame, *options]), dict(ocm.read(log))
    if frame == "arbitrary":
        read.pop("mag")
    motion = ocm.fuse(**read, smooth=smooth)
    # A north frame is turned to its north within a second of the first heading.
    rows = len(theirs["timestamp"])
    known = motion.heading_known[-rows:]
    settled = np.arange(rows) > known.argmax() + 100
    same_by_name(motion, theirs, settled)
    if not smooth:
        np.testing.assert_array_equal(columns(theirs, "rotationRate"), motion.rate[-rows:])
    # The angles of the recorded attitude, as the table for people has them.
    w, x, y, z = columns(theirs, "attitude", "wxyz").T
    angles = np.arctan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z)), np.arcsin(2 * (w * x + y * z)), np.arctan2(2 * (w * y - x * z), 1 - 2 * (x * x + y * y))
    difference = (motion.euler()[-rows:] - np.transpose(angles) + np.pi) % (2 * np.pi) - np.pi
    np.testing.assert_allclose(difference[settled], 0, atol=1e-5 if frame == "arbitrary" else 1e-9)


def test_roll_pitch_and_yaw_are_those_that_motionctl_prints(tmp_path, monkeypatch):
    monkeypatch.setenv("MOTIONCTL", MOTIONCTL)
    path = tmp_path / "handheld.mcap"
    subprocess.run([MOTIONCTL, "record", "simulate:handheld?seed=3", "--for", "20", "-o", path], check=True, capture_output=True)
    command = [MOTIONCTL, "stream", f"replay:{path}?speed=max", "--frame", "magnetic", "--rate", "max", "--format", "table"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    titles = lines[1].split()[:3]
    printed = np.array([line.split()[1:4] for line in lines[2:]], float)
    yaw, pitch, roll = ocm.fuse(**ocm.read(path)).euler(degrees=True)[-len(printed) :].T
    assert titles == ["roll", "pitch", "yaw"]
    difference = (np.column_stack([roll, pitch, yaw]) - printed + 180) % 360 - 180
    assert abs(difference[300:]).max() <= 0.00501


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
