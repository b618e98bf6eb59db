// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Input-output controls of the Linux kernel that are macros in C and therefore invisible to Swift. The numbers of event types, codes
// and properties in <linux/input.h> are plain and come along by themselves.

#ifndef CLINUXINPUT_H
#define CLINUXINPUT_H

#include <linux/hidraw.h>
#include <linux/input.h>

/// EVIOCGABS: reads the `struct input_absinfo` of an axis.
static inline unsigned long linux_input_get_absolute(unsigned int axis) { return EVIOCGABS(axis); }
/// EVIOCSABS: writes it.
static inline unsigned long linux_input_set_absolute(unsigned int axis) { return EVIOCSABS(axis); }
/// EVIOCSCLOCKID: chooses the clock of the events' times, an `int`.
static inline unsigned long linux_input_set_clock(void) { return EVIOCSCLOCKID; }

/// HIDIOCGFEATURE: reads a feature report of so many bytes, its number included.
static inline unsigned long linux_hidraw_get_feature(unsigned int count) { return HIDIOCGFEATURE(count); }
/// HIDIOCSFEATURE: writes one.
static inline unsigned long linux_hidraw_set_feature(unsigned int count) { return HIDIOCSFEATURE(count); }

#endif
