# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The third suite: kinds of motion and of chips that neither of the first two has. README.md says why."""
from common import *
from motion import block, slow_turn, vehicle

FAMILIES, family, make = suite(3)


def nine(tilt, heading, start=60, known=None, tilt_start=10):
    return [("tilt_rms", tilt_start, END, tilt), ("heading_rms", start, END, heading)] + ([("known", start, END, known)] if known else [])


def mid(rng, bias=None, **more):
    """A current chip without a factory line behind it (LSM6DSO, BMI160, ICM-20948 data sheets): zero rate ±1 °/s, sensitivity 1 %,
    cross-axis 1 %, accelerometer offset 12 mg, 1σ."""
    p = Phone(rng, rng.normal(0, 1.0, 3) if bias is None else bias, **more)
    p.gyroscope_matrix = np.eye(3) + np.diag(rng.normal(0, 0.01, 3)) + rng.normal(0, 0.007, (3, 3)) * (1 - np.eye(3))
    p.accelerometer_matrix = np.eye(3) + np.diag(rng.normal(0, 0.005, 3)) + rng.normal(0, 0.004, (3, 3)) * (1 - np.eye(3))
    p.accelerometer_bias = rng.normal(0, 0.12, 3)
    return p


def heading_velocity(yaw, speed, up=None):
    return np.stack([-np.sin(yaw) * speed, np.cos(yaw) * speed, 0 * yaw if up is None else up], -1)


def integral(x, step):
    return np.cumsum(x, 0) * step


# MARK: hands and bodies

@family("skydive")
def skydive(rng):
    for k in range(2):
        step = 1 / 200
        t = times(330, step)
        out, opening, land = 40.0, 92.0, 270.0
        vz, vh = np.zeros(len(t)), np.full(len(t), 42.0)
        v, h = 0.0, 42.0
        for i in range(1, len(t)):
            now = t[i]
            if now < out:
                v, h = 0.0, 42.0
            elif now < opening:
                s = np.hypot(v, h); v += step * (-GRAVITY - GRAVITY / 54 ** 2 * s * v); h += step * (-GRAVITY / 54 ** 2 * s * h)
            elif now < land:
                tau = 1.1; v += step * (-5.5 - v) / tau * min(1, (now - opening) / 1.5); h += step * (9.5 - h) / 2.0 * min(1, (now - opening) / 2)
            else:
                v += step * (0 - v) / 0.25; h += step * (0 - h) / 0.4
            vz[i], vh[i] = v, h
        fall, canopy = active(t, out + 1, opening, 1.5), active(t, opening + 3, land - 2, 3)
        spiral = sum(np.radians(sgn * 42) * active(t, a, a + 24, 3) for a, sgn in ((opening + 30, 1), (opening + 80, -1), (opening + 130, 1)))
        turn = np.radians(55) * sines(rng, t, 0.04, 0.15, 1, 1)[:, 0] * fall + spiral + np.radians(10) * sines(rng, t, 0.03, 0.1, 1, 1)[:, 0] * canopy
        yaw = integral(turn, step)
        path = integral(np.where(t > opening, turn, 0), step)
        velocity = smooth(np.stack([-np.sin(path) * vh, np.cos(path) * vh, vz], -1), 0.15 / step)
        flips = 2 * np.pi * (smoothstep((t - out - 15) / 2.2) - smoothstep((t - out - 30) / 2.6)) if k == 0 else 0 * t
        belly = np.radians(-75) * active(t, out - 1, opening + 1.5, 2)
        bank = -np.arctan2(vh * np.where(t > opening, turn, 0), GRAVITY) * canopy
        sway = sines(rng, t, 0.15, 0.5, np.radians(5), 3) * canopy[:, None] + sines(rng, t, 0.5, 3, np.radians(4), 3) * fall[:, None]
        q = quat.multiply(euler(yaw, belly + flips, bank), euler(sway[:, 0], sway[:, 1], sway[:, 2]))
        motion = from_velocity(step, quat.multiply(q, tilted(rng, 25)[None]), velocity)
        motion.acceleration += sines(rng, t, 2, 12, 2.5, 3) * fall[:, None] + sines(rng, t, 20, 60, 1.5, 3) * active(t, 1, out, 1)[:, None]
        r = measure(motion, Phone(rng, accelerometer_range=16, hard_iron=15 * unit(rng)), 100)
        # 8 s of weakening free fall, then terminal velocity: the mean force is up again; canopy spirals are coordinated turns of 24 s.
        yield from both(f"jump-{k}", r, "aeroplane, free fall to 54 m/s" + (" with flips" if k == 0 else "") + ", opening of 3 g, spirals under the canopy", six(4.0, 30, 5, 20), [("tilt_rms", 5, END, 4.0), ("heading_rms", 100, END, 20)], start=5.0)


# MARK: robots and vehicles

@family("robot-vacuum")
def robot_vacuum(rng):
    for name, rest, iron in (("docked", 12, 25), ("under-way", 0, 25)):
        step, duration = 1 / 400, 600
        n = int(duration / step) + 1
        speed, turn, at = np.zeros(n), np.zeros(n), int(rest / step)
        def go(v, w, s):
            nonlocal at
            k = max(0, min(n - at, int(s / step))); speed[at:at + k], turn[at:at + k] = v, w; at += k
        while at < n - 1:
            go(0.3, 0, rng.uniform(1, 7)); go(-0.15, 0, 0.5); go(0, 0, 0.2)
            w, a = np.radians(rng.uniform(50, 110)) * rng.choice([-1, 1]), np.radians(rng.uniform(60, 200))
            go(0, w, a / abs(w)); go(0, 0, rng.uniform(0.1, 0.4))
        speed, turn = smooth(speed[:, None], 0.05 / step)[:, 0], smooth(turn[:, None], 0.08 / step)[:, 0]
        t = np.arange(n) * step
        yaw = integral(turn, step)
        run = smoothstep((t - rest) / 0.5) if rest else np.ones(n)
        rock = sines(rng, t, 1, 6, np.radians(0.25), 2) * run[:, None]
        q = euler(yaw, rock[:, 0], rock[:, 1])
        motion = with_lever(step, quat.multiply(q, tilted(rng, 3)[None]), (0.05, 0.1, 0), integral(heading_velocity(yaw, speed), step))
        motion.acceleration += sines(rng, t, 40, 95, 2.0, 3) * run[:, None]
        r = measure(motion, mid(rng, hard_iron=iron * unit(rng)), 100)
        yield from both(name, r, f"a robot vacuum for 10 min: flat, bumps, turns on the spot, brushes shake 2 m/s²; {rest} s docked first", six(2.5, 60 if rest else 90, 15), [("tilt_rms", 15, END, 2.5), ("heading_rms", 60, END, 12)], start=15.0)


@family("quadruped")
def quadruped(rng):
    step, duration = 1 / 800, 180
    t = times(duration, step)
    on = active(t, 6, 170, 1.5)
    ph = 2 * np.pi * 2.3 * t
    yaw = integral(np.radians(45) * sines(rng, t, 0.03, 0.25, 1, 1)[:, 0] * on, step)
    speed = smooth((1.2 * on * np.abs(sines(rng, t, 0.02, 0.15, 1.2, 1)[:, 0]))[:, None], 0.4 / step)[:, 0]
    q = euler(yaw + np.radians(1.5) * np.sin(ph / 2) * on, np.radians(3.5) * np.sin(ph + 0.4) * on, np.radians(4) * np.sin(ph / 2 + 1) * on)
    bounce = np.stack([0.01 * np.sin(ph / 2), 0.012 * np.sin(ph + 2), 0.018 * np.sin(ph)], -1) * on[:, None]
    motion = with_lever(step, quat.multiply(q, tilted(rng, 5)[None]), (0, 0.2, 0.05), integral(heading_velocity(yaw, speed), step) + bounce)
    blow = np.exp(-(((ph / np.pi) % 1.0 - 0.05) / 0.02) ** 2) * on
    motion.acceleration += np.gradient(smooth(blow[:, None], 3)[:, 0], step)[:, None] * [0.02, 0.03, 0.12]
    r = measure(motion, mid(rng, hard_iron=20 * unit(rng), accelerometer_range=16), 200, body_field=lambda tt, p: 4 * np.sin(2 * np.pi * 2.3 * tt)[:, None] * active(tt, 6, 170)[:, None] * [1, 0.5, 0.2])
    yield from both("trot", r, "a quadruped robot that trots and turns; feet strike, motors add 4 µT", six(2.5, 60, 8), [("tilt_rms", 8, END, 2.5), ("heading_rms", 60, END, 15)], start=8.0)


@family("sailing")
def sailing(rng):
    for name, dock, circle in (("tacks", 25, 0.0), ("circle", 25, 1.5), ("heeled-start", 0, 0.0)):
        step, duration = 1 / 100, 900
        t = times(duration, step)
        under = smoothstep((t - dock) / 20) if dock else np.ones(len(t))
        if circle:
            side, yaw = np.ones(len(t)), integral(np.radians(circle) * active(t, 120, 840, 10), step)
        else:
            side, yaw, sgn = np.ones(len(t)), np.zeros(len(t)), 1.0
            for at in np.arange(150, 860, 140) + rng.uniform(0, 30, 6):
                s = smoothstep((t - at) / 9); side += -2 * sgn * s; yaw += sgn * np.radians(95) * s; sgn = -sgn
        heel = np.radians(24) * under * side * (1 + 0.12 * sines(rng, t, 0.01, 0.06, 1, 1)[:, 0])
        wave = sines(rng, t, 0.15, 0.4, 1.0, 3) * under[:, None]
        q = euler(yaw + np.radians(2.5) * wave[:, 0], np.radians(2.5) * wave[:, 1], heel + np.radians(3) * wave[:, 2])
        heave = sines(rng, t, 0.15, 0.4, 0.25, 3) * under[:, None] * [0.4, 0.4, 1]
        motion = with_lever(step, quat.multiply(q, tilted(rng, 10)[None]), (0.3, -2.0, 1.5), integral(heading_velocity(yaw, 3.4 * under), step) + heave)
        r = measure(motion, mid(rng, hard_iron=15 * unit(rng)), 50)
        yield from both(name, r, f"a yacht heeled by 24° for minutes, {'a steady turn of 1.5 °/s for 12 min' if circle else 'tacks'}, waves; {dock} s at the dock first",
                        six(2.5, 60 if dock else 360, 30), [("tilt_rms", 30, END, 2.5), ("heading_rms", 120, END, 15)], start=30.0, honest=True)


@family("carousel")
def carousel(rng):
    for name, w, radius, spin_up, duration in (("merry-go-round", 0.7, 5.0, 15, 300), ("slow-wide", 0.3, 11.0, 15, 300), ("centrifuge", 2.4, 3.2, 25, 150)):
        step = 1 / 200
        t = times(duration, step)
        rate = w * active(t, 8, duration - 15, spin_up)
        yaw = integral(rate, step)
        spin = quat.about(UP, yaw)
        horse = 0.22 * np.sin(2 * np.pi * 0.22 * t) * np.clip(rate / w, 0, 1) if name != "centrifuge" else 0 * t
        sway = sines(rng, t, 0.2, 1.2, np.radians(2), 3) * (rate > 0.02 * w)[:, None]
        q = quat.multiply(spin, quat.multiply(euler(*(smooth(sway, 0.5 / step)).T), tilted(rng, 30)[None]))
        motion = with_lever(step, spin, (radius, 0, 0), np.stack([0 * t, 0 * t, horse], -1))
        motion = Motion(step, q, motion.acceleration, motion.position)
        r = measure(motion, Phone(rng, hard_iron=5 * unit(rng)), 100)
        # The acceleration turns with the rider: over a turn its mean is zero in the world, and constant in the device.
        yield from both(name, r, f"{radius:g} m off the axis at {np.degrees(w):.0f} °/s: {w * w * radius:.1f} m/s² towards it for {duration - 40} s", six(3.0, np.degrees(w) * duration * 0.012 + 10, 8), [("tilt_rms", 8, END, 3.0), ("heading_rms", 60, END, 20)], start=8.0)


@family("crane")
def crane(rng):
    for length, amplitude in ((9.0, 7), (28.0, 5)):
        step, duration = 1 / 100, 480
        t = times(duration, step)
        push = np.zeros((len(t), 2))
        for at in np.arange(15, 440, 45):
            w = unit(rng)[:2]; a = 0.35 * w / np.linalg.norm(w) * amplitude / 5
            push += (active(t, at, at + 4.5, 1) - active(t, at + 14, at + 18.5, 1))[:, None] * a
        trolley = integral(integral(push, step), step)
        theta, omega, out = np.zeros(2), np.zeros(2), np.zeros((len(t), 2))
        for i in range(len(t)):
            omega = omega + step * (-GRAVITY / length * theta - 0.01 * omega - push[i] / length); theta = theta + step * omega; out[i] = theta
        out = smooth(out, 0.1 / step)
        z = np.stack([-np.sin(out[:, 0]), -np.sin(out[:, 1]), np.cos(np.hypot(*out.T))], -1); z /= np.linalg.norm(z, axis=1, keepdims=True)
        axis = np.cross([0, 0, 1.0], z); s = np.linalg.norm(axis, axis=1); ang = np.arctan2(s, z[:, 2]); axis = axis / np.maximum(s, 1e-12)[:, None]
        tilt = np.concatenate([np.cos(ang / 2)[:, None], np.sin(ang / 2)[:, None] * axis], -1)
        twist = smooth(poses(rng, np.maximum(t - 20, 0), (12, 30), (5, 20), 2.0, 1), 1 / step)[:, 0] + np.radians(6) * sines(rng, t, 0.02, 0.08, 1, 1)[:, 0] * smoothstep((t - 12) / 10)
        q = quat.multiply(tilt, quat.about(UP, twist))
        position = np.concatenate([trolley, np.zeros((len(t), 1))], 1) - length * z
        motion = from_position(step, quat.multiply(q, tilted(rng, 20)[None]), smooth(position, 0.1 / step))
        r = measure(motion, mid(rng, hard_iron=40 * unit(rng)), 50)
        # The rope's pull is along the hook: the accelerometer never sees the swing (as on a swing), period 6 and 10.6 s.
        yield from both(f"hook-{length:g}m", r, f"a crane's hook on {length:g} m of rope, swings of {np.degrees(np.abs(out).max()):.0f}°, slow twists", six(2.5, 40, 12), [("tilt_rms", 12, END, 2.5), ("heading_rms", 90, END, 25)], start=12.0)


# MARK: lifts

@family("elevator-rides")
def elevator_rides(rng):
    step, duration = 1 / 400, 330
    hand = handheld(rng, duration, step, lambda t: active(t, 3, 25) + 0.2 * smoothstep((t - 25) / 2), reach=0.03, base=tilted(rng, 60))
    t, profile, at = hand.t, np.zeros(len(hand.t)), 40.0
    while at < 280:
        cruise, sgn = rng.uniform(3, 22), rng.choice([-1, 1])
        profile += sgn * 1.3 * (active(t, at, at + 2.6, 0.8) - active(t, at + 2.6 + cruise, at + 5.2 + cruise, 0.8)); at += 5.2 + cruise + rng.uniform(6, 12)
    cabin = 14 * unit(rng)
    motion = Motion(step, hand.q, hand.acceleration + profile[:, None] * [0, 0, 1.0], hand.position)
    r = measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 100, world_field=lambda tt, p: EARTH_FIELD + active(tt, 32, 300, 2)[:, None] * cabin)
    yield from both("lift", r, "ride after ride in a lift (1.3 m/s² up and down); the cabin adds 14 µT", six(1.5, 25, 5), [("tilt_rms", 5, END, 1.5), ("heading_rms", 60, 120, 15), ("heading_rms", 120, END, 30)], start=10.0)


@family("escalator")
def escalator(rng):
    step, duration = 1 / 200, 360
    walk = walking(rng, duration, step)
    t = walk.t
    riding = sum(active(t, a, a + 28, 1.2) for a in (40, 110, 180, 250))
    steps_ = walk.acceleration * (1 - riding)[:, None]
    extra = np.zeros((len(t), 3))
    for a, way, up in ((40, 0.5, 1), (110, 2.0, -1), (180, 3.0, 1), (250, 4.5, -1)):
        v = active(t, a, a + 28, 0.9)[:, None] * 0.65 * np.array([np.cos(way) * 0.87, np.sin(way) * 0.87, 0.5 * up])
        extra += np.gradient(v, step, axis=0)
    shake = sines(rng, t, 8, 25, 0.3, 3) * riding[:, None]
    motion = Motion(step, walk.q, steps_ + extra + shake, walk.position)
    truss = [18 * unit(rng) for _ in range(4)]
    r = measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 100, world_field=lambda tt, p: EARTH_FIELD + sum(active(tt, a, a + 28, 3)[:, None] * (1 + 0.5 * np.sin((tt - a) / 3))[:, None] * v for a, v in zip((40, 110, 180, 250), truss)))
    yield from both("escalators", r, "four escalators, walks between, the truss adds 9–27 µT", six(2.0, 40, 8), [("tilt_rms", 8, END, 2.0), ("heading_rms", 60, END, 18)], start=10.0)


# MARK: machines

@family("door")
def door(rng):
    for name, swing, rate in (("office", (1.2, 3.0), 25), ("slow-closer", (25.0, 70.0), 25)):
        step, duration = 1 / 200, 1500
        t = times(duration, step)
        angle, at, target = np.zeros(len(t)), 60.0, 0.0
        while at < duration - 90:
            s, new = rng.uniform(*swing), (np.radians(rng.uniform(70, 95)) if target == 0 else 0.0)
            angle += (new - target) * smoothstep((t - at) / s); target = new; at += s + rng.uniform(15, 150)
        q = quat.multiply(quat.about(UP, angle), tilted(rng, 90)[None])
        motion = Motion(step, q, from_position(step, quat.about(UP, angle), quat.rotate(quat.about(UP, angle), np.broadcast_to([0.8, 0, 0.0], (len(t), 3)))).acceleration, 0 * q[:, 1:])
        r = measure(motion, mid(rng, hard_iron=30 * unit(rng)), rate)
        # The bias is known from a minute of rest; a turn of 1.3–3.8 °/s afterwards is no bias. Scale 1 % of 90° and back is nothing.
        yield from both(name, r, f"on a door for 25 min: 90° in {swing[0]:g}–{swing[1]:g} s now and then, else still", six(2.5, 12, 20), [("tilt_rms", 20, END, 2.5), ("heading_rms", 60, END, 30)], start=20.0)


@family("gimbal")
def gimbal(rng):
    for name, rest, held in (("tripod", 15, False), ("steadicam", 15, True), ("pan-from-start", 0, False)):
        step, duration = 1 / 200, 420
        t = times(duration, step)
        rate = 0.2 * (active(t, rest, 240, 2) if rest else 1 - smoothstep((t - 240) / 2)) - 0.3 * active(t, 270, 400, 2)
        yaw = integral(np.radians(rate), step)
        jitter = sines(rng, t, 15, 40, np.radians(0.01), 3)
        q = quat.multiply(quat.multiply(quat.about(UP, yaw), euler(*jitter.T)), tilted(rng, 20)[None])
        on = smoothstep((t - 12) / 2)[:, None] * held
        position = on * (sines(rng, t, 1.5, 2.2, 0.01) + sines(rng, t, 0.1, 0.6, 0.1))
        r = measure(from_position(step, q, position), Phone(rng), 100)
        # Bias of a 15 s rest: 0.002 °/s, its walk 0.015 °/s in 4 min: 4°. From the first sample on 0.2 °/s is bias for all a gyroscope knows.
        yield from both(name, r, f"a gimbal pans at 0.2 °/s for 4 min, back at 0.3; {rest} s of rest first" + ("; carried by somebody who walks" if held else ""), six(1.5, 12 if rest else 360, 10) if rest else None, [("tilt_rms", 10, END, 1.5), ("heading_rms", 30, END, 6)], start=12.0)


def hand_and_car(rng, duration, step, hand_until, hand_again):
    hand = handheld(rng, duration, step, lambda t: active(t, 2, hand_until, 3) + smoothstep((t - hand_again) / 3), base=tilted(rng, 40))
    speed, turn = city(rng, step, duration, hand_until + 8)
    speed[hand.t > hand_again - 8], turn[hand.t > hand_again - 8] = 0, 0
    car = vehicle(rng, step, speed[:len(hand.t)], turn[:len(hand.t)], mount=np.array([1.0, 0, 0, 0]))
    return Motion(step, quat.multiply(car.q, hand.q), hand.acceleration + car.acceleration, hand.position)


@family("magnet-mount")
def magnet_mount(rng):
    for strength in (150, 600):
        motion = hand_and_car(rng, 330, 1 / 200, 45, 250)
        ring = strength * unit(rng)
        r = measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 100, body_field=lambda t, p: active(t, 47, 248, 1.0)[:, None] * ring)
        # For 200 s nothing but the gyroscope and what the new iron lets through: 0.02 °/s is 4°; in a car only a circle of the iron shows.
        yield Case(f"mount-{strength}", r, [("tilt_rms", 10, END, 3.0), ("heading_rms", 20, 47, 6), ("heading_rms", 60, 248, 25), ("heading_rms", 290, END, 8)], f"a hand, then a magnetic mount in a car adds {strength} µT for 200 s, then the hand", "magnetic", start=40.0)


@family("charger")
def charger(rng):
    for strength in (80, 400):
        step, duration = 1 / 200, 780
        motion = handheld(rng, duration, step, lambda t: active(t, 2, 50, 2) + active(t, 660, 1e9, 2))
        coil = strength * unit(rng)
        r = measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 50, body_field=lambda t, p: active(t, 51, 658, 1.0)[:, None] * coil)
        yield Case(f"coil-{strength}", r, [("tilt_rms", 10, END, 1.5), ("heading_rms", 35, 50, 6), ("heading_rms", 60, 655, 12), ("heading_rms", 720, END, 8)], f"ten minutes at rest on a charger of {strength} µT, then taken up", "magnetic", start=40.0)


@family("mri")
def mri(rng):
    for strength in (800, 4000):
        step, duration = 1 / 200, 300
        walk = walking(rng, duration, step)
        motion = Motion(step, quat.multiply(walk.q, handheld(rng, duration, step, lambda t: active(t, 0, 40)).q), walk.acceleration, walk.position)
        vector = strength * unit(rng)
        r = measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 100, world_field=lambda t, p: EARTH_FIELD + (active(t, 80, 170, 25) ** 2)[:, None] * vector)
        r.field = np.clip(r.field, -1200, 1200)
        yield Case(f"fringe-{strength}", r, [("tilt_rms", 10, END, 2.0), ("heading_rms", 45, 80, 6), ("heading_rms", 85, 165, 20), ("heading_rms", 220, END, 10)], f"past a magnet: {strength} µT at its nearest, the magnetometer ends at 1200", "magnetic", start=40.0)


@family("low-rate")
def low_rate(rng):
    for rate, name in ((25, "25Hz"), (12.5, "12Hz"), (10, "10Hz")):
        motion = handheld(rng, 240, 1 / 400, lambda t: active(t, 5, 230), vigour=0.6)
        r = measure(motion, Phone(rng, hard_iron=15 * unit(rng)), rate)
        t = np.round(r.t + rng.normal(0, 0.12 / rate, len(r.t)), 3)
        keep = rng.random(len(t)) > 0.05
        r.t = np.maximum.accumulate(t)
        r = r.cut(keep)
        again = np.sort(np.concatenate([np.arange(len(r.t)), np.flatnonzero(rng.random(len(r.t)) < 0.05)]))   # 5 % of the rows twice
        r = r.cut(again)
        speed = np.degrees(np.sqrt((r.rate ** 2).sum(1).mean()))
        # Jitter of the stamps of 12 % of an interval at that speed, and what the motion does between two rows.
        floor = 1.5 + speed * 0.12 / rate + speed * 0.3 / rate
        yield from both(name, r, f"logged at {rate:g} Hz, jitter of 12 % of the interval, 5 % of the rows lost, 5 % twice", six(floor, 90, 12), nine(floor, floor + 4), start=12.0)


@family("multi-rate")
def multi_rate(rng):
    for gyro, acc, mag in ((416, 104, 10.4), (104, 52, 10.4), (208, 26, 20.8)):
        motion = handheld(rng, 120, 1 / 1664, lambda t: active(t, 4, 112))
        r = measure(motion, mid(rng, hard_iron=15 * unit(rng)), gyro)
        k = np.arange(len(r.t))
        r.acceleration = np.where((k % round(gyro / acc) == 0)[:, None], r.acceleration, np.nan)
        r.field = np.where((k % round(gyro / mag) == 0)[:, None], r.field, np.nan)
        yield from both(f"{gyro}-{acc}-{mag:g}", r, f"gyroscope {gyro} Hz, accelerometer {acc} Hz, magnetometer {mag:g} Hz; blank cells between", six(2.5, 45), nine(2.5, 6), slow_field=True)


@family("coarse-accelerometer")
def coarse(rng):
    for name, unit_g, limit in (("8bit-8g", 1 / 16, 8), ("8bit-2g", 1 / 64, 2), ("10bit-4g", 1 / 128, 4)):
        motion = handheld(rng, 150, 1 / 400, lambda t: active(t, 8, 70) + 0.3 * active(t, 80, 140), reach=0.04)
        r = measure(motion, Phone(rng, hard_iron=15 * unit(rng), accelerometer_range=limit), 50)
        r.acceleration = np.round(r.acceleration / (unit_g * GRAVITY)) * unit_g * GRAVITY
        half = np.degrees(unit_g / 2) * 1.2
        yield from both(name, r, f"an accelerometer with steps of {1000 * unit_g:.0f} mg", six(1.5 + half, 30), nine(1.5 + half, 5 + half))


@family("temperature-ramp")
def temperature_ramp(rng):
    for change, rest in ((4.0, 12), (4.0, 0), (1.5, 6)):
        motion = handheld(rng, 420, 1 / 200, lambda t: (1 - sum(active(t, a, a + rest, 1) for a in np.arange(30, 420, 60)) if rest else smoothstep((t - 3) / 2)))
        ramp, acc = change * unit(rng), 0.15 * unit(rng)
        r = measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 50, bias_drift=lambda t: ramp * smoothstep((t - 40) / 240)[:, None])
        r.acceleration = r.acceleration + acc * smoothstep((r.t - 40) / 240)[:, None]
        yield from both(f"ramp-{change:g}-rest{rest}", r, f"out into the cold: bias moves {change:g} °/s in 4 min, " + (f"{rest} s of rest each minute" if rest else "never at rest"), six(2.0, 120 if rest else 360, 15), nine(2.0, 6), start=15.0)


@family("odd-start")
def odd_start(rng):
    base = euler(np.zeros(1), np.radians([179.0]), np.radians([1.0]))[0]
    motion = handheld(rng, 60, 1 / 400, lambda t: smoothstep((t - 4) / 1), base=base)
    yield from both("upside-down", measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 100), "starts upside down at rest, then a hand", six(1.5, 20, 2), nine(1.5, 6, 40, tilt_start=2), start=5.0)
    step = 1 / 800
    hand = handheld(rng, 90, step, lambda t: smoothstep((t - 12) / 2), base=tilted(rng, 90))
    spin = quat.about([0.3, 0.8, 0.5], integral(np.radians(400) * (1 - smoothstep((hand.t - 6) / 4)), step))
    motion = Motion(step, quat.multiply(hand.q, spin), hand.acceleration, hand.position)
    yield from both("spinning", measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 200), "starts while it spins at 400 °/s about an oblique axis for 10 s (on a bearing)", six(2.5, 60, 3), nine(2.5, 6, 50, tilt_start=3), start=5.0)
    hand = handheld(rng, 60, step, lambda t: smoothstep((t - 3) / 2), base=quat.random_attitude(rng))
    fall = hand.t < 1.3
    acceleration = np.where(fall[:, None], [0, 0, -GRAVITY], hand.acceleration)
    catch = (hand.t >= 1.3) & (hand.t < 1.6)
    acceleration[catch, 2] += GRAVITY * 1.3 / 0.3
    tumble = quat.about(unit(rng), integral(np.radians(500) * (1 - smoothstep((hand.t - 1.3) / 0.3)), step))
    motion = Motion(step, quat.multiply(hand.q, tumble), acceleration, hand.position)
    yield from both("free-fall", measure(motion, Phone(rng, hard_iron=15 * unit(rng)), 200), "starts in 1.3 s of free fall with a tumble of 500 °/s, is caught", [("tilt_rms", 8, END, 2.0), ("recover", 1.6, END, 5, 3)], nine(2.0, 6, 40, tilt_start=8), start=8.0)
    t = times(90, step)
    run = active(t, -10, 80, 3)
    ph = 2 * np.pi * 2.7 * t
    bounce = np.stack([0.03 * np.sin(ph / 2), 0.03 * np.sin(ph + 1), 0.05 * np.sin(ph)], -1) * run[:, None]
    yaw = integral(np.radians(15) * sines(rng, t, 0.03, 0.1, 1, 1)[:, 0], step)
    q = quat.multiply(euler(yaw, np.radians(35) * np.sin(ph / 2) * run, np.radians(12) * np.sin(ph / 2 + 1) * run), tilted(rng, 90)[None])
    motion = with_lever(step, q, (0, 0, -0.4), integral(heading_velocity(yaw, 3.0 * run), step) + bounce)
    yield from both("running", measure(motion, Phone(rng, hard_iron=15 * unit(rng), accelerometer_range=16), 100), "starts in the hand of a runner", six(3.0, 60, 8), nine(3.0, 15, 60, tilt_start=8), start=8.0)


@family("long-rest")
def long_rest(rng):
    step, rest = 1 / 25, 8 * 3600
    t = times(rest + 120, step)
    hand = handheld(rng, rest + 120, step, lambda t: active(t, 3, 40, 2) + smoothstep((t - rest) / 2))
    ramp = 0.3 * unit(rng)
    r = measure(hand, mid(rng, bias=0.8 * unit(rng), hard_iron=15 * unit(rng)), 25, bias_drift=lambda t: ramp * np.sin(2 * np.pi * t / 14400)[:, None])
    # At rest bias and a turn of less than the earth's are one: 0.004 °/s for 8 h is any azimuth, so only the last two minutes are asked.
    yield from both("eight-hours", r, "a hand, 8 h on a table while the room's temperature moves the bias by ±0.3 °/s, a hand", [("tilt_rms", 10, END, 2.5), ("yaw_drift", rest, END, 60), ("tilt_rms", rest, END, 2.5)],
                    [("tilt_rms", 10, END, 2.5), ("heading_rms", rest - 600, rest, 8), ("heading_rms", rest, END, 8)], start=60.0)
