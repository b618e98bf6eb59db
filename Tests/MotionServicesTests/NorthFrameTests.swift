// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionServices

/// D45: a north frame before its first heading, and how it is turned to its north.
@Suite struct NorthFrameTests {
  /// A flat device at rest whose top edge points to `azimuth` (degrees) for the filter, at n times 10 ms.
  private func motion(_ index: Int64, azimuth: Double, hasHeading: Bool) -> DeviceMotion {
    let time = SensorInstant(nanoseconds: index * 10_000_000)
    let solution = DeviceMotion.Solution(
      attitude: Rotation(aboutZ: -Angle(degrees: azimuth).radians), angularVelocity: .zero, hasHeading: hasHeading,
      inclinationStandardDeviation: 0.01, headingStandardDeviation: 0.05)
    return DeviceMotion(
      time: time,
      accelerometer: AccelerometerSample(time: time, specificForce: Vector3(x: 0, y: 0, z: standardGravity)),
      sixAxis: solution, nineAxis: solution,
      field: .init(magneticField: Vector3(x: 0, y: 20e-6, z: -40e-6), accuracy: 2), isAtRest: true)
  }

  /// The rows of a device whose heading is known from sample `known` on; its azimuth then is `azimuth`, before 77°.
  private func rows(known: Int64, azimuth: Double, count: Int64 = 300) -> [MotionRow] {
    var framing = MotionFraming(.xMagneticNorth)
    return (0..<count).compactMap {
      framing.update(motion($0, azimuth: $0 < known ? 77 : azimuth, hasHeading: $0 >= known)).row
    }
  }

  private func heading(_ row: MotionRow) -> Double { row.heading?.bearingDegrees ?? -1 }

  @Test func beforeTheFirstHeadingYawIsZeroAndTheHeadingIsNotValid() {
    for row in rows(known: 1000, azimuth: 0, count: 50) {
      #expect(abs(row.w) > 1 - 1e-12 && abs(heading(row) - 270) < 1e-9)
      #expect(row.headingAccuracy == nil && row.headingDeviation == nil)
    }
  }

  @Test(arguments: Array(stride(from: 0.0, to: 360, by: 30))) func theFirstHeadingTurnsTheFrameWithinASecond(
    _ azimuth: Double
  ) {
    let rows = rows(known: 100, azimuth: azimuth)
    for (before, after) in zip(rows, rows.dropFirst()) {
      let turned = Angle(degrees: heading(after) - heading(before)).wrapped.degrees
      #expect(abs(turned) < 1.8 + 1e-9)
    }
    for (index, row) in rows.enumerated() where index > 100 {
      let error = abs(Angle(degrees: heading(row) - azimuth).wrapped.degrees)
      // What is left of the turn is part of the stated deviation, and the heading is valid again below 37°.
      let stated = row.headingDeviation?.value(in: .degree) ?? -1
      #expect(error <= stated + 1e-9)
      #expect((row.headingAccuracy == nil) == (stated > Angle(radians: MotionFraming.largestHeadingDeviation).degrees))
      if index > 200 { #expect(error < 1e-9) }
    }
  }

  @Test func aHeadingThatIsKnownAtOnceIsTheFirstRow() {
    #expect(abs(heading(rows(known: 0, azimuth: 123, count: 1)[0]) - 123) < 1e-9)
  }
}
