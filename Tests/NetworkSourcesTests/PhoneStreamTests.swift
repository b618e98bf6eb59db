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
    #expect(stream.statistics.late == 0 && stream.statistics.notAscending == 0)
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
    #expect((50...60).contains(stream.statistics.late))
  }

  /// What a phone sends in fifteen seconds, 600 readings each second, with a fault after five.
  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// How much is taken at least, and whether all begins again.
    var taken: Int, restarts: Int
    /// Changes the message of a number, which comes once more as it was if it is a stray one.
    var isStray = false
    var change: @Sendable (inout SensorLoggerMessage, Int) -> Void

    static func moved(
      by seconds: Int64, _ message: inout SensorLoggerMessage, _ numbers: some RangeExpression<Int>, _ number: Int
    ) {
      guard numbers.contains(number) else { return }
      for index in message.readings.indices { message.readings[index].stamp += seconds * 1_000_000_000 }
    }
  }

  /// A message that does not go on with the others costs itself; a clock, a counter or a recording that is another one
  /// from now on costs a second. What comes of each reading is said once.
  @Test(arguments: [
    Fault(testDescription: "another session once", taken: 8940, restarts: 0, isStray: true) { message, number in
      if number == 50 { message.session = "other" }
    },
    Fault(testDescription: "10 s ahead once", taken: 8940, restarts: 0) { Fault.moved(by: 10, &$0, 50...50, $1) },
    Fault(testDescription: "2 s ahead once", taken: 8940, restarts: 0) { Fault.moved(by: 2, &$0, 50...50, $1) },
    Fault(testDescription: "10 s behind once", taken: 8940, restarts: 0) { Fault.moved(by: -10, &$0, 50...50, $1) },
    Fault(testDescription: "ahead in the first message", taken: 8200, restarts: 1) {
      Fault.moved(by: 10, &$0, 0...0, $1)
    },
    Fault(testDescription: "one reading ahead", taken: 8999, restarts: 0) { message, number in
      if number == 50 { message.readings[3].stamp += 10_000_000_000 }
    },
    Fault(testDescription: "a reading of each message ahead", taken: 8850, restarts: 0) { message, _ in
      message.readings[3].stamp += 1_890_000_000
    },
    Fault(testDescription: "a reading of the batch ahead now and then", taken: 8990, restarts: 0) { message, number in
      if number % 20 == 0 { message.readings[30].stamp += 1_890_000_000 }
    },
    Fault(testDescription: "a clock set back by 2 s", taken: 8200, restarts: 1) { Fault.moved(by: -2, &$0, 50..., $1) },
    Fault(testDescription: "a clock set back by 3 s", taken: 8200, restarts: 1) { Fault.moved(by: -3, &$0, 50..., $1) },
    Fault(testDescription: "one number for all", taken: 0, restarts: 13) { message, _ in message.number = 5 },
    Fault(testDescription: "a clock set ahead", taken: 8200, restarts: 1) { Fault.moved(by: 3600, &$0, 50..., $1) },
    Fault(testDescription: "a clock set back", taken: 8200, restarts: 1) { Fault.moved(by: -3600, &$0, 50..., $1) },
    Fault(testDescription: "the largest number once", taken: 8940, restarts: 0) { message, number in
      if number == 50 { message.number = .max }
    },
    Fault(testDescription: "numbers from the beginning", taken: 8200, restarts: 1) { message, number in
      if number >= 50 { message.number = Int64(number - 50) }
    },
    Fault(testDescription: "another recording without a pause", taken: 8200, restarts: 1) { message, number in
      if number >= 50 { message.session = "other" }
    },
    Fault(testDescription: "the first of another session", taken: 8200, restarts: 1) { message, number in
      if number == 0 { message.session = "other" }
    },
  ])
  func aPhoneIsNotIgnoredForOneFault(fault: Fault) throws {
    var (stream, answers, restarts) = (PhoneStream(device: .phone, units: PhoneUnits()), PhoneStatistics(), 0)
    for push in SensorLoggerPhone().pushes(Self.samples(seconds: 15)) {
      var message = try SensorLoggerMessage(push.body)
      let intact = message
      fault.change(&message, push.number)
      let now = SensorInstant(nanoseconds: Int64(push.number) * 100_000_000)
      for message in [message] + (fault.isStray && message.session != intact.session ? [intact] : []) {
        let before = stream.statistics
        let isTaken = stream.receive(message, at: now)
        while stream.next(at: now) != nil {}
        let answer = stream.statistics.since(before)
        answers = answers + answer
        answers.waiting = answer.waiting
        #expect(isTaken || !answer.omissions.isEmpty)
      }
      if stream.news(at: now).notice?.contains("start again") == true { restarts += 1 }
    }
    let all = stream.statistics
    #expect(all.taken + all.waiting >= fault.taken && restarts == fault.restarts, "\(all)")
    #expect(all.lostMessages <= 10 && all.leaps == 0)
    #expect(answers.received == all.received && answers.taken == all.taken && answers.late == all.late)
    let fates =
      all.taken + all.waiting + all.late + all.repeated + all.otherSession + all.implausible + all.notAscending
    #expect(all.received == fates && fates == (fault.isStray ? 9060 : 9000))
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

/// Any bytes into the parsers and the stream, as long as ``SeededRandom/fuzz(rounds:_:)`` has it.
@Suite struct PhoneFuzzTests {
  /// Some bytes changed, cut out, doubled, or replaced by what JSON is made of.
  private func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    let pieces = ["{", "}", "[", "]", "\"", ",", ":", "null", "1e999", "-", "9223372036854775807", "\\u00", "\u{0}"]
    for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
      case 2: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
      default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 60)], at: place)
      }
    }
    return bytes
  }

  /// Whatever is pushed, times ascend and every number is finite.
  @Test func anyPushesGiveSamplesInOrderOrErrors() {
    let good = SensorLoggerPhone().pushes(
      (PhoneStreamTests.samples(seconds: 1) + PhoneStreamTests.headMotion(seconds: 1)).sorted { $0.time < $1.time })
    var delivered = 0
    let rounds = SeededRandom.fuzz(rounds: 6) { random in
      var stream = PhoneStream(device: PhoneDevice.allCases[random.below(3)], units: PhoneUnits())
      var lasts: [SensorKinds: SensorInstant] = [:]
      var now = SensorInstant(nanoseconds: 5_000_000_000)
      for push in good {
        let body = Bool.random(using: &random) ? damaged(push.body, &random) : push.body
        now = now + SensorDuration(nanoseconds: Int64.random(in: 0...300_000_000, using: &random))
        guard let message = try? SensorLoggerMessage(body), let number = message.number else { continue }
        stream.receive(message.readings, number: number, at: now)
        while let samples = stream.next(at: now) {
          for sample in samples {
            #expect(lasts[sample.kinds].map { sample.time > $0 } ?? true)
            lasts[sample.kinds] = sample.time
            delivered += 1
          }
        }
      }
    }
    #expect(rounds > 0 && delivered > 0)
  }

  /// Stamps and arrivals of any size overflow nothing.
  @Test func anyStampsGiveAnInstant() {
    let rounds = SeededRandom.fuzz(rounds: 300) { random in
      var clock = ArrivalClock()
      var arrival: Int64 = 0
      for _ in 0..<200 {
        arrival += Int64.random(in: 0...5_000_000_000, using: &random)
        let stamp = Bool.random(using: &random) ? arrival : Int64.random(in: ArrivalClock.stamps, using: &random)
        clock.observe(newest: stamp, at: SensorInstant(nanoseconds: arrival))
        _ = clock.instant(of: stamp)
      }
    }
    #expect(rounds > 0)
  }
}
