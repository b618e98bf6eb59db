#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""How much better could a filter be that never commits itself? The filter beside the smoother of all readings so far.

  Scripts/build-wheel.sh
  .build-peers/bin/pip install .build-python/dist/*_$(uname -m).whl
  .build-peers/bin/python Benchmarks/all_past.py DIR [--every 3]

DIR holds trials of the BROAD layout, and .build-peers is the environment of peers.py. At every third second of movement the smoother
(`opencoremotion.fuse(…, smooth=True)`) solves for the whole history of attitude, bias, hard iron, field, gyroscope matrix and delay from the
readings up to then (of the last six minutes, where there are more), and its last attitude counts: a filter that linearises everything
again with all that it knows by then. It weighs the field at rest more than the filter does, and has no rules for a disturbed one. Both
are scored on the same instants: RMS of total, heading and inclination in degrees. It needs 6 s.
"""

import argparse
import json
import pathlib
import sys

import numpy as np

import opencoremotion as ocm

sys.path.insert(0, str(pathlib.Path(__file__).parent / "stress"))
import quaternions as quat  # noqa: E402


def figures(q, truth):
    """RMS of total, heading and inclination, degrees."""
    e = quat.multiply(q, quat.conjugate(truth))
    total = np.degrees(2 * np.arccos(np.clip(np.abs(e[:, 0]), 0, 1)))
    inclination, heading = quat.errors(q, truth)
    return [float(np.sqrt((x ** 2).mean())) for x in (total, heading, inclination)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--every", type=float, default=3, metavar="SECONDS")
    options = parser.parse_args()
    paths = sorted(options.folder.glob("*.f32"))
    if not paths:
        sys.exit(f"{options.folder} holds no .f32 file of the BROAD layout.")
    index = options.folder / "index.json"
    index = json.loads(index.read_text()) if index.exists() else {}
    print(f"{'trial':<46}{'instants':>9}   filter: total  heading   incl.   all past: total  heading   incl.")
    rows = []
    for path in paths:
        x = np.fromfile(path, "<f4").reshape(-1, 17).astype(float)
        rate = index.get(path.stem, {}).get("rate", 2000 / 7)
        t = np.round(np.arange(len(x)) * 1e9 / rate).astype(np.int64)
        told = dict(calibrated=True, order="gam", gyro_delay=0.5 / rate, gyro_range=np.radians(2000))
        gyr, acc, mag = (np.ascontiguousarray(x[:, k:k + 3]) for k in (0, 3, 6))
        counts = (x[:, 16] == 1) & np.isfinite(x[:, 9:13]).all(1)
        instants = [k for k in range(0, len(x), max(1, round(options.every * rate))) if counts[k]]
        filtered = ocm.fuse(t, gyr, acc, mag, **told).quaternion[instants]
        solved = np.array([
            ocm.fuse(t[:k + 1], gyr[:k + 1], acc[:k + 1], mag[:k + 1], smooth=True, **told).quaternion[-1] for k in instants])
        rows.append(figures(filtered, x[instants, 9:13]) + figures(solved, x[instants, 9:13]))
        a = rows[-1]
        print(f"{path.stem:<46}{len(instants):>9}{a[0]:>16.3f}{a[1]:>9.3f}{a[2]:>8.3f}{a[3]:>18.3f}{a[4]:>9.3f}{a[5]:>8.3f}", flush=True)
    a = np.mean(rows, axis=0)
    print(f"{'mean of ' + str(len(rows)):<46}{'':>9}{a[0]:>16.3f}{a[1]:>9.3f}{a[2]:>8.3f}{a[3]:>18.3f}{a[4]:>9.3f}{a[5]:>8.3f}")


if __name__ == "__main__":
    main()
