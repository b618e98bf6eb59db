#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The stresses of spec/fusion.md on recordings with optical truth: VQF's mean errors and ours, in one table.

  Benchmarks/stress.py --venv .build-peers DIR

Each stress changes what the sensors say and writes the trials anew into a temporary folder, in the BROAD layout, so that
`motionctl bench accuracy` and VQF (the PyPI package `vqf`, default parameters) see the same bytes. How to set up the virtual
environment and build motionctl: peers.py. `--only WORD` runs the stresses whose names contain it, `--json` prints figures only.
"""

import argparse
import json
import math
import os
import pathlib
import sys
import tempfile

import peers

FIRST, LAST = slice(0, 3), slice(6, 9)


def pick(step):
    def change(rows, rate):
        return rows[::step], rate / step

    return change


def average(step):
    """The mean of each `step` rows of the sensors, stamped with the last of them; truth and mask of that one."""

    def change(rows, rate):
        count = len(rows) // step
        blocks = rows[: count * step].reshape(count, step, peers.COLUMNS)
        result = blocks[:, -1].copy()
        result[:, :9] = blocks[:, :, :9].mean(axis=1)
        return result, rate / step

    return change


def scale(rows, rate):
    rows[:, FIRST] *= 1.01
    return rows, rate


def late(rows, rate):
    """21 ms at 143 Hz."""
    rows, rate = pick(2)(rows, rate)
    rows = rows.copy()
    rows[3:, LAST] = rows[:-3, LAST].copy()
    return rows, rate


def noise(rows, rate):
    import numpy as np

    random = np.random.default_rng(1)
    for columns, deviation in ((slice(0, 3), 0.01), (slice(3, 6), 0.2), (slice(6, 9), 1.0)):
        rows[:, columns] += random.normal(0, deviation, (len(rows), 3))
    return rows, rate


def moving(bias):
    """From the first row that counts on; `bias` in °/s on each axis."""

    def change(rows, rate):
        rows = rows[int((rows[:, 16] == 1).argmax()) :].copy()
        rows[:, FIRST] += math.radians(bias)
        return rows, rate

    return change


def turned(seconds):
    """The field comes from 90° farther west at first. Where no truth is known yet, that of the first known row counts: the
    trials begin at rest."""

    def change(rows, rate):
        import numpy as np

        count = int(seconds * rate)
        known = np.isfinite(rows[:, 9:13]).all(axis=1)
        index = np.maximum.accumulate(np.where(known, np.arange(len(rows)), 0))
        index[index == 0] = int(known.argmax())
        attitude = rows[index[:count], 9:13].astype(np.float64)
        inverse = attitude * [1, -1, -1, -1]
        half = math.sqrt(0.5)
        turn = peers.product(peers.product(inverse, np.array([half, 0, 0, half])), attitude)
        field = np.concatenate([np.zeros((count, 1)), rows[:count, LAST]], axis=1)
        rows[:count, LAST] = peers.product(peers.product(turn, field), turn * [1, -1, -1, -1])[:, 1:]
        return rows, rate

    return change


def iron(share):
    """A hard iron of this share of the mean field, the same on all axes."""

    def change(rows, rate):
        import numpy as np

        rows[:, LAST] += share / math.sqrt(3) * np.linalg.norm(rows[:, LAST], axis=1).mean()
        return rows, rate

    return change


# Name, change: rows (a copy that may be written) and rate in Hz → rows and rate.
STRESSES = [
    ("as recorded", lambda rows, rate: (rows, rate)),
    ("every 3rd sample (95 Hz)", pick(3)),
    ("means of 3 samples (95 Hz)", average(3)),
    ("every 6th sample (48 Hz)", pick(6)),
    ("every 12th sample (24 Hz)", pick(12)),
    ("+1 % gyroscope scale", scale),
    ("21 ms more magnetometer lag, 143 Hz", late),
    ("extra noise", noise),
    ("rest cut away: start in motion", moving(0)),
    ("start in motion, bias 0.5 °/s", moving(0.5)),
    ("start in motion, bias 3 °/s", moving(3)),
    ("field turned by 90° for 5 s", turned(5)),
    ("field turned by 90° for 20 s", turned(20)),
    ("unknown hard iron 6 %", iron(0.06)),
    ("unknown hard iron 18 %", iron(0.18)),
]


def vqf_errors(job):
    path, rate = job
    trial = peers.Trial(path, rate)
    return [peers.errors(peers.run_vqf(trial, nine)[0], trial) for nine in (True, False)]


def measure(change, files, motionctl, pool):
    """Means over the trials: VQF's and our total, heading, inclination and 6D inclination."""
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        folder, index, jobs = pathlib.Path(folder), {}, []
        for path, rate in files:
            rows = np.fromfile(path, dtype="<f4").reshape(-1, peers.COLUMNS)
            rows, new = change(rows.copy(), rate)
            rows.astype("<f4").tofile(folder / path.name)
            index[path.stem] = {"rows": len(rows), "rate": new}
            jobs.append((folder / path.name, new))
        (folder / "index.json").write_text(json.dumps(index))
        nine, six = (peers.our_figures(motionctl, folder, *o)["mean"] for o in ((), ("--6d",)))
        ours = [nine["total"], nine["heading"], nine["inclination"], six["inclination"]]
        results = pool.map(vqf_errors, jobs, chunksize=1)
    theirs = [peers.mean([r[0][k] for r in results]) for k in range(3)] + [peers.mean([r[1][2] for r in results])]
    return theirs, ours


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR", help="trials of the BROAD layout")
    parser.add_argument("--venv", type=pathlib.Path, help="a virtual environment with numpy and vqf")
    parser.add_argument("--motionctl", help="the program (default: .build/release/motionctl, else that of PATH)")
    parser.add_argument("--only", default="", metavar="WORD", help="stresses whose names contain this")
    parser.add_argument("--json", action="store_true", help="the figures only")
    options = parser.parse_args()
    if options.venv and pathlib.Path(sys.prefix).resolve() != options.venv.resolve():
        python = options.venv / "bin" / "python"
        if not python.exists():
            sys.exit(f"{options.venv} is no virtual environment: python3 -m venv {options.venv}")
        os.execv(python, [str(python), *sys.argv])
    try:
        import multiprocessing

        import numpy  # noqa: F401
        import vqf  # noqa: F401
    except ImportError as error:
        sys.exit(f"{error.name} is not installed: pip install numpy vqf (see peers.py).")
    paths = sorted(options.folder.glob("*.f32"))
    if not paths:
        sys.exit(f"{options.folder} holds no .f32 file of the BROAD layout.")
    index = options.folder / "index.json"
    rates = json.loads(index.read_text()) if index.exists() else {}
    files = [(path, rates.get(path.stem, {}).get("rate", peers.USUAL_RATE)) for path in paths]
    motionctl = peers.find_motionctl(options.motionctl)
    chosen = [(name, change) for name, change in STRESSES if options.only in name]
    if not chosen:
        sys.exit(f'No stress is called "{options.only}": {", ".join(name for name, _ in STRESSES)}.')

    results = {}
    if not options.json:
        print(f"{len(files)} trials of {options.folder.resolve().name}, mean RMS error in degrees: VQF → ours")
        print(f"{'':38}{'total':>16}{'heading':>16}{'inclination':>16}{'6D inclination':>18}")
    with multiprocessing.Pool() as pool:
        for name, change in chosen:
            theirs, ours = measure(change, files, motionctl, pool)
            keys = ("total", "heading", "inclination", "inclination6D")
            results[name] = {"VQF": dict(zip(keys, theirs)), "OpenCoreMotion": dict(zip(keys, ours))}
            if not options.json:
                cells = [f"{a:.2f} → {b:.2f}" for a, b in zip(theirs, ours)]
                print(f"{name:38}{cells[0]:>16}{cells[1]:>16}{cells[2]:>16}{cells[3]:>18}", flush=True)
    if options.json:
        print(json.dumps(results, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
