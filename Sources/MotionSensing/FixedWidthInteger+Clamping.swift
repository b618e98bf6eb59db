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
