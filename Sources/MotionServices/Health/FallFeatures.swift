// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// What is seen of a contact with something hard: the numbers that ``FallScore`` weighs.
///
/// | number | from (s, contact = 0) | what it says |
/// |---|---|---|
/// | peak | 0 | ln g: the impact |
/// | lightest | −1 … 0 | g: the least mean of 60 ms, 0.35 at least: a body that falls is light |
/// | speed | −1 … 0 | m/s: how fast lightness alone would have made it |
/// | stir | −0.8 … −0.1 | ln g: the deviation of the norm; a knock comes out of nothing |
/// | impulse | −0.3 … 0.6 | m/s: the speed that the contacts have taken; a knock is as high, but takes none |
/// | rough | −0.1 … 0.6 | ln g: the mean change of the norm from cell to cell |
/// | ease | 0.6 … 1.2 | ln g: the deviation of the norm |
/// | tilt | −2.5 … −1 against 1 … 3.5 | rad: the change of posture |
/// | swing | −0.8 … −0.4 against 0.3 … 0.8 | rad: the same, quickly |
/// | before | −2.5 … −1 | ln g: the deviation of the norm |
/// | settling | 1 … 3.5 | ln g: the deviation of the vector, which also sees slow turns |
/// | peakBefore, peakAfter | −2.5 … −1, 1 … 3.5 | ln g: the highest norms; those of steps go on |
///
/// Nothing depends on how the device is turned in its place.
package struct FallFeatures: Sendable, Hashable {
  /// In the order of ``names``; the last places are 0.
  package var values: SIMD16<Double>

  /// For people and for the training.
  package static let names = [
    "peak", "lightest", "speed", "stir", "impulse", "rough", "ease", "tilt", "swing", "before", "settling",
    "peakBefore",
    "peakAfter",
  ]
}

/// The last 6 s of the device at 50 Hz. Each value is stored twice, so that a span is one piece.
struct FallWindow: Sendable {
  /// Cells before a contact (2.5 s), after it (3.5 s), at the ends of a recording at least (1.5 s), to its rivals (1 s).
  static let before = 125, after = 175, leastBefore = 75, leastAfter = 75, near = 50
  private static let length = before + 1 + after
  /// g: lighter are a person in free flight and a thing that is thrown, alike.
  private static let leastLightness = 0.35

  private var norms = [Float](repeating: 0, count: 2 * length)
  private var vectors = [SIMD3<Float>](repeating: .zero, count: 2 * length)
  private var count = 0
  private var place = 0

  mutating func removeAll() { (count, place) = (0, 0) }

  /// The next cell, g.
  mutating func append(_ vector: SIMD3<Float>) {
    for index in [place, place + Self.length] {
      (norms[index], vectors[index]) = ((vector * vector).sum().squareRoot(), vector)
    }
    place = place + 1 == Self.length ? 0 : place + 1
    count = min(count + 1, Self.length)
  }

  /// The features of the cell that lies `after` cells before the latest, when it is the first of the highest within a
  /// second either way, has the least peak in g, and enough before it.
  func contact(after: Int, least: Double) -> FallFeatures? {
    let end = place + Self.length
    let contact = end - 1 - after
    guard count - 1 - after >= Self.leastBefore, Double(norms[contact]) >= least else { return nil }
    let start = max(end - count, contact - Self.before)
    let peak = norms[contact]
    for index in contact - Self.near..<contact where norms[index] >= peak { return nil }
    for index in contact + 1..<min(end, contact + Self.near + 1) where norms[index] > peak { return nil }
    return features(of: contact, in: start..<end)
  }

  private func features(of contact: Int, in span: Range<Int>) -> FallFeatures {
    let peak = norms[contact]
    let calm = span.lowerBound..<contact - Self.near
    let way = contact - Self.near...contact
    let rest = contact + Self.near..<min(span.upperBound, contact + Self.after + 1)
    let impact = contact - 5..<contact + 31
    let early = contact - 40..<contact - 20
    let late = contact + 15..<contact + 40

    var (lightest, speed, fastest) = (Float.infinity, Float(0), Float(0))
    for index in way {
      if index >= way.lowerBound + 2 {
        lightest = min(lightest, (norms[index - 2] + norms[index - 1] + norms[index]) / 3)
      }
      speed = max(0, speed + (1 - norms[index]) * Float(GaitResampler.seconds * standardGravity))
      fastest = max(fastest, speed)
    }
    let braking = contact - 15..<impact.upperBound
    let impulse = norms[braking].reduce(0) { $0 + max(0, $1 - 1) } * Float(GaitResampler.seconds * standardGravity)
    var change = Float(0)
    for index in impact.dropFirst() { change += abs(norms[index] - norms[index - 1]) }
    func logarithm(_ value: Float, least: Double = 0.01) -> Double { Scalar.log(max(Double(value), least)) }
    var values = SIMD16<Double>.zero
    values.lowHalf = SIMD8(
      logarithm(peak), max(Self.leastLightness, Double(lightest)), Double(fastest),
      logarithm(deviation(contact - 40..<contact - 5)),
      Double(impulse), logarithm(change / Float(impact.count - 1)),
      logarithm(deviation(contact + 30..<contact + 60), least: 0.005), angle(mean(calm), mean(rest)))
    values.highHalf = SIMD8(
      angle(mean(early), mean(late)), logarithm(deviation(calm)), logarithm(scatter(rest), least: 0.005),
      logarithm(norms[calm].max() ?? 1), logarithm(norms[rest].max() ?? 1), 0, 0, 0)
    return FallFeatures(values: values)
  }

  private func mean(_ span: Range<Int>) -> SIMD3<Float> { vectors[span].reduce(.zero, +) / Float(span.count) }

  /// Of the norms.
  private func deviation(_ span: Range<Int>) -> Float {
    let mean = norms[span].reduce(0, +) / Float(span.count)
    return (norms[span].reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(span.count)).squareRoot()
  }

  /// Of the vectors.
  private func scatter(_ span: Range<Int>) -> Float {
    let mean = mean(span)
    return (vectors[span].reduce(0) { $0 + (($1 - mean) * ($1 - mean)).sum() } / Float(span.count)).squareRoot()
  }

  private func angle(_ one: SIMD3<Float>, _ other: SIMD3<Float>) -> Double {
    func vector(_ cell: SIMD3<Float>) -> Vector3<Device> {
      Vector3(x: Double(cell.x), y: Double(cell.y), z: Double(cell.z))
    }
    return vector(one).angle(to: vector(other))
  }
}
