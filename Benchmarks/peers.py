#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Our orientation filter beside others: the same data, the same errors, one run.

  Benchmarks/peers.py DIR          errors and times, four filters of Python packages with their defaults
  Benchmarks/peers.py DIR --all    errors of every filter that PyPI has, with its defaults and its best settings; 20 minutes of processor time

DIR holds .f32 files of the BROAD layout and perhaps index.json (data/broad/README.md defines both and the errors). Ours are the
figures of `motion-accuracy --json`; every other filter runs here and is skipped, by name, when it is not installed:

  python3 -m venv .build-peers
  .build-peers/bin/pip install 'numpy<2' vqf ahrs imufusion    # --all: and qmt riann; --plot: and matplotlib
  swift build -c release --product motionctl
  Benchmarks/peers.py --venv .build-peers DIR

Only qmt needs numpy below 2. Where a setting is from, peers/filters.py says; `--tune` finds those again that nobody published.

VQF's C++ is compiled here (g++ -O2, from the sources in the `vqf` package) and timed through its own update function, so
that Python does not flatter us. Times are processor time, the smallest of several passes (one for ahrs and imufusion);
ours and those of VQF's C++ are updates alone, with nothing read from the filter between them. Those of Python packages
contain the reading of the result and what Python costs; of ahrs, which is Python all through, they say little about
its algorithms.
"""

import argparse
import os
import pathlib
import sys
import tempfile

from peers import Skipped, ours, report
from peers.compiled import CompiledVQF


def print_table(rows, base):
    """`base`: the 9D and 6D times that count as 1."""
    print(f"{'':38}{'9D error, degrees (mean RMS)':>30}{'6D':>12}{'ns per update':>16}{'÷ VQF C++':>16}")
    print(f"{'':38}{'total':>8}{'heading':>9}{'inclination':>13}{'inclination':>12}{'9D':>9}{'6D':>7}{'9D':>9}{'6D':>7}")
    for name, total, heading, inclination, six, nine_time, six_time in rows:
        cells = [f"{name:38}"]
        for value, width in ((total, 8), (heading, 9), (inclination, 13), (six, 12)):
            cells.append(f"{'–' if value is None else format(value, '.3f'):>{width}}")
        cells.append(f"{nine_time:9.0f}{six_time:7.0f}")
        if base:
            cells.append(f"{nine_time / base[0]:9.2f}{six_time / base[1]:7.2f}")
        print("".join(cells))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR", help="trials of the BROAD layout")
    parser.add_argument("--venv", type=pathlib.Path, help="a virtual environment with the packages above")
    parser.add_argument("--motionctl", help="the program (default: .build/release/motionctl, else that of PATH)")
    parser.add_argument("--skip", action="append", default=[], metavar="PACKAGE", help="leave out: vqf, ahrs, imufusion, qmt or riann")
    usual = parser.add_argument_group("errors and times")
    usual.add_argument(
        "--single-precision", metavar="PROGRAM",
        help="motionctl in single precision: swift build -c release --traits SinglePrecision --scratch-path .build-single",
    )
    usual.add_argument("--compiler", default="g++", help="for VQF's C++ (default: g++)")
    usual.add_argument("--rounds", type=int, default=3, help="times ours and VQF's C++ alternate; the quickest counts")
    usual.add_argument("--trials", action="store_true", help="print each trial of ours as well")
    every = parser.add_argument_group("every filter")
    every.add_argument("--all", action="store_true", help="errors of every filter")
    every.add_argument("--per-trial", action="store_true", help="with --all: of each trial as well")
    every.add_argument("--markdown", action="store_true", help="with --all: tables in Markdown")
    every.add_argument("--plot", type=pathlib.Path, metavar="FOLDER", help="with --all: draw filters.svg and filters-trials.svg into it")
    every.add_argument("--tune", action="store_true", help="find the settings again that were tuned here; takes longer than --all")
    options = parser.parse_args()
    if not options.all and (options.per_trial or options.markdown or options.plot):
        parser.error("--per-trial, --markdown and --plot belong to --all.")
    return options


def our_rows(motionctl, folder):
    rows, skipped = [], []
    for name, chosen, told in ours.ROWS:
        try:
            nine = ours.figures(motionctl, folder, *chosen, name=name)["trials"]
            six = ours.figures(motionctl, folder, *chosen, "--6d", name=name)["trials"]
        except Skipped as reason:
            skipped.append(reason)
            continue
        errors = [[trial["total"], trial["heading"], trial["inclination"]] for trial in nine]
        rows.append(report.Row(name, "", "defaults", told, errors, [trial["inclination"] for trial in six]))
    return rows, skipped


def compare_all(options, files):
    """Every filter, and what it is told."""
    from peers import filters, measuring

    rows, skipped = our_rows(ours.find_motionctl(options.motionctl), options.folder)
    chosen = [f for f in filters.ALL if f.package not in options.skip]
    skipped += [Skipped(f"{package}: --skip") for package in options.skip] + filters.LEFT_OUT
    for filter, results in zip(chosen, measuring.run(chosen, files)):
        if isinstance(results, Skipped):
            skipped.append(results)
            continue
        told = f"rate, {filter.told}" if filter.told else "rate"
        nine = [result[0] for result in results] if filter.nine else None
        six = [result[1][2] for result in results] if filter.six else None
        rows.append(report.Row(filter.name, filter.check(), filter.kind, told, nine, six, filter.source, filter.chosen))
    report.write(rows, skipped, files, options.markdown, options.per_trial)
    if options.plot:
        try:
            from peers import plots
        except ImportError:
            sys.exit("--plot needs matplotlib (pip install matplotlib).")
        for path in plots.draw(rows, options.plot):
            print(f"drawn: {path}", file=sys.stderr)


def peer_rows(options, files):
    """Rows of the usual filters, and what was skipped."""
    rows, skipped = [], []
    try:
        from peers import filters, measuring
    except ImportError:
        return rows, ["all Python packages: numpy is not installed (pip install numpy)"]
    skipped = [f"{f.name}: --skip" for f in filters.USUAL if f.package in options.skip]
    chosen = [f for f in filters.USUAL if f.package not in options.skip]
    for filter, results in zip(chosen, measuring.run(chosen, files)):
        if isinstance(results, Skipped):
            skipped.append(str(results))
            continue
        updates = sum(r[2] for r in results)
        nine = [report.mean([r[0][k] for r in results]) for k in range(3)]
        six = report.mean([r[1][2] for r in results])
        times = [sum(r[k] for r in results) / updates for k in (3, 4)]
        rows.append([f"{filter.name} {filter.check()}, from Python", *nine, six, *times])
    return rows, skipped


def compare_usual(options, files):
    """Errors and times."""
    motionctl = ours.find_motionctl(options.motionctl)
    skipped, rows, base = [], [], None
    with tempfile.TemporaryDirectory() as folder:
        try:
            if "vqf" in options.skip:
                raise Skipped("VQF in C++: --skip")
            compiled = CompiledVQF(folder, options.compiler)
        except Skipped as reason:
            compiled = None
            skipped.append(str(reason))
        programs = [("OpenCoreMotion", motionctl)]
        if options.single_precision:
            programs.append(("OpenCoreMotion, Float", ours.find_motionctl(options.single_precision)))
        rounds, direct = {name: [] for name, _ in programs}, []
        for _ in range(max(1, options.rounds)):
            for name, program in programs:
                rounds[name].append((ours.figures(program, options.folder), ours.figures(program, options.folder, "--6d")))
            if compiled:
                direct.append(compiled.nanoseconds(files))
    for name, _ in programs:
        nine, six = rounds[name][-1]
        m = nine["mean"]
        rows.append(
            [
                name, m["total"], m["heading"], m["inclination"], six["mean"]["inclination"],
                min(n["nanosecondsPerUpdate"] for n, _ in rounds[name]),
                min(s["nanosecondsPerUpdate"] for _, s in rounds[name]),
            ]
        )
    nine, six = rounds["OpenCoreMotion"][-1]
    if direct:
        base = (min(d[0] for d in direct), min(d[1] for d in direct))
        rows.append([f"VQF in C++ ({options.compiler} -O2)", None, None, None, None, *base])
    theirs, missing = peer_rows(options, files)

    print(f"{len(files)} trials of {options.folder.resolve().name}; each filter with its default parameters.")
    print("Ours knows that the chip stamps the end of the interval it averages over (gyroscopeDelay); the others take each")
    print("rate for the interval before its stamp, which is the same.\n")
    print_table(rows + theirs, base)
    for reason in dict.fromkeys(skipped + missing):
        print(f"skipped: {reason}")
    if options.trials:
        print(f"\n{'':48}{'total':>8}{'heading':>9}{'inclination':>13}{'6D':>9}")
        for a, b in zip(nine["trials"], six["trials"]):
            print(f"{a['name']:48}{a['total']:8.3f}{a['heading']:9.3f}{a['inclination']:13.3f}{b['inclination']:9.3f}")


def main():
    options = arguments()
    if options.venv and pathlib.Path(sys.prefix).resolve() != options.venv.resolve():
        python = options.venv / "bin" / "python"
        if not python.exists():
            sys.exit(f"{options.venv} is no virtual environment: python3 -m venv {options.venv}")
        os.execv(python, [str(python), *sys.argv])
    files = ours.trials(options.folder)
    if not options.all and not options.tune:
        return compare_usual(options, files)
    try:
        from peers import filters, measuring
    except ImportError:
        sys.exit("numpy is not installed: see --help for the virtual environment, and name it with --venv.")
    if options.tune:
        measuring.tune([f for f in filters.ALL if f.package not in options.skip], files)
    if options.all:
        compare_all(options, files)


if __name__ == "__main__":
    main()
