// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Some of the eight streams in lanes; stream `n` is bit `n`.
public struct LaneSet: OptionSet, Sendable, Hashable {
  /// One bit per stream.
  public let rawValue: UInt8
  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// One stream, 0…7.
  public init(lane: Int) { rawValue = 1 << UInt8(lane) }
  /// The first `count` streams.
  public init(first count: Int) { rawValue = count >= 8 ? 255 : (1 << UInt8(count)) - 1 }
  /// All eight.
  public static let all = LaneSet(rawValue: 255)

  /// The streams, in order.
  @inlinable
  public func forEach(_ body: (Int) -> Void) {
    var bits = rawValue
    while bits != 0 {
      body(bits.trailingZeroBitCount)
      bits &= bits &- 1
    }
  }
}
