// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Conformance

/// The checks that take other things than samples of device motion: each agrees with right numbers and notices wrong
/// ones.
@Suite struct OtherCheckTests {
  private let day = Date(timeIntervalSinceReferenceDate: 0)

  @Test func findings() {
    #expect(Finding.near("a", 1.05, 1, within: 0.1).agrees)
    #expect(!Finding.near("a", 1.2, 1, within: 0.1).agrees)
    #expect(!Finding.near("a", .nan, 1, within: 0.1).agrees)
    #expect(!Finding.inside("a", .nan, 0...1).agrees)
    #expect(![Finding].largest("a", [0, .nan], atMost: 1).agree)
    #expect(!Finding.equal("a", 1, 2).agrees)
  }

  @Test func answers() async {
    let wrong = Statement("S0", .values, "One is two.") { [.equal("one", 1, 2), .equal("one", 1, 1)] }
    #expect(await wrong.answer().result == .differs)
    let right = Statement("S0", .values, "One is one.") { [.equal("one", 1, 1)] }
    #expect(await right.answer().result == .agrees)
    #expect(await Statement("S0", .values, "Nothing.") { [] }.answer().result == .notAnswerable)
    #expect(await Statement("S0", .values, "Lacks.") { throw Obstacle("a") }.answer().reason == "a")
  }

  @Test func settings() {
    let settings = Settings(["CONFORMANCE_HANDS": "no", "CONFORMANCE_GROUPS": "water,air", "CONFORMANCE_PATIENCE": "a"])
    #expect(!settings.hasHands)
    #expect(settings.groups == [.water])
    #expect(settings.unknown == ["air", "a"])
    #expect(Settings([:]).unknown == [])
    #expect(Settings([:]).groups.count == Statement.Group.allCases.count)
  }

  /// What the environment of this run asks for exists.
  @Test func everySettingIsKnown() {
    #expect(Settings.current.unknown == [])
    let codes = Set(Conformance.statements.map(\.code))
    #expect((Settings.current.codes ?? []).subtracting(codes) == [])
  }

  @Test func signals() throws {
    #expect(try SignalChecks.readingsAreInG(rightObservation).agree)
    #expect(try SignalChecks.partsMakeTheReading(rightObservation).agree)
    #expect(try SignalChecks.rawRateHasTheBias(rightObservation).agree)
    #expect(try SignalChecks.rawFieldHasTheDevicesOwn(rightObservation).agree)
    #expect(try SignalChecks.clockIsUptime(rightObservation).agree)
    var wrong = rightObservation
    wrong.accelerometer = wrong.accelerometer.map { Reading(time: $0.time, value: -9.81 * $0.value) }
    wrong.gyroscope = wrong.gyroscope.map { Reading(time: $0.time, value: 57.3 * $0.value) }
    wrong.magnetometer = wrong.magnetometer.map { Reading(time: $0.time, value: 1e-6 * $0.value) }
    wrong.began += 1000
    try #expect(SignalChecks.readingsAreInG(wrong).agree == false)
    try #expect(SignalChecks.partsMakeTheReading(wrong).agree == false)
    try #expect(SignalChecks.rawRateHasTheBias(wrong).agree == false)
    try #expect(SignalChecks.rawFieldHasTheDevicesOwn(wrong).agree == false)
    try #expect(SignalChecks.clockIsUptime(wrong).agree == false)
  }

  @Test func products() throws {
    let (reference, attitude) = (standingSamples[0].quaternion, rightSamples[150].quaternion)
    let right = reference.inverse * attitude
    var product = Product(
      reference: reference, attitude: attitude, referenceAfterwards: reference, result: right,
      withItself: Quaternion(x: 0, y: 0, z: 0, w: 1), angles: [right.roll, right.pitch, right.yaw],
      matrix: right.transposedMatrix)
    #expect(ProductChecks.changesReceiverOnly(product).agree)
    #expect(try ProductChecks.order(product).agree)
    product.result = attitude * reference.inverse
    product.referenceAfterwards = attitude
    try #expect(ProductChecks.order(product).agree == false)
    #expect(!ProductChecks.changesReceiverOnly(product).agree)
  }

  @Test func times() {
    let even = (0..<50).map { Double($0) * 0.02 }
    #expect(PushChecks.inOrder(even).agree)
    #expect(PushChecks.prints("a", "x: 1.0, y: -2.5", 2).agrees)
    #expect(!PushChecks.prints("a", "<CMAttitude: 0x600000c1>", 1).agrees)
    #expect(!PushChecks.inOrder(even.reversed()).agree)
    #expect(!PushChecks.inOrder(even.filter { $0 < 0.3 || $0 > 0.5 }).agree)
    #expect(IntervalChecks.step(even, 0.02).agrees)
    #expect(!IntervalChecks.step(even, 0.03).agrees)
    #expect(!IntervalChecks.step([], 0.02).agrees)
    let later = even.map { $0 + 1 }.filter { Int(($0 * 50).rounded()) % 5 == 0 }.map { $0 * 1 }
    let second = (0..<20).map { 1 + Double($0) * 0.05 }
    #expect(RestartChecks.seamless(Restart(first: even, lateCallsOfFirst: 0, second: second)).agree)
    #expect(!RestartChecks.seamless(Restart(first: even, lateCallsOfFirst: 0, second: later.map { $0 + 3 })).agree)
    #expect(HeadphoneChecks.rate((0..<50).map { Double($0) * 0.04 }).agree)
    #expect(!HeadphoneChecks.rate((0..<50).map { Double($0) * 0.01 }).agree)
  }

  @Test func errors() throws {
    let domain = "CMErrorDomain"
    let moves = Failure(NSError(domain: domain, code: 101))
    #expect(FrameChecks.movementIsAskedOnce([moves], samples: 5).agree)
    #expect(!FrameChecks.movementIsAskedOnce([moves, moves], samples: 5).agree)
    #expect(try FrameChecks.trueNorthIsUnknown([Failure(NSError(domain: domain, code: 102))], samples: 0).agree)
    try #expect(FrameChecks.trueNorthIsUnknown([moves], samples: 0).agree == false)
    #expect(!ErrorChecks.numbers([1], [2]).agree)
    #expect(
      !ErrorChecks.sentence(Failure(NSError(domain: domain, code: 103, userInfo: [NSLocalizedDescriptionKey: "103"])))
        .agree)
  }

  @Test func poses() {
    let down = [Vector(x: 0, y: 0, z: -1), Vector(x: 0, y: 0, z: 1)]
    let poses = down.map { gravity in rightSamples.prefix(25).map { $0 }.changed { $0.gravity = gravity } }
    #expect(PoseChecks.faces(poses).agree)
    #expect(!PoseChecks.faces(poses.reversed()).agree)
    let still = (poses[0] + rightSamples.changed { $0.gravity = Vector(x: 1, y: 0, z: 0) } + poses[1])
      .changed { $0.rate = Vector(x: 0, y: 0, z: 0) }
    #expect(PoseChecks.hold(still, from: 0, pose: 0) == 0..<25)
    #expect(PoseChecks.hold(still, from: 25, pose: 1) == 225..<250)
    #expect(PoseChecks.hold(Array(still.prefix(50)), from: 0, pose: 1) == nil)
    #expect(!PoseChecks.rests([rightSamples]).agree)
  }
}
