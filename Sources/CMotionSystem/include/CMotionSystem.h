// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// The system calls of Linux that Swift's Glibc overlay does not offer in a usable form. Nothing here has a policy.
#pragma once
#include <stdint.h>
#include "CMotionLibrary.h"
#include "CMotionTLS.h"

struct pollfd;

/// CLOCK_MONOTONIC in nanoseconds.
int64_t motion_monotonic_nanoseconds(void);
/// CPU time of the calling thread in nanoseconds.
int64_t motion_thread_cpu_nanoseconds(void);
/// CPU time of the process in nanoseconds.
int64_t motion_process_cpu_nanoseconds(void);
/// A non-blocking, close-on-exec eventfd, or -1 with errno set.
int motion_eventfd(void);
/// ppoll with a relative time limit in nanoseconds; negative = none. Returns what ppoll returns.
int motion_ppoll(struct pollfd *descriptors, unsigned long count, int64_t nanoseconds);
/// Names the calling thread (15 bytes are kept).
void motion_name_thread(const char *name);
