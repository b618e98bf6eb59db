// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// The native side of the comparison (Scripts/build-wasm.sh): a minute of a phone that turns about changing axes, as a
// browser of each kind would say it, and the attitude of the filter that was built for this machine. One reading a
// line, numbers with all digits: start (1 = a new page), time, acceleration, alpha, beta, gamma, orientation's beta and
// gamma, then the output of `AttitudePage`.

@main
enum SimulatedMotion {
  static func main() {
    for sign in [1.0, -1.0] { play(sign: sign) }
  }

  /// Sign 1: the standard's; −1: iOS's.
  static func play(sign: Double) {
    var page = AttitudePage()
    var noise = Noise()
    var attitude = Rotation<Device, EastNorthUp>(rotationVector: Vector3<Device>(x: 0.3, y: -0.2, z: 1))
    let interval = 1.0 / 60
    for index in 0..<3600 {
      let t = Double(index) * interval
      let rate = Vector3<Device>(
        x: 1.5 * Scalar.sin(0.9 * t), y: 1.1 * Scalar.sin(1.3 * t + 1), z: 0.8 * Scalar.cos(0.5 * t))
      if index > 0 { attitude = attitude * Rotation<Device, Device>(rotationVector: rate * interval) }
      let up = attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: 1)
      // Rounded as Chromium does, to 0.1 m/s², 0.1 °/s and 0.1°.
      func tenths(_ x: Double) -> Double { (x * 10).rounded() / 10 }
      let degrees = 180 / Double.pi
      let force = up * (standardGravity * sign)
      let a = Vector3<Device>(
        x: tenths(force.x + noise.next()), y: tenths(force.y + noise.next()), z: tenths(force.z + noise.next()))
      let turn = Vector3<Device>(x: tenths(rate.x * degrees), y: tenths(rate.y * degrees), z: tenths(rate.z * degrees))
      let beta = tenths(Scalar.asin(up.y) * degrees)
      let gamma = tenths(Scalar.atan2(-up.x, up.z) * degrees)
      let reading = BrowserReading(
        time: 1000 + t * 1000, acceleration: a, alpha: turn.x, beta: turn.y, gamma: turn.z,
        up: BrowserReading.up(beta: beta, gamma: gamma))
      _ = page.update(reading)
      let numbers =
        [index == 0 ? 1 : 0, reading.time, a.x, a.y, a.z, turn.x, turn.y, turn.z, beta, gamma]
        + (0..<8).map { page.output[$0] }
      print(numbers.map { "\($0)" }.joined(separator: " "))
    }
  }
}

/// A fixed sequence of numbers within ±0.3, the same on every machine.
struct Noise {
  var state: UInt64 = 1
  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (Double(state >> 11) / Double(1 << 53) - 0.5) * 0.6
  }
}
