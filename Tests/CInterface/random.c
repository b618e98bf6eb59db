// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls of all functions of ocm.h with random arguments, and what guarded.h declares.
#define _DEFAULT_SOURCE
#include "guarded.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

const char *subject = "";
long results, by_code[16];
uint64_t hash = 1469598103934665603u;  // FNV-1a, 64 bits

void expect(bool is_true, const char *sentence) {
  if (is_true) return;
  fprintf(stderr, "%s, result %ld: not true that: %s.\n", subject, results, sentence);
  exit(1);
}

void add_bytes(const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
}

void add_result(int32_t error) {
  expect(error >= 0 && error <= OCM_ERROR_NEWER && ocm_message(error)[0] != 0, "an error of the header, with its sentence");
  results++;
  by_code[error]++;
  add_bytes(&error, 4);
}

// MARK: Places

static unsigned char *ends[PLACES];

void make_places(void) {
  for (size_t i = 0; i < PLACES; i++) {
    unsigned char *start = mmap(NULL, PLACE_BYTES + 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(start != MAP_FAILED && mprotect(start, PLACE_BYTES, PROT_READ | PROT_WRITE) == 0, "there is memory");
    ends[i] = start + PLACE_BYTES;
  }
}

unsigned char *place(size_t number, size_t size) {
  expect(number < PLACES && size + 64 <= PLACE_BYTES, "a place");
  memset(ends[number] - size - 64, 0xa5, 64);
  return ends[number] - size;
}

void expect_untouched(size_t number, size_t size) {
  for (size_t i = 1; i <= 64; i++) expect(ends[number][-(ptrdiff_t)(size + i)] == 0xa5, "nothing in front is written");
}

// MARK: Random arguments

static uint64_t state;

static uint64_t number(void) {
  state += 0x9e3779b97f4a7c15u;  // splitmix64
  uint64_t z = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
static bool one_in(uint64_t count) { return number() % count == 0; }

static double any_double(void) {
  static const double odd[] = {0, -0.0, 1, -1, NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, 1e-300, 1e150, 9.81, 1e9, 9.3e18, 1e-9};
  uint64_t bits = number();
  double random;
  memcpy(&random, &bits, 8);
  return one_in(4) ? odd[number() % (sizeof odd / sizeof *odd)] : one_in(8) ? random : (double)(number() % 4000) / 1000 - 2;
}

enum { MOST_ROWS = 48 };
static const int64_t strides[] = {8, 24, 40};

// A column of `count` numbers of 8 bytes whose last one ends at the end of a page; backwards, it is read from there.
static double *column(size_t where, int64_t count, int64_t *stride, bool is_backwards) {
  size_t bytes = count == 0 ? 0 : (size_t)((count - 1) * *stride + 8);
  unsigned char *start = place(where, bytes);
  if (is_backwards && count > 0) {
    start += (count - 1) * *stride;
    *stride = -*stride;
  }
  return (double *)start;
}

static ocm_vectors readings(size_t where, int64_t count, double up, bool is_hostile) {
  ocm_vectors v = {.stride = strides[number() % 3], .type = one_in(4) ? OCM_FLOAT : OCM_DOUBLE};
  const void *columns[3];
  bool is_backwards = one_in(4);
  int64_t stride = v.stride;
  for (size_t axis = 0; axis < 3; axis++) {
    stride = v.stride;
    double *first = column(where + axis, count, &stride, is_backwards);
    for (int64_t row = 0; row < count; row++) {
      double value = is_hostile ? any_double() : (axis == 2 ? up : 0) + 1e-3 * (double)(number() % 100);
      double *cell = (double *)((unsigned char *)first + row * stride);
      if (v.type == OCM_FLOAT) {
        float single = (float)value;
        memcpy(cell, &single, 4);
      } else {
        memcpy(cell, &value, 8);
      }
    }
    columns[axis] = first;
  }
  v.stride = stride;
  v.x = one_in(50) ? NULL : columns[0], v.y = columns[1], v.z = columns[2];
  if (one_in(50)) v.type = (int32_t)number();
  return v;
}

static const int64_t *times(size_t where, int64_t count, int64_t *stride, int64_t start, bool is_hostile) {
  *stride = strides[number() % 3];
  unsigned char *first = (unsigned char *)column(where, count, stride, one_in(5));
  for (int64_t row = 0; row < count; row++) {
    int64_t time = is_hostile && one_in(30) ? (int64_t)number() : (int64_t)((uint64_t)start + 10000000u * (uint64_t)row);
    memcpy(first + row * *stride, &time, 8);
  }
  return (const int64_t *)first;
}

static ocm_table table(size_t where, int64_t count, int64_t columns) {
  if (one_in(3)) return (ocm_table){0};
  int64_t row = 8 * columns;
  unsigned char *start = place(where, (size_t)(count * row));
  memset(start, 0, (size_t)(count * row));
  if (one_in(4) && count > 0) return (ocm_table){(double *)(start + (count - 1) * row), -row, 8};
  return (ocm_table){(double *)start, row, 8};
}

static ocm_flags flags(size_t where, int64_t count) { return (ocm_flags){one_in(3) ? NULL : place(where, (size_t)count), 1}; }

// MARK: Calls

static void call_filter(int64_t count, const ocm_input *input, bool is_hostile) {
  ocm_parameters parameters;
  subject = "a filter";
  add_result(ocm_parameters_init(&parameters, sizeof parameters));
  if (is_hostile) {
    double *numbers = &parameters.magnetometer_unit;
    int32_t *switches = &parameters.uses_magnetometer;
    for (int i = 0; i < 3; i++) numbers[number() % 6] = one_in(2) ? any_double() : fabs(any_double());
    for (int i = 0; i < 3; i++) switches[number() % 7] = (int32_t)(one_in(4) ? number() : number() % 3);
  }
  ocm_filter *filter, *copy;
  int32_t error = ocm_create(one_in(20) ? NULL : &parameters, NULL, &filter);
  add_result(error);
  if (error != OCM_OK) return expect(filter == NULL, "no filter after an error");
  ocm_learned learned = {.size = sizeof learned};
  for (int call = 0; call < 5; call++) {
    int64_t rows = one_in(30) ? (int64_t)(number() | 1u << 31) : count;
    if (rows > count) rows = -rows;
    ocm_output output = {.quaternion = table(12, count, 4), .gravity = table(13, count, 3), .bias_sd = table(14, count, 3),
                         .heading_sd = table(15, count, 1), .rest = flags(16, count)};
    const ocm_input *given = one_in(40) ? NULL : input;
    ocm_filter *who = one_in(60) ? NULL : filter;
    switch (number() % 8) {
      case 0: error = ocm_smooth(who, rows, given, one_in(20) ? NULL : &output); break;
      case 1: error = count > 0 ? ocm_state(who, &output) : OCM_OK; break;
      case 2: error = ocm_reset(who); break;
      case 3: error = ocm_get_learned(who, one_in(20) ? NULL : &learned); break;
      case 4:
        error = ocm_copy(who, &copy);
        ocm_destroy(copy);
        break;
      default: error = ocm_update(who, rows, given, one_in(9) ? NULL : &output);
    }
    add_result(error);
    if (output.quaternion.row > 0) add_bytes(output.quaternion.data, 32 * (size_t)count);
    int64_t row = ocm_error_row(filter);
    add_bytes(&row, 8);
  }
  // What was learned is taken back, also with numbers that cannot be.
  if (ocm_get_learned(filter, &learned) == OCM_OK) {
    if (is_hostile) (&learned.gyroscope_bias[0])[number() % 110] = any_double();
    add_bytes(&learned, sizeof learned);
    add_result(ocm_create(NULL, &learned, &copy));
    ocm_destroy(copy);
  }
  ocm_counts counts = {.size = sizeof counts};
  add_result(ocm_get_counts(filter, &counts));
  add_bytes(&counts, sizeof counts);
  ocm_destroy(filter);
}

static void call_activity(int64_t count, const ocm_input *input, bool is_hostile) {
  ocm_activity_parameters parameters;
  subject = "an activity";
  add_result(ocm_activity_parameters_init(&parameters, sizeof parameters));
  parameters.placement = (int32_t)(number() % 3), parameters.skips_missing = one_in(2);
  if (is_hostile && one_in(2)) {
    parameters.placement = (int32_t)number() % 4;
    parameters.height = any_double();
  }
  ocm_activity *activity;
  int32_t error = ocm_activity_create(one_in(20) ? NULL : &parameters, &activity);
  add_result(error);
  ocm_pressure pressure = {.count = one_in(20) ? (int64_t)number() | INT64_MIN : count};
  pressure.time = times(9, count, &pressure.time_stride, 0, is_hostile);
  pressure.value_stride = 8;
  double *air = column(10, count, &pressure.value_stride, false);
  for (int64_t row = 0; row < count; row++) air[row] = is_hostile ? any_double() : 101325;
  pressure.value = one_in(20) ? NULL : air;
  add_result(ocm_activity_update(activity, count, one_in(30) ? NULL : input, one_in(2) ? NULL : &pressure));
  if (!one_in(9)) add_result(ocm_activity_finish(activity));
  if (one_in(9)) add_result(ocm_activity_update(activity, count, input, NULL));
  ocm_activity_summary summary = {.size = sizeof summary};
  add_result(ocm_activity_get_summary(activity, &summary));
  if (error == OCM_OK) add_bytes(&summary, sizeof summary);
  int64_t found = ocm_activity_error_row(activity);
  add_bytes(&found, 8);
  ocm_activity_destroy(activity);
}

void call_at_random(uint64_t seed, long wanted) {
  state = seed;
  for (long last = results + wanted; results < last;) {
    bool is_hostile = one_in(2);
    int64_t count = (int64_t)(number() % MOST_ROWS);
    ocm_input input = {0};
    int64_t start = one_in(6) ? INT64_MAX - (int64_t)(number() % 1000000000) : one_in(6) ? INT64_MIN : 0;
    const int64_t *time = times(0, count, &input.time_stride, start, is_hostile);
    if (!one_in(30)) input.time = time;
    // A sensor that gives honest readings lets the calls come to the next one.
    input.gyroscope = readings(1, count, 0, is_hostile && one_in(2));
    input.accelerometer = readings(4, count, 9.81, is_hostile && one_in(2));
    if (one_in(2)) input.magnetometer = readings(22, count, 4e-5, is_hostile);
    if (one_in(4)) {
      call_activity(count, &input, is_hostile);
    } else {
      call_filter(count, &input, is_hostile);
    }
  }
}
