// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import SimulatedSources

extension MotionStep {
  /// The device `t` seconds after the beginning of this step, which began at rest in the given pose.
  func state(
    after t: Double, attitude: Rotation<Device, EastNorthUp>, position: Vector3<EastNorthUp>
  ) -> TrajectoryState {
    var rotation = TurningRotation(attitude)
    var way = Way(position)
    // Smooth from rest to rest.
    let progress = Jet.smoothStep(from: 0, to: duration, at: t)
    switch action {
    case .rest: break
    case .tilt(let vector): rotation.turn(along: vector, by: progress)
    case .turn(let angle):
      rotation.turn(along: attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: angle), by: progress)
    case .move(let vector): way.add(progress, along: attitude * vector)
    case .shake(let frequency, let amplitude):
      let edge = min(0.4, duration / 2)
      let wave = Jet.wave(amplitude, frequency: frequency, at: t)
      way.add(
        wave * .window(from: 0, to: duration, edge: edge, at: t),
        along: attitude * Vector3<Device>(x: 1, y: 0, z: 0))
    case .walk(let cadence, let speed):
      walk(t, cadence: cadence, speed: speed, attitude: attitude, rotation: &rotation, way: &way)
    case .drop(let fall): way.add(Self.fall(t, for: fall), along: Vector3(x: 0, y: 0, z: 1))
    }
    return TrajectoryState(rotation, east: way.east, north: way.north, up: way.up)
  }

  /// The gait of ``SimulatedSources/Walk``: harmonics of the step and of the stride, the heights chosen, not measured.
  private func walk(
    _ t: Double, cadence: Double, speed: Double, attitude: Rotation<Device, EastNorthUp>,
    rotation: inout TurningRotation, way: inout Way
  ) {
    let edge = min(1, duration / 2)
    let envelope = Jet.window(from: 0, to: duration, edge: edge, at: t)
    let stride = cadence / 2
    rotation.turn(by: envelope * .wave(0.07, frequency: stride, at: t), about: Vector3(x: 0, y: 0, z: 1))
    rotation.turn(by: envelope * .wave(0.04, frequency: cadence, phase: 0.6, at: t), about: Vector3(x: 1, y: 0, z: 0))
    let ramp =
      Jet.smoothRamp(from: 0, to: edge, at: t) - Jet.smoothRamp(from: duration - edge, to: duration, at: t)
    let ahead = Self.ahead(attitude)
    way.add(ramp * speed + envelope * .wave(0.008, frequency: cadence, phase: 1.2, at: t), along: ahead)
    let right = Vector3<EastNorthUp>(x: ahead.y, y: -ahead.x, z: 0)
    way.add(envelope * .wave(0.02, frequency: stride, phase: 0.3, at: t), along: right)
    let bounce = Jet.wave(0.02, frequency: cadence, at: t) + .wave(0.003, frequency: 2 * cadence, phase: 1, at: t)
    way.add(envelope * bounce, along: Vector3(x: 0, y: 0, z: 1))
  }

  /// The horizontal direction of the heading (D1): the top edge of a flat device, the back of an upright one.
  private static func ahead(_ attitude: Rotation<Device, EastNorthUp>) -> Vector3<EastNorthUp> {
    let top = attitude * Vector3<Device>(x: 0, y: 1, z: 0)
    let back = attitude * Vector3<Device>(x: 0, y: 0, z: -1)
    let axis = abs(top.z) <= abs(back.z) ? top : back
    let level = Vector3<EastNorthUp>(x: axis.x, y: axis.y, z: 0)
    return level.normalized ?? Vector3(x: 0, y: 1, z: 0)
  }

  /// Height over the start: free fall −g t² / 2 for `seconds`, then a landing whose deceleration is a raised cosine,
  /// a = (v / τ) (1 − cos 2πx/τ), which takes away the whole speed v = g · seconds within τ.
  private static func fall(_ t: Double, for seconds: Double) -> Jet {
    guard t > seconds else {
      return Jet(value: -standardGravity * t * t / 2, first: -standardGravity * t, second: -standardGravity)
    }
    let speed = standardGravity * seconds
    let x = min(t - seconds, landing)
    let angular = 2 * Double.pi / landing
    let (sine, cosine) = (Scalar.sin(angular * x), Scalar.cos(angular * x))
    return Jet(
      value: -speed * seconds / 2 - speed * x
        + speed / landing * (x * x / 2 + (cosine - 1) / (angular * angular)),
      first: -speed + speed / landing * (x - sine / angular),
      second: speed / landing * (1 - cosine))
  }
}

/// A position under construction.
private struct Way {
  var east, north, up: Jet

  init(_ start: Vector3<EastNorthUp>) { (east, north, up) = (Jet(start.x), Jet(start.y), Jet(start.z)) }

  mutating func add(_ distance: Jet, along direction: Vector3<EastNorthUp>) {
    east = east + distance * direction.x
    north = north + distance * direction.y
    up = up + distance * direction.z
  }
}
