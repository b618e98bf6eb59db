#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Steps and activities of the shared recordings, as a user gets them: `motionctl steps --json`.

    swift build -c release --product motionctl
    Benchmarks/steps.py [--motionctl .build/release/motionctl] [--data ../shared/data]

Prints the tables and fails (exit 1) when a bound is broken. "Ungated" is the reference algorithm without a gate, computed here. The network
was trained on the same people, but for the run and the car: for people left out see Documentation/ActivityModel.md. Needs numpy.
"""

import argparse, collections, glob, gzip, json, math, os, subprocess, sys, tempfile
import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../Scripts/Activity")]
import distance, recordings, rides

G = 9.80665
broken = []
# The recordings of people by their path.
known = {}


TABLE = ["--map", "t=t_s[s] ax=acc_x_g[g] ay=acc_y_g az=acc_z_g", "--sign", "reaction"]


def run(command, files, placement=None, more=()):
  """One JSON object for each file, in order; files of the data sets are given as tables."""
  if not known:
    known.update((entry.path, entry) for entry in recordings.load(data))
  if any(path in known for path in files):
    with tempfile.TemporaryDirectory() as folder:
      tables = [write(f"{folder}/{number}.csv", known[path].time, known[path].force) for number, path in enumerate(files)]
      return run(command, tables, placement, [*TABLE, *more])
  reports = []
  for start in range(0, len(files), 40):
    place = ["--placement", placement] if placement else []
    result = subprocess.run(
      [options.motionctl, command, "--json", *place, *more, *files[start:start + 40]], capture_output=True, text=True)
    if result.returncode != 0:
      sys.exit(f"motionctl {command} failed: {result.stderr.strip()[:400]}")
    reports += [json.loads(line) for line in result.stdout.splitlines()]
  return reports


def write(path, time, force):
  """A table of accelerations in g."""
  with open(path, "w") as file:
    file.write("t_s,acc_x_g,acc_y_g,acc_z_g\n")
    numpy.savetxt(file, numpy.column_stack([time, force]), fmt="%.4f,%.5f,%.5f,%.5f")
  return path


def shares(reports):
  """The activities in %, most first; and the seconds of walking with high confidence."""
  sums, high = collections.Counter(), 0
  for report in reports:
    sums.update(report["shares"])
    high += sum(span["end"] - span["start"] for span in report["activities"]
                if "walking" in span["activity"] and span["confidence"] == "high")
  whole = sum(sums.values()) or 1
  return {key: 100 * value / whole for key, value in sums.most_common()}, high


def hold(name, value, limit, isLeast=False):
  fits = value >= limit if isLeast else value <= limit
  if not fits:
    broken.append(f"{name}: {value:.2f}, bound {'≥' if isLeast else '≤'} {limit}")
  return "" if fits else "  BROKEN"


def rows(path, skip=0):
  """The numbers of a CSV; incomplete rows are left out."""
  table = []
  with (gzip.open if path.endswith("gz") else open)(path, "rt") as file:
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
  print("Oxford: file, truth; counted, error in %; played 1.2 and 1.35 times slower, and the share of cycling there")
  errors = {1: [], 1.2: [], 1.35: []}
  files = sorted(glob.glob(f"{data}/steps_oxford/user*.csv.gz") + glob.glob(f"{data}/steps_oxford/opt*.acc*.csv.gz"))
  with tempfile.TemporaryDirectory() as folder:
    told, cycling = {1: run("steps", files)}, {}
    for slower in (1.2, 1.35):
      copies = []
      for number, path in enumerate(files):
        table = rows(path)
        first = 2 if "opt_" in path else 1
        table = table[(table[:, first:first + 3] != 0).any(1)]
        copies.append(write(f"{folder}/{number}_{slower}.csv", (table[:, 0] - table[0, 0]) * 1e-9 * slower, table[:, first:first + 3] / G))
      told[slower] = run("steps", copies, more=TABLE)
      cycling[slower] = shares(run("steps", copies, more=TABLE))[0].get("cycling", 0)
  for number, path in enumerate(files):
    if "opt_" in path:
      feet = rows(path.replace("accelerometer", "stepcounter"))
      truth = int((numpy.diff(feet[:, 1]) > 0).sum() + (numpy.diff(feet[:, 2]) > 0).sum())
    else:
      truth = int(rows(path)[-1, 5])
    text = f"  {os.path.basename(path).split('.')[0]:46}{truth:5}"
    for slower in errors:
      steps = told[slower][number]["steps"]
      errors[slower].append(abs(100 * (steps - truth) / truth))
      text += f"{steps:6}{100 * (steps - truth) / truth:7.1f}"
    print(text + hold(path, errors[1][-1], 6))
  for slower in errors:
    mean = numpy.mean(errors[slower])
    print(f"  {slower:4} × mean {mean:.2f} %, largest {max(errors[slower]):.1f} %{hold(f'Oxford {slower}', mean, 1.3 if slower == 1 else 4)}"
      + (f"; cycling {cycling[slower]:.2f} %{hold(f'cycling {slower}', cycling[slower], 0.5)}" if slower > 1 else ""))


def bouts():
  print("Short walks indoors (Mobilise-D): contacts of the feet in the reference's bouts; counted in all, and within the bouts")
  files = sorted(glob.glob(f"{data}/steps_mobilised/*.csv.gz"))
  for path, report in zip(files, run("steps", files)):
    with open(path.replace(".csv.gz", ".ref.json")) as file:
      reference = json.load(file)["reference"]
    for system, found in sorted(reference.items()):
      truth = sum(contact is not None for bout in found["MicroWB"] for contact in bout["initial_contacts"])
      if truth:
        kept = 100 * report["steps"] / truth
        note = hold(f"{path} {system}", kept, 88, True) if "Test11" in path else ""
        print(f"  {os.path.basename(path).split('_Trial')[0]:16}{system:13}{truth:4}{report['steps']:5}  {kept:.0f} %{note}")


def vehicles():
  print("Vehicles and bicycles: shares in %, steps a minute, seconds of walking with high confidence")
  with tempfile.TemporaryDirectory() as folder:
    load = lambda name: numpy.load(f"{data}/car/IMU_accelerometer_{name}.npy")
    cases = [("a minute of a measured car", [write(f"{folder}/car.csv", load("t") - load("t")[0], load("value") / G)], TABLE)]
    for name, make in (("simulated vehicles", rides.vehicle), ("simulated bicycles", rides.bicycle)):
      files = []
      for number in range(20):
        random = numpy.random.default_rng(70_000 + number)
        force = make(random, 120)[::2] @ numpy.linalg.qr(random.normal(size=(3, 3)))[0]
        files.append(write(f"{folder}/{name[10:14]}{number}.csv", numpy.arange(len(force)) / 50, force))
      cases.append((name, files, TABLE))
    cases += [(f"simulate:{name}", [f"simulate:{name}"], ("--for", "600")) for name in ("car", "bus", "train", "drive", "motorway", "bicycle")]
    for name, files, more in cases:
      told, high = shares(run("steps", files, more=more))
      reports = run("steps", files, more=more)
      rate = sum(report["steps"] for report in reports) / sum(report["seconds"] for report in reports) * 60
      automotive = sum(value for key, value in told.items() if "automotive" in key)
      note = hold(f"{name}: steps", rate, 2.5 if "bicycle" in name else 1) + hold(f"{name}: certain walks", high, 0)
      if "bicycle" not in name:
        least = 95 if name[9:] in ("car", "bus", "train") else 70
        note += hold(f"{name}: automotive", automotive, least, True) + hold(f"{name}: walking", told.get("walking", 0), 1)
      text = ", ".join(f"{key} {value:.1f}" for key, value in list(told.items())[:4])
      print(f"  {name:28}{rate:6.2f}{high:6.0f} s{note}  {text}")


def wrists():
  print("Wrist at 12.5 Hz (Bangle.js): truth, counted, error in %; played at 25 and 100 Hz")
  errors = []
  files = sorted(glob.glob(f"{data}/wrist/bangle/*.csv"))
  with tempfile.TemporaryDirectory() as folder:
    for path in files:
      table, truth = rows(path, 1), int(os.path.basename(path).split("_")[0])
      time, force, told = table[:, 0] / 1000, table[:, 1:4] / 8192, []
      for rate in (None, 25, 100):
        moments = time if rate is None else numpy.arange(time[0], time[-1], 1 / rate)
        copy = numpy.column_stack([numpy.interp(moments, time, force[:, axis]) for axis in range(3)])
        told += [report["steps"] for report in run("steps", [write(f"{folder}/b.csv", moments, copy)], "wrist", TABLE)]
      note = ""
      if truth:
        errors.append(100 * abs(told[0] - truth) / truth)
      else:
        note = hold(path, told[0], 0)
      print(f"  {os.path.basename(path):12}{truth:5}{told[0]:5}{100 * (told[0] - truth) / max(1, truth):7.1f}{told[1]:8}{told[2]:5}{note}")
  print(f"  mean {numpy.mean(errors):.1f} %{hold('Bangle', numpy.mean(errors), 6)}")


def runner():
  path = f"{data}/running_adept/run_hip_ankle_100hz.csv.gz"
  print("Run of 25 minutes, 3100 steps, 3.35 km")
  for name in ("hip", "ankle"):
    columns = f"t=t_s[s] ax={name}_x_g[g] ay={name}_y_g az={name}_z_g"
    report = run("steps", [path], more=["--map", columns, "--sign", "reaction"])[0]
    error = 100 * (report["steps"] - 3100) / 3100
    print(f"  {name:8}{report['steps']:6} steps{error:6.1f} %{report['distance']:8.0f} m{hold(name, abs(error), 2)}")


def nothing():
  print("No steps at all")
  sage = [f"{data}/cmdevicemotion_sage/{name}_data.csv.gz" for name in ("balance", "rest_tremor", "kinetic_tremor")]
  tennis = [f"{data}/mcap/swing_applewatch_seven_forehands.mcap"]
  for path, report in zip(sage + tennis, run("steps", sage) + run("steps", tennis, "wrist")):
    print(f"  {os.path.basename(path):46}{report['steps']:4}{hold(path, report['steps'], 0)}")


BOUNDS = {
  "motionsense": {"sit": 0.1, "std": 0.1},
  "phone": {"sitting": 0.1, "standing": 0.1, "typing": 0.5, "pasta": 0.5, "folding": 0.5, "teeth": 5},
  "watch": {"sitting": 0.1, "standing": 0.1, "typing": 3, "pasta": 3, "folding": 3, "teeth": 5, "clapping": 10, "dribbling": 25},
}
def daily():
  for name, pattern, placement in (
    ("motionsense", "motionsense/*/*.csv.gz", "body"), ("phone", "wisdm/*/*_phone_accel.csv.gz", "body"),
    ("watch", "wisdm/*/*_watch_accel.csv.gz", "wrist")):
    groups = collections.defaultdict(list)
    for path in sorted(glob.glob(f"{data}/{pattern}")):
      groups[path.split("/")[-2]].append(path)
    print(f"{name}: steps a minute, walks kept in % of ungated; shares of the activities in %")
    for activity, files in sorted(groups.items()):
      reports = run("steps", files, placement)
      minutes = sum(report["seconds"] for report in reports) / 60
      rate = sum(report["steps"] for report in reports) / minutes
      note = ""
      if activity in BOUNDS[name]:
        note = hold(f"{name} {activity}", rate, BOUNDS[name][activity])
      if activity in ("ups", "dws", "stairs", "wlk", "walking"):
        ungated = 0
        for path in files:
          table = rows(path, 1)
          if name == "motionsense":
            ungated += reference(numpy.arange(len(table)) / 50, numpy.linalg.norm(table[:, 4:7] + table[:, 10:13], axis=1))
          else:
            ungated += reference(numpy.cumsum(table[:, 0]) / 1000, numpy.linalg.norm(table[:, 1:4], axis=1) / G)
        kept = 100 * sum(report["steps"] for report in reports) / ungated
        least = 99 if activity in ("wlk", "walking") else 95
        note = f" kept {kept:.1f} %{hold(f'{name} {activity} kept', kept, least, True)}"
      told = shares(run("steps", files, placement))[0]
      if name == "watch" and activity in ("sitting", "standing"):
        note += hold(f"watch {activity}: stationary", told.get("stationary", 0), 96, True)
      text = ", ".join(f"{key} {value:.1f}" for key, value in list(told.items())[:4])
      print(f"  {activity:11}{rate:7.2f}{note:22}  {text}")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--motionctl", default=".build/release/motionctl")
parser.add_argument("--data", default=os.environ.get("OPENCOREMOTION_DATA", "../shared/data"))
options = parser.parse_args()
data = options.data
for measure in (oxford, runner, bouts, vehicles, wrists, nothing, daily):
  measure()
broken += distance.measure(options.motionctl, data)
for line in broken:
  print(f"bound broken: {line}", file=sys.stderr)
sys.exit(1 if broken else 0)
