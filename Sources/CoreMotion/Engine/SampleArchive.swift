// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A keyed archive while a sample is written to it or read from it; without an archive, a description of the sample.
///
/// A sample class names each of its fields once, in its `code(_:)`: the key, the property that is written (a subclass
/// of a client's may override it) and what a value that was read is stored in. A field that is absent or damaged reads
/// as its `fallback`; without one the whole sample is refused.
final class SampleArchive {
  private let coder: NSCoder?
  let isReading: Bool
  /// A field without fallback could not be read.
  private(set) var isDamaged = false
  /// The fields of a description: name and value.
  private(set) var fields: [String] = []

  /// `coder` nil: a description is made.
  init(_ coder: NSCoder?, isReading: Bool) {
    self.coder = coder
    self.isReading = isReading
  }

  func code<Value: Archivable>(
    _ key: String, _ value: @autoclosure () -> Value, or fallback: Value? = nil, read: (Value) -> Void
  ) {
    guard let coder else { return fields.append("\(key): \(value().text)") }
    if !isReading {
      value().write(key, to: coder)
    } else if let value = Value.read(key, from: coder) ?? fallback {
      read(value)
    } else {
      isDamaged = true
    }
  }

  /// A field that is written only where it has a value.
  func codeOptional<Value: Archivable>(_ key: String, _ value: @autoclosure () -> Value?, read: (Value?) -> Void) {
    guard let coder else { return fields.append("\(key): \(value()?.text ?? "nil")") }
    if isReading { read(Value.read(key, from: coder)) } else { value()?.write(key, to: coder) }
  }
}

/// A class that is archived by its `code(_:)`.
protocol ArchivedSample: NSObject {
  func code(_ archive: SampleArchive)
}

extension ArchivedSample {
  /// Writes all fields.
  func write(to coder: NSCoder) { code(SampleArchive(coder, isReading: false)) }

  /// Reads all fields; false when one that is needed is missing or damaged.
  func read(from coder: NSCoder) -> Bool {
    let archive = SampleArchive(coder, isReading: true)
    code(archive)
    return !archive.isDamaged
  }

  /// The class and all fields by name, in the units of their properties: `CMGyroData(timestamp: 1.5, …)`.
  var fieldDescription: String {
    let archive = SampleArchive(nil, isReading: false)
    code(archive)
    return "\(type(of: self))(\(archive.fields.joined(separator: ", ")))"
  }
}

/// A value of a field. What is read is checked, so that an archive cannot bring in NaN or a case that does not exist.
protocol Archivable {
  func write(_ key: String, to coder: NSCoder)
  /// Nil when the value is absent or damaged.
  static func read(_ key: String, from coder: NSCoder) -> Self?
  /// For a description.
  var text: String { get }
}

extension Archivable {
  var text: String { "\(self)" }
}

extension Double: Archivable {
  func write(_ key: String, to coder: NSCoder) { coder.encode(self, forKey: key) }

  static func read(_ key: String, from coder: NSCoder) -> Double? {
    guard coder.containsValue(forKey: key) else { return nil }
    let value = coder.decodeDouble(forKey: key)
    return value.isFinite ? value : nil
  }
}

/// A share of a whole, 0…1.
extension Float: Archivable {
  func write(_ key: String, to coder: NSCoder) { coder.encode(self, forKey: key) }

  static func read(_ key: String, from coder: NSCoder) -> Float? {
    let value = coder.decodeFloat(forKey: key)
    return (0...1).contains(value) ? value : nil
  }
}

extension Int: Archivable {
  func write(_ key: String, to coder: NSCoder) { coder.encode(self, forKey: key) }

  static func read(_ key: String, from coder: NSCoder) -> Int? {
    coder.containsValue(forKey: key) ? coder.decodeInteger(forKey: key) : nil
  }
}

/// Archives hold signed numbers only: the bits are kept.
extension UInt64: Archivable {
  func write(_ key: String, to coder: NSCoder) { coder.encode(Int64(bitPattern: self), forKey: key) }
  static func read(_ key: String, from coder: NSCoder) -> UInt64? { UInt64(bitPattern: coder.decodeInt64(forKey: key)) }
}

extension Bool: Archivable {
  func write(_ key: String, to coder: NSCoder) { coder.encode(self, forKey: key) }
  static func read(_ key: String, from coder: NSCoder) -> Bool? { coder.decodeBool(forKey: key) }
}

/// One number, seconds since the start of 2001, so that it keeps every bit. (Foundation reads what is no number at all
/// as zero.)
extension Date: Archivable {
  /// The date of an empty sample: the start of 2001.
  static let referenceDate = Date(timeIntervalSinceReferenceDate: 0)

  func write(_ key: String, to coder: NSCoder) { timeIntervalSinceReferenceDate.write(key, to: coder) }

  static func read(_ key: String, from coder: NSCoder) -> Date? {
    Double.read(key, from: coder).map(Date.init(timeIntervalSinceReferenceDate:))
  }
}

/// The cases of an enumeration, by their numbers; an absent number reads as 0.
extension Archivable where Self: RawRepresentable, RawValue: FixedWidthInteger {
  func write(_ key: String, to coder: NSCoder) { coder.encode(Int(clamping: rawValue), forKey: key) }

  static func read(_ key: String, from coder: NSCoder) -> Self? {
    RawValue(exactly: coder.decodeInteger(forKey: key)).flatMap(Self.init(rawValue:))
  }
}

/// One number per component, `key.x` and so on; one that is absent or not finite reads as 0.
extension Archivable where Self: VectorComponents {
  var text: String { "(x: \(x), y: \(y), z: \(z))" }

  func write(_ key: String, to coder: NSCoder) {
    x.write(key + ".x", to: coder)
    y.write(key + ".y", to: coder)
    z.write(key + ".z", to: coder)
  }

  static func read(_ key: String, from coder: NSCoder) -> Self? {
    func component(_ name: String) -> Double { .read(key + name, from: coder) ?? 0 }
    return Self(x: component(".x"), y: component(".y"), z: component(".z"))
  }
}

extension CMAcceleration: Archivable {}
extension CMRotationRate: Archivable {}
extension CMMagneticField: Archivable {}

/// What is no rotation is refused. A recorded attitude, of length one to its printed digits, keeps every bit.
extension CMQuaternion: Archivable {
  func write(_ key: String, to coder: NSCoder) {
    CMAcceleration(x: x, y: y, z: z).write(key, to: coder)
    w.write(key + ".w", to: coder)
  }

  static func read(_ key: String, from coder: NSCoder) -> CMQuaternion? {
    func component(_ name: String) -> Double { .read(key + name, from: coder) ?? 0 }
    let quaternion = CMQuaternion(x: component(".x"), y: component(".y"), z: component(".z"), w: component(".w"))
    let squaredLength = quaternion.squaredLength
    guard squaredLength > 0, squaredLength.isFinite else { return nil }
    return abs(squaredLength - 1) < 1e-3 ? quaternion : quaternion.normalized
  }
}

extension CMAttitude: Archivable {
  func write(_ key: String, to coder: NSCoder) { coder.encode(self, forKey: key) }

  static func read(_ key: String, from coder: NSCoder) -> Self? {
    coder.decodeObject(of: CMAttitude.self, forKey: key) as? Self
  }
}

extension CMDeviceMotion.SensorLocation: Archivable {}
extension CMMagneticFieldCalibrationAccuracy: Archivable {}
extension CMMotionActivityConfidence: Archivable {}
extension CMPedometerEventType: Archivable {}
extension CMOdometerOriginDevice: Archivable {}
extension CMHighFrequencyHeartRateDataConfidence: Archivable {}
extension CMWaterSubmersionEvent.State: Archivable {}
extension CMWaterSubmersionMeasurement.DepthState: Archivable {}
