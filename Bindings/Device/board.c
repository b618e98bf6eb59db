// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// What a program needs to run on qemu's mps2-an386, a Cortex-M4, with output and status by semihosting; board.ld has the addresses.
#include <stdarg.h>
#include <stdint.h>

int main(void);
extern uint32_t stack_end[], stack_top[];

static void call(uint32_t operation, const void *argument) {
  register uint32_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

// %d.
int printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  for (; *format; format++) {
    char text[12] = {*format}, *next = text;
    if (*format == '%' && *++format) {
      int number = va_arg(arguments, int);
      uint32_t size = number < 0 ? -(uint32_t)number : (uint32_t)number;
      next = text + 11;
      do *--next = '0' + size % 10;
      while (size /= 10);
      if (number < 0) *--next = '-';
    }
    call(4, next);
  }
  va_end(arguments);
  return 0;
}

static void start(void) {
  *(volatile uint32_t *)0xE000ED88 |= 15 << 20;  // the floating-point unit
  uint32_t status, *unused = stack_end;
  for (uint32_t *word = stack_end; word < (uint32_t *)&unused - 16; word++) *word = 0x5A5A5A5A;
  status = (uint32_t)main();
  while (*unused == 0x5A5A5A5A) unused++;
  printf("stack: %d bytes\n", (stack_top - unused) * 4);
  call(0x20, (uint32_t[]){0x20026, status});
}
static void fault(void) { call(0x20, (uint32_t[]){0x20026, 70}); }

__attribute__((section(".vectors"), used)) static const void *const vectors[] = {
    stack_top, (void *)start, (void *)fault, (void *)fault, (void *)fault, (void *)fault, (void *)fault};
