// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension FixedWidthInteger {
  /// The whole part of a number that nobody has checked; the nearest end of the range for one beyond it, 0 for NaN.
  ///
  /// `Int(number)` ends the process on NaN, on infinity and on everything beyond its range. A number out of a file or a
  /// device may be any of these. Where such a number is damage, use `init(exactly:)` and say so; this one is for
  /// display and for estimates.
  package init(clamping value: Double) {
    if let whole = Self(exactly: value.rounded(.towardZero)) {
      self = whole
    } else {
      self = value.isNaN ? 0 : value < 0 ? .min : .max
    }
  }
}

extension [UInt8] {
  /// Appends the bytes of a number, the lowest first; for the highest first pass its `byteSwapped`.
  @inlinable package mutating func append(littleEndian value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  /// Appends bytes that lie anywhere.
  package mutating func append(_ bytes: Span<UInt8>) {
    // unsafe: read in place during the call; Span has no way to be appended as a whole.
    bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
