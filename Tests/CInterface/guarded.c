// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Every function of ocm.h with memory that ends where a page does: a byte too far ends the program. First every structure and list at
// every size that a header might have had, then calls with random arguments: `guarded SEED CALLS`. The last line is a hash of all
// results; Scripts/test-c.sh compares it between this header and earlier ones.
#define _DEFAULT_SOURCE
#include "guarded.h"

#include <inttypes.h>
#include <stdlib.h>

static ocm_filter *filter;
static ocm_activity *activity;
static int32_t told_size;  // of ocm_parameters_init

// MARK: Structures

static int32_t create(void *p) {
  ocm_filter *made = filter;
  int32_t error = ocm_create(p, NULL, &made);
  expect((error == OCM_OK) == (made != NULL), "a filter exactly where there is no error");
  ocm_destroy(made);
  return error;
}
static int32_t create_learned(void *p) {
  ocm_filter *made;
  int32_t error = ocm_create(NULL, p, &made);
  ocm_destroy(made);
  return error;
}
static int32_t create_activity(void *p) {
  ocm_activity *made;
  int32_t error = ocm_activity_create(p, &made);
  ocm_activity_destroy(made);
  return error;
}
static int32_t init_parameters(void *p) { return ocm_parameters_init(p, told_size); }
static int32_t init_activity_parameters(void *p) { return ocm_activity_parameters_init(p, told_size); }
static int32_t get_counts(void *p) { return ocm_get_counts(filter, p); }
static int32_t get_learned(void *p) { return ocm_get_learned(filter, p); }
static int32_t get_activity_counts(void *p) { return ocm_activity_get_counts(activity, p); }
static int32_t get_summary(void *p) { return ocm_activity_get_summary(activity, p); }

// The first published size, the one of this header, whether the library reads it or writes it, and a way to make a good one.
static const struct {
  const char *name;
  int32_t first, full;
  bool is_read;
  int32_t (*make)(void *), (*call)(void *);
} structures[] = {
    {"ocm_create, parameters", 80, sizeof(ocm_parameters), true, init_parameters, create},
    {"ocm_create, learned", 888, sizeof(ocm_learned), true, get_learned, create_learned},
    {"ocm_activity_create, parameters", 24, sizeof(ocm_activity_parameters), true, init_activity_parameters, create_activity},
    {"ocm_parameters_init", 80, sizeof(ocm_parameters), false, NULL, init_parameters},
    {"ocm_activity_parameters_init", 24, sizeof(ocm_activity_parameters), false, NULL, init_activity_parameters},
    {"ocm_get_counts", 48, sizeof(ocm_counts), false, NULL, get_counts},
    {"ocm_get_learned", 888, sizeof(ocm_learned), false, NULL, get_learned},
    {"ocm_activity_get_counts", 48, sizeof(ocm_counts), false, NULL, get_activity_counts},
    {"ocm_activity_get_summary", 152, sizeof(ocm_activity_summary), false, NULL, get_summary},
};

static void try_structure(size_t index, int32_t size) {
  static unsigned char good[8192];
  int32_t first = structures[index].first, full = structures[index].full;
  subject = structures[index].name;
  told_size = full;
  memset(good, 0, sizeof good);
  memcpy(good, &full, 4);
  int32_t (*make)(void *) = structures[index].is_read ? structures[index].make : structures[index].call;
  if (make != NULL) expect(make(good) == OCM_OK, "a good one can be had");

  bool is_possible = size >= first && size <= 4096 && size % 8 == 0;
  // Of an impossible size only the four bytes that say it need to be there.
  size_t there = is_possible ? (size_t)size : size < 4 || size > 4096 ? 4 : (size_t)size;
  unsigned char *memory = place(0, there);
  if (structures[index].is_read) {
    memcpy(memory, good, there);
  } else {
    memset(memory, 0xee, there);
  }
  memcpy(memory, &size, 4);
  told_size = size;
  int32_t error = structures[index].call(memory);
  add_result(error);
  expect(error == (is_possible ? OCM_OK : OCM_ERROR_SIZE), "the sizes from the first one on are good, and no other");
  expect_untouched(0, there);
  if (!structures[index].is_read) {
    for (size_t i = 4; i < there; i++) {
      expect(memory[i] == (!is_possible ? 0xee : (int32_t)i < full ? good[i] : 0), "what there is room for, then zeros");
    }
    expect(memcmp(memory, &size, 4) == 0, "the size stays");
  } else if (is_possible && size > full) {
    memory[size - 1] = 1;
    expect(structures[index].call(memory) == OCM_ERROR_NEWER, "a field that is not known is not forgotten");
  }
}

// MARK: Lists

#define LIST(name, type) \
  static int32_t get_##name(int32_t size, int64_t capacity, void *items, int64_t *count) { \
    return ocm_activity_get_##name(activity, size, capacity, (type *)items, count); \
  }
LIST(epochs, ocm_step_epoch)
LIST(events, ocm_step_event)
LIST(spans, ocm_activity_span)
LIST(shares, ocm_activity_share)

static const struct {
  const char *name;
  int32_t first, full;
  int32_t (*get)(int32_t, int64_t, void *, int64_t *);
} lists[] = {
    {"ocm_activity_get_epochs", 80, sizeof(ocm_step_epoch), get_epochs}, {"ocm_activity_get_events", 16, sizeof(ocm_step_event), get_events},
    {"ocm_activity_get_spans", 24, sizeof(ocm_activity_span), get_spans}, {"ocm_activity_get_shares", 40, sizeof(ocm_activity_share), get_shares},
};

static void try_list(size_t index, int32_t size, int64_t capacity) {
  static unsigned char good[1 << 17];
  int32_t full = lists[index].full;
  subject = lists[index].name;
  int64_t *count = (int64_t *)place(1, 8), all;
  expect(lists[index].get(full, (int64_t)sizeof good / full, good, &all) == OCM_OK && all > 0, "there are some");
  bool is_possible = size >= lists[index].first && size <= 4096 && size % 8 == 0 && capacity >= 0;
  int64_t fitting = !is_possible ? 0 : capacity < all ? capacity : all;
  unsigned char *items = place(0, (size_t)(fitting * size));
  memset(items, 0xee, (size_t)(fitting * size));
  int32_t error = lists[index].get(size, capacity, items, count);
  add_result(error);
  expect(error == (is_possible ? OCM_OK : OCM_ERROR_SIZE), "the sizes from the first one on are good, and no other");
  expect_untouched(0, (size_t)(fitting * size));
  expect_untouched(1, 8);
  if (!is_possible) return;
  expect(*count == all, "how many there are");
  for (int64_t item = 0; item < fitting; item++) {
    for (int32_t i = 0; i < size; i++) {
      expect(items[item * size + i] == (i < full ? good[item * full + i] : 0), "what there is room for, then zeros");
    }
  }
  expect(lists[index].get(size, capacity, NULL, count) == OCM_OK && *count == all, "the number alone");
}

// A minute of walking, with an unmoving one before it, in all that is asked later.
static void prepare(void) {
  enum { ROWS = 6000 };
  static double force[3 * ROWS], rate[3 * ROWS], air[ROWS];
  static int64_t time[ROWS];
  for (int64_t i = 0; i < ROWS; i++) {
    double phase = (double)(i % 50) / 25 - 1;
    double size = i > ROWS / 2 && i < ROWS - 1000 ? 1 - phase * phase : 0;
    time[i] = i * 10000000;
    force[3 * i] = 2 * size * phase;
    force[3 * i + 2] = 9.81 + 9 * (size > 0 ? size - 0.66 : 0);
    rate[3 * i] = 0.01 + size * phase;
    air[i] = 101325;
  }
  ocm_input input = {.time = time, .time_stride = 8, .gyroscope = {rate, rate + 1, rate + 2, 24, OCM_DOUBLE},
                     .accelerometer = {force, force + 1, force + 2, 24, OCM_DOUBLE}};
  ocm_pressure pressure = {ROWS, time, 8, air, 8};
  ocm_activity_parameters parameters = {.size = sizeof parameters};
  subject = "a recording";
  expect(ocm_activity_parameters_init(&parameters, sizeof parameters) == OCM_OK, "parameters");
  expect(ocm_create(NULL, NULL, &filter) == OCM_OK && ocm_update(filter, ROWS, &input, NULL) == OCM_OK, "a filter");
  expect(ocm_activity_create(&parameters, &activity) == OCM_OK &&
             ocm_activity_update(activity, ROWS, &input, &pressure) == OCM_OK && ocm_activity_finish(activity) == OCM_OK,
         "an activity");
  const char *words = memcpy(place(0, 11), "left_wrist", 11);
  expect(ocm_placement(words) == OCM_WRIST && ocm_placement("AirPods") == OCM_HEAD && ocm_placement("iPhone15,2") == OCM_BODY &&
             ocm_placement("") == -1 && ocm_placement("phone, watch") == -1 && ocm_placement(NULL) == -1,
         "a placement is what the words say, if they say one");
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  long wanted = argc > 2 ? strtol(argv[2], NULL, 10) : 100000;
  make_places();
  prepare();
  static const int32_t odd[] = {INT32_MIN, -8, -1, 4088, 4096, 4097, 4104, INT32_MAX};
  for (size_t index = 0; index < sizeof structures / sizeof *structures; index++) {
    for (int32_t size = 0; size <= structures[index].full + 72; size++) try_structure(index, size);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) try_structure(index, odd[i]);
  }
  for (size_t index = 0; index < sizeof lists / sizeof *lists; index++) {
    static const int64_t capacities[] = {0, 1, 2, 1000, -1, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
      for (int32_t size = 0; size <= lists[index].full + 72; size++) try_list(index, size, capacities[i]);
    }
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) try_list(index, odd[i], 3);
  }
  long structured = results;
  call_at_random(seed, wanted);
  ocm_destroy(filter);
  ocm_activity_destroy(activity);
  printf("%ld calls with each size, %ld at random (seed %" PRIu64 "), by error:", structured, results - structured, seed);
  for (int code = 0; code <= OCM_ERROR_NEWER; code++) printf(" %d: %ld", code, by_code[code]);
  printf("\n%016" PRIx64 "\n", hash);
}
