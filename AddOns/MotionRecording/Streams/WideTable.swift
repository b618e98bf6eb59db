// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The quantities in the columns of one table, and the streams that they make.
///
/// Formats differ in names, units and signs; what a row is good for is the same for all. Raw sensors come from raw
/// columns. Without them gravity + user acceleration is the raw accelerometer, sample by sample, because Core Motion
/// only splits it, and the rotation rate stands in for the gyroscope, its bias already removed. What the phone had
/// computed is delivered on request. Source: Documentation/Formats.md 2, 6.1 (replay rule).
struct WideTable {
  /// Something that a row can hold.
  enum Quantity: CaseIterable, Sendable {
    case accelerometer, gyroscope, magnetometer, airPressure, waterPressure, temperature
    /// w, x, y, z.
    case quaternion
    /// Without bias; gravity and acceleration without it.
    case rotationRate, gravity, userAcceleration
    /// The field without the device's own, in microtesla.
    case field
    case fieldAccuracy, heading, headingAccuracy, inclinationDeviation, headingDeviation
    /// Words: where the sensor is worn, and the reference frame.
    case location, reference

    /// What its columns are called in a map, in the order of its numbers.
    var targets: [String] {
      func axes(_ prefix: String) -> [String] { ["x", "y", "z"].map { prefix + $0 } }
      return switch self {
      case .accelerometer: axes("a")
      case .gyroscope: axes("g")
      case .magnetometer: axes("m")
      case .airPressure: ["p"]
      case .waterPressure: ["pw"]
      case .temperature: ["temp"]
      case .quaternion: ["qw", "qx", "qy", "qz"]
      case .rotationRate: axes("rate")
      case .gravity: axes("grav")
      case .userAcceleration: axes("user")
      case .field: axes("field")
      case .fieldAccuracy: ["fieldacc"]
      case .heading: ["heading"]
      case .headingAccuracy: ["headingacc"]
      case .inclinationDeviation: ["inclinationdev"]
      case .headingDeviation: ["headingdev"]
      case .location: ["location"]
      case .reference: ["frame"]
      }
    }

    /// Where its numbers stand in a row.
    var slot: Int {
      typealias Slot = FusedForm.Slot
      return switch self {
      case .quaternion: Slot.attitude
      case .rotationRate: Slot.angularVelocity
      case .gravity: Slot.gravity
      case .userAcceleration: Slot.acceleration
      case .field: Slot.field
      case .fieldAccuracy: Slot.fieldAccuracy
      case .heading: Slot.heading
      case .headingAccuracy: Slot.headingAccuracy
      case .inclinationDeviation: Slot.inclinationDeviation
      case .headingDeviation: Slot.headingDeviation
      case .location: Slot.location
      case .reference: Slot.reference
      case .accelerometer: Slot.count
      case .gyroscope: Slot.count + 3
      case .magnetometer: Slot.count + 6
      case .airPressure, .waterPressure: Slot.count + 9 + PressureForm.Slot.pressure
      case .temperature: Slot.count + 9 + PressureForm.Slot.temperature
      }
    }

    var slots: [Int] { targets.indices.map { slot + $0 } }
  }

  /// Where a row's sensor stands, in tables whose rows are of several.
  static let sensorSlot = FusedForm.Slot.count + 9 + PressureForm.Slot.count
  static let slotCount = sensorSlot + 1

  /// The unit of the raw accelerometer, with its sign.
  var accelerometerUnit = AccelerationUnit.reversedGravity
  /// The unit of the magnetometer.
  var magnetometerUnit = MagneticFieldUnit.microtesla
  /// Whether the hard iron has been removed from it.
  var isMagnetometerCalibrated = false
  var pressure = PressureForm()
  /// Recorded motion: its units, its frame.
  var motion = FusedForm(reference: .xArbitrary, accelerationUnit: .reversedGravity)
  private(set) var columns: [TableLayout.Column] = []
  private(set) var quantities: Set<Quantity> = []

  /// Takes columns in, in the order of the quantity's numbers; `scales` brings each to the unit of the quantity.
  mutating func add(_ quantity: Quantity, _ found: [(index: Int, name: String)], scales: [Double] = []) {
    quantities.insert(quantity)
    for (position, column) in found.enumerated() {
      let slot = quantity.slot + position
      let scale = position < scales.count ? scales[position] : 1
      let content: TableLayout.Content =
        switch quantity {
        case .location: .word(slot: slot, .locationNumber)
        case .reference: .word(slot: slot, .referenceFrameMask)
        default: scale == 1 ? .number(slot: slot) : .scaled(slot: slot, by: scale)
        }
      columns.append(.init(index: column.index, name: column.name, content: content, isOptional: true))
    }
  }

  /// Takes in a column that is no quantity: the time, a word.
  mutating func add(_ column: TableLayout.Column) { columns.append(column) }

  func has(_ quantity: Quantity) -> Bool { quantities.contains(quantity) }
}

extension WideTable {
  /// The samples that come out of the table's rows, and the motion it recorded.
  func readings() -> (raw: [RowReading], notes: [String]) {
    var raw: [RowReading] = []
    var notes: [String] = []
    func add(_ form: SampleForm, _ quantity: Quantity) {
      raw.append(.init(form: form, firstSlot: quantity.slot, required: quantity.slots))
    }
    if has(.accelerometer) {
      add(.accelerometer(unit: accelerometerUnit), .accelerometer)
    } else if has(.gravity), has(.userAcceleration), motion.gravityScale == 1 {
      raw.append(
        .init(
          form: .accelerometerSum(
            unit: motion.accelerationUnit, linear: FusedForm.Slot.acceleration, gravity: FusedForm.Slot.gravity),
          firstSlot: 0, required: Quantity.gravity.slots + Quantity.userAcceleration.slots))
      notes.append("accelerometer rebuilt from gravity + user acceleration")
    }
    if has(.gyroscope) {
      add(.gyroscope, .gyroscope)
    } else if has(.rotationRate) {
      add(.gyroscope, .rotationRate)
      notes.append("gyroscope from the rotation rate, its bias already removed")
    }
    if has(.magnetometer) {
      let isOfSensorFamily = !accelerometerUnit.isReversed
      add(.magnetometer(unit: magnetometerUnit, inTesla: isOfSensorFamily), .magnetometer)
      raw[raw.count - 1].isCalibrated = isMagnetometerCalibrated
    } else if has(.field) {
      add(.magnetometer(unit: .microtesla), .field)
      raw[raw.count - 1].isCalibrated = true
      raw[raw.count - 1].zeroIsAbsent = true
    }
    if has(.airPressure) || has(.waterPressure) {
      add(.pressure(pressure), .airPressure)
    } else if has(.temperature) {
      add(.temperature(offset: pressure.temperatureOffset), .temperature)
    }
    return (raw, notes)
  }

  /// What the phone had computed; nil when the table lacks part of it.
  ///
  /// An attitude beside raw sensors is enough: gravity follows from it (``FusedForm/Origin/attitudeAndRawSensors``).
  func recordedMotion() -> RowReading? {
    guard has(.quaternion), has(.rotationRate) || has(.gyroscope) else { return nil }
    var form = motion
    var copies: [(from: Int, to: Int)] = []
    var required = Quantity.quaternion.slots + Quantity.rotationRate.slots
    if !has(.rotationRate) { copies.append((Quantity.gyroscope.slot, Quantity.rotationRate.slot)) }
    if has(.gravity), has(.userAcceleration) {
      required += Quantity.gravity.slots + Quantity.userAcceleration.slots
    } else if has(.accelerometer) {
      form.origin = .attitudeAndRawSensors
      form.accelerationUnit = accelerometerUnit
      copies.append((Quantity.accelerometer.slot, Quantity.userAcceleration.slot))
      required += Quantity.userAcceleration.slots
    } else {
      return nil
    }
    return .init(form: .motion(form), firstSlot: 0, required: required, copies: copies)
  }

  /// What a table's attitude and gravity say, for the check of its beginning.
  func witness() -> RowReading? {
    guard has(.gravity) else { return recordedMotion() }
    let attitude = has(.quaternion) ? Quantity.quaternion.slots : []
    return .init(form: .motion(motion), firstSlot: 0, required: Quantity.gravity.slots + attitude)
  }
}

extension RecordingPlan {
  /// The plan of tables that stand side by side, each of them with the samples of ``WideTable/readings()``.
  ///
  /// `needs` says what recorded motion would take, for the error when it is asked for and not there.
  init(
    _ tables: [(file: TableFile, columns: WideTable)], in files: RecordingFiles, _ options: RecordingOptions,
    needs: String
  ) throws(SensorError) {
    self.init(streams: [])
    func stream(_ file: TableFile, _ readings: [RowReading]) -> SampleStreamPlan {
      SampleStreamPlan(file, slotCount: WideTable.slotCount, readings)
    }
    // A sensor that one table has raw is not rebuilt from another.
    let rawKinds = tables.reduce(into: SensorKinds()) { $0.formUnion($1.columns.rawKinds) }
    var recorded: SampleStreamPlan?
    var delivered: SensorKinds = []
    for (file, columns) in tables {
      var (readings, notes) = columns.readings()
      let own = columns.rawKinds
      readings.removeAll { reading in
        let kind = reading.form.kind
        return delivered.contains(kind) || (!own.contains(kind) && rawKinds.contains(kind))
      }
      notes.removeAll { note in
        (note.hasPrefix("accelerometer") && !readings.contains { $0.form.kind == .accelerometer })
          || (note.hasPrefix("gyroscope") && !readings.contains { $0.form.kind == .gyroscope })
      }
      for reading in readings { delivered.formUnion(reading.form.kind) }
      self.notes += notes
      if !readings.isEmpty { streams.append(stream(file, readings)) }
      if recorded == nil, let motion = columns.recordedMotion() { recorded = stream(file, [motion]) }
      if witness == nil, let reading = columns.witness() { witness = stream(file, [reading]) }
    }
    guard options.motion == .recorded else {
      if recorded != nil { unread = [Self.unplayedMotion] }
      return
    }
    guard let recorded else { throw .noRecordedMotion(in: files, needs: needs) }
    streams.append(recorded)
    usesRecordedMotion = true
  }
}

extension WideTable {
  /// The kinds for which the table has raw columns.
  var rawKinds: SensorKinds {
    var kinds: SensorKinds = []
    if has(.accelerometer) { kinds.formUnion(.accelerometer) }
    if has(.gyroscope) { kinds.formUnion(.gyroscope) }
    if has(.magnetometer) { kinds.formUnion(.magnetometer) }
    return kinds
  }
}
