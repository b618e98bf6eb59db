#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""How much each parameter of our filter matters: a third and three times its default, alone, on trials of the BROAD layout.

  Benchmarks/sensitivity.py DIR [--motionctl PATH] [--markdown] [--factor 3]

Prints the mean total error with nine axes and the mean inclination error with six, in degrees, for each parameter of
OrientationFilter.Parameters, the one that matters most first. Runs `motion-accuracy --parameter`; about three minutes. To
see what a parameter is for, not to choose its value: the defaults are one set for all motions, and these trials are a few of them.
"""

import argparse
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from peers import Skipped, ours, report


def parameters(motionctl, folder):
    """Names and values."""
    command = [str(pathlib.Path(motionctl).with_name("motion-accuracy")), str(folder), "--list-parameters"]
    try:
        result = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        sys.exit(f"{motionctl} cannot be run: {error.strerror}")
    if result.returncode:
        sys.exit(f"{' '.join(command)} failed: {result.stderr.strip()}")
    return [(name, float(value)) for name, value in map(str.split, result.stdout.splitlines())]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR", help="trials of the BROAD layout")
    parser.add_argument("--motionctl", help="the program (default: .build/release/motionctl, else that of PATH)")
    parser.add_argument("--factor", type=float, default=3, help="the default is divided and multiplied by it (default: 3)")
    parser.add_argument("--markdown", action="store_true", help="the table in Markdown")
    options = parser.parse_args()
    motionctl = ours.find_motionctl(options.motionctl)
    ours.trials(options.folder)

    def errors(*changes):
        """Total with nine axes, inclination with six."""
        chosen = [word for change in changes for word in ("--parameter", change)]
        nine = ours.figures(motionctl, options.folder, *chosen)["mean"]["total"]
        return nine, ours.figures(motionctl, options.folder, "--6d", *chosen)["mean"]["inclination"]

    named = parameters(motionctl, options.folder)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        usual = pool.submit(errors)
        less = [pool.submit(errors, f"{name}={value / options.factor!r}") for name, value in named]
        more = [pool.submit(errors, f"{name}={value * options.factor!r}") for name, value in named]
        try:
            rows = [(name, value, a.result(), b.result()) for (name, value), a, b in zip(named, less, more)]
        except Skipped as reason:
            sys.exit(str(reason))
        total, inclination = usual.result()
    rows.sort(key=lambda row: -max(abs(row[k][0] - total) for k in (2, 3)))
    places = 3
    header = ["parameter", "default", f"÷ {options.factor:g}: total", "6D", f"× {options.factor:g}: total", "6D"]
    table = [header, ["(all defaults)", "", report.number(total, places), report.number(inclination, places)] + ["", ""]]
    for name, value, low, high in rows:
        table.append([name, f"{value:.3g}", *(report.number(v, places) for v in (*low, *high))])
    report.write_table(table, options.markdown)


if __name__ == "__main__":
    main()
