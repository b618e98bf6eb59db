#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Distances of walks indoors and of a run, as a user gets them from `motionctl steps --json`, beside the measured ones.

    swift build -c release --product motionctl
    Benchmarks/distance.py [--motionctl .build/release/motionctl] [--data ../shared/data]

Each bout of the Mobilise-D recordings is cut out, one second before and after, and told as a recording of its own. The same bouts by the
reference's own contacts show what the length of a step alone is worth; the constants come from StepLength.swift. Prints every bout and fails
(exit 1) when a bound is broken. Needs numpy.
"""

import argparse, glob, gzip, json, math, os, re, subprocess, sys, tempfile
import numpy

SOURCE = os.path.join(os.path.dirname(__file__), "../Sources/ActivityEstimation/StepLength.swift")


def rows(path):
  """The header and the rows of a table, as text."""
  with gzip.open(path, "rt") as file:
    header, *lines = file.read().splitlines()
  return header, lines


def told(motionctl, tables, folder, sensor="acc"):
  """What `motionctl steps` says of each (header, rows), in order, by the columns of a sensor."""
  columns = f"t=t_s[s] ax={sensor}_x_g[g] ay={sensor}_y_g az={sensor}_z_g"
  names = []
  for number, (header, lines) in enumerate(tables):
    names.append(f"{folder}/{number}.csv")
    with open(names[-1], "w") as file:
      file.write("\n".join([header, *lines]) + "\n")
  result = subprocess.run([motionctl, "steps", "--json", "--map", columns, "--sign", "reaction", *names], capture_output=True, text=True)
  if result.returncode != 0:
    sys.exit(f"motionctl steps failed: {result.stderr.strip()}")
  return [json.loads(line) for line in result.stdout.splitlines()]


def bouts(data):
  """Every bout with a measured length: its recording, whose reference, and what is known of it."""
  for path in sorted(glob.glob(f"{data}/steps_mobilised/*.ref.json")):
    with open(path) as file:
      reference = json.load(file)["reference"]
    for system in sorted(reference):
      for bout in reference[system]["MicroWB"]:
        if bout["length_m"]:
          contacts = sorted({time for time in bout["initial_contacts"] if time is not None})
          yield path.replace(".ref.json", ".csv.gz"), system, bout, contacts


def band(norm):
  """The band pass of StepAmplitude.swift over cells of 20 ms."""
  first, second, out = [0.0, 0.0], [0.0, 0.0], numpy.empty(len(norm))
  for index, x in enumerate(norm - norm[0]):
    m = 0.0186504 * x + first[0]
    first = [0.03730079 * x + 1.61739813 * m + first[1], 0.0186504 * x - 0.72490176 * m]
    y = m + second[0]
    second = [-2 * m + 1.88820364 * y + second[1], m - 0.90058792 * y]
    out[index] = y
  return out


def cells(lines):
  """Times and the band-passed length of the acceleration of a Mobilise-D recording at 50 Hz."""
  table = numpy.array([[float(cell) for cell in line.split(",")[:4]] for line in lines])
  time = numpy.arange(table[0, 0] + 0.02, table[-1, 0], 0.02)
  norm = numpy.linalg.norm([numpy.interp(time, table[:, 0], table[:, axis]) for axis in (1, 2, 3)], axis=0)
  return time, band(norm)


def twin(contacts, time, signal, k, height=1.7):
  """Distance and bounds as in StepLength.swift, of steps at given times."""
  energy = numpy.concatenate([[0], numpy.cumsum(signal**2)])
  distance = common = variance = wander = 0.0
  for index in range(1, len(contacts)):
    first, last = numpy.searchsorted(time, contacts[index - 1:index + 1])
    amplitude = math.sqrt(2 * (energy[last] - energy[first]) / max(1, last - first))
    count = min(index, 4)
    cadence = count / (contacts[index] - contacts[index - count])
    limits = [(k["cadenceGain"] * min(4, max(0.3, cadence))) ** -4, (k["amplitudeGain"] * max(0.01, amplitude)) ** -4]
    part = limits[1] / sum(limits)
    step = height * sum(limits) ** -0.25
    if index == 1:
      variance += (k["edge"] * step) ** 2
    distance += step
    common += step * math.hypot(k["cadenceDeviation"] * (1 - part), k["heightDeviation"], k["amplitudeDeviation"] * part)
    own = step * (k["amplitudeWander"] * part + k["cadenceWander"] * (1 - part))
    before = wander * (1 - 1 / k["wanderLength"])
    variance += own * (own + 2 * before)
    wander = before + own
  factor = math.exp(1.96 * math.sqrt(math.log(1 + (common**2 + variance) / distance**2)))
  return distance, distance / factor, distance * factor


def constants():
  """Those of a device on the body."""
  with open(SOURCE) as file:
    text = file.read().split("static let body")[0]
  return {name: float(value) for name, value in re.findall(r"var (\w+) = ([0-9.]+)$", text, re.MULTILINE)}


def measure(motionctl, data):
  """Prints the tables; the bounds that are broken."""
  broken = []

  def hold(name, value, limit, isLeast=False):
    fits = value >= limit if isLeast else value <= limit
    if not fits:
      broken.append(f"{name}: {value:.1f}, bound {'≥' if isLeast else '≤'} {limit}")
    return "" if fits else "  BROKEN"

  known = list(bouts(data))
  tables = {path: rows(path) for path in {path for path, *_ in known}}
  signals = {path: cells(lines) for path, (_, lines) in tables.items()}

  def cut(path, bout):
    header, lines = tables[path]
    return header, [line for line in lines if bout["start"] - 1 <= float(line.split(",", 1)[0]) <= bout["end"] + 1]

  with tempfile.TemporaryDirectory() as folder:
    reports = told(motionctl, [cut(path, bout) for path, _, bout, _ in known], folder)
    wholes = sorted(tables)
    totals = told(motionctl, [tables[path] for path in wholes], folder)
  k = constants()
  errors, inside = {"told": [], "contacts": []}, {"told": [], "contacts": []}
  print("Bouts: recording, reference, metres; told by motionctl, 95 % interval, steps; by the reference's contacts")
  for (path, system, bout, contacts), report in zip(known, reports):
    truth = bout["length_m"]
    text = f"  {os.path.basename(path).split('_Trial')[0]:14}{system:13}{truth:6.2f} m "
    values = (report["distance"], report["distanceLow"], report["distanceHigh"])
    for name, (value, low, high) in (("told", values), ("contacts", twin(contacts, *signals[path], k))):
      errors[name].append(100 * abs(value - truth) / truth)
      inside[name].append(low <= truth <= high)
      note = "" if inside[name][-1] else " OUT"
      text += f"| {value:5.2f} ({low:5.2f}–{high:5.2f}) {100 * (value - truth) / truth:+4.0f} %{note:4} "
      text += f"{report['steps']:3} of {len(contacts):2} " if name == "told" else ""
    print(text)
  for name in ("contacts", "told"):
    mean, share = numpy.mean(errors[name]), 100 * numpy.mean(inside[name])
    print(f"  {name:9} mean error {mean:.1f} %{hold(f'bouts by {name}', mean, 18)}, "
      f"inside {share:.0f} %{hold(f'intervals by {name}', share, 95, True)}")

  found = [error for error, report in zip(errors["told"], reports) if report["steps"]]
  print(f"  told, where steps were found ({len(found)} of {len(known)}): mean error {numpy.mean(found):.1f} %")

  print("Whole recordings: told; sum of the bouts by each reference (steps outside of bouts are told, too)")
  for path, report in zip(wholes, totals):
    sums = {system: sum(bout["length_m"] for other, its, bout, _ in known if (other, its) == (path, system))
            for system in ("INDIP", "Stereophoto")}
    print(f"  {os.path.basename(path).split('_Trial')[0]:14}{report['distance']:6.1f} m "
      f"({report['distanceLow']:.1f}–{report['distanceHigh']:.1f})  "
      + ", ".join(f"{system} {metres:.1f} m" for system, metres in sums.items()))

  print("Run of 25 minutes, 3.35 km: hip and ankle")
  run = rows(f"{data}/running_adept/run_hip_ankle_100hz.csv.gz")
  with tempfile.TemporaryDirectory() as folder:
    for name in ("hip", "ankle"):
      report = told(motionctl, [run], folder, name)[0]
      error = 100 * (report["distance"] - 3350) / 3350
      isInside = report["distanceLow"] <= 3350 <= report["distanceHigh"]
      print(f"  {name:6}{report['distance']:6.0f} m ({report['distanceLow']:.0f}–{report['distanceHigh']:.0f}){error:+6.1f} %"
        f"{hold(name, abs(error), 4)}{hold(f'{name} inside', isInside, 1, True)}")
  return broken


if __name__ == "__main__":
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("--motionctl", default=".build/release/motionctl")
  parser.add_argument("--data", default=os.environ.get("OPENCOREMOTION_DATA", "../shared/data"))
  options = parser.parse_args()
  failures = measure(options.motionctl, options.data)
  for line in failures:
    print(f"bound broken: {line}", file=sys.stderr)
  sys.exit(1 if failures else 0)
