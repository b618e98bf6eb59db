// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// What the Swift files of this folder see. The functions of the C library are declared here because a target without an
// operating system has no header for them.
#include "ocm.h"

void *malloc(size_t size);
int posix_memalign(void **memory, size_t alignment, size_t size);
void free(void *memory);
