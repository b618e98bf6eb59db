# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Days of a few minutes, composed of pieces of recordings and simulated rides, with the kind of movement at each time.

A recording has one label and no begin or end of what was done; here both are known, and short walks between rests too. Each piece is
played faster or slower and weaker or stronger, each day has another rate, scale, noise and range, and the device is turned at random.
"""

import numpy
import rides
from recordings import SHARES

# How often each kind is drawn, and its seconds: short and long ones.
DRAWN = {"body": [0.16, 0.28, 0.08, 0.18, 0.17, 0.13], "wrist": [0.20, 0.33, 0.09, 0.30, 0.08, 0]}
SECONDS = [((2.5, 12), (10, 50)), ((3, 8), (8, 50)), ((5, 20), (20, 50)), ((5, 20), (10, 60)), ((30, 60), (60, 120)), ((20, 50), (50, 90))]
# Played slower by, and stronger by. Walks and runs keep to their own cadences, but walks may be slow.
SLOWER = [(0.7, 1.4), (0.76, 1.5), (0.85, 1.12), (0.75, 1.4)]
STRONGER = {"body": [(0.3, 1.3), (0.2, 1.15), (0.45, 2.2), (0.5, 1.2)], "wrist": [(0.3, 1.3), (0.4, 1.15), (0.75, 1.1), (0.5, 1.2)]}
RATES = {"body": [20, 25, 50, 50, 100], "wrist": [12.5, 20, 25, 50, 100]}
MINUTES = 4
WORK = {"standing", "typing", "pasta", "folding", "teeth", "clapping"}
AT_REST = ("sit", "sitting", "std", "standing", "typing", "pasta")


def wobble(force, rate):
  """The standard deviation of the length of the acceleration over about five seconds, in g."""
  norm, width = numpy.linalg.norm(force, axis=1), int(5 * rate)
  mean = lambda values: numpy.convolve(numpy.pad(values, width, mode="edge"), numpy.ones(width) / width, "same")[width:-width]
  return numpy.sqrt(numpy.maximum(0, mean(norm**2) - mean(norm) ** 2))


def rotation(random):
  matrix = numpy.linalg.qr(random.normal(size=(3, 3)))[0]
  return matrix * numpy.sign(numpy.linalg.det(matrix))


def aligning(vector, target):
  """The rotation that brings one direction to another."""
  vector, target = vector / numpy.linalg.norm(vector), target / numpy.linalg.norm(target)
  cosine, (x, y, z) = vector @ target, numpy.cross(vector, target)
  if cosine < -0.999:
    return -numpy.eye(3)
  skew = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
  return numpy.eye(3) + skew + skew @ skew / (1 + cosine)


def resample(time, force, rate, count):
  """A slower sensor has a low pass."""
  step = numpy.median(numpy.diff(time))
  width = int(round(1 / rate / step))
  if width > 1:
    sums = numpy.cumsum(numpy.vstack([numpy.zeros(3), force]), 0)
    force, time = (sums[width:] - sums[:-width]) / width, time[:len(force) + 1 - width]
  moments = numpy.arange(count) / rate
  return numpy.column_stack([numpy.interp(moments, time - time[0], force[:, axis]) for axis in range(3)])


def one_leg(random, force, rate):
  """What a device at one leg sees of the steps: more of its own foot, less of the other."""
  norm = numpy.linalg.norm(force, axis=1)
  lines = numpy.fft.rfftfreq(8 * len(norm), 1 / rate)
  power = numpy.abs(numpy.fft.rfft((norm - norm.mean()) * numpy.hanning(len(norm)), 8 * len(norm)))
  step = lines[numpy.where((lines > 1.2) & (lines < 3.4), power, 0).argmax()]
  stride = numpy.cos(numpy.pi * step * numpy.arange(len(norm)) / rate + random.uniform(0, 2 * numpy.pi))
  return 1 + random.uniform(0.3, 0.9) * stride


def sensor(random, rate, force, kinds):
  """A day as a sensor of its own scale, offset, noise and range gives it."""
  force = force * random.normal(1, 0.02) + random.normal(size=3) * 0.015
  force = force + random.normal(size=force.shape) * rides.log_uniform(random, 5e-4, 8e-3)
  if random.random() < 0.3:
    force = force.clip(-2, 2)
  return numpy.arange(len(force)) / rate * random.normal(1, 0.005), force, kinds


class Composer:
  """Pieces of the recordings of some people with the device at one place."""

  def __init__(self, recordings, placement):
    self.placement = placement
    self.pieces = {}
    for entry in recordings:
      if entry.placement == placement and entry.set != "Mobilise":
        self.pieces.setdefault(entry.kind, {}).setdefault((entry.set, entry.activity), []).append(entry)
    # A bag, a pram, a hand in a pocket: an arm that does not swing moves like the body.
    self.steady = {("body", entry.activity + entry.set): [entry] for entry in recordings
                   if placement == "wrist" and entry.placement == "body" and entry.kind == 1 and entry.set != "Mobilise"}
    # What people do while they sit and stand: (recordings, how strong).
    self.work = [({(entry.placement, entry.activity, entry.person): [entry] for entry in recordings if entry.activity in names
                   and entry.placement == at and entry.set == "WISDM"}, gain)
                 for at, names, gain in (("wrist", WORK | {"sitting"}, (0.05, 0.5)), ("body", WORK, (0.4, 2)))] if placement == "body" else []

  def piece(self, random, kind, seconds, rate):
    """The force, and where it shows the kind; None: the recordings have no such piece."""
    if kind == 4:
      return self.ride(random, seconds, rate)
    force = self.plain(random, kind, seconds, rate)
    return None if force is None else (force, True)

  def ride(self, random, seconds, rate):
    count = int(seconds * rate)
    force = resample(numpy.arange(int((seconds + 1) * 100)) / 100, rides.vehicle(random, seconds + 1), rate, count)
    moves = wobble(force, rate)
    if random.random() > (0.45 if self.placement == "body" else 0.9):
      return force, moves > 0.014
    # On somebody who sits: the own movements come on top. Where they hide the vehicle, nothing is to be learned.
    source = {key: value for kind in (0, 3) for key, value in self.pieces[kind].items() if key[1] in AT_REST}
    person = self.cut(random, source, list(source), seconds, rate, (0.8, 1.3), (0.2, 1))
    if person is None:
      return None
    mean = person.mean(0)
    force = force + (person - mean) @ aligning(mean, numpy.array([0, 0, 1.0])).T
    return force, moves > numpy.maximum(0.014, wobble(person, rate))

  def plain(self, random, kind, seconds, rate):
    count = int(seconds * rate)
    if kind == 5:
      return resample(numpy.arange(int((seconds + 1) * 100)) / 100, rides.bicycle(random, seconds + 1), rate, count)
    if kind == 3 and random.random() < 0.15:
      return resample(numpy.arange(int((seconds + 1) * 100)) / 100, rides.gesture(random, seconds + 1), rate, count)
    if kind in (1, 2) and random.random() < 0.1:
      return resample(numpy.arange(int((seconds + 1) * 100)) / 100, rides.gait(random, seconds + 1, ((1.6, 2.3), (2.4, 3.1))[kind - 1]), rate, count)
    slower, stronger = SLOWER[kind], STRONGER[self.placement][kind]
    if kind == 3 and self.work and random.random() < 0.5:
      # What is most easily taken for a vehicle, as a pocket shows it: the hands' work, weaker, and the pocket's own.
      source, gain = self.work[int(random.random() < 0.48)]
      return self.cut(random, source, list(source), seconds, rate, slower, gain)
    if kind == 1 and self.steady and random.random() < 0.25:
      return self.cut(random, self.steady, list(self.steady), seconds, rate, slower, stronger)
    source = self.pieces.get(kind, {})
    if not source:
      return None
    keys = list(source)
    # Oxford has the most places of the body.
    weights = numpy.array([SHARES[self.placement].get(activity, 1) * (3 if name == "Oxford" else 1) for name, activity in keys])
    chosen = keys[random.choice(len(keys), p=weights / weights.sum())]
    return self.cut(random, source, [chosen], seconds, rate, slower, stronger)

  def cut(self, random, source, keys, seconds, rate, slower, stronger):
    for _ in range(6):
      entries = source[keys[random.integers(len(keys))]]
      entry = entries[random.integers(len(entries))]
      stretch = rides.log_uniform(random, *slower) if random.random() < 0.7 else 1
      needed = seconds / stretch + 0.1
      if entry.duration < needed + 2:
        continue
      begin = random.uniform(1, entry.duration - needed - 1)
      first, last = numpy.searchsorted(entry.time, [begin, begin + needed + 0.2])
      if last - first < needed * 8 or numpy.diff(entry.time[first:last]).max() > 0.4:
        continue
      force = resample((entry.time[first:last] - entry.time[first]) * stretch, entry.force[first:last], rate, int(seconds * rate))
      gain = 1.0
      if random.random() < 0.7:
        # Who walks slowly steps softly.
        gain = random.uniform(*stronger) * (1 if stretch < 1.1 or random.random() < 0.5 else random.uniform(0.7, 1))
      mean = force.mean(0)
      if slower is SLOWER[2] and random.random() < 0.2:
        # At an ankle.
        gain = random.uniform(1.5, 3.5) * one_leg(random, force, rate)[:, None]
      return mean + (force - mean) * gain
    return None

  def day(self, seed):
    """Time, force, kind."""
    random = numpy.random.default_rng(seed)
    rate = random.choice(RATES[self.placement])
    parts, kinds, total, last, gravity = [], [], 0, None, None
    while total < MINUTES * 60:
      kind = int(random.choice(6, p=DRAWN[self.placement]))
      if kind == last and kind not in (1, 3):
        continue
      seconds = random.uniform(*SECONDS[kind][int(random.random() < 0.5)])
      piece = self.piece(random, kind, seconds, rate)
      if piece is None:
        continue
      force, shown = piece
      # Mostly the device stays as it is.
      force = force @ (rotation(random) if gravity is None or random.random() < 0.3 else aligning(force.mean(0), gravity)).T
      gravity = force[-int(rate * 3):].mean(0)
      fade = int(rate * random.uniform(0.15, 0.6))
      if parts and len(force) > 2 * fade and len(parts[-1]) > 2 * fade:
        part = numpy.linspace(0, 1, fade)[:, None]
        force[:fade] = force[:fade] * part + parts[-1][-fade:] * (1 - part)
        parts[-1], kinds[-1] = parts[-1][:-fade], kinds[-1][:-fade]
      parts.append(force)
      kinds.append(numpy.where(shown, numpy.full(len(force), kind), -1))
      total, last = total + seconds, kind
    return sensor(random, rate, numpy.vstack(parts), numpy.concatenate(kinds))

  def whole(self, seed, entry):
    """A recording with its own labels, changed a little; −1 where the kind is unknown."""
    random = numpy.random.default_rng(seed)
    stretch, rate = rides.log_uniform(random, 0.85, 1.35), random.choice([20, 25, 50, 100])
    time = entry.time * stretch
    force = resample(time, entry.force, rate, int(time[-1] * rate))
    middle = numpy.median(force, 0)
    force = (middle + (force - middle) * random.uniform(0.6, 1.2)) @ rotation(random).T
    moments = numpy.arange(len(force)) / rate / stretch
    kinds = numpy.full(len(force), -1 if entry.walks is not None else entry.kind)
    for contacts in entry.walks or []:
      kinds[(moments > contacts[0] + 0.2) & (moments < contacts[-1] - 0.2)] = 1
    return sensor(random, rate, force, kinds)
