// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Where a HID device keeps what the Android head tracker protocol needs, found by the usages of its report descriptor.
///
/// Numbers, offsets and sizes of reports differ from device to device and are taken from the descriptor. Source:
/// Android Open Source Project, "Head tracker HID protocol" versions 1 and 2; HID Usage Tables 1.4, page 0x20
/// (sensors).
struct HeadTrackerDescription: Hashable, Sendable {
  /// A choice between usages: the value of each is its place in the list, which devices order as they like.
  struct Choice: Hashable, Sendable {
    var field: HIDField
    var on, off: Int64
  }

  /// One value of a field.
  struct Element: Hashable, Sendable {
    var field: HIDField
    var index: Int
  }

  let descriptor: HIDReportDescriptor
  /// The report that motion comes in.
  let inputID: UInt8
  /// The rotation vector and the angular velocity, each x, y, z.
  let rotation, angularVelocity: [Element]
  /// Whether `angularVelocity` is in degrees a second where no unit says otherwise: the usages of ordinary motion
  /// sensors.
  let isOrdinaryVelocity: Bool
  /// The number that changes when the reference jumps; nil = the device has none.
  let discontinuity: Element?
  let reporting, power: Choice?
  let interval: HIDField
  /// Low-energy transport, version 2: `on` = ACL, which Linux has.
  let transport: Choice?
  /// The text that names the protocol.
  let text: HIDField?

  private enum Usage {
    static let page: UInt32 = 0x20 << 16
    static let custom = page | 0xE1
    static let text = page | 0x0308
    static let reporting = page | 0x0316
    static let allEvents = page | 0x0841
    static let noEvents = page | 0x0840
    static let power = page | 0x0319
    static let fullPower = page | 0x0851
    static let powerOff = page | 0x0855
    static let interval = page | 0x030E
    static let transport = page | 0xF410
    static let acl = page | 0xF800
    static let iso = page | 0xF801
    static let rotation = page | 0x0544
    static let velocity = page | 0x0545
    static let discontinuity = page | 0x0546
    static let ordinaryVelocity = page | 0x0457
  }

  /// Nil when the device is no head tracker, or one that cannot be switched on: it needs a rotation, an angular
  /// velocity, an interval, and a power or a reporting state.
  init?(_ descriptor: HIDReportDescriptor) {
    let own = descriptor.fields.filter { field in field.collections.contains { $0.usage == Usage.custom } }
    let inputs = own.filter { $0.kind == .input && $0.isVariable && $0.isReadable }
    let features = own.filter { $0.kind == .feature && $0.isReadable }
    func elements(_ usage: UInt32, _ id: UInt8? = nil) -> [Element] {
      inputs.filter { id == nil || $0.reportID == id }.flatMap { field in
        (0..<min(field.count, 8)).compactMap { field.usage(at: $0) == usage ? Element(field: field, index: $0) : nil }
      }
    }
    let rotation = elements(Usage.rotation)
    guard rotation.count >= 3, let id = rotation.first?.field.reportID else { return nil }
    func three(_ elements: [Element]) -> [Element]? { elements.count >= 3 ? Array(elements.prefix(3)) : nil }
    func axes(_ first: UInt32) -> [Element]? { three((0..<3).flatMap { elements(first + $0, id).prefix(1) }) }
    guard let rotation = three(elements(Usage.rotation, id)),
      let velocity = three(elements(Usage.velocity, id)) ?? axes(Usage.ordinaryVelocity),
      let interval = features.first(where: { $0.isVariable && $0.usage(at: 0) == Usage.interval })
    else { return nil }
    func choice(_ property: UInt32, on: UInt32, off: UInt32) -> Choice? {
      for field in features where !field.isVariable {
        guard field.collections.last?.usage == property || field.index(of: on) != nil,
          let onIndex = field.index(of: on), let offIndex = field.index(of: off)
        else { continue }
        return Choice(
          field: field, on: field.logicalMinimum + Int64(onIndex), off: field.logicalMinimum + Int64(offIndex))
      }
      return nil
    }
    reporting = choice(Usage.reporting, on: Usage.allEvents, off: Usage.noEvents)
    power = choice(Usage.power, on: Usage.fullPower, off: Usage.powerOff)
    transport = choice(Usage.transport, on: Usage.acl, off: Usage.iso)
    guard reporting != nil || power != nil else { return nil }
    self.descriptor = descriptor
    inputID = id
    self.rotation = rotation
    angularVelocity = velocity
    isOrdinaryVelocity = elements(Usage.velocity, id).count < 3
    discontinuity = elements(Usage.discontinuity, id).first
    self.interval = interval
    text = features.first { $0.usage(at: 0) == Usage.text }
  }

  /// From the bytes of a descriptor; nil as well when they are none.
  init?(bytes: [UInt8]) {
    guard let descriptor = try? HIDReportDescriptor(bytes) else { return nil }
    self.init(descriptor)
  }

  // MARK: Interval

  /// Seconds per unit of the interval's physical value: milliseconds where no unit is given (HID Sensor Usages, 1.3.2).
  private var intervalUnit: Double { interval.unit == 0 && interval.unitExponent == 0 ? 1e-3 : 1 }

  /// The shortest and the longest interval that is offered, s.
  var intervals: ClosedRange<Double> {
    let ends = [interval.logicalMinimum, interval.logicalMaximum].map { interval.physical($0) * intervalUnit }
    return (ends.min() ?? 0)...(ends.max() ?? 0)
  }

  /// The logical value of what is nearest to a wanted interval among those offered, and that interval in seconds; nil
  /// where the field has no limits.
  func interval(nearest seconds: Double) -> (raw: Int64, seconds: Double)? {
    let wanted = min(max(seconds, intervals.lowerBound), intervals.upperBound)
    guard let raw = interval.logical(wanted / intervalUnit) else { return nil }
    return (raw, interval.physical(raw) * intervalUnit)
  }

  // MARK: Reports

  /// What a report says. Nil when it is too short for it, or another report; `data` is without the report's number.
  func decode(id: UInt8, data: some RandomAccessCollection<UInt8>) -> HeadTrackerReport? {
    guard id == inputID else { return nil }
    let all = rotation + angularVelocity + (discontinuity.map { [$0] } ?? [])
    guard all.allSatisfy({ $0.field.bitOffset + ($0.index + 1) * $0.field.bitSize <= data.count * 8 }) else {
      return nil
    }
    func vector(_ elements: [Element], _ unit: (HIDField) -> Double) -> Vector3<Device>? {
      let values = elements.compactMap { element in
        element.field.raw(at: element.index, in: data).map { element.field.physical($0) * unit(element.field) }
      }
      guard values.count == 3 else { return nil }
      return Vector3(x: values[0], y: values[1], z: values[2])
    }
    guard let turn = vector(rotation, Self.radians),
      let rate = vector(angularVelocity, { isOrdinaryVelocity ? Self.degrees($0) : Self.radians($0) })
    else { return nil }
    return HeadTrackerReport(
      rotation: turn, angularVelocity: rate,
      discontinuity: discontinuity.flatMap { $0.field.raw(at: $0.index, in: data) })
  }

  /// HID's codes of a degree and of degrees a second (system 4, English rotation), and of seconds.
  private static let degreeUnits: Set<UInt32> = [0x14, 0xF014]
  private static func radians(_ field: HIDField) -> Double {
    degreeUnits.contains(field.unit) ? Angle(degrees: 1).radians : 1
  }
  /// Degrees a second where nothing is said (HID Sensor Usages, 4.4).
  private static func degrees(_ field: HIDField) -> Double {
    field.unit == 0 || degreeUnits.contains(field.unit) ? Angle(degrees: 1).radians : 1
  }
}

/// The content of one report of a head tracker.
struct HeadTrackerReport: Hashable, Sendable {
  /// rad, axis times angle, between the head and a reference that may drift.
  var rotation: Vector3<Device>
  /// rad/s, about the head's own axes.
  var angularVelocity: Vector3<Device>
  /// Changes when the reference jumps.
  var discontinuity: Int64?
}

extension HeadTrackerOptions.Direction {
  /// The attitude that a rotation vector stands for.
  func attitude(_ rotation: Vector3<Device>) -> Rotation<Device, NorthWestUp> {
    let turn = Rotation<Device, NorthWestUp>(rotationVector: rotation)
    return self == .headToReference ? turn : Rotation(nearUnitW: turn.w, x: -turn.x, y: -turn.y, z: -turn.z)
  }
}

extension HeadTrackerReport {
  /// The motion of the head as a sample.
  ///
  /// The device reports no acceleration, so the linear one is zero, and gravity follows from the attitude.
  func sample(at time: SensorInstant, direction: HeadTrackerOptions.Direction) -> MotionRow {
    let attitude = direction.attitude(rotation)
    return MotionRow(
      time: time, w: attitude.w, vector: Vector3(x: attitude.x, y: attitude.y, z: attitude.z), reference: .xArbitrary,
      angularVelocity: angularVelocity, gravity: MotionRow.gravity(at: attitude), linearAcceleration: .zero,
      accelerationUnit: .metresPerSecondSquared)
  }

  /// Whether every number is finite and no faster or larger than any head: a broken report is dropped.
  var isPlausible: Bool {
    [rotation, angularVelocity].allSatisfy { $0.dot($0).isFinite }
      && rotation.dot(rotation) < 1000 && angularVelocity.dot(angularVelocity) < 1e6
  }
}

/// Determines the direction of the rotation vector by comparing its change with the angular velocity.
///
/// From one report to the next the head turns by ω·Δt about its own axes. If the vector leads from the head to the
/// reference, that turn is q₁⁻¹q₂, and if it leads back, q₁q₂⁻¹; only one of the two agrees with ω. A second at 1 rad/s
/// decides. (Shuster, "A Survey of Attitude Representations", J. Astronaut. Sci. 41(4), 1993, on kinematics; the test
/// is this project's own.)
struct DirectionWitness: Sendable {
  private var before: (rotation: Rotation<Device, NorthWestUp>, rate: Vector3<Device>, time: SensorInstant)?
  /// rad² / s: agreement of the two readings with the angular velocity, and what full agreement would be.
  private var agreement = (forward: 0.0, backward: 0.0, full: 0.0)

  /// What the motion so far says; nil = too little of it, or neither.
  var verdict: HeadTrackerOptions.Direction? {
    guard agreement.full > 1 else { return nil }
    if agreement.forward > 0.8 * agreement.full, agreement.backward < 0.5 * agreement.full { return .headToReference }
    if agreement.backward > 0.8 * agreement.full, agreement.forward < 0.5 * agreement.full { return .referenceToHead }
    return nil
  }

  /// A report and its time; `isContinuous` false = the reference has jumped in between.
  mutating func update(_ report: HeadTrackerReport, at time: SensorInstant, isContinuous: Bool) {
    let now = Rotation<Device, NorthWestUp>(rotationVector: report.rotation)
    defer { before = (now, report.angularVelocity, time) }
    guard let before, isContinuous else { return }
    let span = (time - before.time).seconds
    // Across a gap the shortest way is not the way that the head went.
    guard span > 0.001, span < 0.25 else { return }
    let rate = (before.rate + report.angularVelocity) * 0.5
    let forward = (before.rotation.inverse * now).rotationVector
    let back = (before.rotation * now.inverse).rotationVector
    let backward = Vector3<Device>(x: back.x, y: back.y, z: back.z)
    agreement.forward += forward.dot(rate)
    agreement.backward += backward.dot(rate)
    agreement.full += rate.dot(rate) * span
  }
}
