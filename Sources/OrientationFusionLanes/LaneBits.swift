// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension LaneBits {
  /// One bit for each lane.
  @inline(__always)
  static var eachItsOwn: Self { Self(1, 2, 4, 8, 16, 32, 64, 128) }

  /// Whether any bit of any lane is set.
  @inline(__always)
  var hasAny: Bool {
    let half = lowHalf | highHalf
    let quarter = half.lowHalf | half.highHalf
    return quarter.x | quarter.y != 0
  }
}
