// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Input-output controls of the Linux kernel that are macros in C and therefore invisible to Swift.

#ifndef CLINUXINPUT_H
#define CLINUXINPUT_H

#include "CLinuxI2C.h"

#endif
