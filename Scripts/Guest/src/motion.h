// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
// motion.h - the motion that the virtual devices make: known at every instant, so that a test can compare.
// Scripts/Guest/Tests/KernelTests/KnownMotion.swift states the same attitude in Swift; change both or none.
//
// Until `start` (seconds of CLOCK_MONOTONIC) the device lies face up. Then it swings about all axes: with u = t - start and a
// ramp e = s*s*(3 - 2*s), s = min(u, 1),
//     roll  = 40 deg * e * sin(1.3 u)     about x
//     pitch = 30 deg * e * sin(0.9 u)     about y
//     yaw   = 70 deg * e * sin(0.6 u)     about z
// and the attitude (device to a frame with z up) is Rz(yaw) Ry(pitch) Rx(roll). The device stays in its place, so its
// accelerometer shows gravity alone.
#ifndef MOTION_H
#define MOTION_H
#include <math.h>

struct quaternion { double w, x, y, z; };
struct vector { double x, y, z; };

static inline struct quaternion product(struct quaternion a, struct quaternion b)
{
    return (struct quaternion){
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static inline struct quaternion conjugate(struct quaternion q) { return (struct quaternion){q.w, -q.x, -q.y, -q.z}; }

// what a vector of the frame is along the device's axes
static inline struct vector in_device(struct quaternion attitude, struct vector v)
{
    struct quaternion p = product(product(conjugate(attitude), (struct quaternion){0, v.x, v.y, v.z}), attitude);
    return (struct vector){p.x, p.y, p.z};
}
static inline struct quaternion attitude_at(double t, double start)
{
    const double degree = 0.017453292519943295;
    double u = t - start;
    if (u <= 0) return (struct quaternion){1, 0, 0, 0};
    double s = u < 1 ? u : 1, e = s * s * (3 - 2 * s) * degree;
    double roll = 40 * e * sin(1.3 * u), pitch = 30 * e * sin(0.9 * u), yaw = 70 * e * sin(0.6 * u);
    struct quaternion x = {cos(roll / 2), sin(roll / 2), 0, 0}, y = {cos(pitch / 2), 0, sin(pitch / 2), 0},
                      z = {cos(yaw / 2), 0, 0, sin(yaw / 2)};
    return product(product(z, y), x);
}
// the angular velocity, device axes, rad/s: the turn from just before t to just after it
static inline struct vector angular_velocity_at(double t, double start)
{
    const double interval = 1e-4;
    struct quaternion d = product(conjugate(attitude_at(t - interval / 2, start)), attitude_at(t + interval / 2, start));
    double half = sqrt(d.x * d.x + d.y * d.y + d.z * d.z), k = half > 1e-12 ? 2 * atan2(half, d.w) / half : 2;
    return (struct vector){k * d.x / interval, k * d.y / interval, k * d.z / interval};
}

// A person with the device in a pocket: two steps a second from `start` on, then rest. Each step is a bounce with the harmonic of the
// impact; the body sways and turns at half the rate. Device axes; g (at rest 0, 0, -1, as HID has it) and rad/s.
struct walk { struct vector acceleration, angular_velocity; };
static inline struct walk walk_at(double t, double start, int steps)
{
    struct walk w = {{0, 0, -1}, {0, 0, 0}};
    double phase = 2 * M_PI * 2 * (t - start);
    if (phase <= 0 || phase >= 2 * M_PI * steps) return w;
    w.acceleration.z -= 0.306 * sin(phase) + 0.122 * sin(2 * phase + 0.5);
    w.acceleration.x -= 0.082 * sin(phase / 2);
    w.angular_velocity.y = 0.5 * sin(phase / 2);
    return w;
}
#endif
