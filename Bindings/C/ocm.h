// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// The orientation filter of OpenCoreMotion, its steps and its activities for C, and for every language that calls C.
//
//   ocm_parameters parameters;
//   ocm_parameters_init(&parameters, sizeof parameters);
//   ocm_filter *filter;
//   int32_t error = ocm_create(&parameters, NULL, &filter);
//   ...
//   ocm_input input = { .time = time, .time_stride = 8, .gyroscope = { gyr, gyr + 1, gyr + 2, 24, OCM_DOUBLE }, ... };
//   ocm_output output = { .quaternion = { q, 32, 8 } };               // what is not wanted stays null
//   error = ocm_update(filter, count, &input, &output);
//   if (error != OCM_OK) fprintf(stderr, "row %lld: %s\n", (long long)ocm_error_row(filter), ocm_message(error));
//   ocm_destroy(filter);
//
// Units are SI: rad/s, m/s² (specific force: +9.81 on the axis that points up at rest), tesla, nanoseconds. Quaternions are
// scalar first and lead from the device to east-north-up; without a magnetometer the azimuth is arbitrary. The same numbers
// in give the same bits out on every machine (x86-64, ARM64).
//
// No state is global. A filter may be used by one thread at a time; different filters need no lock. No function aborts,
// prints or allocates, except ocm_create, which allocates one block of memory, ocm_smooth, ocm_check, and those of ocm_activity,
// which keep lists that grow with what happens.
//
// Versions: a program that was compiled with an older header works with a newer library of the same OCM_VERSION_MAJOR.
// - Fields are only added, at the end of a structure that begins with its size, or whose size a function is told. The library
//   reads and writes no byte behind that size. A field that the program's header does not have is the default.
// - A program with a newer header works, too, as long as the fields that the library does not have are zero: else the call ends
//   with OCM_ERROR_NEWER. Of what it gets, these fields are zero.
// - A size that no header of this major version has had, or of more than 4096 bytes, is OCM_ERROR_SIZE.
// - ocm_vectors, ocm_input, ocm_table, ocm_flags, ocm_output, ocm_pressure and ocm_estimate have no size, and never change.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OCM_VERSION_MAJOR 1
#define OCM_VERSION_MINOR 0

// What a function returns; ocm_message has a sentence for each.
enum {
  OCM_OK = 0,
  OCM_ERROR_NULL = 1,        // a pointer that is needed is null
  OCM_ERROR_SIZE = 2,        // a structure's size or a count is impossible
  OCM_ERROR_PARAMETER = 3,   // a parameter is outside its range
  OCM_ERROR_MEMORY = 4,      // no memory
  OCM_ERROR_TIME = 5,        // a time is not later than the one before
  OCM_ERROR_GYROSCOPE = 6,   // a reading is not finite, or beyond 1000 rad/s
  OCM_ERROR_ACCELEROMETER = 7,  // a reading is not finite, or beyond 10000 m/s²
  OCM_ERROR_MAGNETOMETER = 8,   // a reading is not finite, or beyond 1 T
  OCM_ERROR_LEARNED = 9,     // learned numbers that cannot be those of a sensor
  OCM_ERROR_FINISHED = 10,   // rows after ocm_activity_finish
  OCM_ERROR_PRESSURE = 11,   // a pressure is not finite
  OCM_ERROR_NEWER = 12,      // a field is set that the library does not have
};

// The order of the readings within a row, and when the row of output is written. OCM_AGM, as motionctl
// fuse: accelerometer, gyroscope, output, magnetometer. OCM_GAM: gyroscope, accelerometer, magnetometer, output. OCM_MGA:
// magnetometer, gyroscope, accelerometer, output.
enum { OCM_GAM = 0, OCM_AGM = 1, OCM_MGA = 2 };

// The type of input columns.
enum { OCM_DOUBLE = 0, OCM_FLOAT = 1 };

typedef struct ocm_filter ocm_filter;

// Set by ocm_parameters_init to the defaults given here; then change what is known.
typedef struct {
  int32_t size;                      // of this structure, bytes
  int32_t uses_magnetometer;         // 1: nine axes, default; 0: six
  int32_t magnetometer_is_calibrated;  // 1: the readings hold no field of the device itself; default 0: it is estimated
  int32_t order;                     // of the readings within a row; default OCM_AGM
  int32_t skips_missing;             // 1: readings and times that are errors otherwise are left out and counted; 2: readings of three
                                     // NaN, and rows said twice, are; default 0
  int32_t is_headphone;              // 1: a head turns more than it moves; default 0
  int32_t zeros_are_missing;         // 1: a reading of the accelerometer or magnetometer of three zeros is none; default 0
  int32_t accelerometer_is_slower;   // 1: sensors have times of their own, and a reading of three NaN is none; default 0
  double magnetometer_unit;          // tesla per unit of the readings; default 1; 1e-6 for µT; 0: unknown, the first reading
                                     // counts as 25 to 50 µT, so that no digit is lost
  double gyroscope_delay;            // the age of a gyroscope reading at its time, s; default NaN: it stands for the interval that
                                     // ends there, as a chip averages, so half of that; 0: for that instant
  double gyroscope_range;            // largest reading, rad/s; default NaN: not known
  double gyroscope_bias_deviation;   // at the start, rad/s; default 0.026 (1.5 °/s)
  double accelerometer_bias_deviation;  // m/s²; default 0.08
  double time_stamp_deviation;       // s; default 0.0025
} ocm_parameters;

// Columns of readings: x, y and z each with the same stride in bytes. All null: there is no such sensor.
typedef struct {
  const void *x, *y, *z;
  int64_t stride;
  int32_t type;  // OCM_DOUBLE or OCM_FLOAT
} ocm_vectors;

// Rows in order of time. A magnetometer reading of three NaN is none: a sensor may be slower than the gyroscope.
typedef struct {
  const int64_t *time;  // ns of any origin
  int64_t time_stride;  // bytes
  ocm_vectors gyroscope, accelerometer, magnetometer;
} ocm_input;

// A table of results, its strides in bytes; null where it is not wanted.
typedef struct {
  double *data;
  int64_t row, column;
} ocm_table;

typedef struct {
  uint8_t *data;
  int64_t row;
} ocm_flags;

// A row of output for each row of input: the state after it. Quaternion, gravity and user acceleration are NaN before the first
// usable specific force.
typedef struct {
  ocm_table quaternion;         // 4: w, x, y, z, device to east-north-up
  ocm_table gravity;            // 3: m/s², device axes; (0, 0, -9.80665) face up
  ocm_table user_acceleration;  // 3: m/s², device axes: specific force + gravity; NaN in a row without accelerometer
  ocm_table rate;               // 3: rad/s, device axes, bias removed
  ocm_table bias;               // 3: rad/s, the gyroscope's reading at rest
  ocm_table bias_sd;            // 3: rad/s
  ocm_table heading_sd;         // 1: rad; without magnetometer that of the azimuth since the start
  ocm_table inclination_sd;     // 1: rad
  ocm_flags rest;               // 1: at rest
  ocm_flags heading_known;      // 1: the azimuth counts from magnetic north
  ocm_flags disturbed;          // 1: the field points elsewhere, by more than 15°
} ocm_output;

// What has been learned about the sensors of one device: the numbers of `motionctl fuse --learn`, all in SI units.
typedef struct {
  int32_t size;                // of this structure, bytes
  int32_t has_magnetometer;    // 1: the fields from hard_iron on have a meaning
  double gyroscope_bias[3];
  double gyroscope_matrix[9];  // by rows: true rate = (1 + matrix) reading - bias
  double magnetometer_delay;   // s
  double covariance[91];       // of the 13 numbers before, on and right of the diagonal, by rows
  double hard_iron[3];
  double field_strength;
  double hard_iron_deviation;
  double magnetometer_accuracy;  // 0, 1 or 2
} ocm_learned;

// Rows that were left out of what ocm_update was given, with skips_missing.
typedef struct {
  int32_t size;  // of this structure, bytes
  int32_t reserved;
  int64_t rows, late, gyroscope, accelerometer, magnetometer;
} ocm_counts;

// OCM_VERSION_MAJOR * 65536 + OCM_VERSION_MINOR of the library.
int32_t ocm_version(void);
// A sentence in English; never null.
const char *ocm_message(int32_t error);

int32_t ocm_parameters_init(ocm_parameters *parameters, int32_t size);
// A filter, from the defaults where `parameters` is null, with what was learned on an earlier day unless `learned` is null.
int32_t ocm_create(const ocm_parameters *parameters, const ocm_learned *learned, ocm_filter **filter);
void ocm_destroy(ocm_filter *filter);
// As created: nothing learned in between is kept.
int32_t ocm_reset(ocm_filter *filter);

// Processes `count` rows. All are checked first: after an error nothing has changed, and ocm_error_row says where it is.
// `output` may be null.
int32_t ocm_update(ocm_filter *filter, int64_t count, const ocm_input *input, const ocm_output *output);
// Resets the filter and processes all rows of a recording; each row of output knows of the rows after it, too. What the smoother does
// not estimate (bias, rest, disturbed) is as from ocm_update. Needs memory: some 30 MB for readings at
// 300 Hz. Reset the filter before other rows.
int32_t ocm_smooth(ocm_filter *filter, int64_t count, const ocm_input *input, const ocm_output *output);
// The row, from 0, of the latest error of ocm_update or ocm_smooth; -1 when there is none.
int64_t ocm_error_row(const ocm_filter *filter);

// The state after the latest row: one row of output.
int32_t ocm_state(ocm_filter *filter, const ocm_output *output);
int32_t ocm_get_counts(const ocm_filter *filter, ocm_counts *counts);
// What this run and the ones before have learned, for ocm_create. OCM_ERROR_LEARNED before the first attitude.
int32_t ocm_get_learned(ocm_filter *filter, ocm_learned *learned);

// Another filter in the same state; free it with ocm_destroy.
int32_t ocm_copy(const ocm_filter *filter, ocm_filter **copy);

// Whether rows have the units, signs, axes and times that they are said to have, judged by the rows themselves; the page
// Python of the documentation says how, and what cannot be told. The same verdict as that of `motionctl` on the same rows.
enum { OCM_FINE = 0, OCM_WARNING = 1, OCM_IMPOSSIBLE = 2 };
// What is wrong.
enum {
  OCM_INTERVAL = 1,       // times: the usual interval, `measured` s, is none of a sensor
  OCM_FORCE_IS_ZERO = 2,  // accelerometer: nothing but zeros
  OCM_FORCE_IS_RATE = 3,  // it is exchanged with the gyroscope
  OCM_FORCE_UNIT = 4,     // `factor` units are one g
  OCM_FORCE_IS_FIELD = 5,   // as long as the earth's field in µT
  OCM_FORCE_IS_LINEAR = 6,  // gravity is missing; or another unit. `measured`: the length of its mean, of these six
  OCM_FORCE_LENGTH = 7,
  OCM_RATE_IS_CONSTANT = 8,   // gyroscope: never changes, while gravity turns
  OCM_RATE_IS_DIRECTION = 9,  // its length, `measured`, never changes, its direction does
  OCM_RATE_IS_TOO_FAST = 10,  // `measured` rad/s in half of the rows
  OCM_RATE_SCALE = 11,        // it has to be multiplied with `factor`; `measured`: its usual rate, rad/s
  OCM_INTERVAL_SCALE = 12,    // the intervals have to
  OCM_RATE_AXES = 13,         // it has the axes `axes`
  OCM_FIELD_LENGTH = 14,      // magnetometer: `measured` µT are not the earth's field
  OCM_FIELD_AXES = 15,        // it has the axes `axes`
  OCM_SIGN_BY_FIELD = 16,     // sign of the accelerometer: the field points `measured` rad above the horizon
  OCM_SIGN_BY_POSTURE = 17,   // the device lies face down in the share `measured` of the rows
};

typedef struct {
  int32_t size;       // of this structure, bytes
  int32_t level;      // OCM_FINE, OCM_WARNING: less likely than another reading; OCM_IMPOSSIBLE
  int32_t kind;       // the first of what is wrong; 0: nothing
  int32_t turns;      // 1: gravity turns in the device's axes, so that unit, sign and axes of the gyroscope were compared with it
  int32_t confirms_sign;  // 1: the magnetometer confirms the sign of the accelerometer
  int32_t axes[3];    // which column is the device's x, y, z: ±1, ±2, ±3
  double measured;
  double evidence;    // natural logarithm of the likelihood ratio of what explains the rows better; 0 where it is none
  double factor;
  double lever;       // m: of a warning that would be right, were the device turned about a point so far away
} ocm_verdict;

// Judges the rows of the first three minutes, 36,000 at most, in some 0.1 ms. `parameters`: uses of magnetometer_unit,
// magnetometer_is_calibrated and zeros_are_missing; null: the defaults. `sign_is_said`: the sign is not judged. Without gyroscope times and
// accelerometer alone are. Of `input` rows a NaN is no reading; nothing is an error of the call but null pointers and sizes.
int32_t ocm_check(
    const ocm_parameters *parameters, int32_t sign_is_said, int64_t count, const ocm_input *input, ocm_verdict *verdict);

// Steps and activities from an accelerometer, as `motionctl steps`:
//
//   ocm_activity *activity;
//   int32_t error = ocm_activity_create(NULL, &activity);
//   ocm_input input = { .time = time, .time_stride = 8, .accelerometer = { acc, acc + 1, acc + 2, 24, OCM_DOUBLE } };
//   error = ocm_activity_update(activity, count, &input, NULL);
//   error = ocm_activity_finish(activity);
//   ocm_activity_summary summary = { .size = sizeof summary };
//   error = ocm_activity_get_summary(activity, &summary);
//   ocm_activity_destroy(activity);
typedef struct ocm_activity ocm_activity;

// Where the device is worn: a phone in a pocket, hand or bag; a watch; headphones.
enum { OCM_BODY = 0, OCM_WRIST = 1, OCM_HEAD = 2 };
// The place that the name of a device, a column or a file says, in UTF-8: "Apple Watch", "left_wrist", "phone.csv", "head". −1: it
// says none, or two, and the body is only assumed.
int32_t ocm_placement(const char *words);

// What the person does: a sum of these; a car that waits is automotive and stationary. 0: motion that fits none.
enum { OCM_UNKNOWN = 1, OCM_STATIONARY = 2, OCM_WALKING = 4, OCM_RUNNING = 8, OCM_AUTOMOTIVE = 16, OCM_CYCLING = 32 };

// Set by ocm_activity_parameters_init to the defaults given here.
typedef struct {
  int32_t size;           // of this structure, bytes
  int32_t placement;      // default OCM_BODY
  int32_t skips_missing;  // as of ocm_parameters; default 0
  int32_t reserved;
  double height;          // of the person, 0.5 to 2.5 m; default NaN: not known, 1.7 serves
} ocm_activity_parameters;

// Readings of a barometer in order of time, Pa; they may be fewer or more than those of the accelerometer.
typedef struct {
  int64_t count;
  const int64_t *time;  // ns
  int64_t time_stride;  // bytes
  const double *value;
  int64_t value_stride;
} ocm_pressure;

// A figure and the interval in which the true one is expected.
typedef struct {
  double value, low, high;
} ocm_estimate;

typedef struct {
  int32_t size;        // of this structure, bytes
  int32_t has_floors;  // 1: there was a barometer
  int64_t start, end;  // the first row and the last, ns
  double duration;     // from the first row to the last, s
  double covered;      // the same without stretches of more than 2 s without rows, s
  ocm_estimate steps;
  ocm_estimate distance;    // m; the interval holds the true one in 95 of 100 cases
  ocm_estimate floors_up, floors_down;  // floors of 3 m
  double active_time;  // walking and running, s
  double cadence;      // steps/s, mean while stepping; NaN without steps
} ocm_activity_summary;

// The steps of a few seconds. Epochs never overlap; where nobody steps there is none.
typedef struct {
  int64_t start, end;    // ns
  int64_t steps;
  double distance;       // m
  double distance_low, distance_high;  // 95 of 100 cases
  double distance_common_sd;  // m, what all steps of a person share: these add up from epoch to epoch
  double distance_variance;   // m², what differs from walk to walk: these add up as well
  double active_time;    // s
  int32_t floors_up, floors_down;
} ocm_step_epoch;

// A person who walked has stopped, or walks again.
typedef struct {
  int64_t time;        // when it was noticed, ns
  int32_t is_walking;  // 0: a pause
  int32_t reserved;
} ocm_step_event;

// An activity from its beginning to the next one.
typedef struct {
  double start, end;   // s from the first row
  int32_t activity;    // a sum of OCM_STATIONARY …
  int32_t confidence;  // 0 low, 1 medium, 2 high: the highest that was reached
} ocm_activity_span;

// The time of an activity in the whole, the longest first.
typedef struct {
  int32_t activity;
  int32_t spans;
  double seconds;        // with rows
  ocm_estimate minutes;
} ocm_activity_share;

int32_t ocm_activity_parameters_init(ocm_activity_parameters *parameters, int32_t size);
// From the defaults where `parameters` is null.
int32_t ocm_activity_create(const ocm_activity_parameters *parameters, ocm_activity **activity);
void ocm_activity_destroy(ocm_activity *activity);
// Processes `count` rows of time and accelerometer, 12 Hz or more; the other sensors of `input` are not read. `pressure` may be
// null. All rows are checked first: after an error nothing has changed, and ocm_activity_error_row says where it is.
int32_t ocm_activity_update(ocm_activity *activity, int64_t count, const ocm_input *input, const ocm_pressure *pressure);
// The rows are over: what is held back until it is certain is decided. What is known is asked for after it.
int32_t ocm_activity_finish(ocm_activity *activity);
int64_t ocm_activity_error_row(const ocm_activity *activity);
int32_t ocm_activity_get_counts(const ocm_activity *activity, ocm_counts *counts);
int32_t ocm_activity_get_summary(const ocm_activity *activity, ocm_activity_summary *summary);
// Lists into the caller's memory: `size` bytes an item, at most `capacity` of them; `count` gets how many there are. `items` may be
// null to ask for the number alone.
int32_t ocm_activity_get_epochs(
    const ocm_activity *activity, int32_t size, int64_t capacity, ocm_step_epoch *items, int64_t *count);
int32_t ocm_activity_get_events(
    const ocm_activity *activity, int32_t size, int64_t capacity, ocm_step_event *items, int64_t *count);
int32_t ocm_activity_get_spans(
    const ocm_activity *activity, int32_t size, int64_t capacity, ocm_activity_span *items, int64_t *count);
int32_t ocm_activity_get_shares(
    const ocm_activity *activity, int32_t size, int64_t capacity, ocm_activity_share *items, int64_t *count);

#ifdef __cplusplus
}
#endif
