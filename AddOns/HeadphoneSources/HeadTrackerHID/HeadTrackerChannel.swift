// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// An open head tracker, by one of the kernel's two interfaces.
protocol HeadTrackerChannel {
  /// The open node; the caller closes it.
  var descriptor: Int32 { get }
  /// Whether one may sleep on the node until it has something; otherwise it is read every few milliseconds.
  var isPolled: Bool { get }
  /// The text by which the device names its protocol; nil where it cannot be read through this door.
  func protocolText() throws(HeadTrackerNodes.Failure) -> String?
  /// Switches the reports on, at about an interval in seconds; the interval that it is then, nil = it could not be set.
  func enable(interval: Double) throws(HeadTrackerNodes.Failure) -> Double?
  /// Switches them off.
  func disable()
  /// The waiting reports; throws `ENODEV` when the device was disconnected.
  mutating func read(_ clock: any SensorClock) throws(HeadTrackerNodes.Failure) -> [HeadTrackerArrival]
  /// Whether the device is still there; looked at when nothing comes.
  var isPresent: Bool { get }
}

/// A report as it has arrived.
struct HeadTrackerArrival {
  var id: UInt8
  /// Without the number.
  var data: ArraySlice<UInt8>
  /// When the kernel, or else this program, had it.
  var time: SensorInstant
}

/// A head tracker through its hidraw node: one report per read, feature reports by control calls.
struct HidrawChannel: HeadTrackerChannel {
  let descriptor: Int32
  private let description: HeadTrackerDescription
  private let nodes: HeadTrackerNodes
  private var bytes = [UInt8](repeating: 0, count: 4096)

  init(descriptor: Int32, description: HeadTrackerDescription, nodes: HeadTrackerNodes) {
    (self.descriptor, self.description, self.nodes) = (descriptor, description, nodes)
  }

  var isPolled: Bool { true }

  /// The node says it by itself: it hangs up.
  var isPresent: Bool { true }

  func protocolText() throws(HeadTrackerNodes.Failure) -> String? {
    guard let field = description.text else { return nil }
    let data = try feature(field.reportID)
    let letters = field.raws(in: data).map { UInt8(truncatingIfNeeded: $0) }.prefix { $0 != 0 }
    return String(decoding: letters, as: UTF8.self)
  }

  func enable(interval: Double) throws(HeadTrackerNodes.Failure) -> Double? {
    // The order of the protocol: transport, interval, power, reporting.
    if let transport = description.transport { try patch(transport.field, transport.on) }
    let chosen = description.interval(nearest: interval)
    if let chosen { try patch(description.interval, chosen.raw) }
    if let power = description.power { try patch(power.field, power.on) }
    if let reporting = description.reporting { try patch(reporting.field, reporting.on) }
    return chosen?.seconds
  }

  func disable() {
    // A device that refuses, or was disconnected, is not asked twice.
    if let reporting = description.reporting { try? patch(reporting.field, reporting.off) }
    if let power = description.power { try? patch(power.field, power.off) }
  }

  /// Read, changed, written: what shares the report keeps its value.
  private func patch(_ field: HIDField, _ raw: Int64) throws(HeadTrackerNodes.Failure) {
    var data = try feature(field.reportID)
    guard field.insert(raw, at: 0, into: &data) else { throw .init(errno: EINVAL) }
    try nodes.setFeature(descriptor, [field.reportID] + data)
  }

  /// The data of a feature report, of the length that the descriptor says.
  private func feature(_ id: UInt8) throws(HeadTrackerNodes.Failure) -> [UInt8] {
    let count = description.descriptor.byteCount(.feature, id: id)
    let answer = try nodes.feature(descriptor, id, count)
    let data = Array(answer.dropFirst().prefix(count))
    return data + [UInt8](repeating: 0, count: count - data.count)
  }

  mutating func read(_ clock: any SensorClock) throws(HeadTrackerNodes.Failure) -> [HeadTrackerArrival] {
    var reports: [HeadTrackerArrival] = []
    // The kernel keeps 64 reports for each reader.
    while reports.count < 64 {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { break }
      guard count > 0 else { throw .init(errno: count == 0 || errno == EIO ? ENODEV : errno) }
      let time = clock.now
      let usesIDs = description.descriptor.usesReportIDs
      reports.append(
        .init(id: usesIDs ? bytes[0] : 0, data: Array(bytes[..<count])[(usesIDs ? 1 : 0)...], time: time))
    }
    return reports
  }
}

/// A head tracker through the kernel's driver hid-sensor-custom: settings are attributes of sysfs, reports come as
/// records with times.
///
/// The kernel's documentation (Documentation/hid/hid-sensor.rst) gives the names; the record is `usage u32, time u64,
/// length u32, data`, packed. The time is that of arrival on the wall clock.
///
/// ## A node that outlives its device
/// The driver frees what stands behind an open node as soon as the device goes, without waiting for those who have it
/// open (drivers/hid/hid-sensor-custom.c: no reference is held, `devm_kzalloc`). A read after that reads freed memory,
/// and has brought the kernel down ("divide error" in `__kfifo_to_user`); a sleeper in `poll` writes into it when it
/// leaves the queue. So this program never sleeps on this node, each read looks first whether the device is there, and
/// from the first sign that it goes the node is only closed. What is left are the microseconds between look and read,
/// and a close that comes after the memory was freed, which clears one bit of it; only the kernel can fix that.
struct SensorCustomChannel: HeadTrackerChannel {
  let descriptor: Int32
  private let folder: String
  private let description: HeadTrackerDescription
  private let nodes: HeadTrackerNodes
  private var pending: [UInt8] = []
  private var bytes = [UInt8](repeating: 0, count: 8192)

  static let headerSize = 16

  init(descriptor: Int32, folder: String, description: HeadTrackerDescription, nodes: HeadTrackerNodes) {
    (self.descriptor, self.folder, self.description, self.nodes) = (descriptor, folder, description, nodes)
  }

  var isPolled: Bool { false }

  /// When a device goes, the kernel takes its `uevent` away first, then the driver's switch, and only then what is
  /// behind the node. Where the driver alone is taken off the device, the switch is the first sign.
  var isPresent: Bool {
    let device = folder.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return access("\(device)/uevent", F_OK) == 0 && access("\(folder)/enable_sensor", F_OK) == 0
  }

  /// The driver passes on whole bytes of fields that follow each other: whether everything that is needed comes
  /// through.
  static func passes(_ description: HeadTrackerDescription) -> Bool {
    let fields = description.descriptor.fields.filter { $0.kind == .input && $0.reportID == description.inputID }
    var offset = 0
    for field in fields {
      guard field.bitOffset == offset, (field.bitSize * field.count) % 8 == 0 else { return false }
      offset += field.bitSize * field.count
    }
    return true
  }

  func protocolText() throws(HeadTrackerNodes.Failure) -> String? {
    guard let field = description.text, let path = attribute(of: field) else { return nil }
    guard let text = try? nodes.attribute(path) else { return nil }
    let letters = text.split(separator: " ").compactMap { UInt8($0) }.prefix { $0 != 0 }
    return String(decoding: letters, as: UTF8.self)
  }

  func enable(interval: Double) throws(HeadTrackerNodes.Failure) -> Double? {
    if let transport = description.transport, let path = attribute(of: transport.field) {
      try? set(path, transport.on)
    }
    var chosen: Double?
    if let wanted = description.interval(nearest: interval), let path = attribute(of: description.interval) {
      // A device without a choice may refuse; it has its interval all the same.
      if (try? set(path, wanted.raw)) != nil { chosen = wanted.seconds }
    }
    // Off and on again: one that was left on does not start again. The kernel sets power and reporting by their usages,
    // and refuses (EINVAL) to switch off what is off.
    try? nodes.setAttribute("\(folder)/enable_sensor", "0")
    try nodes.setAttribute("\(folder)/enable_sensor", "1")
    return chosen
  }

  func disable() { try? nodes.setAttribute("\(folder)/enable_sensor", "0") }

  private func set(_ path: String, _ raw: Int64) throws(HeadTrackerNodes.Failure) {
    // Reading makes the kernel fetch the report, so that what shares it is written back as it is.
    _ = try nodes.attribute(path)
    try nodes.setAttribute(path, String(raw))
  }

  /// The attribute of a feature. The kernel names it by the field's place in its report, and looks the report up by
  /// that place among all features; where the two do not meet, it would write to another report, so nil then.
  private func attribute(of field: HIDField) -> String? {
    func inOrder(_ kind: HIDField.Kind) -> [HIDField] {
      let fields = description.descriptor.fields.filter { $0.kind == kind }
      let ids = fields.reduce(into: [UInt8]()) { if !$0.contains($1.reportID) { $0.append($1.reportID) } }
      return ids.flatMap { id in fields.filter { $0.reportID == id } }
    }
    let features = inOrder(.feature)
    let report = features.filter { $0.reportID == field.reportID }
    guard let index = report.firstIndex(of: field), index < features.count,
      features[index].reportID == field.reportID
    else { return nil }
    let usage = field.isVariable ? field.usage(at: 0) : field.collections.last?.usage
    let name = "feature-\(String(index, radix: 16))-\(String(usage ?? 0, radix: 16))"
    return "\(folder)/\(name)/\(name)-value"
  }

  mutating func read(_ clock: any SensorClock) throws(HeadTrackerNodes.Failure) -> [HeadTrackerArrival] {
    while true {
      guard isPresent else { throw .init(errno: ENODEV) }
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { break }
      guard count > 0 else { throw .init(errno: count == 0 ? ENODEV : errno) }
      pending += bytes[..<count]
      if count < bytes.count { break }
    }
    let now = clock.now
    var wall = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    let offset = now.nanoseconds - (Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec))
    var reports: [HeadTrackerArrival] = []
    var position = 0
    while pending.count - position >= Self.headerSize {
      func number(_ at: Int, _ count: Int) -> UInt64 {
        pending[(position + at)..<(position + at + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
      let length = Int(number(12, 4))
      // Not records: after opening again the queue is empty.
      guard length <= HIDReportDescriptor.reportLimit else { throw .init(errno: EPROTO) }
      guard pending.count - position - Self.headerSize >= length else { break }
      let begin = position + Self.headerSize
      let stamp = Int64(truncatingIfNeeded: number(4, 8)) &+ offset
      // A wall clock that was set since then is not usable.
      let isCredible = (0...1_000_000_000).contains(now.nanoseconds &- stamp)
      reports.append(
        .init(
          id: description.inputID, data: pending[begin..<(begin + length)],
          time: isCredible ? SensorInstant(nanoseconds: stamp) : now))
      position = begin + length
    }
    pending.removeFirst(position)
    return reports
  }
}
