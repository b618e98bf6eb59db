// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The folder of ios_logger: a text file for each sensor without a header, commas, seconds since 1970, g in Apple's sign, rad/s, µT.
///
/// Raw are `Accel`, `Gyro` and `Magnet`. `Motion` (attitude), `MotARH` (rate, gravity, user acceleration, heading) and `MotMagnFull`
/// (calibrated field) are Core Motion's output; without raw files the raw reading is rebuilt from them. Poses are not read.
/// Source: formats.md 4.4.
enum IOSLoggerFormat: FormatReader {
  static let format = RecordingFormat.iosLogger
  static let title = "ios_logger"
  static let summary = "a folder with Accel.txt and Gyro.txt, or Motion.txt and MotARH.txt"

  /// Nanoseconds between the rows of one event in two files: half an interval at 100 Hz.
  private static let sameEvent: Int64 = 5_000_000

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    typealias Slot = FusedForm.Slot
    let sensors = HeaderlessSensors(files: files)
    let motionNames = ["MotARH.txt"]
    let unit = AccelerationUnit.reversedGravity
    var plan = RecordingPlan(streams: [])
    func add(_ table: TableFile, _ form: SampleForm) {
      plan.streams.append(TableStreamPlan(table: table, form: form))
    }
    if let table = try sensors.vector(["Accel.txt"]) {
      add(table, .accelerometer(unit: unit))
    } else if let table = try sensors.table(
      motionNames, ["rate x", "rate y", "rate z", "gravity x", "gravity y", "gravity z", "x", "y", "z"],
      slots: [-1, -1, -1, 3, 4, 5, 0, 1, 2])
    {
      add(table, .accelerometerSum(unit: unit))
      plan.notes.append("accelerometer rebuilt from gravity + user acceleration")
    }
    if let table = try sensors.vector(["Gyro.txt"]) {
      add(table, .gyroscope)
    } else if let table = try sensors.vector(motionNames) {
      add(table, .gyroscope)
      plan.notes.append("gyroscope from the rotation rate, its bias already removed")
    }
    if let table = try sensors.vector(["Magnet.txt"]) { add(table, .magnetometer(unit: .microtesla)) }
    let recorded = try recordedMotion(sensors)
    plan.witness = recorded
    plan.facts = .unixTime(sign: "apple")
    guard options.motion == .recorded else {
      if recorded != nil { plan.unread = [RecordingPlan.motionAside] }
      return plan
    }
    guard let recorded else { throw .noRecordedMotion(in: files, needs: "Motion.txt and MotARH.txt") }
    plan.streams.append(recorded)
    plan.usesRecordedMotion = true
    return plan
  }

  private static func recordedMotion(_ sensors: HeaderlessSensors) throws(SensorError) -> JoinedStreamPlan? {
    typealias Slot = FusedForm.Slot
    let values = [Slot.angularVelocity, Slot.gravity, Slot.acceleration].flatMap { [$0, $0 + 1, $0 + 2] }
    guard
      let attitude = try sensors.table(
        ["Motion.txt"], ["w", "x", "y", "z"], slots: (0..<4).map { Slot.attitude + $0 }),
      let motion = try sensors.table(
        ["MotARH.txt"],
        ["rate x", "rate y", "rate z", "gravity x", "gravity y", "gravity z", "x", "y", "z", "heading"],
        slots: values + [Slot.heading])
    else { return nil }
    var companions = [JoinedStreamPlan.Companion(table: motion, maximumAge: sameEvent)]
    let field = Slot.field
    if let table = try sensors.table(
      ["MotMagnFull.txt"], ["x", "y", "z", "accuracy"], slots: [field, field + 1, field + 2, Slot.fieldAccuracy])
    {
      companions.append(.init(table: table, maximumAge: sameEvent, isRequired: false))
    }
    return JoinedStreamPlan(
      first: attitude, companions: companions,
      form: .fusedMotion(FusedForm(reference: .xArbitrary, accelerationUnit: .reversedGravity)))
  }
}
