#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Our orientation filter and VQF under stress: recordings made worse in known ways, both filters over the same files.

  Benchmarks/stress.py --venv .build-peers DIR [--only TEXT]

DIR and the virtual environment are those of peers.py. Each stress changes the sensor columns of every trial (the truth
stays), writes them to a temporary folder in the same layout, and prints the mean of the trials' RMS errors in degrees. The
list is that of Documentation/Filter.md 16, and a group of slow, short pieces at about 95 Hz, with the field of the room and
with an ideal one: there a classical filter is at its best, and ours must not be worse.
"""

import argparse
import json
import math
import os
import pathlib
import sys
import tempfile

import peers

SLOW = ("01_", "03_", "05_", "11_", "25_", "27_")
SEED = 20261121


class Stress:
    """A name and a function from (rows, rate, random generator) to (rows, rate); a table of 17 columns each."""

    def __init__(self, name, change, slow=False):
        self.name, self.change, self.slow = name, change, slow


def every(step, average=False):
    """Every n-th sample, or means of n samples, which is what a slower sensor delivers."""

    def change(rows, rate, _):
        import numpy as np

        count = len(rows) // step * step
        picked = rows[step - 1 : count : step].copy()
        if average:
            picked[:, :9] = rows[:count, :9].reshape(-1, step, 9).mean(axis=1)
        return np.ascontiguousarray(picked), rate / step

    return change


def gyroscope_scale(rows, rate, _):
    rows[:, :3] *= 1.01
    return rows, rate


def late_magnetometer(rows, rate, random):
    """Every second sample (143 Hz), the field three samples (21 ms) later than it was."""
    rows, rate = every(2)(rows, rate, random)
    rows[3:, 6:9] = rows[:-3, 6:9].copy()
    return rows, rate


def noise(rows, rate, random):
    rows[:, :3] += random.normal(0, 0.01, (len(rows), 3))
    rows[:, 3:6] += random.normal(0, 0.2, (len(rows), 3))
    rows[:, 6:9] += random.normal(0, 1, (len(rows), 3))
    return rows, rate


def movement(rows):
    """The first and the last row that count."""
    import numpy as np

    moving = np.flatnonzero(rows[:, 16] == 1)
    return moving[0], moving[-1]


def start_in_motion(rows, rate, _):
    return rows[movement(rows)[0] :].copy(), rate


def start_in_motion_biased(rows, rate, random):
    rows, rate = start_in_motion(rows, rate, random)
    rows[:, :3] += [0.008, -0.012, 0.006]
    return rows, rate


def biased(rows, rate, _):
    """6.3 °/s, as an iPhone 5 has it."""
    rows[:, :3] += [0.11, -0.05, 0.04]
    return rows, rate


def turned_field(seconds):
    """The field turned by 90° about the vertical for the first seconds: a wrong north that goes away."""

    def change(rows, rate, _):
        count = int(seconds * rate)
        rows[:count, 6:9] = turned_about_up(rows[:count, 6:9], rows[:count, 3:6])
        return rows, rate

    return change


def turned_about_up(field, force):
    import numpy as np

    up = force / np.linalg.norm(force, axis=1, keepdims=True)
    vertical = up * np.sum(up * field, axis=1, keepdims=True)
    return vertical + np.cross(up, field - vertical)


def hard_iron(share):
    def change(rows, rate, _):
        import numpy as np

        rows[:, 6:9] += share * np.linalg.norm(rows[0, 6:9]) * np.array([0.48, 0.6, 0.64])
        return rows, rate

    return change


def piece(seconds, at_rest, ideal):
    """A short piece at 95 Hz, from rest (15 s of it) or from the middle of the movement; `ideal`: a field without a room."""

    def change(rows, rate, random):
        rows, rate = every(3, average=True)(rows, rate, random)
        if ideal:
            rows[:, 6:9] = ideal_field(rows[:, 9:13], random)
        first, last = movement(rows)
        begin = max(0, first - int(15 * rate)) if at_rest else (first + last) // 2
        end = min(last, (first if at_rest else begin) + int(seconds * rate))
        return rows[begin:end].copy(), rate

    return change


def ideal_field(reference, random):
    """49 µT with a dip of 66° everywhere, by the optical truth; 0.4 µT of noise, a hard iron of 0.25 µT an axis."""
    import numpy as np

    known = np.flatnonzero(np.isfinite(reference).all(axis=1))
    quaternions = reference[known].astype(float)
    for i in range(1, len(quaternions)):
        if quaternions[i] @ quaternions[i - 1] < 0:
            quaternions[i] *= -1
    w, x, y, z = (np.interp(np.arange(len(reference)), known, quaternions[:, i]) for i in range(4))
    length = np.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = w / length, x / length, y / length, z / length
    north = np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=1)
    up = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1)
    field = 20 * north - 45 * up
    return field + random.normal(0, 0.4, field.shape) + random.normal(0, 0.25, 3)


STRESSES = [
    Stress("as recorded", lambda rows, rate, _: (rows, rate)),
    Stress("every 3rd sample, 95 Hz", every(3)),
    Stress("every 6th sample, 48 Hz", every(6)),
    Stress("every 12th sample, 24 Hz", every(12)),
    Stress("gyroscope scale + 1 %", gyroscope_scale),
    Stress("143 Hz, magnetometer 21 ms later", late_magnetometer),
    Stress("more noise", noise),
    Stress("start in motion", start_in_motion),
    Stress("start in motion, bias 0.9 °/s", start_in_motion_biased),
    Stress("bias 7.3 °/s", biased),
    Stress("field turned by 90° for 5 s", turned_field(5)),
    Stress("field turned by 90° for 20 s", turned_field(20)),
    Stress("hard iron 6 %, not calibrated", hard_iron(0.06)),
    Stress("hard iron 18 %, not calibrated", hard_iron(0.18)),
    Stress("slow, 30 s after a rest, 95 Hz", piece(30, True, False), slow=True),
    Stress("slow, 60 s after a rest, 95 Hz", piece(60, True, False), slow=True),
    Stress("slow, 60 s from motion, 95 Hz", piece(60, False, False), slow=True),
    Stress("the same three, ideal field: 30 s", piece(30, True, True), slow=True),
    Stress("                             60 s", piece(60, True, True), slow=True),
    Stress("                             from motion", piece(60, False, True), slow=True),
]


def write(stress, files, folder):
    """The changed trials in `folder`, with their index; (path, rate) of each."""
    import numpy as np

    index, written = {}, []
    for path, rate in files:
        if stress.slow and not path.name.startswith(SLOW):
            continue
        rows = np.fromfile(path, dtype="<f4").astype(np.float64).reshape(-1, peers.COLUMNS)
        random = np.random.default_rng([SEED, int(path.name[:2]) if path.name[:2].isdigit() else 0])
        rows, new_rate = stress.change(rows, rate, random)
        target = pathlib.Path(folder) / path.name
        rows.astype("<f4").tofile(target)
        index[path.stem] = {"rows": len(rows), "rate": new_rate}
        written.append((target, new_rate))
    (pathlib.Path(folder) / "index.json").write_text(json.dumps(index))
    return written


def vqf_means(files, pool):
    results = pool.map(peers.measure, [(0, path, rate) for path, rate in files], chunksize=1)
    return peers.mean([r[0][0] for r in results]), peers.mean([r[1][2] for r in results])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR", help="trials of the BROAD layout")
    parser.add_argument("--venv", type=pathlib.Path, help="a virtual environment with numpy and vqf")
    parser.add_argument("--motionctl", help="the program (default: .build/release/motionctl, else that of PATH)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only the stresses whose name holds this")
    options = parser.parse_args()
    if options.venv and pathlib.Path(sys.prefix).resolve() != options.venv.resolve():
        python = options.venv / "bin" / "python"
        if not python.exists():
            sys.exit(f"{options.venv} is no virtual environment: python3 -m venv {options.venv}")
        os.execv(python, [str(python), *sys.argv])
    files = peers.trials(options.folder)
    chosen = [stress for stress in STRESSES if options.only in stress.name]
    if not chosen:
        sys.exit(f"No stress is called “{options.only}”; there are: " + "; ".join(s.name.strip() for s in STRESSES))
    motionctl = peers.find_motionctl(options.motionctl)

    import multiprocessing

    print(f"Means over the trials of {options.folder.resolve().name}, degrees; each filter with its default parameters.")
    print(f"{'':40}{'9D total':>18}{'6D inclination':>20}")
    print(f"{'':40}{'VQF':>9}{'ours':>9}{'VQF':>11}{'ours':>9}")
    with multiprocessing.Pool() as pool:
        for stress in chosen:
            with tempfile.TemporaryDirectory() as folder:
                written = write(stress, files, folder)
                if not written:
                    print(f"{stress.name:40}  no slow trials here")
                    continue
                nine = peers.our_figures(motionctl, folder)["mean"]["total"]
                six = peers.our_figures(motionctl, folder, "--6d")["mean"]["inclination"]
                theirs = vqf_means(written, pool)
            print(f"{stress.name:40}{theirs[0]:9.2f}{nine:9.2f}{theirs[1]:11.2f}{six:9.2f}", flush=True)


if __name__ == "__main__":
    main()
