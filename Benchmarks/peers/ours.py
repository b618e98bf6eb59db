# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Our own filter, through `motion-accuracy --json`, which is built beside motionctl: OPENCOREMOTION_DEVELOP=1 swift build -c release."""

import json
import pathlib
import shutil
import subprocess
import sys

from . import Skipped

USUAL_RATE = 2000 / 7

# Name, options, what it is told besides the times of the samples.
ROWS = [
    ("OpenCoreMotion", [], "calibrated, range, delay"),
    ("OpenCoreMotion, delay not told", ["--parameter", "gyroscopeDelay=0"], "calibrated, range"),
    ("OpenCoreMotion, as a user runs it", ["--as-user"], "nothing"),
    ("OpenCoreMotion, smoothed", ["--smooth"], "calibrated, range, delay, future"),
    ("OpenCoreMotion, smoothed, as a user runs it", ["--smooth", "--as-user"], "future"),
    ("OpenCoreMotion, truth 4 ms late", ["--reference-delay", "4ms"], "calibrated, range, delay; the truth's delay"),
    (
        "OpenCoreMotion, smoothed, truth 4 ms late", ["--smooth", "--reference-delay", "4ms"],
        "calibrated, range, delay, future; the truth's delay",
    ),
]


def trials(folder):
    """Path and rate (Hz) of every trial in a folder."""
    paths = sorted(folder.glob("*.f32"))
    if not paths:
        sys.exit(f"{folder} holds no .f32 file of the BROAD layout.")
    index = folder / "index.json"
    rates = json.loads(index.read_text()) if index.exists() else {}
    return [(path, rates.get(path.stem, {}).get("rate", USUAL_RATE)) for path in paths]


def find_motionctl(given):
    if given:
        return given
    package = pathlib.Path(__file__).resolve().parents[2]
    built = package / ".build" / "release" / "motionctl"
    found = str(built) if built.exists() else shutil.which("motionctl")
    if not found:
        sys.exit("motionctl is missing: OPENCOREMOTION_DEVELOP=1 swift build -c release, or --motionctl PATH.")
    return found


def figures(motionctl, folder, *options, name="OpenCoreMotion"):
    command = [str(pathlib.Path(motionctl).with_name("motion-accuracy")), str(folder), "--json", *options]
    try:
        result = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        sys.exit(f"{command[0]} cannot be run: {error.strerror}")
    if "Unknown option" in result.stderr:
        raise Skipped(f"{name}: this program does not know {' '.join(options)}")
    if result.returncode:
        sys.exit(f"{' '.join(command)} failed: {result.stderr.strip()}")
    figures = json.loads(result.stdout)
    if "--reference-delay" in options:
        # Its errors stand beside the others.
        for row in [figures["mean"], *figures["trials"]]:
            row.update({key: row["delayed" + key.capitalize()] for key in ("total", "heading", "inclination")})
    return figures
