#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Attacks motionctl with damaged recordings of every format that it reads: `make attack`.

Each case is a good recording with one piece of damage that keeps to the format: a length, an offset, a cell, a key, a sum that fits.
motionctl info, fuse and, in turn, convert, cut and the commands of other estimators (steps, depth, altitude)
read it within 200 MB and 2 s of processor time per megabyte. It has to end with 0, or with 1 and a sentence; it prints nothing that a terminal would act on; and a row that it could not use is counted or said.
The table has a line per seed. Files with a finding, made as small as the finding allows, are kept; the exit code is then 1.
The same ATTACK_SEED makes the same cases.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import resource
import shutil
import signal
import sys
import tempfile
import time

import containers
import seeds
import trial

BATCH = 25


def arguments():
    environment = os.environ
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("motionctl", help="the program, a release build")
    parser.add_argument(
        "--cases", type=int, default=int(environment.get("ATTACK_CASES", 4000)), help="how many (ATTACK_CASES, 4000)"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=int(environment.get("ATTACK_SEED", environment.get("SEED", 1))),
        help="of the random numbers (ATTACK_SEED, 1)",
    )
    parser.add_argument("--case", type=int, help="this one alone")
    parser.add_argument("--format", help="only seeds whose name contains this")
    parser.add_argument("--keep", default=".build-attack", help="the folder for files with a finding (.build-attack)")
    parser.add_argument(
        "--data",
        default=environment.get("OPENCOREMOTION_DATA", "../shared/data"),
        help="real recordings, where there are any",
    )
    parser.add_argument("--seconds", type=float, help="begin no new batch after this time; what was not tried is said")
    return parser.parse_args()


def make(options, case, all_seeds, folder):
    """The case of this number."""
    numbers = random.Random(f"{options.seed}/{case}")
    seed = all_seeds[case % len(all_seeds)]
    data, judged = containers.MUTATORS[seed.kind](seed.files[seed.target], numbers)
    return trial.Trial(case, seed, data, judged, folder / f"case-{case}", numbers.randrange(4 * len(trial.TARGETS)))


def bases_of(all_seeds, motionctl, folder):
    """What info says of each seed; one that cannot be read is no seed."""
    bases = {}
    for index, seed in enumerate(all_seeds):
        whole = trial.Trial(index, seed, seed.files[seed.target], False, folder / f"seed-{index}")
        outcome = trial.run([motionctl, "info", "--json", whole.address], whole.folder, 10)
        report = trial.report_of(outcome).get(whole.path)
        if not report or outcome.status or not report["samples"]:
            sys.exit(f"Error: the seed “{seed.name}” is not read: {outcome.errors.decode(errors='replace')}")
        bases[seed.name] = report
        whole.remove()
    return bases


def keep(options, found, motionctl, bases):
    """Stores the file of a finding and says how to see it."""
    damaged, fault, sentence, command = found
    folder = pathlib.Path(options.keep, f"{options.seed}-{damaged.case}-{fault}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copytree(damaged.folder / "recording", folder / "whole")
    data = trial.reduced(damaged, fault, command, motionctl, bases.get(damaged.seed.name))
    shutil.copytree(damaged.folder / "recording", folder / "reduced")
    words = " ".join(
        word.replace(str(damaged.folder), str(folder)).replace("/recording", "/reduced") for word in command[1:]
    )
    text = f"{fault.upper()} {damaged.seed.name}, case {damaged.case}: {sentence}\n  {len(data)} bytes: motionctl {words}\n"
    (folder / "finding.txt").write_text(text)
    return text


def main():
    options = arguments()
    motionctl = str(pathlib.Path(options.motionctl).resolve())
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # So that the files in memory are removed at a kill, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    started = time.monotonic()
    # In memory where possible: thousands of small files.
    root = pathlib.Path(tempfile.mkdtemp(prefix="attack-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    counts, texts, tried = collections.defaultdict(collections.Counter), [], 0
    try:
        (root / "seeds").mkdir()
        all_seeds = [
            seed
            for seed in seeds.all_seeds(motionctl, root / "seeds", pathlib.Path(options.data))
            if (options.format or "") in seed.name
        ]
        bases = bases_of(all_seeds, motionctl, root)
        cases = [options.case] if options.case is not None else range(options.cases)

        def batch(numbers):
            if options.seconds and time.monotonic() - started > options.seconds:
                return [], []
            trials = [make(options, number, all_seeds, root) for number in numbers]
            return trials, trial.examine(trials, motionctl, bases)

        pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2)

        def outcomes():
            """A few batches at a time: what is done and not looked at yet stays in memory."""
            batches = [cases[start : start + BATCH] for start in range(0, len(cases), BATCH)]
            for start in range(0, len(batches), 8):
                yield from pool.map(batch, batches[start : start + 8])

        try:
            for trials, found in outcomes():
                tried += len(trials)
                for damaged in trials:
                    counts[damaged.seed.name]["cases"] += 1
                seen = set()
                for finding in found:
                    name, fault = finding[0].seed.name, finding[1]
                    counts[name][fault] += 1
                    # Of one kind a few examples are enough.
                    if counts[name][fault] <= 2 and (finding[0].case, fault) not in seen:
                        seen.add((finding[0].case, fault))
                        texts.append(keep(options, finding, motionctl, bases))
                        print(texts[-1], end="", flush=True)
                for damaged in trials:
                    damaged.remove()
        finally:
            pool.shutdown(cancel_futures=True)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    columns = ["cases", "crash", "hang", "memory", "loss", "silence", "escape", "output"]
    print(f"\n{'seed':24}" + "".join(f"{name:>9}" for name in columns))
    for name in sorted(counts):
        print(f"{name:24}" + "".join(f"{counts[name][column]:9}" for column in columns))
    findings = sum(count for row in counts.values() for fault, count in row.items() if fault != "cases")
    print(
        f"{tried} of {len(cases)} cases (ATTACK_SEED={options.seed}) in {time.monotonic() - started:.0f} s: {findings} findings"
        + (f", kept in {options.keep}" if findings else "")
    )
    return 1 if findings or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
