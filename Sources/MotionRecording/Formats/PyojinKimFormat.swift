// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The folder of the PyojinKim logger: a text file for each sensor, ns since boot, blanks between the columns.
///
/// Accelerations are g × 9.81 in Apple's sign. Raw are `acce`, `gyro_uncalib` and `magnet_uncalib`; `game_rv`, `gravity`,
/// `linacce`, `gyro`, `magnet` and `heading` are Core Motion's own output, in its frame x = magnetic north.
/// Source: formats.md 4.4, data/iphone/README.md.
enum PyojinKimFormat: FormatReader {
  static let format = RecordingFormat.pyojinKim
  static let title = "PyojinKim logger"
  static let summary = "a folder with acce.txt and gyro_uncalib.txt"

  /// The logger multiplied g by 9.81, not by 9.80665.
  static let accelerationUnit = AccelerationUnit.reversedRoundedMetresPerSecondSquared

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    var plan = RecordingPlan(streams: [])
    func add(_ name: String, _ form: SampleForm) {
      guard let table = vectors(files, name, slot: 0) else { return }
      plan.streams.append(TableStreamPlan(table: table, form: form))
    }
    add("acce", .accelerometer(unit: accelerationUnit))
    if files.member("gyro_uncalib.txt") != nil {
      add("gyro_uncalib", .gyroscope)
    } else if files.member("gyro.txt") != nil {
      add("gyro", .gyroscope)
      plan.notes.append("the gyroscope's bias was already removed")
    }
    add("magnet_uncalib", .magnetometer(unit: .microtesla))
    // Sensors of an absent magnetometer and the like are no reason to do without the check.
    plan.witness = try? recordedMotion(files)
    if options.motion == .computed, plan.witness != nil { plan.unread = [RecordingPlan.motionAside] }
    if options.motion == .recorded {
      plan.streams.append(try recordedMotion(files))
      plan.usesRecordedMotion = true
    }
    return plan
  }

  private static func vectors(_ files: RecordingFiles, _ name: String, slot: Int) -> TableFile? {
    table(files, name, columns: ["x", "y", "z"], slots: [slot, slot + 1, slot + 2])
  }

  private static func table(_ files: RecordingFiles, _ name: String, columns: [String], slots: [Int]) -> TableFile? {
    files.member("\(name).txt").map {
      TableFile(files: files, member: $0, layout: .headerless(.blanks, time: 0, names: columns, slots: slots))
    }
  }

  private static func recordedMotion(_ files: RecordingFiles) throws(SensorError) -> JoinedStreamPlan {
    typealias Slot = FusedForm.Slot
    let attitude = Slot.attitude
    guard
      let first = table(
        files, "game_rv", columns: ["x", "y", "z", "w"], slots: [attitude + 1, attitude + 2, attitude + 3, attitude]),
      let rate = vectors(files, "gyro", slot: Slot.angularVelocity),
      let gravity = vectors(files, "gravity", slot: Slot.gravity),
      let linear = vectors(files, "linacce", slot: Slot.acceleration)
    else {
      throw .noRecordedMotion(in: files, needs: "game_rv.txt, gyro.txt, gravity.txt and linacce.txt")
    }
    var companions = [rate, gravity, linear].map { JoinedStreamPlan.Companion(table: $0) }
    let optional = [
      vectors(files, "magnet", slot: Slot.field),
      table(files, "heading", columns: ["heading"], slots: [Slot.heading]),
    ]
    companions += optional.compactMap(\.self).map { JoinedStreamPlan.Companion(table: $0, isRequired: false) }
    return JoinedStreamPlan(
      first: first, companions: companions,
      form: .fusedMotion(FusedForm(reference: .xMagneticNorth, accelerationUnit: accelerationUnit)))
  }
}

extension SensorError {
  /// `motion=recorded` was asked for and is not there.
  static func noRecordedMotion(in files: RecordingFiles, needs: String) -> SensorError {
    SensorError(
      .unsupported,
      "The recording holds no recorded motion (that needs \(needs)); without \"motion=recorded\" it is computed from the raw sensors.",
      at: Place(file: files.path))
  }
}
