#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Our orientation filter beside every open one that PyPI has: the same data, the same errors, one run; 20 minutes of processor time.

  Benchmarks/peers.py DIR

DIR holds .f32 files of the BROAD layout and perhaps index.json (data/broad/README.md defines both and the errors). Ours runs through the
C library, as in `make stress`, which builds it; every other filter is skipped, by name, when it is not installed:

  python3 -m venv .build-peers
  .build-peers/bin/pip install 'numpy<2' vqf ahrs imufusion qmt riann    # --plot: and matplotlib
  Scripts/build-library.sh $(uname -m)
  Benchmarks/peers.py --venv .build-peers DIR

Only qmt needs numpy below 2. Where a setting is from, peers/filters.py says; `--tune` finds those again that nobody published.
"""

import argparse
import os
import pathlib
import sys

from peers import Skipped, report


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR", help="trials of the BROAD layout")
    parser.add_argument("--venv", type=pathlib.Path, help="a virtual environment with the packages above")
    parser.add_argument("--skip", action="append", default=[], metavar="PACKAGE", help="leave out: vqf, ahrs, imufusion, qmt or riann")
    parser.add_argument("--per-trial", action="store_true", help="errors of each trial as well")
    parser.add_argument("--markdown", action="store_true", help="tables in Markdown")
    parser.add_argument("--plot", type=pathlib.Path, metavar="FOLDER", help="draw filters.svg and filters-trials.svg into it")
    parser.add_argument("--tune", action="store_true", help="find the settings again that were tuned here, instead; takes longer")
    return parser.parse_args()


def compare_all(options, files):
    """Every filter, and what it is told."""
    from peers import filters, measuring, ours

    rows, skipped = ours.rows(files), []
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


def main():
    options = arguments()
    if options.venv and pathlib.Path(sys.prefix).resolve() != options.venv.resolve():
        python = options.venv / "bin" / "python"
        if not python.exists():
            sys.exit(f"{options.venv} is no virtual environment: python3 -m venv {options.venv}")
        os.execv(python, [str(python), *sys.argv])
    try:
        from peers import filters, measuring, trials
    except ImportError:
        sys.exit("numpy is not installed: see --help for the virtual environment, and name it with --venv.")
    files = trials.find(options.folder)
    if options.tune:
        measuring.tune([f for f in filters.ALL if f.package not in options.skip], files)
    else:
        compare_all(options, files)


if __name__ == "__main__":
    main()
