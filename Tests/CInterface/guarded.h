// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// What the parts of guarded.c share: places at the end of a page, expectations, and the hash of all results.
#pragma once
#include <ocm.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// The function that is tried.
extern const char *subject;
extern long results, by_code[16];
extern uint64_t hash;

// Ends the program, with the sentence, unless it is true.
void expect(bool is_true, const char *sentence);
void add_result(int32_t error);
void add_bytes(const void *bytes, size_t count);

// Memory of `size` bytes before an inaccessible page; the bytes in front of it are known ones.
enum { PLACES = 25, PLACE_BYTES = 1 << 17 };
void make_places(void);
unsigned char *place(size_t number, size_t size);
// The 64 bytes in front of it are as they were.
void expect_untouched(size_t number, size_t size);

void call_at_random(uint64_t seed, long wanted);
