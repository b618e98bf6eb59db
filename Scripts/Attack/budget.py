#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Measures what motionctl keeps of hostile files below 10 MB: `make attack`, or Scripts/Attack/budget.py MOTIONCTL.

Each file is small and declares, repeats or unpacks to much: many devices, channels, members, chunks; bombs of each codec; overlaps. The
limits for any of them: 100 MB of memory for motionctl at its peak, 100 MB beyond PyArrow's own for the process that reads Parquet, 200
times the input (at least 16 MB) of temporary files, those already unlinked included. It may read the file or refuse it with a sentence.
Then one reading is ended by SIGKILL half-way: nothing may be left in TMPDIR. Cases of Arrow and Parquet need PyArrow, and are named
where it is missing (MOTION_PYTHON = an interpreter that has it). The exit code is 1 where a limit is broken.
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
MEMORY, RATIO, DISK = 100 * MEGABYTE, 200, 16 * MEGABYTE
INPUT = 10 * MEGABYTE


def peak(process):
    """The most memory of a process so far, bytes; 0 where it has ended."""
    try:
        with open(f"/proc/{process}/status") as status:
            return next((int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM")), 0)
    except OSError:
        return 0


def deleted(process):
    """The files that a process holds open and that have no name any more: their bytes by number of inode."""
    found = {}
    try:
        for entry in os.scandir(f"/proc/{process}/fd"):
            status = os.stat(entry.path)
            if status.st_nlink == 0 and status.st_mode & 0o170000 == 0o100000:
                found[status.st_ino] = status.st_blocks * 512
    except OSError:
        pass
    return found


def below(folder):
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(place, name)).st_blocks * 512
            except OSError:
                pass
    return total


def tidied(folder):
    for name in ("out", "tmp"):
        shutil.rmtree(folder / name)


def children(process):
    try:
        with open(f"/proc/{process}/task/{process}/children") as names:
            return [int(name) for name in names.read().split()]
    except OSError:
        return []


def measured(command, folder, seconds, kill_at=None):
    """Runs a command; (exit code, peak of memory, that of its children, peak of temporary files, what it said, seconds)."""
    temporary = folder / "tmp"
    temporary.mkdir()
    (folder / "out").mkdir()
    environment = {**trial.ENVIRONMENT, "TMPDIR": f"{temporary}/", "MOTION_PYTHON": sys.executable}
    begun, own, others, disk = time.monotonic(), 0, 0, 0
    with open(folder / "stderr", "w+b") as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, cwd=folder, env=environment,
            start_new_session=True,
        )  # fmt: skip
        while process.poll() is None:
            own = max(own, peak(process.pid))
            files, helpers = deleted(process.pid), children(process.pid)
            for helper in helpers:
                others = max(others, peak(helper))
                files.update(deleted(helper))
            disk = max(disk, sum(files.values()) + below(temporary))
            elapsed = time.monotonic() - begun
            if elapsed > seconds or (kill_at is not None and disk > kill_at):
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(0.003)
        errors.seek(0)
        said = errors.read(1 << 16).decode("utf-8", "replace")
    sentence = next((line for line in said.splitlines() if line.startswith("Error: ")), said)
    return process.returncode, own, others, disk, sentence.strip(), time.monotonic() - begun


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


def faults(code, own, others, disk, size, said, base):
    if own > MEMORY:
        yield f"memory {own >> 20} MB"
    if others > base + MEMORY:
        yield f"memory of the helper {others >> 20} MB"
    if disk > max(DISK, RATIO * size):
        yield f"temporary files {disk >> 20} MB"
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
    print(f"{'input':34}{'command':10}{'input':>9}{'memory':>8}{'helper':>8}{'files':>8}{'time':>7}  answer")
    try:
        base = 0
        if hoards.has_pyarrow():
            (root / "base").mkdir()
            base = measured([sys.executable, "-c", "import pyarrow.parquet"], root / "base", 60)[1]
        for case in hoards.cases():
            if options.case and options.case not in case.name:
                continue
            if case.needs_pyarrow and not hoards.has_pyarrow():
                missing.append(case.name)
                continue
            folder = root / "case"
            built(case, folder)
            size = below(folder)
            assert size < INPUT, f"{case.name} has {size} bytes"
            for command in case.commands:
                code, own, others, disk, said, seconds = measured([motionctl, *command], folder, options.seconds)
                found = list(faults(code, own, others, disk, size, said, base))
                failures += bool(found)
                count += 1
                answer = "; ".join(found).upper() + (": " if found else "") + (said[:110] if code else "read")
                print(
                    f"{case.name:34}{command[0]:10}{size / MEGABYTE:7.2f}MB{own >> 20:6}MB{others >> 20:6}MB{disk >> 20:6}MB"
                    f"{seconds:6.1f}s  {answer}",
                    flush=True,
                )
                tidied(folder)
            if case.kill_at is not None:
                code, *_ = measured([motionctl, *case.commands[0]], folder, options.seconds, kill_at=case.kill_at)
                left = below(folder / "tmp")
                names = sorted(path.name for path in (folder / "tmp").rglob("*"))
                was_killed = code == -signal.SIGKILL
                failures += bool(names) or not was_killed
                count += 1
                print(
                    f"{case.name:34}{'kill -9':10}  {left >> 20} MB left in TMPDIR: {', '.join(names) or 'nothing'}"
                    + ("" if was_killed else " (IT HAD ENDED BEFORE)"),
                    flush=True,
                )
            shutil.rmtree(folder)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    if missing:
        print(f"Not measured, because they need PyArrow: {', '.join(missing)}.")
    print(f"{count} readings in {time.monotonic() - begun:.0f} s: {failures} beyond the limits")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
