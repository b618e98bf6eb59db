// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// One number for every bit that the filter and the estimator of activities give for trials of the BROAD layout (17 floats a row: rad/s, m/s², µT, truth).
// Scripts/check-bits.sh compares it between machines.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ocm.h"

#define ROWS 512

static uint64_t hash = 1469598103934665603u;  // FNV-1a, 64 bits

static void add(const void *bytes, int64_t count) {
  for (int64_t i = 0; i < count; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
}

// The sign of a NaN is the machine's choice.
static void add_numbers(double *numbers, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    if (numbers[i] != numbers[i]) numbers[i] = 12345;
  }
  add(numbers, count * 8);
}

// Runs a filter of one of four kinds over a trial; returns the hash of all outputs so far, or 0.
static uint64_t hash_trial(const float *rows, int64_t count, double rate, int32_t kind) {
  static double numbers[21 * ROWS];
  static uint8_t marks[3 * ROWS];
  static int64_t times[ROWS];
  ocm_parameters parameters;
  ocm_filter *filter;
  if (ocm_parameters_init(&parameters, sizeof parameters)) return 0;
  parameters.uses_magnetometer = kind & 1;
  parameters.magnetometer_is_calibrated = kind & 2;
  parameters.order = kind & 2 ? OCM_GAM : OCM_AGM;
  parameters.magnetometer_unit = 1e-6;
  if (ocm_create(&parameters, NULL, &filter)) return 0;
  double *d = numbers;
  ocm_output output = {
      .quaternion = {d, 32, 8}, .gravity = {d + 4 * ROWS, 24, 8}, .user_acceleration = {d + 7 * ROWS, 24, 8},
      .rate = {d + 10 * ROWS, 24, 8}, .bias = {d + 13 * ROWS, 24, 8}, .bias_sd = {d + 16 * ROWS, 24, 8},
      .heading_sd = {d + 19 * ROWS, 8, 8}, .inclination_sd = {d + 20 * ROWS, 8, 8},
      .rest = {marks, 1}, .heading_known = {marks + ROWS, 1}, .disturbed = {marks + 2 * ROWS, 1}};
  for (int64_t start = 0; start < count; start += ROWS) {
    int64_t n = count - start < ROWS ? count - start : ROWS;
    const float *r = rows + 17 * start;
    for (int64_t i = 0; i < 21 * ROWS; i++) numbers[i] = 0;
    for (int64_t i = 0; i < 3 * ROWS; i++) marks[i] = 0;
    for (int64_t i = 0; i < n; i++) times[i] = (int64_t)((double)(start + i) * 1e9 / rate + 0.5);
    ocm_input input = {.time = times, .time_stride = 8, .gyroscope = {r, r + 1, r + 2, 68, OCM_FLOAT},
                       .accelerometer = {r + 3, r + 4, r + 5, 68, OCM_FLOAT},
                       .magnetometer = {r + 6, r + 7, r + 8, 68, OCM_FLOAT}};
    if (ocm_update(filter, n, &input, &output)) return 0;
    add_numbers(numbers, 21 * ROWS);
    add(marks, 3 * ROWS);
  }
  ocm_learned learned = {.size = sizeof learned};
  if (ocm_get_learned(filter, &learned)) return 0;
  add_numbers(learned.gyroscope_bias, 13 + 91);
  add_numbers(learned.hard_iron, 6);
  ocm_destroy(filter);
  return hash;
}

// A period of 1 between -1 and 1, from sums and products alone.
static double wave(double phase) {
  double part = phase - (double)(int64_t)phase;
  double x = part < 0.5 ? 4 * part - 1 : 3 - 4 * part;
  return x * (1.5 - 0.5 * x * x);
}

// Runs the estimator of steps and activities, on a trial to which 40 s of walking upstairs are added in each minute.
static uint64_t hash_activity(const float *rows, int64_t count, double rate, int32_t placement) {
  static double forces[3 * ROWS], air[ROWS];
  static int64_t times[ROWS];
  static union {
    ocm_step_epoch epochs[ROWS];
    ocm_step_event events[ROWS];
    ocm_activity_span spans[ROWS];
    ocm_activity_share shares[ROWS];
  } lists;
  ocm_activity_parameters parameters;
  ocm_activity *activity;
  if (ocm_activity_parameters_init(&parameters, sizeof parameters)) return 0;
  parameters.placement = placement;
  if (ocm_activity_create(&parameters, &activity)) return 0;
  for (int64_t start = 0; start < count; start += ROWS) {
    int64_t n = count - start < ROWS ? count - start : ROWS;
    for (int64_t i = 0; i < n; i++) {
      double seconds = (double)(start + i) / rate;
      double size = (int64_t)seconds % 60 < 40 ? 1 : 0;
      times[i] = (int64_t)(seconds * 1e9 + 0.5);
      for (int64_t axis = 0; axis < 3; axis++) forces[3 * i + axis] = (double)rows[17 * (start + i) + 3 + axis] * (1 - 0.8 * size);
      forces[3 * i] += size * wave(0.95 * seconds);
      forces[3 * i + 2] += size * (8 + 3 * wave(1.9 * seconds) + 1.5 * wave(3.8 * seconds + 0.16));
      air[i] = 101325 - 2.5 * seconds;
    }
    ocm_input input = {.time = times, .time_stride = 8, .accelerometer = {forces, forces + 1, forces + 2, 24, OCM_DOUBLE}};
    ocm_pressure pressure = {.count = n, .time = times, .time_stride = 8, .value = air, .value_stride = 8};
    if (ocm_activity_update(activity, n, &input, &pressure)) return 0;
  }
  if (ocm_activity_finish(activity)) return 0;
  ocm_activity_summary summary = {.size = sizeof summary};
  if (ocm_activity_get_summary(activity, &summary) || summary.steps.value < 10 || !summary.has_floors) return 0;
  add_numbers(&summary.duration, 16);
  int64_t found;
#define ADD(items) \
  if (ocm_activity_get_##items(activity, sizeof *lists.items, ROWS, lists.items, &found) || found > ROWS) return 0; \
  add(lists.items, found * (int64_t)sizeof *lists.items);
  ADD(epochs) ADD(events) ADD(spans) ADD(shares)
  ocm_activity_destroy(activity);
  return hash;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    if (file == NULL) return perror(argv[i]), 1;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    float *rows = malloc(size);
    if (rows == NULL || fread(rows, 1, size, file) != (size_t)size) return perror(argv[i]), 1;
    fclose(file);
    // A filter of each of four kinds, and an estimator at each of three places.
    for (int32_t kind = 0; kind < 7; kind++) {
      if ((kind < 4 ? hash_trial : hash_activity)(rows, size / 68, 2000.0 / 7, kind & 3) == 0) return fprintf(stderr, "%s: refused.\n", argv[i]), 1;
    }
    free(rows);
  }
  printf("%016" PRIx64 "\n", hash);
}
