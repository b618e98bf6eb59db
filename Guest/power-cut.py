#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Cuts the power of a computer that records, again and again, and reads what is on its disk.

  power-cut.py MOTIONCTL [record option ...]      (POWER_CUTS=N, default 20; Guest/setup.sh once before)

The guest records a simulated device onto an ext4 disk. At a random time it is stopped, and its disk is copied: what the guest's kernel
has not written yet is in no copy, as after a power cut. The copy's journal is replayed (e2fsck), the recording is taken out (debugfs)
and read (motionctl info). It must be readable, and lose no more than LOSS seconds before the cut. Exit status 1 when one is not.

The disk itself keeps what it has been given, in order: a disk that lies about its cache is not simulated.
"""
import json
import os
import random
import re
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
os.environ["PATH"] += ":/usr/sbin:/sbin"
CUTS = int(os.environ.get("POWER_CUTS", "20"))
SEED = int(os.environ.get("POWER_CUTS_SEED", "1"))
# A second between two writes to the disk, and what the emulated processor takes to write and to tell its time.
LOSS = float(os.environ.get("POWER_CUTS_LOSS", "1.6"))


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


class Guest:
    """A guest with a disk, and the socket on which its processor is stopped."""

    def __init__(self, folder, program, arguments):
        self.disk = os.path.join(folder, "disk")
        with open(self.disk, "wb") as file:
            file.truncate(1 << 29)
        made = run("mkfs.ext4", "-q", "-F", self.disk)
        if made.returncode:
            raise SystemExit("power-cut: " + made.stdout)
        path = os.path.join(folder, "qmp")
        self.process = subprocess.Popen(
            [os.path.join(HERE, "run.sh"), "-d", "none", "-b", self.disk, "-q", path, "-t", "7200", program] + arguments,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.uptime, self.pending, self.words = 0.0, b"", []
        self.socket = socket.socket(socket.AF_UNIX)
        for _ in range(600):
            try:
                self.socket.connect(path)
                break
            except OSError:
                time.sleep(0.1)
        self.answers = self.socket.makefile("r")
        self.answers.readline()
        self.tell("qmp_capabilities")

    def tell(self, command):
        self.socket.sendall(json.dumps({"execute": command}).encode() + b"\n")
        while "return" not in json.loads(self.answers.readline()):
            pass

    def listen(self, seconds):
        """Reads what the guest says for so long; false when it has ended."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.process.stdout], [], [], left)[0]:
                break
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                return False
            *lines, self.pending = (self.pending + data).replace(b"\r", b"").split(b"\n")
            for line in lines:
                if line.startswith(b"uptime "):
                    self.uptime = float(line.split()[1])
                else:
                    self.words.append(line.decode(errors="replace"))
        return True


def check(image, program, folder):
    """The time of the last sample that can be read, on the guest's clock; a text when something is wrong."""
    repaired = run("e2fsck", "-fy", image)
    if repaired.returncode > 1:
        return "e2fsck: " + repaired.stdout
    names = sorted(re.findall(r"walk[-0-9]*\.mcap", run("debugfs", "-R", "ls -p /", image).stdout))
    last = None
    for name in reversed(names):
        path = os.path.join(folder, name)
        run("debugfs", "-R", f"dump /{name} {path}", image)
        first = re.search(rb'"timestamp_ns":(\d+)', open(path, "rb").read())
        info = run(program, "info", path, "--json")
        if info.returncode == 0 and first:
            report = json.loads(info.stdout.splitlines()[-1])
            if last is None:
                last = int(first[1]) / 1e9 + report["duration"]
            elif not report["isFinished"]:
                return f"{name} is not finished, and a later one was begun"
            # Those before were looked at in earlier cuts.
            if name != names[-1]:
                break
        elif name != names[-1]:
            return f"{name}: {info.stdout}"
    return last if last is not None else 0.0


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    program = os.path.realpath(sys.argv[1])
    chance = random.Random(SEED)
    folder = tempfile.mkdtemp(prefix="power-cut-")
    arguments = ["record", "simulate:handheld", "-o", "/disk/walk.mcap", "--rotate-every", "20"] + sys.argv[2:]
    guest = Guest(folder, program, arguments)
    losses, failures = [], []
    try:
        image = os.path.join(folder, "cut")
        has_begun, patience = False, time.monotonic() + 300
        while len(losses) + len(failures) < CUTS:
            if not guest.listen(chance.uniform(0.02, 0.5)):
                raise SystemExit("power-cut: the guest has ended: " + " / ".join(guest.words))
            guest.tell("stop")
            guest.listen(0.05)
            run("cp", "--sparse=always", guest.disk, image)
            last = check(image, program, folder)
            # Before the first sample there is nothing to lose.
            if last == 0.0 and not has_begun and time.monotonic() < patience:
                guest.tell("cont")
                guest.listen(2)
                continue
            has_begun = True
            if isinstance(last, str):
                failures.append(f"cut at {guest.uptime:.2f} s: {last}")
            elif guest.uptime - last > LOSS:
                failures.append(f"cut at {guest.uptime:.2f} s: readable up to {last:.2f} s only")
            else:
                losses.append(guest.uptime - last)
            guest.tell("cont")
        guest.tell("quit")
    finally:
        guest.process.terminate()
        shutil.rmtree(folder, ignore_errors=True)
    for failure in failures:
        print("power-cut: FAILED:", failure)
    lost = ", ".join(f"{word} {value:.2f} s" for word, value in
                     [("median", sorted(losses)[len(losses) // 2]), ("most", max(losses))]) if losses else "none read"
    print(f"power-cut: {CUTS} cuts over {guest.uptime:.0f} s of recording, {len(failures)} failed; lost: {lost}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
