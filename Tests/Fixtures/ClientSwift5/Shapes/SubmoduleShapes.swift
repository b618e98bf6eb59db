// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion.CMAccelerometer
import CoreMotion.CMAttitude
import CoreMotion.CMAuthorization
import CoreMotion.CMErrorDomain
import CoreMotion.CMGyro
import CoreMotion.CMMotionManager

// Parts of the module, as Apple's headers are parts of theirs: each brings the whole.

@MainActor
func submoduleShapes(_ runner: Runner) {
  runner.check("imports of parts of the module") {
    let manager = CMMotionManager()
    manager.accelerometerUpdateInterval = 0.5
    let date = Date()
    return manager.accelerometerUpdateInterval == 0.5 && CMAttitude().roll == 0 && date <= Date()
  }
}
