// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Swift Testing tells the compiler to import this module into each file that imports both Testing and CoreGraphics.
// On Linux the toolchain has none; there is nothing to attach to a test here.
