// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The functions of sd-bus (libsystemd) that are needed to call a method of a D-Bus service and to read its answer. The library is loaded
// at run time, so that neither a build nor a program without Bluetooth needs it. Prototypes from the manual pages sd-bus(3) and the pages
// of the functions; each returns a negative error number on failure.

#ifndef CSYSTEMBUS_H
#define CSYSTEMBUS_H

#include <stdint.h>

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;

typedef struct {
  const char *name;
  const char *message;
  int needs_free;
} motion_bus_error;

#define MOTION_BUS_FUNCTIONS(F)                                                                                        \
  F(int, sd_bus_open_system, (sd_bus **bus))                                                                           \
  F(int, sd_bus_new, (sd_bus **bus))                                                                                   \
  F(int, sd_bus_set_address, (sd_bus *bus, const char *address))                                                       \
  F(int, sd_bus_set_bus_client, (sd_bus *bus, int is_client))                                                          \
  F(int, sd_bus_start, (sd_bus *bus))                                                                                  \
  F(void, sd_bus_close, (sd_bus *bus))                                                                                 \
  F(sd_bus *, sd_bus_unref, (sd_bus *bus))                                                                             \
  F(int, sd_bus_send, (sd_bus *bus, sd_bus_message *message, uint64_t *cookie))                                        \
  F(int, sd_bus_process, (sd_bus *bus, sd_bus_message **message))                                                      \
  F(int, sd_bus_wait, (sd_bus *bus, uint64_t microseconds))                                                            \
  F(int, sd_bus_message_new_method_call,                                                                               \
    (sd_bus *bus, sd_bus_message **message, const char *destination, const char *path, const char *interface,          \
     const char *member))                                                                                              \
  F(sd_bus_message *, sd_bus_message_unref, (sd_bus_message *message))                                                 \
  F(int, sd_bus_message_get_reply_cookie, (sd_bus_message *message, uint64_t *cookie))                                 \
  F(const motion_bus_error *, sd_bus_message_get_error, (sd_bus_message *message))                                     \
  F(int, sd_bus_message_peek_type, (sd_bus_message *message, char *type, const char **contents))                       \
  F(int, sd_bus_message_enter_container, (sd_bus_message *message, char type, const char *contents))                   \
  F(int, sd_bus_message_exit_container, (sd_bus_message *message))                                                     \
  F(int, sd_bus_message_read_basic, (sd_bus_message *message, char type, void *value))                                 \
  F(int, sd_bus_message_skip, (sd_bus_message *message, const char *types))

// As MOTION_POINTER of CMotionLibrary.h: this header is also read alone, without the other target's folder.
#define MOTION_BUS_POINTER(result, name, arguments) result(*name) arguments;
typedef struct {
  MOTION_BUS_FUNCTIONS(MOTION_BUS_POINTER)
} motion_bus_functions;

/// The functions of the installed library; NULL where it is not installed. Thread-safe.
const motion_bus_functions *motion_bus_load(void);

#endif
