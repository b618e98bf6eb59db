#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Trains the detector of falls on simulated falls and recorded everyday motion, and writes its weights as Swift.

    swift build -c release --product motionctl
    Scripts/train-falls.py [--motionctl .build/release/motionctl] [--data ../shared/data] [--count 2000] [--write]

No licensed recordings of falls exist. So falls are simulated, and so is what resembles them: a body of links that obeys
mechanics, with every figure drawn anew for each recording (sensor, mounting, rate, range, noise too). Everyday motion
that was recorded is in the training as it is: MotionSense, WISDM, Oxford, Mobilise-D, ADEPT, mhealthtools, the swings of
a racket and a car. The features are those of Swift (`motionctl falls --features`), so they exist once. Prints a model
card: data, people, confusion with people left out, limits. Without --write nothing is changed. Needs numpy.

What the simulation rests on (the card prints what came out of it):
* Choi, Wakeling, Robinovitch, J Biomech 48 (2015) 911, falls of old people on video: pelvis 2.14 m/s (SD 0.63), hand 2.87
  (1.60), 583 ms (255) from the start of the descent to the impact of the pelvis; young people in laboratories are 16 % faster.
* Hsiao, Robinovitch, J Biomech 31 (1998) 1: the wrist hits the ground within 38 ms of the pelvis on average.
* Bourke, O'Brien, Lyons, Gait Posture 26 (2007) 194: trunk under 0.41 g before and over 3.52 g at the impact.
* The task's own figures for laboratory falls: two seconds after the impact half of the trunks and a seventh of the wrists
  deviate by less than 0.05 g, nine of ten and two of three by less than 0.15 g.
"""

import argparse, csv, glob, io, os, subprocess, sys, tempfile
from multiprocessing import Pool
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Activity"))
import rides

G = 9.80665
RATE = 400
STEP = 1 / RATE


def smooth(time, start, end):
  """0 before, 1 after, a minimum-jerk course between."""
  part = ((time - start) / max(end - start, 1e-3)).clip(0, 1)
  return part**3 * (10 - 15 * part + 6 * part**2)


def rotations(axis, angle):
  """Rotation matrices about one axis."""
  axis = numpy.asarray(axis, float)
  x, y, z = axis / numpy.linalg.norm(axis)
  cross = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
  sine, cosine = numpy.sin(angle)[:, None, None], numpy.cos(angle)[:, None, None]
  return numpy.eye(3) + sine * cross + (1 - cosine) * (cross @ cross)


def horizontal(random):
  angle = random.uniform(0, 2 * numpy.pi)
  return numpy.array([numpy.cos(angle), numpy.sin(angle), 0])


class Scene:
  """A sensor's course: forces of the world's frame in m/s² and turns of the body, written piece by piece."""

  def __init__(self, random, seconds):
    self.random, self.count = random, int(seconds * RATE)
    self.time = numpy.arange(self.count) * STEP
    self.force = numpy.zeros((self.count, 3))
    self.turns = []
    self.arm = numpy.zeros(3)

  def turn(self, axis, angle, start, end):
    self.turns.append((axis, angle * smooth(self.time, start, end)))

  def shake(self, start, end, deviation, low=0.5, high=8, fade=0.15):
    if end - start < 2 * fade:
      return
    level = smooth(self.time, start, start + fade) - smooth(self.time, end - fade, end)
    parts = self.random.dirichlet([2, 2, 2]) ** 0.5
    for axis in range(3):
      self.force[:, axis] += G * deviation * parts[axis] * level * rides.band(self.random, self.count, RATE, low, high, 1)

  def pulse(self, start, width, peak, direction):
    """Half a sine: peak in g."""
    part = (self.time - start) / width
    shape = numpy.where((part > 0) & (part < 1), numpy.sin(numpy.pi * part), 0)
    self.force += G * peak * shape[:, None] * numpy.asarray(direction, float)

  def blow(self, start, width, speed, direction):
    """A contact that takes or gives a speed, m/s; its peak follows."""
    self.pulse(start, width, speed * numpy.pi / 2 / width / G, direction)

  def gait(self, start, end, rate, strength):
    """Steps: up and down with the rate, sideways with half of it; heels strike."""
    random, level = self.random, smooth(self.time, start, start + 0.3) - smooth(self.time, end - 0.25, end)
    phase = 2 * numpy.pi * rate * self.time * 1.0 + random.uniform(0, 6) + rides.band(random, self.count, RATE, 0.1, 0.6, 0.3)
    for number in range(1, 6):
      size = strength * G * (1, 0.6, 0.4, 0.3, 0.2)[number - 1] * random.uniform(0.4, 1)
      self.force[:, 2] += level * size * numpy.sin(number * phase + random.uniform(0, 6))
      self.force[:, 0] += level * size * 0.5 * numpy.sin(number * phase + random.uniform(0, 6))
      self.force[:, 1] += level * size * 0.5 * numpy.sin(number * phase / 2 + random.uniform(0, 6))
    for step in numpy.arange(start, end - 0.3, 1 / rate):
      width = random.uniform(0.02, 0.06)
      self.pulse(step + random.normal(0, 0.02), width, strength * random.uniform(0.5, 2.5), [random.normal(0, 0.4), random.normal(0, 0.4), 1])

  def living(self, start, end, restless, strong=1):
    """Breath, and now and then a movement."""
    random = self.random
    level = smooth(self.time, start, start + 0.5) - smooth(self.time, end - 0.01, end)
    breath = numpy.sin(2 * numpy.pi * random.uniform(0.2, 0.45) * self.time + random.uniform(0, 6))
    self.turns.append((horizontal(random), level * breath * random.uniform(0.002, 0.015)))
    self.shake(start, end, rides.log_uniform(random, 0.002, 0.012), 0.5, 10, 0.3)
    place = start + random.exponential(1 / restless)
    while place < end - 0.6:
      length = random.uniform(0.4, 1.5)
      strength = strong * rides.log_uniform(random, 0.03, 0.3)
      self.shake(place, min(place + length, end), strength, 0.5, 5)
      self.turn(random.normal(size=3), random.normal(0, 1) * strength * 1.5, place, place + length)
      place += length + random.exponential(1 / restless)

  def sensor(self, rate=None, span=None, mount=None):
    """Times in s and readings in g."""
    random = self.random
    body = numpy.broadcast_to(numpy.eye(3), (self.count, 3, 3))
    for axis, angle in self.turns:
      body = rotations(axis, angle) @ body
    force = self.force.copy()
    if self.arm.any():
      place = body @ self.arm
      place = numpy.apply_along_axis(lambda line: numpy.convolve(numpy.pad(line, 10, mode="edge"), numpy.hanning(23)[1:-1] / numpy.hanning(23).sum(), "valid"), 0, place)
      force += numpy.gradient(numpy.gradient(place, STEP, axis=0), STEP, axis=0)
    force[:, 2] += G
    mount = numpy.linalg.qr(random.normal(size=(3, 3)))[0] if mount is None else mount
    seen = numpy.einsum("nji,nj->ni", body, force) @ mount / G
    rate = rate or random.choice([20, 25, 32, 50, 50, 87, 100, 100, 200])
    span = span or random.choice([4, 8, 8, 16, 16])
    # The low pass of the chip.
    width = max(1, int(RATE / rate))
    whole = numpy.cumsum(numpy.vstack([numpy.zeros((1, 3)), seen]), 0)
    averaged = (whole[width:] - whole[:-width]) / width
    times = numpy.arange(0, len(averaged) / RATE - 0.01, 1 / rate)
    places = (times * RATE).astype(int)
    readings = averaged[places] + random.normal(0, rides.log_uniform(random, 0.001, 0.02), (len(places), 3)) + random.normal(0, 0.02, 3)
    return times, readings.clip(-span, span)


def descend(random, height, kind):
  """The pelvis of a body that falls: a pendulum on a leg that gives way. Returns height, speed downwards, along; until contact."""
  hold = {"slip": (0.2, 0.8), "trip": (0.25, 0.85), "faint": (0.3, 0.85), "hold": (0.55, 0.9), "chair": (0.1, 0.6), "push": (0.2, 0.8)}[kind]
  support = random.uniform(*hold)
  delay, give = random.uniform(0, 0.35), random.uniform(0.1, 0.5)
  length, speed = height, 0.0
  angle = random.uniform(0.03, 0.2)
  turning = {"slip": random.uniform(0.3, 1), "trip": random.uniform(0.4, 1.6), "push": random.uniform(0.5, 1.5)}.get(kind, random.uniform(0, 0.6))
  sway = random.uniform(0.5, 3)
  slide = random.uniform(2, 7) if kind == "slip" else 0
  floor = random.uniform(0.08, 0.2)
  hands = random.uniform(0.3, 1.15) if random.uniform() < 0.7 else 0
  heights, alongs, time, foot, foot_speed = [], [], 0.0, 0.0, 0.0
  while time < 3:
    given = min(max((time - delay) / give, 0), 1)
    part = 1 - (1 - support) * given
    # Hands, knees or a railing take a part of the weight in the end.
    weight = G * (1 - hands) if length * numpy.cos(angle) < 0.6 * height else G
    push = slide if time < 0.3 else 0
    foot_speed += -push * STEP
    foot += foot_speed * STEP
    bend = (weight * numpy.sin(angle) + push * numpy.cos(angle) - 2 * speed * turning) / max(length, 0.15)
    stretch = length * turning**2 - weight * numpy.cos(angle) * (1 - part) + push * numpy.sin(angle)
    turning += (bend - sway * turning) * STEP
    speed += (stretch - 0.3 * speed) * STEP
    angle += turning * STEP
    length += speed * STEP
    if length > height:
      length, speed = height, min(speed, 0)
    heights.append(length * numpy.cos(angle))
    alongs.append(foot + length * numpy.sin(angle))
    time += STEP
    if heights[-1] < floor:
      break
  return numpy.array(heights), numpy.array(alongs)


def before(scene, until, kind, random):
  if kind == "walk":
    scene.gait(0, until, random.uniform(1.4, 2.2), rides.log_uniform(random, 0.06, 0.35))
  elif kind == "run":
    scene.gait(0, until, random.uniform(2.3, 3), rides.log_uniform(random, 0.4, 1))
  else:
    scene.living(0, until, 0.4)


FALLS = ["slip", "trip", "faint", "hold", "chair", "push", "bed"]


def fall(random, place, seconds=14):
  """A fall at about 6 s; place: waist, chest, pocket or wrist. Returns the scene, its kind and figures."""
  scene = Scene(random, seconds)
  time = scene.time
  kind = random.choice(FALLS, p=[0.2, 0.24, 0.16, 0.12, 0.12, 0.1, 0.06])
  onset = random.uniform(3, 7)
  height = random.uniform(0.82, 1.05) if kind not in ("chair", "bed") else random.uniform(0.4, 0.65)
  ahead = horizontal(random)
  axis = numpy.cross([0, 0, 1], ahead)
  if kind == "bed":
    duration = numpy.sqrt(2 * (height - 0.1) / G) * random.uniform(1, 1.4)
    fallen = numpy.arange(int(duration * RATE)) * STEP
    heights, alongs = height - (height - 0.1) * (fallen / duration) ** 2, 0.3 * fallen
  else:
    heights, alongs = descend(random, height, kind)
  duration = len(heights) * STEP
  hit = onset + duration
  first = int(onset * RATE)
  speed = (heights[-4] - heights[-1]) / 3 / STEP if len(heights) > 4 else 1
  before(scene, onset + 0.1, random.choice(["walk", "walk", "run", "stand"], p=[0.4, 0.2, 0.08, 0.32]) if kind in ("slip", "trip", "push") else "stand", random)

  # The way down.
  down, along = numpy.zeros(scene.count), numpy.zeros(scene.count)
  accelerations = [numpy.gradient(numpy.gradient(line, STEP), STEP) for line in (heights, alongs)]
  span = slice(first, min(first + len(heights), scene.count))
  # An arm goes down with the body, more or less, and feels of its impact a part.
  carried, taken = (1, 1) if place != "wrist" else (random.uniform(0.5, 1.1), random.uniform(0.1, 0.7))
  down[span], along[span] = carried * accelerations[0][: span.stop - first].clip(-G * 1.1, 12), accelerations[1][: span.stop - first].clip(-25, 25)
  # The contact: a damped spring brings the speed to nothing.
  peak = rides.log_uniform(random, 1.1, 6.5)
  damping = random.uniform(0.25, 0.8)
  omega = peak * G / max(speed, 0.8) / 0.75
  depth, fast, after = 0.0, -speed, first + len(heights)
  while after < scene.count and after < first + len(heights) + RATE * 1.0:
    push = max(0, -omega**2 * depth - 2 * damping * omega * fast) if depth <= 0 else 0
    down[after] = taken * (push - G)
    fast += (push - G) * STEP
    depth += fast * STEP
    if abs(fast) < 0.05 and abs(push - G) < 2 or after > first + len(heights) + RATE * 0.8:
      break
    after += 1
  sliding = alongs[-1] - alongs[-3] if len(alongs) > 3 else 0
  brake = random.uniform(0.05, 0.3)
  along += -(sliding / 2 / STEP) / brake * ((time > hit) & (time < hit + brake)) * 0.7
  scene.force[:, 2] += down
  scene.force += carried * along[:, None] * ahead
  # Knees, hands, shoulder, head: more contacts.
  for _ in range(random.integers(0, 4)):
    direction = numpy.array([random.normal(0, 0.5), random.normal(0, 0.5), 1])
    scene.blow(hit + random.uniform(-0.35, 0.6), rides.log_uniform(random, 0.015, 0.1), random.uniform(0.1, 1.2), direction)

  # Posture.
  begin, end = onset + random.uniform(0, 0.4) * duration, hit + random.uniform(-0.1, 0.45)
  final = {"chair": random.uniform(0.6, 1.7), "faint": random.uniform(0.5, 1.7), "bed": 0.3}.get(kind, random.uniform(0.75, 1.8))
  if random.uniform() < 0.07:
    final *= 0.35
  if kind == "bed":
    scene.turn([1, 0, 0], numpy.pi / 2, -9, -8)
    scene.turn([0, 1, 0], random.uniform(0.8, 3), begin, end)
  if place in ("waist", "chest"):
    scene.turn(axis, final, begin, end)
    scene.arm = numpy.array([random.normal(0, 0.1), random.normal(0, 0.1), random.uniform(0, 0.15) if place == "waist" else random.uniform(0.25, 0.45)])
    if random.uniform() < 0.5:
      scene.turn(ahead if random.uniform() < 0.5 else [0, 0, 1], random.normal(0, 0.5), begin, end + 0.3)
  elif place == "pocket":
    scene.turn(axis, final * random.choice([1, -0.6, 0.6]), begin, end)
    scene.turn(horizontal(random), random.uniform(0, 1), begin, hit + random.uniform(0.1, 0.8))
    scene.arm = numpy.array([0.1, 0.05, -random.uniform(0.1, 0.3)])
  else:
    scene.turn(axis, final * random.uniform(0.2, 1), begin, end)
    raised = onset + random.uniform(0.05, 0.6) * duration
    lifted = random.uniform(0.4, 2.4)
    scene.turn(random.normal(size=3), lifted, raised, raised + max(0.3, lifted * random.uniform(0.2, 0.5)))
    scene.turn(random.normal(size=3), random.normal(0, 1), raised + random.uniform(0.2, 0.6), hit + random.uniform(0.1, 0.8))
    scene.arm = numpy.array([random.normal(0, 0.1), random.normal(0, 0.1), -random.uniform(0.25, 0.6)])
    scene.shake(onset, hit + 0.3, rides.log_uniform(random, 0.05, 0.5), 0.7, 5)
    if random.uniform() < 0.85:
      place_hit = hit + random.normal(-0.02, 0.12)
      for number in range(random.integers(1, 4)):
        scene.blow(
          place_hit + number * random.uniform(0.05, 0.25), rides.log_uniform(random, 0.015, 0.09),
          abs(random.normal(1.6, 1)) / (1 + number), random.normal(size=3) / 1.7 + [0, 0, 0.6])
  ringing = random.uniform(0.1, 0.5)
  scene.shake(hit - 0.02, hit + ringing, rides.log_uniform(random, 0.1, 1), 4, 30, 0.05)
  scene.shake(hit + 0.1, hit + random.uniform(0.6, 1.8), rides.log_uniform(random, 0.02, 0.3), 0.8, 8)

  # What comes after: the body settles, then it lies, limp or moving, or rises. Two seconds after a fall the deviation of the norm
  # is under 0.05 g in half of the falls at the trunk and in one of seven at the wrist, under 0.15 g in nine of ten and two of three.
  story = random.choice(["limp", "still", "moves", "gropes", "rises"], p=[0.2, 0.2, 0.32, 0.1, 0.18])
  far = (2.2 if place == "wrist" else 1.0) * (0.3 if story == "limp" else 1)
  tail = hit + (random.uniform(0.5, 1.2) if story == "limp" else random.uniform(0.8, 3))
  scene.shake(hit + 0.3, tail, far * rides.log_uniform(random, 0.02, 0.25), 0.6, 7)
  scene.living(hit + 0.4, seconds, far * {"limp": 0.02, "still": 0.15, "moves": 0.6, "gropes": 1.5, "rises": 0.5}[story], far)
  if story == "rises":
    start = hit + random.uniform(1, 6)
    scene.turn(axis, -final * random.uniform(0.5, 1), start, start + random.uniform(1.2, 3))
    scene.shake(start, start + 3, far * random.uniform(0.08, 0.3), 0.5, 5)
    if random.uniform() < 0.5:
      scene.gait(start + 3, seconds, 1.8, 0.2)
  descent = (heights < 0.97 * height).sum() * STEP
  return scene, kind, dict(descent=descent, speed=speed, hit=hit)


def drop(scene, start, height, speed, peak, random):
  """The pelvis goes down to a seat or a bed, braked by the legs, and bounces there. Returns when it arrives."""
  duration = 2 * height / speed
  end = start + duration
  time = scene.time
  lead = (time > start) & (time < end)
  scene.force[:, 2] -= numpy.where(lead, speed / duration * (1 + 0.3 * numpy.sin(2 * numpy.pi * (time - start) / duration)), 0)
  width = rides.log_uniform(random, 0.04, 0.16)
  area = speed * numpy.pi / 2 / width / G
  scene.pulse(end - 0.3 * width, width, area, [random.normal(0, 0.2), random.normal(0, 0.2), 1])
  if peak > area:
    scene.pulse(end, random.uniform(0.012, 0.05), peak - area, [random.normal(0, 0.4), random.normal(0, 0.4), 1])
  if random.uniform() < 0.5:
    scene.shake(end, end + 0.5, random.uniform(0.05, 0.4), 1.5, 12, 0.05)
  return end


BODY = ["sit", "lie", "jump", "stumble", "pick", "stairs", "table", "dropped", "car", "runstop", "kneel", "knock", "walk"]
WRIST = [
  "sit", "lie", "jump", "clap", "slam", "table", "throw", "runstop", "gesture", "lap", "walk", "chop", "car", "stumble", "dropped", "kneel",
]


def daily(random, place, seconds=14, kind=None):
  """What resembles a fall and is none."""
  scene = Scene(random, seconds)
  time, at = scene.time, random.uniform(3.5, 7)
  wrist = place == "wrist"
  kind = kind or random.choice(WRIST if wrist else BODY)
  ahead = horizontal(random)
  axis = numpy.cross([0, 0, 1], ahead)
  scene.arm = numpy.array([random.normal(0, 0.1), random.normal(0, 0.1), {"waist": 0.1, "chest": 0.4, "pocket": -0.2, "wrist": -0.4}[place]])
  free = lambda strength: scene.turn(random.normal(size=3), strength * random.normal(), at - random.uniform(0, 0.8), at + random.uniform(0.3, 1.2)) if wrist else None
  if kind in ("sit", "lie", "car", "kneel"):
    before(scene, at - 0.2, random.choice(["walk", "stand"]), random)
    fast = random.uniform() < 0.6
    height = random.uniform(0.3, 0.55)
    speed = random.uniform(0.9, 2.0) if fast else random.uniform(0.4, 1)
    end = drop(scene, at, height, speed, rides.log_uniform(random, 1, 4) if fast else 1, random)
    bend = random.uniform(0.2, 0.9)
    scene.turn(axis, bend, at - 0.3, end - 0.1)
    if kind == "lie":
      # Sit and let oneself fall back, or roll on.
      pause = random.choice([0, 0.2, 0.6, 1.2])
      scene.turn(axis, -bend - random.uniform(1, 1.8) * random.choice([1, 1, -0.6]), end + pause - 0.1, end + pause + random.uniform(0.5, 1.6))
      scene.shake(end + pause, end + pause + 1.2, rides.log_uniform(random, 0.05, 0.5), 0.7, 8)
      scene.pulse(end + pause + random.uniform(0.3, 1), random.uniform(0.06, 0.2), random.uniform(0.2, 1.5), [0.2, 0, 1])
    elif place == "pocket":
      scene.turn(axis, -bend - random.uniform(0.9, 1.7), at, end + random.uniform(0, 0.3))
    else:
      scene.turn(axis, -bend + random.uniform(-0.5, 0.4), end, end + random.uniform(0.4, 1.5))
    if kind == "car":
      scene.turn([0, 0, 1], random.normal(), at, end + 1)
      scene.shake(at - 0.5, end + 2, random.uniform(0.05, 0.3), 0.5, 6)
      scene.pulse(end + random.uniform(1, 3), random.uniform(0.02, 0.08), random.uniform(0.3, 2), random.normal(size=3) / 1.7)
    free(1)
    scene.living(end + 0.6, seconds, random.choice([0.08, 0.4, 1]))
    if random.uniform() < 0.3:
      up = end + random.uniform(1.5, 5)
      scene.turn(axis, random.normal(0, 0.6) + (1.3 if place == "pocket" else 0), up, up + 1.2)
      scene.shake(up, up + 1.5, random.uniform(0.1, 0.4), 0.5, 5)
  elif kind == "jump":
    before(scene, at, random.choice(["walk", "stand", "stand", "run"]), random)
    place_in_time = at
    for _ in range(random.choice([1, 1, 2, 4])):
      flight = random.uniform(0.15, 0.55)
      push = random.uniform(0.2, 0.35)
      speed = flight * G / 2
      scene.pulse(place_in_time, push, speed * numpy.pi / 2 / push / G, [0, 0, 1])
      aloft = (time > place_in_time + push) & (time < place_in_time + push + flight)
      scene.force[aloft, 2] -= G * random.uniform(0.75, 1)
      landing = random.uniform(0.06, 0.25)
      scene.pulse(place_in_time + push + flight, landing, speed * numpy.pi / 2 / landing / G, [random.normal(0, 0.2), random.normal(0, 0.2), 1])
      scene.pulse(place_in_time + push + flight, random.uniform(0.015, 0.05), rides.log_uniform(random, 0.5, 5), [random.normal(0, 0.3), random.normal(0, 0.3), 1])
      place_in_time += push + flight + landing + random.uniform(0, 0.5)
    scene.turn(axis, random.normal(0, 0.2), at, place_in_time)
    free(0.8)
    scene.living(place_in_time, seconds, random.choice([0.1, 0.5]))
    if random.uniform() < 0.4:
      scene.gait(place_in_time + 0.5, seconds, 1.8, 0.2)
  elif kind == "stumble":
    strength = random.uniform(0.1, 0.35)
    scene.gait(0, at, random.uniform(1.5, 2.2), strength)
    scene.shake(at - 0.1, at + 0.9, random.uniform(0.2, 0.8), 0.8, 8)
    scene.pulse(at + random.uniform(0.1, 0.5), random.uniform(0.03, 0.1), random.uniform(1, 4), [random.normal(0, 0.5), random.normal(0, 0.5), 1])
    lean = random.uniform(0.1, 0.7)
    scene.turn(axis, lean, at, at + 0.4)
    scene.turn(axis, -lean, at + 0.5, at + 1.4)
    free(1)
    if random.uniform() < 0.7:
      scene.gait(at + 1, seconds, random.uniform(1.5, 2.1), strength)
    else:
      scene.living(at + 1, seconds, 0.4)
  elif kind == "pick":
    before(scene, at - 0.2, random.choice(["walk", "stand"]), random)
    bend, length = random.uniform(0.6, 1.7), random.uniform(0.5, 1.5)
    scene.turn(axis, bend, at, at + length)
    drop(scene, at, random.uniform(0.05, 0.4), random.uniform(0.2, 1.2), random.choice([1, 1.5, 2.5]), random)
    if random.uniform() < 0.8:
      stay = random.uniform(0.2, 6)
      scene.turn(axis, -bend, at + length + stay, at + 2 * length + stay)
    scene.living(at + length, seconds, 0.6)
  elif kind in ("stairs", "walk", "runstop"):
    rate, strength = {"stairs": (1.8, 0.35), "walk": (1.9, 0.2), "runstop": (2.7, 0.9)}[kind]
    strength *= random.uniform(0.6, 1.4)
    scene.gait(0, at, rate * random.uniform(0.85, 1.15), strength)
    scene.pulse(at - 0.1, random.uniform(0.03, 0.08), random.uniform(1, 3.5) * (1 + strength), [random.normal(0, 0.4), random.normal(0, 0.4), 1])
    scene.turn(axis, random.normal(0, 0.25), at - 0.5, at + 0.8)
    free(1)
    if random.uniform() < 0.5:
      scene.living(at, seconds, 0.3)
    else:
      scene.gait(at + 0.3, seconds, 1.8, 0.2)
  elif kind in ("table", "dropped"):
    scene.arm *= 0
    before(scene, at - 1, random.choice(["walk", "stand"]), random)
    scene.turn(random.normal(size=3), random.normal(0, 1.2), at - 1.2, at)
    scene.shake(at - 1.2, at, random.uniform(0.05, 0.3), 0.5, 6)
    end = at
    if kind == "dropped":
      flight = random.uniform(0.08, 0.45)
      aloft = (time > at) & (time < at + flight)
      scene.force[aloft, 2] -= G * random.uniform(0.93, 1)
      scene.turn(random.normal(size=3), random.normal(0, 2), at, at + flight + 0.3)
      end = at + flight
      for number in range(random.integers(1, 5)):
        scene.blow(
          end + 0.12 * number, random.uniform(0.004, 0.02), random.uniform(1, 1.5) * flight * G / (1 + 2 * number),
          random.normal(size=3) / 2.5 + [0, 0, 0.8])
    else:
      scene.blow(at, random.uniform(0.004, 0.03), random.uniform(0.1, 1), random.normal(size=3) / 2 + [0, 0, 0.5])
    if random.uniform() < 0.3:
      scene.living(end + 0.8, seconds, 1)
  elif kind == "knock":
    before(scene, seconds, random.choice(["walk", "stand"]), random)
    for _ in range(random.integers(1, 6)):
      scene.blow(at + random.uniform(0, 2), random.uniform(0.006, 0.05), random.uniform(0.1, 1), random.normal(size=3) / 1.7)
    scene.turn(axis, random.normal(0, 0.5), at, at + random.uniform(0.5, 2))
  elif kind in ("clap", "chop"):
    before(scene, at - 1, "stand", random)
    rate, place_in_time = random.uniform(1, 5), at - 1
    speed = random.uniform(0.2, 1.5)
    while place_in_time < at + random.uniform(0.5, 5):
      scene.blow(place_in_time, random.uniform(0.01, 0.05), speed * random.uniform(0.6, 1.3), random.normal(size=3) / 3 + ahead)
      place_in_time += random.uniform(0.85, 1.15) / rate
    scene.shake(at - 1.2, place_in_time, random.uniform(0.2, 0.8), rate * 0.8, rate * 1.2 + 1)
    scene.turn(random.normal(size=3), random.normal(), place_in_time, place_in_time + 1)
    scene.living(place_in_time, seconds, 0.4)
  else:  # slam, throw, gesture, lap: one movement of the arm that ends hard or soft
    before(scene, at, random.choice(["stand", "stand", "walk"]), random)
    length = random.uniform(0.25, 0.9)
    scene.turn(random.normal(size=3), random.normal(0, 1.4), at - length, at)
    scene.turn(random.normal(size=3), random.normal(0, 1), at, at + random.uniform(0.3, 1.5))
    scene.shake(at - length, at + 0.2, rides.log_uniform(random, 0.2, 1.5), 0.8, 5)
    if kind != "gesture":
      scene.blow(at - 0.02, rides.log_uniform(random, 0.01, 0.12), random.uniform(0.2, 2.2), random.normal(size=3) / 1.7)
    if kind == "lap":
      free_fall = (time > at - random.uniform(0.1, 0.3)) & (time < at - 0.02)
      scene.force[free_fall, 2] -= G * random.uniform(0.2, 0.8)
    scene.living(at + 0.3, seconds, random.choice([0.1, 0.4, 1.2]))
  return scene, kind, dict(hit=at)


def write_simulation(job):
  """One recording of 14 s as a CSV of seconds and g; returns its path, placement, label, kind, time and figures."""
  folder, placement, is_fall, number = job
  random = numpy.random.default_rng([number, is_fall, placement == "wrist"])
  place = "wrist" if placement == "wrist" else random.choice(["waist", "chest", "pocket"], p=[0.45, 0.2, 0.35])
  scene, kind, figures = (fall if is_fall else daily)(random, place)
  times, readings = scene.sensor()
  path = f"{folder}/{placement}_{is_fall}_{number}.csv"
  with open(path, "w") as file:
    file.write("\n" + "".join(f"{time:.4f},{x:.4f},{y:.4f},{z:.4f}\n" for time, (x, y, z) in zip(times, readings)))
  return path, placement, is_fall, str(kind), figures


def recordings(data, folder):
  """Everyday motion: path, set and activity, person, placement."""
  def files(pattern):
    return sorted(glob.glob(f"{data}/{pattern}"))

  found = []
  for path in files("motionsense/*/*.csv.gz"):
    found.append((path, "MotionSense " + path.split("/")[-2], "m" + path.split("_")[-1][:-7], "trunk"))
  for path in files("wisdm/*/*_accel.csv.gz"):
    person, device = os.path.basename(path).split("_")[:2]
    found.append((path, "WISDM " + path.split("/")[-2], "w" + person, "wrist" if device == "watch" else "trunk"))
  for path in files("steps_mobilised/*.csv.gz"):
    found.append((path, "Mobilise-D", os.path.basename(path)[:5], "trunk"))
  for pattern, name in (("steps_oxford/user*.csv.gz", "Oxford"), ("running_adept/*.csv.gz", "ADEPT"),
                        ("cmdevicemotion_sage/*.csv.gz", "mhealthtools"), ("swing_applewatch/*.csv", "tennis")):
    found += [(path, name, name + os.path.basename(path)[:5], place) for path in files(pattern) for place in ("trunk", "wrist")]
  force, times = (numpy.load(f"{data}/car/IMU_accelerometer_{part}.npy") for part in ("value", "t"))
  with open(f"{folder}/car.csv", "w") as file:
    file.write("\n" + "".join(f"{time:.4f},{x:.5f},{y:.5f},{z:.5f}\n" for time, (x, y, z) in zip(times - times[0], force / G)))
  return found + [(f"{folder}/car.csv", "car", "car", "trunk")]


def contacts(motionctl, paths, placement):
  """Names of the features, and for each recording its contacts: time and features. Files that are refused are named."""
  table, names = {path: [] for path in paths}, []
  for start in range(0, len(paths), 200):
    command = [motionctl, "falls", "--features", "--placement", placement, *paths[start:start + 200]]
    result = subprocess.run(command, capture_output=True, text=True)
    for line in result.stderr.splitlines():
      if line.startswith("Error"):
        print("left out:", line[7:200])
    for row in csv.reader(io.StringIO(result.stdout)):
      if row[0] == "file":
        names = row[3:]
      else:
        table[row[0]].append([float(cell) for cell in [row[1], *row[3:]]])
  return names, table


class Contacts:
  """The contacts of a placement: features, label, group (half of the people or of the simulations), kind, recording."""

  def __init__(self, placement, simulated, real, motionctl):
    simulated = [entry for entry in simulated if entry[1] == placement]
    real = [entry for entry in real if entry[3] == placement]
    self.names, table = contacts(motionctl, [entry[0] for entry in simulated + real], placement)
    rows, self.recordings = [], []
    for number, (path, _, is_fall, kind, figures) in enumerate(simulated):
      self.recordings.append((is_fall, "fall" if is_fall else "like a fall", kind))
      for time, *features in table[path]:
        # What is in the recording of a fall before and after it is no example of either.
        if not is_fall or -0.8 < time - figures["hit"] < 1.3:
          rows.append((features, is_fall, number % 2, len(self.recordings) - 1))
    people = sorted({entry[2] for entry in real})
    for path, kind, person, _ in real:
      self.recordings.append((0, "everyday", kind))
      rows += [(features, 0, people.index(person) % 2, len(self.recordings) - 1) for _, *features in table[path]]
    self.people = len(people)
    self.features, self.labels, self.groups, self.places = (numpy.array(column) for column in zip(*rows))
    self.sources = numpy.array([self.recordings[place][1] for place in self.places])

  def best(self, scores, source):
    """The highest score of each recording of a kind of source; those without a contact have none."""
    result = numpy.full(len(self.recordings), -numpy.inf)
    numpy.maximum.at(result, self.places, scores)
    return result[[index for index, entry in enumerate(self.recordings) if entry[1] == source]]


def expand(features, knots):
  """The numbers, and what of them lies beyond each knot."""
  return numpy.hstack([features] + [numpy.maximum(0, features - knot) for knot in knots])


def fit(inputs, labels, weights):
  """Logistic regression with a small penalty: the weights and the constant."""
  weights = weights / weights.mean()
  mean = numpy.average(inputs, axis=0, weights=weights)
  deviation = numpy.sqrt(numpy.average((inputs - mean) ** 2, axis=0, weights=weights)) + 1e-9
  matrix = numpy.column_stack([(inputs - mean) / deviation, numpy.ones(len(inputs))])
  result, penalty = numpy.zeros(matrix.shape[1]), PENALTY * numpy.eye(matrix.shape[1])
  penalty[-1, -1] = 0
  for _ in range(25):
    likely = 1 / (1 + numpy.exp(-(matrix @ result).clip(-30, 30)))
    slope = matrix.T @ (weights * (labels - likely)) - penalty @ result
    curvature = (matrix.T * (weights * likely * (1 - likely) + 1e-9)) @ matrix + penalty
    result += numpy.linalg.solve(curvature, slope)
  scaled = result[:-1] / deviation
  return numpy.append(scaled, result[-1] - scaled @ mean)


# How much falls, everyday motion and what resembles falls count; within them a device that drops by itself, which is as light as a
# person who falls freely, and the run of ADEPT, the only one outdoors and with stops. The penalty of the fit; where the curves
# bend, as quantiles of the simulated contacts.
WEIGHTS = {"fall": 0.4, "everyday": 0.45, "like a fall": 0.15}
KIND_WEIGHTS = {"dropped": 0.1, "ADEPT": 5}
PENALTY, QUANTILES = 10, (0.1, 0.4, 0.8)
# A fall is called where at most 5 % of what resembles one (but for dropped devices), at most two contacts of the everyday motion of
# people left out, and none of all of it, would be called one.
RESEMBLANCE, ALARMS = 0.05, 2


def train(placement, data, least):
  sizes = {source: (data.sources == source).sum() for source in WEIGHTS}
  kinds = numpy.array([data.recordings[place][2] for place in data.places])
  weights = numpy.array([WEIGHTS[source] / sizes[source] for source in data.sources]) * [KIND_WEIGHTS.get(kind, 1) for kind in kinds]
  knots = [numpy.quantile(data.features[data.sources != "everyday"], quantile, axis=0) for quantile in QUANTILES]
  inputs = expand(data.features, knots)
  scores = numpy.zeros(len(inputs))
  for group in (0, 1):
    others = data.groups != group
    model = fit(inputs[others], data.labels[others], weights[others])
    scores[~others] = inputs[~others] @ model[:-1] + model[-1]
  model = fit(inputs, data.labels, weights)
  is_dropped = numpy.array([entry[2] == "dropped" for entry in data.recordings if entry[1] == "like a fall"])
  like = numpy.sort(data.best(scores, "like a fall")[~is_dropped])[::-1]
  is_everyday = data.sources == "everyday"
  everyday = numpy.sort(scores[is_everyday])[::-1]
  known = (inputs[is_everyday] @ model[:-1] + model[-1]).max() + 0.1
  threshold = max(like[int(RESEMBLANCE * len(like))], everyday[ALARMS], known)
  card(placement, data, scores - threshold, least)
  model[-1] -= threshold
  return model, knots


def card(placement, data, scores, least):
  """The confusion, half of the people and of the simulations left out."""
  print(f"\n{placement}: {len(data.labels)} contacts over {least} g in {len(data.recordings)} recordings, {data.people} people")
  print(f"  {'':24}{'recordings':>12}{'called a fall':>15}")
  for source in WEIGHTS:
    kinds = [entry[2] for entry in data.recordings if entry[1] == source]
    found = data.best(scores, source) > 0
    print(f"  {source:24}{len(found):12}{found.mean():15.2%}")
    for kind in sorted(set(kinds)):
      chosen = numpy.array([name == kind for name in kinds])
      if source != "everyday" or found[chosen].any():
        print(f"    {kind:22}{chosen.sum():12}{found[chosen].mean():15.2%}")
  print(f"  everyday contacts called a fall: {(scores[data.sources == 'everyday'] > 0).sum()} of {(data.sources == 'everyday').sum()}")


def write_swift(models, path="Sources/MotionServices/Health/FallScore+Weights.swift"):
  def vector(values):
    cells = [f"{value:.4g}" for value in values] + ["0"] * (16 - len(values))
    return "SIMD16(\n        " + ", ".join(cells[:8]) + ",\n        " + ", ".join(cells[8:]) + ")"

  text = """// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/train-falls.py. Do not edit.

extension FallScore {
"""
  for placement, (model, knots) in models.items():
    width = len(knots[0])
    parts = [model[start:start + width] for start in range(0, 4 * width, width)]
    text += f"""  /// For a device {PLACES[placement]}.
  static let {placement} = FallScore(
    leastPeak: {LEAST[placement]}, constant: {model[-1]:.4g},
    slopes: {vector(parts[0])},
    knots: [
      {("," + chr(10) + "      ").join(vector(knot) for knot in knots)},
    ],
    bends: [
      {("," + chr(10) + "      ").join(vector(part) for part in parts[1:])},
    ])
"""
  with open(path, "w") as file:
    file.write(text + "}\n")
  subprocess.run(["swift", "format", "-i", path], check=True)
  print("wrote", path)


# g; those of FallScore.swift.
LEAST = {"trunk": 1.6, "wrist": 1.8}
PLACES = {"trunk": "at waist or chest or in a trouser pocket", "wrist": "on the wrist"}


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("--motionctl", default=".build/release/motionctl")
  parser.add_argument("--data", default="../shared/data")
  parser.add_argument("--count", type=int, default=1600, help="simulations of each kind and placement")
  parser.add_argument("--write", action="store_true")
  options = parser.parse_args()
  with tempfile.TemporaryDirectory() as folder:
    jobs = [(folder, placement, is_fall, number) for placement in LEAST for is_fall in (0, 1) for number in range(options.count)]
    with Pool() as pool:
      simulated = pool.map(write_simulation, jobs, chunksize=50)
    real = recordings(options.data, folder)
    falls = [entry[4] for entry in simulated if entry[2] and entry[3] not in ("bed", "chair")]
    for name, unit in (("speed", "m/s"), ("descent", "s")):
      values = numpy.array([figures[name] for figures in falls])
      print(f"falls from standing: {name} {values.mean():.2f} {unit} (SD {values.std():.2f})")
    models = {}
    for placement, least in LEAST.items():
      models[placement] = train(placement, Contacts(placement, simulated, real, options.motionctl), least)
  print("""
Limits: no fall of a person is in the training. People are young and healthy in the everyday data, the phone is mostly in the
front pocket and the watch on either wrist. A person who sinks slowly, who is caught, or who gets up within three seconds is
missed; a device that is thrown or dropped may be called a fall. Not a medical device.""")
  if options.write:
    write_swift(models)


if __name__ == "__main__":
  main()
