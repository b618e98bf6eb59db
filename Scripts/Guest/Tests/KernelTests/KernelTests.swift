// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Testing

/// Everything that plugs devices in and out, one after another.
@Suite(.serialized) struct KernelTests {}
