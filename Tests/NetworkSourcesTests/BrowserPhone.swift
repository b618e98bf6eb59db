// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

@testable import NetworkSources

/// A phone in a browser: turns at constant rates and says it with the signs, the order and the rounding of a kind of
/// browser.
struct BrowserPhone {
  /// 1: the standard's sign of gravity; −1: iOS's.
  var sign = 1.0
  var order = BrowserSigns.RateOrder.xyz
  /// Chromium rounds to 0.1 of each unit.
  var isRounded = true
  var hasOrientation = true
  /// rad/s about the device's axes.
  var rate = Vector3<Device>.zero
  var attitude = Rotation<Device, EastNorthUp>(rotationVector: Vector3<Device>(x: 0.2, y: -0.1, z: 0.4))
  /// ms since the page was opened.
  var time = 2000.0
  var session: UInt64 = 0x1234_5678_9ABC_DEF0
  /// Of the next sample.
  var number: UInt32 = 0

  /// rad/s and m/s² at the present time, without rounding.
  var truth: (rate: Vector3<Device>, force: Vector3<Device>) { (rate, up * standardGravity) }
  private var up: Vector3<Device> { attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: 1) }

  /// One sixtieth of a second later.
  mutating func next() -> BrowserReading {
    attitude = attitude * Rotation<Device, Device>(rotationVector: rate * (1.0 / 60))
    time += 1000.0 / 60
    let (force, up) = (truth.force, up)
    let degrees = 180 / Double.pi
    let (x, y, z) = (rounded(rate.x * degrees), rounded(rate.y * degrees), rounded(rate.z * degrees))
    let (beta, gamma) = (rounded(Scalar.asin(up.y) * degrees), rounded(Scalar.atan2(-up.x, up.z) * degrees))
    return BrowserReading(
      time: time,
      acceleration: Vector3(x: rounded(sign * force.x), y: rounded(sign * force.y), z: rounded(sign * force.z)),
      alpha: order == .xyz ? x : z, beta: order == .xyz ? y : x, gamma: order == .xyz ? z : y,
      up: hasOrientation ? BrowserReading.up(beta: beta, gamma: gamma) : nil)
  }

  /// The next samples as the page sends them.
  mutating func batch(_ count: Int, isFaceUp: Bool = false) throws -> BrowserBatch {
    let readings = (0..<count).map { _ in next() }
    defer { number += UInt32(count) }
    return try BrowserBatch(Self.body(session: session, first: number, isFaceUp: isFaceUp, readings))
  }

  private func rounded(_ number: Double) -> Double { isRounded ? (number * 10).rounded() / 10 : number }

  /// What page.js makes of these readings.
  static func body(session: UInt64, first: UInt32, isFaceUp: Bool = false, _ readings: [BrowserReading]) -> [UInt8] {
    var bytes = Array("OCMB".utf8)
    func append(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    append(UInt16(1))
    append(UInt16(readings.count))
    append(first)
    append(UInt32(isFaceUp ? 1 : 0))
    append(session)
    for reading in readings {
      append(reading.time.bitPattern)
      let a = reading.acceleration
      var tilt = (Double.nan, Double.nan)
      if let up = reading.up {
        tilt = (Scalar.asin(up.y) * 180 / .pi, Scalar.atan2(-up.x, up.z) * 180 / .pi)
      }
      for number in [a.x, a.y, a.z, reading.alpha, reading.beta, reading.gamma, tilt.0, tilt.1] {
        append(Float(number).bitPattern)
      }
    }
    return bytes
  }
}
