// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// A message of ROS 2 that carries what a motion sensor measures.
///
/// ```swift
/// if let type = ROS2MessageType(schemaName: schema.name) {
///   let message = try ROS2Message(type, decoding: bytes)     // CDR, little or big endian
///   samples += message.samples
/// }
/// ```
public enum ROS2Message: Hashable, Sendable {
  case imu(ROS2Imu)
  case magneticField(ROS2MagneticField)
  /// Pascal, absolute. The type serves air and water; the message does not say which.
  case fluidPressure(ROS2Scalar)
  /// °C.
  case temperature(ROS2Scalar)

  /// Decodes the CDR of one message, encapsulation included.
  ///
  /// - Throws: `SensorError` when the bytes are cut off, of another representation, or of another type.
  public init(_ type: ROS2MessageType, decoding bytes: ArraySlice<UInt8>) throws(SensorError) {
    var reader = try CDRReader(bytes)
    switch type {
    case .imu: self = .imu(try ROS2Imu(from: &reader))
    case .magneticField: self = .magneticField(try ROS2MagneticField(from: &reader))
    case .fluidPressure: self = .fluidPressure(try ROS2Scalar(from: &reader))
    case .temperature: self = .temperature(try ROS2Scalar(from: &reader))
    }
    try reader.requireEnd()
  }

  /// Decodes the CDR of one message, encapsulation included.
  ///
  /// - Throws: `SensorError` when the bytes are cut off, of another representation, or of another type.
  public init(_ type: ROS2MessageType, decoding bytes: [UInt8]) throws(SensorError) {
    try self.init(type, decoding: bytes[...])
  }

  /// The CDR of the message, encapsulation included; little endian unless told otherwise.
  public func encoded(order: CDRByteOrder = .little) -> [UInt8] {
    var writer = CDRWriter(order: order, capacity: 320 + header.frameID.utf8.count)
    switch self {
    case .imu(let message): message.encode(to: &writer)
    case .magneticField(let message): message.encode(to: &writer)
    case .fluidPressure(let message), .temperature(let message): message.encode(to: &writer)
    }
    return writer.bytes
  }

  /// What kind of message it is.
  public var type: ROS2MessageType {
    switch self {
    case .imu: .imu
    case .magneticField: .magneticField
    case .fluidPressure: .fluidPressure
    case .temperature: .temperature
    }
  }

  /// Time and frame.
  public var header: ROS2Header {
    switch self {
    case .imu(let message): message.header
    case .magneticField(let message): message.header
    case .fluidPressure(let message), .temperature(let message): message.header
    }
  }

  /// The measurements in it, at the time of its header; empty when all of them are marked or written as missing.
  public var samples: [SensorSample] {
    switch self {
    case .imu(let message): message.samples
    case .magneticField(let message): message.samples
    case .fluidPressure(let message):
      message.measurement.map { [.pressure(PressureSample(time: header.stamp.instant, pressure: $0))] } ?? []
    case .temperature(let message):
      message.measurement.map { [.temperature(TemperatureSample(time: header.stamp.instant, temperature: $0))] } ?? []
    }
  }
}
