// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// The numbers of the state in a fixed order: how a stream moves between a filter of its own and a lane among others.
extension OrientationFilter.State {
  /// Shows each number that a running filter changes to `number`, and each condition to `mask`, always in the same order.
  ///
  /// The times of the samples and what is the same for all streams in lanes (an attitude and a heading are known) are not
  /// among them.
  package mutating func visit(number: (inout Real) -> Void, mask: (inout Mask) -> Void) {
    visitPose(number)
    visitErrors(number)
    visitRest(number, mask)
    visitSums(number)
    var p = covariance.elements.mutableSpan
    for i in 0..<552 { number(&p[i]) }
  }

  private mutating func visitPose(_ number: (inout Real) -> Void) {
    pose.quaternion.visit(number)
    visit(&pose.rate, number)
    visit(&pose.latestCorrection, number)
    number(&pose.blockTime)
    visit(&axes, number)
    visit(&rawRate, number)
    number(&inclinationVariance)
    number(&headingVariance)
  }

  private mutating func visitErrors(_ number: (inout Real) -> Void) {
    visit(&bias, number)
    number(&matrix.m11)
    number(&matrix.m12)
    number(&matrix.m13)
    number(&matrix.m21)
    number(&matrix.m22)
    number(&matrix.m23)
    number(&matrix.m31)
    number(&matrix.m32)
    number(&matrix.m33)
    number(&delay)
    number(&velocityEast)
    number(&velocityNorth)
    visit(&hardIron, number)
    number(&fieldNorth)
    number(&fieldDown)
    number(&fieldScale)
    number(&hardIronDeviation)
    number(&specificForceInterval)
    number(&fieldAge)
    visit(&biasTolerance, number)
    number(&recentAcceleration)
    visit(&meanAcceleration, number)
    number(&fieldMisfit)
    number(&consistentTime)
    number(&disturbedTime)
    visit(&candidateField, number)
    number(&candidateTime)
    number(&trustedTime)
  }

  private mutating func visitRest(_ number: (inout Real) -> Void, _ mask: (inout Mask) -> Void) {
    mask(&knowsBias)
    mask(&rest.isAtRest)
    mask(&rest.isForceStill)
    number(&rest.stillTime)
    visit(&rest.rate, number)
    visit(&rest.force, number)
  }

  private mutating func visitSums(_ number: (inout Real) -> Void) {
    number(&sums.duration)
    number(&sums.squaredRate)
    number(&sums.extraVariance)
    visit(&sums.saturationVariance, number)
    visit(&sums.strideStart, number)
    number(&sums.strideTime)
    visit(&sums.strideTurn, number)
    visit(&sums.velocity, number)
    number(&sums.velocityDuration)
    visit(&sums.field, number)
    visit(&sums.fieldSlope, number)
    visit(&sums.fieldRotation, number)
    number(&sums.fieldCount)
    var s = sums.sensitivity.mutableSpan
    for i in 0..<36 { number(&s[i]) }
  }

  private func visit(_ v: inout Real3, _ number: (inout Real) -> Void) {
    number(&v.x)
    number(&v.y)
    number(&v.z)
  }

  private func visit<F>(_ v: inout Vector3<F>, _ number: (inout Real) -> Void) {
    number(&v.x)
    number(&v.y)
    number(&v.z)
  }

  private func visit(_ axes: inout DeviceAxes, _ number: (inout Real) -> Void) {
    visit(&axes.x, number)
    visit(&axes.y, number)
    visit(&axes.z, number)
  }

  private func visit(_ mean: inout RecentMean, _ number: (inout Real) -> Void) {
    visit(&mean.mean, number)
    visit(&mean.inner, number)
    number(&mean.age)
    number(&mean.count)
  }
}

extension Quaternion {
  fileprivate mutating func visit(_ number: (inout Real) -> Void) {
    var (w, x, y, z) = (self.w, self.x, self.y, self.z)
    number(&w)
    number(&x)
    number(&y)
    number(&z)
    self = Quaternion(w: w, x: x, y: y, z: z)
  }
}
