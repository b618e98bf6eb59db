// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// What contradicts the rest of a recording, and what explains it better; the numbers are those of ocm.h.
package struct Finding: Sendable {
  package enum Level: Int32, Sendable {
    /// Two readings are possible, and the one that was said is far less likely.
    case warning = 1
    /// What was said is not possible.
    case error
  }

  package enum Kind: Int32, Sendable {
    /// Of the times: the usual interval, s, is none of a sensor.
    case interval = 1
    /// Of the accelerometer: nothing but zeros; exchanged with the gyroscope; `factor` units are one g; as long as the
    /// earth's field in µT; gravity is missing; in no unit that is known.
    case forceIsZero, forceIsRate, forceUnit, forceIsField, forceIsLinear, forceLength
    /// Of the gyroscope: it never changes; its length never does; it is too fast for a sensor; it has to be multiplied
    /// with `factor`; the intervals have to be; it has the axes `axes`.
    case rateIsConstant, rateIsDirection, rateIsTooFast, rateScale, intervalScale, rateAxes
    /// Of the magnetometer: its length is none of the earth's field; it has the axes `axes`.
    case fieldLength, fieldAxes
    /// Of the sign of the specific force: the field points `measured` radians above the horizon; the device lies on its
    /// face in the share `measured` of the rows.
    case signByField, signByPosture
  }

  package var level = Level.error
  package var kind: Kind
  /// s, m/s², rad/s, µT, rad or a share, by the kind.
  package var measured: Double
  /// The natural logarithm of the likelihood ratio of what explains it better; 0 where it is not one.
  package var evidence = 0.0
  package var factor = 1.0
  /// Which column is the device's x, y, z: ±1, ±2 or ±3.
  package var axes = AxisOrder()
  /// Of a warning: how far away the point is about which the device would turn, were all as it was said; m. 0: none is
  /// needed, or none helps.
  package var lever = 0.0
}

/// Which axis comes in the place of x, y, z, with which sign.
package struct AxisOrder: Sendable, Equatable {
  /// ±1, ±2 or ±3.
  package var x = 1
  package var y = 2
  package var z = 3

  package init(x: Int = 1, y: Int = 2, z: Int = 3) { (self.x, self.y, self.z) = (x, y, z) }

  package var isReversal: Bool { self == AxisOrder(x: -1, y: -2, z: -3) }

  /// The 48 orders, the unchanged one first.
  package static var all: [AxisOrder] {
    var result: [AxisOrder] = []
    for (a, b, c) in [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)] {
      for signs in 0..<8 {
        result.append(
          AxisOrder(
            x: signs & 4 == 0 ? a : -a, y: signs & 2 == 0 ? b : -b, z: signs & 1 == 0 ? c : -c))
      }
    }
    return result
  }

  var matrix: Matrix3 {
    func row(_ axis: Int) -> (Double, Double, Double) {
      let sign = axis < 0 ? -1.0 : 1
      return (
        axis.magnitude == 1 ? sign : 0, axis.magnitude == 2 ? sign : 0,
        axis.magnitude == 3 ? sign : 0
      )
    }
    let (a, b, c) = (row(x), row(y), row(z))
    return Matrix3(a.0, a.1, a.2, b.0, b.1, b.2, c.0, c.1, c.2)
  }
}

/// What a look at a recording has shown.
package struct Verdict: Sendable {
  /// The first of what is wrong.
  package var finding: Finding?
  /// Gravity turns in the device's axes: unit, sign and axes of the gyroscope have been compared with it.
  package var turns = false
  /// The magnetometer confirms the sign of the specific force.
  package var confirmsSign = false
}
