// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// The system calls of Linux that Swift does not see in a usable form, or not in one form of every C library. Nothing here has a policy.
#pragma once
#include <stdint.h>
#include "CLinuxInput.h"

struct pollfd;

/// CLOCK_MONOTONIC in nanoseconds.
int64_t motion_monotonic_nanoseconds(void);
/// A non-blocking, close-on-exec eventfd, or -1 with errno set.
int motion_eventfd(void);
/// ppoll with a relative time limit in nanoseconds; negative = none. Returns what ppoll returns.
int motion_ppoll(struct pollfd *descriptors, unsigned long count, int64_t nanoseconds);
/// Names the calling thread (15 bytes are kept).
void motion_name_thread(const char *name);
/// Runs `body` on a new detached thread. 0, or the error's number.
int motion_start_thread(void *(*body)(void *), void *context);

/// Watches the traps of this process from now on: one in libdispatch, on a thread that has a text, writes the text to standard error,
/// and the trap takes its usual way. 0 when libdispatch cannot be distinguished from the rest of the program, as in a statically linked one.
int motion_watch_traps(void);
/// Sets the calling thread's text, which stays where it is, or NULL; gives the one before.
const char *motion_trap_text(const char *text);
