// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Plain escaping closures, as on Apple's systems: neither @Sendable nor bound to an actor. Each receives (sample, nil) or
// (nil, error).

/// Receives accelerometer samples.
public typealias CMAccelerometerHandler = (CMAccelerometerData?, (any Error)?) -> Void
/// Receives gyroscope samples.
public typealias CMGyroHandler = (CMGyroData?, (any Error)?) -> Void
/// Receives magnetometer samples.
public typealias CMMagnetometerHandler = (CMMagnetometerData?, (any Error)?) -> Void
/// Receives device motion.
public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void
