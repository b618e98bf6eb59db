// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The quantities in the columns of one table, and the samples that they make: the one model of every table that is read.
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
      case .airPressure, .waterPressure: Slot.count + 9
      case .temperature: Slot.count + 10
      }
    }

    var slots: [Int] { targets.indices.map { slot + $0 } }
  }

  /// Where a row's sensor stands, in tables whose rows are of several.
  static let sensorSlot = FusedForm.Slot.count + 11
  static let slotCount = sensorSlot + 1

  /// The unit of the raw accelerometer, with its sign.
  var accelerometerUnit = AccelerationUnit.reversedGravity
  /// The unit of the magnetometer.
  var magnetometerUnit = MagneticFieldUnit.microtesla
  /// Whether the hard iron has been removed from it.
  var isMagnetometerCalibrated = false
  /// Of a table of which nothing else is known: most chips average over the interval that ends with the stamp.
  var isGyroscopeMean = false
  /// °C = temperature + this.
  var temperatureOffset = 0.0
  /// Recorded motion: its units, its frame.
  var motion = FusedForm(reference: .xArbitrary, accelerationUnit: .reversedGravity)
  /// Headphones fuse by themselves: their motion passes as recorded, where no raw sensors stand beside it.
  var isOfHeadphones = false
  /// An empty cell is absence; else it is damage.
  var isSparse = true
  private(set) var columns: [TableLayout.Column] = []
  private(set) var quantities: Set<Quantity> = []

  /// Takes columns in, in the order of the quantity's numbers; `scales` brings each to the unit of the quantity, SI
  /// where no unit is stated. One that is not `isOffered` is a part of recorded motion and nothing else.
  mutating func add(
    _ quantity: Quantity, _ found: [TableHeader.Found], scales: [Double] = [], isOffered: Bool = true
  ) {
    if isOffered { quantities.insert(quantity) }
    for (position, column) in found.enumerated() {
      let slot = quantity.slot + position
      let scale = position < scales.count ? scales[position] : 1
      let content: TableLayout.Content =
        switch quantity {
        case .location: .word(slot: slot, .location)
        case .reference: .word(slot: slot, .referenceFrame)
        default: .number(slot: slot, scale: scale)
        }
      columns.append(.init(index: column.index, name: column.name, content: content, isOptional: isSparse))
    }
  }

  /// Takes in a column that is no quantity: the time, a word.
  mutating func add(_ column: TableLayout.Column) { columns.append(column) }

  func has(_ quantity: Quantity) -> Bool { quantities.contains(quantity) }

  /// What a person states of the table; a recorded attitude has the axes of the device, and is left out where they change.
  mutating func state(sign: RecordingOptions.Sign?, axes: ColumnAxes?) {
    if let sign {
      if accelerometerUnit.isReversed != (sign == .apple) { accelerometerUnit = accelerometerUnit.reversed }
      if motion.accelerationUnit.isReversed != (sign == .apple) {
        motion.accelerationUnit = motion.accelerationUnit.reversed
      }
    }
    if axes ?? .identity != .identity { quantities.remove(.quaternion) }
  }
}

extension TableLayout.Column {
  /// Goes where other axes need it: the device's x is the table's −z.
  mutating func turn(_ axes: ColumnAxes) {
    guard case .number(let slot, let scale) = content,
      let first = WideTable.Quantity.allCases.first(where: { $0.targets.count == 3 && $0.slots.contains(slot) })?.slot,
      let axis = axes.sources.firstIndex(where: { $0.index == slot - first })
    else { return }
    content = .number(slot: first + axis, scale: scale * axes.sources[axis].sign)
  }
}

extension WideTable {
  /// The samples that come out of the table's rows.
  func readings() -> [RowReading] {
    var raw: [RowReading] = []
    func add(_ form: SampleForm, _ quantity: Quantity) {
      raw.append(.init(form: form, firstSlot: quantity.slot, required: quantity.slots))
    }
    if has(.accelerometer) {
      add(.accelerometer(unit: accelerometerUnit), .accelerometer)
    } else if has(.gravity), has(.userAcceleration), motion.gravityScale == 1 {
      raw.append(.sum(unit: motion.accelerationUnit))
    }
    if has(.gyroscope) {
      add(.gyroscope, .gyroscope)
      raw[raw.count - 1].isMean = isGyroscopeMean
    } else if has(.rotationRate) {
      add(.gyroscope, .rotationRate)
      raw[raw.count - 1].note = "gyroscope from the rotation rate, its bias already removed"
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
      add(.pressure(has(.waterPressure) ? .water : .air, offset: temperatureOffset), .airPressure)
    } else if has(.temperature) {
      add(.temperature(offset: temperatureOffset), .temperature)
    }
    return raw
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
    return .init(form: .motion(form), required: required, copies: copies)
  }

  /// What a table's attitude and gravity say, for the check of its beginning.
  func witness() -> RowReading? {
    guard has(.gravity), has(.userAcceleration) else { return recordedMotion() }
    let attitude = has(.quaternion) ? Quantity.quaternion.slots : []
    return .init(form: .motion(motion), required: Quantity.gravity.slots + attitude)
  }

  /// The kinds for which the table has raw columns.
  var rawKinds: SensorKinds {
    var kinds: SensorKinds = []
    if has(.accelerometer) { kinds.formUnion(.accelerometer) }
    if has(.gyroscope) { kinds.formUnion(.gyroscope) }
    if has(.magnetometer) { kinds.formUnion(.magnetometer) }
    return kinds
  }
}

extension RowReading {
  /// The accelerometer of Core Motion's two parts of it.
  fileprivate static func sum(unit: AccelerationUnit) -> RowReading {
    RowReading(
      form: .accelerometerSum(unit: unit),
      required: WideTable.Quantity.gravity.slots + WideTable.Quantity.userAcceleration.slots,
      note: "accelerometer rebuilt from gravity + user acceleration")
  }
}

extension RecordingPlan {
  /// The plan of tables that stand side by side: of each sensor the first that has it, raw before rebuilt, then what two
  /// of them hold together, and the motion that was recorded, in one of them or in four.
  ///
  /// `needs` says what recorded motion would take, for the error when it is asked for and not there; `maximumAge`, ns, how
  /// much older rows may be than those of another table that they are joined to.
  init(
    _ tables: [TableFile], in files: RecordingFiles, _ options: RecordingOptions, needs: String, maximumAge: Int64 = 0
  ) throws(SensorError) {
    self.init(streams: [])
    let tables = tables.map { $0.stating(options) }
    statedSign = options.sign
    // A sensor that one table has raw is not rebuilt from another.
    let rawKinds = tables.reduce(into: SensorKinds()) { $0.formUnion($1.columns.rawKinds) }
    let headphones = tables.first(where: \.columns.isOfHeadphones)
    if headphones != nil { deviceClass = .headphones }
    let fused = rawKinds.isSuperset(of: .inertial) ? nil : headphones.flatMap { $0.columns.recordedMotion() }
    var recorded: SampleStreamPlan?
    var delivered: SensorKinds = []
    for table in tables where fused == nil || !table.columns.isOfHeadphones {
      let own = table.columns.rawKinds
      let readings = table.columns.readings().filter { reading in
        let kind = reading.form.kind
        return !delivered.contains(kind) && (own.contains(kind) || !rawKinds.contains(kind))
      }
      for reading in readings { delivered.formUnion(reading.form.kind) }
      notes += readings.compactMap(\.note)
      if !readings.isEmpty { streams.append(SampleStreamPlan(table, readings)) }
      if recorded == nil { recorded = table.columns.recordedMotion().map { SampleStreamPlan(table, [$0]) } }
      if witness == nil { witness = table.columns.witness().map { SampleStreamPlan(table, [$0]) } }
    }
    if let headphones, let fused {
      let stream = SampleStreamPlan(headphones, [fused])
      streams.append(stream)
      (witness, usesRecordedMotion) = (stream, true)
      return
    }
    func table(_ quantity: WideTable.Quantity) -> TableFile? { tables.first { $0.columns.has(quantity) } }
    if let linear = table(.userAcceleration), let gravity = table(.gravity), linear.member != gravity.member {
      let unit = linear.columns.motion.accelerationUnit
      if !delivered.contains(.accelerometer) {
        let sum = RowReading.sum(unit: unit)
        streams.insert(SampleStreamPlan(linear, joining: [gravity], maximumAge: maximumAge, sum), at: 0)
        notes.insert(sum.note ?? "", at: 0)
      }
      if recorded == nil, let attitude = table(.quaternion), let rate = table(.rotationRate) {
        var form = attitude.columns.motion
        form.accelerationUnit = unit
        form.gravityScale = gravity.columns.motion.accelerationUnit.scale / unit.scale
        recorded = SampleStreamPlan(
          attitude, joining: [rate, gravity, linear], maximumAge: maximumAge, RowReading(form: .motion(form)))
        witness = recorded
      }
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
