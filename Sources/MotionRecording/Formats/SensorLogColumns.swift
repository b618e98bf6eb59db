// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The columns of a SensorLog header by group: names, units, and the slots they go to.
struct SensorLogColumns {
  /// What one group of columns looks like. Source: formats.md 4.1.
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

  /// Takes a group's columns in; nil when the header lacks its time stamp or a required column, which is a warning where it has others.
  mutating func add(_ description: Description) throws(SensorError) -> SensorLogStreamPlan.Group? {
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
          "The columns of the \(description.form.kind.names.joined()) are not read, as the header lacks \(missing.joined(separator: ", "))."
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
    let group = SensorLogStreamPlan.Group(
      form: description.form, instant: instantCount, firstSlot: slotCount, required: required)
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
    timeStamp: "altimeterTimestamp_sinceReboot", form: .airPressure(unit: 1000),
    columns: [("altimeterPressure", ["kPa"], 0, true)])

  static let motion = Self(
    timeStamp: "motionTimestamp_sinceReboot",
    form: .fusedMotion(FusedForm(reference: .xArbitrary, accelerationUnit: .reversedGravity)),
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
