#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Measures what motionctl keeps of hostile files below 10 MB: `make attack`, or Scripts/Attack/budget.py MOTIONCTL.

Each file is small and declares, repeats or unpacks to much: many devices, channels, members, chunks; bombs of each codec; overlaps. The
limit for any of them: 100 MB of memory for motionctl at its peak, and no temporary file. It may read the file or refuse it with a sentence.
Cases that are compressed with zstd or lz4 need PyArrow, and are named where it is missing (MOTION_PYTHON = an interpreter that has it).
The exit code is 1 where a limit is broken.
"""

import argparse
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import hoards
import trial

MEGABYTE = 1 << 20
MEMORY = 100 * MEGABYTE
INPUT = 10 * MEGABYTE


def peak(process):
    """The most memory of a process so far, bytes; 0 where it has ended."""
    try:
        with open(f"/proc/{process}/status") as status:
            return next((int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM")), 0)
    except OSError:
        return 0


def measured(command, folder, seconds):
    """Runs a command; (exit code, peak of memory, temporary files, what it said, seconds)."""
    temporary = folder / "tmp"
    temporary.mkdir()
    (folder / "out").mkdir()
    environment = {**trial.ENVIRONMENT, "TMPDIR": f"{temporary}/"}
    begun, own = time.monotonic(), 0
    with open(folder / "stderr", "w+b") as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, cwd=folder, env=environment,
            start_new_session=True,
        )  # fmt: skip
        while process.poll() is None:
            own = max(own, peak(process.pid))
            if time.monotonic() - begun > seconds:
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(0.003)
        errors.seek(0)
        said = errors.read(1 << 16).decode("utf-8", "replace")
    sentence = next((line for line in said.splitlines() if line.startswith("Error: ")), said)
    return process.returncode, own, os.listdir(temporary), sentence.strip(), time.monotonic() - begun


def built(case, folder):
    """Builds the input in a process of its own: what it takes must not count as that of the commands."""
    folder.mkdir()
    child = os.fork()
    if child == 0:
        try:
            case.build(folder)
            os._exit(0)
        except BaseException as problem:  # noqa: B902: it is a process of its own
            print(f"{case.name}: {problem!r}", file=sys.stderr)
            os._exit(1)
    if os.waitpid(child, 0)[1]:
        sys.exit(f"Error: the input “{case.name}” could not be made.")


def faults(code, own, files, said):
    if own > MEMORY:
        yield f"memory {own >> 20} MB"
    if files:
        yield f"temporary files {', '.join(files)}"
    if code not in (0, 1):
        yield f"ended with {code}"
    if code == 1 and "Error: " not in said:
        yield "failed without a sentence"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("motionctl", help="the program, a release build")
    parser.add_argument("--case", help="only those whose name contains this")
    parser.add_argument("--seconds", type=float, default=20, help="for one command (20)")
    options = parser.parse_args()
    motionctl = str(pathlib.Path(options.motionctl).resolve())
    python = os.environ.pop("MOTION_PYTHON", None)
    if python and not hoards.has_pyarrow():
        os.execvp(python, [python, *sys.argv])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    root = pathlib.Path(tempfile.mkdtemp(prefix="budget-"))
    failures, missing, begun, count = 0, [], time.monotonic(), 0
    print(f"{'input':34}{'command':10}{'input':>9}{'memory':>8}{'time':>7}  answer")
    try:
        for case in hoards.cases():
            if options.case and options.case not in case.name:
                continue
            if case.needs_pyarrow and not hoards.has_pyarrow():
                missing.append(case.name)
                continue
            folder = root / "case"
            built(case, folder)
            size = sum(path.stat().st_size for path in folder.rglob("*"))
            assert size < INPUT, f"{case.name} has {size} bytes"
            for command in case.commands:
                code, own, files, said, seconds = measured([motionctl, *command], folder, options.seconds)
                found = list(faults(code, own, files, said))
                failures += bool(found)
                count += 1
                answer = "; ".join(found).upper() + (": " if found else "") + (said[:110] if code else "read")
                print(
                    f"{case.name:34}{command[0]:10}{size / MEGABYTE:7.2f}MB{own >> 20:6}MB"
                    f"{seconds:6.1f}s  {answer}",
                    flush=True,
                )
                for name in ("out", "tmp"):
                    shutil.rmtree(folder / name)
            shutil.rmtree(folder)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    if missing:
        print(f"Not measured, because they need PyArrow: {', '.join(missing)}.")
    print(f"{count} readings in {time.monotonic() - begun:.0f} s: {failures} beyond the limits")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
