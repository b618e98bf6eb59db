// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionRecording
import MotionSensing
import PhoneFormats
import Testing

@testable import NetworkSources

/// From the bodies of messages to samples, over a network that delays, overtakes and loses.
@Suite struct PhoneStreamTests {
  /// 200 Hz of three sensors, the accelerometer in the unit of an iPhone.
  static func samples(seconds: Int, unit: AccelerationUnit = .reversedGravity) -> [SensorSample] {
    var random = SeededRandom(seed: 3)
    func noise() -> Vector3<Device> {
      Vector3(
        x: .random(in: -0.1...0.1, using: &random), y: .random(in: -0.1...0.1, using: &random),
        z: .random(in: -0.1...0.1, using: &random))
    }
    let down = Vector3<Device>(x: 0, y: 0, z: 9.80665 / unit.scale)
    return (0..<Int64(seconds) * 200).flatMap { number -> [SensorSample] in
      // The stamps of a real phone are uneven.
      let time = SensorInstant(nanoseconds: number * 5_000_000 + Int64.random(in: -200_000...200_000, using: &random))
      let later = time + SensorDuration(nanoseconds: 1_300_000)
      return [
        .accelerometer(AccelerometerSample(time: time, reading: down + noise(), unit: unit)),
        .gyroscope(GyroscopeSample(time: time, angularVelocity: noise())),
        .magnetometer(
          unit.isReversed
            ? MagnetometerSample(time: later, reading: noise() * 400, unit: .microtesla)
            : MagnetometerSample(time: later, magneticField: noise() * 4e-4)),
      ]
    }
  }

  /// What comes out of pushes that arrive after `delay` ns; nil = lost.
  static func deliver(
    _ pushes: [SensorLoggerPhone.Push], _ stream: inout PhoneStream, delay: (Int) -> Int64?
  ) throws -> [SensorSample] {
    let origin = (pushes.first?.stamp ?? 0) - 1_000_000_000_000
    let arrivals = pushes.compactMap { push in delay(push.number).map { (push.stamp - origin + $0, push) } }
    var result: [SensorSample] = []
    var now = SensorInstant(nanoseconds: 0)
    for (time, push) in arrivals.sorted(by: { $0.0 < $1.0 }) {
      now = SensorInstant(nanoseconds: time)
      if let deadline = stream.deadline, deadline < now {
        while let samples = stream.next(at: deadline) { result += samples }
      }
      let message = try SensorLoggerMessage(push.body)
      stream.receive(message.readings, number: try #require(message.number), at: now, hasAccuracy: message.hasAccuracy)
      while let samples = stream.next(at: now) { result += samples }
    }
    while let samples = stream.next(at: now + .seconds(2)) { result += samples }
    return result
  }

  static func expectSame(_ samples: [SensorSample], _ expected: [SensorSample]) {
    for kind: SensorKinds in [.accelerometer, .gyroscope, .magnetometer, .airPressure] {
      let (a, b) = (samples.only(kind).fromZero(), expected.only(kind).fromZero())
      #expect(a.count == b.count && a == b, "\(kind.names)")
    }
  }

  /// 25 Hz of the right bud, in Core Motion's g.
  static func headMotion(seconds: Int) -> [SensorSample] {
    (0..<Int64(seconds) * 25).map { number in
      let angle = Double(number) * 0.01
      return .motion(
        MotionRow(
          time: SensorInstant(nanoseconds: number * 40_000_000 + 7), w: cos(angle / 2),
          vector: Vector3(x: 0, y: 0, z: sin(angle / 2)), reference: .xArbitrary,
          angularVelocity: Vector3(x: 0, y: 0, z: 0.25), gravity: Vector3(x: 0, y: 0, z: -1),
          linearAcceleration: Vector3(x: 0.01 * Double(number % 7), y: 0, z: 0), accelerationUnit: .reversedGravity,
          location: .headphoneRight))
    }
  }

  /// All numbers but gravity, which passes through m/s².
  static func expectHeadMotion(_ samples: [SensorSample], _ expected: [SensorSample]) {
    #expect(samples.count == expected.count)
    for (a, b) in zip(samples.fromZero(), expected.fromZero()) {
      guard case .motion(var own) = a, case .motion(let other) = b else {
        Issue.record("not fused motion")
        return
      }
      #expect(own.gravity.isApproximatelyEqual(to: other.gravity, tolerance: 1e-15))
      own.gravity = other.gravity
      #expect(own == other)
    }
  }

  @Test(arguments: [SensorLoggerPhone.Form.iOS, .iOSStandardised, .android])
  func everyNumberAndEveryDistanceOfTimeComesThrough(form: SensorLoggerPhone.Form) throws {
    let samples = Self.samples(seconds: 5, unit: form == .iOS ? .reversedGravity : .metresPerSecondSquared)
    let pushes = SensorLoggerPhone(form: form).pushes(samples)
    var stream = PhoneStream(device: .phone, units: PhoneUnits())
    let result = try Self.deliver(pushes, &stream) { _ in 3_000_000 }
    // Where the magnetometer passes through µT, the last bit is its own.
    Self.expectSame(
      result, form == .iOS ? samples : samples.filter { $0.kinds != .magnetometer } + result.only(.magnetometer))
    #expect(result.count == samples.count)
    #expect(stream.statistics.losses == nil)
    #expect(stream.doubt == nil)
  }

  /// The network of the acceptance: 0 to 300 ms late, one message in a hundred overtaken by the next two, 5 s without
  /// any.
  @Test func wiFiChangesNoDistanceAndLosesOnlyItsOutage() throws {
    let samples = Self.samples(seconds: 60)
    let pushes = SensorLoggerPhone().pushes(samples)
    var random = SeededRandom(seed: 11)
    var last: Int64 = 0
    var arrivals: [Int64] = []
    for push in pushes {
      // One connection keeps the order; a message that is sent again on another one does not.
      let time = max(last, push.stamp + Int64.random(in: 0...300_000_000, using: &random))
      last = time
      arrivals.append(time - push.stamp)
    }
    let overtaken = Set(stride(from: 50, to: pushes.count, by: 100))
    var stream = PhoneStream(device: .phone, units: PhoneUnits())
    let outage = 300..<350
    let result = try Self.deliver(pushes, &stream) { number in
      guard !outage.contains(number) else { return nil }
      return overtaken.contains(number) ? arrivals[number] + 250_000_000 : arrivals[number]
    }
    let kept = samples.filter { !outage.contains(Int($0.time.nanoseconds / 100_000_000)) || $0.time.nanoseconds < 0 }
    #expect(stream.statistics.lostMessages == 50)
    #expect(stream.statistics.reorderedMessages > 0)
    #expect(stream.statistics.lateMessages == 0 && stream.statistics.notAscending == 0)
    // The first batch begins at the first sample, which is not at zero.
    #expect(abs(result.count - kept.count) <= 3)
    let byTime = Dictionary(grouping: samples, by: \.kinds)
    for (kind, all) in byTime {
      let own = result.only(kind)
      // One shift for all of them: spacing error 0.
      let shifts = Set(own.map { sample in sample.time.nanoseconds }).count
      #expect(shifts == own.count)
      let originals = Set(all.map(\.time.nanoseconds))
      let shift = own.first.map { $0.time.nanoseconds - (all.first?.time.nanoseconds ?? 0) } ?? 0
      #expect(own.allSatisfy { originals.contains($0.time.nanoseconds - shift) }, "\(kind.names)")
    }
  }

  @Test func aLostMessageIsWaitedForOnceAndCounted() throws {
    let pushes = SensorLoggerPhone().pushes(Self.samples(seconds: 5))
    var stream = PhoneStream(device: .phone, units: PhoneUnits())
    _ = try Self.deliver(pushes, &stream) { $0 == 20 ? nil : $0 == 40 ? 900_000_000 : 0 }
    #expect(stream.statistics.lostMessages == 2)
    // The one that came after it had been given up.
    #expect(stream.statistics.lateMessages == 1)
  }

  @Test func stampsThatCannotBeRightAreCountedAndChangeNothing() throws {
    var bodies = SensorLoggerPhone().pushes(Self.samples(seconds: 3))
    let absurd =
      #","payload":[{"name":"gyroscopeuncalibrated","time":3999999999999999999,"values":{"x":1,"y":1,"z":1}},{"name":"gyroscopeuncalibrated","time":-5,"values":{"x":1,"y":1,"z":1}},{"name":"gyroscopeuncalibrated","time":99999999999999999999999,"values":{"x":1,"y":1,"z":1}},{"name":"gyroscopeuncalibrated","time":"soon","values":{"x":1,"y":1,"z":1}},{"name":"gyroscopeuncalibrated","time":1790000000000000000,"values":{"x":null,"y":1,"z":1}},"#
    for index in bodies.indices where index % 3 == 1 {
      bodies[index].body = Array(
        String(decoding: bodies[index].body, as: UTF8.self).replacing(#","payload":["#, with: absurd).utf8)
    }
    var stream = PhoneStream(device: .phone, units: PhoneUnits())
    let result = try Self.deliver(bodies, &stream) { _ in 0 }
    Self.expectSame(result, Self.samples(seconds: 3))
    #expect(stream.statistics.implausible == 10)
    #expect(stream.statistics.leaps == 0)
  }
}
