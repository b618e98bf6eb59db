#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The Python package beside `motion-accuracy` and the package vqf: figures, speed, threads.

  Scripts/build-wheel.sh
  OPENCOREMOTION_DEVELOP=1 swift build -c release --product motion-accuracy
  python3 -m venv .build-peers
  .build-peers/bin/pip install .build-python/dist/*_$(uname -m).whl vqf
  .build-peers/bin/python Benchmarks/python.py [TRIAL.f32 …]

Trials are of the BROAD layout, by default those of ../shared/data/broad. The accuracy is that of `motion-accuracy`, worked out
here from the package's quaternions; both have to agree in every digit that it prints. Times are processor times, the least of
--runs, both programs in turn; those of threads are wall times. What is timed is one call for a whole trial with all of its outputs.
Exits with 1 when a bound is broken; --no-speed leaves out what a busy machine spoils.
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

import numpy as np

import opencoremotion as ocm

ROOT = pathlib.Path(__file__).resolve().parent.parent
RATE = 2000 / 7
BROAD = dict(calibrated=True, order="gam", gyro_delay=0.5 / RATE, gyro_range=np.radians(2000))
failures = []


def bound(text, value, least=None, most=None, unit=""):
    isKept = (least is None or value >= least) and (most is None or value <= most)
    wanted = f"at least {least}" if least is not None else f"at most {most}"
    print(f"{text}: {value:.2f}{unit} ({wanted}{'' if isKept else ': BROKEN'})")
    if not isKept:
        failures.append(text)


class Trial:
    def __init__(self, path):
        self.name = path.stem
        self.rows = np.fromfile(path, "<f4").reshape(-1, 17)
        self.t = np.floor(np.arange(len(self.rows)) * 1e9 / RATE + 0.5).astype(np.int64)
        self.gyr, self.acc, self.mag = (np.ascontiguousarray(self.rows[:, i : i + 3], np.float64) for i in (0, 3, 6))

    def fuse(self, magnetometer=True, smooth=False):
        if magnetometer:
            return ocm.fuse(self.t, self.gyr, self.acc, self.mag, smooth=smooth, **BROAD)
        return ocm.fuse(self.t, self.gyr, self.acc, order="gam", gyro_delay=BROAD["gyro_delay"], gyro_range=BROAD["gyro_range"])

    def errors(self, quaternion):
        """RMS in degrees of total, heading and inclination error; data/broad/README.md, "The error, exactly"."""
        truth = self.rows[:, 9:13].astype(np.float64)
        counts = (self.rows[:, 16] == 1) & np.isfinite(truth).all(axis=1)
        truth = truth[counts] / np.linalg.norm(truth[counts], axis=1, keepdims=True)
        (a, b, c, d), (w, x, y, z) = quaternion[counts].T, (truth * [1, -1, -1, -1]).T
        ew, ez = a * w - b * x - c * y - d * z, a * z + b * y - c * x + d * w
        angles = (
            2 * np.arccos(np.minimum(1, abs(ew))),
            2 * np.arctan2(abs(ez), abs(ew)),
            2 * np.arccos(np.minimum(1, np.sqrt(ew * ew + ez * ez))),
        )
        return [float(np.sqrt(np.mean(np.degrees(angle) ** 2))) for angle in angles]


def compare_accuracy(trials, paths, program):
    for options, isNine in ((["--json"], True), (["--json", "--6d"], False)):
        text = subprocess.run([program, *options, *paths], check=True, capture_output=True, text=True).stdout
        theirs = {trial["name"]: trial for trial in json.loads(text)["trials"]}
        means = np.zeros(3)
        for trial in trials:
            ours = trial.errors(trial.fuse(isNine).quaternion)
            means += np.array(ours) / len(trials)
            for name, value in zip(("total", "heading", "inclination"), ours):
                expected = theirs[trial.name][name]
                if expected is not None and f"{value:.3f}" != f"{expected:.3f}":
                    failures.append(f"{trial.name}: {name} is {value:.3f}°, motion-accuracy has {expected:.3f}°")
        shown = [f"total {means[0]:.3f}°", f"heading {means[1]:.3f}°"] * isNine + [f"inclination {means[2]:.3f}°"]
        print(f"{'9D' if isNine else '6D'} mean of {len(trials)}: {', '.join(shown)}; each trial as motion-accuracy, three decimals")


def least_times(functions, runs):
    """Least processor time of each, in turn."""
    times = [float("inf")] * len(functions)
    for _ in range(runs):
        for index, function in enumerate(functions):
            start = time.process_time()
            function()
            times[index] = min(times[index], time.process_time() - start)
    return times


def handheld(rows=200_000):
    """A device at 100 Hz in the hand of someone who looks at all sides of it, with pauses; times, rad/s, m/s², µT."""
    random, s = np.random.default_rng(5), np.arange(rows + 1) / 100
    moves = np.clip(3 * np.sin(2 * np.pi * s / 40) + 1, 0, 1)
    roll, pitch, yaw = (size * moves * np.sin(2 * np.pi * s / period) for size, period in ((1.2, 5.3), (0.8, 7.1), (2.5, 11.7)))
    (cr, sr), (cp, sp), (cy, sy) = ((np.cos(angle), np.sin(angle)) for angle in (roll, pitch, yaw))
    # From the world to the device: rows of Rx(roll)ᵀ Ry(pitch)ᵀ Rz(yaw)ᵀ.
    turned = np.array([
        [cp * cy, cp * sy, -sp], [sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp],
        [cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp],
    ])  # fmt: skip
    step = np.einsum("ijn,kjn->ikn", turned[..., :-1], turned[..., 1:])
    rate = 50 * np.array([step[1, 2] - step[2, 1], step[2, 0] - step[0, 2], step[0, 1] - step[1, 0]]).T
    walk = moves[1:, None] * np.sin(12 * s[1:, None] * [0.5, 0.5, 1] + [0, 1, 2]) * [0.8, 1.0, 2.0]
    gyr = -rate + np.radians([0.4, -0.2, 0.1]) + random.normal(0, 0.005, (rows, 3))
    acc = np.einsum("ijn,nj->ni", turned[..., 1:], walk + [0, 0, 9.80665]) + random.normal(0, 0.05, (rows, 3))
    mag = np.einsum("ijn,j->ni", turned[..., 1:], [0, 18.0, -44.5]) + random.normal(0, 0.3, (rows, 3))
    return (np.arange(1, rows + 1) * 10_000_000, *map(np.ascontiguousarray, (gyr, acc, mag))), 0.01


def compare_defaults(trials, runs):
    """What a user has who declares nothing: the arguments are checked, the magnetometer is calibrated on the way, a row has all outputs."""
    try:
        import vqf
    except ImportError:
        print("vqf is not installed: no comparison of speed")
        return
    recordings = [((trial.t, trial.gyr, trial.acc, trial.mag), 1 / RATE) for trial in trials] + [handheld()]
    for count, name, most in ((4, "9D", 1.0), (3, "6D", 0.6)):
        ratios = []
        for recording, interval in recordings:
            t, *sensors = recording[:count]
            ours, theirs = least_times([lambda: ocm.fuse(t, *sensors), lambda: vqf.VQF(interval).updateBatch(*sensors)], runs)
            ratios.append(ours / theirs)
        print(f"{name}, fuse with nothing declared, time as a multiple of vqf's: {min(ratios[:-1]):.2f} to {max(ratios[:-1]):.2f} in "
              f"{len(trials)} trials, {ratios[-1]:.2f} on 200,000 handheld rows")
        bound(f"{name} fuse with nothing declared, the most", max(ratios), most=most, unit=" times vqf's")


def compare_smoother(trials, runs):
    trial = trials[0]
    plain, smooth = least_times([trial.fuse, lambda: trial.fuse(smooth=True)], runs)
    bound("fuse(smooth=True) against fuse, 9D", smooth / plain, most=3, unit=" times")


def compare_threads(trials, runs):
    recordings = [(trial.t, trial.gyr, trial.acc, trial.mag) for trial in trials] * 2
    best = {}
    for _ in range(runs):
        for threads in (1, 2):
            start = time.perf_counter()
            ocm.fuse_many(recordings, threads=threads, **BROAD)
            best[threads] = min(best.get(threads, float("inf")), time.perf_counter() - start)
    bound("fuse_many on 2 threads against 1", best[1] / best[2], least=1.8, unit=" times")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trials", nargs="*", type=pathlib.Path)
    parser.add_argument("--motion-accuracy", default=str(ROOT / ".build/release/motion-accuracy"))
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--no-speed", action="store_true", help="figures of accuracy only")
    options = parser.parse_args()
    paths = options.trials or sorted((ROOT.parent / "shared/data/broad").glob("*.f32"))
    if not paths:
        sys.exit("There are no trials: name files of the BROAD layout (BROAD, CC BY 4.0: github.com/dlaidig/broad).")
    versions = {name: importlib.metadata.version(name) for name in ("opencoremotion", "numpy")}
    try:
        versions["vqf"] = importlib.metadata.version("vqf")
    except importlib.metadata.PackageNotFoundError:
        pass
    print(f"Python {platform.python_version()}, " + ", ".join(" ".join(item) for item in versions.items()), end="; ")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    trials = [Trial(path) for path in paths]
    if os.access(options.motion_accuracy, os.X_OK):
        compare_accuracy(trials, paths, options.motion_accuracy)
    else:
        failures.append(f"{options.motion_accuracy} is not there: OPENCOREMOTION_DEVELOP=1 swift build -c release --product motion-accuracy")
    if not options.no_speed:
        compare_defaults(trials, options.runs)
        compare_smoother(trials, options.runs)
        compare_threads(trials, max(2, options.runs // 2))
    print(*failures, sep="\n", file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
