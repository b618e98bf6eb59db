// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The body of a sensor packet (opcode 0x17): a Protocol Buffers message.
///
/// Its fields are walked, never indexed: the sequence number grows from one byte to two at 128, a few seconds after the
/// start.
package struct SensorMessage: Sendable, Hashable {
  /// A report of a service.
  package struct Report: Sendable, Hashable {
    package var service: UInt8
    /// Nil when it is none of motion.
    package var motion: MotionReport?
  }

  package var sequence: UInt64 = 0
  package var kind: UInt64 = 0
  package var report: Report?
  package var descriptors: [ServiceDescriptor] = []
  /// The service that has accepted a setting. No proof that it will send anything.
  package var acknowledged: UInt8?
  /// Services that are ready.
  package var ready: [UInt8] = []

  /// More descriptors than this in one packet are not read; there are 64 identifiers.
  static let mostServices = 64

  /// The message in a body; nil when it is none.
  package init?(_ body: ArraySlice<UInt8>) {
    var bytes = PacketBytes(body)
    var count = 0
    while let field = ProtobufField(&bytes) {
      count += 1
      apply(field)
      // Some messages have one or two bytes more around what follows (seen in kinds with bit 2 set).
      if field.number == 2, kind & 4 != 0 {
        readSurrounded(bytes.rest)
        return
      }
    }
    guard count > 0, bytes.isEmpty || hasContent else { return nil }
  }

  /// Finds the fields behind at most two strange bytes.
  private mutating func readSurrounded(_ rest: ArraySlice<UInt8>) {
    for skipped in 0...2 {
      var attempt = self
      var bytes = PacketBytes(rest.dropFirst(skipped))
      while let field = ProtobufField(&bytes) { attempt.apply(field) }
      if attempt.hasContent, bytes.count <= 2 {
        self = attempt
        return
      }
    }
  }

  private var hasContent: Bool { report != nil || acknowledged != nil || !descriptors.isEmpty || !ready.isEmpty }

  private mutating func apply(_ field: ProtobufField) {
    switch (field.number, field.value) {
    case (1, .number(let value)): sequence = value
    case (2, .number(let value)): kind = value
    case (3, .bytes(let bytes)): readOldReport(bytes)
    case (5, .bytes(let bytes)):
      guard descriptors.count < Self.mostServices else { return }
      let (id, content) = Self.service(bytes, content: 2)
      if let id, let content { descriptors.append(ServiceDescriptor(id: id, properties: content)) }
    case (7, .bytes(let bytes)):
      let (id, content) = Self.service(bytes, content: 3)
      if let id, let content { report = Report(service: id, motion: MotionReport(content)) }
    case (9, .bytes(let bytes)): acknowledged = Self.service(bytes, content: 0).id
    case (12, .bytes(let bytes)):
      if ready.count < Self.mostServices, let id = Self.service(bytes, content: 0).id { ready.append(id) }
    default: break
    }
  }

  /// The encoding of the firmware of 2024: a service's number of two bytes, then the report.
  private mutating func readOldReport(_ bytes: ArraySlice<UInt8>) {
    var reader = PacketBytes(bytes)
    guard let service = reader.number(UInt16.self) else { return }
    report = Report(service: ServiceDescriptor.id(UInt64(service)), motion: MotionReport(reader.rest))
  }

  /// The service's number (field 1) and the bytes of another field.
  private static func service(
    _ bytes: ArraySlice<UInt8>, content: UInt64
  ) -> (id: UInt8?, content: ArraySlice<UInt8>?) {
    var reader = PacketBytes(bytes)
    var id: UInt8?
    var found: ArraySlice<UInt8>?
    while let field = ProtobufField(&reader) {
      switch (field.number, field.value) {
      case (1, .number(let value)): id = ServiceDescriptor.id(value)
      case (content, .bytes(let bytes)): found = bytes
      default: break
      }
    }
    return (id, found)
  }
}
