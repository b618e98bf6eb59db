// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Observation

/// The state of a view, without Combine: a view observes `pitch`, on Linux as on a phone.
@MainActor @Observable public final class TiltModel {
  /// Radians.
  public private(set) var pitch = 0.0

  @ObservationIgnored private let manager = CMMotionManager()

  public init() {}

  public func start() {
    manager.startDeviceMotionUpdates(to: .main) { [weak self] motion, _ in
      guard let pitch = motion?.attitude.pitch else { return }
      MainActor.assumeIsolated { self?.pitch = pitch }
    }
  }
}
