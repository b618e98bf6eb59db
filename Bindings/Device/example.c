// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// 20 s of readings at uneven intervals, simulated: the gyroscope reads (-12, 5, 20) °/s at rest. The device lies for 4 s, is turned
// about all axes and shaken until 14 s, and lies again, as at first but for 30° about its x axis.
#include <stdio.h>

#include "ocm_device.h"

// As a chip gives them: µs since the reading before, gyroscope in °/s / 16.4, accelerometer in g / 2048.
static const int16_t readings[][7] = {
#include "readings.inc"
};

static ocm_six filter;

int main(void) {
  const int count = sizeof readings / sizeof *readings;
  int32_t microseconds = 0, error = ocm_six_init(&filter, sizeof filter);
  for (int i = 0; i < count && error == OCM_OK; i++) {
    float rate[3], force[3];
    for (int axis = 0; axis < 3; axis++) {
      rate[axis] = (float)readings[i][1 + axis] * (0.017453293f / 16.4f);
      force[axis] = (float)readings[i][4 + axis] * (9.80665f / 2048);
    }
    microseconds += readings[i][0];
    error = ocm_six_gyroscope(&filter, rate, (int64_t)microseconds * 1000);
    if (error == OCM_OK) error = ocm_six_accelerometer(&filter, force, (int64_t)microseconds * 1000);
    if (i % 100 != 99) continue;
    ocm_motion motion;
    ocm_six_get(&filter, &motion);
    printf("%d ms, rest %d, bias", microseconds / 1000, (int)motion.rest);
    for (int axis = 0; axis < 3; axis++) printf(" %d", (int)(motion.bias[axis] * 57295.78f));
    printf(" m°/s, tilt +- %d m°, quaternion", (int)(motion.inclination_sd * 57295.78f));
    for (int k = 0; k < 4; k++) printf(" %d", (int)(motion.quaternion[k] * 1e9f));
    printf(" / 10^9\n");
  }
  return error;
}
