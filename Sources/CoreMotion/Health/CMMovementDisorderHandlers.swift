// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Plain escaping closures, as on Apple's systems: neither @Sendable nor bound to an actor. The arrays are not optional: empty
// beside an error.

/// Receives the minutes of dyskinesia of a span of time, oldest first, or an error.
public typealias CMDyskineticSymptomResultHandler = ([CMDyskineticSymptomResult], (any Error)?) -> Void
/// Receives the minutes of tremor of a span of time, oldest first, or an error.
public typealias CMTremorResultHandler = ([CMTremorResult], (any Error)?) -> Void
