#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Trains the decision trees and the logistic scores of the activity classifier and writes them as Swift tables.

    swift build -c release --product motionctl
    Scripts/train-activity.py [--motionctl .build/release/motionctl] [--data ../shared/data] [--write]

The features are those of Swift (`motionctl activity --features`), so they exist once. People come from MotionSense, WISDM and the Oxford
step counter set. No licensed recordings of cars and bicycles exist: they are simulated here from published figures (a phone at a
cyclist's thigh: standard deviation 0.39 g, 1.22 Hz, little power above 5 Hz; a car: 0.02–0.1 g, without a line) and from physics.
The tree tells movement on foot from everything else. Two logistic scores, which have fewer constants and suit other people better, tell
a run from a walk, and pedals from steps (Sources/MotionServices/Activity/LogisticScore.swift has their inputs).
Prints the confusion of single windows with people left out (four groups), then the size of each tree. Without --write nothing is
changed. Needs numpy.
"""

import argparse, csv, glob, io, os, subprocess, sys, tempfile
import numpy

KINDS = ["stationary", "walking", "running", "other", "automotive", "cycling"]
LABELS = {
  "sit": 0, "std": 0, "sitting": 0, "standing": 0, "wlk": 1, "ups": 1, "dws": 1, "walking": 1, "stairs": 1, "jog": 2,
  "jogging": 2, "running": 2, "car": 4, "bicycle": 5,
}
# How much each kind counts; how much activities that partly are walking, or that a wrist confuses with it, count within "other".
KIND_WEIGHTS = {"body": [2, 2, 1, 1.2, 0.5, 0.6], "wrist": [1, 2, 1, 2, 1, 1]}
ACTIVITY_WEIGHTS = {
  "body": {"kicking": 0.2, "catch": 0.3, "dribbling": 0.5, "folding": 2},
  "wrist": {"kicking": 0.2, "catch": 0.4, "dribbling": 0.5, "folding": 3, "pasta": 2, "typing": 2, "clapping": 1.5},
}
LEAVES, DEPTH, LEAST_WEIGHT = 32, 7, 0.004
# The gyroscope is left out: many devices have none. The highest acceleration says where the sensor clips; the rate belongs to a score.
UNUSED = ["rotation", "highest", "rate"]
G = 9.80665


def filtered(random, count, rate, low, high, deviation):
  """Noise of a band, by the Fourier transform."""
  lines = numpy.fft.rfftfreq(count, 1 / rate)
  spectrum = numpy.fft.rfft(random.normal(size=count)) * ((lines >= low) & (lines <= high))
  noise = numpy.fft.irfft(spectrum, count)
  return noise / noise.std() * deviation


def pauses(random, count, rate, between, shortest, longest, fade):
  """1, with stretches of 0 that fade in and out."""
  level, position = numpy.ones(count), 0
  while position < count:
    position += int(random.exponential(between) * rate)
    length = int(random.uniform(shortest, longest) * rate)
    level[position:position + length] = 0
    position += length
  width = max(1, int(fade * rate))
  return numpy.convolve(numpy.pad(level, width, mode="edge"), numpy.ones(width) / width, "same")[width:-width]


def bicycle(random, seconds, rate=100):
  """A phone at the thigh: the frame carries the hip, the thigh swings with the pedal."""
  count = int(seconds * rate)
  cadence = random.uniform(1.05, 1.6) * (1 + filtered(random, count, rate, 0.01, 0.1, 0.05))
  phase = 2 * numpy.pi * numpy.cumsum(cadence) / rate
  swing, distance, offset = random.uniform(0.3, 0.45), random.uniform(0.1, 0.35), random.uniform(-0.08, 0.08)
  pedals = pauses(random, count, rate, 40, 2, 8, 0.8)
  second = random.uniform(0, 0.15) * numpy.sin(2 * phase + random.uniform(0, 6))
  angle = random.uniform(0.2, 0.6) + swing * pedals * (numpy.sin(phase) + second)
  speed = numpy.gradient(angle, 1 / rate)
  change = numpy.gradient(speed, 1 / rate)
  rough = random.uniform(0.06, 0.22) * numpy.exp(filtered(random, count, rate, 0.01, 0.15, 0.4))
  ahead = filtered(random, count, rate, 0.01, 0.3, 0.4) + G * rough * 0.5 * filtered(random, count, rate, 2, 14, 1)
  up = G + G * rough * filtered(random, count, rate, 2, 14, 1)
  along = ahead * numpy.cos(angle) - up * numpy.sin(angle) - speed**2 * distance + change * offset
  across = ahead * numpy.sin(angle) + up * numpy.cos(angle) - change * distance - speed**2 * offset
  side = G * rough * 0.5 * filtered(random, count, rate, 0.5, 10, 1)
  side += G * pedals * random.uniform(0.02, 0.08) * numpy.sin(phase + 1)
  return numpy.column_stack([along, side, across])


def car(random, seconds, rate=100):
  """A phone in a holder: the body bounces on its springs at random, the wheels hop, the driver brakes and waits."""
  count = int(seconds * rate)
  moving = pauses(random, count, rate, 60, 5, 30, 3)
  level = random.uniform(0.02, 0.09) * numpy.exp(filtered(random, count, rate, 0.01, 0.2, 0.4))
  spring = random.uniform(1.1, 1.9)
  parts = random.dirichlet([2, 2, 2]) ** 0.5
  width = random.uniform(0.25, 0.5) * spring
  bounce = parts[0] * filtered(random, count, rate, spring - width, spring + width, 1)
  bounce += parts[1] * filtered(random, count, rate, 2, 8, 1) + parts[2] * filtered(random, count, rate, 7, 14, 1)
  engine = G * random.uniform(0.002, 0.01) * filtered(random, count, rate, 18, 40, 1)
  across = moving * (filtered(random, count, rate, 0.01, 0.4, 0.7) + 0.6 * G * level * filtered(random, count, rate, 1, 9, 1))
  ahead = moving * (filtered(random, count, rate, 0.01, 0.4, 0.8) + 0.5 * G * level * filtered(random, count, rate, 1, 10, 1))
  return numpy.column_stack([ahead + engine * 0.5, across, G + G * moving * level * bounce + engine])


def write_rides(folder):
  """120 rides of each kind of 90 s, at 20, 50 and 100 Hz, turned at random."""
  paths = []
  for number in range(120):
    for name, ride in (("bicycle", bicycle), ("car", car)):
      random = numpy.random.default_rng(1000 * number + len(name))
      matrix = numpy.linalg.qr(random.normal(size=(3, 3)))[0]
      every = (5, 2, 1)[number % 3]
      force = (ride(random, 90) @ matrix.T)[::every] / G
      if every == 5:
        force = force.clip(-2, 2)
      path = f"{folder}/{name}_{number}.csv"
      with open(path, "w") as file:
        axes = [f"{sensor}_{axis}_{unit}" for sensor, unit in (("acc", "g"), ("gyr", "dps"), ("mag", "uT")) for axis in "xyz"]
        file.write(",".join(["t_s", *axes, "bar_hPa"]) + "\n")
        for index, (x, y, z) in enumerate(force):
          file.write(f"{index * every / 100:.2f},{x:.5f},{y:.5f},{z:.5f},0,0,0,0,0,0,1013\n")
      paths.append((path, "rides", name, f"ride{number}", "body"))
  return paths


def recordings(data):
  """Path, set, activity, person, placement."""
  def files(pattern):
    return sorted(glob.glob(f"{data}/{pattern}"))

  found = []
  for path in files("motionsense/*/*.csv.gz"):
    found.append((path, "MotionSense", path.split("/")[-2], "m" + path.split("_")[-1][:-7], "body"))
  for path in files("wisdm/*/*_accel.csv.gz"):
    person, device = os.path.basename(path).split("_")[:2]
    placement = "wrist" if device == "watch" else "body"
    found.append((path, "WISDM", path.split("/")[-2], "w" + person, placement))
  for path in files("steps_oxford/user*.csv.gz") + files("steps_oxford/opt*.acc*.csv.gz"):
    found.append((path, "Oxford", "walking", os.path.basename(path).split("_")[0 if "user" in path else 2], "body"))
  found += [(path, "ADEPT", "running", "adept", "body") for path in files("running_adept/*.csv.gz")]
  for path in files("cmdevicemotion_sage/*.csv.gz"):
    name = os.path.basename(path).removesuffix("_data.csv.gz")
    found.append((path, "mhealthtools", "walking" if name == "walk" else name, "sage", "body"))
  return found


def features(motionctl, entries):
  """Names, and for each recording its rows; a few seconds for all."""
  names, table = [], {}
  for placement in ("body", "wrist"):
    paths = [entry[0] for entry in entries if entry[4] == placement]
    for start in range(0, len(paths), 40):
      command = [motionctl, "activity", "--features", "--placement", placement, *paths[start:start + 40]]
      result = subprocess.run(command, capture_output=True, text=True)
      if result.returncode != 0:
        sys.exit(f"motionctl activity --features failed: {result.stderr.strip()}")
      for row in csv.reader(io.StringIO(result.stdout)):
        if row[0] == "file":
          names = row[2:]
        else:
          table.setdefault(row[0], []).append([float(cell) for cell in row[2:]])
  return names, table


def best_split(values, labels, weights):
  """The question that lowers Gini's impurity most: gain, feature, threshold."""
  best = (0, None, None)
  sums = numpy.zeros((len(labels), len(KINDS)))
  sums[numpy.arange(len(labels)), labels] = weights
  total = sums.sum(0)
  whole = total.sum()
  for feature in range(values.shape[1]):
    order = numpy.argsort(values[:, feature], kind="stable")
    column, below = values[order, feature], numpy.cumsum(sums[order], 0)[:-1]
    left = below.sum(1)
    right = whole - left
    fits = (column[1:] > column[:-1] + 1e-9) & (left > LEAST_WEIGHT) & (right > LEAST_WEIGHT)
    if fits.any():
      gain = (below**2).sum(1) / numpy.maximum(left, 1e-12) + ((total - below) ** 2).sum(1) / numpy.maximum(right, 1e-12)
      gain = numpy.where(fits, gain - (total**2).sum() / whole, -1)
      place = gain.argmax()
      if gain[place] > best[0]:
        best = (gain[place], feature, (column[place] + column[place + 1]) / 2)
  return best


def grow(values, labels, weights):
  """A tree that always splits where it gains most; node = [feature, threshold, below, above, probabilities]."""
  weights = weights / weights.sum()

  def leaf(index, depth):
    sums = numpy.bincount(labels[index], weights[index], len(KINDS))
    split = (0, None, None)
    if depth < DEPTH and (sums > 0).sum() > 1:
      split = best_split(values[index], labels[index], weights[index])
    return {"node": [-1, 0, 0, 0, sums / sums.sum()], "index": index, "depth": depth, "split": split}

  parts, count = [leaf(numpy.arange(len(labels)), 0)], 1
  while count < LEAVES:
    part = max(parts, key=lambda part: part["split"][0])
    gain, feature, threshold = part["split"]
    if gain < 1e-4:
      break
    isBelow = values[part["index"], feature] < threshold
    part["node"][:4] = [feature, threshold, len(parts), len(parts) + 1]
    part["split"] = (0, None, None)
    parts += [leaf(part["index"][chosen], part["depth"] + 1) for chosen in (isBelow, ~isBelow)]
    count += 1
  return [part["node"] for part in parts]


def judge(tree, values):
  result = numpy.zeros(len(values), int)
  for row, value in enumerate(values):
    node = tree[0]
    while node[0] >= 0:
      node = tree[node[2] if value[node[0]] < node[1] else node[3]]
    result[row] = node[4].argmax()
  return result


def write_swift(tree, names, columns, placement):
  nodes, leaves = [], []
  for feature, threshold, below, above, probabilities in tree:
    if feature < 0:
      nodes.append(f".init(-1, 0, {len(leaves)}, 0)")
      leaves.append("SIMD8(" + ", ".join(f"{value:.3f}" for value in probabilities) + ", 0, 0)")
    else:
      nodes.append(f".init({columns.index(names[feature])}, {threshold:.5g}, {below}, {above})")

  def lines(items):
    text, line = [], "     "
    for item in items:
      if len(line) + len(item) > 117:
        text.append(line)
        line = "     "
      line += f" {item},"
    return "\n".join(text + [line])

  path = f"Sources/MotionServices/Activity/ActivityTree+{placement.capitalize()}.swift"
  with open(path, "w") as file:
    file.write(f"""// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/train-activity.py. Do not edit.

extension ActivityTree {{
  /// {len(nodes)} nodes for a device on the {placement}.
  static let {placement} = ActivityTree(
    nodes: [
{lines(nodes)}
    ],
    leaves: [
{lines(leaves)}
    ])
}}
""")
  print(f"wrote {path}: {len(nodes)} nodes")


def fit_score(inputs, labels, weights):
  """Logistic regression with a small penalty: the weights and the constant."""
  weights = weights / weights.mean()
  mean = numpy.average(inputs, axis=0, weights=weights)
  deviation = numpy.sqrt(numpy.average((inputs - mean) ** 2, axis=0, weights=weights))
  matrix = numpy.column_stack([(inputs - mean) / deviation, numpy.ones(len(inputs))])
  result = numpy.zeros(matrix.shape[1])
  for _ in range(15):
    likely = 1 / (1 + numpy.exp(-(matrix @ result).clip(-30, 30)))
    slope = matrix.T @ (weights * (labels - likely)) - 5 * result
    curvature = (matrix * (weights * likely * (1 - likely))[:, None]).T @ matrix + 5 * numpy.eye(len(result))
    result += numpy.linalg.solve(curvature, slope)
  scaled = result[:-1] / deviation
  return numpy.append(scaled, result[-1] - scaled @ mean)


def score(weights, inputs):
  return 1 / (1 + numpy.exp(-(inputs @ weights[:-1] + weights[-1]).clip(-4, 4)))


class Windows:
  """The windows of a placement with all features, and what the scores take of them."""

  def __init__(self, entries, columns, table):
    self.values = numpy.concatenate([numpy.array(table[entry[0]]) for entry in entries])
    self.columns = columns
    counts = [len(table[entry[0]]) for entry in entries]
    self.sets, self.activities, self.people, self.files = (
      numpy.repeat([entry[place] for entry in entries], counts) for place in (1, 2, 3, 0))
    self.labels = numpy.array([LABELS.get(activity, 3) for activity in self.activities])
    get = lambda name: self.values[:, columns.index(name)]
    rate, lowest, sway, horizontal = (get(name) for name in ("rate", "lowest", "sway", "horizontal"))
    self.running_inputs = numpy.column_stack([
      numpy.maximum(0, rate - 2), ((rate - 2.35) * 5).clip(-1, 1), ((1 / get("delay").clip(0.2, None) - 2.35) / 0.3).clip(-1, 1),
      lowest, numpy.log((lowest + 0.02) / (get("deviation") + 0.001)), sway, horizontal, get("autocorrelation").clip(0.2, 0.6)])
    self.pedalling_inputs = numpy.column_stack([
      get("slow"), horizontal, numpy.log((get("highest") + 0.02) / (lowest + 0.02)), sway.clip(0, 0.4), rate.clip(0, 3)])
    self.is_periodic = (get("deviation") >= 0.12) & (get("autocorrelation") >= 0.4)

  def weigh(self, chosen, part):
    """Each activity of each set counts the same, but for its part."""
    weights = numpy.zeros(len(self.labels))
    for name, group in {(a, s) for a, s in zip(self.activities[chosen], self.sets[chosen])}:
      members = chosen & (self.activities == name) & (self.sets == group)
      weights[members] = part(name, group) / members.sum()
    return weights[chosen]

  def fit_running(self, chosen):
    """Walking has more activities (flat, up, down) in a set than running."""
    chosen = chosen & ((self.labels == 1) | (self.labels == 2)) & (self.sets != "mhealthtools")
    part = lambda name, group: 1 if LABELS[name] == 2 or group == "Oxford" else 0.34 if group == "MotionSense" else 0.5
    return fit_score(self.running_inputs[chosen], self.labels[chosen] == 2, self.weigh(chosen, part))

  def fit_pedalling(self, chosen):
    chosen = chosen & self.is_periodic & numpy.isin(self.labels, [1, 2, 5]) & (self.sets != "mhealthtools")
    weights = self.weigh(chosen, lambda name, group: 4 if LABELS[name] == 5 else 1)
    return fit_score(self.pedalling_inputs[chosen], self.labels[chosen] == 5, weights)

  def follow_pedals(self, weights):
    """Sets the feature "pedalling": the mean of the score over the latest periodic windows (StepDetector.Gate does the same)."""
    frequency, column = self.values[:, self.columns.index("frequency")], self.columns.index("pedalling")
    likely = score(weights, self.pedalling_inputs) * ((frequency > 0.75) & (frequency < 1.75))
    file, mean, count = None, 0, 0
    for row in range(len(likely)):
      if self.files[row] != file:
        file, mean, count = self.files[row], 0, 0
      if self.is_periodic[row]:
        count = min(6, count + 1)
        mean += (likely[row] - mean) / count
      self.values[row, column] = mean


def train(placement, entries, columns, table):
  """Prints how well it works with people left out; the tree and the scores of all people."""
  windows = Windows([entry for entry in entries if entry[4] == placement and entry[0] in table], columns, table)
  names = [name for name in columns if name not in UNUSED]
  used = [columns.index(name) for name in names]
  sets, activities, people, labels = windows.sets, windows.activities, windows.people, windows.labels
  deviation, periodic = (windows.values[:, columns.index(name)] for name in ("deviation", "autocorrelation"))
  # A label is for the whole recording. Windows that plainly show something else are not learned: fidgets, rests, coasting.
  limits = {0: (0, 0.08), 1: (0.05, 99), 2: (0.3, 99), 3: (0.03, 99), 4: (0.015, 99), 5: (0, 99)}
  low, high = (numpy.array([limits[label][place] for label in labels]) for place in (0, 1))
  usable = (deviation >= low) & (deviation <= high) & ~((labels == 5) & (periodic < 0.4))

  def weigh(chosen):
    """Each activity of each set counts the same within its kind, however long it was recorded."""
    weights = numpy.zeros(len(labels))
    weights[chosen] = windows.weigh(chosen, lambda name, group: ACTIVITY_WEIGHTS[placement].get(name, 1))
    for kind in range(len(KINDS)):
      members = chosen & (labels == kind)
      if members.any():
        weights[members] *= KIND_WEIGHTS[placement][kind] / weights[members].sum()
    return weights[chosen]

  def fit(chosen):
    values, kinds, weights = windows.values[chosen][:, used], labels[chosen], weigh(chosen)
    # The same walks (and rides), weaker: people walk more softly, and carry the device elsewhere.
    random = numpy.random.default_rng(5)
    gain = random.uniform(0.3 if placement == "body" else 0.65, 1, len(kinds))
    weak = values.copy()
    for name in ("deviation", "lowest", "tilt"):
      weak[:, names.index(name)] *= gain
    least = numpy.where(values[:, names.index("autocorrelation")] > 0.5, 0.05, 0.15)
    added = ((kinds == 1) | (kinds == 5)) & (weak[:, names.index("deviation")] > least)
    # The tree takes running for walking: the score tells them apart.
    kinds = numpy.where(kinds == 2, 1, kinds)
    return grow(
      numpy.concatenate([values, weak[added]]), numpy.concatenate([kinds, kinds[added]]),
      numpy.concatenate([weights, weights[added] / 2]))

  def fit_all(chosen):
    pedalling = None
    if placement == "body":
      pedalling = windows.fit_pedalling(chosen)
      windows.follow_pedals(pedalling)
    return fit(chosen & usable), windows.fit_running(chosen & usable), pedalling

  groups = {person: place % 4 for place, person in enumerate(numpy.random.default_rng(0).permutation(sorted(set(people))))}
  group = numpy.array([groups[person] for person in people])
  judged = numpy.zeros(len(labels), int)
  for left in range(4):
    tree, running, _ = fit_all(group != left)
    out = group == left
    judged[out] = judge(tree, windows.values[out][:, used])
    judged[out & (judged == 1) & (score(running, windows.running_inputs) > 0.5)] = 2
  print(f"\n{placement}: single windows, people left out, % (the path of Viterbi then joins the windows)")
  print(f"{'':26}{'windows':>8}" + "".join(f"{kind:>12}" for kind in KINDS))
  for name, activity in sorted({(s, a) for s, a in zip(sets, activities)}):
    chosen = (sets == name) & (activities == activity)
    shares = numpy.bincount(judged[chosen], minlength=len(KINDS)) / chosen.sum() * 100
    print(f"{name:14}{activity:12}{chosen.sum():8}" + "".join(f"{share:12.1f}" for share in shares))
  tree, running, pedalling = fit_all(usable | True)
  print(f"all people: {len(tree)} nodes")
  return tree, names, running, pedalling


def write_scores(scores):
  path = "Sources/MotionServices/Activity/LogisticScore+Weights.swift"
  with open(path, "w") as file:
    file.write("""// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/train-activity.py. Do not edit.

extension LogisticScore {
""")
    for name, text, weights in scores:
      file.write(f"  /// {text}, for a device on the {'wrist' if 'Wrist' in name else 'body'}.\n")
      file.write(f"  static let {name} = LogisticScore(\n    weights: [{', '.join(f'{weight:.3f}' for weight in weights)}])\n")
    file.write("}\n")
  print(f"wrote {path}")


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("--motionctl", default=".build/release/motionctl")
  parser.add_argument("--data", default=os.environ.get("OPENCOREMOTION_DATA", "../shared/data"))
  parser.add_argument("--write", action="store_true", help="write the tables into Sources/MotionServices/Activity")
  options = parser.parse_args()
  with tempfile.TemporaryDirectory() as folder:
    entries = recordings(options.data) + write_rides(folder)
    columns, table = features(options.motionctl, entries)
    scores = []
    for placement in ("body", "wrist"):
      tree, names, running, pedalling = train(placement, entries, columns, table)
      scores.append((f"running{placement.capitalize()}", "A run instead of a walk", running))
      if pedalling is not None:
        scores.append(("pedalling", "Pedals instead of steps", pedalling))
      if options.write:
        write_swift(tree, names, columns, placement)
    if options.write:
      write_scores(scores)


main()
