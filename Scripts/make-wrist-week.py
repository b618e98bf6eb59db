#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Writes a made-up recording of a wrist as an Axivity CWA file, and prints what is true of it as JSON.

    Scripts/make-wrist-week.py --days 7 --rate 100 --seed 1 week.cwa > week.json

Each day has a night, sitting, housework, walks of known cadence and, on some days, hours on a table (not worn). The axes
have a small error of offset and gain, the clock's rate is not quite the nominal one, and the temperature tells skin from
room. The same options give the same bytes. It is for measuring speed and for checking reports; a real wrist is richer. The
layout of the file: Documentation/Formats.md 4.11. A week at 100 Hz is 258 MB, written in half a minute. Needs numpy.
"""

import argparse, datetime, json
import numpy

NIGHT, SITTING, HOUSEWORK, WALKING, TABLE = range(5)
DAY = 86400


def day_plan(random, worn):
  """(activity, seconds) from midnight to midnight."""
  wake, sleep = int(random.normal(7, 0.5) * 3600), int(random.normal(23, 0.4) * 3600)
  sleep = min(sleep, DAY - 600)
  plan, now = [(NIGHT, wake)], wake
  table = random.integers(wake, max(sleep - 4 * 3600, wake + 1)) if not worn else DAY
  while now < sleep:
    if now >= table:
      kind, length, table = TABLE, random.integers(2 * 3600, 4 * 3600), DAY
    else:
      kind = random.choice([SITTING, HOUSEWORK, WALKING], p=[0.45, 0.35, 0.2])
      length = {SITTING: random.integers(300, 3600), HOUSEWORK: random.integers(120, 1500), WALKING: random.integers(20, 1200)}[kind]
    length = int(min(length, sleep - now))
    plan.append((kind, length))
    now += length
  return plan + [(NIGHT, DAY - now)]


def unit(random):
  vector = random.normal(size=3)
  return vector / numpy.linalg.norm(vector)


class Person:
  """What happens in each second: activity, direction of gravity, cadence; and what is true of each day."""

  def __init__(self, days, seed):
    random = numpy.random.default_rng([seed, 1])
    self.offset, self.gain = random.normal(0, 0.02, 3), 1 + random.normal(0, 0.015, 3)
    self.clock = 1 + random.normal(0, 0.002)
    seconds = days * DAY + 3600
    self.activity = numpy.full(seconds, NIGHT, numpy.uint8)
    self.gravity = numpy.zeros((seconds, 3), numpy.float32)
    self.cadence = numpy.ones(seconds, numpy.float32)
    self.truth, now = [], 0
    unworn = set(random.choice(days, size=max(1, days // 3), replace=False)) if days > 1 else set()
    for day in range(days):
      steps = walking = table = 0
      for kind, length in day_plan(random, day not in unworn):
        part = slice(now, now + length)
        self.activity[part] = kind
        cadence = random.uniform(1.6, 2.1)
        self.cadence[part] = cadence
        if kind == WALKING:
          steps, walking = steps + cadence * length, walking + length
        if kind == TABLE:
          table += length
        self.pose(random, kind, now, length)
        now += length
      self.truth.append({"steps": round(steps), "walking_seconds": int(walking), "not_worn_seconds": int(table)})
    self.gravity[now:] = self.gravity[now - 1]

  def pose(self, random, kind, start, length):
    """The arm's direction: kept while walking and on a table, changed every few minutes or seconds otherwise."""
    if kind in (WALKING, TABLE):
      pose = numpy.array([-0.95, 0.2, 0.2]) if kind == WALKING else numpy.array([0.05, 0.02, 1])
      self.gravity[start : start + length] = pose / numpy.linalg.norm(pose)
      return
    end = start + length
    while start < end:
      hold = int(random.integers(*{NIGHT: (600, 2400), SITTING: (20, 300), HOUSEWORK: (2, 15)}[kind]))
      self.gravity[start : min(start + hold, end)] = unit(random)
      start += hold


def forces(person, random, times):
  """Specific force in g at `times` (seconds from the start), three axes; float32."""
  second = times.astype(numpy.int64)
  part = (times - second).astype(numpy.float32)[:, None]
  # A new pose is reached within a second.
  before, after = person.gravity[second], person.gravity[second + 1]
  result = before + (after - before) * part
  noise = random.standard_normal((len(times), 3), dtype=numpy.float32)
  spread = numpy.array([0.004, 0.008, 0.08, 0.03, 0.003], numpy.float32)[person.activity[second]]
  result += noise * spread[:, None]
  for which, size in ((WALKING, 1.0), (HOUSEWORK, 0.35)):
    rows = numpy.flatnonzero(person.activity[second] == which)
    if not len(rows):
      continue
    # Steps on the vertical and the forward axis, the arm's swing at half their rate. The cadence of a bout is constant.
    phase = (2 * numpy.pi * ((person.cadence[second[rows]] * times[rows]) % 2)).astype(numpy.float32)
    if which == HOUSEWORK:
      phase *= 0.5
    result[rows, 0] += size * (0.30 * numpy.sin(phase) + 0.10 * numpy.sin(2 * phase + 1))
    result[rows, 1] += size * (0.12 * numpy.sin(phase + 2) + 0.25 * numpy.sin(phase / 2))
    result[rows, 2] += size * 0.15 * numpy.cos(phase / 2)
  return (result * person.gain.astype(numpy.float32) + person.offset.astype(numpy.float32)).astype(numpy.float32)


def packed_time(moment):
  return moment.year - 2000 << 26 | moment.month << 22 | moment.day << 17 | moment.hour << 12 | moment.minute << 6 | moment.second


def packed_times(start, seconds):
  """Packed times of whole seconds after `start`; an array."""
  unique, place = numpy.unique(seconds, return_inverse=True)
  return numpy.array([packed_time(start + datetime.timedelta(seconds=int(s))) for s in unique], numpy.uint32)[place]


def words(counts):
  """Three counts of 1/256 g to one 32-bit word: an exponent and three numbers of 10 bits."""
  counts = counts.clip(-2048, 2047)
  largest = numpy.abs(counts + (counts < 0)).max(axis=1)
  exponent = (largest > 511).astype(numpy.uint32) + (largest > 1023)
  x, y, z = ((counts[:, axis] >> exponent.astype(numpy.int32)).astype(numpy.uint32) & 0x3FF for axis in range(3))
  return exponent << 30 | z << 20 | y << 10 | x


BLOCK = numpy.dtype([
  ("head", "S2"), ("length", "<u2"), ("fraction", "<u2"), ("session", "<u4"), ("sequence", "<u4"), ("time", "<u4"),
  ("light", "<u2"), ("temperature", "<u2"), ("events", "u1"), ("battery", "u1"), ("rate", "u1"), ("kind", "u1"),
  ("offset", "<i2"), ("count", "<u2"), ("words", "<u4", 120), ("sum", "<u2"),
])  # fmt: skip


def header(options, start, rate_code):
  data = bytearray(b"\xff" * 1024)
  data[0:4], data[4] = b"MD\xfc\x03", 0x17
  data[5:7], data[7:11], data[11:13] = (10000 + options.seed % 50000).to_bytes(2, "little"), (options.seed & 0xFFFFFFFF).to_bytes(4, "little"), b"\0\0"
  end = start + datetime.timedelta(days=options.days)
  for place, moment in ((13, start), (17, end)):
    data[place : place + 4] = packed_time(moment).to_bytes(4, "little")
  data[36], data[41] = rate_code, 50
  data[64:512] = f"_c=made-up&_sc={options.seed}&_p=left+wrist".encode().ljust(448, b" ")
  return bytes(data)


def blocks(person, options, start, code, first, count, total):
  """`count` blocks from number `first` on; the last of the recording may be short."""
  rate = 3200 / 2 ** (15 - (code & 15))
  true_rate = rate * person.clock
  random = numpy.random.default_rng([options.seed, 2, first])
  result = numpy.zeros(count, BLOCK)
  index = first + numpy.arange(count)
  samples = numpy.minimum(120, total - 120 * index)
  times = (120 * first + numpy.arange(120 * count)) / true_rate
  times = numpy.minimum(times, options.days * DAY + 1800)
  force = forces(person, random, times)
  result["words"] = words(numpy.rint(force * 256).astype(numpy.int32)).reshape(count, 120)
  for row in numpy.flatnonzero(samples < 120):
    result["words"][row, samples[row] :] = 0
  # The time of a block holds at one of its samples; the offset names the sample of the whole second.
  anchor = numpy.minimum(90 + index * 7 % 30, samples - 1)
  time = (120 * index + anchor) / true_rate
  second = time.astype(numpy.int64)
  fraction = ((time - second) * 32768).astype(numpy.int64)
  result["head"], result["length"] = b"AX", 508
  result["fraction"], result["time"] = 0x8000 | fraction, packed_times(start, second)
  result["offset"] = anchor - (2 * fraction * int(rate) >> 16)
  result["session"], result["sequence"], result["count"] = options.seed & 0xFFFFFFFF, index & 0xFFFFFFFF, samples
  activity = person.activity[second]
  warmth = numpy.where(activity == TABLE, 21.0, 31.0) + numpy.where(activity == NIGHT, 2.0, 0.0) + random.normal(0, 0.1, count)
  result["temperature"] = numpy.rint((warmth + 50) * 256 / 75)
  result["light"] = numpy.where(activity == NIGHT, 60, 400) + random.integers(0, 30, count)
  result["battery"] = 210 - 40 * index // max(total // 120, 1)
  result["rate"], result["kind"] = code, 0x30
  sums = result.view("<u2").reshape(count, 256).sum(axis=1, dtype=numpy.uint32)
  result["sum"] = (-sums.astype(numpy.int64)) & 0xFFFF
  return result


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("output")
  parser.add_argument("--days", type=int, default=7)
  parser.add_argument("--rate", type=float, default=100, help="Hz: 12.5, 25, 50, 100, 200, 400, 800 or 1600")
  parser.add_argument("--seed", type=int, default=1, help="another person, 0 or more")
  parser.add_argument("--start", default="2024-03-04T00:00:00", help="local time, best a midnight")
  parser.add_argument("--damaged", type=int, default=0, help="blocks in which one byte is changed")
  options = parser.parse_args()
  steps = 3200 / options.rate
  if steps < 1 or steps != 2 ** int(numpy.log2(steps)) or options.days < 1 or options.seed < 0:
    parser.error("the rate is 3200 Hz divided by a power of two; there is at least one day, and the seed is not negative")
  code = 0x40 | 15 - int(numpy.log2(steps))
  start = datetime.datetime.fromisoformat(options.start)
  person = Person(options.days, options.seed)
  total = int(options.days * DAY * options.rate * person.clock)
  count = -(-total // 120)
  random = numpy.random.default_rng([options.seed, 3])
  damaged = numpy.sort(random.choice(count, size=min(options.damaged, count), replace=False))
  with open(options.output, "wb") as file:
    file.write(header(options, start, code))
    for first in range(0, count, 2000):
      part = blocks(person, options, start, code, first, min(2000, count - first), total).view(numpy.uint8).reshape(-1, 512)
      for block in damaged[(damaged >= first) & (damaged < first + len(part))]:
        part[block - first, random.integers(30, 510)] ^= 1 << random.integers(0, 8)
      file.write(part.tobytes())
  for day, truth in enumerate(person.truth):
    truth["date"] = str((start + datetime.timedelta(days=day)).date())
  print(json.dumps({
    "samples": total, "blocks": count, "rate": options.rate * person.clock, "damaged_blocks": damaged.tolist(),
    "offset_g": person.offset.tolist(), "gain": person.gain.tolist(), "days": person.truth,
  }, indent=1))  # fmt: skip


if __name__ == "__main__":
  main()
