// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Some of the streams in lanes; stream `n` is bit `n`.
public struct LaneSet: OptionSet, Sendable, Hashable {
  /// One bit per stream.
  public let rawValue: LaneSetBits
  /// A set from its bits.
  public init(rawValue: LaneSetBits) { self.rawValue = rawValue }
  /// One stream, 0…7.
  public init(lane: Int) { rawValue = 1 << LaneSetBits(lane) }
  /// The first `count` streams.
  public init(first count: Int) { rawValue = count >= Self.count ? .max : (1 << LaneSetBits(count)) - 1 }
  /// All of them.
  public static var all: LaneSet { LaneSet(rawValue: .max) }
  /// How many streams there is room for.
  public static var count: Int { LaneSetBits.bitWidth }

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
