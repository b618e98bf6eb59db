#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The examples of Bindings/Python/examples on the same recordings: time, processor time and memory; a table in Markdown.

  Scripts/build-wheel.sh
  python3 -m venv .build-engines
  .build-engines/bin/pip install .build-python/dist/*_$(uname -m).whl pyarrow polars duckdb 'dask[dataframe]' pyspark ray aiohttp vqf
  .build-engines/bin/python Benchmarks/engines.py [--recordings 400] [--seconds 60] [--runs 3] [--engines NAME …] [--parts]

Parquet in, all 17 columns of motion as Parquet with zstd out; the least of --runs. Processor time and memory are those of all processes
that an engine starts, with its own start and imports; memory is that of the largest process. "pandas + vqf" writes the attitude only, and
"Polars, attitude" does the same work, with a calibrated magnetometer, too.
"""

import argparse
import ctypes
import importlib.util
import os
import pathlib
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "Bindings/Python/examples"
sys.path.insert(0, str(ROOT / "Bindings/Python/tests"))
PANDAS = """
import sys, numpy as np, pandas as pd, vqf
raw = pd.read_parquet(sys.argv[1]); parts = []
for name, rows in raw.groupby("recording", sort=False):
    acc, gyr, mag = (np.ascontiguousarray(rows[[s + a for a in "xyz"]].to_numpy()) for s in "agm")
    q = vqf.VQF(0.01).updateBatch(gyr, acc, mag)["quat9D"]
    columns = {"recording": name, "timestamp_ns": rows.timestamp_ns.to_numpy()}
    parts.append(pd.DataFrame(columns | {f"attitude_{a}": q[:, i] for i, a in enumerate("wxyz")}))
pd.concat(parts).to_parquet(sys.argv[2], compression="zstd")
"""
POLARS = """
import sys, polars as pl
from opencoremotion import arrow
raw = pl.read_parquet(sys.argv[1] + "/*.parquet")
def motion(rows): return pl.from_arrow(arrow.fuse(rows, columns=arrow.MOTION[:4], calibrated=True))
raw.group_by("recording", maintain_order=True).map_groups(motion).write_parquet(sys.argv[2], compression="zstd")
"""
ENGINES = {
    "pandas + vqf": ("long", "vqf", PANDAS),
    "Polars, attitude": ("long", "polars", POLARS),
    "PyArrow": ("nested", "pyarrow", "pyarrow"),
    "PyArrow, long": ("long", "pyarrow", "pyarrow"),
    "Polars": ("long", "polars", "polars"),
    "DuckDB": ("nested", "duckdb", "duckdb"),
    "Dask": ("long", "dask", "dask"),
    "Ray": ("nested", "ray", "ray"),
    "Spark": ("nested", "pyspark", "spark"),
    "Spark, long": ("long", "pyspark", "spark"),
    "motionctl": ("long", "pyarrow", None),
}


def measure(command, environment):
    """Wall time, processor time and largest memory of a command, and of what it started and left behind."""
    child = os.fork()
    if child == 0:
        # The Java machine outlives the program that started it: it becomes this process's child, and is waited for.
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
        start = time.perf_counter()
        done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wall = time.perf_counter() - start
        while True:
            try:
                os.wait()
            except ChildProcessError:
                break
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, file=open(environment["RESULT"], "w"))
        if done.returncode:
            print(done.stderr, file=sys.stderr)
        os._exit(1 if done.returncode else 0)
    if os.waitpid(child, 0)[1]:
        sys.exit(f"{command} failed")
    return [float(word) for word in pathlib.Path(environment["RESULT"]).read_text().split()]


def print_parts(source, target, rows):
    """Processor time of reading, of the filter and of writing."""
    import pyarrow.parquet as pq

    from opencoremotion import arrow

    def part(name, function):
        start = time.process_time()
        result = function()
        print(f"{name}: {(time.process_time() - start) / rows * 1e9:,.0f} ns a row", flush=True)
        return result

    raw = part("read", lambda: pq.read_table(source))
    for name, options in (("6D", {"magnetometer": False}), ("9D, calibrated", {"calibrated": True}), ("9D", {})):
        motion = part(f"fuse, {name}", lambda: arrow.fuse(raw, **options))
    part("write, dictionaries", lambda: pq.write_table(motion, target, compression="zstd"))
    part("write", lambda: pq.write_table(motion, target, compression="zstd", use_dictionary=False))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--recordings", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--engines", nargs="*", default=list(ENGINES))
    parser.add_argument("--parts", action="store_true", help="reading, filter and writing one after the other, with PyArrow")
    parser.add_argument("--motionctl", default=str(ROOT / ".build/release/motionctl"))
    arguments = parser.parse_args()
    import made_recordings

    rows = int(arguments.recordings * arguments.seconds * 100)
    with tempfile.TemporaryDirectory() as folder:
        made_recordings.write(folder, arguments.recordings, arguments.seconds)
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "MOTION_PYTHON": sys.executable, "RESULT": f"{folder}/result"}
        size = sum(path.stat().st_size for path in pathlib.Path(folder, "nested").iterdir()) / 1e6
        print(f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {rows:,} rows, {size:.0f} MB\n")
        if arguments.parts:
            return print_parts(f"{folder}/nested", f"{folder}/motion.parquet", rows)
        print("| engine | layout | time, s | processor time, s | ns a row | rows a second and core | memory, MB |")
        print("|---|---|---|---|---|---|---|")
        for name in arguments.engines:
            layout, module, example = ENGINES[name]
            target, source = f"{folder}/motion.parquet", f"{folder}/{layout}"
            if example in (PANDAS, POLARS):
                command = [sys.executable, "-c", example, source, target]
            elif example:
                command = [sys.executable, str(EXAMPLES / f"{example}_fuse.py"), source, target]
            else:
                one = f"{folder}/one.parquet"
                import pyarrow.parquet as pq

                pq.write_table(pq.read_table(source), one, compression="zstd")
                command = [arguments.motionctl, "fuse", "--in", "parquet", "--out", "parquet", "--frame", "magnetic", one, "-o", target]
            if importlib.util.find_spec(module) is None or (name == "motionctl" and not os.path.exists(command[0])):
                print(f"| {name} | {layout} | not installed |")
                continue
            best = [float("inf")] * 3
            for _ in range(arguments.runs):
                shutil.rmtree(target, ignore_errors=True)
                best = [min(pair) for pair in zip(best, measure(command, environment))]
            wall, processor, memory = best
            each = processor / rows * 1e9
            print(f"| {name} | {layout} | {wall:.1f} | {processor:.1f} | {each:,.0f} | {1e3 / each:.2f} M | {memory:,.0f} |", flush=True)


main()
