# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Runs motionctl on damaged files within limits, and judges what it did."""

import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading
import time

MEGABYTE = 1 << 20
MEMORY = 200 * MEGABYTE
# Seconds of processor time per megabyte, at least for one; by the clock three times that, because others may run.
SECONDS = 2.0
# Output for a byte of input, beyond the first ten megabytes: as a compressed file may hold.
EXPANSION = 200
# What a terminal would act on: C0 but the line end, DEL, C1, marks that change the direction of text.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
ENVIRONMENT = {
    "PATH": os.environ.get("PATH", ""),
    "LANG": "C.UTF-8",
    "SWIFT_BACKTRACE": "enable=no",
    "HOME": "/nonexistent",
}

# Commands that compute something else than attitude.
ESTIMATORS = ("steps", "depth", "altitude")
# Of these, every second case gets one.
TARGETS = ("ndjson", "mcap", "cut", "tidy", "convert", *ESTIMATORS)


@dataclasses.dataclass
class Outcome:
    status: int
    output: bytes
    errors: bytes
    seconds: float
    peak: int
    is_late: bool


def run(command, folder, limit):
    """One process; ended after three times `limit` seconds and one."""
    with open(folder / "stdout", "w+b") as output, open(folder / "stderr", "w+b") as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, cwd=folder, env=ENVIRONMENT
        )
        late = threading.Event()

        def end():
            late.set()
            process.kill()

        timer = threading.Timer(3 * limit + 1, end)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        # It has been waited for; the object must not wait for another of that number.
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return Outcome(
            process.returncode,
            output.read(MEGABYTE * 8),
            errors.read(MEGABYTE),
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * 1024,
            late.is_set(),
        )


def faults(outcome, size, command):
    """What is wrong with one run on `size` bytes, by the process alone."""
    limit = SECONDS * max(1.0, size / MEGABYTE)
    if outcome.is_late or outcome.seconds > limit:
        yield (
            "hang",
            f"{outcome.seconds:.1f} s of processor time for {size} bytes" + (", ended" if outcome.is_late else ""),
        )
    elif outcome.status not in (0, 1):
        yield (
            "crash",
            f"ended with {outcome.status}"
            + (f" ({signal.Signals(-outcome.status).name})" if outcome.status < 0 else ""),
        )
    if outcome.peak > MEMORY:
        yield "memory", f"{outcome.peak / MEGABYTE:.0f} MB for {size} bytes"
    errors = outcome.errors.decode("utf-8", "replace")
    if outcome.status == 1 and "Error: " not in errors:
        yield "silence", "failed without a sentence"
    text = errors + ("" if "--json" in command or command[1] == "fuse" else outcome.output.decode("utf-8", "replace"))
    if found := CONTROLS.search(text):
        yield "escape", f"prints {found.group()!r}: {text[max(0, found.start() - 30) : found.end() + 20]!r}"


def report_of(outcome):
    """The objects of info --json by file."""
    result = {}
    for line in outcome.output.decode("utf-8", "replace").splitlines():
        try:
            report = json.loads(line)
            result[report["file"]] = report
        except (ValueError, KeyError):
            continue
    return result


def what_is_said(report):
    """Everything in a report that could tell of a loss."""
    streams = [
        (stream["kind"], stream["gaps"], stream["repeats"], stream["outOfOrder"], stream["clockJumps"])
        for stream in report["streams"]
    ]
    names = ("omitted", "isFinished", "warnings", "leftAside", "events", "otherTopics")
    return [streams, report["verdict"]["reasons"], *(report.get(name) for name in names)]


class Trial:
    """One damaged recording in a folder of its own."""

    def __init__(self, case, seed, data, judged, folder, choice=0):
        self.case, self.seed, self.judged, self.choice = case, seed, judged, choice
        self.folder = folder
        self.size = len(data) + sum(len(content) for name, content in seed.files.items() if name != seed.target)
        inner = folder / "recording"
        inner.mkdir(parents=True)
        for name, content in seed.files.items():
            (inner / name).write_bytes(content)
        (inner / seed.target).write_bytes(data)
        self.path = f"{folder}/recording" + (f"/{seed.path}" if seed.path else "")
        self.address = self.path + seed.options

    def third(self, motionctl):
        """What every second case gets besides info and fuse, another command each time; a process for one file is what costs time."""
        target = TARGETS[self.choice % len(TARGETS)]
        skip = ["--skip-errors"] if self.choice % 4 == 3 else []
        if target in ESTIMATORS:
            return [motionctl, target, self.address]
        if target == "cut":
            return [motionctl, "cut", self.address, f"{self.folder}/out.mcap", "--to", "1", *skip]
        name = {"tidy": "out.csv", "convert": "out.ndjson"}.get(
            target, "out." + target
        )
        options = {
            "convert": ["--with", "motion"],
        }.get(target, [])
        return [motionctl, "convert", self.address, f"{self.folder}/{name}", *options, *skip]

    def commands(self, motionctl):
        yield [motionctl, "info", self.address]
        yield [motionctl, "info", "--json", self.address]
        yield [motionctl, "fuse", self.address, "--skip-errors", "-o", f"{self.folder}/motion.csv"]
        yield self.third(motionctl)

    def written(self):
        return sum(
            path.stat().st_size
            for path in self.folder.iterdir()
            if path.is_file() and path.name not in ("stdout", "stderr")
        )

    def findings(self, motionctl, base):
        """Every fault of this case alone: (fault, sentence, command)."""
        for command in self.commands(motionctl):
            yield from self.judge(command, base)

    def judge(self, command, base):
        outcome = run(command, self.folder, SECONDS * max(1.0, self.size / MEGABYTE))
        for fault, sentence in faults(outcome, self.size, command):
            yield fault, sentence, command
        if self.written() > EXPANSION * self.size + 10 * MEGABYTE:
            yield "output", f"{self.written()} bytes written for {self.size}", command
        if "--json" in command and outcome.status == 0:
            for sentence in self.loss(report_of(outcome).get(self.path), base):
                yield "loss", sentence, command
        for path in self.folder.glob("*"):
            if path.is_file():
                path.unlink()

    def loss(self, report, base):
        """A row that this damage takes has to be counted or said."""
        if report is None:
            yield "info gives no object"
        elif (
            self.judged and base and report["samples"] < base["samples"] and what_is_said(report) == what_is_said(base)
        ):
            yield f"{base['samples']} samples become {report['samples']}, and nothing is said"

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def examine(trials, motionctl, bases):
    """All findings of a batch: several files in one process, and one by one where that shows anything."""
    suspects = {}
    folder = trials[0].folder.parent / f"batch-{trials[0].case}"
    folder.mkdir()
    addresses = [trial.address for trial in trials]
    size = sum(trial.size for trial in trials)
    for command in (
        [motionctl, "info", *addresses],
        [motionctl, "info", "--json", *addresses],
        [motionctl, "fuse", "--skip-errors", *addresses],
    ):
        outcome = run(command, folder, SECONDS * max(1.0, size / MEGABYTE))
        is_bad = any(faults(outcome, 0, command))
        reports = report_of(outcome) if "--json" in command else {}
        if "--json" in command:
            refused = outcome.errors.decode("utf-8", "replace").count("Error: ")
            is_bad = is_bad or len(reports) + refused < len(trials)
        for trial in trials:
            report = reports.get(trial.path)
            if is_bad or (report and any(trial.loss(report, bases.get(trial.seed.name)))):
                suspects[trial.case] = trial
    shutil.rmtree(folder)
    found = []
    for trial in trials:
        base = bases.get(trial.seed.name)
        if trial.case in suspects:
            found += [(trial, *finding) for finding in trial.findings(motionctl, base)]
        elif trial.choice % 2:
            found += [(trial, *finding) for finding in trial.judge(trial.third(motionctl), base)]
    return found


def reduced(trial, fault, command, motionctl, base, rounds=60):
    """Fewer bytes with the same fault: halves, quarters … are left out as long as it stays."""
    target = pathlib.Path(trial.folder, "recording", trial.seed.target)
    data, pieces, end = target.read_bytes(), 2, time.monotonic() + 20
    while rounds > 0 and pieces <= max(2, len(data)) and time.monotonic() < end:
        length = max(1, len(data) // pieces)
        for start in range(0, len(data), length):
            shorter = data[:start] + data[start + length :]
            target.write_bytes(shorter)
            trial.size = len(shorter)
            rounds -= 1
            if rounds <= 0 or time.monotonic() > end:
                break
            if fault != "loss" and any(found[0] == fault for found in trial.judge(command, base)):
                data, pieces = shorter, max(2, pieces - 1)
                break
        else:
            pieces *= 2
    target.write_bytes(data)
    return data
