// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import SimulatedSources
import Testing

/// The steps of simulated people: counted in the motion itself, and compared with the truth that the trajectory tells.
@Suite struct GaitTests {
  /// Impacts: where the upward acceleration rises above 2.5 m/s², at least a quarter of a second apart.
  private func impacts(_ trajectory: any Trajectory, until end: Double) -> [Double] {
    var impacts: [Double] = []
    var last = 0.0
    for index in 0..<Int(end * 500) {
      let time = Double(index) / 500
      let up = trajectory.state(at: time).acceleration.z
      if last < 2.5, up >= 2.5, time - (impacts.last ?? -1) > 0.25 { impacts.append(time) }
      last = up
    }
    return impacts
  }

  @Test(arguments: [
    (Walk() as any Trajectory, 61.0, 120), (Walk(cadence: 110 / 60), 61, 110),
    (Walk(gait: .running(), speed: 3), 41, 108), (Stairs(), 130, 108), (Stairs(flights: 1), 20, 18),
  ])
  func stepsAreAsManyAsImpacts(trajectory: any Trajectory, seconds: Double, steps: Int) {
    #expect(trajectory.stepCount(at: seconds) == steps)
    #expect(impacts(trajectory, until: seconds).count == steps)
  }

  @Test func aStepIsCountedWhenItIsTaken() {
    let walk = Walk()
    #expect(walk.stepCount(at: 0) == 0 && walk.stepCount(at: 1.374) == 0 && walk.stepCount(at: 1.376) == 1)
    #expect(walk.stepCount(at: -5) == 0 && walk.stepCount(at: .nan) == 0)
    #expect(Gait.walking().stepCount(at: 100, for: 10) == 20)
  }

  @Test(arguments: [
    Rest() as any Trajectory, Drive(roughness: 0.6), Walk(gait: .cycling(), speed: 5), Handheld(), Ride.lift,
  ])
  func nobodyStepsInACarOrOnABicycle(trajectory: any Trajectory) {
    #expect(trajectory.stepCount(at: 3600) == 0)
  }

  /// Standard deviation of the norm of the acceleration in g, and the share of 5–15 Hz in its power, over 20.48 s from
  /// `start` on.
  private func texture(_ trajectory: any Trajectory, from start: Double) -> (deviation: Double, share: Double) {
    let count = 1024
    let norms = (0..<count).map { trajectory.state(at: start + Double($0) / 50).specificForce.length / standardGravity }
    let mean = norms.reduce(0, +) / Double(count)
    var (power, band) = (0.0, 0.0)
    for bin in 1..<count / 2 {
      let frequency = Double(bin) * 50 / Double(count)
      guard frequency > 0.4 else { continue }
      var (real, imaginary) = (0.0, 0.0)
      for (index, norm) in norms.enumerated() {
        let angle = 2 * Double.pi * Double(bin * index % count) / Double(count)
        real += (norm - mean) * cos(angle)
        imaginary += (norm - mean) * sin(angle)
      }
      let value = real * real + imaginary * imaginary
      power += value
      if (5.0...15).contains(frequency) { band += value }
    }
    return ((norms.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)).squareRoot(), band / power)
  }

  // The figures of recordings: evidence page, section 3; pedometer page, section 5.
  @Test func theAccelerationIsThatOfPeopleAndVehicles() {
    let walk = texture(Walk(), from: 5)
    #expect((0.23...0.64).contains(walk.deviation) && walk.share > 0.05, "\(walk)")
    let run = texture(Walk(gait: .running(), speed: 3), from: 5)
    #expect((0.88...1.3).contains(run.deviation) && run.share > 0.05, "\(run)")
    let bicycle = texture(Walk(gait: .cycling(), speed: 5, tilt: 0.2), from: 5)
    #expect((0.3...0.45).contains(bicycle.deviation) && bicycle.share < 0.05, "\(bicycle)")
    // In cars 0.2 to 0.5: as much again lies below 5 Hz, on the springs, and above 15 Hz.
    let car = texture(Drive(roughness: 0.3), from: 10)
    #expect((0.02...0.12).contains(car.deviation) && (0.2...0.6).contains(car.share), "\(car)")
  }

  /// Standard deviation of the acceleration in g, upwards, over five seconds.
  private func bounce(_ trajectory: any Trajectory, from start: Double) -> Double {
    let values = (0..<1000).map { trajectory.state(at: start + Double($0) / 200).acceleration.z / standardGravity }
    return (values.reduce(0) { $0 + $1 * $1 } / 1000).squareRoot()
  }

  // Published and measured figures, in g: cars 0.016 to 0.1 with the road, buses 0.03 to 0.09, trains 0.008 to 0.03.
  @Test(arguments: [
    (Drive(roughness: 0.3) as any Trajectory, 10.5, 0.001, 0.03...0.07), (Drive.bus, 20, 0, 0.03...0.09),
    (Motorway(), 40, 2, 0.02...0.05), (Ride.train, 55, 5, 0.01...0.03),
  ])
  func aVehicleShakesWithItsSpeedAndHumsWhenItStands(
    trajectory: any Trajectory, cruise: Double, stand: Double, range: ClosedRange<Double>
  ) {
    let (moving, standing) = (bounce(trajectory, from: cruise), bounce(trajectory, from: stand))
    #expect(range.contains(moving), "\(moving)")
    #expect(standing > 0.0005 && standing < moving / 2, "\(standing)")
  }
}
