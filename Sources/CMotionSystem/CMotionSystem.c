// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CMotionSystem.h"

#if defined(__linux__)
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

int64_t motion_monotonic_nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000LL + t.tv_nsec;
}

int motion_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int motion_ppoll(struct pollfd *descriptors, unsigned long count, int64_t limit) {
  struct timespec t = {limit / 1000000000LL, limit % 1000000000LL};
  return ppoll(descriptors, count, limit < 0 ? 0 : &t, 0);
}

void motion_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int motion_start_thread(void *(*body)(void *), void *context) {
  pthread_t thread;
  int code = pthread_create(&thread, NULL, body, context);
  if (code == 0) pthread_detach(thread);
  return code;
}

static pthread_key_t trap_text;
static const void *dispatch;
// An illegal instruction on x86, a breakpoint on ARM, and what was installed for them.
static const int traps[] = {SIGILL, SIGTRAP};
static struct sigaction before[2];

// The beginning of the file that an address was loaded from.
static const void *file_of(const void *address) {
  Dl_info info;
  return address != NULL && dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

// Only what a signal handler may do: no allocation, no lock; everything used has been made before.
static void report(int signal, siginfo_t *info, void *context) {
  (void)context;
  const char *text = pthread_getspecific(trap_text);
  ssize_t written = text != NULL && file_of(info->si_addr) == dispatch ? write(STDERR_FILENO, text, strlen(text)) : 0;
  (void)written;  // There is no one to report a failure to.
  sigaction(signal, &before[signal == SIGTRAP], NULL);
}

int motion_watch_traps(void) {
  dispatch = file_of(dlsym(RTLD_DEFAULT, "dispatch_assert_queue"));
  if (dispatch == NULL || dispatch == file_of((const void *)report)) return 0;
  if (pthread_key_create(&trap_text, NULL) != 0) return 0;
  struct sigaction action = {.sa_sigaction = report, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  for (int index = 0; index < 2; index++) sigaction(traps[index], &action, &before[index]);
  return 1;
}

const char *motion_trap_text(const char *text) {
  const char *outer = pthread_getspecific(trap_text);
  pthread_setspecific(trap_text, text);
  return outer;
}
#endif
