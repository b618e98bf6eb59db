# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Filters over trials, in as many processes as there are processors."""

import itertools
import math
import os
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

from . import Skipped
from .trials import Trial, errors


def measure(filter, path, rate):
    """Errors of one trial with one filter, in 9D and 6D; None where it has none."""
    warnings.simplefilter("ignore")
    trial = Trial(path, rate)
    figures = [errors(filter(trial, nine), trial) if possible else None for nine, possible in ((True, filter.nine), (False, filter.six))]
    if not all(math.isfinite(error) for pair in figures if pair for error in pair):
        raise ArithmeticError(f"no finite attitude in {trial.name}")
    return figures


def run(filters, files):
    """The results of each filter, a list in the order of the files, or the Skipped that says why there are none."""
    results = [[None] * len(files) for _ in filters]
    failures = {}
    ready = []
    for index, filter in enumerate(filters):
        try:
            filter.check()
            ready.append(index)
        except Skipped as reason:
            failures[index] = reason
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(measure, filters[i], *files[k]): (i, k) for i in ready for k in range(len(files))}
        for done, job in enumerate(as_completed(jobs), 1):
            index, file = jobs[job]
            try:
                results[index][file] = job.result()
            except BrokenProcessPool:
                failures.setdefault(index, Skipped(f"{filters[index].title}: a package ended the process"))
            except Exception as error:  # A package of another version: the others still count.
                sentence = str(error).strip().split("\n")[0]
                failures.setdefault(index, Skipped(f"{filters[index].title}: {type(error).__name__}: {sentence}"))
            if sys.stderr.isatty():
                print(f"\r{done} of {len(jobs)} runs", end="" if done < len(jobs) else "\n", file=sys.stderr, flush=True)
    return [failures.get(index, result) for index, result in enumerate(results)]


def mean(values):
    return sum(values) / len(values)


def tune(filters, files):
    """Prints the best of each filter's grid on every second trial, the first one included, and its error there and on the others."""
    for filter in (f for f in filters if f.grid):
        names, values = list(filter.grid), list(filter.grid.values())
        candidates = [replace(filter, settings=dict(zip(names, chosen)), six=False) for chosen in itertools.product(*values)]
        results = run(candidates, files[::2])
        scored = [(mean([r[0][0] for r in result]), c) for c, result in zip(candidates, results) if not isinstance(result, Skipped)]
        if not scored:
            print(f"{filter.name}: {results[0]}", flush=True)
            continue
        best, chosen = min(scored, key=lambda pair: pair[0])
        other = mean([r[0][0] for r in run([chosen], files[1::2])[0]])
        at_edge = [n for n, v in chosen.settings.items() if len(filter.grid[n]) > 2 and v in (filter.grid[n][0], filter.grid[n][-1])]
        edge = f"; at the edge of its grid: {', '.join(at_edge)}" if at_edge else ""
        print(f"{chosen.title}: {best:.3f}° there, {other:.3f}° on the others, {len(candidates)} combinations{edge}", flush=True)
