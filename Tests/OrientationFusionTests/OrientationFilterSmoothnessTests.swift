// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// Corrections come ten times a second; the output must not show it.
@Suite struct OrientationFilterSmoothnessTests {
  /// The largest change, rad, of the turn between samples from one sample to the next.
  struct Unevenness {
    private var previous: Rotation<Device, EastNorthUp>?
    private var step: Vector3<Device>?
    private(set) var largest = 0.0

    mutating func add(_ attitude: Rotation<Device, EastNorthUp>) {
      if let previous {
        let turn = (previous.inverse * attitude).rotationVector
        if let step { largest = max(largest, (turn - step).length) }
        step = turn
      }
      previous = attitude
    }
  }

  @Test(arguments: [false, true]) func atConstantSpinTheOutputHasNoSteps(usesMagnetometer: Bool) {
    var motion = SimulatedMotion(start: .turned(20, about: .xAxis))
    motion.rate = { _ in Vector3(x: 0.3, y: 0.2, z: 1) }
    // The accelerometer feels the swing, and corrects for it, rightly or not.
    motion.acceleration = { t in Vector3(x: 3 * Scalar.sin(4 * t), y: 2 * Scalar.sin(5 * t), z: 0) }
    motion.bias = Vector3(x: 0.004, y: -0.003, z: 0.005)
    motion.noise = (0, 0, 0)
    var filter = OrientationFilter(usesMagnetometer: usesMagnetometer)
    motion.run(&filter, seconds: 10)
    var (output, estimate) = (Unevenness(), Unevenness())
    motion.run(&filter, seconds: 20) { filter, _ in
      guard let attitude = filter.attitude, let inner = filter.state.attitude else { return }
      output.add(attitude)
      estimate.add(inner)
    }
    print("largest second difference: estimate \(estimate.largest), output \(output.largest) rad")
    // The corrections are there, and the output does not show where they begin.
    #expect(estimate.largest > 1e-3)
    #expect(output.largest < 0.1 * estimate.largest)
  }

  @Test func aCorrectionIsWholeOneBlockLater() {
    var motion = SimulatedMotion(start: .turned(20, about: .xAxis))
    motion.noise = (0, 0, 0)
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 10)
    #expect(motion.tiltError(filter) < 1e-3)
  }
}
