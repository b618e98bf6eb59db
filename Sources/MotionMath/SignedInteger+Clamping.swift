// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Arithmetic that ends at the end of the range, where `+`, `-` and `*` end the process.
///
/// Times and counts out of a file, a device or a client may be any number. A distance between two of them that has no
/// number is then the greatest one: still longer than every limit that it is compared with. Wrapping (`&-`) would make
/// a negative distance of it.
extension SignedInteger where Self: FixedWidthInteger {
  /// The sum, or the end of the range that it would pass.
  @inlinable package func clamped(plus other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the end of the range that it would pass.
  @inlinable package func clamped(minus other: Self) -> Self {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other > 0 ? .min : .max) : difference
  }

  /// The product, or the end of the range that it would pass.
  @inlinable package func clamped(times other: Self) -> Self {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? ((self < 0) != (other < 0) ? .min : .max) : product
  }
}

extension Int {
  /// A count that a file or a device claims: 0…2⁴⁰. Nothing has more; sums of many such counts are numbers, where
  /// `Int(clamping:)` of two counts of 2⁶³ has none.
  package init(claimed count: some BinaryInteger) { self = Swift.min(Swift.max(0, Int(clamping: count)), 1 << 40) }
}
