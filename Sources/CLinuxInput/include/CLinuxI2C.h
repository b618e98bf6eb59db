// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Transfers on an I²C bus by <linux/i2c-dev.h>: its structures hold pointers, which C fills in most plainly.

#ifndef CLINUXI2C_H
#define CLINUXI2C_H

#include <stdint.h>

/// Asks for the chip at a 7-bit address; EBUSY when a driver of the kernel holds it. Returns 0 or an error number.
int motion_i2c_select(int descriptor, uint16_t address);

/// Writes bytes, then reads bytes, in one transaction (either count may be 0). Returns 0 or an error number.
int motion_i2c_transfer(
    int descriptor, uint16_t address, const uint8_t *written, uint16_t written_count, uint8_t *read,
    uint16_t read_count);

#endif
