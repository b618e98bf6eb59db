# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The second suite: failure kinds that the first one lacks. README.md says why."""
from common import *

FAMILIES, family, make = suite(2)


def nine(tilt, heading, start=40, known=0.7, tilt_start=10, maximum=None):
    return [("tilt_rms", tilt_start, END, tilt), ("known", start, END, known), ("heading_rms", start, END, heading)] + (
        [("heading_max", start, END, maximum)] if maximum else [])


# MARK: chips

@family("poor-chip")
def poor_chip(rng):
    # 3 % of scale in a hand of ±60° at 100 °/s; the accelerometer's 0.05 g is 2.9° per axis, seen from all sides.
    for k, (bias, rest) in enumerate(((2.0, 6), (8.0, 6), (15.0, 6), (3.0, 0))):
        motion = handheld(rng, 180, 1 / 400, (lambda t: active(t, rest, 172)) if rest else None)
        r = noisier(rng, g_sensitive(rng, measure(motion, poor(rng, bias * unit(rng), hard_iron=20 * unit(rng), soft_iron=0.05), 100)), 0.1, 0.05)
        yield from both(f"poor-bias{bias:g}-rest{rest}", r, f"scale 3 %, misalignment 2°, 0.05 g, bias {bias:g} °/s, {rest} s of rest first",
                        six(3.5, 90, 20), nine(3.5, 6, 60), start=20.0)


@family("warming")
def warming(rng):
    # Never at rest: the horizontal bias shows in the inclination, the vertical one in the heading only.
    for change in (1.0, 3.0):
        motion = handheld(rng, 1200, 1 / 200, lambda t: 0.6 + 0 * t)
        ramp = change * unit(rng)
        r = measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 50, bias_drift=lambda t: ramp * (1 - np.exp(-t / 400))[:, None])
        yield from both(f"warming-{change:g}", r, f"bias moves by {change:g} °/s in 20 min, a hand that never rests", six(1.5, 360, 20), nine(1.5, 4, 60), start=30.0)


# MARK: stamps

@family("stamps")
def stamps(rng):
    def hand(rate, duration=120):
        motion = handheld(rng, duration, 1 / 2000 if rate == 333 else 1 / 800, lambda t: active(t, 4, 112))
        return motion, measure(motion, Phone(rng, hard_iron=15 * unit(rng)), rate if rate != 333 else 400)

    def restamp(r, motion, t):
        r = r.cut(slice(None))
        r.t = t
        return r

    motion, r = hand(400, 60)
    true = r.t.copy()
    yield Case("ms-400Hz", restamp(r, motion, np.round(r.t, 3)), six(1.2, 12), "400 Hz, stamps in whole ms: intervals of 2 and 3 ms")
    motion, r = hand(200)
    yield Case("10ms-200Hz", restamp(r, motion, np.floor(r.t * 100) / 100), six(1.5, 20), "200 Hz, stamps in whole 10 ms: every stamp twice")
    yield Case("10ms-200Hz-9d", restamp(r, motion, np.floor(r.t * 100) / 100), nine(1.5, 4), "the same with the magnetometer", "magnetic")
    motion, r = hand(100)
    t = r.t[np.minimum(np.arange(len(r.t)) // 10 * 10 + 9, len(r.t) - 1)]
    yield Case("batch-same", restamp(r, motion, t), six(3.0, 40), "100 Hz, ten rows at a time, all stamped when they arrived", honest=False)
    yield Case("batch-1ms", restamp(r, motion, t + (np.arange(len(t)) % 10) * 1e-3), six(3.0, 40), "100 Hz, ten rows at a time, stamped 1 ms apart as they were read", honest=False)
    motion, r = hand(100)
    speed = np.degrees(np.sqrt((r.rate ** 2).sum(1).mean()))
    yield Case("jitter-3ms", restamp(r, motion, np.maximum.accumulate(r.t + rng.normal(0, 0.003, len(r.t)))), six(1.2 + speed * 0.003, 25), "100 Hz, jitter of 3 ms, equal stamps where they would cross")
    motion, r = hand(100)
    t = np.where(r.t > 50, r.t + 3600, r.t)
    yield Case("clock-step-1h", restamp(r, motion, t), [("tilt_rms", 10, 50, 1.5), ("tilt_rms", 3660, END, 1.5)], "the clock is put forward by an hour in the middle", honest=False)
    motion, r = hand(100)
    t = np.where(r.t > 50, r.t - 0.5, r.t)
    yield Case("clock-back-500ms", restamp(r, motion, t), [("tilt_rms", 10, 49, 1.5), ("tilt_rms", 60, END, 1.5), ("rows", 60, END, 0.9)], "the clock is put back by half a second in the middle", honest=False)


@family("dropped")
def dropped(rng):
    for share, burst in ((0.1, 1), (0.2, 1), (0.2, 8), (0.4, 4)):
        motion = handheld(rng, 150, 1 / 800, lambda t: active(t, 4, 142), vigour=1.3)
        r = measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 100)
        gone = np.repeat(rng.random(len(r.t) // burst + 1) < share, burst)[:len(r.t)]
        gone[:200] = False
        speed = np.degrees(np.sqrt((r.rate ** 2).sum(1).mean()))
        floor = 1.0 + speed * 0.01 * burst * share / 2
        yield from both(f"dropped-{100 * share:g}-x{burst}", r.cut(~gone), f"{100 * share:g} % of the rows are lost, {burst} at a time",
                        six(floor, 30 + 10 * burst), nine(floor, 3 + floor))


# MARK: magnetometers

@family("slow-compass")
def slow_compass(rng):
    for rate, late in ((10, 0.0), (10, 0.05), (5, 0.05), (20, 0.1)):
        motion = handheld(rng, 150, 1 / 800, lambda t: active(t, 4, 142))
        r = measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 100)
        n = round(100 / rate)
        source = np.clip(np.arange(len(r.t)) - round(late * 100), 0, None)
        m = np.where((np.arange(len(r.t)) % n == 0)[:, None], r.field[source], np.nan)
        r.field = m
        yield Case(f"compass-{rate}Hz-{1000 * late:g}ms", r, nine(1.5, 4), f"a magnetometer of {rate} Hz, {1000 * late:g} ms late; blank cells between", "magnetic", slow_field=True)


@family("strong-iron")
def strong_iron(rng):
    for hard, soft in ((100, 0.2), (150, 0.1), (60, 0.3), (300, 0.1)):
        motion = handheld(rng, 150, 1 / 400, lambda t: active(t, 4, 142))
        r = measure(motion, Phone(rng, hard_iron=hard * unit(rng), soft_iron=soft), 100)
        yield Case(f"iron-{hard}-soft-{100 * soft:g}", r, nine(1.5, 4, 45), f"hard iron {hard} µT, soft iron {100 * soft:g} %, turned to all sides", "magnetic")


@family("magnet-stays")
def magnet_stays(rng):
    for strength in (25, 60):
        motion = handheld(rng, 300, 1 / 400, lambda t: smoothstep((t - 3) / 2))
        vector = strength * np.append((lambda a: [np.cos(a), np.sin(a)])(rng.uniform(0, 6.28)), 0.4)
        r = measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 100, world_field=lambda t, p: EARTH_FIELD + active(t, 100, 1e9, 2)[:, None] * vector)
        yield Case(f"left-there-{strength}", r, [("tilt_rms", 10, END, 1.5), ("heading_rms", 40, 100, 4), ("heading_rms", 100, 130, 8)],
                   f"{strength} µT in the world from 100 s on, for ever (a loudspeaker is put down beside it)", "magnetic", start=40.0)


@family("bridges")
def bridges(rng):
    for strength in (20, 45):
        motion = walking(rng, 600, 1 / 200)
        start = handheld(rng, 600, 1 / 200, lambda t: active(t, 0, 30))
        motion.q = quat.multiply(motion.q, start.q)
        spans = [(at, at + rng.uniform(8, 40), strength * unit(rng)) for at in np.arange(60, 570, 70) + rng.uniform(0, 20, 8)]
        r = measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 50, world_field=lambda t, p: EARTH_FIELD + sum(active(t, a, b, 2)[:, None] * v for a, b, v in spans))
        yield Case(f"bridges-{strength}", r, nine(1.5, 8, 45, 0.5, maximum=45), f"walks past steel that adds {strength} µT for 8–40 s, eight times", "magnetic", start=45.0)


# MARK: vehicles

@family("boat")
def boat(rng):
    step, duration = 1 / 100, 1200
    t = times(duration, step)
    f, a = rng.uniform(0.1, 0.3, 8), np.ones(8)
    a = 0.45 * rng.uniform(0.5, 1.5, 8) * (0.15 / f) ** 2
    phase, way = rng.uniform(0, 6.28, 8), rng.normal(0, 0.5, 8) + rng.uniform(0, 6.28)
    w = 2 * np.pi * f
    along = lambda g: sum(a[k] * g(w[k] * t + phase[k])[:, None] * [np.cos(way[k]), np.sin(way[k]), 0] for k in range(8))
    ramp = smoothstep((t - 20) / 20)[:, None]
    orbit = ramp * (along(np.cos) + np.stack([0 * t, 0 * t, sum(a[k] * np.sin(w[k] * t + phase[k]) for k in range(8))], -1))
    slope = ramp * sum(a[k] * w[k] ** 2 / GRAVITY * np.cos(w[k] * t + phase[k])[:, None] * [-np.cos(way[k]), -np.sin(way[k]), 0] for k in range(8))
    yaw = smooth(np.cumsum(np.radians(2.5) * sines(rng, t, 0.004, 0.02, 1, 1)[:, 0] * ramp[:, 0])[:, None] * step, 300)[:, 0] + sines(rng, t, 0.05, 0.2, np.radians(4), 1)[:, 0] * ramp[:, 0]
    for name, gain, lever, roll in (("raft", 1.0, (0, 0, 0.5), 0.0), ("yacht", 0.5, (0, 2, 6), 12.0)):
        own = np.radians(roll) * ramp[:, 0] * sines(rng, t, 0.09, 0.16, 1, 1)[:, 0]
        tilt = quat.multiply(quat.about(WEST_EAST, gain * -slope[:, 1]), quat.about(SOUTH_NORTH, gain * slope[:, 0]))
        q = quat.multiply(tilt, quat.multiply(quat.about(UP, yaw), quat.about(SOUTH_NORTH, own)))
        motion = with_lever(step, quat.multiply(q, tilted(rng, 20)[None]), lever, orbit)
        r = measure(motion, Phone(rng, hard_iron=5 * unit(rng)), 50)
        # All of the wave's acceleration read as tilt would be a w²/g; a filter slower than the wave must see through it.
        yield from both(name, r, f"{name}: waves of 0.1–0.3 Hz for 20 min, significant height about {4 * orbit[:, 2].std():.1f} m, RMS tilt {np.degrees(np.sqrt((gain * slope ** 2).sum(1).mean())):.0f}° + {roll:g}°",
                        six(2.0, 60, 60), [("tilt_rms", 60, END, 2.0), ("heading_rms", 120, END, 10)], start=60.0)


@family("drone")
def drone(rng):
    for vibration, rate in ((10, 100), (20, 200), (20, 400)):
        step, duration = 1 / 2000, 150
        t = times(duration, step)
        fly = active(t, 8, 140, 3)
        v = sines(rng, t, 0.03, 0.3, 4.0) * fly[:, None] * [1, 1, 0.3]
        acc = np.gradient(v, step, axis=0)
        yaw = np.cumsum(np.radians(25) * sines(rng, t, 0.02, 0.2, 1, 1)[:, 0] * fly) * step
        q = thrust_aligned(acc, v, yaw)
        shake = sines(rng, t, 70, 190, vibration, 3) * fly[:, None]
        wobble = sines(rng, t, 70, 190, np.radians(0.08), 3) * fly[:, None]
        q = quat.multiply(q, euler(wobble[:, 0], wobble[:, 1], wobble[:, 2]))
        motion = Motion(step, q, acc + shake, np.cumsum(v, 0) * step)
        iron = 8 * unit(rng)
        r = measure(motion, Phone(rng, accelerometer_range=16, hard_iron=10 * unit(rng)), rate, body_field=lambda tt, p: active(tt, 8, 140, 1)[:, None] * iron)
        yield from both(f"drone-{vibration}-{rate}Hz", r, f"multicopter of 4 m/s RMS, {vibration} m/s² of vibration at 70–190 Hz, read at {rate} Hz; motors add 8 µT",
                        six(3.0, 30, 12), [("tilt_rms", 12, END, 3.0), ("heading_rms", 60, END, 15)], start=12.0)


@family("aeroplane")
def aeroplane(rng):
    for k, parked in enumerate((30, 2)):
        step, duration = 1 / 100, 900
        t = times(duration, step)
        go = parked + 20
        speed = 75 * smoothstep((t - go) / 45) + 60 * smoothstep((t - go - 80) / 200)
        climb = np.radians(10) * active(t, go + 38, go + 300, 8) + np.radians(2) * active(t, go + 300, 1e9, 8)
        turn = np.zeros(len(t))
        for at, seconds, bank in zip((go + 90, go + 230, go + 400, go + 560), (40, 60, 90, 120), (20, -25, 25, -30)):
            turn += np.tan(np.radians(bank)) * GRAVITY / 135 * active(t, at, at + seconds, 5) * 135 / np.maximum(speed, 60)
        yaw = np.cumsum(turn) * step
        path = climb - np.radians(4) * active(t, go + 38, 1e9, 8)
        velocity = speed[:, None] * np.stack([-np.sin(yaw) * np.cos(path), np.cos(yaw) * np.cos(path), np.sin(path)], -1)
        bump = sines(rng, t, 0.3, 5, 0.5, 3) * smoothstep((t - go) / 30)[:, None]
        sway = sines(rng, t, 0.1, 0.8, np.radians(0.8), 3) * smoothstep((t - go) / 30)[:, None]
        q = quat.multiply(leaning(yaw, climb, speed, turn), euler(sway[:, 0], sway[:, 1], sway[:, 2]))
        motion = from_velocity(step, quat.multiply(q, tilted(rng, 15)[None]), velocity)
        motion.acceleration += bump
        r = measure(motion, Phone(rng), 50)
        # Coordinated turns show no lateral force for two minutes: a gyroscope known to 0.02 °/s drifts by 2.4°.
        yield Case(f"take-off-parked{parked}", r, six(7.0, 45, 5, 25), f"{parked} s parked, take-off at 2.5 m/s², climb, four coordinated turns of 20–30° bank", start=5.0)


@family("bicycle")
def bicycle(rng):
    for k in range(2):
        step = 1 / 400
        speed, turn = city(rng, step, 480, 8)
        speed, turn = 0.5 * smooth(speed[:, None], 1.2 / step)[:, 0], smooth(turn[:, None], 1.2 / step)[:, 0] * 0.8
        t = np.arange(len(speed)) * step
        rough = np.clip(speed / 4, 0.02, 1)
        yaw = np.cumsum(turn) * step
        steer = sines(rng, t, 0.4, 1.2, np.radians(6), 1)[:, 0] * rough + np.radians(8) * turn
        wobble = sines(rng, t, 0.4, 1.2, np.radians(2.5), 2) * rough[:, None]
        q = quat.multiply(leaning(yaw, 0.02 * np.gradient(speed, step) + wobble[:, 0] * 0.4, speed, turn), euler(steer, 0 * t, wobble[:, 1]))
        velocity = speed[:, None] * np.stack([-np.sin(yaw), np.cos(yaw), 0 * yaw], -1)
        motion = from_velocity(step, quat.multiply(q, tilted(rng, 40)[None]), velocity)
        motion.acceleration += sines(rng, t, 10, 60, 7, 3) * rough[:, None]
        r = measure(motion, Phone(rng, hard_iron=25 * unit(rng), accelerometer_range=16), 100)
        yield from both(f"handlebar-{k}", r, "a phone on a handlebar, 8 min in town, leaning into curves, 7 m/s² of road at 10–60 Hz",
                        six(4.0, 30, 8, 15), [("tilt_rms", 8, END, 4.0), ("heading_rms", 60, END, 25)], start=8.0)


@family("lift-and-train")
def lift_and_train(rng):
    step = 1 / 400
    def ride(name, profile, way, about, checks, honest=True):
        hand = handheld(rng, 150, step, lambda t: 0.25 * smoothstep((t - 5) / 2), reach=0.03, base=tilted(rng, 60))
        motion = Motion(step, hand.q, hand.acceleration + profile(hand.t)[:, None] * np.asarray(way, float), hand.position)
        return Case(name, measure(motion, Phone(rng), 100), checks, about, start=5.0, honest=honest)
    # The acceleration is there from the first sample on: 1.1 m/s² is 6.4° of false tilt until it ends; then the truth shows.
    yield ride("starts-in-metro", lambda t: 1.1 * (1 - smoothstep((t - 18) / 3)) - 1.0 * active(t, 60, 80, 3), [0.6, 0.8, 0],
               "begins while a metro accelerates with 1.1 m/s² for 20 s", [("tilt_max", 1, END, 8), ("recover", 21, END, 15, 3), ("tilt_rms", 100, END, 2.0)], honest=False)
    yield ride("starts-in-lift", lambda t: 1.5 * (1 - smoothstep((t - 2) / 1)) - 1.5 * active(t, 30, 33, 1), [0, 0, 1.0],
               "begins while a lift accelerates; 27 s of ride", [("tilt_max", 1, END, 3.5), ("recover", 3, END, 5, 2.5)])
    yield ride("metro-stop-and-go", lambda t: 1.2 * sum(active(t, 8 + 40 * k, 22 + 40 * k, 2) - active(t, 28 + 40 * k, 42 + 40 * k, 2) for k in range(3)),
               [0.3, -0.95, 0], "a metro: 14 s of 1.2 m/s², 14 s of braking, again and again", [("tilt_max", 5, END, 8), ("tilt_rms", 5, END, 4)])


# MARK: bodies

@family("trouser-pocket")
def trouser_pocket(rng):
    step = 1 / 200
    walk = walking(rng, 1800, step, hold=np.array([1.0, 0, 0, 0]))
    t = walk.t
    on = smoothstep((t - 8) / 2) * (1 - active(t, 600, 640) - active(t, 1300, 1420))
    yaw = 2 * np.arctan2(walk.q[:, 3], walk.q[:, 0])
    yaw = smooth(np.unwrap(yaw)[:, None], 0.4 / step)[:, 0]
    phase = 2 * np.pi * np.cumsum(0.93 + 0.02 * sines(rng, t, 0.02, 0.1, 1, 1)[:, 0]) * step
    thigh = np.radians(22) * (np.sin(phase) + 0.25 * np.sin(2 * phase + 0.7)) * on
    roll = np.radians(4) * np.sin(phase + 1) * on
    q = quat.multiply(quat.about(UP, yaw), euler(np.radians(6) * np.sin(phase + 2) * on, thigh, roll))
    base = quat.multiply(q, euler(np.zeros(1), np.radians([80.0]), np.radians([15.0]))[0][None])
    motion = with_lever(step, q, (0.08, 0.05, -0.35), np.cumsum(1.2 * on[:, None] * np.stack([-np.sin(yaw), np.cos(yaw), 0 * yaw], -1), 0) * step)
    strike = (np.maximum(0, np.sin(phase)) ** 20 - 0.0882)[:, None] * on[:, None] * [0.4, 2.0, 9.0]
    motion = Motion(step, base, motion.acceleration + strike, motion.position)
    r = measure(motion, Phone(rng, hard_iron=20 * unit(rng)), 50)
    yield from both("trouser-30min", r, "30 min of walking in a trouser pocket, two stops", six(2.5, 90, 15), [("tilt_rms", 15, END, 2.5), ("heading_rms", 120, END, 20)], start=15.0)


@family("foot")
def foot(rng):
    for stride, period in ((1.3, 1.15), (2.4, 0.78)):
        step, duration = 1 / 800, 240
        t = times(duration, step)
        on = smoothstep((t - 6) / 1.5)
        cycle = np.cumsum(on / period) * step
        ph = cycle % 1.0
        swing = np.clip((ph - 0.4) / 0.6, 0, 1)
        forward = (np.floor(cycle) + smoothstep(swing)) * stride
        heading = smooth(np.cumsum(np.radians(12) * sines(rng, t, 0.02, 0.08, 1, 1)[:, 0] * on)[:, None] * step, 0.5 / step)[:, 0]
        pitch = np.radians(-65) * np.sin(np.pi * np.clip((ph - 0.3) / 0.4, 0, 1)) ** 2 + np.radians(25) * np.sin(np.pi * np.clip((ph - 0.75) / 0.25, 0, 1)) ** 2
        roll = np.radians(8) * np.sin(np.pi * swing) ** 2
        height = 0.1 * np.sin(np.pi * swing) ** 2
        v = np.gradient(forward, step)
        position = np.cumsum(np.stack([-np.sin(heading) * v, np.cos(heading) * v, 0 * v], -1), 0) * step + np.stack([0 * t, 0 * t, height], -1)
        q = quat.multiply(quat.about(UP, heading), euler(0 * t, pitch * on, roll * on))
        motion = from_position(step, quat.multiply(q, tilted(rng, 30)[None]), smooth(position, 0.015 / step))
        blow = np.exp(-((ph - 0.02) / 0.012) ** 2) * on
        motion.acceleration += np.gradient(blow, step)[:, None] * [0.02, 0.05, 0.3]
        r = measure(motion, Phone(rng, accelerometer_range=16, hard_iron=15 * unit(rng)), 200)
        yield from both(f"foot-{stride:g}m", r, f"on a shoe: strides of {stride:g} m in {period:g} s, {np.degrees(np.abs(r.rate).max()):.0f} °/s",
                        six(2.5, 40, 8), [("tilt_rms", 8, END, 2.5), ("heading_rms", 60, END, 15)], start=8.0)


@family("head")
def head(rng):
    step, duration = 1 / 100, 3600
    t = times(duration, step)
    look = sines(rng, t, 0.02, 0.25, np.radians(28), 1)[:, 0] + sines(rng, t, 0.3, 1.2, np.radians(5), 1)[:, 0]
    busy = 0.35 + 0.65 * smoothstep(2 * sines(rng, t, 0.005, 0.03, 0.6, 1)[:, 0] + 0.5)
    turn = np.stack([look, sines(rng, t, 0.04, 0.6, np.radians(11), 1)[:, 0], sines(rng, t, 0.04, 0.6, np.radians(5), 1)[:, 0]], -1) * (busy * smoothstep((t - 5) / 3))[:, None]
    q = euler(turn[:, 0], turn[:, 1], turn[:, 2])
    position = sines(rng, t, 0.05, 0.4, 0.06) * smoothstep((t - 5) / 3)[:, None]
    motion = with_lever(step, q, (0, 0.12, 0.1), position)
    for name, phone in (("phone-chip", Phone(rng)), ("poor-chip", poor(rng, 1.0 * unit(rng)))):
        r = measure(motion, phone, 50)
        yield Case(f"head-1h-{name}", r, six(2.0 if name == "phone-chip" else 4.0, 60 if name == "phone-chip" else 360, 15), f"a head with glasses for an hour, six axes, {name}", start=15.0)


# MARK: machines

@family("turntable")
def turntable(rng):
    for rate, radius, rest in ((30, 0.0, 5), (90, 0.3, 5), (200, 0.15, 5), (-120, 0.1, 0)):
        step, duration = 1 / 400, 200
        t = times(duration, step)
        w = np.radians(rate) * (active(t, rest, 185, 1.5) if rest else active(t, -10, 185, 1.5))
        q = quat.multiply(quat.about(UP, np.cumsum(w) * step), tilted(rng, 40)[None])
        yaw = quat.about(UP, np.cumsum(w) * step)
        motion = Motion(step, q, from_position(step, yaw, quat.rotate(yaw, np.broadcast_to([radius, 0, 0.0], (len(t), 3)))).acceleration, 0 * q[:, 1:])
        r = measure(motion, Phone(rng, hard_iron=2 * unit(rng)), 100)
        lost = abs(rate) * 180 * 0.012  # three sigmas of the scale
        yield from both(f"turntable-{rate}-rest{rest}", r, f"turns at {rate} °/s for 3 min, {radius} m off its centre, {rest} s of rest first",
                        [("tilt_rms", 8, END, 2.0), ("yaw_drift", 8, END, lost)], [("tilt_rms", 8, END, 2.0), ("heading_rms", 60, END, 10)], start=8.0)


@family("wheel")
def wheel(rng):
    for rate in (360, 900):
        step, duration = 1 / 1600, 120
        t = times(duration, step)
        w = np.radians(rate) * active(t, 6, 110, 6) * (1 + 0.15 * sines(rng, t, 0.03, 0.2, 1, 1)[:, 0])
        yaw = np.cumsum(np.radians(10) * sines(rng, t, 0.02, 0.1, 1, 1)[:, 0] * active(t, 6, 110, 6)) * step
        frame = quat.about(UP, yaw)
        spin = quat.multiply(frame, quat.about(WEST_EAST, -np.cumsum(w) * step))
        v = 0.34 * w
        centre = np.cumsum(np.stack([-np.sin(yaw) * v, np.cos(yaw) * v, 0 * v], -1), 0) * step
        motion = with_lever(step, spin, (0.02, 0.1, 0), centre)
        motion = Motion(step, quat.multiply(spin, tilted(rng, 20)[None]), motion.acceleration + sines(rng, t, 10, 40, 2, 3) * (np.abs(w) > 0.5)[:, None], motion.position)
        r = measure(motion, Phone(rng, accelerometer_range=16, hard_iron=10 * unit(rng)), 200)
        yield from both(f"wheel-{rate}", r, f"in the spokes of a wheel at {rate} °/s for 100 s", [("tilt_rms", 12, END, 4.0), ("yaw_drift", 12, END, 120)],
                        [("tilt_rms", 12, END, 4.0), ("heading_rms", 60, END, 12)], start=12.0)


@family("swing")
def swing(rng):
    for length, amplitude in ((2.5, 40), (1.0, 25), (8.0, 60)):
        step = 1 / 400
        theta = pendulum(step, 240, length, np.radians(amplitude))
        t = np.arange(len(theta)) * step
        azimuth = rng.uniform(0, 6.28)
        q = quat.multiply(quat.about(UP, np.full(len(t), azimuth)), quat.about(WEST_EAST, theta))
        motion = with_lever(step, q, (0, 0, -length))
        sway = sines(rng, t, 0.3, 1.5, np.radians(3), 3) * smoothstep((t - 4) / 3)[:, None]
        motion = Motion(step, quat.multiply(q, quat.multiply(euler(sway[:, 0], sway[:, 1], sway[:, 2]), tilted(rng, 40)[None])), motion.acceleration, motion.position)
        r = measure(motion, Phone(rng, hard_iron=3 * unit(rng)), 100)
        # The rope's pull is the only force: nothing lateral ever shows, the gyroscope alone knows the swing.
        yield from both(f"swing-{length:g}m", r, f"a swing of {length:g} m, up to {amplitude}°, 4 min", six(2.5, 30, 8), [("tilt_rms", 8, END, 2.5), ("heading_rms", 60, END, 12)], start=8.0)


@family("robot-arm")
def robot_arm(rng):
    for hold, reach in (((0.4, 1.0), 1.4), ((1.2, 3.0), 1.4)):
        step = 1 / 800
        t = times(240, step)
        x = smooth(poses(rng, np.maximum(t - 5, 0), (0.35, 0.8), hold, reach), 0.02 / step)
        q = euler(1.3 * x[:, 0], 0.7 * x[:, 1], x[:, 2])
        motion = with_lever(step, quat.multiply(q, tilted(rng, 30)[None]), (0.1, 0.5, 0.1))
        r = measure(motion, Phone(rng, hard_iron=25 * unit(rng), accelerometer_range=16), 200)
        yield from both(f"arm-hold{hold[0]:g}", r, f"a robot's arm: moves of 0.35–0.8 s up to {np.degrees(np.abs(r.rate).max()):.0f} °/s, stands {hold[0]}–{hold[1]} s", six(1.5, 25, 8), nine(1.5, 4, 45))


@family("excavator")
def excavator(rng):
    step, duration = 1 / 400, 600
    t = times(duration, step)
    yaw = smooth(poses(rng, np.maximum(t - 10, 0), (4, 12), (2, 5), 1.5, 1), 0.3 / step)[:, 0]
    boom = smooth(poses(rng, np.maximum(t - 10, 0), (2, 6), (1, 4), 0.6, 1), 0.3 / step)[:, 0]
    q = quat.multiply(quat.about(UP, yaw), quat.about(WEST_EAST, boom))
    motion = with_lever(step, q, (0, 5.0, 0))
    motion.acceleration += sines(rng, t, 15, 45, 2.0, 3) * smoothstep((t - 3) / 1)[:, None]
    r = measure(motion, Phone(rng, hard_iron=5 * unit(rng)), 100)
    yield from both("boom", r, "an excavator's boom 5 m out, slow turns of 4–12 s, the engine shakes it always", six(2.0, 60, 8), [("tilt_rms", 8, END, 2.0), ("heading_rms", 60, END, 15)], start=8.0)


@family("near-90")
def near_90(rng):
    step, duration = 1 / 400, 300
    t = times(duration, step)
    x = sines(rng, t, 0.03, 0.4, 1.0) * smoothstep((t - 5) / 3)[:, None]
    q = euler(1.2 * x[:, 0], np.pi / 2 + np.radians(1.5) * x[:, 1], np.radians(40) * x[:, 2])
    motion = from_position(step, q, sines(rng, t, 0.2, 1, 0.04) * smoothstep((t - 5) / 3)[:, None])
    r = measure(motion, Phone(rng, hard_iron=10 * unit(rng)), 100)
    yield from both("pitch-90", r, "pitch within 1.5° of 90° for 5 min, roll and yaw move", six(1.5, 30), [("tilt_rms", 10, END, 1.5), ("heading_rms", 60, END, 8)])


@family("ball")
def ball(rng):
    for spin in (900, 1700):
        motion = thrown(rng, 1 / 800, 120, np.arange(12, 100, 8), spin, flight=1.6)
        r = measure(motion, Phone(rng, accelerometer_range=16, hard_iron=10 * unit(rng)), 200)
        floor = 2.0 + 0.004 * spin * 1.6 * 2  # the scale's two sigmas over a flight
        yield from both(f"ball-{spin}", r, f"eleven throws of 1.6 s with {spin} °/s of spin", [("tilt_rms", 10, 100, floor), ("recover", 103, END, 6, 3)], [("tilt_rms", 10, 100, floor), ("heading_rms", 60, END, 25)], start=8.0)


@family("slow-tracker")
def slow_tracker(rng):
    step, duration = 1 / 50, 2700
    t = times(duration, step)
    hand = handheld(rng, duration, step, lambda t: active(t, 2, 50), base=np.array([1.0, 0, 0, 0]))
    angle = np.radians(20 / 3600) * np.maximum(0, t - 60)
    turn = quat.about([0, np.cos(np.radians(48)), np.sin(np.radians(48))], angle)
    motion = Motion(step, quat.multiply(turn, hand.q), hand.acceleration, hand.position)
    r = measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 50)
    yield from both("solar-panel", r, "turned in a hand for 50 s, then a panel that follows the sun, 20 °/h for 44 min", [("tilt_rms", 60, END, 1.0)], nine(1.0, 5, 60), start=60.0)
