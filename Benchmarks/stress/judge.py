#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""One table of how good the filter is: three suites of hard cases, recordings, time; VQF and offline VQF beside it, where Python has them.

  make stress                                             # builds what it needs; SEEDS="1 2 3"
  Benchmarks/stress/judge.py --family door --detail       # some cases alone: --suite, --family, --name, --six, --smooth, --write FOLDER

Without arguments that choose cases it exits with 1 where one of LIMITS is passed; with such, when a case is not good. README.md says what the
columns mean. The library is that of Scripts/build-library.sh, or the one that OPENCOREMOTION_LIBRARY names.
"""

import argparse
import concurrent.futures
import os
import pathlib
import sys

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
import numpy as np  # noqa: E402

import cases  # noqa: E402
import filters  # noqa: E402
import recordings  # noqa: E402
import scoring  # noqa: E402

# The most that a row may have: with VQF beside it, and without, where the bounds of physics stand alone. A step back fails, not a hope.
LIMITS = {
    "suite 1: cases not good, each seed": (3, 3),
    "suite 2: cases not good, each seed": (9, 17),
    "suite 3: cases not good, each seed": (8, 14),
    "confidently wrong, suite 2 and 3 of a seed": (4, 4),
    "BROAD as a user: total": (2.0, 2.0),
    "BROAD as a user: incl.": (0.65, 0.65),
    "BROAD as a user, smoothed: total": (2.12, 2.12),
    "BROAD told: total": (2.05, 2.05),
    "BROAD as a user, iron of 2.2 fields: heading of a trial": (6, 6),
    "phones: heading": (4, 4),
    "phones: inclination": (1.8, 1.8),
    "9D: time, of VQF's": (1.0, np.inf),
    "6D: time, of VQF's": (0.75, np.inf),
    "9D from Python, checked: time, of VQF's": (1.8, np.inf),
    "rows that differ from motionctl's": (0, 0),
}
CHECKED = ((2, "stamps", "10ms-200Hz-9d"), (2, "ball", "ball-900-6d"), (3, "multi-rate", "104-52-10.4-9d"), (3, "low-rate", "10Hz-6d"))
RESTS, BIASES = (0, 3, 40), (1.0, 1.4, 1.6, 2.0, 3.0, 5.0, 8.0, 12.0)
broken = []


def limit(name, value):
    most = LIMITS[name][0 if filters.vqf else 1]
    if value > most:
        broken.append(f"{name}: {value:.4g}, at most {most:g}")


def family(suite, seed, name, options):
    """Rows of the cases of a family; a table whose clock goes back is refused by `fuse`, and counts nowhere."""
    rows = []
    for case in cases.made(suite, seed, name, options.broad):
        six = case.rows.field is None
        if (options.name and case.name not in options.name) or (options.six and not six) or (np.diff(case.rows.t) < 0).any():
            continue
        if options.write:
            cases.write(case.rows, options.write / f"{case.name}.csv")
            np.savez(options.write / f"{case.name}.truth.npz", t=case.rows.t, q=case.truth)
        rows.append(scoring.judged(case, filters.ours(case.rows, smooth=options.smooth), filters.peers(case.rows, case.step)))
    return rows


def print_suites(rows, options):
    for row in rows:
        if options.detail or not row["good"]:
            print(row["line"])
    columns = ("good", "within", "honest", "wrong", "physics")
    print(f"\n{'suite, seed':<26}{'cases':>6}" + "".join(f"{name:>9}" for name in columns) + f"{'VQF':>9}{'offline':>9}{'inside 95 %: inclination':>27}{'azimuth':>9}")

    def line(name, own):
        counts = [sum(row[column] for row in own) for column in columns] + [sum(row["peers"][k] for row in own) if filters.vqf else "–" for k in (0, 1)]
        shares = [[row["inside"][k] for row in own if np.isfinite(row["inside"][k])] for k in (0, 1)]
        shown = [f"{100 * np.mean(share):.0f}" if share else "–" for share in shares]
        print(f"{name:<26}{len(own):>6}" + "".join(f"{count:>9}" for count in counts) + f"{shown[0]:>27}{shown[1]:>9}")
        return dict(zip(columns, counts))
    for seed in options.seeds:
        wrong = 0
        for suite in sorted({row["suite"] for row in rows}):
            own = [row for row in rows if (row["suite"], row["seed"]) == (suite, seed)]
            counts = line(f"{suite}, {seed}", own)
            wrong += counts["wrong"] if suite > 1 else 0
            if not options.some:
                limit(f"suite {suite}: cases not good, each seed", len(own) - counts["good"])
        if not options.some:
            limit("confidently wrong, suite 2 and 3 of a seed", wrong)
    for suite, name in dict.fromkeys((row["suite"], row["family"]) for row in rows) if options.families else ():
        line(f"{suite} {name}", [row for row in rows if (row["suite"], row["family"]) == (suite, name)])
    if options.some and not all(row["good"] for row in rows):
        broken.append("not all of the chosen cases are good")


def print_broad(trials):
    """The means over the trials of each half of the data set that is here: those of odd and of even number."""
    for half, rest in (("odd", 1), ("even", 0)):
        own = [found for number, found in trials if number % 2 == rest]
        if not own:
            continue
        print(f"\n{f'BROAD, {len(own)} trials of {half} number':<46}" + "".join(f"{name:>10}" for name in recordings.FIGURES) + f"{'largest heading':>18}")
        for name in own[0]:
            values = np.array([found[name] for found in own], float)
            mean = [np.nanmean(column) if np.isfinite(column).any() else np.nan for column in values.T]
            digits = [2, 2, 2, 2, 0, 0, 0]
            print(f"{name:<46}" + "".join(f"{'–' if np.isnan(x) else f'{x:.{d}f}':>10}" for x, d in zip(mean, digits)) + f"{np.nanmax(values[:, 1]):>18.1f}")
            for column, x in zip((*recordings.FIGURES, "heading of a trial"), (*mean, np.nanmax(values[:, 1]))):
                if (wanted := f"BROAD {name}: {column}") in LIMITS:
                    limit(wanted, x)


def print_others(found):
    if ("slow", 1.0) in found:
        print("\nBias about the vertical, °/s        " + "".join(f"{bias:>17g}" for bias in BIASES))
        for rest in RESTS:
            own = [found["vertical", rest, bias] for bias in BIASES]
            print(f"{f'{rest} s of rest, then: drift (VQF)':<36}" + "".join(f"{x[0]:.1f} ({x[3]:.0f})".rjust(17) for x in own))
            print(f"{'    tilt of stated 95 % (VQF)':<36}" + "".join(f"{x[1]:.1f} of {x[2]:.1f} ({x[4]:.1f})".rjust(17) for x in own))
    for name, x in found.items():
        if name[0] == "slow":
            print(f"{name[1]:g} m/s² for 100 s: tilt {x[0]:.2f}, stated 95 % {x[1]:.2f}, beyond it {x[2]:.0f} % of the time (VQF {x[3]:.2f})")
    for name, words in (("head", "a worn head, bias of 10 °/s about the vertical, last minute"), ("car", "a car, comma2k19")):
        if (name,) in found:
            print("{}: tilt {:.2f}, stated 95 % {:.2f} (VQF {:.2f})".format(words, *found[name,]))
    for name in (name for name in found if name[0] == "parity"):
        print("{}: angle to Apple's gravity {:.2f}, user acceleration {:.4f} g".format(name[1], *found[name]))
    phones = [found[name] for name in found if name[0] == "captured"]
    if phones:
        mean = np.mean(phones, 0)
        print("{} iPhones against motion capture, mean of medians (Apple): inclination {:.2f} ({:.2f}), heading {:.2f} ({:.2f}), known {:.0f} %".format(
            len(phones), mean[0], mean[3], mean[1], mean[4], 100 * mean[2]))
        limit("phones: heading", mean[1])
        limit("phones: inclination", mean[0])


def print_times(times):
    print(f"\n{'time of a row, nothing declared':<34}{'ours, ns':>10}{'VQF, ns':>10}{'ratio':>8}")
    for name, (ours, *theirs) in times.items():
        print(f"{name:<34}{ours:>10.0f}" + (f"{theirs[0]:>10.0f}{ours / theirs[0]:>8.2f}" if theirs else ""))
        if theirs and (wanted := f"{name}: time, of VQF's") in LIMITS:
            limit(wanted, ours / theirs[0])


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--suite", type=int, action="append", choices=sorted(cases.SUITES))
    parser.add_argument("--family", action="append")
    parser.add_argument("--name", action="append")
    parser.add_argument("--six", action="store_true", help="only cases without magnetometer")
    parser.add_argument("--smooth", action="store_true", help="the smoother in place of the filter")
    parser.add_argument("--detail", action="store_true", help="a line for every case, not only for those that are not good")
    parser.add_argument("--families", action="store_true", help="a line for every family, too")
    parser.add_argument("--write", type=pathlib.Path, help="write the chosen cases' tables and truths into this folder, too")
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("OPENCOREMOTION_DATA", filters.ROOT.parent / "shared/data"))
    parser.add_argument("--motionctl", help="compare some cases with what `motionctl fuse` writes")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.some = bool(options.suite or options.family or options.name or options.six or options.smooth)
    options.broad = options.data / "broad"
    if options.write:
        options.write.mkdir(parents=True, exist_ok=True)
    return options


def main():
    options = parsed()
    trials = sorted(options.broad.glob("*.f32"))
    chosen = [(suite, seed, name) for seed in options.seeds for suite in options.suite or cases.SUITES for name in cases.SUITES[suite].FAMILIES
              if not options.family or name in options.family]
    absent = sorted({name for suite, _, name in chosen if suite == 1 and name in cases.RECORDED}) if not trials else []
    others = {}
    if not options.some:
        others = {("vertical", rest, bias): (recordings.vertical, rest, bias) for rest in RESTS for bias in BIASES}
        others |= {("slow", strength): (recordings.slow, strength) for strength in (0.25, 0.5, 1.0)}
        for name, call, folders in (("head", recordings.head, options.data.parent.glob("repro")), ("car", recordings.car, options.data.glob("car")),
                                    ("parity", recordings.parity, options.data.glob("iphone/pyojin*")),
                                    ("captured", recordings.captured, (path.parent for path in options.data.glob("iphone/tyrex/*/qualisys.csv.gz")))):
            own = {(name, folder.name)[: 1 if name in ("head", "car") else 2]: (call, folder) for folder in folders}
            absent += [] if own else [name]
            others |= own
    if absent:
        print("SKIPPED, as their data or program are not here:", *absent)
    if not filters.vqf:
        print("Without VQF (pip install vqf): the bounds of physics stand alone.")
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        rows = [pool.submit(family, *job, options) for job in chosen if job[2] not in absent]
        broad = [pool.submit(recordings.broad, path) for path in trials if not options.some]
        others = {name: pool.submit(*call) for name, call in others.items()}
        print_suites([row for future in rows for row in future.result()], options)
        print_broad([future.result() for future in broad])
        print_others({name: future.result() for name, future in others.items()})
    if not options.some and trials:
        print_times(recordings.durations(trials[len(trials) // 2]))
    if options.motionctl and not options.some:
        differences = [(name, recordings.same_as_motionctl(options.motionctl, case)) for suite, group, name in CHECKED
                       for case in cases.made(suite, options.seeds[0], group, options.broad) if case.name == name]
        limit("rows that differ from motionctl's", sum(found is not None for _, found in differences))
        print("\nThe same rows from `motionctl fuse`:", *(f"{name}{' DIFFERS ' + str(found) if found else ''}" for name, found in differences), sep="  ")
    print(*(f"BROKEN: {what}" for what in broken), sep="\n")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
