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

/// Units and signs of Sensor Logger, told from the numbers or said by the person.
struct PhoneUnitsTests {
  private static func vector(_ sensor: PhoneSensor, _ stamp: Int64, _ v: Vector3<Device>) -> PhoneReading {
    PhoneReading(sensor: sensor, stamp: stamp, values: .vector(v))
  }

  /// Screen up; up is z of the device in any frame.
  private static let level = PhoneReading.Motion(
    w: 1, vector: .zero, angularVelocity: .zero, gravity: .zero, acceleration: .zero, location: 0)

  /// A second of messages, one every 50 ms with these readings, and what comes out.
  private static func samples(
    _ device: PhoneDevice = .phone, _ units: PhoneUnits = PhoneUnits(), _ readings: (Int64) -> [PhoneReading]
  ) -> (samples: [SensorSample], stream: PhoneStream) {
    var stream = PhoneStream(device: device, units: units)
    var samples: [SensorSample] = []
    for number in 0..<20 as Range<Int64> {
      let now = SensorInstant(nanoseconds: number * 50_000_000)
      stream.receive(readings(number * 50_000_000), number: number, at: now)
      while let next = stream.next(at: now) { samples += next }
    }
    return (samples, stream)
  }

  private static func unit(_ samples: [SensorSample]) -> AccelerationUnit? {
    guard case .accelerometer(let sample)? = samples.only(.accelerometer).first else { return nil }
    return sample.unit
  }

  /// Without a raw acceleration: the sum of the two, whose sign the attitude tells.
  @Test(arguments: [(-9.8, AccelerationUnit.reversedMetresPerSecondSquared), (9.8, .metresPerSecondSquared)])
  func gravityAndAccelerationOfOneStampAreTheRawReading(gravity: Double, unit: AccelerationUnit) throws {
    let (samples, stream) = Self.samples { stamp in
      [
        Self.vector(.linearAcceleration, stamp, Vector3(x: 1, y: 2, z: 3)),
        PhoneReading(sensor: .attitude, stamp: stamp, values: .motion(Self.level)),
        Self.vector(.gravity, stamp, Vector3(x: 0, y: 0, z: gravity)),
      ]
    }
    #expect(samples.count == 20 && Self.unit(samples) == unit)
    guard case .accelerometer(let first)? = samples.first else { return }
    #expect(first.reading == Vector3(x: 1, y: 2, z: 3 + gravity))
    #expect(stream.doubt == nil && stream.statistics.unpaired == 0)
  }

  @Test func aHalfWithoutTheOtherIsCounted() {
    let (samples, stream) = Self.samples { stamp in
      [Self.vector(.linearAcceleration, stamp, .zero)]
        + (stamp % 100_000_000 == 0 ? [Self.vector(.gravity, stamp, Vector3(x: 0, y: 0, z: -9.8))] : [])
    }
    #expect(samples.count == 10)
    #expect(stream.statistics.unpaired == 9)
  }

  /// Nothing tells the sign: it is taken as Core Motion's, and said.
  @Test func aSignThatNothingTellsIsSaid() {
    let (samples, stream) = Self.samples { stamp in
      [
        Self.vector(.linearAcceleration, stamp, .zero),
        Self.vector(.gravity, stamp, Vector3(x: 0, y: 0, z: 9.8)),
      ]
    }
    #expect(Self.unit(samples) == .reversedMetresPerSecondSquared)
    #expect(stream.doubt?.contains("Orientation") == true)
  }

  /// What the person says counts, also where the numbers look otherwise, which is said.
  @Test func whatThePersonSaysCountsAndAContradictionIsSaid() {
    let upwards = { (stamp: Int64) in [Self.vector(.accelerometer, stamp, Vector3(x: 0, y: 0, z: 9.8))] }
    let told = Self.samples(readings: upwards)
    #expect(Self.unit(told.samples) == .metresPerSecondSquared && told.stream.doubt == nil)
    let agreed = Self.samples(.phone, PhoneUnits(platform: .ios, isStandardised: true), upwards)
    #expect(Self.unit(agreed.samples) == .metresPerSecondSquared && agreed.stream.doubt == nil)
    let contradicted = Self.samples(.phone, PhoneUnits(platform: .ios, isStandardised: false), upwards)
    #expect(Self.unit(contradicted.samples) == .reversedGravity)
    #expect(contradicted.stream.doubt?.contains("standardised=yes") == true)
  }

  private static func samples(readings: (Int64) -> [PhoneReading]) -> (samples: [SensorSample], stream: PhoneStream) {
    samples(.phone, PhoneUnits(), readings)
  }

  /// A watch: g of Core Motion's sign, or standardised m/s² upwards; the sum is the raw accelerometer.
  @Test(arguments: [(-1.0, AccelerationUnit.reversedGravity), (9.80665, .metresPerSecondSquared)])
  func aWatchGivesItsAccelerometerAndItsGyroscope(gravity: Double, unit: AccelerationUnit) throws {
    let body =
      #"{"messageId":1,"sessionId":"s","deviceId":"d","payload":[{"name":"wrist motion","time":1000,"values":{"rotationRateX":0.1,"rotationRateY":0.2,"rotationRateZ":0.3,"gravityX":0,"gravityY":0,"gravityZ":\#(gravity),"accelerationX":0.5,"accelerationY":0,"accelerationZ":0.25,"quaternionW":1,"quaternionX":0,"quaternionY":0,"quaternionZ":0}}]}"#
    let reading = try #require(try SensorLoggerMessage(Array(body.utf8)).readings.first)
    let (samples, stream) = Self.samples(.watch) { stamp in
      [PhoneReading(sensor: reading.sensor, stamp: stamp, values: reading.values)]
        + [Self.vector(.gyroscope, stamp, .zero)]
    }
    #expect(samples.count == 40 && Self.unit(samples) == unit)
    guard case .accelerometer(let first)? = samples.only(.accelerometer).first,
      case .gyroscope(let rate)? = samples.only(.gyroscope).first
    else {
      Issue.record("no samples")
      return
    }
    #expect(first.reading == Vector3(x: 0.5, y: 0, z: gravity + 0.25))
    #expect(rate.angularVelocity == Vector3(x: 0.1, y: 0.2, z: 0.3))
    // The phone's own gyroscope is another device's.
    #expect(stream.statistics.ignored == 20)
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
