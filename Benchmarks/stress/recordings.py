# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""What is measured beside the suites: BROAD as a user has it, biases about the vertical, long accelerations, a worn head, a car, the time."""

import gzip
import os
import subprocess
import tempfile
import time

import numpy as np

import cases
import filters
import quaternions as quat
from motion import GRAVITY as standard
from motion import Motion, active, handheld, sines, times
from scoring import FACTORS, errors, rms, since_first
from sensors import Phone, measure

IRON = {"iron of 0.5 fields": (0.3, -0.2, 0.25), "iron of 2.2 fields": (1.5, -1.0, 1.2)}  # what it adds, in units of the field
FIGURES = ("total", "heading", "incl.", "6D incl.", "known %", "95: incl.", "head.")
TRUTH_DELAY = 0.004  # s: how much later BROAD's cameras are than its sensors, which no filter can see


def figures(q, truth, result=None, counts=None, six=None):
    """FIGURES of the rows of motion: RMS in degrees, heading and total of those whose heading counts; shares in percent."""
    _, present, inclination, heading = errors(q, truth)
    counts = present if counts is None else present & counts
    total = np.degrees(2 * np.arccos(np.clip(np.abs((q * np.where(present[:, None], truth, np.nan)).sum(1)), 0, 1)))
    row = [rms(total[counts]), rms(heading[counts]), rms(inclination[present]), np.nan]
    if six is not None:
        _, present_six, inclination_six, _ = errors(six, truth)
        row[-1] = rms(inclination_six[present_six])
    if result is None:
        return row + [np.nan] * 3
    inside = [100 * np.mean(x[k] <= FACTORS[name] * s[k]) if k.any() else np.nan for name, x, s, k in (
        ("inclination", inclination, result.inclination, present), ("heading", np.abs(heading), result.heading, counts))]
    return row + [100 * counts.sum() / max(1, present.sum()), *inside]


def broad(path):
    """The trial's number, and rows of figures by name. Magnetometer, delay and range are not declared, unless the name says so."""
    x = np.fromfile(path, "<f4").reshape(-1, 17).astype(float)
    rate = 2000 / 7
    rows = filters.Rows(np.rint(np.arange(len(x)) * 1e9 / rate) * 1e-9, *(np.ascontiguousarray(x[:, k : k + 3]) for k in (0, 3, 6)))
    axes, truth, found = rows._replace(field=None), np.where(x[:, 16:] == 1, x[:, 9:13], np.nan), {}
    told = dict(order="gam", gyro_delay=0.5 / rate, gyro_range=np.radians(2000))
    for name, options, more in (("as a user", {}, {}), ("told", told, dict(calibrated=True))):
        for name, smooth in ((name, False), (name + ", smoothed", True)):
            nine, six = filters.ours(rows, smooth, **options, **more), filters.ours(axes, smooth, **options)
            found[name] = figures(nine.q, truth, nine, None if options else nine.known, six.q)
            if options:
                late = [quat.interpolate(rows.t + TRUTH_DELAY - told["gyro_delay"], rows.t, q) for q in (nine.q, six.q)]
                found[name + ", truth 4 ms late"] = figures(late[0], truth, None, None, late[1])
            elif not smooth:
                user, azimuth = nine, six
    for name, q, six in zip(("VQF, the rows as a user", "offline VQF, the same"), filters.peers(rows, 1 / rate), filters.peers(axes, 1 / rate)):
        if q is not None:
            found[name] = figures(q, truth, None, user.known, six)
    strength = np.nanmedian(np.linalg.norm(rows.field, axis=1))
    for name, iron in IRON.items():
        result = filters.ours(rows._replace(field=rows.field + strength * np.array(iron)))
        found[f"as a user, {name}"] = figures(result.q, truth, result, result.known)
    _, k, _, heading = errors(azimuth.q, truth)
    drift = since_first(heading[k])
    found["six axes, azimuth since the start"] = [np.nan, rms(drift), *[np.nan] * 4, 100 * np.mean(np.abs((drift + 180) % 360 - 180) <= FACTORS["azimuth"] * azimuth.heading[k])]
    return int(path.name[:2]), found


def table(readings):
    return filters.Rows(np.round(readings.t, 7), cases.digits(readings.rate, 6), cases.digits(readings.acceleration, 6))


def vertical(rest, bias):
    """A bias about the vertical, after so many seconds of rest: drift of the azimuth in the next minute, tilt, stated tilt; VQF's two."""
    motion = handheld(np.random.default_rng(5), rest + 60, 1 / 400, lambda t: active(t, rest, rest + 59), vigour=0.5, base=np.array([1.0, 0, 0, 0]))
    readings = measure(motion, Phone(np.random.default_rng(5), bias=np.array([0.1, 0.1, bias])), 100)
    rows, k = table(readings), readings.t > rest + 10
    result = filters.ours(rows)
    found = [(np.ptp(since_first(h)), rms(i)) for q in (result.q, filters.peers(rows)[0]) if q is not None for i, h in [quat.errors(q[k], readings.q[k])]]
    return (*found[0], FACTORS["inclination"] * float(np.median(result.inclination[k])), *found[-1])


def slow(strength):
    """So many m/s² for 100 s: mean tilt, stated 95 %, share beyond it in percent; VQF's tilt."""
    t = times(180, 0.01)
    motion = Motion(0.01, np.tile([1.0, 0, 0, 0], (len(t), 1)), strength * active(t, 40, 170, 20)[:, None] * [0, 1.0, 0], np.zeros((len(t), 3)))
    motion.acceleration += sines(np.random.default_rng(5), t, 1, 8, 0.3, 3) * active(t, 40, 170, 5)[:, None]
    readings = measure(motion, Phone(np.random.default_rng(5)), 50)
    rows, k = table(readings), (readings.t > 70) & (readings.t < 165)
    result, peer = filters.ours(rows), filters.peers(rows)[0]
    tilt, said = quat.errors(result.q, readings.q)[0][k], FACTORS["inclination"] * result.inclination[k]
    return tilt.mean(), said.mean(), 100 * np.mean(tilt > said), np.nan if peer is None else quat.errors(peer, readings.q)[0][k].mean()


def head(folder):
    """A worn head, bias of 10 °/s about the vertical, the last minute: RMS tilt, the median stated 95 %, VQF's tilt."""
    x, y = (np.loadtxt(gzip.open(folder / f"head-bias-z-10{end}.csv.gz", "rt"), delimiter=",", skiprows=1) for end in ("", ".truth"))
    rows, k = filters.Rows(x[:, 0], *(np.ascontiguousarray(x[:, i : i + 3]) for i in (1, 4))), x[:, 0] > x[-1, 0] - 60
    result, peer = filters.ours(rows), filters.peers(rows)[0]
    tilt = [np.nan if q is None else rms(quat.errors(q[k], y[k][:, [4, 1, 2, 3]])[0]) for q in (result.q, peer)]
    return tilt[0], FACTORS["inclination"] * float(np.median(result.inclination[k])), tilt[1]


def car(folder):
    """A minute of road with a phone at the windscreen (comma2k19, the truth by satellites): mean tilt, median stated 95 %, VQF's tilt.

    The phone's mounting in the car is fitted: the tilt is what is left of the vertical."""
    x = {name: np.load(folder / f"{name}.npy") for name in ("IMU_gyro_t", "IMU_gyro_uncalibrated_value", "IMU_accelerometer_t", "IMU_accelerometer_value",
                                                            "frame_times", "frame_orientations", "frame_positions")}
    order = np.argsort(x["IMU_gyro_t"], kind="stable")
    t, rate = x["IMU_gyro_t"][order], np.ascontiguousarray(x["IMU_gyro_uncalibrated_value"][order, :3])
    rows = filters.Rows(t - t[0], rate, np.stack([np.interp(t, x["IMU_accelerometer_t"], v) for v in x["IMU_accelerometer_value"].T], -1))
    k = (x["frame_times"] > t[0] + 10) & (x["frame_times"] < t[-1])
    there = quat.unrotate(x["frame_orientations"], x["frame_positions"] / np.linalg.norm(x["frame_positions"], axis=1, keepdims=True))[k]
    there /= np.linalg.norm(there, axis=1, keepdims=True)

    def tilt(q):
        up = quat.unrotate(q, np.broadcast_to([0, 0, 1.0], (len(q), 3)))
        up = np.stack([np.interp(x["frame_times"][k], t, v) for v in up.T], -1)
        u, _, v = np.linalg.svd(up.T @ there)
        mounting = u @ np.diag([1, 1, np.linalg.det(u @ v)]) @ v
        return np.degrees(np.arccos(np.clip((up @ mounting * there).sum(1) / np.linalg.norm(up, axis=1), -1, 1))).mean()
    result, peer = filters.ours(rows), filters.peers(rows)[0]
    return tilt(result.q), FACTORS["inclination"] * float(np.median(result.inclination)), np.nan if peer is None else tilt(peer)


def text(path):
    with gzip.open(path, "rt") as file:
        lines = [line.replace(",", " ").split() for line in file if line[:1].isdigit() or line[:1] in "-. "]
    return np.array([line for line in lines if len(line) == len(lines[0])], float)


def phone(folder, names, unit, force):
    """Rows of a phone whose sensors have stamps of their own, each in a row of its own, and which of them are the gyroscope's."""
    readings = [text(folder / f"{name}.txt.gz") * np.array([unit, f, f, f]) for name, f in zip(names, (force, 1.0, 1.0))]
    parts = [np.full((len(x), 10), np.nan) for x in readings]
    for place, (part, x) in enumerate(zip(parts, readings)):
        part[:, 0], part[:, 1 + 3 * place : 4 + 3 * place] = x[:, 0], x[:, 1:]
    every = np.concatenate(parts)
    every = every[np.lexsort((np.concatenate([np.full(len(part), place) for place, part in enumerate(parts)]), every[:, 0]))]
    columns = [np.ascontiguousarray(every[:, k : k + 3]) for k in (4, 1, 7)]
    return filters.Rows(every[:, 0], *columns[: len(names)]), np.isfinite(every[:, 4])


def parity(folder):
    """Apple's gravity and user acceleration beside ours, six axes, from 2 s on: mean angle, RMS difference in g. Phones stamp instants."""
    rows, gyroscope = phone(folder, ("acce", "gyro_uncalib"), 1e-9, -standard / 9.81)
    q, t = filters.ours(rows, gyro_delay=0).q[gyroscope], rows.t[gyroscope]
    gravity, user = (text(folder / f"{name}.txt.gz") * np.array([1e-9, *3 * (-standard / 9.81,)]) for name in ("gravity", "linacce"))
    k = (gravity[:, 0] >= t[0] + 2) & (gravity[:, 0] <= t[-1]) & np.isin(gravity[:, 0], user[:, 0])
    up, user = quat.unrotate(quat.interpolate(gravity[k, 0], t, q), np.array([[0, 0, 1.0]])), user[np.isin(user[:, 0], gravity[k, 0]), 1:]
    apples = gravity[k, 1:] / np.linalg.norm(gravity[k, 1:], axis=1, keepdims=True)
    angle = np.degrees(np.arccos(np.clip((up * apples).sum(1), -1, 1)))
    return float(angle.mean()), rms(np.linalg.norm(gravity[k, 1:] - up * standard, axis=1)) / standard


def captured(folder):
    """An iPhone against motion capture, from 5 s on: medians of inclination and heading, ours and Apple's, and the share of rows with a heading."""
    rows, gyroscope = phone(folder, ("accelerometer", "gyroscope", "magnetometer"), 1.0, -standard)
    offset = float((folder / "timeAlignment.txt").read_text()) - float((folder / "description.txt").read_text().split()[-1])
    truth = text(folder / "qualisys.csv.gz")
    result, apples = filters.ours(rows, gyro_delay=0), text(folder / "attitude.txt.gz")
    north = np.array([[np.sqrt(0.5), 0, 0, np.sqrt(0.5)]])

    def medians(t, q, known):
        t = t + offset
        after = np.clip(np.searchsorted(truth[:, 0], t), 1, len(truth) - 1)
        bad = (truth[:, -1] != 0) | ~np.isfinite(truth[:, 1:5]).all(1)
        there = (t > max(5, truth[0, 0])) & (t <= truth[-1, 0]) & ~bad[after] & ~bad[after - 1] & (truth[after, 0] - truth[after - 1, 0] <= 0.1)
        there &= np.isfinite(q).all(1)
        inclination, heading = quat.errors(q[there], quat.interpolate(t[there], truth[:, 0], truth[:, 1:5]))
        return float(np.median(inclination)), float(np.median(np.abs(heading[known[there]]))), float(known[there].mean())
    ours = medians(rows.t[gyroscope], result.q[gyroscope], result.known[gyroscope])
    theirs = medians(apples[:, 0], quat.multiply(north, apples[:, 1:5]), np.ones(len(apples), bool))
    return *ours, *theirs[:2]


def durations(path, runs=5):
    """Processor time of a row, ns, the least of `runs`, nothing declared: ours (in C) and VQF's by what they do."""
    x = np.fromfile(path, "<f4").reshape(-1, 17).astype(float)
    nine = filters.Rows(np.arange(len(x)) * 7 / 2000, *(np.ascontiguousarray(x[:, k : k + 3]) for k in (0, 3, 6)))
    stamps, step, v = filters.stamps(nine)[0], 7 / 2000, filters.vqf
    work = {}
    for name, rows in (("9D", nine), ("6D", nine._replace(field=None))):
        sensors = [s for s in rows[1:] if s is not None]
        work[name] = [lambda rows=rows: filters.ours(rows, times=stamps)] + ([lambda s=sensors: v.VQF(step).updateBatch(*s)] if v else [])
        every = (*sensors, None)[:3]
        work[f"{name} smoothed"] = [lambda rows=rows: filters.ours(rows, smooth=True, times=stamps)] + ([lambda s=every: v.offlineVQF(*s, step)] if v else [])
    work["9D from Python, checked"] = [lambda: filters.ocm.fuse(stamps, *nine[1:])] + work["9D"][1:]
    best = {name: [np.inf] * len(functions) for name, functions in work.items()}
    for _ in range(runs):
        for name, functions in work.items():
            for index, function in enumerate(functions):
                begun = time.process_time()
                function()
                best[name][index] = min(best[name][index], (time.process_time() - begun) / len(x) * 1e9)
    return best


def same_as_motionctl(motionctl, case):
    """Whether `motionctl fuse` of the case's table gives the same rows: None, or what differs.

    Its arbitrary frame begins with azimuth 0, and a north frame is turned to a new heading within a second: there its stated deviation is
    larger, unless less than 10⁻⁸ rad are left."""
    north = case.rows.field is not None
    with tempfile.TemporaryDirectory() as folder:
        source, out = os.path.join(folder, "in.csv"), os.path.join(folder, "out.csv")
        cases.write(case.rows, source)
        columns = "t=t[s] ax=ax[m/s^2] ay=ay az=az gx=gx[rad/s] gy=gy gz=gz" + (" mx=mx[uT] my=my mz=mz" if north else "")
        subprocess.run([motionctl, "fuse", source, "--map", columns, "--sign", "reaction", "--frame", "magnetic" if north else "arbitrary", "-o", out],
                       check=True, stderr=subprocess.DEVNULL)
        with open(out) as file:
            names = file.readline().strip().split(",")
            wanted = [names.index(n) for n in ("attitude_w", "attitude_x", "attitude_y", "attitude_z", "inclinationDeviation", "headingDeviation", "headingAccuracy")]
            theirs = np.array([[float(cells[k] or "nan") for k in wanted] for cells in (line.rstrip("\n").split(",") for line in file)])
    # A row said twice is left out; so is one before the first reading of a magnetometer that its frame needs.
    q, inclination, heading, known = (x[~filters.stamps(case.rows)[1]][-len(theirs):] for x in filters.ours(case.rows))
    settled = (theirs[:, 5] == heading) if north else np.ones(len(q), bool)
    turn = quat.multiply(theirs[:, :4], quat.conjugate(q))
    turn *= np.where(turn[:, :1] < 0, -1, 1)
    expected = np.array([np.sqrt(0.5), 0, 0, -np.sqrt(0.5)]) if north else turn[0]
    differences = {"rows": len(case.rows.t) - len(theirs) if abs(len(case.rows.t) - len(theirs)) > 0.1 * len(theirs) else 0,
                   "inclinationDeviation": np.abs(theirs[:, 4] - inclination).max(), "tilt": np.abs(turn[:, 1:3]).max(),
                   "attitude": np.abs(turn - expected)[settled].max(initial=0), "known": (np.isfinite(theirs[:, 6]) != known)[settled].sum(),
                   "turned": max(0, (known & ~settled).mean() - 0.5)}
    return {name: float(x) for name, x in differences.items() if x > {"tilt": 1e-12, "attitude": 1e-8}.get(name, 0)} or None
