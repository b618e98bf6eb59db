// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A trial of the tyrex attitude benchmark on an iPhone: seconds since boot, g in Apple's sign, rad/s, µT.
///
/// Raw are `accelerometer`, `gyroscope` and `magnetometer`. Recorded output are the attitude (x = magnetic north) and the
/// calibrated field; gravity and linear acceleration were not recorded and are derived (``FusedForm/Origin``). The motion
/// capture truth beside them is not read. Source: formats.md 4.4, data/iphone/README.md.
enum TyrexFormat: FormatReader {
  static let format = RecordingFormat.tyrex
  static let title = "tyrex trial"
  static let summary = "a folder with accelerometer.txt, gyroscope.txt and magnetometer.txt"

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    var plan = RecordingPlan(streams: [])
    let sensors: [(String, SampleForm)] = [
      ("accelerometer", .accelerometer(unit: .reversedGravity)), ("gyroscope", .gyroscope),
      ("magnetometer", .magnetometer(unit: .microtesla)),
    ]
    for (name, form) in sensors {
      guard let table = vectors(files, name, slot: 0) else { continue }
      plan.streams.append(TableStreamPlan(table: table, form: form))
    }
    try refuseAndroid(plan.streams.first)
    plan.witness = try? recordedMotion(files)
    if options.motion == .computed, plan.witness != nil { plan.unread = [RecordingPlan.motionAside] }
    if options.motion == .recorded {
      plan.streams.append(try recordedMotion(files))
      plan.usesRecordedMotion = true
      plan.notes.append("gravity from the recorded attitude, rotation rate raw")
    }
    return plan
  }

  private static func vectors(_ files: RecordingFiles, _ name: String, slot: Int) -> TableFile? {
    table(files, name, columns: ["x", "y", "z"], slots: [slot, slot + 1, slot + 2])
  }

  private static func table(_ files: RecordingFiles, _ name: String, columns: [String], slots: [Int]) -> TableFile? {
    files.member("\(name).txt").map {
      TableFile(files: files, member: $0, layout: .headerless(.blanks, time: 9, names: columns, slots: slots))
    }
  }

  /// The benchmark's Android trials have the same file names but m/s² and the opposite sign.
  private static func refuseAndroid(_ accelerometer: (any SampleStreamPlan)?) throws(SensorError) {
    guard let accelerometer, accelerometer.channels.first?.kind == .accelerometer else { return }
    let stream = try accelerometer.open(ReadingContext(skipsErrors: true, problemLimit: 10))
    var lengths: [Double] = []
    while lengths.count < 50, case .accelerometer(let sample)? = try stream.next() {
      lengths.append(sample.reading.length)
    }
    let typical = lengths.isEmpty ? 1 : lengths.sorted()[lengths.count / 2]
    guard typical < 4 else {
      throw SensorError(
        .unsupported,
        "The accelerometer reads about \(typical), so this is no iPhone trial in g; Android trials are not read.",
        at: SensorError.Place(file: accelerometer.places[0]))
    }
  }

  private static func recordedMotion(_ files: RecordingFiles) throws(SensorError) -> JoinedStreamPlan {
    typealias Slot = FusedForm.Slot
    let attitude = Slot.attitude
    guard
      let first = table(
        files, "attitude", columns: ["w", "x", "y", "z"], slots: [attitude, attitude + 1, attitude + 2, attitude + 3]),
      let gyroscope = vectors(files, "gyroscope", slot: Slot.angularVelocity),
      let accelerometer = vectors(files, "accelerometer", slot: Slot.acceleration)
    else { throw .noRecordedMotion(in: files, needs: "attitude.txt") }
    // Both run at about 100 Hz: 50 ms forgive a few rows lost, no more.
    var companions = [gyroscope, accelerometer].map { JoinedStreamPlan.Companion(table: $0, maximumAge: 50_000_000) }
    let field = Slot.field
    if let table = table(
      files, "magnetometer-calibrated", columns: ["x", "y", "z", "accuracy"],
      slots: [field, field + 1, field + 2, Slot.fieldAccuracy])
    {
      companions.append(.init(table: table, maximumAge: 50_000_000, isRequired: false))
    }
    return JoinedStreamPlan(
      first: first, companions: companions,
      form: .fusedMotion(
        FusedForm(
          origin: .attitudeAndRawSensors, reference: .xMagneticNorth, accelerationUnit: .reversedGravity)))
  }
}
