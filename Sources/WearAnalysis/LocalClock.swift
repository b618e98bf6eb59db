// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Parts of the local clock. A time is nanoseconds since 1970 as the wall clock beside the person showed it, so a day
/// begins at its midnight and every part at a whole number of its length.
enum LocalClock {
  /// Of a day, and of the parts of which a day is made.
  static let day: Int64 = 86_400_000_000_000
  static let block: Int64 = 900_000_000_000
  static let cell: Int64 = 300_000_000_000
  static let minute: Int64 = 60_000_000_000
  static let epoch: Int64 = 5_000_000_000

  static let blocks = 96
  static let cells = 288
  static let minutes = 1440

  /// The number of the part that has a time.
  @inline(__always)
  static func floor(_ time: Int64, _ period: Int64) -> Int64 {
    let quotient = time / period
    return time % period < 0 ? quotient - 1 : quotient
  }
}
