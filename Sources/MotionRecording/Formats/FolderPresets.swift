// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A format that is a folder with a file for each sensor, without headers: the time, then numbers. To add such a format, add a
/// row here, its name to ``RecordingFormat``, and a rule to ``DetectionRule/all``.
struct FolderPreset: Sendable {
  /// One file: its values in columns behind the time, and the slots they go to (−1: not used).
  struct Source: Sendable {
    /// The first of these names that is there is read.
    var files: [String]
    var columns: [String]
    var slots: [Int]

    init(_ files: String..., columns: [String] = ["x", "y", "z"], slots: [Int]) {
      (self.files, self.columns, self.slots) = (files, columns, slots)
    }

    /// Numbers into slots from `slot` on.
    init(_ files: String..., columns: [String] = ["x", "y", "z"], slot: Int = 0) {
      (self.files, self.columns, slots) = (files, columns, columns.indices.map { slot + $0 })
    }
  }

  /// One way to a sensor.
  struct Sensor: Sendable {
    var source: Source
    var form: SampleForm
    /// What a person should know of it.
    var note: String?

    init(_ source: Source, _ form: SampleForm, note: String? = nil) {
      (self.source, self.form, self.note) = (source, form, note)
    }
  }

  /// What the phone had computed, joined by time from several files.
  struct Motion: Sendable {
    var first: Source
    var companions: [(source: Source, isRequired: Bool)]
    /// ns by which a companion's row may be older.
    var maximumAge: Int64 = 0
    var form: FusedForm
    /// The files, for the error when they are not there.
    var needs: String
    var note: String?
  }

  var format: RecordingFormat
  var title: String
  var summary: String
  var separator: TableLayout.Separator
  /// Decimals of a second of the time's unit: 9 for seconds, 0 for nanoseconds.
  var timeDecimals: Int
  /// For each sensor the ways to it, best first.
  var sensors: [[Sensor]]
  var motion: Motion?
  var facts: RecordedFacts?
  /// A last look at the streams before the plan is used.
  var check: (@Sendable ([SampleStreamPlan], RecordingFiles) throws(SensorError) -> Void)?

  /// The files of the sensors.
  var fileNames: [String] { sensors.flatMap { $0.flatMap(\.source.files) } }
  var reader: FormatReader {
    FormatReader(format: format, title: title, summary: summary, signature: fileNames, plan: plan)
  }

  func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    if motion == nil { try options.refuseRecordedMotion(files, contains: "raw sensors") }
    var plan = RecordingPlan(streams: [])
    for ways in sensors {
      for way in ways {
        guard let table = try table(way.source, files) else { continue }
        plan.streams.append(SampleStreamPlan(table, way.form))
        if let note = way.note { plan.notes.append(note) }
        break
      }
    }
    try check?(plan.streams, files)
    plan.facts = facts
    guard let motion else { return plan }
    let recorded = try joined(motion, files)
    plan.witness = recorded
    guard options.motion == .recorded else {
      if recorded != nil { plan.unread = [RecordingPlan.unplayedMotion] }
      return plan
    }
    guard let recorded else { throw .noRecordedMotion(in: files, needs: motion.needs) }
    plan.streams.append(recorded)
    plan.usesRecordedMotion = true
    if let note = motion.note { plan.notes.append(note) }
    return plan
  }

  /// Nil when one of the required files is missing.
  private func joined(_ motion: Motion, _ files: RecordingFiles) throws(SensorError) -> SampleStreamPlan? {
    guard let first = try table(motion.first, files) else { return nil }
    var companions: [Companion] = []
    for (source, isRequired) in motion.companions {
      if let table = try table(source, files) {
        companions.append(.init(table: table, maximumAge: motion.maximumAge, isRequired: isRequired))
      } else if isRequired {
        return nil
      }
    }
    return SampleStreamPlan(first, joining: companions, .fusedMotion(motion.form))
  }

  /// The table of a source; nil when its file is missing or empty. Where commas separate, a first line with fewer values is
  /// refused by name, and further values are not used.
  private func table(_ source: Source, _ files: RecordingFiles) throws(SensorError) -> TableFile? {
    guard let member = source.files.lazy.compactMap({ files.member($0) }).first else { return nil }
    var layout = TableLayout.headerless(
      separator, time: timeDecimals, names: source.columns, slots: source.slots)
    if separator != .blanks {
      guard let first = try files.firstLines(of: member, count: 1).first else { return nil }
      guard let line = NumericLine(first), line.count > source.columns.count, case .byte = line.separator else {
        throw member.error(
          .malformed,
          "Expected lines of a time and \(source.columns.joined(separator: ", ")), found \(String(first.prefix(60)).debugDescription).",
          line: 1)
      }
      (layout.separator, layout.columnCount) = (line.separator, line.count)
    }
    return TableFile(files: files, member: member, layout: layout)
  }
}

extension FolderPreset {
  private typealias Slot = FusedForm.Slot
  private static let comma = TableLayout.Separator.byte(0x2C)

  /// The folder of the PyojinKim logger: ns since boot, blanks between the columns.
  ///
  /// Accelerations are g × 9.81 in Apple's sign, not g × 9.80665. Raw are `acce`, `gyro_uncalib` and `magnet_uncalib`; `game_rv`,
  /// `gravity`, `linacce`, `gyro`, `magnet` and `heading` are Core Motion's own output, in its frame x = magnetic north.
  /// Source: Documentation/Formats.md 4.4.
  static let pyojinKim = FolderPreset(
    format: .pyojinKim, title: "PyojinKim logger", summary: "a folder with acce.txt and gyro_uncalib.txt",
    separator: .blanks, timeDecimals: 0,
    sensors: [
      [Sensor(Source("acce.txt"), .accelerometer(unit: .reversedRoundedMetresPerSecondSquared))],
      [
        Sensor(Source("gyro_uncalib.txt"), .gyroscope),
        Sensor(Source("gyro.txt"), .gyroscope, note: "the gyroscope's bias was already removed"),
      ],
      [Sensor(Source("magnet_uncalib.txt"), .magnetometer(unit: .microtesla))],
    ],
    motion: Motion(
      first: Source("game_rv.txt", columns: ["x", "y", "z", "w"], slots: [1, 2, 3, 0].map { Slot.attitude + $0 }),
      companions: [
        (Source("gyro.txt", slot: Slot.angularVelocity), true), (Source("gravity.txt", slot: Slot.gravity), true),
        (Source("linacce.txt", slot: Slot.acceleration), true), (Source("magnet.txt", slot: Slot.field), false),
        (Source("heading.txt", columns: ["heading"], slot: Slot.heading), false),
      ],
      form: FusedForm(reference: .xMagneticNorth, accelerationUnit: .reversedRoundedMetresPerSecondSquared),
      needs: "game_rv.txt, gyro.txt, gravity.txt and linacce.txt"))

  /// A trial of the tyrex attitude benchmark on an iPhone: seconds since boot, g in Apple's sign, rad/s, µT.
  ///
  /// Raw are `accelerometer`, `gyroscope` and `magnetometer`. Recorded output are the attitude (x = magnetic north) and the
  /// calibrated field; gravity and linear acceleration were not recorded and are derived (``FusedForm/Origin``). The motion
  /// capture truth beside them is not read. Source: Documentation/Formats.md 4.4.
  static let tyrex = FolderPreset(
    format: .tyrex, title: "tyrex trial",
    summary: "a folder with accelerometer.txt, gyroscope.txt and magnetometer.txt",
    separator: .blanks, timeDecimals: 9,
    sensors: [
      [Sensor(Source("accelerometer.txt"), .accelerometer(unit: .reversedGravity))],
      [Sensor(Source("gyroscope.txt"), .gyroscope)],
      [Sensor(Source("magnetometer.txt"), .magnetometer(unit: .microtesla))],
    ],
    // Both run at about 100 Hz: 50 ms allow for a few lost rows, no more.
    motion: Motion(
      first: Source("attitude.txt", columns: ["w", "x", "y", "z"], slot: Slot.attitude),
      companions: [
        (Source("gyroscope.txt", slot: Slot.angularVelocity), true),
        (Source("accelerometer.txt", slot: Slot.acceleration), true),
        (Source("magnetometer-calibrated.txt", columns: ["x", "y", "z", "accuracy"], slot: Slot.field), false),
      ],
      maximumAge: 50_000_000,
      form: FusedForm(
        origin: .attitudeAndRawSensors, reference: .xMagneticNorth, accelerationUnit: .reversedGravity),
      needs: "attitude.txt", note: "gravity from the recorded attitude, rotation rate raw"),
    check: refuseAndroid)

  /// The benchmark's Android trials have the same file names but m/s² and the opposite sign.
  private static func refuseAndroid(_ streams: [SampleStreamPlan], _: RecordingFiles) throws(SensorError) {
    guard let accelerometer = streams.first, case .accelerometer? = accelerometer.forms.first else { return }
    let next = try accelerometer.open(ReadingContext(.skip, problemLimit: 10))
    var lengths: [Double] = []
    while lengths.count < 50, case .accelerometer(let sample)? = try next() {
      lengths.append(sample.reading.length)
    }
    let typical = lengths.isEmpty ? 1 : lengths.sorted()[lengths.count / 2]
    guard typical < 4 else {
      throw SensorError(
        .unsupported,
        "The accelerometer reads about \(typical), so this is not an iPhone trial in g; Android trials are not supported.",
        at: SensorError.Place(file: accelerometer.places[0]))
    }
  }

  /// The iPhone folder of the ADVIO data set: seconds since boot, g in Apple's sign, rad/s, µT uncalibrated, kPa. ARKit's poses
  /// and the platform's location are not read.
  ///
  /// The file does not contain the barometer's unit, so a first pressure that is not an air pressure in kPa is
  /// rejected. Source: Documentation/Formats.md 4.4; Cortés et al., "ADVIO: An Authentic Dataset for Visual-Inertial
  /// Odometry", ECCV 2018.
  static let advio = FolderPreset(
    format: .advio, title: "ADVIO", summary: "a folder with accelerometer.csv and gyro.csv without headers",
    separator: comma, timeDecimals: 9,
    sensors: [
      [Sensor(Source("accelerometer.csv"), .accelerometer(unit: .reversedGravity))],
      [Sensor(Source("gyro.csv", "gyroscope.csv"), .gyroscope)],
      [Sensor(Source("magnetometer.csv"), .magnetometer(unit: .microtesla))],
      [Sensor(Source("barometer.csv", columns: ["pressure"]), .airPressure(unit: 1000))],
    ],
    check: requireKilopascals)

  private static func requireKilopascals(_: [SampleStreamPlan], _ files: RecordingFiles) throws(SensorError) {
    guard let member = files.member("barometer.csv"), let line = try files.firstLines(of: member, count: 1).first
    else { return }
    let fields = line.split(separator: ",")
    guard fields.count > 1, let pressure = Double(fields[1].filter { $0 != " " }) else { return }
    guard (30.0...120.0).contains(pressure) else {
      throw member.error(
        .unsupported, "The pressure \(fields[1]) is not an air pressure in kilopascals, the unit of this format.",
        line: 1, column: "pressure")
    }
  }

  /// The folder of ios_logger: seconds since 1970, g in Apple's sign, rad/s, µT.
  ///
  /// Raw are `Accel`, `Gyro` and `Magnet`. `Motion` (attitude), `MotARH` (rate, gravity, user acceleration, heading) and
  /// `MotMagnFull` (calibrated field) are Core Motion's output; without raw files the raw reading is rebuilt from them. Poses are
  /// not read. Source: Documentation/Formats.md 4.4.
  static let iosLogger = FolderPreset(
    format: .iosLogger, title: "ios_logger",
    summary: "a folder with Accel.txt and Gyro.txt, or Motion.txt and MotARH.txt", separator: comma, timeDecimals: 9,
    sensors: [
      [
        Sensor(Source("Accel.txt"), .accelerometer(unit: .reversedGravity)),
        Sensor(
          Source("MotARH.txt", columns: rateGravityAcceleration, slots: [-1, -1, -1, 3, 4, 5, 0, 1, 2]),
          .accelerometerSum(unit: .reversedGravity), note: "accelerometer rebuilt from gravity + user acceleration"),
      ],
      [
        Sensor(Source("Gyro.txt"), .gyroscope),
        Sensor(
          Source("MotARH.txt"), .gyroscope, note: "gyroscope from the rotation rate, its bias already removed"),
      ],
      [Sensor(Source("Magnet.txt"), .magnetometer(unit: .microtesla))],
    ],
    // Half an interval at 100 Hz between the rows of one event in two files.
    motion: Motion(
      first: Source("Motion.txt", columns: ["w", "x", "y", "z"], slot: Slot.attitude),
      companions: [
        (
          Source(
            "MotARH.txt", columns: rateGravityAcceleration + ["heading"],
            slots: [Slot.angularVelocity, Slot.gravity, Slot.acceleration].flatMap { [$0, $0 + 1, $0 + 2] }
              + [Slot.heading]), true
        ), (Source("MotMagnFull.txt", columns: ["x", "y", "z", "accuracy"], slot: Slot.field), false),
      ],
      maximumAge: 5_000_000, form: FusedForm(reference: .xArbitrary, accelerationUnit: .reversedGravity),
      needs: "Motion.txt and MotARH.txt"),
    facts: .unixTime(sign: "apple"))

  private static let rateGravityAcceleration =
    ["rate x", "rate y", "rate z", "gravity x", "gravity y", "gravity z", "x", "y", "z"]
}
