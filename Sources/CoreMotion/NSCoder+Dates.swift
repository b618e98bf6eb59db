// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

/// Dates and optional numbers in a keyed archive. A date is a number, seconds since the reference date of `Date`, so that no
/// class has to be named when it is read.
extension NSCoder {
  /// The date of an archive; the reference date when it is absent or not finite.
  func date(_ key: String) -> Date { Date(timeIntervalSinceReferenceDate: number(key)) }

  func encode(_ date: Date, forDateKey key: String) { encode(date.timeIntervalSinceReferenceDate, forKey: key) }

  /// A number that may be absent; one that is not finite counts as absent.
  func numberIfPresent(_ key: String) -> Double? {
    guard containsValue(forKey: key) else { return nil }
    let value = decodeDouble(forKey: key)
    return value.isFinite ? value : nil
  }
}

#endif
