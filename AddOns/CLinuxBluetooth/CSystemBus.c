// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#include "CSystemBus.h"

#include "CMotionLibrary.h"

#include <pthread.h>

static motion_bus_functions functions;
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *const names[] = {MOTION_BUS_FUNCTIONS(MOTION_NAME)};

static void load(void) { is_loaded = MOTION_LOAD("libsystemd.so.0", names, functions); }

const motion_bus_functions *motion_bus_load(void) {
  pthread_once(&once, load);
  return is_loaded ? &functions : NULL;
}
