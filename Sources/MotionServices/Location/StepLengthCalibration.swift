// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// How long a person's steps are, compared with the model of height and cadence: a satellite receiver says it.
///
/// The steps of a few seconds give a way by the model, the pieces of an ``Odometer`` the way over the same span. The
/// factor is the quotient of their sums. The sums begin with 200 m at factor 1, so that a short walk changes little,
/// and are halved above 10 km, so that old walks count less. Spans are left out where the two cannot belong together:
/// without fixes, on a treadmill, in a train.
package struct StepLengthCalibration: Sendable, Equatable {
  /// Metres of the same walks: by the model, and by the receiver.
  package struct Sums: Sendable, Equatable, BitwiseCopyable {
    package var modelled, measured: Double
    package init(modelled: Double, measured: Double) { (self.modelled, self.measured) = (modelled, measured) }
  }

  private struct Walk: Equatable {
    var start, end: SensorInstant
    var modelled: Double
  }

  /// Half of the pieces of an hour, and the steps that wait for a receiver that is late.
  private static let longestTrack = 1800
  private static let longestQueue = 60
  private static let longestPiece = SensorDuration.seconds(10)

  package private(set) var sums = Sums(modelled: 200, measured: 200)
  private var pieces: [Odometer.Piece] = []
  private var waiting: [Walk] = []

  /// Goes on from what is known; from nothing where the sums make no sense.
  package init(_ sums: Sums? = nil) {
    guard let sums, (1...100_000).contains(sums.modelled), (1...100_000).contains(sums.measured) else { return }
    self.sums = sums
  }

  /// What it says: the person's own steps divided by those of the model, 0.6…1.6, and the part of the sums that is
  /// still the first 200 m, which nobody has measured.
  package var correction: StepLengthCorrection {
    var correction = StepLengthCorrection()
    correction.factor = min(1.6, max(0.6, sums.measured / sums.modelled))
    // A receiver is wrong by about 2 % itself.
    correction.unknown = min(1, 200 / sums.modelled + 0.02)
    return correction
  }

  /// The end of the track so far, since 1970; nil before the first piece.
  package var end: SensorInstant? { pieces.last?.end }

  /// The next piece of the track.
  package mutating func update(_ piece: Odometer.Piece) {
    if let end, piece.start < end { pieces.removeAll() }
    if pieces.count >= Self.longestTrack { pieces.removeFirst(Self.longestTrack / 2) }
    pieces.append(piece)
    settle()
  }

  /// The next span with steps, since 1970, and its metres by the model (factor 1).
  package mutating func update(from start: SensorInstant, to end: SensorInstant, modelled: Double) {
    guard end > start, modelled > 0, modelled.isFinite else { return }
    if let last = waiting.last, start < last.start { (waiting, pieces) = ([], []) }
    if waiting.count >= Self.longestQueue { waiting.removeFirst() }
    waiting.append(Walk(start: start, end: end, modelled: modelled))
    settle()
  }

  private mutating func settle() {
    while let walk = waiting.first, let end, walk.end <= end {
      waiting.removeFirst()
      let first = pieces.firstIndex { $0.end > walk.start } ?? pieces.endIndex
      pieces.removeFirst(first)
      guard let measured = measured(walk), (0.5...2).contains(measured / walk.modelled) else { continue }
      sums.modelled += walk.modelled
      sums.measured += measured
      if sums.modelled > 10_000 { sums = Sums(modelled: sums.modelled / 2, measured: sums.measured / 2) }
    }
  }

  /// The way of the track during a walk; nil where the track does not cover it.
  private func measured(_ walk: Walk) -> Double? {
    var (way, covered) = (0.0, 0.0)
    for piece in pieces.prefix(while: { $0.start < walk.end }) where piece.end - piece.start <= Self.longestPiece {
      let common = (min(piece.end, walk.end) - max(piece.start, walk.start)).seconds
      way += piece.distance * common / (piece.end - piece.start).seconds
      covered += common
    }
    return covered > 0.99 * (walk.end - walk.start).seconds ? way : nil
  }
}
