#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Runs `motionctl fuse` on the cases, holds its attitudes against the truth, and VQF's beside them. See README.md."""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import quaternions as quat
import stated
from scoring import COLUMNS, FIELD, NORTH_TO_EAST, lasting, read_output, rows_at, shown

LATER_IS_BETTER = {"known", "rows"}


def fuse(motionctl, folder, cases, out):
    """Writes NAME.motion.csv for each case into `out`, on all cores; returns the seconds that took."""

    def one(case):
        columns = COLUMNS + (FIELD if case["frame"] != "arbitrary" else "")
        done = subprocess.run([motionctl, "fuse", os.path.join(folder, case["name"] + ".csv"), "--map", columns, "--sign", "reaction",
                               "--frame", case["frame"], "-o", os.path.join(out, case["name"] + ".motion.csv")],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            print(done.stderr[-2000:], file=sys.stderr)

    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        list(threads.map(one, cases))
    return time.monotonic() - start


def read_case(folder, case):
    truth = np.load(os.path.join(folder, case["name"] + ".truth.npz"))
    return truth["t"], truth["q"].astype(float), truth["valid"]


def aligned(case, output, t):
    """The output's attitude, stated accuracy and stated deviations at the truth's times; NaN where there is none."""
    times, q, claims = output
    q = quat.multiply(NORTH_TO_EAST[None], q) if case["azimuth"] == "north" else q
    k, found = rows_at(t, times, 5e-4)
    accuracy, *deviations = np.where(found[:, None], claims[k], np.nan).T
    return np.where(found[:, None], q[k], np.nan), accuracy, deviations


def run_vqf(folder, case):
    from vqf import VQF
    table = np.loadtxt(os.path.join(folder, case["name"] + ".csv"), delimiter=",", skiprows=1)
    step = (table[-1, 0] - table[0, 0]) / (len(table) - 1)
    if case["family"] == "gap-in-motion":
        step = float(np.median(np.diff(table[:, 0])))
    arrays = [np.ascontiguousarray(table[:, k:k + 3]) for k in ((4, 1) if case["frame"] == "arbitrary" else (4, 1, 7))]
    result = VQF(step).updateBatch(*arrays)
    return result["quat9D" if case["frame"] != "arbitrary" else "quat6D"]


def measure(case, t, truth, valid, q, accuracy, known):
    """Every check of a case: [metric, from, to, bound, value]. `known`: rows whose heading counts."""
    present = valid & np.isfinite(q).all(1)
    inclination, heading = quat.errors(np.where(present[:, None], q, truth), np.where(valid[:, None], truth, [1, 0, 0, 0]))
    interval = np.minimum(np.gradient(t), 0.1)
    values = []
    for metric, start, end, bound, *angle in case["checks"]:
        window = valid & (t >= start) & (t < end)
        k = window & present
        kh = k & known
        if metric == "rows":
            value = k.sum() / max(1, window.sum())
        elif metric == "known":
            value = np.nan if accuracy is None else kh.sum() / max(1, k.sum())
        elif metric == "overconfident":
            value = np.nan if accuracy is None or not kh.any() else float((np.abs(heading[kh]) > accuracy[kh]).mean())
        elif metric == "flipped":
            value = float(interval[k & (inclination > 90)].sum())
        elif metric == "recover":
            value = lasting(t[k], inclination[k] < angle[0], start)
        elif metric == "recover_heading":
            value = lasting(t[k], (np.abs(heading[k]) < angle[0]) & known[k], start)
        elif metric == "yaw_drift":
            drift = np.degrees(np.unwrap(np.radians(heading[k])))
            value = float(np.abs(drift - drift[0]).max()) if len(drift) else np.inf
        elif metric in ("tilt_rms", "tilt_max"):
            value = statistic(inclination[k], metric)
        else:
            value = statistic(heading[kh], metric) if kh.any() else np.nan
        values.append([metric, start, end, bound, float(value)])
    return values


def statistic(x, metric):
    if not len(x):
        return np.inf
    return float(np.abs(x).max() if metric.endswith("max") else np.sqrt((x ** 2).mean()))


def passes(check):
    metric, _, _, bound, value = check
    if np.isnan(value):  # no row with a known heading: "known" fails for that, the others have nothing to judge
        return True
    return value >= bound if metric in LATER_IS_BETTER else value <= bound


def score(case, folder, outputs, with_vqf):
    t, truth, valid = read_case(folder, case)
    path = os.path.join(outputs, case["name"] + ".motion.csv")
    if os.path.exists(path) and os.path.getsize(path) > 300:
        q, accuracy, deviations = aligned(case, read_output(path), t)
        os.remove(path)
    else:
        q, accuracy, deviations = np.full((len(t), 4), np.nan), np.full(len(t), np.nan), [np.full(len(t), np.nan)] * 2
    known = np.isfinite(accuracy) if case["azimuth"] == "north" else np.ones(len(t), bool)
    ours = measure(case, t, truth, valid, q, accuracy, known)
    present = valid & np.isfinite(q).all(1)
    inclination, heading = quat.errors(np.where(present[:, None], q, [1, 0, 0, 0]), np.where(present[:, None], truth, [1, 0, 0, 0]))
    pairs = stated.stated(case, inclination, heading, deviations, present, known)
    vqf = run_vqf(folder, case) if with_vqf else None
    if vqf is not None:  # the same rows; where ours never knows a heading, all
        vqf = measure(case, t, truth, valid, vqf, None, known if known.any() else np.ones(len(t), bool))
    checks = [{"metric": o[0], "from": o[1], "to": o[2], "bound": o[3], "value": o[4], "pass": passes(o),
               "vqf": v[4] if v else None} for o, v in zip(ours, vqf or [None] * len(ours))]
    return {"name": case["name"], "family": case["family"], "about": case["about"], "pass": all(c["pass"] for c in checks), "checks": checks,
            "stated": stated.report(pairs)}, pairs


def print_case(result):
    print(f"{'ok  ' if result['pass'] else 'FAIL'} {result['family']}/{result['name']}")
    for c in result["checks"]:
        quiet = c["metric"] in ("flipped", "rows") and c["pass"]
        if not quiet:
            sign = "≥" if c["metric"] in LATER_IS_BETTER else "≤"
            print(f"       {'  ' if c['pass'] else '✗ '}{c['metric']:<16}{shown(c['value']):>8}  {sign} {shown(c['bound']):<7} VQF {shown(c['vqf'])}")
    for name, s in result["stated"].items():
        print(f"         {name}: RMS {shown(s['error'])}°, stated {shown(s['stated'])}°, {100 * s['within95']:.1f} % of the rows within the bound of 95 %")


def summary(results):
    """Per family and metric: cases, fails, ours and VQF median and worst."""
    print(f"\n{'family':<22}{'metric':<16}{'n':>3}{'fails':>6}{'VQF':>5}   {'ours median / worst':<22}{'VQF median / worst':<22}bound")
    seen = dict.fromkeys((r["family"], c["metric"]) for r in results for c in r["checks"])
    for family, metric in seen:
        checks = [c for r in results if r["family"] == family for c in r["checks"] if c["metric"] == metric]
        fails = sum(not c["pass"] for c in checks)
        if metric == "rows" and not fails:
            continue
        worst = min if metric in LATER_IS_BETTER else max
        cells, vqf_fails = [], "–"
        for key in ("value", "vqf"):
            x = [c[key] for c in checks if c[key] is not None and not np.isnan(c[key])]
            cells.append(f"{shown(float(np.median(x)))} / {shown(worst(x))}" if x else "–")
            if key == "vqf" and x:
                vqf_fails = str(sum(not passes((metric, 0, 0, c["bound"], c["vqf"])) for c in checks))
        bounds = sorted({c["bound"] for c in checks})
        span = shown(bounds[0]) if len(bounds) == 1 else f"{shown(bounds[0])} … {shown(bounds[-1])}"
        print(f"{family:<22}{metric:<16}{len(checks):>3}{fails:>6}{vqf_fails:>5}   {cells[0]:<22}{cells[1]:<22}{span}")


def vqf_passes(result):
    """Whether VQF stays within the bounds that apply to it; it claims no accuracy, so that is not asked of it."""
    return all(c["vqf"] is None or passes((c["metric"], 0, 0, c["bound"], c["vqf"])) for c in result["checks"])


def print_families(results):
    print(f"\n{'family':<24}{'cases':>6}{'ours':>6}{'VQF':>6}  failing")
    for family in dict.fromkeys(r["family"] for r in results):
        own = [r for r in results if r["family"] == family]
        vqf = sum(map(vqf_passes, own)) if any(c["vqf"] is not None for r in own for c in r["checks"]) else "–"
        print(f"{family:<24}{len(own):>6}{sum(r['pass'] for r in own):>6}{vqf:>6}  {' '.join(r['name'] for r in own if not r['pass'])}")


def worst_ratio(results):
    """The largest finite ours / VQF of an error beyond half its bound, and where."""
    ratios = [(c["value"] / max(c["vqf"], 0.1 * c["bound"]), r["name"], c["metric"]) for r in results for c in r["checks"]
              if c["vqf"] is not None and np.isfinite(c["value"]) and np.isfinite(c["vqf"])
              and c["metric"] not in LATER_IS_BETTER | {"flipped"} and c["value"] > 0.5 * c["bound"]]
    return max(ratios, default=None)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--motionctl", required=True)
    parser.add_argument("--vqf", action="store_true", help="VQF beside it (pip install vqf)")
    parser.add_argument("--json", metavar="OUT")
    parser.add_argument("--family", action="append")
    parser.add_argument("--quiet", action="store_true", help="only the table by family and the failing cases")
    options = parser.parse_args()
    if options.vqf:
        try:
            import vqf  # noqa: F401
        except ImportError:
            sys.exit("score.py: --vqf needs the package: pip install vqf")
    with open(os.path.join(options.folder, "cases.json")) as file:
        cases = [c for c in json.load(file)["cases"] if not options.family or c["family"] in options.family]
    results, pairs, seconds = [], [], 0.0
    for family in dict.fromkeys(c["family"] for c in cases):
        chosen = [c for c in cases if c["family"] == family]
        with tempfile.TemporaryDirectory(dir=options.folder) as out:
            seconds += fuse(options.motionctl, options.folder, chosen, out)
            for case in chosen:
                result, pair = score(case, options.folder, out, options.vqf)
                results.append(result)
                pairs.append(pair)
                if not options.quiet or not results[-1]["pass"]:
                    print_case(results[-1])
    summary(results)
    print_families(results)
    correlation = stated.correlations(pairs)
    stated.print_stated(results, correlation)
    passed, worst = sum(r["pass"] for r in results), worst_ratio(results)
    lost = sum(any(np.isinf(c["value"]) for c in r["checks"]) for r in results)
    ratio = f"; worst ratio to VQF {shown(worst[0])} ({worst[1]}, {worst[2]})" if worst else ""
    beside = f"; VQF {sum(map(vqf_passes, results))}" if options.vqf else ""
    print(f"\n{passed} of {len(results)} cases within bounds{beside}; {lost} never recovered{ratio}; motionctl took {seconds:.1f} s")
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"passed": passed, "cases": len(results), "correlation": correlation, "results": results}, file, indent=1)
    sys.exit(0 if passed == len(results) else 1)


if __name__ == "__main__":
    main()
