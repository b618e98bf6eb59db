# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""How the checks call motionctl: the program named on the command line, by MOTIONCTL, or the one that was built."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def motionctl():
    if len(sys.argv) > 1:
        return sys.argv[1]
    if os.environ.get("MOTIONCTL"):
        return os.environ["MOTIONCTL"]
    for configuration in ("release", "debug"):
        path = ROOT / ".build" / configuration / "motionctl"
        if path.exists():
            return str(path)
    sys.exit("motionctl is missing: swift build --product motionctl")


def call(*arguments, data=None, fails=False):
    """Both outputs, standard output as bytes; ends the check where the command fails, or does not when it should."""
    done = subprocess.run([motionctl(), *map(str, arguments)], input=data, capture_output=True)
    if (done.returncode != 0) != fails:
        sys.exit(f"motionctl {' '.join(map(str, arguments))} ended with {done.returncode}:\n{done.stderr.decode()}")
    return done.stdout, done.stderr.decode()


def run(*arguments):
    """Standard output as text."""
    return call(*arguments)[0].decode()
