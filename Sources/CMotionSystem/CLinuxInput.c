// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
// The kernel's headers, where there are any, come first, so that a number of ours that differs from theirs is reported.
#pragma clang diagnostic error "-Wmacro-redefined"
#if __has_include(<linux/hidraw.h>)
#include <linux/hidraw.h>
#include <linux/input.h>
#endif
#include "CLinuxInput.h"
#include <sys/ioctl.h>

unsigned long linux_input_get_absolute(unsigned int axis) { return _IOR('E', 0x40 + axis, struct linux_input_axis); }
unsigned long linux_input_set_absolute(unsigned int axis) { return _IOW('E', 0xc0 + axis, struct linux_input_axis); }
unsigned long linux_input_set_clock(void) { return _IOW('E', 0xa0, int); }
unsigned long linux_hidraw_get_feature(unsigned int count) { return _IOC(_IOC_WRITE | _IOC_READ, 'H', 0x07, count); }
unsigned long linux_hidraw_set_feature(unsigned int count) { return _IOC(_IOC_WRITE | _IOC_READ, 'H', 0x06, count); }

#ifdef EVIOCGABS
// What is taken for granted of the kernel's layouts and numbers, on every architecture that this is compiled for.
_Static_assert(sizeof(struct input_event) == 2 * sizeof(long) + 8, "two words of time, type, code, value");
_Static_assert(__builtin_offsetof(struct input_event, type) == 2 * sizeof(long), "type follows the time");
_Static_assert(__builtin_offsetof(struct input_event, value) == 2 * sizeof(long) + 4, "value follows type and code");
_Static_assert(sizeof(struct input_absinfo) == sizeof(struct linux_input_axis), "six numbers of 32 bits");
_Static_assert(EVIOCGABS(3) == _IOR('E', 0x43, struct linux_input_axis), "reads an axis");
_Static_assert(EVIOCSABS(3) == _IOW('E', 0xc3, struct linux_input_axis), "writes an axis");
_Static_assert(EVIOCSCLOCKID == _IOW('E', 0xa0, int), "chooses a clock");
_Static_assert(HIDIOCGFEATURE(9) == _IOC(_IOC_WRITE | _IOC_READ, 'H', 0x07, 9), "reads a feature report");
_Static_assert(HIDIOCSFEATURE(9) == _IOC(_IOC_WRITE | _IOC_READ, 'H', 0x06, 9), "writes a feature report");
#endif
#endif
