// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// Puts states of motion into one reference frame: the step from the estimator's state to a row of fused motion.
///
/// ```swift
/// var framing = MotionFraming(.xMagneticNorth)
/// if let row = framing.update(motion).row { … }
/// ```
///
/// The same for every way to motion: an app's handlers, files, live outputs. A notice is given once per episode, and
/// rows go on (S44, G24).
package struct MotionFraming: Sendable {
  /// Why the frame cannot be kept at this moment.
  package enum Notice: Sendable, Hashable {
    /// The frame needs the magnetometer, which has stayed uncalibrated for a second.
    case movementRequired
    /// True north is wanted and the declination is unknown: no rows.
    case trueNorthUnavailable

    /// What a person reads.
    package var sentence: String {
      switch self {
      case .movementRequired:
        "The magnetometer is not calibrated yet: move the device in a figure of eight, away from metal and magnets."
      case .trueNorthUnavailable:
        "True north cannot be determined because the location is unknown: set MOTION_LOCATION or the host's location."
      }
    }
  }

  /// A heading is called known while its standard deviation is below this, rad: twice as much, the stated accuracy, is
  /// then below 37°.
  static let largestHeadingDeviation = 0.32

  /// How long the magnetometer may stay uncalibrated before a notice.
  static let calibrationTimeout = SensorDuration.seconds(1)

  /// The frame of the rows.
  package var reference: MotionRow.Reference { alignment.reference }
  /// Rad, east positive; nil = unknown. Used for true north only.
  package var declination: Double?
  /// Rad, positive when the field points down; nil = unknown. A measured field that disagrees is not of high accuracy.
  package var dipAngle: Double?

  private var alignment: ReferenceFrameAlignment
  private var uncalibratedSince: SensorInstant?
  private var hasRequiredMovement = false
  private var hasReportedTrueNorth = false
  private var dipCheck = DipCheck()

  /// Framing that has seen nothing yet.
  package init(_ reference: MotionRow.Reference, declination: Double? = nil, dipAngle: Double? = nil) {
    alignment = ReferenceFrameAlignment(reference)
    (self.declination, self.dipAngle) = (declination, dipAngle)
  }

  /// Which solution the frame is made from.
  package var usesMagnetometer: Bool { reference != .xArbitrary }

  /// What a hub is asked for.
  package var stream: HubStream { .deviceMotion(usesMagnetometer: usesMagnetometer) }

  /// The row of a state of motion; nil when the frame has none at this moment.
  package mutating func update(_ motion: DeviceMotion) -> (row: MotionRow?, notice: Notice?) {
    if reference == .xTrueNorth, declination == nil {
      defer { hasReportedTrueNorth = true }
      return (nil, hasReportedTrueNorth ? nil : .trueNorthUnavailable)
    }
    hasReportedTrueNorth = false
    guard let solution = usesMagnetometer ? motion.nineAxis : motion.sixAxis else { return (nil, nil) }
    // A calibration that came later has given the smoother its north.
    let isNorthKnown = motion.isSmoothed && solution.hasHeading
    let notice = !isNorthKnown && requiresMovement(motion) ? Notice.movementRequired : nil
    // G1: before the first sample of the magnetometer a north frame would only invent its north.
    if notice == nil, reference.pointsNorth, motion.field == nil, !hasRequiredMovement { return (nil, nil) }
    var field = motion.field
    if let measured = field, measured.accuracy == 2, let dipAngle,
      !dipCheck.agrees(measured.magneticField, up: solution.up, with: dipAngle, at: motion.time)
    {
      field?.accuracy = 1
    }
    let attitude = alignment.attitude(
      of: solution, declination: declination ?? 0, run: motion.run, time: motion.time)
    return (MotionRow(motion, solution, attitude, field, reference, lag: alignment.lag), notice)
  }

  /// The row of motion that a device or a recording has fused itself. It keeps its numbers and its frame; a heading
  /// that is missing follows from a north frame.
  package static func row(_ sample: MotionRow) -> MotionRow {
    var row = sample
    if sample.heading == nil, sample.reference.pointsNorth {
      row.heading = MotionRow.heading(w: sample.w, vector: sample.vector, gravity: sample.gravity)
    }
    return row
  }

  /// True once per episode, which ends when the magnetometer is calibrated.
  private mutating func requiresMovement(_ motion: DeviceMotion) -> Bool {
    guard usesMagnetometer else { return false }
    guard !(motion.field?.isCalibrated ?? false) else {
      uncalibratedSince = nil
      hasRequiredMovement = false
      return false
    }
    let since = uncalibratedSince ?? motion.time
    uncalibratedSince = since
    guard !hasRequiredMovement, motion.time - since >= Self.calibrationTimeout else { return false }
    hasRequiredMovement = true
    return true
  }
}

extension MotionRow {
  /// A state of motion whose attitude has been turned into a frame, but for `lag` (rad).
  ///
  /// Gravity is the filter's unit vector, so accelerations are in units of gravity, with Core Motion's sign: gravity
  /// and linear acceleration add up to the accelerometer's reading, and no number is rounded twice on its way out.
  package init(
    _ motion: DeviceMotion, _ solution: DeviceMotion.Solution, _ attitude: Rotation<Device, NorthWestUp>,
    _ field: DeviceMotion.Field?, _ reference: Reference, lag: Double = 0
  ) {
    let unit = AccelerationUnit.reversedGravity
    let (vector, gravity) = (Vector3<Device>(x: attitude.x, y: attitude.y, z: attitude.z), -solution.up)
    let total = motion.accelerometer.reading * (motion.accelerometer.unit.scale / unit.scale)
    self.init(
      time: motion.time, w: attitude.w, vector: vector, reference: reference,
      angularVelocity: solution.angularVelocity, gravity: gravity, linearAcceleration: total - gravity,
      accelerationUnit: unit, location: motion.location, isAtRest: motion.isAtRest)
    if reference != .xArbitrary, let field, field.isCalibrated {
      self.field = CalibratedField(reading: field.magneticField, unit: .tesla, accuracy: field.accuracy)
    }
    inclinationDeviation = AngleReading(min(.pi, solution.inclinationStandardDeviation), .radian)
    // Without the magnetometer the azimuth is that since the start, and known; with it, it is unknown before the first
    // heading.
    let deviation = Scalar.hypot(solution.headingStandardDeviation, lag)
    if solution.hasHeading || reference == .xArbitrary {
      headingDeviation = AngleReading(min(.pi, deviation), .radian)
    }
    guard reference.pointsNorth else { return }
    heading = Self.heading(w: attitude.w, vector: vector, gravity: gravity)
    if solution.hasHeading, deviation <= MotionFraming.largestHeadingDeviation {
      headingAccuracy = AngleReading(2 * deviation, .radian)
    }
  }
}

/// Compares the measured dip angle with that of a magnetic model for the place.
///
/// A calibration can fit its own samples well and still be wrong, for instance indoors, where the field itself is bent.
/// The angle between field and horizon shows it: it may differ from the model's by ``tolerance`` before the accuracy is
/// no longer high. The measured angle is averaged, so that one passing car does not show.
struct DipCheck: Sendable {
  /// Rad: five degrees.
  static let tolerance = 5 * Double.pi / 180
  /// Of the average, s.
  static let timeConstant = 2.0

  private var dip: Double?
  private var last: SensorInstant?

  /// True while the averaged dip agrees with `expected` (rad); `field` (T) and `up` in device axes.
  mutating func agrees(
    _ field: Vector3<Device>, up: Vector3<Device>, with expected: Double, at time: SensorInstant
  ) -> Bool {
    let size = field.length
    guard size > 0 else { return true }
    let measured = Scalar.asin(max(-1, min(1, -field.dot(up) / size)))
    let interval = last.map { max(0, (time - $0).seconds) } ?? 0
    let old = dip ?? measured
    let average = old + (measured - old) * interval / (interval + Self.timeConstant)
    (dip, last) = (average, time)
    return abs(average - expected) <= Self.tolerance
  }
}

/// Turns the estimator's east-north-up attitude into the reference frame that a service was started with.
///
/// All frames share the vertical, so the step is one turn about z:
/// * arbitrary frames: the turn that makes yaw 0 at the first sample (S20), then held. When the magnetometer of the
///   corrected frame finds north later, the source comes back after a pause, or samples come from the other bud of a
///   pair of headphones, the estimator's azimuth jumps; the turn removes the jump. What the device has turned since the
///   sample before is not part of it.
/// * north frames: x north, y west is east-north-up turned by −90°; true north by the declination less (yaw_true = yaw
///   − D). Before the first heading they are as the arbitrary frames. The first heading, and every later correction that
///   is faster, turns the frame by at most half a turn a second (D45); ``lag`` is what is left.
struct ReferenceFrameAlignment {
  let reference: MotionRow.Reference
  /// Rad: by how much the frame has not been turned to its north yet.
  private(set) var lag = 0.0
  /// Rad; nil before the first sample.
  private var azimuth: Double?
  private var hadHeading = false
  private var run = 0
  private var latest: Rotation<Device, NorthWestUp>?
  private var latestTime: SensorInstant?
  /// After a longer pause the device's turn is unknown.
  private static let longestStep = SensorDuration.milliseconds(100)
  /// Of a north frame that is turned to its north, rad/s.
  private static let turnRate = Double.pi

  init(_ reference: MotionRow.Reference) { self.reference = reference }

  /// `declination` in rad, east positive; used by the true-north frame only. `run` and `time` are the state's own;
  /// without a time the device counts as still between two samples, and a north frame is turned at once.
  mutating func attitude(
    of solution: DeviceMotion.Solution, declination: Double, run: Int = 0, time: SensorInstant? = nil
  ) -> Rotation<Device, NorthWestUp> {
    let level = solution.attitude
    var turn =
      azimuth ?? -Scalar.atan2(
        2 * (level.w * level.z - level.x * level.y), 1 - 2 * (level.x * level.x + level.z * level.z))
    let isCorrected = solution.hasHeading != hadHeading || run != self.run
    let followsNorth = reference.pointsNorth && solution.hasHeading
    if let latest, isCorrected || followsNorth {
      // The part about z of the way from the new azimuth to the old one.
      let way = latest * step(to: time, solution.angularVelocity) * level.inverse
      turn = 2 * Scalar.atan2(way.z, way.w)
    }
    if followsNorth {
      let north = -.pi / 2 - (reference == .xTrueNorth ? declination : 0)
      lag = latest == nil ? 0 : Angle(radians: north - turn).wrapped.radians
      let limit = interval(to: time).map { Self.turnRate * $0 } ?? .infinity
      lag = abs(lag) <= limit ? 0 : lag - (lag > 0 ? limit : -limit)
      turn = north - lag
    }
    azimuth = turn
    (hadHeading, self.run) = (solution.hasHeading, run)
    let result = Rotation<EastNorthUp, NorthWestUp>(aboutZ: turn) * level
    (latest, latestTime) = (result, time)
    return result
  }

  /// Seconds since the sample before.
  private func interval(to time: SensorInstant?) -> Double? {
    guard let time, let latestTime else { return nil }
    return max(0, (time - latestTime).seconds)
  }

  /// How the device has turned since the sample before, at `angularVelocity` (rad/s).
  private func step(to time: SensorInstant?, _ angularVelocity: Vector3<Device>) -> Rotation<Device, Device> {
    guard let time, let latestTime, time > latestTime, time - latestTime <= Self.longestStep else { return .identity }
    return Rotation(rotationVector: angularVelocity * (time - latestTime).seconds)
  }
}
