// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The wide CSV of the app SensorLog: groups of columns, each with its own time stamp in seconds since boot, g in
/// Apple's sign.
///
/// Columns are found by name, their unit stands in parentheses and is checked. A group takes part when it delivered
/// anything in the first rows. Without raw accelerometer columns (watch files, settings) the reading is rebuilt exactly
/// from gravity + user acceleration, and without a raw gyroscope the rotation rate stands in. Source:
/// Documentation/Formats.md 4.1.
enum SensorLogFormat {
  static let reader = FormatReader(
    format: .sensorLog, title: "SensorLog",
    summary: "a CSV whose header names loggingTime(txt) or motionTimestamp_sinceReboot(s)", plan: plan)

  /// Rows that are looked at to see which groups deliver: 20 s at 100 Hz.
  private static let probedRows = 2000

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    let member = try files.only()
    let header = try files.header(of: member)
    var columns = SensorLogColumns(header)
    let accelerometer = try columns.add(.accelerometer)
    let gyroscope = try columns.add(.gyroscope)
    let magnetometer = try columns.add(.magnetometer)
    let pressure = try columns.add(.altimeter)
    let motion = try columns.add(.motion)
    let table = TableFile(
      files: files, member: member, layout: header.layout(columns.columns, isOrdered: false))
    let offered = [accelerometer, gyroscope, magnetometer, pressure, motion].compactMap(\.self)
    let slotCount = columns.slotCount
    let seen = try delivering(offered, in: table, slotCount: slotCount, options)
    func active(_ group: RowReading?) -> RowReading? {
      group.flatMap { group in seen.contains(group.instant) ? group : nil }
    }

    func stream(_ groups: [RowReading]) -> SampleStreamPlan {
      SampleStreamPlan(table, slotCount: slotCount, groups) { SensorLogStream($0, groups: $1, context: $2).next }
    }

    var plan = RecordingPlan(streams: [])
    plan.warnings = columns.warnings
    plan.deviceClass = gyroscope == nil && magnetometer == nil ? .watch : .phone
    var groups = [active(accelerometer), active(gyroscope)].compactMap(\.self)
    if let motion = active(motion) {
      typealias Slot = FusedForm.Slot
      if active(accelerometer) == nil {
        let form = SampleForm.accelerometerSum(
          unit: .reversedGravity, linear: Slot.acceleration, gravity: Slot.gravity)
        groups.insert(motion.reading(form, at: 0, required: [Slot.gravity, Slot.acceleration]), at: 0)
        plan.notes.append("accelerometer rebuilt from gravity + user acceleration")
      }
      if active(gyroscope) == nil {
        groups.append(motion.reading(.gyroscope, at: Slot.angularVelocity, required: [0]))
        plan.notes.append("gyroscope from the rotation rate, its bias already removed")
      }
    }
    groups += [active(magnetometer), active(pressure)].compactMap(\.self)
    if options.motion == .recorded {
      guard let motion = active(motion) else {
        throw .noRecordedMotion(in: files, needs: "the motion… columns, filled")
      }
      groups.append(motion)
      plan.usesRecordedMotion = true
    }
    if let motion = active(motion) {
      plan.witness = stream([motion])
    }
    let beginning = try SensorLogBeginning(header, files, member)
    let leader: [(RowReading?, SensorLogColumns.Description)] = [
      (plan.usesRecordedMotion ? motion : nil, .motion), (active(accelerometer), .accelerometer),
      (active(motion), .motion), (active(gyroscope), .gyroscope), (active(magnetometer), .magnetometer),
      (active(pressure), .altimeter),
    ]
    plan.facts = RecordedFacts(clock: .device, sign: "apple")
    if let name = leader.first(where: { $0.0 != nil })?.1.timeStamp, let wall = try beginning.wallOffset(of: name) {
      plan.facts?.wallOffset = wall.offset
      if !wall.hasZone { plan.notes.append("its times of day have no time zone: read as UTC") }
    }
    plan.unread =
      (active(motion) != nil && !plan.usesRecordedMotion ? [RecordingPlan.unplayedMotion] : []) + beginning.unread
    if !groups.isEmpty { plan.streams = [stream(groups)] }
    return plan
  }

  /// The instants of the groups that gave at least one sample in the first rows.
  private static func delivering(
    _ groups: [RowReading], in table: TableFile, slotCount: Int, _ options: RecordingOptions
  ) throws(SensorError) -> Set<Int> {
    let context = ReadingContext(options.damage, problemLimit: InputLimits.problemsWhileProbing)
    let values = RowValues(count: slotCount)
    let reader = try table.open(values, context)
    var seen: Set<Int> = []
    var rows = 0
    while rows < probedRows, seen.count < groups.count {
      do throws(SensorError) {
        guard try reader.next() else { break }
      } catch {
        // Samples were found: what is wrong with the rest is for the reader to count.
        guard !seen.isEmpty, context.hasGivenUp else { throw error }
        break
      }
      rows += 1
      for group in groups {
        let time = reader.instants[group.instant]
        guard time != 0, time != TableReader.absent else { continue }
        if group.required.allSatisfy({ !values.numbers[$0].isNaN }) { seen.insert(group.instant) }
      }
    }
    return seen
  }
}

extension RowReading {
  /// The same columns read as something else: three numbers from each of the `required` slots of the group on.
  fileprivate func reading(_ form: SampleForm, at slot: Int, required: [Int]) -> Self {
    let first = firstSlot + slot
    return Self(
      form: form, firstSlot: first, required: required.flatMap { [first + $0, first + $0 + 1, first + $0 + 2] },
      instant: instant)
  }
}

/// The columns of a SensorLog header by group: names, units, and the slots they go to.
struct SensorLogColumns {
  /// What one group of columns looks like. Source: Documentation/Formats.md 4.1.
  struct Description {
    var timeStamp: String
    var form: SampleForm
    /// Name without unit, units, slot within the group, whether the group cannot do without it.
    var columns: [(name: String, units: [String], slot: Int, isRequired: Bool)]
    var reference: String?
  }

  private let header: TableHeader
  private(set) var columns: [TableLayout.Column] = []
  private(set) var slotCount = 0
  /// Sensors that the header has in part.
  private(set) var warnings: [String] = []
  private var instantCount = 0

  init(_ header: TableHeader) { self.header = header }

  /// Takes a group's columns in; nil when the header lacks its time stamp or a required column, which is a warning
  /// where it has others.
  mutating func add(_ description: Description) throws(SensorError) -> RowReading? {
    let time = try header.index(of: description.timeStamp, units: ["s"])
    var missing = time == nil ? ["\(description.timeStamp)(s)"] : []
    var found: [TableLayout.Column] = []
    var required: [Int] = []
    for column in description.columns {
      guard let index = try header.index(of: column.name, units: column.units) else {
        if column.isRequired { missing.append("\(column.name)(\(column.units[0]))") }
        continue
      }
      let slot = slotCount + column.slot
      found.append(.init(index: index, name: header.names[index], content: .number(slot: slot), isOptional: true))
      if column.isRequired { required.append(slot) }
    }
    guard let time, missing.isEmpty else {
      if !found.isEmpty {
        warnings.append(
          "The columns of the \(description.form.kind.names.joined()) are not read, because the header lacks \(missing.joined(separator: ", "))."
        )
      }
      return nil
    }
    found.append(
      .init(
        index: time, name: header.names[time], content: .instant(slot: instantCount, decimals: 9), isOptional: true))
    if let name = description.reference, let index = try header.index(of: name, units: ["txt"]) {
      found.append(
        .init(
          index: index, name: header.names[index],
          content: .word(slot: slotCount + FusedForm.Slot.reference, .referenceFrame), isOptional: true))
    }
    let group = RowReading(
      form: description.form, firstSlot: slotCount, required: required, instant: instantCount)
    columns += found
    slotCount += description.form.slotCount
    instantCount += 1
    return group
  }
}

extension SensorLogColumns.Description {
  private static func axes(
    _ prefix: String, _ units: [String], slot: Int = 0, isRequired: Bool = true
  ) -> [(name: String, units: [String], slot: Int, isRequired: Bool)] {
    ["X", "Y", "Z"].enumerated().map { (prefix + $1, units, slot + $0, isRequired) }
  }

  /// Old versions print µT values under the unit T.
  private static let fieldUnits = ["µT", "T"]

  static let accelerometer = Self(
    timeStamp: "accelerometerTimestamp_sinceReboot", form: .accelerometer(unit: .reversedGravity),
    columns: axes("accelerometerAcceleration", ["G"]))

  static let gyroscope = Self(
    timeStamp: "gyroTimestamp_sinceReboot", form: .gyroscope, columns: axes("gyroRotation", ["rad/s"]))

  static let magnetometer = Self(
    timeStamp: "magnetometerTimestamp_sinceReboot", form: .magnetometer(unit: .microtesla),
    columns: axes("magnetometer", fieldUnits))

  static let altimeter = Self(
    timeStamp: "altimeterTimestamp_sinceReboot", form: .pressure(PressureForm(unit: 1000)),
    columns: [("altimeterPressure", ["kPa"], 0, true)])

  static let motion = Self(
    timeStamp: "motionTimestamp_sinceReboot",
    form: .motion(FusedForm(reference: .xArbitrary, accelerationUnit: .reversedGravity)),
    columns: [("motionQuaternionW", ["R"], FusedForm.Slot.attitude, true)]
      + axes("motionQuaternion", ["R"], slot: FusedForm.Slot.attitude + 1)
      + axes("motionRotationRate", ["rad/s"], slot: FusedForm.Slot.angularVelocity)
      + axes("motionUserAcceleration", ["G"], slot: FusedForm.Slot.acceleration)
      + axes("motionGravity", ["G"], slot: FusedForm.Slot.gravity)
      + axes("motionMagneticField", fieldUnits, slot: FusedForm.Slot.field, isRequired: false)
      + [
        ("motionMagneticFieldCalibrationAccuracy", ["Z"], FusedForm.Slot.fieldAccuracy, false),
        ("motionHeading", ["°"], FusedForm.Slot.heading, false),
      ],
    reference: "motionAttitudeReferenceFrame")
}
