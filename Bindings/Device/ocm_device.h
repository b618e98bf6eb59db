// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// The orientation filter for a device of your own: a reading at a time, single precision, no memory but what you give, no library behind
// it. libocm-device.a is for armv7em with an FPU (hard float ABI) and for this computer: both give the same bits. example.c is a program.
//
//   static ocm_six filter;
//   ocm_six_init(&filter, sizeof filter);
//   ocm_six_gyroscope(&filter, rate, time);        // each reading when it comes, in order of time
//   ocm_six_accelerometer(&filter, force, time);
//   ocm_six_get(&filter, &motion);
//
// Units are SI, axes are the device's, right-handed: rad/s, m/s² (specific force: +9.81 on the axis that points up at rest), tesla,
// nanoseconds of any origin. Intervals may vary, readings may be missing, the gyroscope's bias may be 20 °/s.
//
// A function returns OCM_OK or an OCM_ERROR of ocm.h; a reading with an error is left out. OCM_ERROR_TIME: it is earlier than the one
// before; one by more than a second earlier is a clock that was set back, which the filter follows.
#pragma once
#include "ocm.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bytes of a filter.
enum { OCM_SIX_SIZE = 3136, OCM_NINE_SIZE = 8400 };

// Gyroscope and accelerometer; with a magnetometer besides. The azimuth of six axes counts from the start.
typedef struct { int32_t state[OCM_SIX_SIZE / 4] __attribute__((aligned(16))); } ocm_six;
typedef struct { int32_t state[OCM_NINE_SIZE / 4] __attribute__((aligned(16))); } ocm_nine;

typedef struct {
  float quaternion[4];    // w, x, y, z, device to east-north-up; NaN before the first usable specific force
  float rate[3];          // rad/s, bias removed
  float bias[3];          // rad/s, the gyroscope's reading at rest
  float inclination_sd;   // rad
  float heading_sd;       // rad; of six axes that of the azimuth since the start
  int32_t rest;           // 1: at rest
  int32_t heading_known;  // 1: the azimuth counts from magnetic north
} ocm_motion;

// `size`: that of your structure. OCM_ERROR_SIZE: the header is of another version.
int32_t ocm_six_init(ocm_six *filter, int32_t size);
int32_t ocm_six_gyroscope(ocm_six *filter, const float rate[3], int64_t time);
int32_t ocm_six_accelerometer(ocm_six *filter, const float force[3], int64_t time);
int32_t ocm_six_get(const ocm_six *filter, ocm_motion *motion);

int32_t ocm_nine_init(ocm_nine *filter, int32_t size);
int32_t ocm_nine_gyroscope(ocm_nine *filter, const float rate[3], int64_t time);
int32_t ocm_nine_accelerometer(ocm_nine *filter, const float force[3], int64_t time);
// As read: the device's own field is found.
int32_t ocm_nine_magnetometer(ocm_nine *filter, const float field[3], int64_t time);
int32_t ocm_nine_get(const ocm_nine *filter, ocm_motion *motion);

#ifdef __cplusplus
}
#endif
