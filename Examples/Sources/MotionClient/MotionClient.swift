// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionStreams

/// What a feature knows of motion: one closure per service, each of which starts a stream.
///
/// A feature gets a client and never names Core Motion. An app passes `.live`, a test or a preview `.scripted`. Leaving
/// or cancelling the loop over a stream stops its sensor, so a client keeps no managers and needs no stop.
struct MotionClient: Sendable {
  var deviceMotion: @Sendable (AttitudeReference, Duration) -> MotionStream<DeviceMotion>
  var accelerometer: @Sendable (Duration) -> MotionStream<AccelerationSample>
  var gyroscope: @Sendable (Duration) -> MotionStream<RotationRateSample>
  var magnetometer: @Sendable (Duration) -> MotionStream<MagneticFieldSample>
  var headphoneMotion: @Sendable () -> MotionStream<DeviceMotion>
  var headphoneStatus: @Sendable () -> MotionStream<HeadphoneStatus>
  var steps: @Sendable (Date) -> MotionStream<Steps>
  var activity: @Sendable () -> MotionStream<MotionActivity>
  var relativeAltitude: @Sendable () -> MotionStream<RelativeAltitude>
}
