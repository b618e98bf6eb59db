// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Allocations of the process so far; looked up by name when the library is preloaded.
long motion_allocation_count(void);
