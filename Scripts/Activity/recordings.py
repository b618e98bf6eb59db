# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The licensed recordings of people: accelerations in g, what was done, and the steps where they were counted.

Sets under the GPL (ADEPT, tennis) are for judging alone. The sign does not matter here: nothing that is learned depends on how the device is turned.
"""

import dataclasses, glob, gzip, json, os
import numpy

G = 9.80665
KINDS = ["stationary", "walking", "running", "other", "automotive", "cycling"]
LABELS = {
  "sit": 0, "std": 0, "sitting": 0, "standing": 0, "balance": 0, "wlk": 1, "ups": 1, "dws": 1, "walking": 1, "stairs": 1, "jog": 2,
  "jogging": 2, "running": 2,
}
# How often an activity is drawn among those of its kind: less where it partly is another.
SHARES = {
  "body": {"kicking": 0.3, "catch": 0.5, "dribbling": 0.5, "clapping": 0.7, "pasta": 0.8, "typing": 0.8},
  "wrist": {"kicking": 0.1, "catch": 0.7, "dribbling": 0.8, "clapping": 1.2},
}
# Hz between which the steps of an activity are.
CADENCES = {
  "wlk": (1.4, 2.4), "ups": (1.2, 2.3), "dws": (1.3, 2.5), "walking": (1.4, 2.4), "stairs": (1.2, 2.4), "jog": (2.2, 3.4),
  "jogging": (2.2, 3.4), "running": (2.3, 3.0),
}


@dataclasses.dataclass
class Recording:
  path: str
  set: str
  activity: str
  person: str
  placement: str
  time: numpy.ndarray
  force: numpy.ndarray
  # Steps of the whole recording, or the walks in it: contacts of the feet with the ground in seconds.
  steps: int | None = None
  walks: list | None = None

  @property
  def kind(self):
    return LABELS.get(self.activity, 3)

  @property
  def duration(self):
    return self.time[-1] - self.time[0]


def table(path, skip=0):
  """The numbers of a CSV; incomplete rows are left out."""
  rows = []
  with (gzip.open if path.endswith("gz") else open)(path, "rt") as file:
    for number, line in enumerate(file):
      if number >= skip:
        try:
          rows.append([float(cell) if cell else numpy.nan for cell in line.strip().split(",")])
        except ValueError:
          pass
  lengths = [len(row) for row in rows]
  width = max(set(lengths), key=lengths.count)
  return numpy.array([row for row in rows if len(row) == width])


def recording(path, set_name, activity, person, placement, time, force, **more):
  sound = numpy.isfinite(force).all(1) & numpy.isfinite(time)
  time, force = time[sound], force[sound]
  later = numpy.concatenate([[True], numpy.diff(numpy.maximum.accumulate(time)) > 0])
  return Recording(path, set_name, activity, person, placement, time[later] - time[0], force[later], **more)


def rising(feet):
  return int((numpy.diff(feet[:, 1]) > 0).sum() + (numpy.diff(feet[:, 2]) > 0).sum())


def load(data):
  files = lambda pattern: sorted(glob.glob(f"{data}/{pattern}"))
  name = lambda path: os.path.basename(path)
  found = []
  for path in files("motionsense/*/*.csv.gz"):
    rows = table(path, 1)
    found.append(recording(path, "MotionSense", path.split("/")[-2], "m" + path.split("_")[-1][:-7], "body",
                           numpy.arange(len(rows)) / 50, rows[:, 4:7] + rows[:, 10:13]))
  for path in files("wisdm/*/*_accel.csv.gz"):
    rows = table(path, 1)
    person, device = name(path).split("_")[:2]
    found.append(recording(path, "WISDM", path.split("/")[-2], "w" + person, "wrist" if device == "watch" else "body",
                           numpy.cumsum(rows[:, 0]) / 1000, rows[:, 1:4] / G))
  for path in files("steps_oxford/user*.csv.gz"):
    rows = table(path)
    rows = rows[(rows[:, 1:4] != 0).any(1)]
    found.append(recording(path, "Oxford", "walking", name(path).split("_")[0], "body", rows[:, 0] * 1e-9, rows[:, 1:4] / G,
                           steps=int(rows[-1, 5])))
  for path in files("steps_oxford/opt*.acc*.csv.gz"):
    rows = table(path)
    found.append(recording(path, "Oxford", "walking", name(path).split("_")[2], "body", rows[:, 0] * 1e-9, rows[:, 2:5] / G,
                           steps=rising(table(path.replace("accelerometer", "stepcounter")))))
  for path in files("cmdevicemotion_sage/*.csv.gz"):
    rows, activity = table(path, 1), name(path).removesuffix("_data.csv.gz")
    found.append(recording(path, "mhealthtools", "walking" if activity == "walk" else activity, "sage", "body", rows[:, 0],
                           rows[:, 8:11] + rows[:, 11:14]))
  for path in files("steps_mobilised/*.csv.gz"):
    rows = table(path, 1)
    reference = json.load(open(path.replace(".csv.gz", ".ref.json")))["reference"]
    walks = [[contact for contact in walk["initial_contacts"] if contact is not None]
             for system in reference.values() for walk in system["MicroWB"]]
    found.append(recording(path, "Mobilise", "bouts", name(path).split("_")[0], "body", rows[:, 0], rows[:, 1:4], walks=walks))
  for path in files("wrist/bangle/*.csv"):
    rows, steps = table(path, 1), int(name(path).split("_")[0])
    found.append(recording(path, "Bangle", "walking" if steps else "sitting", "b" + name(path)[:-4], "wrist", rows[:, 0] / 1000,
                           rows[:, 1:4] / 8192, steps=steps))
  return found
