#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Trains the step frequency and the activity network, prints their model card, and writes them as Swift tables.

    swift build -c release --product motionctl
    Scripts/train-activity.py [--motionctl .build/release/motionctl] [--data ../shared/data] [--write]

The features are those of Swift (`motionctl steps --features`), so they exist once. People come from MotionSense, WISDM, the Oxford
step counter set, Mobilise-D, mhealthtools and Bangle.js; vehicles and bicycles are simulated by physics (Scripts/Activity/rides.py), as hardly any
licensed recordings exist. Both are cut and composed to days of four minutes (Scripts/Activity/compose.py).
The card has the windows of people who were left out, a quarter at a time, joined by the hidden Markov model as the estimator does.
With --write the tables and Documentation/ActivityModel.md are written, and motionctl is built in between: the network's features need the
new step frequency. 10 to 15 minutes on two cores. Needs numpy.
"""

import argparse, csv, io, multiprocessing, os, subprocess, sys, tempfile
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Activity"))
import compose, network, recordings
from recordings import CADENCES, KINDS

FOLDER = "Sources/ActivityEstimation"
HEAD = """// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/train-activity.py. Do not edit.

"""
MAP = "t=t_s[s] ax=acc_x_g[g] ay=acc_y_g az=acc_z_g"
card = []


def say(line=""):
  print(line, flush=True)
  card.append(line)


def write_csv(path, time, force):
  axes = ",".join(f"acc_{axis}_g" for axis in "xyz")
  with open(path, "w") as file:
    file.write(f"t_s,{axes}\n")
    numpy.savetxt(file, numpy.column_stack([time, force]), fmt="%.4f,%.4f,%.4f,%.4f")


def features(paths, placement, spectra=False):
  """For each file its rows: time of the window's middle, features (and spectra)."""
  found = {}
  for start in range(0, len(paths), 40):
    command = [options.motionctl, "steps", "--features", "--placement", placement, "--map", MAP, "--sign", "reaction",
               *paths[start:start + 40]]
    result = subprocess.run(command + (["--spectra"] if spectra else []), capture_output=True, text=True)
    if result.returncode != 0:
      sys.exit(f"motionctl steps --features failed: {result.stderr.strip()[:400]}")
    rows = csv.reader(io.StringIO(result.stdout))
    next(rows)
    for row in rows:
      found.setdefault(row[0], []).append([float(cell) for cell in row[1:]])
  for path in found:
    found[path] = numpy.array(found[path])
    found[path][:, 0] -= 2.56
  return found


# The step frequency


def learn_frequency(everything, folder):
  """The coefficients, and how often they are right for people who were left out."""
  jobs = []
  for number, entry in enumerate(everything):
    # The steps of mhealthtools are not counted.
    if not entry.walks and (entry.activity not in CADENCES or entry.duration < 8 or entry.set == "mhealthtools"):
      continue
    for slower in (0.9, 1, 1.1) if entry.kind == 2 else (1, 1.2, 1.4):
      part = entry.time < (60 if entry.walks is None else 1e9)
      path = f"{folder}/steps_{number}_{slower}.csv"
      write_csv(path, entry.time[part] * slower, entry.force[part])
      jobs.append((path, entry, slower))
  inputs, right, weights, people, sets = [], [], [], [], []
  table = {}
  for placement in ("body", "wrist"):
    table |= features([job[0] for job in jobs if job[1].placement == placement], placement, spectra=True)
  for path, entry, slower in jobs:
    rows = table[path]
    deviation = numpy.exp(rows[:, 1]) - 0.003
    truth = numpy.zeros((len(rows), len(network.GRID)), bool)
    if entry.walks:
      for contacts in entry.walks:
        contacts = numpy.array(contacts) * slower
        for row, now in enumerate(rows[:, 0]):
          near = contacts[abs(contacts - now) < 2.2]
          if len(near) >= 4:
            truth[row] |= abs(network.GRID * numpy.median(numpy.diff(near)) - 1) < 0.15
      weight = 4
    else:
      low, high = CADENCES[entry.activity]
      if entry.steps and entry.kind == 1:
        mean = entry.steps / entry.duration
        low, high = 0.85 * mean, 1.2 * mean
      truth[(deviation > 0.04) & (rows[:, 0] > 2.5)] = (network.GRID > low / slower) & (network.GRID < high / slower)
      weight = 1.5 if entry.steps else 0.35
    used = numpy.flatnonzero(truth.any(1))[::1 if entry.walks else 3]
    if len(used):
      inputs.append(network.frequency_inputs(deviation[used], rows[used][:, 1 + len(NAMES):]))
      right.append(truth[used])
      weights.append(numpy.full(len(used), weight / len(used) * min(1, len(used) / 40)))
      people += [entry.person] * len(used)
      sets += [entry.set] * len(used)
  inputs, right, weights = numpy.concatenate(inputs), numpy.concatenate(right), numpy.concatenate(weights)
  people, sets = numpy.array(people), numpy.array(sets)
  group = {person: place % 5 for place, person in enumerate(sorted(set(people)))}
  group = numpy.array([group[person] for person in people])
  good = numpy.zeros(len(people), bool)
  for left in range(5):
    out = group == left
    values = network.fit_frequency(inputs[~out], right[~out], weights[~out])
    good[out] = right[out][numpy.arange(out.sum()), (inputs[out] @ values).argmax(1)]
  line = right[numpy.arange(len(right)), inputs[:, :, 0].argmax(1)]
  say("\n## Step frequency\n\nWindows in which it is right, %, people left out (a fifth at a time), at three speeds of playing; beside it")
  say("the strongest line of the spectrum.\n\n| set | windows | right | strongest line |\n|---|---|---|---|")
  for name in sorted(set(sets)):
    chosen = sets == name
    say(f"| {name} | {chosen.sum()} | {100 * good[chosen].mean():.1f} | {100 * line[chosen].mean():.1f} |")
  return network.fit_frequency(inputs, right, weights)


def write_frequency(values):
  """True when the coefficients have changed."""
  path = f"{FOLDER}/StepFrequency+Coefficients.swift"
  text = ",\n    ".join(f"{name}: {value:.4f}" for name, value in zip(network.FREQUENCY_NAMES, values))
  text = f"{HEAD}extension StepFrequency.Coefficients {{\n  static let trained = Self(\n    {text})\n}}\n"
  with open(path) as file:
    if file.read() == text:
      return False
  with open(path, "w") as file:
    file.write(text)
  return True


# The network


def compose_one(job):
  people, placement, seed, entry, path = job
  composer = composers.setdefault((people, placement), None) or compose.Composer(
    [recording for recording in everything if people is None or recording.person in people], placement)
  composers[people, placement] = composer
  time, force, kinds = composer.whole(seed, entry) if entry else composer.day(seed)
  write_csv(path, time, force)
  return path, time, kinds


def days(placement, people, count, first, folder):
  """Features, kinds, which windows are of one kind, and the day of each window."""
  jobs = [(people, placement, first + number, None, f"{folder}/{placement}_{first + number}.csv") for number in range(count)]
  if placement == "body":
    known = [entry for entry in everything if entry.set in ("Mobilise", "mhealthtools") and (people is None or entry.person in people)]
    for turn in range(max(1, count // 12)):
      jobs += [(people, placement, first + 500_000 + turn, entry, f"{folder}/whole_{first}_{turn}_{number}.csv")
               for number, entry in enumerate(known)]
  with multiprocessing.Pool(2) as pool:
    made = pool.map(compose_one, jobs, chunksize=4)
  table = features([path for path, _, _ in made], placement)
  values, kinds, pure, number = [], [], [], []
  for index, (path, time, labels) in enumerate(made):
    os.remove(path)
    if path not in table:
      continue
    rows = table[path]
    at = lambda moment: labels[numpy.searchsorted(time, moment).clip(0, len(time) - 1)]
    middle = at(rows[:, 0])
    values.append(rows[:, 1:])
    kinds.append(middle)
    pure.append((at(rows[:, 0] - 0.32) == middle) & (at(rows[:, 0] + 0.32) == middle))
    number.append(numpy.full(len(rows), index))
  values, kinds, pure, number = (numpy.concatenate(part) for part in (values, kinds, pure, number))
  deviation = numpy.exp(values[:, 0]) - 0.003
  # A label is for the whole piece. A phone in the pocket of one who types is at rest; what plainly shows something else is not learned.
  kinds = numpy.where((kinds == 3) & (deviation < 0.03), 0, kinds)
  odd = (kinds < 0) | (kinds == 0) & (deviation > 0.4)
  odd |= (kinds == 1) & (deviation < 0.03) | (kinds == 5) & (deviation < 0.05)
  return values, kinds.clip(0), pure & ~odd, number


# How much each kind counts: what a false answer costs. A watch that rests is the commonest; bicycles are known from simulations alone.
IMPORTANCE = {"body": [1.2, 3.2, 0.9, 1.4, 1.2, 0.75], "wrist": [7, 3.2, 0.8, 1.8, 0.2, 0]}


def learn_network(placement, people, count, first, folder, seed):
  values, kinds, pure, number = days(placement, people, count, first, folder)
  weights = numpy.zeros(len(kinds))
  for kind in range(6):
    if (kinds == kind).any():
      weights[kinds == kind] = IMPORTANCE[placement][kind] / (kinds == kind).sum()
  return network.Network.train(values, kinds, weights * numpy.where(pure, 1, 0.02), number, seed)


def judge(placement, folder):
  """Prints what the network is worth for people who were left out, a quarter at a time."""
  people = sorted({entry.person for entry in everything if entry.placement == placement})
  whole = [entry for entry in everything if entry.placement == placement and not entry.walks]
  paths = {}
  for index, entry in enumerate(whole):
    paths[index] = f"{folder}/recording_{placement}_{index}.csv"
    write_csv(paths[index], entry.time, entry.force)
  table = features(list(paths.values()), placement)
  markov, composed, told = network.Markov(), numpy.zeros((6, 6)), {}
  for left in range(4):
    out = frozenset(people[left::4])
    inside = frozenset({entry.person for entry in everything}) - out
    net = learn_network(placement, inside, options.days // 2, 1_000_000 * (left + 1), folder, left)
    values, kinds, pure, number = days(placement, out, options.days // 10, 1_000_000 * (left + 1) + 900_000, folder)
    for day in range(number.max() + 1):
      chosen = number == day
      decided = markov(net.logarithms(values[chosen]), values[chosen]).argmax(1)
      numpy.add.at(composed, (kinds[chosen][pure[chosen]], decided[pure[chosen]]), 1)
    for index, entry in enumerate(whole):
      if entry.person in out and paths[index] in table:
        decided = markov(net.logarithms(table[paths[index]][:, 1:]), table[paths[index]][:, 1:]).argmax(1)
        told.setdefault((entry.set, entry.activity), numpy.zeros(6))
        told[entry.set, entry.activity] += numpy.bincount(decided, minlength=6)
  head = "| | windows | " + " | ".join(KINDS) + " |\n|---|---|" + "---|" * 6
  row = lambda name, counts: say(f"| {name} | {int(counts.sum())} | " + " | ".join(f"{100 * part:.1f}" for part in counts / max(1, counts.sum())) + " |")
  say(f"\n## Device on the {placement}: people left out, % of windows\n\nWhole recordings (one label each, rests in them included):\n\n{head}")
  for key in sorted(told):
    row(" ".join(key), told[key])
  say(f"\nComposed days (each window's own label; vehicles and bicycles are other simulated ones):\n\n{head}")
  for kind in range(6):
    if composed[kind].any():
      row(KINDS[kind], composed[kind])


def write_network(net, placement):
  def lines(items):
    text, line = [], "     "
    for item in items:
      if len(line) + len(item) > 117:
        text.append(line)
        line = "     "
      line += f" {item},"
    return "\n".join(text + [line])

  number = lambda value: f"{value:.3g}"
  hidden, constants, output, ends = net.weights
  units = range(hidden.shape[1])
  with open(f"{FOLDER}/ActivityNetwork+{placement.capitalize()}.swift", "w") as file:
    file.write(f"""{HEAD}extension ActivityNetwork.Coefficients {{
  /// {len(units)} hidden units for a device on the {placement}.
  static let {placement} = Self(
    means: [
{lines(map(number, net.means))}
    ],
    deviations: [
{lines(map(number, net.deviations))}
    ],
    hidden: [
{lines(number(value) for unit in units for value in [*hidden[:, unit], constants[unit]])}
    ],
    output: [
{lines(number(value) for values in [*output, ends] for value in values)}
    ])
}}
""")


def introduce():
  say("# Activity model\n\nWritten by `Scripts/train-activity.py --write`: what the step frequency and the activity network were trained with, and what\n"
      "they are worth on people who were left out.\n\n## Data\n\n| set | placement | people | hours | licence |\n|---|---|---|---|---|")
  licences = {"MotionSense": "MIT", "WISDM": "CC BY 4.0", "Oxford": "CC BY 4.0", "mhealthtools": "Apache-2.0",
              "Mobilise": "Apache-2.0", "Bangle": "MIT"}
  for name, placement in sorted({(entry.set, entry.placement) for entry in everything}):
    chosen = [entry for entry in everything if (entry.set, entry.placement) == (name, placement)]
    hours = sum(entry.duration for entry in chosen) / 3600
    say(f"| {name} | {placement} | {len({entry.person for entry in chosen})} | {hours:.1f} | {licences[name]} |")
  say("\nVehicles (cars, buses, trains, trams, motorcycles; in a holder, rigid, on a seat, in a pocket, in a hand) and bicycles (thigh, trunk,\n"
      "frame) are simulated (`Scripts/Activity/rides.py`). Days of four minutes are composed of pieces, played at 0.7 to 1.5 of their time and at\n"
      f"12.5 to 100 Hz, clipped at 2 g in a third of them: {options.days} for each placement.\n\n"
      "Limits: few people over 60, none with a wheelchair or crutches but those of Mobilise-D; no measured bicycle and one minute of a measured\n"
      "car; a watch on a bicycle is not recognised; dancing, swimming, rowing and skating are not in the data. A head is judged as a body. The costs of\n"
      "changes between the kinds are set by hand (`ActivityClassifier.Parameters`).")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--motionctl", default=".build/release/motionctl")
parser.add_argument("--data", default=os.environ.get("OPENCOREMOTION_DATA", "../shared/data"))
parser.add_argument("--days", type=int, default=800, help="composed days for each placement (default: 800)")
parser.add_argument("--stages", default="frequency,judge,network", help="a part of: frequency,judge,network")
parser.add_argument("--write", action="store_true", help=f"write the tables into {FOLDER}")
options = parser.parse_args()
everything, composers = recordings.load(options.data), {}
NAMES = subprocess.run([options.motionctl, "steps", "--features", "simulate:walk", "--for", "6"], capture_output=True,
                       text=True, check=True).stdout.splitlines()[0].split(",")[2:]
with tempfile.TemporaryDirectory() as folder:
  introduce()
  if "frequency" in options.stages:
    values = learn_frequency(everything, folder)
    if options.write and write_frequency(values):
      subprocess.run(["swift", "build", "-c", "release", "--product", "motionctl"], check=True, stdout=sys.stderr)
  for placement in ("body", "wrist"):
    if "judge" in options.stages:
      judge(placement, folder)
    if "network" in options.stages:
      net = learn_network(placement, None, options.days, 9_000_000, folder, 7)
      if options.write:
        write_network(net, placement)
if options.write and options.stages == parser.get_default("stages"):
  with open("Documentation/ActivityModel.md", "w") as file:
    file.write("\n".join(card) + "\n")
