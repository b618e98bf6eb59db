#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""`motion-accuracy --as-user`, computed again from what `motionctl fuse --frame magnetic` writes, and VQF on the same rows.

  .build-peers/bin/python Benchmarks/as_user.py DIR [--motionctl PATH]

DIR holds .f32 files of the BROAD layout (data/broad/README.md); numpy and vqf are those of peers.py. Each trial becomes a table with
the times in nanoseconds, is fused as any table is, and is scored here in numpy: RMS over the rows of movement, total and heading
where the row states an accuracy of its heading. VQF runs with its defaults at the trial's rate; BROAD's magnetometer is calibrated, so
VQF, which calibrates nothing, is not worse off. Exits with 1 where the two ways to our figures differ by more than 0.001°.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from vqf import VQF

sys.path.insert(0, str(pathlib.Path(__file__).parent / "stress"))
import quaternions as quat  # noqa: E402

MAP = "t=t[ns] ax=ax[m/s^2] ay=ay az=az gx=gx[rad/s] gy=gy gz=gz mx=mx[uT] my=my mz=mz"
NORTH_TO_EAST = np.array([np.sqrt(0.5), 0, 0, np.sqrt(0.5)])


def figures(q, truth, known):
    """RMS of total and heading over the known rows, of inclination over all; degrees."""
    e = quat.multiply(q, quat.conjugate(truth))
    total = np.degrees(2 * np.arccos(np.clip(np.abs(e[:, 0]), 0, 1)))
    inclination, heading = quat.errors(q, truth)
    return [float(np.sqrt((x ** 2).mean())) if len(x) else np.nan for x in (total[known], heading[known], inclination)]


def fused(motionctl, folder, name, t, x):
    """Attitude (device to east-north-up) and stated deviations of each row; NaN where there is none."""
    table = folder / f"{name}.csv"
    with open(table, "w") as file:
        print("t,ax,ay,az,gx,gy,gz,mx,my,mz", file=file)
        for time, row in zip(t, x[:, [3, 4, 5, 0, 1, 2, 6, 7, 8]]):
            print(time, *(repr(float(v)) for v in row), sep=",", file=file)
    out = folder / f"{name}.out.csv"
    subprocess.run([motionctl, "fuse", str(table), "--map", MAP, "--sign", "reaction", "--frame", "magnetic", "-o", str(out)],
                   check=True, stderr=subprocess.DEVNULL)
    columns = ["attitude_w", "attitude_x", "attitude_y", "attitude_z", "headingAccuracy", "inclinationDeviation", "headingDeviation"]
    found = np.full((len(t), len(columns)), np.nan)
    with open(out) as file:
        for row in csv.DictReader(file):
            found[np.searchsorted(t, round(float(row["timestamp"]) * 1e9) - 1000)] = [float(row[c] or "nan") for c in columns]
    return quat.multiply(NORTH_TO_EAST[None], found[:, :4]), found[:, 4], found[:, 5], found[:, 6]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--motionctl", default=".build/release/motionctl")
    options = parser.parse_args()
    bench = json.loads(subprocess.check_output([pathlib.Path(options.motionctl).with_name("motion-accuracy"), options.folder, "--as-user", "--json"]))
    stated = {trial["name"]: trial for trial in bench["trials"]}
    index = options.folder / "index.json"
    index = json.loads(index.read_text()) if index.exists() else {}
    print(f"{'trial':<46}{'ours: total':>12}{'heading':>9}{'incl.':>8}{'known %':>9}{'incl. 95':>9}{'head. 95':>9}{'bench':>9}   VQF: total  heading   incl.")
    rows, same = [], True
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(options.folder.glob("*.f32")):
            x = np.fromfile(path, "<f4").reshape(-1, 17).astype(float)
            rate = index.get(path.stem, {}).get("rate", 2000 / 7)
            t = np.round(np.arange(len(x)) * 1e9 / rate).astype(np.int64)
            q, accuracy, tilt, azimuth = fused(options.motionctl, pathlib.Path(folder), path.stem, t, x)
            counts = (x[:, 16] == 1) & np.isfinite(x[:, 9:13]).all(1) & np.isfinite(q).all(1)
            truth, known = x[counts, 9:13], np.isfinite(accuracy[counts])
            ours = figures(q[counts], truth, known)
            vqf = VQF(1 / rate).updateBatch(*(np.ascontiguousarray(x[:, k:k + 3]) for k in (0, 3, 6)))["quat9D"]
            theirs = figures(vqf[counts], truth, known)
            inclination, heading = quat.errors(q[counts], truth)
            within = [100 * np.mean(inclination <= 1.73 * tilt[counts]),
                      100 * np.mean(np.abs(heading[known]) <= 1.96 * azimuth[counts][known]) if known.any() else np.nan]
            trial = stated[path.stem]
            expected = [trial[k] if trial[k] is not None else np.nan for k in ("total", "heading", "inclination", "inclinationWithin95", "headingWithin95")]
            agrees = np.allclose(ours + within, expected, atol=1e-3, equal_nan=True)
            same &= bool(agrees)
            rows.append(ours + theirs)
            print(f"{path.stem:<46}{ours[0]:>12.3f}{ours[1]:>9.3f}{ours[2]:>8.3f}{100 * known.mean():>9.1f}{within[0]:>9.1f}{within[1]:>9.1f}"
                  f"{'same' if agrees else 'DIFFERS':>9}{theirs[0]:>14.3f}{theirs[1]:>9.3f}{theirs[2]:>8.3f}", flush=True)
    mean = np.nanmean(rows, axis=0)
    print(f"{'mean of ' + str(len(rows)):<46}{mean[0]:>12.3f}{mean[1]:>9.3f}{mean[2]:>8.3f}{'':>36}{mean[3]:>14.3f}{mean[4]:>9.3f}{mean[5]:>8.3f}")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
