#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the cases of the second stress suite: NAME.csv, NAME.truth.npz, cases.json. See README.md."""
import argparse, json, os, sys
from concurrent.futures import ProcessPoolExecutor
from families2 import *


def write(case, out):
    r = case.readings
    columns, heads, formats = [r.t, r.acceleration, r.rate], "t,ax,ay,az,gx,gy,gz", ["%.7f"] + ["%.5g"] * 3 + ["%.6g"] * 3
    if case.frame != "arbitrary":
        columns, heads, formats = columns + [r.field], heads + ",mx,my,mz", formats + ["%.5g"] * 3
    path = os.path.join(out, case.name)
    table = np.column_stack(columns)
    if case.slow_field:
        with open(path + ".csv", "w") as f:
            f.write(heads + "\n")
            for row in table:
                f.write(",".join(x % v if v == v else "" for x, v in zip(formats, row)) + "\n")
    else:
        np.savetxt(path + ".csv", table, fmt=formats, delimiter=",", header=heads, comments="")
    np.savez(path + ".truth.npz", t=r.t, q=r.q.astype("f4"))
    return {"name": case.name, "family": case.family, "about": case.about, "frame": case.frame, "rows": len(r.t), "start": case.start, "honest": case.honest,
            "slow_field": case.slow_field, "duration": round(float(r.t[-1] - r.t[0]), 2), "checks": [[c[0]] + [round(float(x), 3) for x in c[1:]] for c in case.checks]}


def work(args):
    name, seed, out = args
    return [write(case, out) for case in make(name, seed)]


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--out", required=True)
    p.add_argument("--family", action="append", choices=list(FAMILIES))
    p.add_argument("--jobs", type=int, default=1)
    o = p.parse_args()
    os.makedirs(o.out, exist_ok=True)
    jobs = [(n, o.seed, o.out) for n in o.family or FAMILIES]
    cases = []
    with ProcessPoolExecutor(o.jobs) as pool:
        for done in pool.map(work, jobs):
            cases += done
            print(done[0]["family"], len(done), "cases", sum(c["rows"] for c in done), "rows", flush=True)
    json.dump({"seed": o.seed, "cases": cases}, open(os.path.join(o.out, "cases.json"), "w"), indent=1)
    print(len(cases), "cases", sum(c["rows"] for c in cases), "rows")
