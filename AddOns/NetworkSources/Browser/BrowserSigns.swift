// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Finds out, from the data alone, which signs and which order of axes a browser uses.
///
/// The standard wants the reaction to gravity (+9.8 on z, face up), and iOS gives Core Motion's sign (−9.8). The rates
/// are about x, y, z (WebKit's source; Chromium 156 measured), but published texts also say z, x, y. A version may
/// change either.
///
/// ```swift
/// signs.update(reading)
/// if let (rate, force) = signs.inertial(reading) { … }     // nil until the sign is known
/// ```
///
/// *The sign*: a `deviceorientation` event says which way is up in the same axes, in one convention everywhere. Eight
/// readings near 1 g that agree decide. Without these events the face-up test of the page decides (``lieFaceUp(_:)``).
///
/// *The order*: a direction that stands still in the world turns in the device as u̇ = −ω × u. Over a quarter of a
/// second of turning only one order predicts that; it has to be ten times better to take over from the other.
struct BrowserSigns: Sendable {
  /// What `accelerationIncludingGravity` is.
  enum Acceleration: UInt8, Sendable { case unknown, reaction, gravity }
  /// The axes of alpha, beta, gamma.
  enum RateOrder: UInt8, Sendable { case xyz, zxy }

  /// The sign, once it is known.
  private(set) var acceleration = Acceleration.unknown
  /// The order; x, y, z until data contradict it.
  private(set) var rateOrder = RateOrder.xyz
  /// Times that data contradicted what had been decided.
  private(set) var changes = 0

  /// Readings for a reaction minus those for gravity.
  private var votes = 0
  /// The time of the previous reading; the time when the window began, and up as it then was turned on by each order.
  private var previous: Double?
  private var begin = 0.0
  private var predicted: (xyz: Vector3<Device>, zxy: Vector3<Device>)?
  /// Squared errors of both predictions, rad².
  private var errors = (xyz: 0.0, zxy: 0.0)

  /// Learns from the next reading, in time order.
  mutating func update(_ reading: BrowserReading) {
    vote(reading)
    if let up = reading.up ?? Self.direction(reading.acceleration) { follow(up, reading) }
  }

  /// The user says that the screen points up: the sign of z decides at once.
  mutating func lieFaceUp(_ reading: BrowserReading) {
    let z = reading.acceleration.z
    guard Self.isNearGravity(reading.acceleration), abs(z) > 8 else { return }
    votes = z > 0 ? Self.most : -Self.most
    decide(z > 0 ? .reaction : .gravity)
  }

  /// rad/s and m/s² with the signs of this package (+9.81 up at rest); nil until the sign is known.
  func inertial(_ reading: BrowserReading) -> (rate: Vector3<Device>, force: Vector3<Device>)? {
    guard acceleration != .unknown else { return nil }
    return (Self.rate(reading, rateOrder), reading.acceleration * (acceleration == .reaction ? 1 : -1))
  }

  private static let enough = 8
  private static let most = 40

  private mutating func vote(_ reading: BrowserReading) {
    guard let up = reading.up, Self.isNearGravity(reading.acceleration) else { return }
    let along = up.dot(reading.acceleration)
    guard abs(along) > 7 else { return }
    votes = max(-Self.most, min(Self.most, votes + (along > 0 ? 1 : -1)))
    if votes >= Self.enough { decide(.reaction) }
    if votes <= -Self.enough { decide(.gravity) }
  }

  private mutating func decide(_ sign: Acceleration) {
    guard sign != acceleration else { return }
    if acceleration != .unknown { changes += 1 }
    acceleration = sign
  }

  /// Turns both predictions on; at the end of a window with enough rotation compares them with what is.
  private mutating func follow(_ up: Vector3<Device>, _ reading: BrowserReading) {
    let interval = (reading.time - (previous ?? reading.time)) / 1000
    previous = reading.time
    guard let before = predicted, interval >= 0, interval < 0.1 else { return restart(up, reading.time) }
    let xyz = Self.turned(before.xyz, Self.rate(reading, .xyz) * interval)
    let zxy = Self.turned(before.zxy, Self.rate(reading, .zxy) * interval)
    predicted = (xyz, zxy)
    guard reading.time - begin >= 250 else { return }
    errors.xyz = errors.xyz * 0.9 + (xyz - up).dot(xyz - up)
    errors.zxy = errors.zxy * 0.9 + (zxy - up).dot(zxy - up)
    restart(up, reading.time)
    let (mine, other) = rateOrder == .xyz ? (errors.xyz, errors.zxy) : (errors.zxy, errors.xyz)
    guard mine > 0.03, mine > 10 * other else { return }
    rateOrder = rateOrder == .xyz ? .zxy : .xyz
    changes += 1
  }

  private mutating func restart(_ up: Vector3<Device>, _ time: Double) {
    predicted = (up, up)
    begin = time
  }

  private static func rate(_ reading: BrowserReading, _ order: RateOrder) -> Vector3<Device> {
    let (a, b, c) = (reading.alpha * .pi / 180, reading.beta * .pi / 180, reading.gamma * .pi / 180)
    return order == .xyz ? Vector3(x: a, y: b, z: c) : Vector3(x: b, y: c, z: a)
  }

  private static func turned(_ up: Vector3<Device>, _ turn: Vector3<Device>) -> Vector3<Device> {
    let first = up.cross(turn)
    return up + first + first.cross(turn) * 0.5
  }

  /// Up or down, which is the same for the order: both turn alike.
  private static func direction(_ acceleration: Vector3<Device>) -> Vector3<Device>? {
    isNearGravity(acceleration) ? acceleration * (1 / acceleration.dot(acceleration).squareRoot()) : nil
  }

  private static func isNearGravity(_ acceleration: Vector3<Device>) -> Bool {
    let square = acceleration.dot(acceleration)
    return square > 64 && square < 144
  }
}
