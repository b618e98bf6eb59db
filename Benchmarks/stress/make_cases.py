#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the cases of the stress suite: a table, its truth, and cases.json. See README.md."""

import argparse
import json
import os

import numpy as np

from families import FAMILIES, make

# These make their cases from recordings of BROAD.
RECORDED = {"bad-first-sample", "gap-in-motion", "start-in-motion", "broad-uncalibrated", "clipping"}


def write(case, out):
    r = case.readings
    columns, heads = [r.t, r.acceleration, r.rate], "t,ax,ay,az,gx,gy,gz"
    formats = ["%.7f"] + ["%.5g"] * 3 + ["%.6g"] * 3
    if case.frame != "arbitrary":
        columns, heads, formats = columns + [r.field], heads + ",mx,my,mz", formats + ["%.4g"] * 3
    path = os.path.join(out, case.name)
    np.savetxt(path + ".csv", np.column_stack(columns), fmt=formats, delimiter=",", header=heads, comments="")
    valid = np.isfinite(r.q).all(1)
    np.savez(path + ".truth.npz", t=r.t, q=r.q.astype("f4"), valid=valid)
    return {"name": case.name, "family": case.family, "about": case.about, "known": case.known, "frame": case.frame,
            "duration": round(float(r.t[-1] - r.t[0]), 3), "rows": len(r.t), "event": round(float(case.event), 3),
            "azimuth": "north" if case.frame == "magnetic" else "arbitrary",
            "checks": [[c[0]] + [round(float(x), 3) for x in c[1:]] for c in case.checks]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trials", help="the folder of BROAD .f32 files; without it the families made of them are left out")
    parser.add_argument("--out", required=True)
    parser.add_argument("--family", action="append", choices=list(FAMILIES))
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    cases = []
    for name in options.family or FAMILIES:
        if name in RECORDED and options.trials is None:
            print(f"{name}: SKIPPED, it needs the BROAD trials", flush=True)
            continue
        for case in make(name, options.seed, options.trials):
            cases.append(write(case, options.out))
        print(f"{name}: {sum(c['family'] == name for c in cases)} cases, {sum(c['rows'] for c in cases if c['family'] == name)} rows", flush=True)
    with open(os.path.join(options.out, "cases.json"), "w") as file:
        json.dump({"seed": options.seed, "cases": cases}, file, indent=1)
    print(len(cases), "cases,", sum(c["rows"] for c in cases), "rows")


if __name__ == "__main__":
    main()
