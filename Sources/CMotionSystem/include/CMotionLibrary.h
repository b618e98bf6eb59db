// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Libraries that are loaded when they are first needed: no build needs them, nor a program that does without them.
//
// The functions of a library are a list, written once as a macro; from it come the struct of pointers and their names:
//
//   #define NOISE_FUNCTIONS(F) F(int, noise_open, (const char *)) F(void, noise_close, (int))
//   static struct { NOISE_FUNCTIONS(MOTION_POINTER) } noise;
//   static const char *const noise_names[] = {NOISE_FUNCTIONS(MOTION_NAME)};
//   … MOTION_LOAD("libnoise.so.1", noise_names, noise)
#pragma once
#include <stddef.h>

#define MOTION_POINTER(result, name, arguments) result(*name) arguments;
#define MOTION_NAME(result, name, arguments) #name,
#define MOTION_LOAD(library, names, table) \
  motion_load(library, names, sizeof names / sizeof names[0], &table, sizeof table)

/// Fills a struct of as many pointers as there are names with the functions of these names. False when the library or
/// one of them is not there. The library stays loaded.
int motion_load(const char *library, const char *const *names, size_t count, void *table, size_t size);
