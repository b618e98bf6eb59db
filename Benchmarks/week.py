#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""What a week of a wrist costs `motionctl day`, and whether its rows are right.

    swift build -c release --product motionctl
    Benchmarks/week.py [--days 7] [--rate 100] [--bounds] [FILE.cwa …]

Makes a CWA file with Scripts/make-wrist-week.py (or takes files), runs `motionctl day`, prints processor seconds and the
largest memory, and compares ENMO and MAD of each day with NumPy's, computed here from the published definitions on the
packed words of the file. `--bounds`: fails above 8 s or 64 MB, or where ENMO differs by more than 0.1 mg. Where the Python
package actipy is installed, its time for reading the same file stands beside. Needs numpy.
"""

import argparse, json, os, pathlib, resource, subprocess, sys, tempfile, time
import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOTIONCTL = os.environ.get("MOTIONCTL", str(ROOT / ".build/release/motionctl"))


# Between this process, whose memory a child begins with, and the command.
RUNNER = """
import os, subprocess, sys
with open(sys.argv[1], "wb") as output:
  _, status, usage = os.wait4(subprocess.Popen(sys.argv[2:], stdout=output).pid, 0)
print(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""


def measured(command):
  """Output, processor seconds and the largest memory in MB of a command."""
  with tempfile.NamedTemporaryFile() as output:
    result = subprocess.run([sys.executable, "-c", RUNNER, output.name, *command], stdout=subprocess.PIPE, check=True)
    status, seconds, memory = map(float, result.stdout.split())
    if status:
      sys.exit(f"{command}: status {status:.0f}")
    return pathlib.Path(output.name).read_bytes(), seconds, memory


def blocks(path):
  """(block times in s since 1970, accelerations in g) of a CWA file of packed words, straight from its layout."""
  raw = numpy.fromfile(path, numpy.uint8)[1024:]
  raw = raw[: len(raw) // 512 * 512].reshape(-1, 512)
  packed = raw[:, 30:510].copy().view("<u4")
  if raw[0, 25] & 15:
    values = raw[:, 30:510].copy().view("<i2").reshape(len(raw), -1, 3) / 256.0
    return raw, values
  scale = (1 << (packed >> 30)).astype(numpy.int32)
  axes = [((((packed >> shift) & 1023).astype(numpy.int32) ^ 512) - 512) * scale for shift in (0, 10, 20)]
  return raw, numpy.stack(axes, -1) / 256.0


def times(raw, samples):
  """Of each sample, s since 1970 on the device's clock: linear between the anchors of the blocks."""
  word = raw[:, 14:18].copy().view("<u4")[:, 0].astype(numpy.int64)
  parts = [(word >> shift) & mask for shift, mask in ((26, 63), (22, 15), (17, 31), (12, 31), (6, 63), (0, 63))]
  dates = numpy.array([f"{2000 + y:04d}-{m:02d}-{d:02d}T{h:02d}:{n:02d}:{s:02d}" for y, m, d, h, n, s in zip(*parts)], "M8[s]")
  fraction = raw[:, 4:6].copy().view("<u2")[:, 0].astype(numpy.int64)
  offset = raw[:, 26:28].copy().view("<i2")[:, 0].astype(numpy.float64)
  rate = 3200.0 / 2 ** (15 - (raw[0, 24] & 15))
  is_fine = (fraction & 0x8000) != 0
  part = numpy.where(is_fine, (fraction & 0x7FFF) / 32768.0, 0)
  offset = offset + numpy.where(is_fine, part * rate, 0)
  places = numpy.arange(len(raw)) * samples + offset
  return numpy.interp(numpy.arange(len(raw) * samples), places, dates.astype(numpy.int64) + part)


def expected(path):
  """The first epoch of 5 s, and of each the samples, ENMO and MAD in mg, of the acceleration as it is."""
  raw, values = blocks(path)
  samples = values.shape[1]
  clock = times(raw, samples)
  values = values.reshape(-1, 3)
  length = numpy.sqrt((values**2).sum(1))
  epoch = numpy.floor(clock / 5).astype(numpy.int64)
  first = epoch[0]
  count = numpy.bincount(epoch - first)
  enmo = numpy.bincount(epoch - first, numpy.maximum(length - 1, 0)) / numpy.maximum(count, 1)
  mean = numpy.bincount(epoch - first, length) / numpy.maximum(count, 1)
  mad = numpy.bincount(epoch - first, numpy.abs(length - mean[epoch - first])) / numpy.maximum(count, 1)
  return first, count, enmo * 1000, mad * 1000


def compare(path):
  """The largest difference of ENMO and MAD of fully worn days, in mg. Without calibration, whose digits rows do not have."""
  output, _, _ = measured([MOTIONCTL, "day", path, "--calibration", "off", "--json"])
  days = json.loads(output)["days"]
  first, count, enmo, mad = expected(path)
  dates = ((first + numpy.arange(len(count))) * 5).astype("M8[s]").astype("M8[D]").astype(str)
  worst, compared = [0.0, 0.0], 0
  for day in days:
    part = dates == day["day"]
    # A day of a few samples is the edge of a clock.
    if day["samples"] < 1000 or day["not_worn"] > 0 or not part.any():
      continue
    compared += 1
    for index, (name, values) in enumerate((("enmo_mg", enmo), ("mad_mg", mad))):
      worst[index] = max(worst[index], abs(numpy.average(values[part], weights=count[part]) - day[name]))
  return compared, worst


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("files", nargs="*")
  parser.add_argument("--days", type=int, default=7)
  parser.add_argument("--rate", type=int, default=100)
  parser.add_argument("--bounds", action="store_true")
  options = parser.parse_args()
  failures = []
  with tempfile.TemporaryDirectory() as folder:
    files = options.files
    if not files:
      files = [os.path.join(folder, "week.cwa")]
      maker = [sys.executable, str(ROOT / "Scripts/make-wrist-week.py"), "--days", str(options.days), "--rate", str(options.rate)]
      subprocess.run([*maker, files[0]], check=True, stdout=subprocess.DEVNULL)
    for path in files:
      output, seconds, memory = measured([MOTIONCTL, "day", path, "--json"])
      report = json.loads(output)
      samples = sum(day["samples"] for day in report["days"])
      print(f"{os.path.basename(path)}: {samples:,} samples, {report['covered'] / 86400:.2f} days")
      print(f"  motionctl day: {seconds:.2f} s of processor, {seconds / max(1, samples) * 1e9:.0f} ns a sample, {memory:.0f} MB")
      day = report["days"][0]
      print(f"  {day['calibration']}: {day['calibration_error_before_mg']} mg before, {day['calibration_error_after_mg']} mg after")
      if path.lower().endswith(".cwa"):
        compared, (enmo, mad) = compare(path)
        print(f"  {compared} worn days against NumPy: ENMO within {enmo:.4f} mg, MAD within {mad:.4f} mg")
        if compared and max(enmo, mad) > 0.1:
          failures.append(f"{path}: ENMO or MAD is off by more than 0.1 mg")
      if not options.files and (seconds > 8 or memory > 64):
        failures.append(f"{path}: above 8 s or 64 MB")
      actipy(path)
  if options.bounds and failures:
    sys.exit("\n".join(failures))


def actipy(path):
  """Beside: the reader of the Oxford group's tools, which gives samples only (no steps, no days)."""
  try:
    import actipy as package
  except ImportError:
    return
  before = resource.getrusage(resource.RUSAGE_CHILDREN), resource.getrusage(resource.RUSAGE_SELF), time.time()
  package.read_device(path, resample_hz=None, lowpass_hz=None, calibrate_gravity=True, detect_nonwear=True, verbose=False)
  after = resource.getrusage(resource.RUSAGE_CHILDREN), resource.getrusage(resource.RUSAGE_SELF)
  seconds = sum(b.ru_utime + b.ru_stime - a.ru_utime - a.ru_stime for a, b in zip(before, after))
  print(f"  actipy (reading, calibration, non-wear): {seconds:.1f} s of processor, {time.time() - before[2]:.1f} s")


if __name__ == "__main__":
  main()
