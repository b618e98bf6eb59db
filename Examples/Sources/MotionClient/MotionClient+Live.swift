// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionStreams

extension MotionClient {
  /// The sensors of this device. This is the whole of it: no manager to keep by name, no delegate, no queue, no state.
  static let live = MotionClient(
    deviceMotion: { MotionUpdates.device($0, every: $1) },
    accelerometer: { MotionUpdates.accelerometer(every: $0) },
    gyroscope: { MotionUpdates.gyroscope(every: $0) },
    magnetometer: { MotionUpdates.magnetometer(every: $0) },
    headphoneMotion: { MotionUpdates.headphones() },
    headphoneStatus: { MotionUpdates.headphoneStatus() },
    steps: { MotionUpdates.steps(since: $0, buffering: .newest(1)) },
    activity: { MotionUpdates.activity() },
    relativeAltitude: { MotionUpdates.relativeAltitude() })

  /// A device without sensors, to start a test from: every stream throws at once.
  static let missing = MotionClient(
    deviceMotion: { _, _ in nothing() }, accelerometer: { _ in nothing() }, gyroscope: { _ in nothing() },
    magnetometer: { _ in nothing() }, headphoneMotion: { nothing() }, headphoneStatus: { nothing() },
    steps: { _ in nothing() }, activity: { nothing() }, relativeAltitude: { nothing() })

  /// Device motion that a test or a preview writes down; nothing else is there.
  static func scripted(_ motions: [DeviceMotion]) -> MotionClient {
    var client = MotionClient.missing
    client.deviceMotion = { _, _ in MotionStream(motions) }
    return client
  }

  private static func nothing<Sample>() -> MotionStream<Sample> {
    MotionStream([], endingWith: MotionError(CMErrorNotAvailable, "This client has no such service."))
  }
}
