// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// A head tracker through its hidraw node: one report per read, feature reports by control calls.
struct HidrawChannel: HeadTrackerChannel {
  let descriptor: Int32
  private let description: HeadTrackerDescription
  private let nodes: HeadTrackerNodes
  private var bytes = [UInt8](repeating: 0, count: 4096)

  init(descriptor: Int32, description: HeadTrackerDescription, nodes: HeadTrackerNodes) {
    self.descriptor = descriptor
    self.description = description
    self.nodes = nodes
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
    // A device that refuses, or has gone, is not told twice.
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
