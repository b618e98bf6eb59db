// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import struct CoreMotion.CMAcceleration
import typealias CoreMotion.CMAccelerometerHandler
import enum CoreMotion.CMAuthorizationStatus
import var CoreMotion.CMErrorDomain
import class CoreMotion.CMMotionManager

// Only what is imported above, by name.

final class NamedImports {
  let manager = CoreMotion.CMMotionManager()
  let handler: CMAccelerometerHandler = { data, _ in _ = data }
  func status() -> CMAuthorizationStatus { CMMotionManager.authorizationStatus }
}

@MainActor
func importShapes(_ runner: Runner) {
  runner.check("imports by name") {
    let named = NamedImports()
    return named.status() == .authorized && named.manager.isAccelerometerAvailable && CMErrorDomain == "CMErrorDomain"
      && CMAcceleration(x: 1, y: 2, z: 3).z == 3
  }
}
