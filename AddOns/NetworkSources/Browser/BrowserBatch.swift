// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The body of one POST of our page: some samples of `devicemotion` in their order.
///
/// Little endian. A head of 24 bytes: `OCMB`, version (2 bytes: 1), number of samples (2), number of the first sample
/// since the page was opened (4), flags (4: bit 0 = the user says that the screen points up), session (8: drawn by lot
/// by the page). Then 40 bytes a sample: time in ms (double), and as floats accelerationIncludingGravity x, y, z in
/// m/s², rotationRate alpha, beta, gamma in °/s, and beta and gamma of the latest orientation in °, or NaN. The page's
/// side is Page/page.js.
struct BrowserBatch: Hashable, Sendable {
  /// Bytes before the samples, and of each sample.
  static let headSize = 24, sampleSize = 40
  /// Samples in one batch, at most: the page sends what has waited in parts.
  static let capacity = 256

  var session: UInt64
  var first: UInt32
  var isFaceUp: Bool
  var readings: [BrowserReading]

  /// - Throws: `malformed`, with a sentence and the byte.
  init(_ body: [UInt8]) throws(SensorError) {
    guard body.count >= Self.headSize, body.starts(with: "OCMB".utf8) else {
      throw Self.malformed("This is no batch of samples from the page of this server.", at: 0)
    }
    func bits<Number: FixedWidthInteger>(_ type: Number.Type, at place: Int) -> Number {
      body[place..<place + Number.bitWidth / 8].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
    func float(at place: Int) -> Double { Double(Float(bitPattern: bits(UInt32.self, at: place))) }
    guard bits(UInt16.self, at: 4) == 1 else {
      throw Self.malformed("The page is of another version than the server: load it again.", at: 4)
    }
    let count = Int(bits(UInt16.self, at: 6))
    guard count <= Self.capacity, body.count == Self.headSize + count * Self.sampleSize else {
      throw Self.malformed("A batch says \(count) samples and has \(body.count) bytes.", at: 6)
    }
    (first, session) = (bits(UInt32.self, at: 8), bits(UInt64.self, at: 16))
    isFaceUp = bits(UInt32.self, at: 12) & 1 != 0
    readings = (0..<count).map { index in
      let at = Self.headSize + index * Self.sampleSize
      return BrowserReading(
        time: Double(bitPattern: bits(UInt64.self, at: at)),
        acceleration: Vector3(x: float(at: at + 8), y: float(at: at + 12), z: float(at: at + 16)),
        alpha: float(at: at + 20), beta: float(at: at + 24), gamma: float(at: at + 28),
        up: BrowserReading.up(beta: float(at: at + 32), gamma: float(at: at + 36)))
    }
  }

  private static func malformed(_ sentence: String, at byte: Int) -> SensorError {
    SensorError(.malformed, sentence, at: .init(file: "POST motion", byte: byte))
  }
}

/// One `DeviceMotionEvent` as the browser gives it: its own units, and signs that depend on the browser
/// (``BrowserSigns``).
///
/// The axes are those of the device in its natural orientation (a phone: upright). They do not turn with the screen.
struct BrowserReading: Hashable, Sendable {
  /// ms on the clock of the page, `event.timeStamp`.
  var time: Double
  /// m/s² with gravity, `accelerationIncludingGravity`; face up at rest +9.8 on z by the standard, −9.8 on iOS.
  var acceleration: Vector3<Device>
  /// °/s, `rotationRate.alpha`, `.beta`, `.gamma`; about x, y, z in today's browsers, about z, x, y in older texts.
  var alpha, beta, gamma: Double
  /// The direction up by the latest `deviceorientation` event, device axes; nil where the browser sends none.
  var up: Vector3<Device>?

  /// The direction up of a `deviceorientation` event with these angles in degrees; nil unless both are finite.
  ///
  /// The standard's rotation is Rz(alpha) · Rx(beta) · Ry(gamma), from the device to the world: up is its third row.
  static func up(beta: Double, gamma: Double) -> Vector3<Device>? {
    guard beta.isFinite, gamma.isFinite else { return nil }
    let (b, g) = (beta * .pi / 180, gamma * .pi / 180)
    return Vector3(x: -Scalar.cos(b) * Scalar.sin(g), y: Scalar.sin(b), z: Scalar.cos(b) * Scalar.cos(g))
  }
}
