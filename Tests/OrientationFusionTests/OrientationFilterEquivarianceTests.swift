// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// The laws of physics know no axes: what is turned or shifted as a whole gives the same result, turned or shifted.
@Suite struct OrientationFilterEquivarianceTests {
  static let log = SensorLog(OrientationFilterRobustnessTests.everydayMotion(), seconds: 20)

  /// The largest angle, in rad, between two courses of attitudes, both of which must be complete from the first row on.
  static func largestAngle(
    _ a: [Rotation<Device, EastNorthUp>?], _ b: [Rotation<Device, EastNorthUp>?]
  ) -> Double {
    guard a.count == b.count else { return .infinity }
    return zip(a, b).reduce(0) { largest, pair in
      guard let (one, other) = pair.0.flatMap({ one in pair.1.map { (one, $0) } }) else { return .infinity }
      return max(largest, one.angle(to: other))
    }
  }

  // The filter measures one component after the other, and at rest takes the scale for known while it measures the
  // bias: which axis comes first is seen in the fifth digit. Turned by a half turn about z, nothing but signs differs.

  @Test(arguments: [
    Vector3<Device>(x: .pi / 2, y: 0, z: 0), Vector3(x: 0, y: -.pi / 2, z: 0), Vector3(x: 0, y: 0, z: .pi),
    Vector3(x: 1.2, y: -0.8, z: 0.5),
  ])
  func otherAxesOfTheSensorTurnTheResult(turn: Vector3<Device>) {
    let mounting = Rotation<Device, Device>(rotationVector: turn)
    let plain = Self.log.attitudes(usesMagnetometer: true).map { $0.map { $0 * mounting.inverse } }
    let turned = Self.log.turned(by: mounting).attitudes(usesMagnetometer: true)
    let angle = Self.largestAngle(plain, turned)
    print("sensor turned by \(turn): \(angle) rad")
    #expect(angle < (turn.z == .pi ? 1e-9 : 2e-4))
  }

  /// Six degrees of freedom have no north: the azimuth of the start is arbitrary, and stays the same all the time.
  @Test(arguments: [Vector3<Device>(x: .pi / 2, y: 0, z: 0), Vector3(x: 0, y: 0.7, z: 2), Vector3(x: -1, y: 2, z: 0.3)])
  func withoutMagnetometerOtherAxesTurnTheResultButForTheAzimuthOfTheStart(turn: Vector3<Device>) throws {
    let mounting = Rotation<Device, Device>(rotationVector: turn)
    let plain = Self.log.attitudes(usesMagnetometer: false).map { $0.map { $0 * mounting.inverse } }
    let turned = Self.log.turned(by: mounting).attitudes(usesMagnetometer: false)
    let start = try #require(turned.first ?? nil) * (try #require(plain.first ?? nil)).inverse
    // A turn about the vertical and nothing else.
    #expect(abs(start.x) < 1e-9 && abs(start.y) < 1e-9)
    let angle = Self.largestAngle(plain.map { $0.map { start * $0 } }, turned)
    print("sensor turned by \(turn), 6D: \(angle) rad")
    #expect(angle < 2e-4)
  }

  /// Only where the inclination is right: a wrong vertical takes a part of the downward field for a horizontal one, and
  /// which way that turns the heading depends on the azimuth. A tenth of a degree of inclination remains, from the
  /// sampling.
  @Test(arguments: [0.4, -1.3, 2.5, .pi]) func anotherNorthTurnsTheResult(azimuth: Double) {
    var motion = OrientationFilterRobustnessTests.everydayMotion()
    motion.acceleration = { _ in .zero }
    motion.noise = (0, 0, 0)
    motion.bias = .zero
    let log = SensorLog(motion, seconds: 20)
    let turn = Rotation<EastNorthUp, EastNorthUp>(aboutZ: azimuth)
    let turned = log.mapRows { row in
      guard let truth = row.truth else { return }
      row.magneticField = truth.inverse * (turn.inverse * (truth * row.magneticField))
    }
    let expected = log.attitudes(usesMagnetometer: true).map { $0.map { turn * $0 } }
    let angle = Self.largestAngle(expected, turned.attitudes(usesMagnetometer: true))
    print("north turned by \(azimuth): \(angle) rad")
    #expect(angle < 6e-3)
  }

  @Test func theStrengthOfTheFieldDoesNotMatter() {
    let strong = Self.log.mapRows { $0.magneticField = $0.magneticField * 1.4 }
    let angle = Self.largestAngle(
      Self.log.attitudes(usesMagnetometer: true), strong.attitudes(usesMagnetometer: true))
    #expect(angle < 1e-6)
  }

  @Test(arguments: [-4_999_999_999_000, 3_600_000_000_000, 9_000_000_000_000_000])
  func theTimeSinceBootDoesNotMatter(shift: Int64) {
    let shifted = Self.log.mapRows { $0.time += shift }
    #expect(
      shifted.attitudes(usesMagnetometer: true) == Self.log.attitudes(usesMagnetometer: true))
  }

  @Test func fourFiltersAtOnceGiveTheSameBits() async {
    let alone = Self.log.attitudes(usesMagnetometer: true)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 { group.addTask { Self.log.attitudes(usesMagnetometer: true) == alone } }
      for await same in group { #expect(same) }
    }
  }
}
