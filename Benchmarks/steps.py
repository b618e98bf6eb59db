#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Steps and activities of the shared recordings, as a user gets them: `motionctl steps --json` and `activity --json`.

    swift build -c release --product motionctl
    Benchmarks/steps.py [--motionctl .build/release/motionctl] [--data ../shared/data]

Prints the tables and fails (exit 1) when a bound is broken. "Ungated" is the reference algorithm without a gate, computed here. The trees
were trained on the same people: for people left out run Scripts/train-activity.py. Needs numpy.
"""

import argparse, collections, glob, gzip, json, math, os, subprocess, sys, tempfile
import numpy

G = 9.80665
broken = []


def run(command, files, placement=None):
  """One JSON object for each file, in order."""
  reports = []
  for start in range(0, len(files), 40):
    place = ["--placement", placement] if placement else []
    result = subprocess.run(
      [options.motionctl, command, "--json", *place, *files[start:start + 40]], capture_output=True, text=True)
    if result.returncode != 0:
      sys.exit(f"motionctl {command} failed: {result.stderr.strip()}")
    reports += [json.loads(line) for line in result.stdout.splitlines()]
  return reports


def hold(name, value, limit, isLeast=False):
  fits = value >= limit if isLeast else value <= limit
  if not fits:
    broken.append(f"{name}: {value:.2f}, bound {'≥' if isLeast else '≤'} {limit}")
  return "" if fits else "  BROKEN"


def rows(path, skip=0):
  """The numbers of a CSV; incomplete rows are left out."""
  table = []
  with gzip.open(path, "rt") as file:
    for number, line in enumerate(file):
      if number < skip:
        continue
      try:
        table.append([float(cell) for cell in line.split(",")])
      except ValueError:
        pass
  width = max(set(map(len, table)), key=[len(row) for row in table].count)
  return numpy.array([row for row in table if len(row) == width])


def reference(time, norm):
  """The reference algorithm of the evidence page without a gate: steps of |a| in g."""
  grid = numpy.arange(time[0], time[-1], 0.02)
  signal = numpy.interp(grid, time, norm)
  signal -= signal[0]
  first, second, values = [0.0, 0.0], [0.0, 0.0], numpy.empty(len(signal))
  for index, x in enumerate(signal):
    m = 0.0186504 * x + first[0]
    first = [0.03730079 * x + 1.61739813 * m + first[1], 0.0186504 * x - 0.72490176 * m]
    y = m + second[0]
    second = [-2 * m + 1.88820364 * y + second[1], m - 0.90058792 * y]
    values[index] = y
  taper, lines = numpy.hanning(257)[:-1], numpy.fft.rfftfreq(1024, 0.02)
  band = (lines >= 1.2) & (lines <= 3.2)
  cadence, envelope, last, previous, row, count = 1.8, 0.0, -9.0, -9.0, 0, 0
  for index in range(2, len(values)):
    if index >= 256 and index % 128 == 0:
      window = signal[index - 256:index]
      if window.std() > 0.03:
        power = numpy.abs(numpy.fft.rfft((window - window.mean()) * taper, 1024)) ** 2
        best = numpy.argmax(numpy.where(band, power, 0))
        cadence = lines[best]
        near = numpy.abs(lines - cadence / 2) <= 0.035 * cadence
        if cadence > 2.4 and power[near].max() > 0.5 * power[best]:
          cadence /= 2
    envelope = max(abs(values[index]), envelope * math.exp(-0.01))
    peak, now = values[index - 1], (index - 1) * 0.02
    if peak > values[index - 2] and peak >= values[index] and peak > max(0.04, 0.4 * envelope):
      if now - last >= max(0.25, 0.6 / cadence):
        row = row + 1 if now - last < 1.5 else 1
        last = now
        count += 8 if row == 8 else 1 if row > 8 else 0
  return count


def oxford():
  print("Oxford: file, truth, counted, error in %")
  errors = []
  files = sorted(glob.glob(f"{data}/steps_oxford/user*.csv.gz") + glob.glob(f"{data}/steps_oxford/opt*.acc*.csv.gz"))
  for path, report in zip(files, run("steps", files)):
    if "opt_" in path:
      feet = rows(path.replace("accelerometer", "stepcounter"))
      truth = int((numpy.diff(feet[:, 1]) > 0).sum() + (numpy.diff(feet[:, 2]) > 0).sum())
    else:
      truth = int(rows(path)[-1, 5])
    error = 100 * (report["steps"] - truth) / truth
    errors.append(abs(error))
    print(f"  {os.path.basename(path).split('.')[0]:46}{truth:5}{report['steps']:6}{error:7.1f}{hold(path, abs(error), 5)}")
  print(f"  mean {numpy.mean(errors):.2f} %, largest {max(errors):.1f} %{hold('Oxford mean', numpy.mean(errors), 1.5)}")


def runner():
  path = f"{data}/running_adept/run_hip_ankle_100hz.csv.gz"
  hip = run("steps", [path])[0]
  with tempfile.TemporaryDirectory() as folder:
    # The ankle in the columns of the hip.
    copy = f"{folder}/ankle.csv"
    with gzip.open(path, "rt") as source, open(copy, "w") as target:
      target.write(source.readline())
      for line in source:
        cells = line.strip().split(",")
        target.write(",".join([cells[0]] + cells[4:7] + cells[4:7]) + "\n")
    ankle = run("steps", [copy])[0]
  print("Run of 25 minutes, 3100 steps, 3.35 km")
  for name, report, limit in (("hip", hip, 2), ("ankle", ankle, 2)):
    error = 100 * (report["steps"] - 3100) / 3100
    print(f"  {name:8}{report['steps']:6} steps{error:6.1f} %{report['distance']:8.0f} m{hold(name, abs(error), limit)}")


def nothing():
  print("No steps at all")
  sage = [f"{data}/cmdevicemotion_sage/{name}_data.csv.gz" for name in ("balance", "rest_tremor", "kinetic_tremor")]
  tennis = [f"{data}/swing_applewatch/forehand-seven-shots-accelerometer.csv"]
  for path, report in zip(sage + tennis, run("steps", sage) + run("steps", tennis, "wrist")):
    print(f"  {os.path.basename(path):46}{report['steps']:4}{hold(path, report['steps'], 0)}")


BOUNDS = {
  "motionsense": {"sit": 0.1, "std": 0.1},
  "phone": {"sitting": 0.1, "standing": 0.1, "typing": 0.5, "pasta": 0.5, "folding": 0.5, "teeth": 30},
  "watch": {"sitting": 0.1, "standing": 0.1, "typing": 3, "pasta": 3, "folding": 3, "teeth": 30},
}
EXPECTED = {
  "sit": "stationary", "std": "stationary", "sitting": "stationary", "standing": "stationary", "wlk": "walking",
  "ups": "walking", "dws": "walking", "walking": "walking", "stairs": "walking", "jog": "running", "jogging": "running",
}


def daily():
  for name, pattern, placement in (
    ("motionsense", "motionsense/*/*.csv.gz", "body"), ("phone", "wisdm/*/*_phone_accel.csv.gz", "body"),
    ("watch", "wisdm/*/*_watch_accel.csv.gz", "wrist")):
    groups = collections.defaultdict(list)
    for path in sorted(glob.glob(f"{data}/{pattern}")):
      groups[path.split("/")[-2]].append(path)
    print(f"{name}: steps a minute, stairs kept in % of ungated; shares of the activities in %")
    for activity, files in sorted(groups.items()):
      reports = run("steps", files, placement)
      minutes = sum(report["seconds"] for report in reports) / 60
      rate = sum(report["steps"] for report in reports) / minutes
      note = ""
      if activity in BOUNDS[name]:
        note = hold(f"{name} {activity}", rate, BOUNDS[name][activity])
      if activity in ("ups", "dws", "stairs"):
        ungated = 0
        for path in files:
          table = rows(path, 1)
          if name == "motionsense":
            ungated += reference(numpy.arange(len(table)) / 50, numpy.linalg.norm(table[:, 4:7] + table[:, 10:13], axis=1))
          else:
            ungated += reference(numpy.cumsum(table[:, 0]) / 1000, numpy.linalg.norm(table[:, 1:4], axis=1) / G)
        kept = 100 * sum(report["steps"] for report in reports) / ungated
        note = f" kept {kept:.1f} %{hold(f'{name} {activity} kept', kept, 95, True)}"
      shares = collections.Counter()
      for report in run("activity", files, placement):
        shares.update(report["shares"])
      whole = sum(shares.values()) or 1
      text = ", ".join(f"{key} {100 * value / whole:.1f}" for key, value in shares.most_common(4))
      print(f"  {activity:11}{rate:7.2f}{note:22}  {text}")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--motionctl", default=".build/release/motionctl")
parser.add_argument("--data", default=os.environ.get("OPENCOREMOTION_DATA", "../shared/data"))
options = parser.parse_args()
data = options.data
for measure in (oxford, runner, nothing, daily):
  measure()
for line in broken:
  print(f"bound broken: {line}", file=sys.stderr)
sys.exit(1 if broken else 0)
