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

typedef struct {
  int (*open_system)(sd_bus **bus);
  int (*create)(sd_bus **bus);
  int (*set_address)(sd_bus *bus, const char *address);
  int (*set_bus_client)(sd_bus *bus, int is_client);
  int (*start)(sd_bus *bus);
  void (*close)(sd_bus *bus);
  sd_bus *(*unref)(sd_bus *bus);
  int (*send)(sd_bus *bus, sd_bus_message *message, uint64_t *cookie);
  int (*process)(sd_bus *bus, sd_bus_message **message);
  int (*wait)(sd_bus *bus, uint64_t microseconds);

  int (*new_method_call)(sd_bus *bus, sd_bus_message **message, const char *destination, const char *path,
                         const char *interface, const char *member);
  sd_bus_message *(*message_unref)(sd_bus_message *message);
  int (*get_reply_cookie)(sd_bus_message *message, uint64_t *cookie);
  const motion_bus_error *(*get_error)(sd_bus_message *message);
  int (*peek_type)(sd_bus_message *message, char *type, const char **contents);
  int (*enter_container)(sd_bus_message *message, char type, const char *contents);
  int (*exit_container)(sd_bus_message *message);
  int (*read_basic)(sd_bus_message *message, char type, void *value);
  int (*skip)(sd_bus_message *message, const char *types);
} motion_bus_functions;

/// The functions of the installed library; NULL where it is not installed. Thread-safe.
const motion_bus_functions *motion_bus_load(void);

#endif
