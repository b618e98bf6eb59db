// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in front of glibc's allocator and counts. glibc keeps its own functions reachable under the names __libc_….
#define _GNU_SOURCE
#include "AllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic long count;

static void note(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

long motion_allocation_count(void) { return atomic_load(&count); }

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t elements, size_t size) {
  note();
  return __libc_calloc(elements, size);
}

void *realloc(void *pointer, size_t size) {
  note();
  return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
  note();
  void *result = __libc_memalign(alignment, size);
  if (!result) return ENOMEM;
  *pointer = result;
  return 0;
}
