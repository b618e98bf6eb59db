// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionSensing

/// The way between the fixes of a satellite receiver: distance, speed, height gained and slope.
///
/// The distance is the integral of the receiver's speed, because positions scatter by metres and their differences add
/// up to a way even at rest; without a speed, and across gaps, it is the chord between two positions. A speed below 0.3
/// m/s counts as rest. The slope is that of the last 20 m, where heights are known to better than 15 m.
package struct Odometer: Sendable {
  package struct Parameters: Sendable {
    /// m/s; a slower receiver is at rest. Consumer receivers show up to this much while they lie still.
    package var restSpeed = 0.3
    /// m/s: the deviation of a speed where the receiver states none.
    package var speedDeviation = 0.1
    /// Metres over which a slope is measured.
    package var slopeLength = 20.0
    /// Metres: heights with a greater deviation give no slope.
    package var largestSlopeDeviation = 15.0
    /// Seconds between two fixes; with more, the way between them is their chord.
    package var longestGap = 10.0
    package init() {}
  }

  /// A piece of way between two fixes.
  package struct Piece: Sendable, Equatable {
    /// Since 1970.
    package var start, end: SensorInstant
    /// Metres, and its standard deviation.
    package var distance, distanceDeviation: Double
    /// m/s at the end, and its standard deviation; nil = the receiver does not say.
    package var speed, speedDeviation: Double?
    /// Metres, up positive, and its standard deviation; nil = a height is unknown.
    package var climb, climbDeviation: Double?
    /// rad, uphill positive; nil = not known yet.
    package var slope: Double?
    /// rad, the largest size of a slope since the start; nil = none is known.
    package var steepestSlope: Double?
  }

  private let parameters: Parameters
  private var last: PositionFix?
  /// Way and height at the beginning of the stretch that the slope is measured over.
  private var stretch: (distance: Double, height: Double)?
  private var distance = 0.0
  private var slope: Double?
  private var steepestSlope: Double?

  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Takes the next fix. Nil for the first, and for one that is not later than the one before.
  package mutating func update(_ fix: PositionFix) -> Piece? {
    guard let last, fix.time > last.time else {
      if last == nil { begin(fix) }
      return nil
    }
    defer { self.last = fix }
    let duration = (fix.time - last.time).seconds
    var (length, deviation) = chord(last, fix)
    if let before = last.speed, let now = fix.speed, duration <= parameters.longestGap {
      let mean = (before + now) / 2
      length = mean < parameters.restSpeed ? 0 : mean * duration
      deviation = parameters.speedDeviation * duration
    }
    distance += length
    var piece = Piece(start: last.time, end: fix.time, distance: length, distanceDeviation: deviation)
    piece.speed = fix.speed
    piece.speedDeviation = fix.speed.map { _ in parameters.speedDeviation }
    if let before = last.height, let now = fix.height {
      piece.climb = now - before
      piece.climbDeviation = last.verticalDeviation.flatMap { before in fix.verticalDeviation.map { hypot(before, $0) }
      }
    }
    updateSlope(fix)
    (piece.slope, piece.steepestSlope) = (slope, steepestSlope)
    return piece
  }

  private mutating func begin(_ fix: PositionFix) {
    last = fix
    stretch = fix.height.map { (distance, $0) }
  }

  private mutating func updateSlope(_ fix: PositionFix) {
    guard let height = fix.height, (fix.verticalDeviation ?? .infinity) <= parameters.largestSlopeDeviation else {
      return
    }
    guard let from = stretch else { return stretch = (distance, height) }
    guard distance - from.distance >= parameters.slopeLength else { return }
    let now = atan2(height - from.height, distance - from.distance)
    (slope, stretch) = (now, (distance, height))
    steepestSlope = max(steepestSlope ?? 0, abs(now))
  }

  /// Along the surface of a sphere, which is right to 0.5 %; an ellipsoid matters for navigation, not here.
  private func chord(_ a: PositionFix, _ b: PositionFix) -> (length: Double, deviation: Double) {
    let half = sin((b.latitude - a.latitude) / 2), across = sin((b.longitude - a.longitude) / 2)
    let square = half * half + cos(a.latitude) * cos(b.latitude) * across * across
    let deviation = hypot(a.horizontalDeviation ?? 5, b.horizontalDeviation ?? 5)
    return (2 * 6_371_008.8 * asin(min(1, square.squareRoot())), deviation)
  }
}
