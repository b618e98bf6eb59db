// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A wrist that swings a racket: one stroke every four seconds, each different, and all identical for the same seed.
///
/// | part of a stroke | how long | what |
/// |---|---|---|
/// | stance | 1.0–1.4 s | still |
/// | backswing | 0.4–0.7 s | turns away, about the vertical, by 0.8–1.6 rad |
/// | pause | 0–0.15 s | |
/// | forward swing | 0.26–0.60 s | turns back and on, by 2–4 rad, at most 20 rad/s; the forearm rolls by up to 0.6 rad |
/// | impact | near its middle | the ball shakes the wrist: 15–40 g, decaying within about 10 ms |
/// | recovery | 0.8 s | back to the stance |
///
/// The wrist is on a circle of 0.2–0.35 m. The numbers have the size of those in a real recording
/// (Documentation/Behaviour.md, section 3); they are chosen, not measured.
public struct Strokes: Trajectory, Hashable {
  /// Chooses the strokes.
  package let seed: UInt64
  /// Seconds from the beginning of one stroke to that of the next.
  package static let period = 4.0

  private let random: RandomStream
  /// How the forearm points and how the watch sits on it: the same for all strokes.
  private let pitch: Double
  private let mount: Double

  /// The strokes of a seed.
  public init(seed: UInt64 = 1) {
    self.seed = seed
    // Another use of the seed than the sensors' noise, whose streams have small numbers.
    random = RandomStream(seed: seed, stream: 1000)
    let player = RandomStream(seed: seed, stream: 1001)
    pitch = 1.3 * player.uniform(at: 0) - 0.5
    mount = 1.6 * player.uniform(at: 1) - 0.8
  }

  /// The rotation of the arm and the vibration after the impact.
  public func state(at seconds: Double) -> TrajectoryState {
    let t = max(0, seconds)
    let number = (t / Self.period).rounded(.down)
    return stroke(Int(clamping: number)).state(at: t - number * Self.period)
  }

  /// Stroke `number`, counted from 0.
  func stroke(_ number: Int) -> Stroke {
    func value(_ index: UInt64, _ range: ClosedRange<Double>) -> Double {
      let share = random.uniform(at: UInt64(truncatingIfNeeded: number) &* 16 &+ index)
      return range.lowerBound + share * (range.upperBound - range.lowerBound)
    }
    let forwardTime = value(0, 0.26...0.6)
    // The fastest rate of a smooth step is 15/8 of its mean.
    let forward = min(value(1, 2...4), 20 * forwardTime * 8 / 15)
    let stance = value(2, 1...1.4)
    let aimed = stance + value(3, 0.4...0.7)
    return Stroke(
      direction: value(4, 0...1) < 0.5 ? -1 : 1, aimStart: stance, aimEnd: aimed, aim: value(5, 0.8...1.6),
      start: aimed + value(6, 0...0.15), length: forwardTime, forward: forward, impactShare: value(7, 0.46...0.58),
      roll: value(8, -0.6...0.6), pitch: pitch, radius: value(10, 0.2...0.35),
      shock: value(11, 15...40) * standardGravity, ring: value(12, 80...140), mount: mount)
  }
}

/// One stroke; times in seconds from its beginning.
struct Stroke: Hashable, Sendable {
  /// 1 = the forward swing is anticlockwise, seen from above.
  var direction: Double
  /// When the backswing begins and ends, and its radians.
  var aimStart, aimEnd, aim: Double
  /// When the forward swing begins, its length, and its radians.
  var start, length, forward: Double
  /// The part of the forward swing after which the ball is hit.
  var impactShare: Double
  /// Radians by which the forearm rolls during the forward swing, and by which it points down or up.
  var roll, pitch: Double
  /// Metres.
  var radius: Double
  /// m/s² of the shock's first swing, about.
  var shock: Double
  /// Hz at which the wrist rings.
  var ring: Double
  /// Radians by which the device is turned round the forearm.
  var mount: Double

  /// When the ball meets the racket.
  var contact: Double { start + impactShare * length }
  var end: Double { start + length }

  func state(at t: Double) -> TrajectoryState {
    let swing = Jet.smoothStep(from: start, to: end, at: t)
    let recovery = Jet.smoothStep(from: end + 0.1, to: end + 0.9, at: t)
    let yaw =
      Jet.smoothStep(from: aimStart, to: aimEnd, at: t) * -aim + swing * forward + recovery * (aim - forward)
    let shiver = shiver(at: t)

    var rotation = TurningRotation()
    rotation.turn(by: yaw * direction, about: .unitZ)
    rotation.turn(by: Jet(pitch), about: .unitX)
    // A jolt in the wrist beside the shock: about 2 rad/s of it.
    rotation.turn(by: Jet(mount) + (swing - recovery) * roll + shiver * 0.004, about: .unitY)

    let east = ((yaw * direction).cosine - Jet(1)) * radius
    let north = (yaw * direction).sine * radius
    // Metres. The smooth beginning and end make the largest acceleration 1.53 times that of the bare wave.
    let amplitude = shock / (1.53 * 4 * .pi * .pi * ring * ring)
    return TrajectoryState(
      rotation, east: east + shiver * (0.6 * amplitude), north: north + shiver * (0.7 * amplitude),
      up: shiver * (0.4 * amplitude))
  }

  /// A tremor about as large as 1 that is there half a wave after the contact and over 30 ms after it.
  private func shiver(at t: Double) -> Jet {
    guard t > contact, t < contact + 0.03 else { return Jet(0) }
    let rise = Jet.smoothStep(from: contact, to: contact + 0.5 / ring, at: t)
    let fall = Jet(1) - Jet.smoothStep(from: contact, to: contact + 0.03, at: t)
    return rise * fall * fall * fall * .wave(1, frequency: ring, at: t - contact)
  }
}
