// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// What the drivers need of the Linux kernel's <linux/input.h> and <linux/hidraw.h>, which the static SDK for Linux does not have.
// CLinuxInput.c compares it with them.

#ifndef CLINUXINPUT_H
#define CLINUXINPUT_H

#include <stdint.h>

#define EV_SYN 0x00
#define EV_ABS 0x03
#define EV_MSC 0x04
#define SYN_REPORT 0
#define SYN_DROPPED 3
#define ABS_X 0x00
#define ABS_Y 0x01
#define ABS_RX 0x03
#define ABS_RY 0x04
#define ABS_RZ 0x05
#define MSC_TIMESTAMP 0x05
#define INPUT_PROP_ACCELEROMETER 0x06
#define BUS_USB 0x03

/// What the kernel holds of one axis: `struct input_absinfo`.
struct linux_input_axis {
  /// The present value, counts.
  int32_t value;
  /// The smallest value, counts.
  int32_t minimum;
  /// The largest value, counts.
  int32_t maximum;
  /// Changes smaller than this are smoothed or kept back by the kernel, counts.
  int32_t fuzz;
  /// Values so near to zero count as zero for a joystick, counts.
  int32_t flat;
  /// Counts per unit: per g of an accelerometer, per degree a second of a gyroscope; 0 = not known.
  int32_t resolution;
};

// Requests of ioctl: macros in C and therefore invisible to Swift.

/// EVIOCGABS: reads an axis.
unsigned long linux_input_get_absolute(unsigned int axis);
/// EVIOCSABS: writes it.
unsigned long linux_input_set_absolute(unsigned int axis);
/// EVIOCSCLOCKID: chooses the clock of the events' times, an `int`.
unsigned long linux_input_set_clock(void);

/// HIDIOCGFEATURE: reads a feature report of so many bytes, its number included.
unsigned long linux_hidraw_get_feature(unsigned int count);
/// HIDIOCSFEATURE: writes one.
unsigned long linux_hidraw_set_feature(unsigned int count);

#endif
