// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

extension Strokes {
  /// The exact moments of a stroke, in seconds of the trajectory.
  public struct Truth: Hashable, Sendable {
    /// When the rotation about gravity crossed the threshold on the way to the impact.
    public var start: Double
    /// When the ball met the racket. The specific force is largest 1…5 ms later.
    public var contact: Double
    /// rad/s of the fastest rotation about the axis that points up before the contact; positive is anticlockwise, seen from above.
    public var fastestRate: Double

    /// Seconds.
    public var timeToContact: Double { contact - start }
  }

  /// What a detector should find that takes a rotation about gravity below `leastRate` (rad/s) and below `leastFraction` of the
  /// fastest for none: the crossing of this threshold by the exact trajectory (`spec/batched-sensors.md`, section 3). Strokes
  /// are counted from 0.
  public func truth(ofStroke number: Int, leastRate: Double = 1, leastFraction: Double = 0.1) -> Truth {
    let stroke = stroke(number)
    func rate(_ time: Double) -> Double {
      let state = stroke.state(at: time)
      return state.angularVelocity.dot(state.attitude.inverse * Vector3(x: 0, y: 0, z: 1)) * stroke.direction
    }
    // Steps of a tenth of a millisecond; the crossing is then halved down to a nanosecond.
    let step = 1e-4
    let count = Int((stroke.contact - stroke.start) / step)
    let fastest = (0...count).lazy.map { rate(stroke.contact - Double($0) * step) }.max() ?? 0
    let threshold = max(leastRate, leastFraction * fastest)
    var after = stroke.contact
    while after > stroke.start, rate(after - step) >= threshold { after -= step }
    var before = after - step
    for _ in 0..<20 {
      let middle = (before + after) / 2
      if rate(middle) >= threshold { after = middle } else { before = middle }
    }
    let origin = Double(number) * Self.period
    return Truth(start: origin + after, contact: origin + stroke.contact, fastestRate: fastest * stroke.direction)
  }
}
