// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import OrientationFusion
import SensorPlausibility

// What is wrong, in words, and the maps that read it as it was said and as it was measured.
extension SelfCheck {
  /// A sentence, without what to do.
  static func words(_ finding: Finding, _ plan: RecordingPlan) -> String {
    let measured = text(finding.measured)
    let force =
      "In its quietest second the accelerometer reads \(measured) m/s² instead of \(text(standardGravity)): "
    let doubt =
      finding.lever > 0
      ? " Or all is right, and it turns about a point \(text(finding.lever)) m away, as a pendulum or a merry-go-round does."
      : ""
    let sentence =
      switch finding.kind {
      case .interval:
        "The usual interval is \(finding.measured) s: the unit of the times may be wrong."
      case .forceIsZero: "All readings of the accelerometer are 0: its columns were never filled."
      case .forceIsRate:
        force + "it is exchanged with the gyroscope, which has the length of gravity."
      case .forceUnit, .forceIsField, .forceLength: force + "its unit may be wrong."
      case .forceIsLinear: force + "gravity has been removed, or its unit is wrong. \(needsGravity)"
      case .rateIsConstant:
        "The readings of the gyroscope never change, while gravity turns: its columns were never filled."
      case .rateIsDirection:
        "The length of the gyroscope's readings is always \(measured), while they point elsewhere: that is a direction, of gravity or of a field, and no rate."
      case .rateIsTooFast:
        "The gyroscope turns with \(measured) rad/s, \(text(Angle(radians: finding.measured).degrees)) °/s, in half of its readings, which no sensor can measure: its unit is wrong."
      case .rateScale:
        "The gyroscope turns with \(measured) rad/s, but gravity in the accelerometer \(text(abs(finding.factor) < 1 ? 1 / abs(finding.factor) : finding.factor)) times \(abs(finding.factor) < 1 ? "slower" : "faster"): its unit is wrong."
      case .intervalScale:
        "Gravity in the accelerometer turns \(finding.factor < 1 ? "half" : "twice") as fast as the gyroscope: the rate of the recording is wrong, or the full scale of the gyroscope."
      case .rateAxes where finding.axes.isReversal:
        "The gyroscope turns against gravity in the accelerometer: its sign is the opposite one."
      case .rateAxes:
        "The gyroscope does not turn as gravity does in the accelerometer; as \(finding.axes) it does: the two sensors have different axes."
      case .fieldLength:
        "The magnetometer reads \(measured) µT, and the earth's field has 22 to 67: its unit may be wrong."
      case .fieldAxes:
        "The magnetometer does not turn as the other sensors do; as \(finding.axes) it does: they have different axes."
      case .signByField, .signByPosture: sign(finding, plan.statedSign ?? .reaction)
      }
    return sentence + doubt
  }

  private static func sign(_ finding: Finding, _ stated: RecordingOptions.Sign) -> String {
    let other: RecordingOptions.Sign = stated == .apple ? .reaction : .apple
    let found =
      finding.kind == .signByPosture
      ? "the device lies face down in \(Int(clamping: (finding.measured * 100).rounded())) % of the rows"
      : "the magnetic field points \(Int(clamping: Angle(radians: finding.measured).degrees.rounded()))° above the horizon, as in the southern half of the earth"
    return
      "With --sign \(stated.rawValue) \(found). If it lay face up, the sign is --sign \(other.rawValue)."
  }
}

extension Recording {
  /// By how much the gravity that is computed from the first minutes differs from what the device recorded of gravity or
  /// attitude, radians: the median, and what nine in ten do not exceed. Nil where it recorded neither, or can say nothing
  /// else.
  package var gravityDifference: (median: Double, most: Double)? {
    guard plan.witness != nil, !usesRecordedMotion else { return nil }
    let rows = JudgedRows(plan)
    let recorded = SelfCheck.beginning(of: plan.witness)
    guard rows.hasRate, !recorded.isEmpty else { return nil }
    var filter = OrientationFilter(usesMagnetometer: false)
    var differences: [Double] = []
    var next = 0
    for row in 0..<rows.count {
      if rows.force(row).isFinite {
        filter.update(specificForce: rows.force(row), atNanoseconds: rows.time(row))
      }
      filter.update(angularVelocity: rows.rate(row), atNanoseconds: rows.time(row))
      while next < recorded.count, recorded[next].time.nanoseconds <= rows.time(row) {
        defer { next += 1 }
        guard recorded[next].time.nanoseconds == rows.time(row), let up = recorded[next].up,
          let attitude = filter.attitude
        else { continue }
        differences.append(up.angle(to: attitude.inverse * Vector3(x: 0, y: 0, z: 1)))
      }
    }
    guard differences.count > 10 else { return nil }
    differences.sort()
    return (differences[differences.count / 2], differences[differences.count * 9 / 10])
  }
}

extension AxisOrder: CustomStringConvertible {
  /// "(-y, x, z)".
  package var description: String {
    "("
      + [x, y, z].map { ($0 < 0 ? "-" : "") + ["x", "y", "z"][abs($0) - 1] }.joined(separator: ", ")
      + ")"
  }
}
