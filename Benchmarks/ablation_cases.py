#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The cases of both stress suites, made once and judged many times, within this process: for ablate.py.

  OPENCOREMOTION_LIBRARY=libocm.so Benchmarks/ablation_cases.py judge|time SEED:SUITE:FOLDER ...

The scores of the suites run `motionctl fuse` on tables of text, as a user would; most of their time goes into text, and into VQF. Here a
case is kept as numbers, with VQF's attitudes beside it, and goes through Bindings/Python, which gives the same numbers as motionctl. What is
good and what is confidently wrong the two score.py decide, here as there. A process can load one library only, so each gets its own.
"""

import hashlib
import importlib.util
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
SUITES = ("stress", "stress2")
FIRST_CLAIM = 10.0  # s; from here on the first suite's stated deviations count, as most of the second's do
WORKERS = 2


def score_of(suite):
    """The suite's score.py: both have that name."""
    name = f"{suite}_score"
    if name not in sys.modules:
        sys.path += [path for s in SUITES if (path := str(HERE / s)) not in sys.path]
        spec = importlib.util.spec_from_file_location(name, HERE / suite / "score.py")
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def prepare(suite, seed, keep):
    """The folder with the cases of a seed: cases.json, and of each case NAME.npz with table, truth and VQF's attitudes."""
    trials = pathlib.Path(os.environ.get("OPENCOREMOTION_DATA") or ROOT / "../shared/data") / "broad"
    makers = [p for s in SUITES for p in sorted((HERE / s).glob("*.py")) if p.name not in ("score.py", "scoring.py", "stated.py")]
    stamp = hashlib.sha256(b"".join(p.read_bytes() for p in makers) + bytes([trials.exists(), score_of("stress2").VQF is not None]))
    folder = keep / f"{suite}-{seed}-{stamp.hexdigest()[:8]}"
    if not folder.exists():
        print(f"makes {folder} …", file=sys.stderr, flush=True)
        part = folder.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        options = ["--trials", trials] if suite == "stress" and trials.exists() else []
        subprocess.run([sys.executable, HERE / suite / "make_cases.py", "--seed", seed, "--out", part, *options],
                       check=True, stdout=subprocess.DEVNULL)
        with ProcessPoolExecutor(WORKERS) as pool:
            list(pool.map(prepare_case, [(suite, part, case) for case in json.loads((part / "cases.json").read_text())["cases"]]))
        part.rename(folder)
    return folder


def prepare_case(job):
    suite, folder, case = job
    import numpy as np
    score = score_of(suite)
    path, truth = folder / f"{case['name']}.csv", folder / f"{case['name']}.truth.npz"
    z = dict(np.load(truth))
    z.setdefault("valid", np.ones(len(z["t"]), bool))
    if score_of("stress2").VQF:
        z["vqf"] = score.run_vqf(folder, case).astype("f4")
    np.savez(folder / case["name"], x=score_of("stress2").read_table(path)[1], **z)
    path.unlink()
    truth.unlink()


# Judging, in a process of its own for each library.

def fused(z, case):
    sys.path.insert(0, str(ROOT / "Bindings/Python"))
    import opencoremotion as ocm
    x = z["x"]
    return ocm.fuse(x[:, 0], x[:, 4:7], x[:, 1:4], None if case["frame"] == "arbitrary" else x[:, 7:10], missing="skip")


def judge_case(job):
    """A key, and whether the case is good, and confidently wrong."""
    seed, suite, folder, case = job
    import numpy as np
    first, second = map(score_of, SUITES)
    z = dict(np.load(folder / f"{case['name']}.npz"))
    t, truth, valid, motion = z["t"], z["q"].astype(float), z["valid"], fused(z, case)
    q, si, sh = motion.quaternion, np.degrees(motion.inclination_sd), np.degrees(motion.heading_sd)
    accuracy, north = np.where(motion.heading_known, 2 * sh, np.nan), case["frame"] == "magnetic"
    if suite == "stress":
        known = np.isfinite(accuracy) if north else np.ones(len(t), bool)
        good = all(map(first.passes, first.measure(case, t, truth, valid, q, accuracy, known)))
        t, truth, q, known, si, sh = (a[valid] for a in (t, truth, q, known, si, sh))
        claims = second.claims(t, *second.evaluate(case, t, truth, q, known), known, si, sh, FIRST_CLAIM, north)
    else:
        result = second.judge(case, t, truth, q, accuracy, si, sh, z["vqf"].astype(float) if "vqf" in z else None)
        good, claims = result["ok"] and result["honest"], result["stated"]
    return f"{suite}/{case['family']}/{case['name']}/{seed}", [good, any(c["wrong"] > second.WRONG for c in claims.values())]


def judge(folders):
    """What a library makes of all cases; prints JSON."""
    jobs = [(seed, suite, folder, case) for seed, suite, folder in folders for case in json.loads((folder / "cases.json").read_text())["cases"]]
    with ProcessPoolExecutor(WORKERS) as pool:
        print(json.dumps(dict(pool.map(judge_case, sorted(jobs, key=lambda j: -j[3]["rows"]), chunksize=2))))


def time_it(folders):
    """Prints seconds for one case with nine axes: the median of five runs."""
    import numpy as np
    folder = folders[0][2]
    case = next(c for c in json.loads((folder / "cases.json").read_text())["cases"] if c["frame"] == "magnetic")
    z, seconds = dict(np.load(folder / f"{case['name']}.npz")), []
    for _ in range(6):
        start = time.perf_counter()
        fused(z, case)
        seconds.append(time.perf_counter() - start)
    print(statistics.median(seconds[1:]))


def main():
    folders = [(seed, suite, pathlib.Path(folder)) for seed, suite, folder in (f.split(":", 2) for f in sys.argv[2:])]
    {"judge": judge, "time": time_it}[sys.argv[1]](folders)


if __name__ == "__main__":
    main()
