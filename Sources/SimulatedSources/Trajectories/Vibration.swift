// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// What its road or track, its engine and its passengers do to everything in a vehicle: vibration in bands, from the
/// springs to the engine, as it arrives at the device.
///
/// The strengths are standard deviations of the acceleration of the floor in m/s², for a vehicle that heads north: to
/// the right, ahead and up. A road whose slope is random (ISO 8608) shakes in proportion to the root of the speed v; in
/// place of the root, which has no derivative at rest, stands s (2 − s) with s = v / top speed.
struct Vibration: Hashable, Sendable {
  /// Vibration between two frequencies in Hz, while the vehicle stands and at its top speed.
  struct Band: Hashable, Sendable {
    var low, high: Double
    var standing = Vector3<EastNorthUp>.zero
    var moving = Vector3<EastNorthUp>.zero
  }

  /// A spring and a damper between the floor and the device: natural frequency in Hz, and quality factor.
  struct Mount: Hashable, Sendable {
    var frequency, quality: Double

    /// How much of the floor's vibration of a frequency arrives: |(1 + i r/Q) / (1 − r² + i r/Q)|, r = f / f₀.
    func gain(at frequency: Double) -> Double {
      let ratio = frequency / self.frequency
      let damping = ratio / quality
      let spring = 1 - ratio * ratio
      return ((1 + damping * damping) / (spring * spring + damping * damping)).squareRoot()
    }
  }

  var bands: [Band]
  /// Nil: the device lies on what shakes.
  var mount: Mount?
  /// m/s, at which the vehicle shakes as much as `moving` says.
  var topSpeed: Double

  /// Lines for each band and axis: enough that they do not come together again within minutes.
  private static let count = 12

  /// Adds what the device does at `seconds` in a vehicle that moves at `speed` m/s and heads `heading` radians
  /// anticlockwise from north.
  func shake(_ state: inout TrajectoryState, at seconds: Double, speed: Jet, heading: Jet = Jet(0)) {
    let (right, ahead, up) = motion(at: seconds, speed: speed)
    let (sine, cosine) = (heading.sine, heading.cosine)
    let (east, north) = (right * cosine - ahead * sine, right * sine + ahead * cosine)
    state.position += Vector3(x: east.value, y: north.value, z: up.value)
    state.velocity += Vector3(x: east.first, y: north.first, z: up.first)
    state.acceleration += Vector3(x: east.second, y: north.second, z: up.second)
  }

  /// Metres.
  private func motion(at seconds: Double, speed: Jet) -> (right: Jet, ahead: Jet, up: Jet) {
    let part = speed * (1 / topSpeed)
    // A road is not the same everywhere.
    let stretch =
      Jet(1) + .wave(0.3, frequency: 0.11, at: seconds) + .wave(0.2, frequency: 0.043, phase: 1, at: seconds)
    let pace = part * (Jet(2) - part)
    let (standing, moving) = (Jet(1) - pace, pace * stretch)
    func sum(_ axis: KeyPath<Vector3<EastNorthUp>, Double>, _ number: Int) -> Jet {
      bands.reduce(Jet(0)) { sum, band in
        let strength = standing * band.standing[keyPath: axis] + moving * band.moving[keyPath: axis]
        let wave = Road.shaking(1, from: band.low, to: band.high, count: Self.count, axis: number, at: seconds) {
          mount?.gain(at: $0) ?? 1
        }
        return sum + strength * wave
      }
    }
    return (sum(\.x, 1), sum(\.y, 2), sum(\.z, 0))
  }
}

extension Vibration {
  /// A car with a phone that lies on its console. The bands have the proportions measured in a car on a bad road at 40
  /// to 60 km/h (meszdav, MIT: 1–2 Hz 20 mg, 2–4 Hz 16, 4–8 Hz 27, 8–16 Hz 34, 16–25 Hz 31 upwards; horizontally
  /// half as much on the springs and nearly as much above 10 Hz); the line of an idling engine with four cylinders
  /// was measured at 24.6 Hz with 4 mg.
  /// - Parameters:
  ///   - roughness: m/s², 5–15 Hz, upwards: about 0.15 on good roads, 0.4 on bad ones, 0.6 on very bad ones.
  ///   - topSpeed: m/s, where it is so rough.
  static func car(roughness: Double, topSpeed: Double = 15) -> Vibration {
    func moving(_ side: Double, _ up: Double) -> Vector3<EastNorthUp> {
      Vector3(x: side, y: side, z: up) * roughness
    }
    return Vibration(
      bands: [
        Band(low: 0.9, high: 2, standing: Vector3(x: 0.01, y: 0.01, z: 0.01), moving: moving(0.25, 0.55)),
        Band(low: 2, high: 5, moving: moving(0.25, 0.55)),
        Band(low: 5, high: 15, moving: moving(0.6, 1)),
        Band(low: 15, high: 24, moving: moving(0.6, 0.85)),
        // Idling at 740 rpm: the ignition, and the crankshaft at half of it.
        Band(low: 24.4, high: 24.8, standing: Vector3(x: 0.03, y: 0.03, z: 0.05)),
        Band(low: 12.2, high: 12.4, standing: Vector3(x: 0.01, y: 0.01, z: 0.015)),
      ],
      topSpeed: topSpeed)
  }

  /// A city bus with a diesel engine, and the pocket of a passenger who sits in it. Published figures: air springs 1 to
  /// 1.6 Hz, body and frame 3 to 10 Hz, axles 8 to 12 Hz, 30 to 90 mg in all at 20 to 50 km/h; idling 8 to 40 mg at 27
  /// to 35 Hz. Cushion and thigh resonate at 4 to 5 Hz and pass a tenth of the engine.
  static let bus = Vibration(
    bands: [
      // While the bus stands, people get on and off.
      Band(low: 1, high: 1.6, standing: Vector3(x: 0.03, y: 0.01, z: 0.03), moving: Vector3(x: 0.1, y: 0.05, z: 0.25)),
      Band(low: 3, high: 10, moving: Vector3(x: 0.2, y: 0.15, z: 0.4)),
      Band(low: 8, high: 12, moving: Vector3(x: 0.1, y: 0.1, z: 0.25)),
      Band(low: 12, high: 20, moving: Vector3(x: 0.1, y: 0.1, z: 0.15)),
      // Six cylinders at 600 rpm: ignition, and the orders ½ and 1½ of the crankshaft.
      Band(low: 29.6, high: 30.4, standing: Vector3(x: 0.12, y: 0.12, z: 0.2)),
      Band(low: 14.8, high: 15.2, standing: Vector3(x: 0.04, y: 0.04, z: 0.06)),
      Band(low: 4.9, high: 5.1, standing: Vector3(x: 0.015, y: 0.015, z: 0.015)),
    ],
    mount: Mount(frequency: 4.5, quality: 1.6), topSpeed: 11)

  /// An electric train, and the arm of a passenger. Published figures: 8 to 30 mg upwards and to the side, most of it at
  /// 0.6 to 1.6 Hz where the carriage stands on its springs; bogies and the bending of the carriage 5 to 12 Hz, 3 to
  /// 10 mg.
  static let train = Vibration(
    bands: [
      Band(
        low: 0.7, high: 1.6, standing: Vector3(x: 0.02, y: 0.01, z: 0.02), moving: Vector3(x: 0.15, y: 0.03, z: 0.15)),
      Band(low: 1.6, high: 5, moving: Vector3(x: 0.1, y: 0.04, z: 0.1)),
      Band(low: 5, high: 12, moving: Vector3(x: 0.06, y: 0.05, z: 0.1)),
      Band(low: 12, high: 20, moving: Vector3(x: 0.04, y: 0.04, z: 0.06)),
      // Fans and compressors at 1470 rpm: four-pole motors at 50 Hz.
      Band(
        low: 24.3, high: 24.7, standing: Vector3(x: 0.02, y: 0.02, z: 0.03), moving: Vector3(x: 0.02, y: 0.02, z: 0.03)),
    ],
    mount: Mount(frequency: 4, quality: 1.2), topSpeed: 22)
}
