// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionStreams

/// A feature of an app: how far the device is tilted against the pose in which it was when the feature appeared.
///
/// Its state is a value and its changes are actions, so it fits an architecture of stores and reducers as it is.
struct TiltFeature: Sendable {
  enum Action: Equatable, Sendable {
    case moved(DeviceMotion)
    case failed(String)
  }

  private(set) var start: Attitude?
  /// Radians, 0…π.
  private(set) var tilt = 0.0
  private(set) var samples = 0
  private(set) var problem: String?

  mutating func reduce(_ action: Action) {
    switch action {
    case .moved(let motion):
      samples += 1
      let start = start ?? motion.attitude
      self.start = start
      let turned = motion.attitude.relative(to: start)
      tilt = 2 * acos(min(1, abs(turned.w)))
    case .failed(let sentence): problem = sentence
    }
  }

  /// Runs until the samples end or the task is cancelled, on the actor of its caller.
  static func follow(
    _ client: MotionClient, isolation: isolated (any Actor)? = #isolation, send: (Action) -> Void
  ) async {
    do {
      for try await motion in client.deviceMotion(.xArbitrary, .milliseconds(20)) { send(.moved(motion)) }
    } catch {
      send(.failed(error.sentence))
    }
  }
}
