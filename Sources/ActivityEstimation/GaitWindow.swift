// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The last 5.12 s of the acceleration at 25 Hz. Each value is stored twice, 128 places apart, so that the window is
/// one piece.
///
/// The window says what happens in its middle, so it also looks at the first and the last seconds of a recording: there
/// a part of it is empty. Empty cells have no deviation from the mean.
struct GaitWindow: Sendable {
  static let length = 128
  /// Cells per second.
  static let rate = 25.0

  /// g: the length of the acceleration, and its components.
  private(set) var norms = [Float](repeating: 0, count: 2 * length)
  private(set) var vectors = [SIMD3<Float>](repeating: .zero, count: 2 * length)
  /// Cells since the line of cells began, and empty cells after its end; each at most the length.
  private var filled = 0
  private var empty = 0
  private var place = 0

  mutating func removeAll() { (filled, empty, place) = (0, 0, 0) }

  mutating func append(_ vector: SIMD3<Float>, norm: Float) {
    for index in [place, place + Self.length] { (norms[index], vectors[index]) = (norm, vector) }
    filled = min(filled + 1, Self.length)
    advance()
  }

  /// The line has ended: an empty cell follows.
  mutating func appendEmpty() {
    empty = min(empty + 1, Self.length)
    advance()
  }

  private mutating func advance() { place = place + 1 == Self.length ? 0 : place + 1 }

  /// The line goes on: no empty cell has followed.
  var isOpen: Bool { empty == 0 }

  /// The place of the oldest cell of the window.
  var start: Int { place }

  /// The cells of the window that are not empty, by their position in it.
  var valid: Range<Int> {
    let end = Self.length - empty
    return max(0, end - filled)..<end
  }

  /// The length of the acceleration at a position of the window that is not empty, or next to it.
  func norm(near position: Int) -> Float { norms[place + min(max(position, valid.lowerBound), valid.upperBound - 1)] }

  /// g: the standard deviation of the length of the acceleration in the last 1.28 s.
  var latestDeviation: Float {
    let latest = (Self.length - 32..<Self.length).clamped(to: valid)
    guard latest.count > 8 else { return 0 }
    var (sum, squares) = (Float(0), Float(0))
    for position in latest {
      sum += norms[place + position]
      squares += norms[place + position] * norms[place + position]
    }
    let mean = sum / Float(latest.count)
    return max(0, squares / Float(latest.count) - mean * mean).squareRoot()
  }
}
