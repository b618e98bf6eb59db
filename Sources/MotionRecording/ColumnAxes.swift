// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Where a device's x, y and z come from in a table: the value of `axes=` and `--axes`.
///
/// `x,-z,y` says that the device's x is the table's x, its y the table's −z, its z the table's y. Device axes are right-handed: x to the
/// right, y up along the display, z out of it. Source: formats.md 4.8.
public struct ColumnAxes: Sendable, Hashable {
  /// For device x, y, z: which of the table's three, and its sign.
  let sources: [Source]

  struct Source: Sendable, Hashable {
    /// 0 x, 1 y, 2 z.
    var index: Int
    /// 1 or −1.
    var sign: Double
  }

  /// The table's axes are the device's.
  public static let identity = ColumnAxes(sources: (0..<3).map { Source(index: $0, sign: 1) })

  private init(sources: [Source]) { self.sources = sources }

  /// Fails with `.invalidRequest` when the text names no three axes, or a mirror image.
  public init(_ text: String) throws(SensorError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    var sources: [Source] = []
    for part in parts {
      let isNegative = part.first == "-"
      let letter = isNegative || part.first == "+" ? part.dropFirst() : part
      guard let index = ["x", "y", "z"].firstIndex(of: String(letter)) else { break }
      sources.append(Source(index: index, sign: isNegative ? -1 : 1))
    }
    guard sources.count == 3, parts.count == 3, Set(sources.map(\.index)).count == 3 else {
      throw SensorError(
        .invalidRequest,
        "“\(text)” are no axes; write where the device's x, y and z come from, as in x,-z,y.")
    }
    // The order is even when it is a rotation of 0, 1, 2.
    let isEven = (sources[0].index + 1) % 3 == sources[1].index
    guard sources.reduce(isEven ? 1.0 : -1.0, { $0 * $1.sign }) > 0 else {
      throw SensorError(
        .invalidRequest,
        "The axes “\(text)” are a mirror image, which no turned device gives; change one sign.")
    }
    self.init(sources: sources)
  }
}
