// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Plain escaping closures, as on Apple's systems: neither @Sendable nor bound to an actor.

/// Receives steps, or an error.
public typealias CMPedometerHandler = (CMPedometerData?, (any Error)?) -> Void
/// Receives pauses and resumptions, or an error.
public typealias CMPedometerEventHandler = (CMPedometerEvent?, (any Error)?) -> Void

/// Receives the steps of a span of time, or an error.
@available(*, deprecated, message: "Use CMPedometer and CMPedometerHandler.")
public typealias CMStepQueryHandler = (Int, (any Error)?) -> Void
/// Receives the steps since the start and the time of the latest, or an error.
@available(*, deprecated, message: "Use CMPedometer and CMPedometerHandler.")
public typealias CMStepUpdateHandler = (Int, Date, (any Error)?) -> Void
