#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""What takes long to show of a recorder: kills, two recorders, full disks, clock jumps, a day of memory. `make long-runs`.

    Scripts/long-runs.py MOTIONCTL [kills | recorders | disk | clock | memory] ...

Each prints a row of a table (Documentation/LongRuns.md keeps those of the last run); the exit code is 1 when one has failed.
The others have commands of their own: make attack, make fuzz, make test-store, Guest/power-cut.py, make tsan, make soak.

  LONG_KILLS       of `record`, default 1000
  LONG_RECORDERS   pairs that want the same file, default 200
  LONG_DISKS       disks that run full, default 100 (needs root or user namespaces)
  LONG_JUMPS       of the wall clock while recorders run, default 100 (needs cc)
  LONG_HOURS       simulated, default 24
  LONG_SEED        of the random numbers, default 1
"""

import concurrent.futures
import datetime
import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time

SOURCE = "simulate:handheld?seed={}"
# What is written to the disk once a second, and what a busy computer takes to start a program and to write.
LOSS = 1.0 + float(os.environ.get("LONG_PATIENCE", "1.0"))


def number(name, default):
    return int(os.environ.get("LONG_" + name, default))


class Failed(Exception):
    pass


def require(condition, sentence):
    if not condition:
        raise Failed(sentence)


class Runs:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "MOTION_STORE": str(folder / "none.sqlite")}

    def start(self, *words, wrapper=(), **environment):
        return subprocess.Popen(
            [*wrapper, self.program, *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**self.environment, **environment},
        )

    def info(self, path):
        """The report of a recording; None and what was said when it cannot be read."""
        done = subprocess.run(
            [self.program, "info", "--json", path], capture_output=True, text=True, env=self.environment
        )
        if done.returncode == 0:
            return json.loads(done.stdout.splitlines()[-1]), done.stderr
        require(done.returncode == 1 and "Error: " in done.stderr, f"info ended with {done.returncode}: {done.stderr}")
        return None, done.stderr

    def room(self, name):
        path = self.folder / name
        path.mkdir()
        return path

    # Each of the following is one case: (figures to collect).

    def kill(self, case):
        """A recorder is killed at any moment up to three seconds after its start."""
        chance = random.Random(f"{number('SEED', 1)}/kill/{case}")
        room = self.room(f"kill-{case}")
        path = room / "walk.mcap"
        options = chance.choice([[], ["--compress", "zstd"], ["--with", "motion"], ["--rotate-every", "1"]])
        begun = time.monotonic()
        process = self.start("record", SOURCE.format(case), "-o", path, *options)
        time.sleep(chance.uniform(0, 3))
        process.kill()
        elapsed = time.monotonic() - begun
        said = process.communicate()[1].decode()
        require("Error" not in said, said)
        files = sorted(room.iterdir())
        require(all(file.suffix == ".mcap" for file in files), f"left behind: {[file.name for file in files]}")
        recorded = 0.0
        for file in files:
            report, said = self.info(file)
            # One that is empty, or holds no sample yet, was killed in its first moments.
            require(report is not None or file == files[-1], f"{file.name} cannot be read: {said}")
            recorded += report["duration"] if report else 0
        require(elapsed - recorded <= LOSS, f"killed after {elapsed:.2f} s, {recorded:.2f} s are left ({options})")
        return max(0.0, elapsed - recorded)

    def pair(self, case):
        """Two recorders of one file: one records, the other is refused with a sentence."""
        room = self.room(f"pair-{case}")
        both = [self.start("record", SOURCE.format(case), "-o", room / "walk.mcap", "--for", 1) for _ in range(2)]
        said = [process.communicate()[1].decode() for process in both]
        statuses = sorted(process.returncode for process in both)
        require(statuses == [0, 1], f"ended with {statuses}: {said}")
        loser = said[0 if both[0].returncode else 1]
        require("Error: " in loser, f"refused without a sentence: {loser}")
        report, _ = self.info(room / "walk.mcap")
        require(report and report["isFinished"] and report["duration"] > 0.95, f"the winner's file: {report}")
        return 0.0

    def disk(self, case):
        """A disk of some megabytes runs full: the recorder says so, and what it wrote is read."""
        chance = random.Random(f"{number('SEED', 1)}/disk/{case}")
        room = self.room(f"disk-{case}")
        size = chance.randrange(300, 6000)
        copy = self.folder / f"disk-{case}.mcap"
        script = (
            f"mount -t tmpfs -o size={size}k none {room} || exit 75\n"
            f'"$0" "$@" -o {room}/walk.mcap; status=$?\n'
            f"cp {room}/walk.mcap {copy} && exit $status"
        )
        compress = chance.choice([[], ["--compress", "zstd"]])
        done = subprocess.run(
            ["unshare", "--map-root-user", "--mount", "sh", "-c", script, self.program, "record"]
            + [SOURCE.format(case) + "&speed=max&rate=200", "--for", "10m", *compress],
            capture_output=True,
            text=True,
            env=self.environment,
        )
        require(done.returncode == 1, f"ended with {done.returncode}: {done.stderr}")
        require("Error: " in done.stderr and "no space left" in done.stderr, f"does not say what happened: {done.stderr}")
        report, said = self.info(copy)
        require(report and report["samples"] > 0, f"what was written before cannot be read: {said}")
        gaps = sum(stream["gaps"] for stream in report["streams"])
        require(gaps == 0, f"{gaps} gaps in what was written before")
        left = copy.stat().st_size / size / 1024
        copy.unlink()
        return left

    def jump(self, case):
        """The wall clock jumps while a recorder runs: its times go on."""
        chance = random.Random(f"{number('SEED', 1)}/jump/{case}")
        room = self.room(f"jump-{case}")
        clock = room / "clock"
        # Three years ahead at the start: this shows that the clock is the one that is moved.
        clock.write_bytes(struct.pack("<q", 10**8))
        begun = time.time()
        process = self.start(
            *("record", SOURCE.format(case), "-o", room / "walk.mcap", "--for", 2),
            LD_PRELOAD=str(self.folder / "jumping-clock.so"),
            CLOCK_OFFSET=str(clock),
        )
        with open(clock, "r+b", buffering=0) as offset:
            time.sleep(0.5)
            while process.poll() is None:
                time.sleep(chance.uniform(0.02, 0.3))
                offset.seek(0)
                offset.write(struct.pack("<q", chance.choice([-1, 1]) * 10 ** chance.randrange(9)))
        said = process.communicate()[1].decode()
        require(process.returncode == 0, said)
        report, _ = self.info(room / "walk.mcap")
        require(report and report["isFinished"] and 1.9 < report["duration"] < 2.1, f"the recording: {report}")
        began = datetime.datetime.fromisoformat(report["began"]).timestamp()
        require(abs(began - begun - 10**8) < 10, f"the wall clock was not moved: it began {report['began']}")
        wrong = [s for s in report["streams"] if s["gaps"] or s["clockJumps"] or s["outOfOrder"] or s["repeats"]]
        require(not wrong, f"streams with gaps or jumps: {wrong}")
        return 0.0

    def day(self, name, *words):
        """The memory of one command over simulated hours: the most in the first quarter, and in the last half."""
        hours = number("HOURS", 24)
        room = self.room(name)
        words = [str(word).replace("@", str(room)).replace("HOURS", f"{hours}h") for word in words]
        process = self.start(*words, MOTION_STORE=str(room / "history.sqlite"))
        readings, begun = [], time.monotonic()
        while process.poll() is None:
            try:
                status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                readings.append(int(status.split("VmRSS:")[1].split()[0]) / 1024)
            except (OSError, IndexError):
                break
            for file in sorted(room.glob("*.mcap"))[:-2]:
                file.unlink()
            time.sleep(0.05)
        said = process.communicate()[1].decode()
        require(process.returncode == 0, said)
        # What a program keeps it has after a quarter: the system's allocator has then seen all that happens.
        early = max(readings[: max(1, len(readings) // 4)])
        late = max(readings[len(readings) // 2 :])
        require(late <= early + 4, f"{name}: {early:.1f} MB in the first quarter, {late:.1f} MB in the last half")
        print(
            f"| memory | `{name}`, {hours} simulated hours in {time.monotonic() - begun:.0f} s | {early:.1f} MB in the first quarter, "
            f"{late:.1f} MB in the last half |",
            flush=True,
        )


def many(runs, name, case, count, side_by_side, sentence):
    """Runs cases side by side and prints one row."""
    begun, figures, failures = time.monotonic(), [], []
    with concurrent.futures.ThreadPoolExecutor(side_by_side) as pool:
        for index, future in enumerate([pool.submit(case, index) for index in range(count)]):
            try:
                figures.append(future.result())
                shutil.rmtree(runs.folder / f"{case.__name__}-{index}", ignore_errors=True)
            except (Failed, OSError, ValueError) as error:
                failures.append(f"{name} {index}: {error}")
    for failure in failures[:10]:
        print(failure, file=sys.stderr)
    figures.sort()
    said = sentence(figures) if figures else "none passed"
    print(
        f"| {name} | {count} in {time.monotonic() - begun:.0f} s | {len(failures)} failed; {said} |",
        flush=True,
    )
    return not failures


def kills(runs):
    def sentence(lost):
        return f"at the kill, start of the program included: median {lost[len(lost) // 2]:.2f} s, most {lost[-1]:.2f} s"

    return many(runs, "kills of `record`", runs.kill, number("KILLS", 1000), 8, sentence)


def recorders(runs):
    return many(
        *(runs, "two recorders of one file", runs.pair, number("RECORDERS", 200), 4),
        lambda _: "one records, the other is refused with a sentence",
    )


def disk(runs):
    return many(
        *(runs, "disks that run full", runs.disk, number("DISKS", 100), 2),
        lambda used: f"readable without a gap; {100 * used[0]:.0f} to {100 * used[-1]:.0f} % of the disk is recording",
    )


def clock(runs):
    source = pathlib.Path(__file__).with_name("jumping-clock.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", runs.folder / "jumping-clock.so", source], check=True)
    return many(
        *(runs, "recordings under jumps of the wall clock", runs.jump, number("JUMPS", 100), 8),
        lambda _: "no gap, no jump of a sample's time",
    )


def memory(runs):
    passed = True
    for name, words in {
        "record": ["record", "simulate:handheld?rate=100&speed=max", "--rotate-every", "1h", "--for", "HOURS", "-o", "@/day.mcap"],
        "stream": ["stream", "simulate:handheld?rate=100&speed=max", "--for", "HOURS"],
        "steps": ["steps", "simulate:handheld?rate=50&speed=max", "--for", "HOURS"],
    }.items():
        try:
            runs.day(name, *words)
        except Failed as error:
            print(f"| memory | `{name}` | FAILED: {error} |")
            passed = False
    return passed


KINDS = {"kills": kills, "recorders": recorders, "disk": disk, "clock": clock, "memory": memory}


def main():
    wanted = sys.argv[2:] or list(KINDS)
    if len(sys.argv) < 2 or not set(wanted) <= set(KINDS):
        raise SystemExit(__doc__)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="long-runs-"))
    try:
        runs = Runs(os.path.realpath(sys.argv[1]), folder)
        print("| what | how much | result |\n|---|---|---|", flush=True)
        return 0 if all([KINDS[name](runs) for name in wanted]) else 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
