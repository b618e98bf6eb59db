// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// A wall clock that is moved while a program runs (LD_PRELOAD): by as many seconds as the file of CLOCK_OFFSET says now, eight bytes.
// Other clocks are left alone, as by a person who sets the time. Scripts/long-runs.py builds it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <sys/time.h>
static volatile long long *offset;
__attribute__((constructor)) static void start(void) {
  int file = open(getenv("CLOCK_OFFSET"), O_RDONLY);
  void *memory = mmap(0, 8, PROT_READ, MAP_SHARED, file, 0);
  if (memory != MAP_FAILED) offset = memory;
}
int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  if (clock == CLOCK_REALTIME && offset) time->tv_sec += *offset;
  return result;
}
int gettimeofday(struct timeval *time, void *zone) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
