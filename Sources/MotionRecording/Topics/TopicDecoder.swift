// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// Turns messages of our own topics back into what was recorded: bit for bit what ``TopicEncoder`` was given, but that the two
/// halves of an inertial sample come apart.
///
/// A message is hostile until proved otherwise: depth, lengths and magnitudes are capped, and what is not as the topic's table
/// says is a ``SensorError`` that names the byte. Not for several threads at once.
public struct TopicDecoder {
  private var fields: [Topic.Kind: TopicFields] = [:]
  private let wallOffset: SensorDuration

  /// `wallOffset`: Unix time less the recording's time, for the topics whose messages carry Unix time.
  public init(wallOffset: SensorDuration? = nil) { self.wallOffset = wallOffset ?? .zero }

  /// What a message says; nil for topics that hold results of Core Motion's services, which no source delivers.
  ///
  /// `time` is the message's instant as the file states it, where it does: Core Motion's time stamps are doubles, and the
  /// file's integer tells which nanosecond was meant when the double is too coarse (Unix time). `place` is for messages.
  public mutating func decode(
    _ kind: Topic.Kind, _ body: UnsafeRawBufferPointer, time: SensorInstant? = nil, receivedAt: SensorInstant? = nil,
    at place: @autoclosure () -> SensorError.Place
  ) throws(SensorError) -> RecordedItem? {
    guard Self.isDecoded(kind) else { return nil }
    var values: TopicFields
    if let known = fields.removeValue(forKey: kind) { values = known } else { values = TopicFields(kind.fields) }
    defer { fields[kind] = values }
    do throws(JSONScanner.Failure) {
      try values.read(body)
    } catch {
      var place = place()
      place.byte = (place.byte ?? 0) + error.byte
      throw SensorError(
        .malformed, "\(error.message): this is no message of \(kind.rawValue); \(SensorError.skipHint)", at: place)
    }
    guard let item = item(kind, values, time, receivedAt) else {
      throw SensorError(
        .malformed,
        "A time, a number or a name in this message of \(kind.rawValue) is out of range; \(SensorError.skipHint)",
        at: place())
    }
    return item
  }

  /// Whether messages of the topic become items.
  static func isDecoded(_ kind: Topic.Kind) -> Bool {
    switch kind {
    case .accelerometer, .gyroscope, .magnetometer, .pressure, .waterPressure, .temperature, .motionAccelerometer,
      .motionGyro, .motionMagnetometer, .deviceMotion, .headphoneMotion, .batchedAccelerometer, .batchedDeviceMotion,
      .connection, .availability, .error, .gap, .annotation, .truthPose:
      true
    default: false
    }
  }

  private func item(
    _ kind: Topic.Kind, _ values: TopicFields, _ hint: SensorInstant?, _ receivedAt: SensorInstant?
  ) -> RecordedItem? {
    switch kind {
    case .connection, .availability, .error, .gap, .annotation:
      return event(kind, values).map { .event($0, receivedAt: receivedAt) }
    case .truthPose:
      return truth(values, hint).map { .truth($0, receivedAt: receivedAt) }
    default:
      guard let time = kind.isStampedInNanoseconds ? values.instant(0) : values.instant(seconds: 0, hint: hint) else {
        return nil
      }
      return sample(kind, values, time).map { .sample($0, receivedAt: receivedAt) }
    }
  }

  private func sample(_ kind: Topic.Kind, _ values: TopicFields, _ time: SensorInstant) -> SensorSample? {
    let numbers = values.numbers
    switch kind {
    case .accelerometer:
      return .accelerometer(AccelerometerSample(time: time, specificForce: values.vector(1)))
    case .motionAccelerometer, .batchedAccelerometer:
      return .accelerometer(AccelerometerSample(time: time, reading: values.vector(1), unit: .reversedGravity))
    case .gyroscope, .motionGyro: return .gyroscope(GyroscopeSample(time: time, angularVelocity: values.vector(1)))
    case .magnetometer:
      return .magnetometer(MagnetometerSample(time: time, magneticField: values.vector(1)))
    case .motionMagnetometer:
      return .magnetometer(MagnetometerSample(time: time, reading: values.vector(1), unit: .microtesla))
    case .pressure, .waterPressure:
      return .pressure(
        PressureSample(
          time: time, pressure: numbers[1], temperature: numbers[2].isNaN ? nil : numbers[2],
          medium: kind == .pressure ? .air : .water))
    case .temperature: return .temperature(TemperatureSample(time: time, temperature: numbers[1]))
    case .deviceMotion, .headphoneMotion, .batchedDeviceMotion:
      return fusedMotion(values, time).map { .fusedMotion($0) }
    default: return nil
    }
  }

  private func event(_ kind: Topic.Kind, _ values: TopicFields) -> RecordingEvent? {
    guard let time = values.instant(0) else { return nil }
    let strings = values.strings
    let integers = values.integers
    switch kind {
    case .connection:
      guard let device = strings[1] else { return nil }
      return .connection(time, device: device, isConnected: values.numbers[2] == 1)
    case .availability:
      guard let service = strings[1], let authorization = integers[3] else { return nil }
      return .availability(
        time, service: service, isAvailable: values.numbers[2] == 1, authorization: Int(authorization))
    case .error:
      guard let service = strings[1], let domain = strings[2], let code = integers[3], let text = strings[4] else {
        return nil
      }
      return .error(time, service: service, domain: domain, code: Int(code), message: text)
    case .gap:
      guard let service = strings[1], let duration = integers[2] else { return nil }
      return .gap(
        time, service: service, duration: SensorDuration(nanoseconds: duration), lost: integers[3].map { Int($0) })
    case .annotation: return strings[1].map { .annotation(time, text: $0) }
    default: return nil
    }
  }
}

extension Topic.Kind {
  /// True for `timestamp_ns`; else `timestamp` in seconds.
  fileprivate var isStampedInNanoseconds: Bool {
    switch self {
    case .accelerometer, .gyroscope, .magnetometer, .pressure, .waterPressure, .temperature, .orientation: true
    default: false
    }
  }
}

extension TopicDecoder {
  private func truth(_ values: TopicFields, _ hint: SensorInstant?) -> TruthPose? {
    let numbers = values.numbers
    guard let seconds = values.integers[0], let rest = values.integers[1], (0..<1_000_000_000).contains(rest),
      (0..<4_000_000_000).contains(seconds), let frame = values.strings[2]
    else { return nil }
    let time = hint ?? SensorInstant(nanoseconds: seconds * 1_000_000_000 + rest) - wallOffset
    return TruthPose(
      time: time, frame: frame, position: (numbers[3], numbers[4], numbers[5]),
      orientation: (numbers[9], numbers[6], numbers[7], numbers[8]))
  }

  private func fusedMotion(_ values: TopicFields, _ time: SensorInstant) -> FusedMotionSample? {
    let numbers = values.numbers
    var field: FusedMotionSample.CalibratedField?
    if !numbers[14].isNaN {
      guard let accuracy = values.integers[17], (-1...2).contains(accuracy) else { return nil }
      field = FusedMotionSample.CalibratedField(
        reading: values.vector(14), unit: .microtesla, accuracy: Int8(accuracy))
    }
    let frame = values.integers[21] ?? 1
    guard [1, 2, 4, 8].contains(frame),
      let reference = FusedMotionSample.Reference(rawValue: UInt8(frame.trailingZeroBitCount)),
      let location = FusedMotionSample.Location(rawValue: UInt8(clamping: values.integers[20] ?? 0))
    else { return nil }
    return FusedMotionSample(
      time: time, w: numbers[4], vector: values.vector(1), reference: reference, angularVelocity: values.vector(5),
      gravity: values.vector(8), linearAcceleration: values.vector(11), accelerationUnit: .reversedGravity,
      field: field, heading: numbers[18].isNaN ? nil : AngleReading(numbers[18], .degree),
      headingAccuracy: numbers[19].isNaN ? nil : AngleReading(numbers[19], .degree), location: location)
  }
}

extension TopicFields {
  fileprivate func vector(_ slot: Int) -> Vector3<Device> {
    Vector3(x: numbers[slot], y: numbers[slot + 1], z: numbers[slot + 2])
  }

  fileprivate func instant(_ slot: Int) -> SensorInstant? { integers[slot].map { SensorInstant(nanoseconds: $0) } }

  /// The nanosecond that a time in seconds means: the one of `hint` where its double is the same.
  fileprivate func instant(seconds slot: Int, hint: SensorInstant?) -> SensorInstant? {
    if let hint, hint.seconds == numbers[slot] { return hint }
    return nanoseconds[slot].map { SensorInstant(nanoseconds: $0) }
  }
}
