// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// Writes the wide CSV of the app SensorLog, for software that reads its files.
///
/// One row per device motion, or one row per accelerometer sample without device motion; other groups of columns repeat
/// their last value with its own time stamp, which shows a reader what is new. A sensor that is faster than the rows
/// gets its own rows, in which the others repeat, so nothing is lost. Core Motion's units and signs; times are exact.
public final class SensorLogWriter: CountingWriter {
  public private(set) var counts = WriterCounts()
  private let sink: any ByteSink
  private let groups: [SensorLogGroup]
  /// Nil: the recording does not know the wall clock, and the column of dates stays empty.
  private let wallOffset: SensorDuration?
  private let deviceName: String
  /// The latest sample of each group, and whether a row has shown it.
  private var latest: [SensorSample?]
  private var isFresh: [Bool]
  /// The group that makes rows.
  private let leader: Int
  private var text = JSONText(capacity: 2048)

  /// The columns follow from the sensors that the description names. `deviceName` is written into each row.
  public init(
    _ sink: any ByteSink, description: RecordingDescription, deviceName: String = "opencoremotion"
  ) throws(SensorError) {
    let kinds = description.info.kinds
    let groups = SensorLogGroup.allCases.filter { kinds.contains($0.kind) }
    guard let leader = groups.firstIndex(of: .motion) ?? groups.indices.first else {
      throw SensorError(
        .unsupported,
        "SensorLog's layout has no columns for the content of this recording; use ndjson or tidy.")
    }
    self.sink = sink
    self.groups = groups
    self.leader = leader
    self.deviceName = deviceName
    wallOffset = description.wallOffset
    latest = Array(repeating: nil, count: groups.count)
    isFresh = Array(repeating: false, count: groups.count)
    text.append("loggingTime(txt),loggingSample(N)")
    for group in groups {
      text.append(",")
      text.append(group.header)
    }
    text.append(",deviceID(txt)\n")
    try sink.write(text)
  }

  public func write(_ item: RecordedItem) throws(SensorError) {
    guard case .sample(let sample, _) = item else {
      counts.unsupported += 1
      return
    }
    if case .inertial(let both) = sample {
      try update(.accelerometer(both.accelerometer))
      try update(.gyroscope(both.gyroscope))
    } else {
      try update(sample)
    }
  }

  public func finish() throws(SensorError) {
    if isFresh.contains(true) { try writeRow() }
    try sink.finish()
  }

  private func update(_ sample: SensorSample) throws(SensorError) {
    // Time stamp 0 means "never delivered" in this format.
    guard let index = groups.firstIndex(where: { $0.kind == sample.kinds }), sample.time.nanoseconds != 0 else {
      counts.unsupported += 1
      return
    }
    let isRowComplete = isFresh[leader] && sample.time > (latest[leader]?.time ?? sample.time)
    if isRowComplete || isFresh[index] { try writeRow() }
    latest[index] = sample
    isFresh[index] = true
  }

  private func writeRow() throws(SensorError) {
    counts.rows += 1
    text.removeAll()
    let time = zip(latest, isFresh).compactMap { $1 ? $0?.time : nil }.max() ?? SensorInstant(nanoseconds: 0)
    if let wallOffset { text.append(iso8601: time + wallOffset) }
    text.append(",")
    text.append(counts.rows)
    for (group, sample) in zip(groups, latest) {
      text.append(",")
      if let sample { group.append(sample, to: &text) } else { group.appendEmpty(to: &text) }
    }
    text.append(",")
    text.append(csv: deviceName)
    text.append("\n")
    try sink.write(text)
    for index in isFresh.indices { isFresh[index] = false }
  }
}

extension JSONText {
  /// "2026-11-21T12:00:00.000+00:00": universal time, rounded down to the millisecond.
  mutating func append(iso8601 instant: SensorInstant) {
    let (seconds, nanoseconds) = instant.nanoseconds.floored(by: 1_000_000_000)
    let (days, second) = seconds.floored(by: 86_400)
    let (year, month, day) = Self.date(daysSince1970: days)
    append(number: year, width: 4)
    append("-")
    append(number: month, width: 2)
    append("-")
    append(number: day, width: 2)
    append("T")
    append(number: second / 3600, width: 2)
    append(":")
    append(number: second / 60 % 60, width: 2)
    append(":")
    append(number: second % 60, width: 2)
    append(".")
    append(number: nanoseconds / 1_000_000, width: 3)
    append("+00:00")
  }

  private mutating func append(number: Int64, width: Int) {
    let digits = String(number)
    for _ in 0..<max(0, width - digits.utf8.count) { append("0") }
    append(raw: digits)
  }

  /// The Gregorian date; years are counted from 1 March, so that the leap day is the last. Source: Hinnant,
  /// "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
  private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (days + 719_468).floored(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }
}

extension Int64 {
  /// Quotient and remainder; the remainder is never negative.
  fileprivate func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let remainder = ((self % divisor) + divisor) % divisor
    return ((self - remainder) / divisor, remainder)
  }
}

/// The groups of columns that ``SensorLogWriter`` writes, in the order of the app's own files.
enum SensorLogGroup: CaseIterable {
  case accelerometer, gyroscope, magnetometer, motion, altimeter

  var kind: SensorKinds {
    switch self {
    case .accelerometer: .accelerometer
    case .gyroscope: .gyroscope
    case .magnetometer: .magnetometer
    case .motion: .motion
    case .altimeter: .airPressure
    }
  }

  var header: StaticString {
    switch self {
    case .accelerometer:
      "accelerometerTimestamp_sinceReboot(s),accelerometerAccelerationX(G),accelerometerAccelerationY(G),accelerometerAccelerationZ(G)"
    case .gyroscope: "gyroTimestamp_sinceReboot(s),gyroRotationX(rad/s),gyroRotationY(rad/s),gyroRotationZ(rad/s)"
    case .magnetometer:
      "magnetometerTimestamp_sinceReboot(s),magnetometerX(\u{B5}T),magnetometerY(\u{B5}T),magnetometerZ(\u{B5}T)"
    case .motion:
      "motionTimestamp_sinceReboot(s),motionYaw(rad),motionRoll(rad),motionPitch(rad),motionRotationRateX(rad/s),motionRotationRateY(rad/s),motionRotationRateZ(rad/s),motionUserAccelerationX(G),motionUserAccelerationY(G),motionUserAccelerationZ(G),motionAttitudeReferenceFrame(txt),motionQuaternionX(R),motionQuaternionY(R),motionQuaternionZ(R),motionQuaternionW(R),motionGravityX(G),motionGravityY(G),motionGravityZ(G),motionMagneticFieldX(\u{B5}T),motionMagneticFieldY(\u{B5}T),motionMagneticFieldZ(\u{B5}T),motionHeading(\u{B0}),motionMagneticFieldCalibrationAccuracy(Z)"
    case .altimeter:
      "altimeterTimestamp_sinceReboot(s),altimeterReset(bool),altimeterRelativeAltitude(m),altimeterPressure(kPa)"
    }
  }

  private var columnCount: Int {
    switch self {
    case .accelerometer, .gyroscope, .magnetometer, .altimeter: 4
    case .motion: 23
    }
  }

  /// The cells of a sensor that has not delivered yet.
  func appendEmpty(to text: inout JSONText) {
    for _ in 1..<columnCount { text.append(",") }
  }

  func append(_ sample: SensorSample, to text: inout JSONText) {
    text.append(seconds: sample.time)
    switch sample {
    case .accelerometer(let sample): text.append(cells: sample.gravities)
    case .gyroscope(let sample): text.append(cells: sample.angularVelocity)
    case .magnetometer(let sample): text.append(cells: sample.microteslas)
    case .pressure(let sample):
      text.append(",,,")
      text.append(cell: sample.kilopascals)
    case .motion(let sample): append(sample, to: &text)
    // Taken apart, or without columns.
    case .inertial, .temperature: break
    }
  }

  private func append(_ motion: MotionRow, to text: inout JSONText) {
    let angles = motion.angles
    for angle in [angles.yaw, angles.roll, angles.pitch] {
      text.append(",")
      text.append(cell: angle)
    }
    text.append(cells: motion.angularVelocity)
    text.append(cells: motion.gravities(motion.linearAcceleration))
    text.append(",")
    text.append(motion.reference.name)
    text.append(cells: motion.vector)
    text.append(",")
    text.append(cell: motion.w)
    text.append(cells: motion.gravities(motion.gravity))
    if let field = motion.field {
      text.append(cells: field.microteslas)
    } else {
      text.append(",,,")
    }
    text.append(",")
    if let heading = motion.heading { text.append(cell: heading.bearingDegrees) }
    text.append(",")
    if let field = motion.field { text.append(field.accuracy) }
  }
}
