#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Runs `motionctl fuse` and VQF on the cases of the second suite and judges errors and stated bounds. See README.md."""
import argparse, json, os, subprocess, sys, tempfile, time
from common import np, quat
from scoring import COLUMNS, FIELD, NORTH_TO_EAST, lasting, read_output, read_table, rows_at, shown as show

try:
    from vqf import VQF
except ImportError:  # then the bounds of physics stand alone
    VQF = None

FACTOR, PLUS = 1.25, 0.3      # an error passes at its physics bound or at 1.25 VQF + 0.3°
COVERAGE, WRONG = 0.80, 5.0   # share within the stated 95 %; seconds on end beyond three times that bound
MORE = {"known", "rows"}


def fuse(motionctl, folder, cases, out, extra=()):
    notes, seconds = {}, 0.0
    for c in cases:
        path = os.path.join(folder, c["name"] + ".csv")
        columns = COLUMNS + (FIELD if c["frame"] != "arbitrary" else "")
        start = time.monotonic()
        done = subprocess.run([motionctl, "fuse", path, "--map", columns, "--sign", "reaction", "--frame", c["frame"], *extra, "-o", os.path.join(out, c["name"] + ".motion.csv")],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        seconds += time.monotonic() - start
        notes[c["name"]] = (done.returncode, done.stderr.strip()[-600:])
    return notes, seconds


def outputs(path, t, case):
    """Attitude (to east-north-up), heading known, stated deviations of inclination and heading, at the truth's rows; NaN where none."""
    n = len(t)
    q, claims = np.full((n, 4), np.nan), np.full((n, 3), np.nan)
    if not os.path.exists(path) or os.path.getsize(path) < 400:
        return q, *claims.T, 0
    times, a, c = read_output(path)
    if case["frame"] == "magnetic":
        a = quat.multiply(NORTH_TO_EAST[None], a)
    rows = len(times)
    if rows == n:
        return a, *c.T, n
    order = np.argsort(times, kind="stable")
    times, a, c = times[order], a[order], c[order]
    k, found = rows_at(t, times, 6e-4)
    return np.where(found[:, None], a[k], np.nan), *np.where(found[:, None], c[k], np.nan).T, rows


def run_vqf(folder, case):
    _, x = read_table(os.path.join(folder, case["name"] + ".csv"))
    t = x[:, 0]
    step = (t[-1] - t[0]) / (len(t) - 1)
    if "clock-" in case["name"]:
        step = float(np.median(np.diff(t)))
    g, a = np.ascontiguousarray(x[:, 4:7]), np.ascontiguousarray(x[:, 1:4])
    if case["frame"] == "arbitrary":
        return VQF(step).updateBatch(g, a)["quat6D"]
    m = np.ascontiguousarray(x[:, 7:10])
    if not case["slow_field"]:
        return VQF(step).updateBatch(g, a, m)["quat9D"]
    there = np.isfinite(m[:, 0])
    v, out = VQF(step, step, step * len(t) / there.sum()), np.empty((len(t), 4))
    for k in range(len(t)):
        v.updateGyr(g[k]); v.updateAcc(a[k])
        if there[k]:
            v.updateMag(m[k])
        out[k] = v.getQuat9D()
    return out


def longest(t, bad):
    """Longest stretch of seconds on end (gaps of 0.1 s are closed)."""
    if not bad.any():
        return 0.0
    best = run = 0.0
    good_for = 1.0
    for dt, b in zip(np.minimum(np.diff(t, prepend=t[:1]), 0.2), bad):
        if b:
            run += dt + (good_for if good_for < 0.1 else 0.0)
            good_for = 0.0
            best = max(best, run)
        else:
            good_for += dt
            if good_for >= 0.1:
                run = 0.0
    return best


def evaluate(case, t, truth, q, known):
    present = np.isfinite(q).all(1)
    inclination, heading = quat.errors(np.where(present[:, None], q, truth), truth)
    return present, inclination, heading


def value(metric, t, start, end, present, inclination, heading, known, angle=None):
    w = (t >= start) & (t < end)
    k = w & present
    if metric == "rows":
        return k.sum() / max(1, w.sum())
    if metric == "known":
        return float((k & known).sum() / max(1, w.sum()))
    if not k.any():
        return np.inf
    if metric == "tilt_rms":
        return float(np.sqrt((inclination[k] ** 2).mean()))
    if metric == "tilt_max":
        return float(inclination[k].max())
    if metric == "recover":
        return lasting(t[k], inclination[k] < angle, start)
    if metric == "yaw_drift":
        d = np.degrees(np.unwrap(np.radians(heading[k])))
        return float(np.abs(d - d[0]).max())
    k &= known
    if not k.any():
        return np.nan
    return float(np.sqrt((heading[k] ** 2).mean()) if metric == "heading_rms" else np.abs(heading[k]).max())


def score(case, folder, out, note):
    z = np.load(os.path.join(folder, case["name"] + ".truth.npz"))
    t, truth = z["t"], z["q"].astype(float)
    q, accuracy, si, sh, rows = outputs(os.path.join(out, case["name"] + ".motion.csv"), t, case)
    result = judge(case, t, truth, q, accuracy, si, sh, run_vqf(folder, case) if VQF else None)
    return dict(result, rows_in=len(t), rows_out=rows, status=note[0], note=note[1])


def judge(case, t, truth, q, accuracy, si, sh, vqf):
    """Attitudes `q`, stated accuracy of the heading and stated deviations (°) against the truth, and against VQF's attitudes or None."""
    north = case["frame"] == "magnetic"
    known = np.isfinite(accuracy) if north else np.ones(len(t), bool)
    ours = evaluate(case, t, truth, q, known)
    vqf = None if vqf is None else evaluate(case, t, truth, vqf, known)
    checks = []
    for metric, start, end, bound, *angle in case["checks"]:
        o = value(metric, t, start, end, *ours, known, *angle)
        v = value(metric, t, start, end, *vqf, known if known.any() else np.ones(len(t), bool), *angle) if vqf else np.nan
        limit = bound if metric in MORE or not np.isfinite(v) else max(bound, FACTOR * v + PLUS)
        ok = True if np.isnan(o) else o >= bound if metric in MORE else o <= limit
        checks.append(dict(metric=metric, start=start, end=end, bound=bound, value=o, vqf=None if metric in MORE else v, ok=bool(ok),
                           vqf_ok=True if metric in MORE else bool(np.isnan(v) or v <= bound)))
    stated = claims(t, *ours, known, si, sh, case["start"], north)
    honest = all(s["wrong"] <= WRONG and s["within"] >= COVERAGE for s in stated.values()) or not case["honest"]
    return dict(name=case["name"], family=case["family"], about=case["about"], frame=case["frame"], checks=checks, stated=stated, ok=all(c["ok"] for c in checks), honest=bool(honest),
                vqf_ok=all(c["vqf_ok"] for c in checks))


def claims(t, present, inclination, heading, known, si, sh, start, north):
    """Of inclination and heading from `start` on: the share within the stated 95 %, the seconds on end far beyond it, error and stated (RMS)."""
    stated = {}
    k = present & (t >= start) & np.isfinite(si)
    if k.any():
        ratio = inclination[k] / (1.731 * si[k])
        stated["inclination"] = dict(within=float((ratio <= 1).mean()), wrong=longest(t[k], ratio > 3), error=float(np.sqrt((inclination[k] ** 2).mean())), stated=float(np.sqrt((si[k] ** 2).mean())))
        kh = k & known & np.isfinite(sh)
        if kh.any():
            e = heading[kh]
            if not north:
                e = (e - e[0] + 180) % 360 - 180  # beyond half a turn it is unknown, and so is what is stated
            ratio = np.abs(e) / (1.96 * sh[kh])
            stated["heading" if north else "azimuth"] = dict(within=float((ratio <= 1).mean()), wrong=longest(t[kh], ratio > 3), error=float(np.sqrt((e ** 2).mean())), stated=float(np.sqrt((sh[kh] ** 2).mean())))
    return stated


def line(r):
    a = "  ".join(f"{'' if c['ok'] else '✗'}{c['metric']} {show(c['value'])} (≤{show(c['bound'])}, VQF {show(c['vqf'])})" if c["metric"] not in MORE else f"{'' if c['ok'] else '✗'}{c['metric']} {show(c['value'])}" for c in r["checks"])
    b = "  ".join(f"{n[:4]}: {100 * s['within']:.0f} % in, wrong {s['wrong']:.0f} s, err {show(s['error'])} stated {show(s['stated'])}" for n, s in r["stated"].items())
    rows = "" if r["rows_in"] == r["rows_out"] else f"  rows {r['rows_out']}/{r['rows_in']}"
    return f"{'ok  ' if r['ok'] else 'FAIL'} {'honest  ' if r['honest'] else 'DISHONEST'} {r['family']}/{r['name']}: {a} | {b}{rows}" + (f"  exit {r['status']}: {r['note']}" if r["status"] else "")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("folder")
    p.add_argument("--motionctl", required=True)
    p.add_argument("--family", action="append")
    p.add_argument("--name", action="append")
    p.add_argument("--smooth", action="store_true")
    p.add_argument("--quiet", action="store_true", help="only the cases that are not good, and the tables")
    p.add_argument("--least", type=int, help="fail below so many good cases; default: all of them")
    p.add_argument("--json")
    o = p.parse_args()
    cases = [c for c in json.load(open(os.path.join(o.folder, "cases.json")))["cases"] if (not o.family or c["family"] in o.family) and (not o.name or c["name"] in o.name)]
    results, seconds = [], 0.0
    for c in cases:
        with tempfile.TemporaryDirectory(dir=o.folder) as out:
            notes, s = fuse(o.motionctl, o.folder, [c], out, ["--smooth"] if o.smooth else [])
            seconds += s
            results.append(score(c, o.folder, out, notes[c["name"]]))
            if not (o.quiet and results[-1]["ok"] and results[-1]["honest"]):
                print(line(results[-1]), flush=True)
    print(f"\n{'family':<18}{'cases':>6}{'ok':>4}{'honest':>7}{'VQF in bounds':>14}  worse than VQF ×1.25 | confidently wrong")
    for f in dict.fromkeys(r["family"] for r in results):
        own = [r for r in results if r["family"] == f]
        worse = [f"{r['name']}:{c['metric']} {show(c['value'])}/{show(c['vqf'])}" for r in own for c in r["checks"] if c["vqf"] is not None and np.isfinite(c["vqf"]) and not np.isnan(c["value"]) and c["value"] > FACTOR * c["vqf"] + PLUS]
        wrong = [f"{r['name']}:{n} {s['wrong']:.0f} s" for r in own for n, s in r["stated"].items() if s["wrong"] > WRONG]
        print(f"{f:<18}{len(own):>6}{sum(r['ok'] for r in own):>4}{sum(r['honest'] for r in own):>7}{sum(r['vqf_ok'] for r in own) if VQF else '–':>14}  {'; '.join(worse)} | {'; '.join(wrong)}")
    beside = f" (VQF {sum(r['vqf_ok'] for r in results)} within the physics')" if VQF else ""
    print(f"\n{sum(r['ok'] and r['honest'] for r in results)} of {len(results)} cases good: {sum(r['ok'] for r in results)} within bounds{beside}, "
          f"{sum(r['honest'] for r in results)} honest; {sum(any(s['wrong'] > WRONG for s in r['stated'].values()) for r in results)} confidently wrong; motionctl took {seconds:.0f} s")
    if o.json:
        json.dump(results, open(o.json, "w"), indent=1)
    good = sum(r["ok"] and r["honest"] for r in results)
    sys.exit(0 if good >= (len(results) if o.least is None else o.least) else 1)


if __name__ == "__main__":
    main()
