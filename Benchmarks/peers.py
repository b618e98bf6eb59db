#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Our orientation filter beside others: the same data, the same errors, one run.

  Benchmarks/peers.py DIR

DIR holds .f32 files of the BROAD layout and perhaps index.json (data/broad/README.md defines both and the errors). Ours are the
figures of `motionctl bench accuracy --json`; every other filter runs here with the defaults of its package and is
skipped, by name, when it is not installed:

  python3 -m venv .build-peers
  .build-peers/bin/pip install numpy vqf ahrs imufusion
  swift build -c release --product motionctl
  Benchmarks/peers.py --venv .build-peers DIR

VQF's C++ is compiled here (g++ -O2, from the sources in the `vqf` package) and timed through its own update function, so
that Python does not flatter us. Times are processor time, the smallest of several passes (one for ahrs and imufusion);
ours and those of VQF's C++ are updates alone, with nothing read from the filter between them. Those of Python packages
contain the reading of the result and what Python costs; of ahrs, which is Python all through, they say little about
its algorithms.
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

COLUMNS = 17
USUAL_RATE = 2000 / 7

DRIVER = r"""
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <vector>
#include "vqf.hpp"

static double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

// Arguments: sample interval in seconds, passes, files. Prints updates, and ns of all updates in 9D and in 6D.
int main(int argc, char **argv) {
  const double interval = atof(argv[1]);
  const int passes = atoi(argv[2]);
  double total[2] = {0, 0}, updates = 0, unused = 0;
  for (int file = 3; file < argc; file++) {
    std::ifstream stream(argv[file], std::ios::binary | std::ios::ate);
    std::vector<float> raw(stream.tellg() / sizeof(float));
    stream.seekg(0);
    stream.read(reinterpret_cast<char *>(raw.data()), raw.size() * sizeof(float));
    const size_t count = raw.size() / 17;
    std::vector<vqf_real_t> rows(count * 9);
    for (size_t row = 0; row < count; row++)
      for (size_t column = 0; column < 9; column++) rows[row * 9 + column] = raw[row * 17 + column];
    updates += count;
    for (int axes = 0; axes < 2; axes++) {
      double best = 1e300;
      for (int pass = 0; pass < passes; pass++) {
        VQF filter(interval);
        const double begun = now();
        if (axes == 0)
          for (size_t row = 0; row < count; row++) filter.update(&rows[row * 9], &rows[row * 9 + 3], &rows[row * 9 + 6]);
        else
          for (size_t row = 0; row < count; row++) filter.update(&rows[row * 9], &rows[row * 9 + 3]);
        const double used = now() - begun;
        if (used < best) best = used;
        vqf_real_t quaternion[4];
        filter.getQuat6D(quaternion);
        unused += quaternion[0];
      }
      total[axes] += best;
    }
  }
  printf("%.0f %.0f %.0f\n", updates, total[0], total[1]);
  return unused == 0.123456789;
}
"""


class Skipped(Exception):
    """Why a filter does not take part."""


class Trial:
    """One file; imports of numpy are inside, because it may live in the virtual environment only."""

    def __init__(self, path, rate):
        import numpy as np

        rows = np.fromfile(path, dtype="<f4").astype(np.float64)
        if rows.size == 0 or rows.size % COLUMNS:
            sys.exit(f"{path} is no table of {COLUMNS} 32-bit floats a row.")
        rows = rows.reshape(-1, COLUMNS)
        self.path, self.rate, self.name = path, rate, path.stem
        self.gyroscope = np.ascontiguousarray(rows[:, 0:3])
        self.accelerometer = np.ascontiguousarray(rows[:, 3:6])
        self.magnetometer = np.ascontiguousarray(rows[:, 6:9])
        self.reference = rows[:, 9:13]
        self.counts = (rows[:, 16] == 1) & np.isfinite(self.reference).all(axis=1)

    def start(self, north):
        """Quaternion of the first row's accelerometer and magnetometer; `north`: the world axis (x or y) that points there."""
        import numpy as np

        up = self.accelerometer[0] / np.linalg.norm(self.accelerometer[0])
        east = np.cross(self.magnetometer[0], up)
        east /= np.linalg.norm(east)
        ahead = np.cross(up, east)
        matrix = np.array([east, ahead, up]) if north == "y" else np.array([ahead, -east, up])
        w = math.sqrt(max(0.0, 1 + np.trace(matrix))) / 2
        if w < 1e-3:  # A half turn: another quaternion close to it does as well for a start.
            return np.array([1.0, 0, 0, 0])
        m = matrix
        return np.array([w, (m[2, 1] - m[1, 2]) / (4 * w), (m[0, 2] - m[2, 0]) / (4 * w), (m[1, 0] - m[0, 1]) / (4 * w)])


def product(a, b):
    """Hamilton product of arrays of quaternions, w x y z in the last axis."""
    import numpy as np

    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def errors(estimate, trial):
    """RMS of total, heading and inclination in degrees over the movement (README of the data)."""
    import numpy as np

    estimate, reference = estimate[trial.counts], trial.reference[trial.counts]
    reference = reference / np.linalg.norm(reference, axis=1, keepdims=True)
    estimate = estimate / np.linalg.norm(estimate, axis=1, keepdims=True)
    w, _, _, z = np.moveaxis(product(estimate, reference * [1, -1, -1, -1]), -1, 0)
    total = 2 * np.arccos(np.clip(np.abs(w), 0, 1))
    heading = 2 * np.arctan2(np.abs(z), np.abs(w))
    inclination = 2 * np.arccos(np.clip(np.sqrt(w * w + z * z), 0, 1))
    return [math.degrees(math.sqrt(np.mean(e * e))) for e in (total, heading, inclination)]


def to_east_north_up(quaternions):
    """From a world whose x axis is north and whose y axis is west."""
    import numpy as np

    half = math.sqrt(0.5)
    return product(np.array([half, 0, 0, half]), quaternions)


# Each of these runs one filter over one trial: (trial, uses magnetometer) → quaternions sensor → east-north-up, ns.


def run_vqf(trial, nine):
    import vqf

    begun = time.process_time_ns()
    magnetometer = [trial.magnetometer] if nine else []
    result = vqf.VQF(1 / trial.rate).updateBatch(trial.gyroscope, trial.accelerometer, *magnetometer)
    return result["quat9D" if nine else "quat6D"], time.process_time_ns() - begun


def run_madgwick(trial, nine):
    from ahrs.filters import Madgwick

    # The gains are the defaults of the package; its world is x north, y west, z up.
    filter = Madgwick(frequency=trial.rate, gain=0.041 if nine else 0.033)
    quaternions, used = run_ahrs(filter, trial, nine, trial.start("x"))
    return to_east_north_up(quaternions), used


def run_mahony(trial, nine):
    from ahrs.filters import Mahony

    return run_ahrs(Mahony(frequency=trial.rate), trial, nine, trial.start("y"))


def run_ahrs(filter, trial, nine, quaternion):
    import numpy as np

    result = np.empty((len(trial.gyroscope), 4))
    result[0] = quaternion
    begun = time.process_time_ns()
    for row in range(1, len(result)):
        if nine:
            quaternion = filter.updateMARG(
                quaternion, trial.gyroscope[row], trial.accelerometer[row], trial.magnetometer[row]
            )
        else:
            quaternion = filter.updateIMU(quaternion, trial.gyroscope[row], trial.accelerometer[row])
        result[row] = quaternion
    return result, time.process_time_ns() - begun


def run_imufusion(trial, nine):
    import imufusion
    import numpy as np

    filter, bias = imufusion.Ahrs(), imufusion.Bias()
    settings = imufusion.AhrsSettings()
    settings.sample_rate, settings.convention = trial.rate, imufusion.CONVENTION_ENU
    filter.set_settings(settings)
    slow = imufusion.BiasSettings()
    slow.sample_rate = trial.rate
    bias.set_settings(slow)
    gyroscope, accelerometer = np.degrees(trial.gyroscope), trial.accelerometer / 9.80665
    result = np.empty((len(gyroscope), 4))
    begun = time.process_time_ns()
    for row in range(len(result)):
        rate = bias.update(gyroscope[row])
        if nine:
            filter.update(rate, accelerometer[row], trial.magnetometer[row])
        else:
            filter.update_no_magnetometer(rate, accelerometer[row])
        result[row] = filter.get_quaternion()
    return result, time.process_time_ns() - begun


# Name, package, function, passes (the quickest counts).
PEERS = [
    ("VQF", "vqf", run_vqf, 3),
    ("Madgwick (ahrs)", "ahrs", run_madgwick, 1),
    ("Mahony (ahrs)", "ahrs", run_mahony, 1),
    ("Fusion (imufusion)", "imufusion", run_imufusion, 1),
]


def measure(job):
    """One trial with one filter, in a process of its own: errors in 9D and 6D, updates, ns in 9D and 6D."""
    index, path, rate = job
    _, _, run, passes = PEERS[index]
    trial = Trial(path, rate)
    figures, used = [], []
    for nine in (True, False):
        results = [run(trial, nine) for _ in range(passes)]
        figures.append(errors(results[0][0], trial))
        used.append(min(ns for _, ns in results))
    return figures[0], figures[1], len(trial.gyroscope), used[0], used[1]


def mean(values):
    return sum(values) / len(values)


def peer_row(index, files, pool):
    name, package, _, _ = PEERS[index]
    try:
        from importlib.metadata import version

        __import__(package)
        title = f"{name} {version(package)}"
    except ImportError:
        raise Skipped(f"{name}: not installed (pip install {package})")
    try:
        results = pool.map(measure, [(index, path, rate) for path, rate in files], chunksize=1)
    except Exception as error:  # A package of another version: the others still count.
        raise Skipped(f"{name}: {type(error).__name__}: {error}")
    updates = sum(r[2] for r in results)
    nine = [mean([r[0][k] for r in results]) for k in range(3)]
    six = mean([r[1][2] for r in results])
    return [title + ", from Python", *nine, six, sum(r[3] for r in results) / updates, sum(r[4] for r in results) / updates]


def our_figures(motionctl, folder, *options):
    command = [motionctl, "bench", "accuracy", str(folder), "--json", *options]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)} failed: {result.stderr.strip()}")
    return json.loads(result.stdout)


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
    package = pathlib.Path(__file__).resolve().parent.parent
    built = package / ".build" / "release" / "motionctl"
    found = str(built) if built.exists() else shutil.which("motionctl")
    if not found:
        sys.exit("motionctl is missing: swift build -c release --product motionctl, or --motionctl PATH.")
    return found


def vqf_sources(folder):
    """The folder with vqf.cpp: of the installed package, else of its source distribution."""
    try:
        import vqf

        installed = pathlib.Path(vqf.get_cpp_path())
        if (installed / "vqf.cpp").exists():
            return installed
    except (ImportError, AttributeError):
        pass
    # Only the package itself: its build tools may be wheels.
    command = [sys.executable, "-m", "pip", "download", "--no-binary", "vqf", "--no-deps", "-q", "-d", folder, "vqf"]
    if subprocess.run(command).returncode == 0:
        for archive in pathlib.Path(folder).glob("vqf-*.tar.gz"):
            shutil.unpack_archive(archive, folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
        for source in pathlib.Path(folder).glob("vqf-*/vqf/cpp/vqf.cpp"):
            return source.parent
    raise Skipped("VQF in C++: no sources (pip install vqf)")


class CompiledVQF:
    """VQF's own update function, timed by a small driver."""

    def __init__(self, folder, compiler):
        if not shutil.which(compiler):
            raise Skipped(f"VQF in C++: there is no {compiler} (--compiler)")
        sources = vqf_sources(folder)
        driver, self.program = pathlib.Path(folder) / "driver.cpp", pathlib.Path(folder) / "driver"
        driver.write_text(DRIVER)
        command = [compiler, "-O2", "-I", str(sources), str(driver), str(sources / "vqf.cpp"), "-o", str(self.program)]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            raise Skipped(f"VQF in C++: {compiler} failed: {result.stderr.strip().splitlines()[:1]}")

    def nanoseconds(self, files):
        """ns per update, 9D and 6D."""
        updates, nine, six = 0.0, 0.0, 0.0
        for rate in sorted({rate for _, rate in files}):
            paths = [str(path) for path, r in files if r == rate]
            output = subprocess.run([self.program, repr(1 / rate), "3", *paths], capture_output=True, text=True, check=True)
            n, a, b = map(float, output.stdout.split())
            updates, nine, six = updates + n, nine + a, six + b
        return nine / updates, six / updates


def print_table(rows, base):
    """`base`: the 9D and 6D times that count as 1."""
    print(f"{'':38}{'9D error, degrees (mean RMS)':>30}{'6D':>12}{'ns per update':>16}{'÷ VQF C++':>16}")
    print(f"{'':38}{'total':>8}{'heading':>9}{'inclination':>13}{'inclination':>12}{'9D':>9}{'6D':>7}{'9D':>9}{'6D':>7}")
    for name, total, heading, inclination, six, nine_time, six_time in rows:
        cells = [f"{name:38}"]
        for value, width in ((total, 8), (heading, 9), (inclination, 13), (six, 12)):
            cells.append(f"{'–' if value is None else format(value, '.3f'):>{width}}")
        cells.append(f"{nine_time:9.0f}{six_time:7.0f}")
        if base:
            cells.append(f"{nine_time / base[0]:9.2f}{six_time / base[1]:7.2f}")
        print("".join(cells))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR", help="trials of the BROAD layout")
    parser.add_argument("--venv", type=pathlib.Path, help="a virtual environment with the packages above")
    parser.add_argument("--motionctl", help="the program (default: .build/release/motionctl, else that of PATH)")
    parser.add_argument(
        "--single-precision", metavar="PROGRAM",
        help="motionctl in single precision: swift build -c release --traits SinglePrecision --scratch-path .build-single",
    )
    parser.add_argument("--compiler", default="g++", help="for VQF's C++ (default: g++)")
    parser.add_argument("--rounds", type=int, default=3, help="times ours and VQF's C++ alternate; the quickest counts")
    parser.add_argument("--skip", action="append", default=[], metavar="PACKAGE", help="leave out: vqf, ahrs or imufusion")
    parser.add_argument("--trials", action="store_true", help="print each trial of ours as well")
    return parser.parse_args()


def main():
    options = arguments()
    if options.venv and pathlib.Path(sys.prefix).resolve() != options.venv.resolve():
        python = options.venv / "bin" / "python"
        if not python.exists():
            sys.exit(f"{options.venv} is no virtual environment: python3 -m venv {options.venv}")
        os.execv(python, [str(python), *sys.argv])
    files = trials(options.folder)
    motionctl = find_motionctl(options.motionctl)

    skipped, rows, base = [], [], None
    with tempfile.TemporaryDirectory() as folder:
        try:
            if "vqf" in options.skip:
                raise Skipped("VQF in C++: --skip")
            compiled = CompiledVQF(folder, options.compiler)
        except Skipped as reason:
            compiled = None
            skipped.append(str(reason))
        ours = [("OpenCoreMotion", motionctl)]
        if options.single_precision:
            ours.append(("OpenCoreMotion, Float", find_motionctl(options.single_precision)))
        rounds, direct = {name: [] for name, _ in ours}, []
        for _ in range(max(1, options.rounds)):
            for name, program in ours:
                rounds[name].append((our_figures(program, options.folder), our_figures(program, options.folder, "--6d")))
            if compiled:
                direct.append(compiled.nanoseconds(files))
    for name, _ in ours:
        nine, six = rounds[name][-1]
        m = nine["mean"]
        rows.append(
            [
                name, m["total"], m["heading"], m["inclination"], six["mean"]["inclination"],
                min(n["nanosecondsPerUpdate"] for n, _ in rounds[name]),
                min(s["nanosecondsPerUpdate"] for _, s in rounds[name]),
            ]
        )
    nine, six = rounds["OpenCoreMotion"][-1]
    if direct:
        base = (min(d[0] for d in direct), min(d[1] for d in direct))
        rows.append([f"VQF in C++ ({options.compiler} -O2)", None, None, None, None, *base])
    try:
        import multiprocessing

        import numpy  # noqa: F401

        with multiprocessing.Pool() as pool:
            for index, (name, package, _, _) in enumerate(PEERS):
                try:
                    if package in options.skip:
                        raise Skipped(f"{name}: --skip")
                    rows.append(peer_row(index, files, pool))
                except Skipped as reason:
                    skipped.append(str(reason))
    except ImportError:
        skipped.append("all Python packages: numpy is not installed (pip install numpy)")

    print(f"{len(files)} trials of {options.folder.resolve().name}; each filter with its default parameters.")
    print("Ours knows that the chip stamps the end of the interval it averages over (gyroscopeDelay); the others take each")
    print("rate for the interval before its stamp, which is the same.\n")
    print_table(rows, base)
    for reason in skipped:
        print(f"skipped: {reason}")
    if options.trials:
        print(f"\n{'':48}{'total':>8}{'heading':>9}{'inclination':>13}{'6D':>9}")
        for a, b in zip(nine["trials"], six["trials"]):
            print(f"{a['name']:48}{a['total']:8.3f}{a['heading']:9.3f}{a['inclination']:13.3f}{b['inclination']:9.3f}")


if __name__ == "__main__":
    main()
