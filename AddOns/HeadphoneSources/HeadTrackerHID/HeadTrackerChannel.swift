// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// An open head tracker, through its hidraw node: one report per read, feature reports by control calls.
struct HeadTrackerChannel {
  /// The open node; the caller closes it.
  let descriptor: Int32
  let description: HeadTrackerDescription
  let nodes: HeadTrackerNodes
  private var bytes = [UInt8](repeating: 0, count: 4096)

  init(descriptor: Int32, description: HeadTrackerDescription, nodes: HeadTrackerNodes) {
    (self.descriptor, self.description, self.nodes) = (descriptor, description, nodes)
  }

  /// The text by which the device names its protocol; nil where it has none.
  func protocolText() throws(SystemFailure) -> String? {
    guard let field = description.text else { return nil }
    let data = try feature(field.reportID)
    let letters = field.raws(in: data).map { UInt8(truncatingIfNeeded: $0) }.prefix { $0 != 0 }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Switches the reports on, at about an interval in seconds; the interval that it is then, nil = it has no choice.
  func enable(interval: Double) throws(SystemFailure) -> Double? {
    // The order of the protocol: transport, interval, power, reporting.
    if let transport = description.transport { try patch(transport.field, transport.on) }
    let chosen = description.interval(nearest: interval)
    if let chosen { try patch(description.interval, chosen.raw) }
    if let power = description.power { try patch(power.field, power.on) }
    if let reporting = description.reporting { try patch(reporting.field, reporting.on) }
    return chosen?.seconds
  }

  /// Switches them off.
  func disable() {
    // A device that refuses, or was disconnected, is not asked twice.
    if let reporting = description.reporting { try? patch(reporting.field, reporting.off) }
    if let power = description.power { try? patch(power.field, power.off) }
  }

  /// Read, changed, written: what shares the report keeps its value.
  private func patch(_ field: HIDField, _ raw: Int64) throws(SystemFailure) {
    var data = try feature(field.reportID)
    guard field.insert(raw, at: 0, into: &data) else { throw .init(errno: EINVAL) }
    try nodes.setFeature(descriptor, [field.reportID] + data)
  }

  /// The data of a feature report, of the length that the descriptor says.
  private func feature(_ id: UInt8) throws(SystemFailure) -> [UInt8] {
    let count = description.descriptor.byteCount(.feature, id: id)
    let answer = try nodes.feature(descriptor, id, count)
    let data = Array(answer.dropFirst().prefix(count))
    return data + [UInt8](repeating: 0, count: count - data.count)
  }

  /// The waiting reports, each without its number; throws `ENODEV` when the device was disconnected.
  mutating func read() throws(SystemFailure) -> [(id: UInt8, data: [UInt8])] {
    var reports: [(id: UInt8, data: [UInt8])] = []
    let usesIDs = description.descriptor.usesReportIDs
    // The kernel keeps 64 reports for each reader.
    while reports.count < 64 {
      let count = MotionSensing.read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { break }
      guard count > 0 else { throw .init(errno: count == 0 || errno == EIO ? ENODEV : errno) }
      reports.append((usesIDs ? bytes[0] : 0, Array(bytes[(usesIDs ? 1 : 0)..<count])))
    }
    return reports
  }
}
