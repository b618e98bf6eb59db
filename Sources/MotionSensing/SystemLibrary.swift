// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The one place that names a C library: glibc, musl (the static SDK for Linux) or Android's. A file that makes system
// calls imports this module, and writes `MotionSensing.read` where its own type has a `read`. What Swift sees of the
// libraries in different forms (threads, signals, requests of ioctl) is in the C targets.
#if canImport(Musl)
@_exported public import Musl
#elseif canImport(Android)
@_exported public import Android
#else
@_exported public import Glibc
#endif
