// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Writing to the log, as in `os`. There is no `OSLogStore`: the log is not kept by this module.

@_exported public import os
