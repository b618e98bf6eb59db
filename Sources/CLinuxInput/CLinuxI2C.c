// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#include "CLinuxI2C.h"

#include <errno.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <sys/ioctl.h>

int motion_i2c_select(int descriptor, uint16_t address) {
  return ioctl(descriptor, I2C_SLAVE, (unsigned long)address) < 0 ? errno : 0;
}

int motion_i2c_transfer(
    int descriptor, uint16_t address, const uint8_t *written, uint16_t written_count, uint8_t *read,
    uint16_t read_count) {
  struct i2c_msg messages[2];
  struct i2c_rdwr_ioctl_data transaction = {.msgs = messages, .nmsgs = 0};
  if (written_count > 0) {
    // The kernel does not write through the pointer of a message that is not marked as read.
    messages[transaction.nmsgs++] =
        (struct i2c_msg){.addr = address, .flags = 0, .len = written_count, .buf = (uint8_t *)written};
  }
  if (read_count > 0) {
    messages[transaction.nmsgs++] =
        (struct i2c_msg){.addr = address, .flags = I2C_M_RD, .len = read_count, .buf = read};
  }
  if (transaction.nmsgs == 0) return 0;
  int done = ioctl(descriptor, I2C_RDWR, &transaction);
  if (done < 0) return errno;
  // An adapter that stops in between has not done what was asked.
  return (unsigned int)done == transaction.nmsgs ? 0 : EIO;
}
