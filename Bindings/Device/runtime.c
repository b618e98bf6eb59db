// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// What the compiler calls on a processor without a library. None of these names leaves libocm-device.a.
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *to, const void *from, size_t size) {
  char *target = to;
  const char *source = from;
  if ((((uintptr_t)to | (uintptr_t)from) & 3) == 0) {
    for (; size >= 4; size -= 4, target += 4, source += 4) *(uint32_t *)(void *)target = *(const uint32_t *)(const void *)source;
  }
  while (size--) *target++ = *source++;
  return to;
}
void *memset(void *to, int byte, size_t size) {
  for (size_t i = 0; i < size; i++) ((char *)to)[i] = (char)byte;
  return to;
}

// What nobody calls in the end: objects and hashes of Swift's name them.
int posix_memalign(void **memory, size_t alignment, size_t size) { return (void)memory, (void)alignment, (void)size, 12; }
void free(void *memory) { (void)memory; }
void arc4random_buf(void *memory, size_t size) { memset(memory, 0, size); }

#ifdef __arm__
#define SOFT __attribute__((pcs("aapcs")))  // ARM's run-time ABI passes floats in integer registers
#define COPY(suffix) void __aeabi_memcpy##suffix(void *to, const void *from, size_t size) { memcpy(to, from, size); }
#define CLEAR(suffix) void __aeabi_memclr##suffix(void *to, size_t size) { memset(to, 0, size); }
COPY() COPY(4) COPY(8) CLEAR() CLEAR(4) CLEAR(8)

// To the nearest, ties to even: of 64 bits, 24 remain, and one for what is below.
SOFT float __aeabi_l2f(int64_t whole) {
  uint64_t size = whole < 0 ? -(uint64_t)whole : (uint64_t)whole;
  float scale = 1;
  while (size >> 30) {
    size = size >> 1 | (size & 1);
    scale *= 2;
  }
  return (whole < 0 ? -scale : scale) * (float)(uint32_t)size;
}
SOFT int64_t __aeabi_f2lz(float x) {
  float size = x < 0 ? -x : x;
  uint32_t high = (uint32_t)(size * 0x1p-32f);
  int64_t whole = (int64_t)high << 32 | (uint32_t)(size - (float)high * 0x1p32f);
  return x < 0 ? -whole : whole;
}
#endif
