// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#include "CSystemBus.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static motion_bus_functions functions;
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct {
  const char *name;
  size_t offset;
} symbols[] = {
    {"sd_bus_open_system", offsetof(motion_bus_functions, open_system)},
    {"sd_bus_new", offsetof(motion_bus_functions, create)},
    {"sd_bus_set_address", offsetof(motion_bus_functions, set_address)},
    {"sd_bus_set_bus_client", offsetof(motion_bus_functions, set_bus_client)},
    {"sd_bus_start", offsetof(motion_bus_functions, start)},
    {"sd_bus_close", offsetof(motion_bus_functions, close)},
    {"sd_bus_unref", offsetof(motion_bus_functions, unref)},
    {"sd_bus_send", offsetof(motion_bus_functions, send)},
    {"sd_bus_process", offsetof(motion_bus_functions, process)},
    {"sd_bus_wait", offsetof(motion_bus_functions, wait)},
    {"sd_bus_message_new_method_call", offsetof(motion_bus_functions, new_method_call)},
    {"sd_bus_message_unref", offsetof(motion_bus_functions, message_unref)},
    {"sd_bus_message_get_reply_cookie", offsetof(motion_bus_functions, get_reply_cookie)},
    {"sd_bus_message_get_error", offsetof(motion_bus_functions, get_error)},
    {"sd_bus_message_peek_type", offsetof(motion_bus_functions, peek_type)},
    {"sd_bus_message_enter_container", offsetof(motion_bus_functions, enter_container)},
    {"sd_bus_message_exit_container", offsetof(motion_bus_functions, exit_container)},
    {"sd_bus_message_read_basic", offsetof(motion_bus_functions, read_basic)},
    {"sd_bus_message_skip", offsetof(motion_bus_functions, skip)},
};

static void load(void) {
  void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  for (size_t index = 0; index < sizeof symbols / sizeof symbols[0]; index++) {
    void *symbol = dlsym(library, symbols[index].name);
    if (symbol == NULL) return;
    *(void **)((char *)&functions + symbols[index].offset) = symbol;
  }
  is_loaded = 1;
}

const motion_bus_functions *motion_bus_load(void) {
  pthread_once(&once, load);
  return is_loaded ? &functions : NULL;
}
