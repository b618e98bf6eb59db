// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Dates, identifiers and optional numbers in a keyed archive. A date is one number, seconds since the start of 2001, so that it keeps
/// every bit and a damaged archive can hold nothing but a wrong number. (Foundation reads what is no number at all as zero.)
extension NSCoder {
  func encode(_ date: Date, forDateKey key: String) { encode(date.timeIntervalSinceReferenceDate, forKey: key) }

  /// A date of an archive; nil when it is absent or not a point in time.
  func date(_ key: String) -> Date? {
    guard let seconds = finiteNumber(key) else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// One number of an archive; nil when it is absent or not finite.
  func finiteNumber(_ key: String) -> Double? {
    guard containsValue(forKey: key) else { return nil }
    let value = decodeDouble(forKey: key)
    return value.isFinite ? value : nil
  }

  /// A whole number of an archive; nil when it is absent.
  func integer(_ key: String) -> Int? { containsValue(forKey: key) ? decodeInteger(forKey: key) : nil }

  /// A share of a whole, 0…1; 0 when it is absent or anything else.
  func fraction(_ key: String) -> Float {
    let value = decodeFloat(forKey: key)
    return (0...1).contains(value) ? value : 0
  }

  /// Archives hold signed numbers only: the bits are kept.
  func encode(_ identifier: UInt64, forIdentifierKey key: String) {
    encode(Int64(bitPattern: identifier), forKey: key)
  }

  func identifier(_ key: String) -> UInt64 { UInt64(bitPattern: decodeInt64(forKey: key)) }
}

extension Date {
  /// The date of an empty sample: the start of 2001.
  static let referenceDate = Date(timeIntervalSinceReferenceDate: 0)
}
