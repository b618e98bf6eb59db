// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Plain escaping closures, as on Apple's systems: neither @Sendable nor bound to an actor.

/// Receives activities as they change. There is no error argument.
public typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void
/// Receives the activities of a span of time, oldest first, or an error.
public typealias CMMotionActivityQueryHandler = ([CMMotionActivity]?, (any Error)?) -> Void
