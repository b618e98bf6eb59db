// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// What WebAssembly without a C library lacks: memory that is given out and not taken back, a source of seeds, which only hash tables
// would ask for, and a product of 128 bits, by which Swift sees that one of 64 bits overflows.
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

__int128 __multi3(__int128 a, __int128 b) {
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  uint64_t low = (x & UINT32_MAX) * (y & UINT32_MAX);
  uint64_t middle = (x >> 32) * (y & UINT32_MAX) + (low >> 32);
  uint64_t other = (x & UINT32_MAX) * (y >> 32) + (middle & UINT32_MAX);
  uint64_t high = (x >> 32) * (y >> 32) + (middle >> 32) + (other >> 32);
  high += x * (uint64_t)(b >> 64) + y * (uint64_t)(a >> 64);
  return (__int128)((unsigned __int128)high << 64 | (other << 32 | (low & UINT32_MAX)));
}
