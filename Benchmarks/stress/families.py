# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The families of cases: what happens, what is known, and what has to come out of it. README.md says why."""

import os
import zlib
from dataclasses import dataclass, field

import numpy as np

import quaternions as quat
from motion import (active, block, city, euler, from_position, handheld, Motion, sines, slow_turn, smooth, smoothstep, thrown,
                    tilted, vehicle, walking, UP)
from sensors import EARTH_FIELD, measure, Phone, Readings

BROAD_STEP = 7 / 2000
FAMILIES = {}


@dataclass
class Case:
    name: str
    readings: Readings
    checks: list  # [metric, from, to, bound(, angle)]; times in s of the recording, angle of a recovery in °
    about: str
    event: float = 0.0  # s, from which recovery counts
    frame: str = "arbitrary"
    known: str = "nothing"
    family: str = field(default="")


def family(name):
    def add(function):
        FAMILIES[name] = function
        return function
    return add


def make(name, seed, trials):
    """The cases of one family. Each family has random numbers of its own: a new family changes no other."""
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    for case in FAMILIES[name](rng, trials):
        case.family = name
        upright = [] if any(c[0] == "flipped" for c in case.checks) else [("flipped", 0.0, END, 1.0)]
        case.checks = [*upright, ("rows", 0.0, END, 0.9), *case.checks]
        yield case


END = 1e9


def settled(event, tilt=2.0, within=5.0, angle=3.0, until=END):
    """Recovered within some seconds after the event, and good from then on."""
    return [("recover", event, END, within, angle), ("tilt_rms", event + within, until, tilt)]


def with_north(start, rms=6.0, known=0.8, maximum=None, until=END):
    """A heading is there, good, and says how good."""
    checks = [("known", start, until, known), ("heading_rms", start, until, rms), ("overconfident", start, until, 0.15)]
    return checks + ([("heading_max", start, until, maximum)] if maximum else [])


def unit(rng):
    direction = rng.normal(size=3)
    return direction / np.linalg.norm(direction)


def iron(rng, strength):
    return strength * unit(rng)


# MARK: BROAD


def load(trials, words=()):
    """(name, Readings, moving) of the trials whose names have one of the words; truth NaN where the markers were hidden."""
    for file in sorted(os.listdir(trials)):
        if file.endswith(".f32") and (not words or any(w in file for w in words)):
            x = np.fromfile(os.path.join(trials, file), "<f4").reshape(-1, 17).astype(float)
            readings = Readings(np.arange(len(x)) * BROAD_STEP, x[:, 3:6], x[:, 0:3], x[:, 6:9], x[:, 9:13])
            yield file[:2], readings, x[:, 16] == 1


def turning(q):
    """How far a device turns, rad RMS, out of the axis that turns least: the share of a hard iron that its field shows."""
    axes = quat.rotate(q[np.isfinite(q).all(1)][:, None], np.eye(3)[None])
    axes -= axes.mean(0)
    return np.sqrt(np.linalg.eigvalsh(np.einsum("nji,nki->jk", axes, axes) / len(axes))[0])


def pick(rng, trials, count, words=()):
    """`count` trials, each before any comes twice."""
    names = list(load(trials, words))
    order = np.concatenate([rng.permutation(len(names)) for _ in range(count // len(names) + 1)])[:count]
    return [names[k] for k in order]


def place(rng, r, moving, before, after, lying=False):
    """A random time in motion, with `before` and `after` seconds of movement phase around it; `lying`: one of the hundredth
    of them whose accelerometer reading is farthest from up."""
    start, end = r.t[moving][0] + before, r.t[moving][-1] - after
    candidates = np.flatnonzero(moving & (r.t > start) & (r.t < max(end, start + 1)))
    candidates = candidates[np.linalg.norm(r.rate[candidates], axis=1) > 0.3]
    if lying:
        candidates = candidates[np.isfinite(r.q[candidates]).all(1)]
        force = r.acceleration[candidates]
        up = (quat.rotate(r.q[candidates], force)[:, 2] / np.linalg.norm(force, axis=1))
        candidates = candidates[up <= np.quantile(up, 0.01)]
    return r.t[rng.choice(candidates)]


@family("bad-first-sample")
def bad_first_sample(rng, trials):
    kinds = {"inverted": lambda f: -f[:1], "zero": lambda f: 0 * f[:1], "sideways": lambda f: np.cross(f[:1], [[1.0, 2, 3]]),
             "spike": lambda f: 30 * rng.normal(size=(1, 3)), "inverted-x3": lambda f: -f[:3]}
    for kind, change in kinds.items():
        motion = handheld(rng, 60, 1 / 800, lambda t: active(t, 12, 40))
        r = measure(motion, Phone(rng), 100)
        bad = change(r.acceleration)
        r.acceleration[:len(bad)] = bad
        yield Case(f"first-{kind}", r, settled(0), f"first accelerometer reading {kind}; 12 s of rest, then a hand")
    for name, r, moving in pick(rng, trials, 3):
        at = place(rng, r, moving, 2, 35)
        r = r.cut((r.t >= at) & (r.t < at + 35))
        r.t = r.t - r.t[0]
        r.acceleration[0] *= -1
        yield Case(f"first-broad-{name}", r, settled(0, 3, 8, 4), "BROAD, from the middle of its motion, first reading inverted")


@family("gap-in-motion")
def gap_in_motion(rng, trials):
    durations = [0.1, 0.2, 0.3, 0.4, 0.4, 0.5, 0.5, 0.6, 0.6, 0.7, 0.7, 0.8, 0.8, 0.9, 0.9, 0.95, 0.95, 1.1, 1.3, 1.6, 2.0]
    for k, (name, r, moving) in enumerate(pick(rng, trials, len(durations))):
        gap, at = durations[k], place(rng, r, moving, 8, 30)
        r = r.cut((r.t < at + gap + 25) & ((r.t < at) | (r.t >= at + gap)))
        event = at + gap
        # What was turned in a gap of a second nobody measured: up is found again from the accelerometer, in a few seconds.
        upright = [("flipped", 0.0, END, 1.0 if gap < 0.5 else 4.0)]
        yield Case(f"gap-{k}-{gap:g}s-{name}", r, upright + settled(event, 3, 7, 4), f"BROAD {name}, no samples for {gap:g} s", event)


@family("start-in-motion")
def start_in_motion(rng, trials):
    for lying, words in ((False, ()), (True, ("fast", "tapping", "vibration", "magnet"))):
        for k, (name, r, moving) in enumerate(pick(rng, trials, 10, words)):
            at = place(rng, r, moving, 3, 40, lying)
            r = r.cut((r.t >= at) & (r.t < at + 40))
            r.t = r.t - r.t[0]
            yield Case(f"start-{'lying' if lying else 'random'}-{k}-{name}", r, settled(0, 3, 8, 4),
                       f"BROAD {name} from {at:.1f} s on{', where the accelerometer is far from up' if lying else ''}")


@family("broad-uncalibrated")
def broad_uncalibrated(rng, trials):
    for name, r, moving in pick(rng, trials, 6, ["undisturbed", "tapping", "vibration", "stationary"]):
        start = r.t[moving][0] + 20
        # A device that hardly turns cannot know its own iron: then a heading may stay unknown, but not be claimed falsely.
        bounds = dict(known=0.0, rms=6.0) if turning(r.q[moving]) < 0.2 else dict(known=0.7, rms=4.0)
        yield Case(f"broad-{name}", r, with_north(start, **bounds) + [("tilt_rms", start, END, 1.5)],
                   "a whole BROAD trial, the magnetometer not declared calibrated", start, "magnetic")


@family("clipping")
def clipping(rng, trials):
    found = []
    for limit in (250, 500):
        for name, r, moving in load(trials):
            start = r.t[moving][0]
            r = r.cut(r.t < start + 60)
            over = (np.abs(r.rate) > np.radians(limit)).any(1)
            share = over[r.t >= start].mean()
            if 0.003 < share < 0.065:  # beyond that the rate is lost, whoever filters
                found.append((limit, name, r, start, share))
    for k in rng.permutation(len(found))[:5]:
        limit, name, r, start, share = found[k]
        r.rate = np.clip(r.rate, -np.radians(limit), np.radians(limit))
        yield Case(f"clip-{limit}-{name}", r, [("tilt_rms", start, END, 3.0 + 95 * share), ("flipped", 0, END, 1 + 20 * share)],
                   f"BROAD {name}, gyroscope clipped at {limit} °/s ({100 * share:.1f} % of its samples in motion)", start)
    for limit in (250, 500, 2000):
        motion = handheld(rng, 70, 1 / 800, lambda t: active(t, 5, 45))
        t = motion.t
        burst = sum(np.where(np.abs(t - c) < 0.5, np.cos(np.pi * (t - c)) ** 2, 0) for c in (12, 19, 26, 33))
        motion.q = quat.multiply(motion.q, quat.about(rng.normal(size=3), np.cumsum(np.radians(1.5 * limit) * burst) * motion.step))
        r = measure(motion, Phone(rng, gyroscope_range=limit), 200)
        yield Case(f"flick-{limit}", r, settled(33.5, 2, 8), f"flicks of 1.5 times the range of {limit} °/s, then a hand, then rest", 33.5)


# MARK: The gyroscope's bias


@family("slow-turn-at-start")
def slow_turn_at_start(rng, _):
    for rate in (3, 5, 8, -10):
        bias = rng.normal(0, 0.07, 3)
        motion = slow_turn(rng, 1 / 800, rate, 40, 80)
        r = measure(motion, Phone(rng, bias), 100)
        yield Case(f"turn-{rate}-6d", r.cut(slice(None)), [("yaw_drift", 1, END, 15), ("tilt_rms", 5, END, 2)],
                   f"turns at {rate} °/s for 40 s from the first sample on, then a hand", 40)
        yield Case(f"turn-{rate}-9d", r, with_north(60, 5) + [("tilt_rms", 5, END, 2)],
                   "the same with a magnetometer", 40, "magnetic")


@family("bias-step")
def bias_step(rng, _):
    for size in (0.3, 0.5, 1.0, 2.0):
        motion = handheld(rng, 600, 1 / 100, lambda t: active(t, 540, 590))
        step = size * unit(rng)
        r = measure(motion, Phone(rng), 50, bias_drift=lambda t: step * (t >= 200)[:, None])
        yield Case(f"step-{size:g}", r, [("yaw_drift", 320, 540, 5), ("yaw_drift", 540, END, 10), ("tilt_max", 200, END, 3 + 1.5 * size)],
                   f"at rest the bias steps by {size:g} °/s at 200 s; picked up at 540 s", 200)


@family("temperature")
def temperature(rng, _):
    for change in (0.6, 1.5):
        t0, period = rng.uniform(0, 20), 150
        motion = handheld(rng, 1800, 1 / 100, lambda t: active((t + t0) % period, 60, 145))
        ramp = change * unit(rng)
        r = measure(motion, Phone(rng), 50, bias_drift=lambda t: ramp * (1 - np.exp(-t / 700))[:, None])
        yield Case(f"warm-up-{change:g}", r, [("yaw_drift", 30, END, 25), ("tilt_rms", 30, END, 1.5), ("tilt_max", 30, END, 5)],
                   f"the bias moves by {change:g} °/s in 30 min of hand and rest", 30)


@family("long-rest")
def long_rest(rng, _):
    for size in (0.3, 1.1):
        motion = handheld(rng, 1920, 1 / 100, lambda t: smoothstep((t - 1800) / 2))
        r = measure(motion, Phone(rng, size * unit(rng)), 50)
        yield Case(f"pick-up-{size:g}", r, [("yaw_drift", 1799, END, 9), ("tilt_rms", 1800, END, 1.5), ("tilt_max", 1800, END, 4)],
                   f"30 min of rest, bias {size:g} °/s, then a hand for 2 min", 1800)


# MARK: Vehicles


@family("drive")
def drive(rng, _):
    step = 1 / 400

    def bounds(minutes, rested=True, yaw=15, tilt=7):
        """After a rest the bias is known; without one it is as good as a phone's calibration: 0.2 °/s."""
        yaw = max(yaw, 3 * minutes) if rested else 12 * minutes
        return [("yaw_drift", 10, END, yaw), ("tilt_max", 10, END, 15), ("tilt_rms", 10, END, tilt)]

    for bias in (0.0, 0.5):
        speed, turn = block(step, 300)
        phone = Phone(rng, bias * unit(rng))
        yield Case(f"block-bias-{bias:g}", measure(vehicle(rng, step, speed, turn, shake=0.1), phone, 100), bounds(5, yaw=20, tilt=9),
                   f"round a block, always to the left, 4 s of standing on each side, true bias {bias:g} °/s")
    for bias, parked, minutes, name in ((0.0, 10, 8, "city-bias-0"), (0.5, 10, 8, "city-bias-0.5"), (0.0, 0, 5, "city-no-rest")):
        speed, turn = city(rng, step, 60 * minutes, parked, stops=parked > 0)
        phone = Phone(rng, bias * unit(rng))
        yield Case(name, measure(vehicle(rng, step, speed, turn), phone, 100), bounds(minutes, parked > 0),
                   f"a town for {minutes} min, true bias {bias} °/s, parked {parked} s before")
    for parked in (8, 0):
        n = int(180 / step) + 1
        t = np.arange(n) * step
        speed = 27 * smoothstep((t - parked) / 25) if parked else np.full(n, 27.0)
        turn = np.radians(3.2) * rng.choice([-1, 1]) * active(t, 60, 90, 2)
        r = measure(vehicle(rng, step, speed, turn), Phone(rng, rng.normal(0, 0.05, 3)), 100)
        yield Case(f"highway-{'from-rest' if parked else 'at-speed'}", r, bounds(3, parked > 0),
                   "27 m/s, a curve of 30 s at 60 s", 90)
    speed, turn = city(rng, step, 240, 10)
    r = measure(vehicle(rng, step, speed, turn), Phone(rng, hard_iron=iron(rng, 40)), 100)
    yield Case("city-magnetic", r, [*bounds(4)[1:], ("overconfident", 10, END, 0.15)],
               "a town with a magnetometer in a car's iron (40 µT), never tilted: a heading is known or is not claimed", frame="magnetic")


@family("train-escalator-lift")
def train(rng, _):
    step = 1 / 400
    for name, peak, seconds, vertical in (("train", 1.1, 22, 0.0), ("escalator", 0.8, 0.8, 0.55), ("lift", 1.2, 1.8, 1.0)):
        hand = handheld(rng, 120, step, lambda t: 0.25 * smoothstep((t - 5) / 2), reach=0.05, base=tilted(rng, 60))
        t = hand.t
        profile = peak * (active(t, 20, 20 + seconds, min(seconds / 2.5, 2)) - active(t, 80, 80 + seconds, min(seconds / 2.5, 2)))
        horizontal = rng.uniform(0, 2 * np.pi)
        way = np.array([np.cos(horizontal) * (1 - vertical), np.sin(horizontal) * (1 - vertical), vertical])
        motion = Motion(step, hand.q, hand.acceleration + profile[:, None] * way, hand.position)
        # The whole acceleration read as tilt is 6.4°; nothing may go beyond that.
        checks = [("tilt_max", 10, END, 8 if name == "train" else 3.5), ("recover", 80 + seconds, END, 10, 2.5), ("yaw_drift", 10, END, 10)]
        yield Case(name, measure(motion, Phone(rng), 100), checks, f"{peak} m/s² for {seconds} s at 20 s, and back at 80 s", 80 + seconds)


# MARK: Hands


@family("throws")
def throws(rng, _):
    for tumble in (100, 500, 1500):
        motion = thrown(rng, 1 / 800, 60, [20], tumble, impact=150, flight=0.8)
        yield Case(f"drop-{tumble}", measure(motion, Phone(rng), 200), settled(20.9),
                   f"falls for 0.8 s, tumbling at {tumble} °/s, hits the floor", 20.9)
    motion = thrown(rng, 1 / 800, 110, np.arange(15, 85, 4), 600)
    yield Case("juggling", measure(motion, Phone(rng), 200), settled(87, 2) + [("tilt_rms", 15, 86, 6)], "18 throws, one each 4 s", 87)
    r = measure(thrown(rng, 1 / 800, 50, [10, 14], 400), Phone(rng), 200)
    r = r.cut(r.t >= 14.2)
    r.t = r.t - r.t[0]
    yield Case("start-in-flight", r, settled(1), "begins in the middle of a throw", 1)


@family("vibration")
def vibration(rng, _):
    for name, strength, low, high, rate in (("motor", 6.0, 150, 190, 100), ("handlebar", 8.0, 20, 60, 100), ("drill", 25.0, 40, 120, 200)):
        motion = handheld(rng, 60, 1 / 1600, lambda t: active(t, 30, 55), vigour=0.5)
        on = active(motion.t, 8, 50, 0.5)[:, None]
        shake = sines(rng, motion.t, low, high, strength, 3) * on
        wobble = sines(rng, motion.t, low, high, np.radians(0.05), 1)[:, 0] * on[:, 0]
        motion = Motion(motion.step, quat.multiply(motion.q, quat.about(rng.normal(size=3), wobble)), motion.acceleration + shake, motion.position)
        yield Case(f"shaken-by-{name}", measure(motion, Phone(rng, accelerometer_range=16), rate),
                   [("tilt_rms", 5, END, 2), ("tilt_max", 5, END, 5), ("yaw_drift", 5, END, 6)],
                   f"{strength} m/s² at {low}–{high} Hz from 8 to 50 s, at rest and in a hand")


@family("pocket")
def pocket(rng, _):
    for k in range(3):
        step = 1 / 800
        hand = handheld(rng, 75, step, lambda t: active(t, 3, 22), vigour=0.6, base=tilted(rng, 50))
        walk = walking(rng, 75, step, hold=np.array([1.0, 0, 0, 0]))
        t, passed = hand.t, smoothstep((hand.t - 22) / 0.8)  # handed over and into the pocket within 0.8 s
        turn = quat.about(rng.normal(size=3), rng.uniform(1.5, 3.0) * passed)
        leg = euler(0 * t, np.radians(22) * np.sin(2 * np.pi * 0.95 * t) * smoothstep((t - 25) / 2), 0 * t)
        q = quat.multiply(quat.multiply(quat.about(UP, rng.uniform(0, 6) * passed), leg), quat.multiply(hand.q, turn))
        blow = np.where(np.abs(t - 22.8) < 0.02, np.sin(np.pi * (t - 22.8) / 0.02), 0)[:, None] * rng.normal(0, 70, 3)
        move = smooth((t > 22)[:, None] * walk.acceleration, 0.5 / step)
        # 0.0806: the mean of the pulses, so that no velocity gathers.
        step_shock = (np.maximum(0, np.sin(2 * np.pi * 1.9 * t)) ** 24 - 0.0806)[:, None] * smoothstep((t - 25) / 2)[:, None] * [0, 0, 6.0]
        motion = Motion(step, q, hand.acceleration + blow + move + step_shock, hand.position)
        yield Case(f"pocket-{k}", measure(motion, Phone(rng), 100), settled(25, 2.5, 5, 4), "from a hand into a pocket with a blow, then walking", 25)


# MARK: Rates and clocks


@family("rates")
def rates(rng, _):
    for rate in (25, 50, 400, 1000):
        for average in (False, True):
            motion = handheld(rng, 45 if rate == 1000 else 90, 1 / (2000 if rate == 1000 else 1600), lambda t: smoothstep((t - 4) / 2))
            r = measure(motion, Phone(rng), rate, average=average)
            lag = np.degrees(np.sqrt((r.rate ** 2).sum(1).mean())) / rate / 2 * average
            coarse = 1.5 if rate <= 50 else 0.5
            checks = [("tilt_rms", 8, END, 1.0 + coarse + lag)]
            if rate != 1000:
                checks += with_north(40, 3 + coarse + lag)
            yield Case(f"rate-{rate}{'-averaged' if average else ''}", r, checks,
                       f"{rate} Hz, {'mean over the interval' if average else 'picked'}", 8, "magnetic")


@family("clock")
def clock(rng, _):
    for delay, jitter, late in ((0.0, 0.0, 0.0), (0.005, 0.0, 0.0), (0.010, 0.0, 0.0), (0.0, 0.0015, 0.0), (0.005, 0.0015, 0.05)):
        motion = handheld(rng, 90, 1 / 800, lambda t: smoothstep((t - 4) / 2))
        r = measure(motion, Phone(rng), 100, delay=delay)
        true = r.t.copy()
        r.t = true + rng.normal(0, jitter, len(true)) if jitter else true
        if late:  # a busy bus: every other second or so some samples get the time at which they were fetched
            for at in np.flatnonzero(rng.random(len(true)) < 0.005):
                r.t[at:at + 5] = np.maximum(r.t[at:at + 5], r.t[min(at + 5, len(true) - 1)] + np.arange(len(r.t[at:at + 5])) * 1e-4)
        r.t = np.maximum.accumulate(r.t + np.arange(len(r.t)) * 1e-7)
        r.q = quat.interpolate(r.t, motion.t, motion.q)
        speed = np.degrees(np.sqrt((r.rate ** 2).sum(1).mean()))
        bound = 1.2 + speed * (delay + 1.5 * jitter + late / 20)
        yield Case(f"clock-delay{1000 * delay:g}ms-jitter{1000 * jitter:g}ms-late{1000 * late:g}ms", r, [("tilt_rms", 8, END, bound)],
                   f"stamps {1000 * delay:g} ms late, jitter {1000 * jitter:g} ms, bursts up to {1000 * late:g} ms", 8)


# MARK: The magnetometer


@family("hard-iron")
def hard_iron(rng, _):
    for strength in (0, 10, 30, 60):
        motion = handheld(rng, 120, 1 / 800, lambda t: smoothstep((t - 4) / 2))
        r = measure(motion, Phone(rng, hard_iron=iron(rng, strength), soft_iron=0.05 * (strength > 0)), 100)
        yield Case(f"hard-iron-{strength}", r, with_north(35, 4) + [("tilt_rms", 8, END, 1.5)],
                   f"hard iron {strength} µT, soft iron {5 * (strength > 0)} %, moved as a hand does", 8, "magnetic")


@family("magnet")
def magnet(rng, _):
    for kind, strength in (("body", 40), ("body", 120), ("world", 60)):
        motion = handheld(rng, 130, 1 / 800, lambda t: smoothstep((t - 3) / 2))
        vector = iron(rng, strength)
        near = lambda t: active(t, 50, 70, 1.5)[:, None]
        added = {"body": dict(body_field=lambda t, p: near(t) * vector),
                 "world": dict(world_field=lambda t, p: EARTH_FIELD + near(t) * vector)}[kind]
        r = measure(motion, Phone(rng, hard_iron=iron(rng, 20)), 100, **added)
        yield Case(f"magnet-{kind}-{strength}", r, [("heading_max", 40, 70, 15), ("recover_heading", 70, END, 10, 10), ("overconfident", 40, END, 0.15)]
                   + with_north(85, 4), f"{strength} µT more in the {kind}'s axes from 50 to 70 s", 70, "magnetic")


@family("magnetometer-faults")
def magnetometer_faults(rng, _):
    def base():
        motion = handheld(rng, 130, 1 / 800, lambda t: smoothstep((t - 3) / 2))
        return measure(motion, Phone(rng, hard_iron=iron(rng, 20)), 100)
    r = base()
    at = np.searchsorted(r.t, 50)
    frozen = (r.t >= 50) & (r.t < 90)
    r.field[frozen] = r.field[at]
    yield Case("frozen-40s", r, [("heading_rms", 50, 90, 10), ("overconfident", 40, END, 0.15), ("recover_heading", 90, END, 10, 10)],
               "repeats its last reading from 50 to 90 s", 90, "magnetic")
    r = base()
    r.field = r.field[np.arange(len(r.t)) // 10 * 10]
    yield Case("held-10Hz", r, with_north(35, 4), "a 10 Hz magnetometer whose readings are repeated at 100 Hz", 35, "magnetic")
    r = base()
    r.field[r.t >= 55] += iron(rng, 35)
    yield Case("iron-steps", r, with_north(95, 6) + [("overconfident", 40, 95, 0.25)], "35 µT of hard iron from 55 s on for ever (a case snapped on)", 55, "magnetic")
    r = base()
    dead = (r.t >= 50) & (r.t < 80)
    r.field[dead] = 0
    yield Case("zero-30s", r, [("heading_rms", 50, 80, 10), ("overconfident", 40, END, 0.15), ("recover_heading", 80, END, 10, 10)],
               "reads zero from 50 to 80 s", 80, "magnetic")


@family("indoor")
def indoor(rng, _):
    for amplitude, hard, noise in ((4, 15, 0.5), (8, 15, 0.5), (15, 15, 0.5), (12, 80, 1.5)):
        motion = walking(rng, 180, 1 / 400)
        start = handheld(rng, 180, 1 / 400, lambda t: active(t, 0, 25), vigour=1.0)
        motion.q = quat.multiply(motion.q, start.q)
        waves = rng.normal(size=(5, 2)) * 2 * np.pi / rng.uniform(2, 7, (5, 1)) / np.sqrt(2)
        phases, vectors = rng.uniform(0, 6.28, 5), rng.normal(size=(5, 3)) * amplitude / np.sqrt(2.5)
        room = lambda t, p: EARTH_FIELD + sum(np.sin(p[:, :2] @ waves[k] + phases[k])[:, None] * vectors[k] for k in range(5))
        r = measure(motion, Phone(rng, hard_iron=iron(rng, hard), field_noise=noise), 100, world_field=room)
        # Iron is found to some µT in such a field, and a direction that is off for metres on end cannot be told from a heading.
        unseen = np.hypot(0.35 * amplitude, 2.5 + 0.15 * amplitude)
        bound = 3 + np.degrees(unseen / np.linalg.norm(EARTH_FIELD[:2]))
        yield Case(f"room-{amplitude}uT", r, [("heading_rms", 45, END, bound), ("heading_max", 45, END, 2.5 * bound), ("overconfident", 45, END, 0.15)],
                   f"walks in a room whose field varies by {amplitude} µT (1σ per axis) over metres", 45, "magnetic")
    for k, height in enumerate((0.35, 0.5)):
        # Calibrated by a hand over a desk with a loudspeaker in it, then carried away into a clean room.
        hand = handheld(rng, 120, 1 / 400, lambda t: active(t, 2, 38), reach=0.1, base=tilted(rng, 30))
        walk = walking(rng, 120, 1 / 400, hold=np.array([1.0, 0, 0, 0]))
        away = smoothstep((hand.t - 40) / 3)[:, None]
        position = hand.position * (1 - away) + away * (walk.position - walk.position[np.searchsorted(walk.t, 40)])
        motion = from_position(hand.step, quat.multiply(walk.q, hand.q), position)
        at, moment = np.array([0.0, 0.0, -height]), 60 * height ** 3 * unit(rng)  # 60–120 µT in the middle
        r = measure(motion, Phone(rng, hard_iron=iron(rng, 15), soft_iron=0.05), 100,
                    world_field=lambda t, p: EARTH_FIELD + dipole(p - at, moment))
        yield Case(f"desk-{k}", r, [("overconfident", 10, 43, 0.3), ("overconfident", 43, END, 0.15)] + with_north(80, 12, 0.5),
                   f"over a loudspeaker {height} m below until 40 s, then walks away", 43, "magnetic")


def dipole(p, moment):
    distance = np.linalg.norm(p, axis=1, keepdims=True)
    along = p / distance
    return (3 * along * (along @ moment)[:, None] - moment) / distance ** 3
