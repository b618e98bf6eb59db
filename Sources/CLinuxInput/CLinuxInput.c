// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#include "CLinuxInput.h"

// What the Swift side takes for granted of the kernel's layouts, on every architecture that this is compiled for.
_Static_assert(sizeof(struct input_event) == 2 * sizeof(long) + 8, "two words of time, type, code, value");
_Static_assert(__builtin_offsetof(struct input_event, type) == 2 * sizeof(long), "type follows the time");
_Static_assert(__builtin_offsetof(struct input_event, value) == 2 * sizeof(long) + 4, "value follows type and code");
_Static_assert(sizeof(struct input_absinfo) == 24, "six numbers of 32 bits");
