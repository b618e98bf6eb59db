// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

extension SwingDetector {
  /// The rotation about gravity at one time.
  struct Rotation: Sendable, Hashable {
    var time: SensorInstant
    /// rad/s about the axis that points up.
    var rate: Double
  }

  /// The length of the specific force at one time, m/s².
  struct Magnitude: Sendable, Hashable {
    var time: SensorInstant
    var value: Double
  }

  /// A shock above the threshold.
  struct Impact: Sendable, Hashable {
    /// When the threshold was passed.
    var crossing: SensorInstant
    /// When the specific force was largest.
    var time: SensorInstant
    /// m/s².
    var peak: Double
    /// m/s², high-pass part.
    var shock: Double
  }

  /// The last inputs and outputs of the high pass, less the input that it began with.
  struct Filter: Sendable, Hashable {
    /// A constant input gives zero from the first sample on.
    let origin: Vector3<Device>
    var x1 = Vector3<Device>.zero
    var x2 = Vector3<Device>.zero
    var y1 = Vector3<Device>.zero
    var y2 = Vector3<Device>.zero

    mutating func pass(_ input: Vector3<Device>, _ c: Coefficients) -> Vector3<Device> {
      let x = input - origin
      let y = (x - x1 * 2 + x2) * c.b - y1 * c.a1 - y2 * c.a2
      (x2, x1, y2, y1) = (x1, x, y1, y)
      return y
    }
  }

  struct State: Sendable, Hashable {
    var accelerometerTime: SensorInstant?
    var filter: Filter?
    /// The lengths within ``Parameters/peakBefore``.
    var recent: [Magnitude] = []
    /// The impact whose peak is still being looked for.
    var open: Impact?
    /// When the threshold was passed last.
    var lastCrossing: SensorInstant?
    /// Impacts whose stroke is still to be found.
    var waiting: [Impact] = []
    /// As far back as a stroke may be looked for.
    var rotations: [Rotation] = []
    /// Of the source, as ``DeviceMotion/run`` counts them.
    var run: Int?
    var rejectedCount = 0
  }
}
