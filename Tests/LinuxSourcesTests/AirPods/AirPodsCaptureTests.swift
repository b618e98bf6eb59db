// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import HeadphoneSources
import MotionMath
import MotionSensing
import Testing

/// Captures of a real pair of AirPods Pro 3 (andrewkomkov/GreenPods, MIT), which are not part of the repository.
@Suite(
  .enabled("the captures in data/headphones/greenpods are not here") { AirPodsCaptures.exist }
)
struct AirPodsCaptureTests {
  @Test func theSequenceGrowsFromOneByteToTwo() throws {
    let messages = try AirPodsCaptures.lines("varint-boundary-frames").map { try #require(sensorMessage($0)) }
    #expect(messages.map(\.sequence) == [126, 127, 128, 129])
    #expect(messages.compactMap { $0.report?.motion?.counter } == [881, 889, 897, 905])
    let times = messages.compactMap { $0.report?.motion?.sensorTime }
    #expect(zip(times, times.dropFirst()).allSatisfy { (40_184...40_186).contains($1 - $0) })
  }

  @Test func descriptorsParseToTheLastByte() throws {
    let messages = try AirPodsCaptures.lines("service-descriptor-frames").map { try #require(sensorMessage($0)) }
    let descriptors = messages.flatMap(\.descriptors)
    #expect(descriptors.map(\.id) == [16, 17, 18, 19])
    #expect(descriptors.map(\.properties.count) == [12, 5, 5, 7])
    #expect(descriptors.map(\.bytesLeft) == [0, 0, 0, 0])
    #expect(descriptors.first?.name == ServiceDescriptor.motionService)
    #expect(descriptors.first?.serialNumber == "TESTSERIAL00000000")
    #expect(Set(messages.flatMap(\.ready)) == [16, 17, 18, 19])
    print("AirPods: 4 descriptors, \(descriptors.map(\.properties.count)) pairs, 0 bytes left")
  }

  @Test(arguments: ["reports-rest", "reports-chin-down", "reports-turn-right"])
  func everyReportDecodesAndItsGravityAgreesWithItsWords(_ name: String) throws {
    let reports = try AirPodsCaptures.reports(name)
    let differences = reports.map { $0.gravity.angle(to: $0.smoothedGravity) * 180 / .pi }
    let rates = zip(reports, reports.dropFirst()).filter { $1.sensorTime - $0.sensorTime < 60_000 }
    #expect(rates.allSatisfy { (50_232...50_233).contains($1.sensorTime - $0.sensorTime) })
    #expect(rates.allSatisfy { $1.counter ?? 0 == ($0.counter ?? 0) &+ 10 })
    #expect(reports.allSatisfy { $0.hasPlausibleGravity })
    let largest = differences.max() ?? 180
    // The words lag by 0.6 s: after the chin has gone down they are 4° behind.
    #expect(largest < (name == "reports-rest" ? 0.7 : 5))
    print("AirPods: \(name): \(reports.count) reports, gravity from q against the words at most \(largest)°")
  }

  /// The wearer of the capture is that of the generic mount.
  @Test func aTurnOfTheCaptureIsYawAlone() throws {
    let mount = HeadMount.generic.rotation
    let turn = try AirPodsCaptures.reports("reports-turn-right").map { $0.attitude * mount.inverse }
    let (first, last) = (angles(turn[0]), angles(turn[turn.count - 1]))
    #expect(abs(first.yaw + 54.6) < 0.6)
    #expect(abs(last.yaw + 107.7) < 0.6)
    #expect(turn.allSatisfy { abs(angles($0).pitch) < 2.5 && abs(angles($0).roll) < 1.4 })
    print("AirPods: turn to the right: yaw \(first.yaw)° → \(last.yaw)°")
  }

  @Test func theTwistAboutTheVerticalNeedsNoMount() throws {
    let reports = try AirPodsCaptures.reports("reports-turn-right")
    let relative = reports[reports.count - 1].attitude * reports[0].attitude.inverse
    let twist = Angle(radians: 2 * Scalar.atan2(relative.z, relative.w)).wrapped.degrees
    #expect(abs(twist + 53.1) < 0.1)
  }

  @Test func theHeadsRateIsThatOfATurnToTheRight() throws {
    let reports = try AirPodsCaptures.reports("reports-turn-right")
    let rates = reports.map { HeadMount.generic.rotation * $0.angularVelocity }
    let mean = rates.reduce(.zero, +) / Double(rates.count)
    #expect(isClose(mean, 0.02, -0.02, -0.57, 0.02))
    #expect(abs((rates.map(\.z).min() ?? 0) + 0.85) < 0.02)
  }
}
