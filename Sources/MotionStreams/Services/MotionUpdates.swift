// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Every service of Core Motion as a stream of values; the same source on an iPhone, a watch and Linux.
///
/// ```swift
/// import MotionStreams
///
/// for try await motion in MotionUpdates.device() {
///   print(motion.attitude.pitch, motion.userAcceleration.length)
/// }
/// ```
///
/// | stream | what it delivers | where |
/// |---|---|---|
/// | `device` | attitude, rotation, gravity, user acceleration | iPhone, watch, Vision Pro, Linux |
/// | `accelerometer`, `gyroscope` | the sensors | the same |
/// | `magnetometer` | the sensor | iPhone, watch, Linux |
/// | `headphones`, `headphoneStatus`, `headphoneActivity` | the head, the connection, what the wearer does | iPhone, watch, Mac, Linux |
/// | `steps`, `walkingEvents`, `activity` | the person | iPhone, watch, Linux |
/// | `relativeAltitude`, `absoluteAltitude` | the height | iPhone, watch, Linux |
/// | `water` | submersion, depth, temperature | iPhone, watch, Vision Pro, Linux |
/// | `accelerometerBatches`, `deviceMotionBatches` | about a second at once, 800 and 200 Hz | watch, Linux |
///
/// A service that this device does not have throws at once. ``MotionStream`` tells how a stream begins, ends and fails.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public enum MotionUpdates {}
