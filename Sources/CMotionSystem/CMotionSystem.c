// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CMotionSystem.h"
#include "CMotionLibrary.h"

#if defined(__linux__)
#include <dlfcn.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>

static int64_t nanoseconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000LL + t.tv_nsec;
}

int64_t motion_monotonic_nanoseconds(void) { return nanoseconds(CLOCK_MONOTONIC); }
int64_t motion_thread_cpu_nanoseconds(void) { return nanoseconds(CLOCK_THREAD_CPUTIME_ID); }
int64_t motion_process_cpu_nanoseconds(void) { return nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }

int motion_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int motion_ppoll(struct pollfd *descriptors, unsigned long count, int64_t limit) {
  struct timespec t = {limit / 1000000000LL, limit % 1000000000LL};
  return ppoll(descriptors, count, limit < 0 ? 0 : &t, 0);
}

void motion_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int motion_load(const char *library, const char *const *names, size_t count, void *table, size_t size) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL || size != count * sizeof(void *)) return 0;
  for (size_t index = 0; index < count; index++) {
    ((void **)table)[index] = dlsym(handle, names[index]);
    if (((void **)table)[index] == NULL) return 0;
  }
  return 1;
}
#endif
