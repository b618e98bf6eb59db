#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Steps and activities of the shared recordings, as a user gets them: `motionctl steps --json`.

    swift build -c release --product motionctl
    Benchmarks/steps.py [--motionctl .build/release/motionctl] [--data ../shared/data]

Prints the tables and fails (exit 1) when a bound is broken. "Ungated" is the reference algorithm without a gate, computed here. The network
was trained on the same people, but for the run and the car: for people left out see Documentation/ActivityModel.md. Simulated rides are others
than those of the training. Activities are dated back to where they begin (S71); what a client receives, and when (the pace, the latency of the
count, a parked car that is left or picked up), is in no JSON: PedometerTests and TestActivitiesTests hold it. Needs numpy.
"""

import argparse, collections, concurrent.futures, json, math, os, subprocess, sys, tempfile, time
import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../Scripts/Activity")]
import compose, distance, recordings, rides

G = 9.80665
KINDS = ["stationary", "walking", "running"]
TABLE = ["--map", "t=t_s[s] ax=acc_x_g[g] ay=acc_y_g az=acc_z_g", "--sign", "reaction"]
broken = []
# The reports of whole recordings by their path.
reported = {}


def hold(name, value, limit, isLeast=False):
  fits = value >= limit if isLeast else value <= limit
  if not fits:
    broken.append(f"{name}: {value:.2f}, bound {'≥' if isLeast else '≤'} {limit}")
  return "" if fits else "  BROKEN"


def ask(files, placement, more=()):
  """One JSON object for each file, in order."""
  command = [options.motionctl, "steps", "--json", "--placement", placement, *more]

  def part(start):
    result = subprocess.run([*command, *files[start:start + 20]], capture_output=True, text=True)
    if result.returncode != 0:
      raise RuntimeError(f"motionctl steps failed: {result.stderr.strip()[:400]}")
    return [json.loads(line) for line in result.stdout.splitlines()]

  with concurrent.futures.ThreadPoolExecutor(2) as pool:
    return [report for found in pool.map(part, range(0, len(files), 20)) for report in found]


def write(path, moments, force):
  """A table of accelerations in g."""
  with open(path, "w") as file:
    file.write("t_s,acc_x_g,acc_y_g,acc_z_g\n")
    moments = numpy.arange(len(force)) / 50 if moments is None else moments
    numpy.savetxt(file, numpy.column_stack([moments, force]), fmt="%.4f,%.5f,%.5f,%.5f")
  return path


def judged(samples, placement="body"):
  """The reports of (time, force) each, as tables; 50 Hz where the time is None."""
  with tempfile.TemporaryDirectory() as folder:
    return ask([write(f"{folder}/{number}.csv", *sample) for number, sample in enumerate(samples)], placement, TABLE)


def chosen(set_name, placement="body", activities=None):
  return [entry for entry in everything
          if (entry.set, entry.placement) == (set_name, placement) and (activities is None or entry.activity in activities)]


def reports(entries):
  """Those of recordings as they are."""
  for placement in ("body", "wrist"):
    new = [entry for entry in entries if entry.placement == placement and entry.path not in reported]
    reported.update(zip([entry.path for entry in new], judged([(entry.time, entry.force) for entry in new], placement)))
  return [reported[entry.path] for entry in entries]


def told(report, kind):
  """The share of the time, %, that is told to be of a kind: a car that waits is one of cars, and does not rest."""
  automotive = lambda name: "automotive" if "automotive" in name else name
  seconds = sum(value for name, value in report["shares"].items() if automotive(name) == kind)
  return 100 * seconds / (sum(report["shares"].values()) or 1)


def minute(found):
  return 60 * sum(report["steps"] for report in found) / sum(report["seconds"] for report in found)


def certain(found, kind):
  """Seconds with high confidence."""
  return sum(span["end"] - span["start"] for report in found for span in report["activities"]
             if kind in span["activity"] and span["confidence"] == "high")


def shares(found):
  """The four largest, in %."""
  sums = sum((collections.Counter(report["shares"]) for report in found), collections.Counter())
  return ", ".join(f"{key} {100 * value / sum(sums.values()):.1f}" for key, value in sums.most_common(4))


def people(entries, values):
  """The mean of each person's recordings."""
  found = collections.defaultdict(list)
  for entry, value in zip(entries, values):
    found[entry.person].append(value)
  return [numpy.mean(own) for own in found.values()]


def reference(moments, norm):
  """The reference algorithm of the evidence page without a gate: steps of |a| in g."""
  grid = numpy.arange(moments[0], moments[-1], 0.02)
  signal = numpy.interp(grid, moments, norm)
  values = distance.band(signal)
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


# The largest mean and the largest error of one walk, %.
PLAYED = {1: (1.25, 6.5), 0.74: (2, 16), 0.8: (math.inf, math.inf), 1.35: (1.3, math.inf)}
def oxford():
  print(f"Oxford: file, truth; counted and error in %, played in {', '.join(map(str, PLAYED))} of its time")
  entries = chosen("Oxford")
  found = {slower: judged([(entry.time * slower, entry.force) for entry in entries]) for slower in PLAYED}
  errors = {slower: [100 * (report["steps"] / entry.steps - 1) for entry, report in zip(entries, own)] for slower, own in found.items()}
  for number, entry in enumerate(entries):
    cells = [f"{found[slower][number]['steps']:6}{errors[slower][number]:7.1f}" for slower in PLAYED]
    print(f"  {os.path.basename(entry.path).split('.')[0]:46}{entry.steps:5}{''.join(cells)}")
  for slower, limits in PLAYED.items():
    mean, largest = numpy.mean(numpy.abs(errors[slower])), max(map(abs, errors[slower]))
    cycling = numpy.mean([told(report, "cycling") for report in found[slower]])
    print(f"  {slower:4} × mean {mean:.2f} %{hold(f'Oxford {slower}, mean', mean, limits[0])}, largest {largest:.1f} %"
      f"{hold(f'Oxford {slower}, largest', largest, limits[1])}; cycling {cycling:.2f} %{hold(f'cycling {slower}', cycling, 0.5)}")


def runners():
  print("Jogging, phone against the watch of the same person: steps a minute, difference in %, share of running by the phone in %")
  watches = {entry.person: minute(reports([entry])) for entry in chosen("WISDM", "wrist", ["jogging"])}
  phones = chosen("WISDM", "body", ["jogging"])
  running, differences = [told(report, "running") for report in reports(phones)], []
  for phone, share in zip(phones, running):
    if phone.person in watches:
      rate, watch = minute(reports([phone])), watches[phone.person]
      differences.append(abs(100 * rate / watch - 100))
      print(f"  {phone.person}{rate:7.1f}{watch:7.1f}{100 * rate / watch - 100:6.1f}{share:7.1f}")
  print(f"  largest difference {max(differences):.1f} %{hold('phone runners', max(differences), 10)}, "
    f"running {numpy.mean(running):.1f} %{hold('phone runners: running', numpy.mean(running), 95, True)}, least {min(running):.1f} %")
  path = f"{data}/running_adept/run_hip_ankle_100hz.csv.gz"
  print("Run of 25 minutes, 3100 steps, 3.35 km")
  for name in ("hip", "ankle"):
    columns = f"t=t_s[s] ax={name}_x_g[g] ay={name}_y_g az={name}_z_g"
    report = ask([path], "body", ["--map", columns, "--sign", "reaction"])[0]
    error = 100 * (report["steps"] - 3100) / 3100
    print(f"  {name:8}{report['steps']:6} steps{error:6.1f} %{report['distance']:8.0f} m{hold(name, abs(error), 2)}")


def bouts():
  print("Short walks indoors (Mobilise-D): contacts of the feet in the reference's bouts; counted in all, and within the bouts")
  entries = chosen("Mobilise")
  for entry, report in zip(entries, reports(entries)):
    with open(entry.path.replace(".csv.gz", ".ref.json")) as file:
      found = json.load(file)["reference"]
    for system in sorted(found):
      truth = sum(contact is not None for bout in found[system]["MicroWB"] for contact in bout["initial_contacts"])
      if truth:
        kept = 100 * report["steps"] / truth
        note = hold(f"{entry.path} {system}", kept, 88, True) if "Test11" in entry.path else ""
        print(f"  {os.path.basename(entry.path).split('_Trial')[0]:16}{system:13}{truth:4}{report['steps']:5}  {kept:.0f} %{note}")


def ride(number, seconds, kind=None, place=None, make=rides.vehicle):
  """At 50 Hz, turned at random; of any kind and in any place where none is given."""
  random, traffic, places = numpy.random.default_rng(80_000 + number), rides.TRAFFIC, rides.PLACES
  if kind:
    rides.TRAFFIC, rides.PLACES = {kind: (*traffic[kind][:4], 1.0)}, {place: 1.0}
  try:
    return make(random, seconds)[::2] @ compose.rotation(random)
  finally:
    rides.TRAFFIC, rides.PLACES = traffic, places


def vehicles():
  print("Vehicles and bicycles: steps in 30 minutes, seconds of walking with high confidence, shares in %")
  moments, car = (numpy.load(f"{data}/car/IMU_accelerometer_{name}.npy") for name in ("t", "value"))
  pockets = [(None, ride(number, 300, ("bus", "train", "tram")[number % 3], "pocket")) for number in range(24)]
  # Name, least share of automotive, most steps, most seconds. 244, 260 and 303 are what was counted before the paces were remembered.
  cases = [
    ("a minute of a measured car", 78, 10, 0, judged([(moments - moments[0], car / G)])),
    ("simulated vehicles", 78, 10, 244, judged((None, ride(number, 300)) for number in range(30))),
    ("pockets in bus, train, tram", 85, 10, 0, judged(pockets)),
    ("simulated bicycles", 0, 260, 303, judged((None, ride(number, 180, make=rides.bicycle)) for number in range(20)))]
  for name, least in (("car", 95), ("bus", 95), ("train", 95), ("drive", 70), ("motorway", 70), ("bicycle", 0)):
    cases.append((f"simulate:{name}", least, 10 if least else 30, 0, ask([f"simulate:{name}"], "body", ["--for", "600"])))
  for name, least, most, longest, found in cases:
    steps, high = 30 * minute(found), certain(found, "walking")
    automotive, *feet = (numpy.mean([told(report, kind) for report in found]) for kind in ("automotive", *KINDS[1:]))
    note = hold(f"{name}: steps", steps, most) + hold(f"{name}: certain walks", high, longest)
    note += hold(f"{name}: automotive", automotive, least, True) + hold(f"{name}: on foot", sum(feet), 1 if least else 100)
    print(f"  {name:28}{steps:6.1f}{high:6.0f} s{note}  {shares(found)}")


def joined(*forces):
  """One after the other, the device staying as it is."""
  parts = [forces[0]]
  for force in forces[1:]:
    parts.append(force @ compose.aligning(force[:150].mean(0), parts[-1][-150:].mean(0)).T)
  return numpy.vstack(parts)


def rests():
  print("A car that waits, then drives on or is left on foot: automotive in the rest, least of ten, %; latest end after the first step, s")
  walks = [entry for entry in chosen("MotionSense", activities=["wlk"]) if entry.duration > 45]
  still = lambda number, seconds: [0, 0, 1] + numpy.random.default_rng(number).normal(size=(50 * seconds, 3)) * 0.002
  for stop in (10, 60, 180):
    cars = [joined(ride(number, 150, "city", "holder"), still(number, stop)) for number in range(10)]
    drives = [(None, joined(car, ride(100 + number, 60, "city", "holder"))) for number, car in enumerate(cars)]
    leaves = [(None, joined(car, walks[number].force[500:2000])) for number, car in enumerate(cars)]
    automotive = lambda report: [span for span in report["activities"] if "automotive" in span["activity"]]
    held = min(100 / stop * sum(max(0, min(span["end"], 150 + stop) - max(span["start"], 150)) for span in automotive(report))
               for report in judged(drives))
    late = max(max((span["end"] for span in automotive(report)), default=math.inf) - 150 - stop for report in judged(leaves))
    print(f"  {stop:4} s{held:7.1f}{hold(f'rest of {stop} s', held, 99, True)}{late:7.1f}{hold(f'left after {stop} s', late, 8)}")


def wrists():
  print("Wrist at 12.5 Hz (Bangle.js): truth, counted, error in %; played at 25 and 100 Hz")
  errors, resampled, entries = [], [], chosen("Bangle", "wrist")
  for rate in (25, 100):
    moments = [numpy.arange(0, entry.time[-1], 1 / rate) for entry in entries]
    resampled.append(judged([(own, numpy.column_stack([numpy.interp(own, entry.time, axis) for axis in entry.force.T]))
                             for own, entry in zip(moments, entries)], "wrist"))
  for entry, *found in zip(entries, reports(entries), *resampled):
    truth, (steps, *others) = entry.steps, [report["steps"] for report in found]
    error = 100 * (steps - truth) / max(1, truth)
    errors += [abs(error)] if truth else []
    note = "" if truth else hold(entry.path, steps, 0)
    print(f"  {os.path.basename(entry.path):12}{truth:5}{steps:5}{error:7.1f}{others[0]:8}{others[1]:5}{note}")
  print(f"  mean {numpy.mean(errors):.1f} %{hold('Bangle', numpy.mean(errors), 5)}")


def nothing():
  print("No steps at all")
  sage = chosen("mhealthtools", activities=["balance", "rest_tremor", "kinetic_tremor"])
  tennis = f"{data}/mcap/swing_applewatch_seven_forehands.mcap"
  for path, report in zip([entry.path for entry in sage] + [tennis], reports(sage) + ask([tennis], "wrist")):
    print(f"  {os.path.basename(path):46}{report['steps']:4}{hold(path, report['steps'], 0)}")


# Steps a minute of people who do not walk; then the least share that is right, mean of people.
BOUNDS = {
  ("MotionSense", "body"): ({"sit": 0.1, "std": 0.1}, 98.8),
  ("WISDM", "body"): ({"sitting": 0.1, "standing": 0.1, "typing": 0.5, "pasta": 0.5, "folding": 0.5, "teeth": 0.5, "clapping": 3,
                       "dribbling": 30, "catch": 9, "kicking": 32}, 97),
  ("WISDM", "wrist"): ({"sitting": 0.1, "standing": 0.1, "typing": 3, "pasta": 3, "folding": 3, "teeth": 5, "clapping": 10,
                        "dribbling": 25}, 97),
}
def daily():
  for place, (bounds, least) in BOUNDS.items():
    name, entries = " ".join(place), chosen(*place)
    print(f"{name}: steps a minute, walks kept in % of ungated; shares of the activities in %")
    for activity in sorted({entry.activity for entry in entries}):
      own = chosen(*place, [activity])
      found = reports(own)
      rate = minute(found)
      note = hold(f"{name} {activity}", rate, bounds.get(activity, math.inf))
      if own[0].kind == 1:
        ungated = sum(reference(entry.time, numpy.linalg.norm(entry.force, axis=1)) for entry in own)
        kept = 100 * sum(report["steps"] for report in found) / ungated
        note = f" kept {kept:.1f} %{hold(f'{name} {activity} kept', kept, 99 if activity in ('wlk', 'walking') else 95, True)}"
      print(f"  {activity:11}{rate:7.2f}{note:22}  {shares(found)}")
    sure = [entry for entry in entries if entry.kind < len(KINDS)]
    means = people(sure, [told(report, KINDS[entry.kind]) for entry, report in zip(sure, reports(sure))])
    print(f"  right, mean of people {numpy.mean(means):.1f} %{hold(f'{name}: right', numpy.mean(means), least, True)}, worst {min(means):.1f} %")


def housework():
  print("Automotive in what a phone's owner does at home, mean of people and worst person in %; seconds with high confidence")
  home = chosen("WISDM", "body", ["sitting", "standing", *BOUNDS["WISDM", "body"][0]])
  means = people(home, [told(report, "automotive") for report in reports(home)])
  mean, worst, high = numpy.mean(means), max(means), certain(reports(home), "automotive")
  print(f"  {mean:.2f}{hold('housework: automotive', mean, 1.5)}{worst:8.1f}{hold('housework: worst person', worst, 8)}"
    f"{high:8.0f} s{hold('housework: certain', high, 0)}")


def day():
  sits, parts = chosen("MotionSense", activities=["sit"]), []
  for number, walk in enumerate(chosen("MotionSense", activities=["wlk"])):
    count = min(6000, len(walk.force), len(sits[number % len(sits)].force))
    parts += [walk.force[:count], sits[number % len(sits)].force[:count]]
  force = numpy.resize(numpy.vstack(parts), (24 * 3600 * 50, 3))
  with tempfile.TemporaryDirectory() as folder:
    path = write(f"{folder}/day.csv", None, force)
    before = time.monotonic()
    steps = ask([path], "body", TABLE)[0]["steps"]
    print(f"A day of 50 Hz, half on foot: {steps} steps in {time.monotonic() - before:.1f} s, the reading of the table included")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--motionctl", default=".build/release/motionctl")
parser.add_argument("--data", default=os.environ.get("OPENCOREMOTION_DATA", "../shared/data"))
options = parser.parse_args()
data = options.data
everything = recordings.load(data)
for measure in (oxford, runners, bouts, vehicles, rests, wrists, nothing, daily, housework, day):
  measure()
broken += distance.measure(options.motionctl, data)
for line in broken:
  print(f"bound broken: {line}", file=sys.stderr)
sys.exit(1 if broken else 0)
