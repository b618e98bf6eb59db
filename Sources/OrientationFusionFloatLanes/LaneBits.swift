// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension LaneBits {
  /// One bit for each lane.
  @inline(__always)
  static var eachItsOwn: Self {
    Self(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768)
  }

  /// Whether any bit of any lane is set.
  @inline(__always)
  var hasAny: Bool {
    let half = lowHalf | highHalf
    let quarter = half.lowHalf | half.highHalf
    let eighth = quarter.lowHalf | quarter.highHalf
    return eighth.x | eighth.y != 0
  }
}
