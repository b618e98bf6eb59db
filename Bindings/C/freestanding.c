// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// What WebAssembly without a C library lacks: memory that is given out and not taken back, and a source of seeds, which only
// hash tables would ask for.
#include <stddef.h>
#include <stdint.h>

extern unsigned char __heap_base;
static uintptr_t next;

void *malloc(size_t size) {
  if (next == 0) next = (uintptr_t)&__heap_base;
  uintptr_t start = (next + 15) & ~(uintptr_t)15;
  uintptr_t end = start + size;
  uintptr_t pages = (end + 65535) / 65536;
  if (end < start) return NULL;
  if (pages > __builtin_wasm_memory_size(0) &&
      __builtin_wasm_memory_grow(0, pages - __builtin_wasm_memory_size(0)) == (size_t)-1) {
    return NULL;
  }
  next = end;
  return (void *)start;
}

void free(void *memory) { (void)memory; }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  uintptr_t start = (uintptr_t)malloc(size + alignment);
  *memory = start == 0 ? NULL : (void *)((start + alignment - 1) & ~(uintptr_t)(alignment - 1));
  return *memory == NULL ? 12 : 0;
}

void arc4random_buf(void *memory, size_t size) {
  for (size_t i = 0; i < size; i++) ((unsigned char *)memory)[i] = 4;
}
