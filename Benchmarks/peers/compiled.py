# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""VQF's C++, compiled from the sources in the package `vqf` and timed through its own update function."""

import pathlib
import shutil
import subprocess
import sys
import tarfile

from . import Skipped

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
