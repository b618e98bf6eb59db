// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
// uhidheadtracker.c - virtual headphones with the open Android head tracker protocol, on /dev/uhid. With hid-sensor-hub loaded the kernel
// keeps it to itself; without, it has a hidraw node.
//
// usage: uhidheadtracker [-p] [-m start] [-n seconds] [-v]
//   -p  the sensor is a physical collection in a hub's application collection: kernels that look for sensor hubs in physical
//       collections only (6.1) leave the usual descriptor to hid-generic
//   -m  move: from this second of CLOCK_MONOTONIC on, on the path of motion.h (default: never)
//   -n  unplug after so many seconds (default: stay until killed)
//   -v  log the traffic with the kernel to stderr
//
// The usual layout: report 2 describes (text and persistent id), report 1 holds reporting, power and interval in one byte, and
// input report 1 has the rotation vector, the angular velocity and the discontinuity counter, 13 bytes. It streams only with full
// power and all events, at the interval that was written.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <linux/input.h>
#include <linux/uhid.h>
#include "motion.h"

static const uint8_t descriptor[] = {
    0x05, 0x20, 0x0a, 0xe1, 0x00, 0xa1, 0x01,                                     // sensors, other: custom, application
    0x85, 0x02, 0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08,                         // report 2, bytes
    0x95, 0x17, 0x0a, 0x08, 0x03, 0xb1, 0x03,                                     // 23 of the description
    0x95, 0x10, 0x0a, 0x02, 0x03, 0xb1, 0x03,                                     // 16 of the persistent id
    0x85, 0x01, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01,                   // report 1, single bits
    0x0a, 0x16, 0x03, 0xa1, 0x02, 0x0a, 0x40, 0x08, 0x0a, 0x41, 0x08, 0xb1, 0x00, 0xc0,  // reporting: no, all events
    0x0a, 0x19, 0x03, 0xa1, 0x02, 0x0a, 0x55, 0x08, 0x0a, 0x51, 0x08, 0xb1, 0x00, 0xc0,  // power: off, full
    0x15, 0x00, 0x25, 0x3f, 0x35, 0x0a, 0x45, 0x64, 0x66, 0x01, 0x10, 0x55, 0x0d,  // 0..63 = 10..100 ms
    0x75, 0x06, 0x95, 0x01, 0x0a, 0x0e, 0x03, 0xb1, 0x02,                         // interval
    0x16, 0x01, 0x80, 0x26, 0xff, 0x7f, 0x37, 0x5f, 0x4f, 0x46, 0xed, 0x47, 0xa1, 0xb0, 0xb9, 0x12,  // -pi..pi
    0x65, 0x12, 0x55, 0x08, 0x75, 0x10, 0x95, 0x03, 0x0a, 0x44, 0x05, 0x81, 0x02,  // 1e-8 rad: rotation vector
    0x35, 0xe0, 0x45, 0x20, 0x66, 0x12, 0xf0, 0x55, 0x00, 0x0a, 0x45, 0x05, 0x81, 0x02,  // -32..32 rad/s: velocity
    0x15, 0x00, 0x26, 0xff, 0x00, 0x35, 0x00, 0x45, 0x00, 0x65, 0x00,
    0x75, 0x08, 0x95, 0x01, 0x0a, 0x46, 0x05, 0x81, 0x02,                         // discontinuity counter
    0xc0,
};
static const char text[] = "#AndroidHeadTracker#1.0";

static int device, verbose, moving, physical;
static double start;
static uint8_t control;

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}
static void send_event(const struct uhid_event *e, size_t size)
{
    if (write(device, e, size) < 0) fprintf(stderr, "uhidheadtracker: write: %s\n", strerror(errno));
}
static uint8_t *le16(uint8_t *p, double v)
{
    long n = lround(v);
    if (n > 32767) n = 32767;
    if (n < -32767) n = -32767;
    *p++ = n & 0xff;
    *p++ = n >> 8 & 0xff;
    return p;
}
static int streaming(void) { return (control & 3) == 3; }
static int64_t interval_ns(void) { return (int64_t)((10 + (control >> 2) * 90 / 63.0) * 1e6); }

// the report of the head at the instant `at`
static void send_input(int64_t at)
{
    struct quaternion q = moving ? attitude_at(at * 1e-9, start) : (struct quaternion){1, 0, 0, 0};
    struct vector w = moving ? angular_velocity_at(at * 1e-9, start) : (struct vector){0, 0, 0};
    if (q.w < 0) q = (struct quaternion){-q.w, -q.x, -q.y, -q.z};
    double half = sqrt(q.x * q.x + q.y * q.y + q.z * q.z), k = half > 1e-12 ? 2 * atan2(half, q.w) / half : 2;
    struct uhid_event e = {.type = UHID_INPUT2};
    uint8_t *p = e.u.input2.data;
    *p++ = 1;
    p = le16(p, k * q.x / M_PI * 32767); p = le16(p, k * q.y / M_PI * 32767); p = le16(p, k * q.z / M_PI * 32767);
    p = le16(p, w.x / 32 * 32767); p = le16(p, w.y / 32 * 32767); p = le16(p, w.z / 32 * 32767);
    *p++ = 0;
    e.u.input2.size = p - e.u.input2.data;
    send_event(&e, offsetof(struct uhid_event, u.input2.data) + e.u.input2.size);
}
static void answer_get(const struct uhid_get_report_req *q)
{
    struct uhid_event e = {.type = UHID_GET_REPORT_REPLY};
    struct uhid_get_report_reply_req *a = &e.u.get_report_reply;
    a->id = q->id;
    a->data[0] = q->rnum;
    if (q->rtype == UHID_FEATURE_REPORT && q->rnum == 1) { a->size = 2; a->data[1] = control; }
    else if (q->rtype == UHID_FEATURE_REPORT && q->rnum == 2) { a->size = 40; memcpy(a->data + 1, text, 23); }
    else if (q->rtype == UHID_INPUT_REPORT && q->rnum == 1) a->size = 14;
    else a->err = EIO;
    if (verbose) fprintf(stderr, "uhidheadtracker: get report %u type %u\n", q->rnum, q->rtype);
    send_event(&e, offsetof(struct uhid_event, u.get_report_reply.data) + a->size);
}
static void answer_set(const struct uhid_set_report_req *q)
{
    struct uhid_event e = {.type = UHID_SET_REPORT_REPLY};
    e.u.set_report_reply.id = q->id;
    if (q->rtype == UHID_FEATURE_REPORT && q->rnum == 1 && q->size >= 2) control = q->data[1];
    else e.u.set_report_reply.err = EIO;
    if (verbose) fprintf(stderr, "uhidheadtracker: set report %u, %u bytes, control %02x\n", q->rnum, q->size, control);
    send_event(&e, offsetof(struct uhid_event, u) + sizeof e.u.set_report_reply);
}

int main(int argc, char **argv)
{
    double seconds = 0;
    int option;
    while ((option = getopt(argc, argv, "pm:n:v")) != -1) {
        if (option == 'm') { moving = 1; start = atof(optarg); }
        else if (option == 'n') seconds = atof(optarg);
        else if (option == 'v') verbose = 1;
        else if (option == 'p') physical = 1;
        else return 64;
    }
    device = open("/dev/uhid", O_RDWR | O_CLOEXEC);
    if (device < 0) { perror("uhidheadtracker: /dev/uhid"); return 1; }
    struct uhid_event e = {.type = UHID_CREATE2};
    struct uhid_create2_req *c = &e.u.create2;
    strcpy((char *)c->name, "Virtual Headphones");
    strcpy((char *)c->uniq, "00:00:5e:00:53:03");
    c->bus = BUS_BLUETOOTH; c->vendor = 0x054c; c->product = 0x0df0; c->version = 1;
    static const uint8_t hub[] = {0x05, 0x20, 0x09, 0x01, 0xa1, 0x01};
    if (physical) { memcpy(c->rd_data, hub, sizeof hub); c->rd_size = sizeof hub; }
    memcpy(c->rd_data + c->rd_size, descriptor, sizeof descriptor);
    if (physical) c->rd_data[c->rd_size + 6] = 0x00;
    c->rd_size += sizeof descriptor;
    if (physical) c->rd_data[c->rd_size++] = 0xc0;
    send_event(&e, sizeof e);

    int64_t stop = seconds > 0 ? now_ns() + (int64_t)(seconds * 1e9) : INT64_MAX, next = 0;
    while (now_ns() < stop) {
        int64_t now = now_ns(), wait = 1000000000;
        if (streaming()) {
            if (!next) next = now + interval_ns();
            // Behind its time it catches up.
            for (int burst = 0; next <= now && burst < 32; burst++) { send_input(next); next += interval_ns(); }
            wait = next - now_ns();
            if (wait < 0) wait = 0;
        } else {
            next = 0;
        }
        struct timespec timeout = {wait / 1000000000, wait % 1000000000};
        struct pollfd p = {.fd = device, .events = POLLIN};
        if (ppoll(&p, 1, &timeout, NULL) <= 0) continue;
        if (read(device, &e, sizeof e) < 0) {
            if (errno == EINTR || errno == EAGAIN) continue;
            perror("uhidheadtracker: read");
            return 1;
        }
        if (e.type == UHID_GET_REPORT) answer_get(&e.u.get_report);
        else if (e.type == UHID_SET_REPORT) answer_set(&e.u.set_report);
        else if (verbose) fprintf(stderr, "uhidheadtracker: event %u\n", e.type);
    }
    e.type = UHID_DESTROY;
    send_event(&e, sizeof e.type);
    return 0;
}
