#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Trains the step frequency, the evidence of a vehicle and the activity network, prints their model card, and writes them as Swift tables.

    swift build -c release --product motionctl
    Scripts/train-activity.py [--motionctl .build/release/motionctl] [--data ../shared/data] [--judge]

The features are those of Swift (`motionctl steps --features`), so they exist once. People come from MotionSense, WISDM, the Oxford
step counter set, Mobilise-D, mhealthtools and Bangle.js; vehicles and bicycles are simulated by physics (Scripts/Activity/rides.py), as hardly any
licensed recordings exist. Both are cut and composed to days of four minutes (Scripts/Activity/compose.py).
Writes the tables, and builds motionctl in between: the features need the new step frequency. With --judge every second person is left out,
then the others, `motionctl steps` says what it is worth on them, and Documentation/ActivityModel.md is written. About 10 minutes on two
idle cores, 25 with --judge. Needs numpy.
"""

import argparse, collections, concurrent.futures, itertools, json, multiprocessing, os, subprocess, sys, tempfile
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Activity"))
import compose, network, recordings, rides
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
  rows = numpy.column_stack([time, force])
  numpy.savetxt(path, rows, fmt="%.4f,%.4f,%.4f,%.4f", header="t_s,acc_x_g,acc_y_g,acc_z_g", comments="")


def features(paths, placement, spectra=False):
  """For each file its rows: time of the window's middle, features (and spectra)."""
  command = [options.motionctl, "steps", "--features", "--placement", placement, "--map", MAP, "--sign", "reaction"]
  command += ["--spectra"] if spectra else []

  def ask(start):
    result = subprocess.run(command + paths[start:start + 40], capture_output=True, text=True)
    if result.returncode != 0:
      sys.exit(f"motionctl steps --features failed: {result.stderr.strip()[:400]}")
    return [line.split(",") for line in result.stdout.splitlines()[1:]]

  found = collections.defaultdict(list)
  with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for path, *cells in itertools.chain.from_iterable(pool.map(ask, range(0, len(paths), 40))):
      found[path].append([float(cell) for cell in cells])
  return {path: numpy.array(rows) - numpy.eye(1, len(rows[0])) * 2.56 for path, rows in found.items()}


# The step frequency


def learn_frequency(inside, folder):
  """Writes the coefficients."""
  jobs = []
  for number, entry in enumerate(everything):
    # The steps of mhealthtools are not counted.
    if entry.person not in inside or not entry.walks and (entry.activity not in CADENCES or entry.duration < 8 or entry.set == "mhealthtools"):
      continue
    for slower in (0.9, 1, 1.1) if entry.kind == 2 else (0.76, 1, 1.2, 1.4):
      part = entry.time < (60 if entry.walks is None else 1e9)
      path = f"{folder}/steps_{number}_{slower}.csv"
      write_csv(path, entry.time[part] * slower, entry.force[part])
      jobs.append((path, entry, slower))
  inputs, right, weights, table = [], [], [], {}
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
      inputs.append(network.frequency_inputs(rows[used][:, 1 + len(NAMES):]))
      right.append(truth[used])
      weights.append(numpy.full(len(used), weight / len(used) * min(1, len(used) / 40)))
  values = network.fit_frequency(*map(numpy.concatenate, (inputs, right, weights)))
  text = lines((f"{name}: {value:.4f}" for name, value in zip(network.FREQUENCY_NAMES, values)), 4).rstrip(",")
  write("StepFrequency+Coefficients", f"extension StepFrequency.Coefficients {{\n  static let trained = Self(\n{text})\n}}\n")


def write(name, text):
  with open(f"{FOLDER}/{name}.swift", "w") as file:
    file.write(HEAD + text)


def lines(items, indent):
  text, line = [], " " * (indent - 1)
  for item in items:
    if len(line) + len(item) > 117:
      text.append(line)
      line = " " * (indent - 1)
    line += f" {item},"
  return "\n".join(text + [line])


def build():
  subprocess.run(["swift", "build", "-c", "release", "--product", "motionctl"], check=True, stdout=sys.stderr)


# The last minute in a vehicle


def learn_vehicle(placement, inside, folder):
  """Whole recordings of people off their feet, as they are and played otherwise, against rides."""
  random = numpy.random.default_rng(11)
  paths, rides_at = [], []

  def add(time, force, to):
    to.append(f"{folder}/minute_{placement}_{len(paths)}_{len(rides_at)}.csv")
    write_csv(to[-1], time, force)

  for entry in everything:
    if entry.person not in inside or entry.kind in (1, 2) or entry.walks is not None or entry.duration < 40:
      continue
    if entry.placement == placement:
      changes = ((1, 1), (0.85, 0.6), (1.2, 1.4))
    elif placement == "body" and entry.activity in compose.WORK | {"sitting"}:
      # What the hands do shakes a pocket, too, but less.
      changes = ((1, rides.log_uniform(random, 0.05, 0.5)),)
    else:
      continue
    for slower, stronger in changes:
      mean = entry.force.mean(0)
      add(entry.time * slower, mean + (entry.force - mean) * stronger, paths)
  for _ in range(100 if placement == "body" else 0):
    force = rides.bicycle(random, 120)[::2]
    add(numpy.arange(len(force)) / 50, force, paths)
  for _ in range(300):
    rate = int(random.choice(compose.RATES["body"]))
    force = compose.resample(numpy.arange(15_100) / 100, rides.vehicle(random, 151), rate, 150 * rate)
    time, force, _ = compose.sensor(random, rate, force, None)
    add(time, force, rides_at)
  table = features(paths + rides_at, placement)
  return network.fit_vehicle(*([table[path][:, 1:] for path in names if path in table] for names in (paths, rides_at)))


def write_vehicle(found):
  number, text = lambda values: ", ".join(f"{value:.4g}" for value in values), ""
  for placement, (means, deviations, weights, right) in found.items():
    text += f"""  /// For a device on the {placement}: right for {100 * right[0]:.0f} % of what people do, and {100 * right[1]:.0f} % of the rides.
  static let {placement} = Self(
    means: [{number(means)}],
    deviations: [{number(deviations)}],
    linear: [{number(weights[:len(means)])}],
    squares: [{number(weights[len(means):-1])}],
    constant: {weights[-1]:.4g})
"""
  write("VehicleEvidence+Coefficients", f"extension VehicleEvidence.Coefficients {{\n{text}}}\n")


# The network


def compose_one(job):
  people, placement, seed, entry, path = job
  composer = composers.setdefault((people, placement), None) or compose.Composer(
    [recording for recording in everything if recording.person in people], placement)
  composers[people, placement] = composer
  time, force, kinds = composer.whole(seed, entry) if entry else composer.day(seed)
  write_csv(path, time, force)
  return path, time, kinds


def days(placement, people, count, first, folder):
  """Features, kinds, which windows are of one kind, and the day of each window."""
  jobs = [(people, placement, first + number, None, f"{folder}/{placement}_{first + number}.csv") for number in range(count)]
  if placement == "body":
    known = [entry for entry in everything if entry.set in ("Mobilise", "mhealthtools") and entry.person in people]
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


def learn_network(placement, people, folder):
  values, kinds, pure, number = days(placement, people, options.days, 9_000_000, folder)
  weights = numpy.array(IMPORTANCE[placement])[kinds] / numpy.bincount(kinds, minlength=6)[kinds]
  return network.Network.train(values, kinds, weights * numpy.where(pure, 1, 0.02), number, 7)


def write_network(net, placement):
  hidden, constants, output, ends = net.weights
  parts = {"means": net.means, "deviations": net.deviations,
           "hidden": [value for unit, constant in zip(hidden.T, constants) for value in [*unit, constant]],
           "output": [value for row in [*output, ends] for value in row]}
  text = ",\n".join(f"    {name}: [\n{lines((f'{value:.3g}' for value in values), 6)}\n    ]" for name, values in parts.items())
  write(f"ActivityNetwork+{placement.capitalize()}", f"""extension ActivityNetwork.Coefficients {{
  /// {len(constants)} hidden units for a device on the {placement}.
  static let {placement} = Self(
{text})
}}
""")


def learn(people, folder):
  """Everything, of some people, into the tables; and the program that has them."""
  learn_frequency(people, folder)
  build()
  write_vehicle({placement: learn_vehicle(placement, people, folder) for placement in ("body", "wrist")})
  for placement in ("body", "wrist"):
    write_network(learn_network(placement, frozenset(people), folder), placement)
  build()


def judge(folder):
  """What the program says of the recordings of people that it has not been trained with."""
  people = sorted({entry.person for entry in everything})
  told, steps = collections.defaultdict(lambda: numpy.zeros(6)), collections.defaultdict(list)
  for half in (0, 1):
    learn(people[half::2], folder)
    for placement in ("body", "wrist"):
      chosen = [entry for entry in everything if entry.placement == placement and entry.person in people[1 - half::2] and not entry.walks]
      paths = [f"{folder}/left_{number}.csv" for number in range(len(chosen))]
      for path, entry in zip(paths, chosen):
        write_csv(path, entry.time, entry.force)
      command = [options.motionctl, "steps", "--json", "--placement", placement, "--map", MAP, "--sign", "reaction", *paths]
      result = subprocess.run(command, capture_output=True, text=True, check=True)
      for entry, report in zip(chosen, map(json.loads, result.stdout.splitlines())):
        for name, seconds in report["shares"].items():
          kind = next((kind for kind in reversed(KINDS) if kind in name), "other")
          told[entry.set, placement, entry.activity][KINDS.index(kind)] += seconds
        steps[entry.set, placement, entry.activity].append((report["steps"], report["seconds"], entry.steps))
  say("\n## People left out\n\nTrained with every second person, told by `motionctl steps` of the others: % of the time of whole recordings (one label each, rests in")
  say("them included), steps a minute, and the mean error of the count where it is known, %.\n")
  say("| set | placement | activity | " + " | ".join(KINDS) + " | steps | error |\n|---|---|---|" + "---|" * 8)
  for key in sorted(told):
    counts = steps[key]
    errors = [100 * abs(found - truth) / truth for found, _, truth in counts if truth]
    say(f"| {' | '.join(key)} | " + " | ".join(f"{100 * part:.1f}" for part in told[key] / told[key].sum())
        + f" | {60 * sum(found for found, _, _ in counts) / sum(seconds for _, seconds, _ in counts):.1f}"
        + f" | {f'{numpy.mean(errors):.1f}' if errors else ''} |")


def introduce():
  say("# Activity model\n\nWritten by `Scripts/train-activity.py --judge`: what steps and activities were trained with, and what\n"
      "they are worth on people who were left out.\n\n## Data\n\n| set | placement | people | hours | licence |\n|---|---|---|---|---|")
  licences = {"MotionSense": "MIT", "WISDM": "CC BY 4.0", "Oxford": "CC BY 4.0", "mhealthtools": "Apache-2.0",
              "Mobilise": "Apache-2.0", "Bangle": "MIT"}
  for name, placement in sorted({(entry.set, entry.placement) for entry in everything}):
    chosen = [entry for entry in everything if (entry.set, entry.placement) == (name, placement)]
    hours = sum(entry.duration for entry in chosen) / 3600
    say(f"| {name} | {placement} | {len({entry.person for entry in chosen})} | {hours:.1f} | {licences[name]} |")
  say("\nVehicles (cars, buses, trains, trams, motorcycles; in a holder, rigid, on a seat, in a pocket, in a hand) and bicycles (thigh, trunk,\n"
      "frame) are simulated (`Scripts/Activity/rides.py`). Days of four minutes are composed of pieces, played at 0.7 to 1.5 of their time and at\n"
      f"12.5 to 100 Hz, clipped at 2 g in a third of them: {options.days} for each placement. A tenth of the walks and runs are ideal ones.\n\n"
      "Limits: few people over 60, none with a wheelchair or crutches but those of Mobilise-D; no measured bicycle and one minute of a measured\n"
      "car; a watch on a bicycle is not recognised; dancing, swimming, rowing and skating are not in the data. A head is judged as a body. How long kinds\n"
      "last is set by hand (`ActivityClassifier.Parameters`).")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--motionctl", default=".build/release/motionctl")
parser.add_argument("--data", default=os.environ.get("OPENCOREMOTION_DATA", "../shared/data"))
parser.add_argument("--days", type=int, default=600, help="composed days for each placement (default: 600)")
parser.add_argument("--judge", action="store_true", help="also leave people out, and write Documentation/ActivityModel.md")
options = parser.parse_args()
everything, composers = recordings.load(options.data), {}
NAMES = subprocess.run([options.motionctl, "steps", "--features", "simulate:walk", "--for", "6"], capture_output=True,
                       text=True, check=True).stdout.splitlines()[0].split(",")[2:]
with tempfile.TemporaryDirectory() as folder:
  introduce()
  if options.judge:
    judge(folder)
    with open("Documentation/ActivityModel.md", "w") as file:
      file.write("\n".join(card) + "\n")
  learn(sorted({entry.person for entry in everything}), folder)
