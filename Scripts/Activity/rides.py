# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Vehicles, bicycles and gestures by physics, as accelerations in g; what no licensed recording shows enough of.

Vehicles: a road whose surface moves the tyres with white velocity (ISO 8608, classes A to C), the body on its springs (heave 0.9–1.9 Hz)
and the wheels (hop 8–15 Hz), holes and bumps, the driver who brakes, turns and waits, an engine, and where the phone is: rigid, in a
holder, on a seat, in the pocket of one who sits, in a hand. Rails: smoother, with joints and a sway at 0.8–2.5 Hz. Bicycles: the thigh
that swings with the pedals, the bounce of the rider on saddle and tyres at 2.5–6 Hz, the road. Every number is drawn anew for each ride,
from ranges that are wider than those published: nothing of one car can be learned.
Sources: ISO 8608:2016; Gillespie, "Fundamentals of Vehicle Dynamics" (1992), chapter 5; Griffin, "Handbook of Human Vibration" (1990);
measurements of rides: Múčka, J. Test. Eval. 46(1), 2018; Ajovalasit and Giacomin 2005 (idle).
"""

import numpy

G = 9.80665
# Speed in m/s, acceleration in m/s², seconds at a speed, seconds of a stop; how often the kind of vehicle is drawn.
TRAFFIC = {
  "city": ((3, 16), (0.6, 2.2), (8, 45), (3, 40), 0.45),
  "road": ((10, 33), (0.5, 1.8), (40, 300), (3, 20), 0.20),
  "bus": ((4, 14), (0.5, 1.3), (8, 40), (8, 35), 0.13),
  "train": ((12, 45), (0.2, 0.9), (40, 180), (15, 60), 0.10),
  "tram": ((5, 17), (0.5, 1.3), (10, 50), (10, 30), 0.08),
  "motorcycle": ((5, 28), (0.8, 3), (10, 80), (2, 20), 0.04),
}
PLACES = {"holder": 0.3, "rigid": 0.2, "seat": 0.15, "pocket": 0.2, "hand": 0.15}


def band(random, count, rate, low, high, deviation):
  """Noise between two frequencies, by the Fourier transform."""
  lines = numpy.fft.rfftfreq(count, 1 / rate)
  noise = numpy.fft.irfft(numpy.fft.rfft(random.normal(size=count)) * ((lines >= low) & (lines <= high)), count)
  return noise / max(1e-12, noise.std()) * deviation


def smooth(values, width):
  width = max(1, int(width))
  weights = numpy.hanning(width + 2)[1:-1]
  return numpy.convolve(numpy.pad(values, width, mode="edge"), weights / weights.sum(), "same")[width:-width]


def lowpass(lines, frequency, damping):
  ratio = lines / frequency
  return 1 / (1 - ratio**2 + 2j * damping * ratio)


def spring(lines, frequency, damping):
  """From the motion below a spring to the motion above."""
  ratio = lines / frequency
  return (1 + 2j * damping * ratio) / (1 - ratio**2 + 2j * damping * ratio)


def through(values, transfer):
  return numpy.fft.irfft(numpy.fft.rfft(values, axis=0) * transfer, len(values), axis=0)


def log_uniform(random, low, high):
  return numpy.exp(random.uniform(numpy.log(low), numpy.log(high)))


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


def drive(random, kind, seconds, rate):
  """Speed in m/s, forward and lateral acceleration in m/s²."""
  speeds, accelerations, cruises, stops, _ = TRAFFIC[kind]
  count, place = int(seconds * rate), 0
  speed = numpy.zeros(count)
  now = random.uniform(*speeds) if random.random() < 0.7 else 0.0
  while place < count:
    stops_now = now > 0 and random.random() < (0.15 if kind == "road" else 0.45)
    target = 0.0 if stops_now else random.uniform(*speeds)
    length = max(1, int(abs(target - now) / random.uniform(*accelerations) * rate))
    part = numpy.linspace(0, 1, length)
    for piece in (now + (target - now) * part**2 * (3 - 2 * part),
                  numpy.full(int(random.uniform(*(stops if target == 0 else cruises)) * rate), target)):
      piece = piece[:count - place]
      speed[place:place + len(piece)] = piece
      place += len(piece)
    now = target
  speed = smooth(numpy.maximum(0, speed + (speed > 1) * band(random, count, rate, 0.005, 0.1, 0.3)), rate * 0.8)
  yaw = band(random, count, rate, 0.01, 0.3, 0.02)
  for _ in range(0 if kind == "train" else random.poisson(seconds / random.uniform(12, 60))):
    begin, length = random.integers(0, count), int(random.uniform(2, 8) * rate)
    turn = random.uniform(0.2, 1.6) * random.choice([-1, 1]) * numpy.hanning(length) / (length / rate) * 2
    yaw[begin:begin + length] += turn[:count - begin]
  lateral = numpy.clip(speed * yaw, -3.5, 3.5)
  if kind in ("train", "tram", "road"):
    lateral += (speed > 3) * band(random, count, rate, 0.01, 0.15, 0.3)
  return speed, numpy.gradient(speed, 1 / rate), lateral


def vehicle(random, seconds, rate=100):
  """Forward, left and up."""
  kinds = list(TRAFFIC)
  kind = random.choice(kinds, p=[TRAFFIC[name][4] for name in kinds])
  place = random.choice(list(PLACES), p=list(PLACES.values()))
  count, on_rails = int(seconds * rate), kind in ("train", "tram")
  speed, forward, lateral = drive(random, kind, seconds, rate)
  lines = numpy.fft.rfftfreq(count, 1 / rate)
  lines[0] = 1e-3
  # Up: the road through springs and wheels.
  roughness = log_uniform(random, 2e-6, 60e-6) if on_rails else log_uniform(random, 8e-6, 350e-6)
  heave = random.uniform(1.5, 3) if kind == "motorcycle" else random.uniform(0.9, 1.9)
  body = 2j * numpy.pi * lines * spring(lines, heave, random.uniform(0.15, 0.45))
  body *= lowpass(lines, random.uniform(8, 15), random.uniform(0.08, 0.3))
  surface = 2 * numpy.pi * numpy.sqrt(roughness * 0.01 * rate / 2)
  up = through(random.normal(size=count), body * surface) * numpy.sqrt(speed)
  up *= numpy.exp(band(random, count, rate, 0.005, 0.2, random.uniform(0.1, 0.5)))
  shocks = numpy.zeros(count)
  for _ in range(random.poisson(seconds / random.uniform(6, 90))):
    shocks[random.integers(0, count)] += random.normal() * random.uniform(0.02, 0.12) * rate
  if on_rails and random.random() < 0.5:
    joints = numpy.flatnonzero(numpy.diff(numpy.floor(numpy.cumsum(speed) / rate / random.choice([12.5, 18, 25, 36]))) > 0)
    shocks[joints] += random.uniform(0.003, 0.02) * rate * random.normal(1, 0.3, len(joints))
  up += through(shocks, body * 0.25) * (speed > 1)
  level = smooth(numpy.abs(up), rate * 2) * 1.25

  def shaken(part):
    shape = spring(lines, random.uniform(0.7, 2.5), random.uniform(0.15, 0.5)) * lowpass(lines, random.uniform(5, 14), 0.3)
    noise = through(random.normal(size=count), shape)
    return noise / noise.std() * level * part

  sideways, ahead = lateral + shaken(random.uniform(0.25, 1)), forward + shaken(random.uniform(0.15, 0.8))
  if on_rails:
    sway = through(band(random, count, rate, 0.8, 2.5, 1), spring(lines, random.uniform(1, 2), 0.15))
    sideways += sway * random.uniform(0, 0.03) * G * numpy.minimum(1, speed / 20)
  # The engine's order of ignition, mostly above the band while driving, and the noise of the cabin.
  strength = random.uniform(0, 0.02) * G * (random.random() < 0.7)
  phase = numpy.cumsum(2 * numpy.pi / rate * random.uniform(18, 32) * (1 + numpy.minimum(2.5, speed / 12) * random.uniform(0.3, 1)))
  engine = strength * (numpy.sin(phase) + 0.5 * numpy.sin(phase / 2 + 1))
  cabin = random.uniform(0.0005, 0.004) + random.uniform(0, 0.02) * numpy.minimum(1.5, speed / 20)
  engine = (engine + band(random, count, rate, 12, 40, 1) * cabin * G) * (random.uniform(2, 8) if kind == "motorcycle" else 1)
  force = numpy.column_stack([ahead + 0.5 * engine, sideways + 0.5 * numpy.roll(engine, 7), up + engine])
  if place == "holder":
    force = through(force, lowpass(lines, random.uniform(7, 22), random.uniform(0.06, 0.3))[:, None])
  elif place in ("seat", "pocket"):
    force = through(force, spring(lines, random.uniform(2.5, 6), random.uniform(0.25, 0.5))[:, None])
  elif place == "hand":
    force = through(force, lowpass(lines, random.uniform(1.5, 5), random.uniform(0.3, 0.9))[:, None])
    for axis in range(3):
      force[:, axis] += band(random, count, rate, 0.2, random.uniform(2, 8), random.uniform(0.002, 0.04) * G)
  force[:, 2] += G
  # The body pitches and rolls with the forces; a pocket or a hand turns slowly besides.
  pitch = smooth(forward, rate * 0.5) * random.uniform(0.002, 0.012)
  roll = smooth(lateral, rate * 0.5) * random.uniform(-0.01, 0.01)
  if place in ("pocket", "hand"):
    pitch = pitch + band(random, count, rate, 0.003, 0.1, random.uniform(0, 0.15))
    roll = roll + band(random, count, rate, 0.003, 0.1, random.uniform(0, 0.1))
  x, y, z = force.T
  x, z = x * numpy.cos(pitch) - z * numpy.sin(pitch), x * numpy.sin(pitch) + z * numpy.cos(pitch)
  y, z = y * numpy.cos(roll) - z * numpy.sin(roll), y * numpy.sin(roll) + z * numpy.cos(roll)
  return numpy.column_stack([x, y, z]) / G


def bicycle(random, seconds, rate=100):
  count = int(seconds * rate)
  place = random.choice(["thigh", "trunk", "frame"], p=[0.65, 0.2, 0.15])
  lines = numpy.fft.rfftfreq(count, 1 / rate)
  lines[0] = 1e-3
  cadence = random.uniform(0.75, 1.7) * (1 + band(random, count, rate, 0.01, 0.1, random.uniform(0.02, 0.08)))
  phase = 2 * numpy.pi * numpy.cumsum(cadence) / rate
  moving = pauses(random, count, rate, 120, 3, 20, 2)
  pedals = pauses(random, count, rate, random.uniform(8, 60), 2, 12, 0.6) * moving
  level = log_uniform(random, 0.06, {"thigh": 0.45, "trunk": 0.35, "frame": 0.7}[place])
  level = level * numpy.exp(band(random, count, rate, 0.01, 0.3, random.uniform(0.15, 0.5))) * moving
  shocks = random.normal(size=count)
  for _ in range(random.poisson(seconds / random.uniform(3, 60))):
    shocks[random.integers(0, count)] += random.normal() * random.uniform(5, 25)

  def road():
    part = random.uniform(0, 1)
    shape = part * spring(lines, random.uniform(2.5, 6), random.uniform(0.12, 0.5)) * lowpass(lines, random.uniform(6, 20), 0.5)
    shape = shape + (1 - part) * (lines > 1) * lowpass(lines, random.uniform(8, 30), 0.6) * 0.6
    noise = through(shocks * random.uniform(0.5, 1) + random.normal(size=count) * random.uniform(0.2, 1), shape)
    return noise / noise.std()

  def pulse(strongest, multiple):
    return G * pedals * random.uniform(0, strongest) * numpy.sin(multiple * phase + random.uniform(0, 6))

  up = G + G * level * road() + pulse(0.03, 2)
  ahead = band(random, count, rate, 0.01, 0.3, 0.4) + G * level * random.uniform(0.3, 1) * road() + pulse(0.03, 2)
  side = G * level * random.uniform(0.3, 1) * road() + pulse(0.2, 1)
  if place != "thigh":
    angle = random.uniform(-0.3, 0.6) + random.uniform(0, 0.06) * pedals * numpy.sin(phase)
    along, across = ahead * numpy.cos(angle) - up * numpy.sin(angle), ahead * numpy.sin(angle) + up * numpy.cos(angle)
    return numpy.column_stack([along, side, across]) / G
  # Most pockets are near the hip, some near the knee.
  swing, distance, offset = random.uniform(0.15, 0.5), 0.42 * random.random() ** 2, random.uniform(-0.1, 0.1)
  second = random.uniform(0, 0.25) * numpy.sin(2 * phase + random.uniform(0, 6))
  angle = random.uniform(0, 0.8) + swing * pedals * (numpy.sin(phase) + second)
  angle += band(random, count, rate, 0.01, 0.2, random.uniform(0, 0.08))
  speed = numpy.gradient(angle, 1 / rate)
  change = numpy.gradient(speed, 1 / rate)
  along = ahead * numpy.cos(angle) - up * numpy.sin(angle) - speed**2 * distance + change * offset
  across = ahead * numpy.sin(angle) + up * numpy.cos(angle) - change * distance - speed**2 * offset
  lean = random.uniform(0, 0.3) * swing * pedals * numpy.sin(phase + random.uniform(0, 6))
  side, across = side * numpy.cos(lean) - across * numpy.sin(lean), side * numpy.sin(lean) + across * numpy.cos(lean)
  return numpy.column_stack([along, side, across]) / G


def gait(random, seconds, cadences, rate=100):
  """A walk or a run as simulations have it: harmonics of the step, and often no sway or surge."""
  time, cadence = numpy.arange(int(seconds * rate)) / rate, random.uniform(*cadences)
  phase = 2 * numpy.pi * (cadence * time + random.uniform())
  strength = random.uniform(0.6, 1.6) * 0.3 * (cadence / 1.9) ** 2
  parts = numpy.array([1, *random.uniform(0, (0.6, 0.4, 0.3))])
  up = 1 + strength * (parts[:, None] * numpy.cos(numpy.arange(1, 5)[:, None] * (phase + random.choice([0, 4.7])))).sum(0)
  side, ahead = strength * random.uniform(0, 0.5, 2) * (random.random(2) < 0.5)
  return numpy.column_stack([side * numpy.cos(phase / 2), ahead * numpy.sin(phase), up])


def gesture(random, seconds, rate=100):
  """A hand, or what it holds, that moves to and fro: a push in any direction and a turn about any axis."""
  count = int(seconds * rate)
  frequency = log_uniform(random, 0.6, 6) * numpy.exp(band(random, count, rate, 0.05, 1, random.uniform(0.01, 0.2)))
  phase = 2 * numpy.pi * numpy.cumsum(frequency) / rate
  # Stronger ones look like a runner.
  amplitude = log_uniform(random, 0.03, 0.2) * numpy.exp(band(random, count, rate, 0.05, 1, 0.3))
  direction, axis = random.normal(size=(2, 3))
  direction, axis = direction / numpy.linalg.norm(direction), axis / numpy.linalg.norm(axis)
  push = amplitude * (numpy.sin(phase) + random.uniform(0, 0.5) * numpy.sin(2 * phase + random.uniform(0, 6)))
  force = numpy.array([0, 0, 1]) + push[:, None] * direction
  angle = random.uniform(0, 0.6) * amplitude * numpy.sin(phase / random.choice([1, 1, 2]) + random.uniform(0, 6))
  angle = (angle + band(random, count, rate, 0.02, 0.5, random.uniform(0, 0.3)))[:, None]
  along = (force @ axis)[:, None] * axis
  force = force * numpy.cos(angle) + numpy.cross(axis, force) * numpy.sin(angle) + along * (1 - numpy.cos(angle))
  for index in range(3):
    force[:, index] += band(random, count, rate, 0.3, 12, random.uniform(0.003, 0.03))
  active = pauses(random, count, rate, random.uniform(4, 30), 0.5, 4, 0.2)[:, None]
  return numpy.array([0, 0, 1]) + (force - numpy.array([0, 0, 1])) * active
