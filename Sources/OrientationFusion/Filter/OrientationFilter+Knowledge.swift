// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

// What a caller knows from elsewhere and sets, and what is read beside attitude and rate. The readers are mutating, though
// nothing changes: a getter that another module calls is handed a copy of the filter.
extension OrientationFilter {
  /// The bias is `bias`, rad/s, within `deviation` per axis, rad/s; nil keeps the variance. False where it is larger than
  /// ``Parameters/largestGyroscopeBias``: nothing has changed.
  package mutating func setGyroscopeBias(_ bias: Vector3<Device>, deviation: Double?) -> Bool {
    let largest = parameters.largestGyroscopeBias
    guard abs(bias.x) <= largest, abs(bias.y) <= largest, abs(bias.z) <= largest else { return false }
    state.gyroscopeBias = bias
    state.pose.rate = state.corrected(RealVector(state.rawRate)).simd
    guard let deviation else { return true }
    let variance = Real(deviation * deviation)
    for i in 0..<3 { state.covariance.reset(ErrorIndex.bias + i, variance: variance) }
    state.knowsBias = true
    return true
  }

  /// The covariance of the bias, (rad/s)²: its diagonal, and the elements yz, zx and xy.
  package mutating func gyroscopeBiasCovariance() -> (diagonal: Vector3<Device>, others: Vector3<Device>) {
    let b = ErrorIndex.bias
    return (
      Vector3(
        x: Double(state.covariance.element(b, b)), y: Double(state.covariance.element(b + 1, b + 1)),
        z: Double(state.covariance.element(b + 2, b + 2))),
      Vector3(
        x: Double(state.covariance.element(b + 1, b + 2)), y: Double(state.covariance.element(b, b + 2)),
        z: Double(state.covariance.element(b, b + 1)))
    )
  }

  /// The field that counts as the earth's: its horizontal and its downward part, and how many of their unit a tesla is; nil
  /// before the first heading.
  package mutating func knownField() -> (north: Double, down: Double, scale: Double)? {
    guard state.hasHeading else { return nil }
    return (Double(state.fieldNorth), Double(state.fieldDown), Double(state.fieldScale))
  }

  /// The horizontal and the downward part of a reading, device axes; nil before the first attitude.
  package mutating func parts(of field: Vector3<Device>) -> (horizontal: Double, down: Double)? {
    guard state.pose.isKnown else { return nil }
    let world = RealVector<EastNorthUp>(state.axes * RealVector<Device>(field))
    return (Double((world.x * world.x + world.y * world.y).squareRoot()), Double(-world.z))
  }

  /// The earth's field has these parts, T, within ``Parameters/fieldDeviation``. Nothing happens before the first heading.
  package mutating func setKnownField(north: Double, down: Double) {
    guard state.hasHeading else { return }
    state.fieldNorth = Real(north) * state.fieldScale
    state.fieldDown = Real(down) * state.fieldScale
    let deviation = coefficients.fieldDeviation * Real((north * north + down * down).squareRoot()) * state.fieldScale
    for i in 0..<2 { state.covariance.reset(ErrorIndex.field + i, variance: deviation * deviation) }
    state.fieldMean = .zero
  }

  /// What the detection of rest knows: the recent means, rad/s and m/s², the latest rate less its mean, and the seconds
  /// of stillness.
  package mutating func stillness() -> (
    meanRate: Vector3<Device>, meanForce: Vector3<Device>, rateDeviation: Vector3<Device>, time: Double
  ) {
    let mean = state.rest.meanRate
    // Before the second reading there is no mean.
    let deviation = mean.dot(mean) == 0 ? .zero : RealVector<Device>(state.rawRate) - mean
    return (Vector3(mean), Vector3(state.rest.meanForce), Vector3(deviation), Double(state.rest.stillTime))
  }
}
