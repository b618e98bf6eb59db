// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions live in the header; SwiftPM wants one source file in a C target.
#include "CMotionMath.h"
