// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// The few functions of libm that the mathematics needs, through the compiler's builtins: no system header is included,
// so the same file serves Linux and bare-metal ARM.
#pragma once

static inline double motion_sin(double x) { return __builtin_sin(x); }
static inline double motion_cos(double x) { return __builtin_cos(x); }
static inline double motion_tan(double x) { return __builtin_tan(x); }
static inline double motion_asin(double x) { return __builtin_asin(x); }
static inline double motion_acos(double x) { return __builtin_acos(x); }
static inline double motion_atan2(double y, double x) { return __builtin_atan2(y, x); }
static inline double motion_exp(double x) { return __builtin_exp(x); }
static inline double motion_log(double x) { return __builtin_log(x); }
static inline double motion_pow(double x, double y) { return __builtin_pow(x, y); }
static inline double motion_hypot(double x, double y) { return __builtin_hypot(x, y); }

static inline float motion_sinf(float x) { return __builtin_sinf(x); }
static inline float motion_cosf(float x) { return __builtin_cosf(x); }
static inline float motion_atan2f(float y, float x) { return __builtin_atan2f(y, x); }
static inline float motion_expf(float x) { return __builtin_expf(x); }
