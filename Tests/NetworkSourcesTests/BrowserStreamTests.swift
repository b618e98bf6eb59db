// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import NetworkSources

/// Batches of a page to samples: nothing lost, distances kept, losses counted.
struct BrowserStreamTests {
  /// The samples of batches of five that arrive as late as `delay` says, ms.
  private static func samples(
    _ phone: inout BrowserPhone, _ stream: inout BrowserStream, batches: Int, delay: (Int) -> Int64 = { _ in 4 }
  ) throws -> [InertialSample] {
    var all: [InertialSample] = []
    for index in 0..<batches {
      let batch = try phone.batch(5)
      let arrival = SensorInstant(nanoseconds: Int64(phone.time * 1e6) + (90_000 + delay(index)) * 1_000_000)
      for case .inertial(let sample) in stream.receive(batch, at: arrival) { all.append(sample) }
    }
    return all
  }

  @Test(arguments: [1.0, -1])
  func allSamplesComeWithThePhonesDistances(sign: Double) throws {
    var (phone, stream) = (BrowserPhone(sign: sign, rate: Vector3(x: 0.5, y: 0, z: 0)), BrowserStream())
    var random = SeededRandom(seed: 3)
    let samples = try Self.samples(
      &phone, &stream, batches: 200, delay: { _ in Int64.random(in: 0...300, using: &random) })
    #expect(samples.count == 1000)
    for (a, b) in zip(samples, samples.dropFirst()) {
      // Milliseconds in a Double, cut to nanoseconds.
      #expect(abs((b.time - a.time).nanoseconds - 16_666_667) <= 2)
    }
    #expect(stream.statistics.losses == nil)
    #expect(stream.statistics.samples == 1000)
  }

  @Test func iOSAndTheStandardGiveTheSameSamples() throws {
    let motion = Vector3<Device>(x: 0.4, y: 0.7, z: -0.3)
    var results: [[InertialSample]] = []
    for sign in [1.0, -1] {
      var (phone, stream) = (BrowserPhone(sign: sign, rate: motion), BrowserStream())
      results.append(try Self.samples(&phone, &stream, batches: 40))
    }
    #expect(results[0].count == 200)
    #expect(results[0] == results[1])
  }

  @Test func samplesWaitForTheirSignAndThenAllCome() throws {
    var (phone, stream) = (BrowserPhone(sign: -1, hasOrientation: false), BrowserStream())
    phone.attitude = .identity
    #expect(try Self.samples(&phone, &stream, batches: 100).isEmpty)
    let batch = try phone.batch(5, isFaceUp: true)
    let samples = stream.receive(batch, at: SensorInstant(nanoseconds: Int64(phone.time * 1e6) + 90_000_000_000))
    #expect(samples.count == 505)
    #expect(stream.statistics.losses == nil)
  }

  @Test func withoutASignTenSecondsAreKeptAndTheRestIsCounted() throws {
    var (phone, stream) = (BrowserPhone(hasOrientation: false), BrowserStream())
    #expect(try Self.samples(&phone, &stream, batches: 200).isEmpty)
    #expect(stream.statistics.undecided == 1000 - BrowserStream.patience)
  }

  @Test func whatComesTwiceIsTakenOnceAndWhatIsMissingIsCounted() throws {
    var (phone, stream) = (BrowserPhone(), BrowserStream())
    _ = try Self.samples(&phone, &stream, batches: 10)
    let arrival = SensorInstant(nanoseconds: Int64(phone.time * 1e6) + 90_100_000_000)
    let batch = try phone.batch(5)
    #expect(stream.receive(batch, at: arrival).count == 5)
    #expect(stream.receive(batch, at: arrival).isEmpty)
    // A batch that repeats its first half.
    let more = try phone.batch(5)
    var both = more
    both.readings = batch.readings + more.readings
    both.first = batch.first
    #expect(stream.receive(both, at: arrival).count == 5)
    #expect(stream.statistics.repeated == 10)
    _ = try phone.batch(7)
    #expect(stream.receive(try phone.batch(5), at: arrival).count == 5)
    #expect(stream.statistics.lostSamples == 7)
    #expect(stream.statistics.losses?.contains("7 samples were lost") == true)
  }

  @Test func anotherPageBeginsAnewAndTimeDoesNotGoBack() throws {
    var (phone, stream) = (BrowserPhone(), BrowserStream())
    let old = try Self.samples(&phone, &stream, batches: 40)
    let shift = phone.time
    var page = BrowserPhone(sign: -1, session: 7)
    var new: [SensorSample] = []
    for _ in 0..<40 {
      let batch = try page.batch(5)
      new += stream.receive(batch, at: SensorInstant(nanoseconds: Int64((shift + page.time) * 1e6) + 90_000_000_000))
    }
    #expect(new.count == 200)
    #expect(stream.signs.acceleration == .gravity)
    #expect(try #require(new.first).time > (try #require(old.last)).time)
    #expect(stream.statistics.losses == nil)
  }

  @Test func aReadingAheadOfItsBatchCostsItself() throws {
    var (phone, stream) = (BrowserPhone(), BrowserStream())
    for _ in 0..<100 {
      var batch = try phone.batch(5)
      batch.readings[4].time += 1900
      _ = stream.receive(batch, at: SensorInstant(nanoseconds: Int64(phone.time * 1e6) + 90_000_000_000))
    }
    let counts = stream.statistics
    #expect(counts.implausible == 100 && counts.taken == 400 && counts.restarts == 0)
  }

  /// The time of one batch lies ahead, or the page counts as no phone can: the rest goes on. When all that follows
  /// does not go on with what came before, the clock begins again within a second.
  @Test(arguments: [1, 1000]) func aBatchThatCannotBeRightCostsItselfAndNotThoseAfterIt(count: Int) throws {
    let ahead = { (batch: inout BrowserBatch) in for index in 0..<5 { batch.readings[index].time += 1e4 } }
    let huge = { (batch: inout BrowserBatch) in batch.first &+= 1 << 30 }
    for damage in [ahead, huge] {
      var (phone, stream) = (BrowserPhone(), BrowserStream())
      for number in 0..<100 {
        var batch = try phone.batch(5)
        if (50..<50 + count).contains(number) { damage(&batch) }
        _ = stream.receive(batch, at: SensorInstant(nanoseconds: Int64(phone.time * 1e6) + 90_000_000_000))
      }
      let counts = stream.statistics
      #expect(counts.received == 500 && counts.taken + counts.waiting + counts.implausible == 500)
      #expect(count == 1 ? counts.implausible == 5 : (5...70).contains(counts.implausible))
      #expect(counts.lostSamples <= 5 && counts.restarts == (count == 1 ? 0 : 1))
    }
  }

  @Test func readingsThatNoSensorGivesAreLeftOutAndCounted() throws {
    var (phone, stream) = (BrowserPhone(), BrowserStream())
    _ = try Self.samples(&phone, &stream, batches: 10)
    var batch = try phone.batch(5)
    batch.readings[1].acceleration.y = .nan
    batch.readings[2].gamma = .infinity
    batch.readings[3].time = -1
    batch.readings[4].time = 1e300
    let arrival = SensorInstant(nanoseconds: Int64(phone.time * 1e6) + 90_000_000_000)
    #expect(stream.receive(batch, at: arrival).count == 1)
    #expect(stream.statistics.implausible == 4)
  }
}

/// Signs and axes of a browser, found in its data.
struct BrowserSignsTests {
  /// The signs after some readings of a phone.
  private static func signs(_ phone: inout BrowserPhone, after count: Int) -> BrowserSigns {
    var signs = BrowserSigns()
    for _ in 0..<count { signs.update(phone.next()) }
    return signs
  }

  @Test(arguments: [(1.0, BrowserSigns.Acceleration.reaction), (-1, .gravity)])
  func theOrientationTellsTheSignInEightReadings(sign: Double, expected: BrowserSigns.Acceleration) {
    var phone = BrowserPhone(sign: sign)
    #expect(Self.signs(&phone, after: 7).acceleration == .unknown)
    phone = BrowserPhone(sign: sign)
    #expect(Self.signs(&phone, after: 8).acceleration == expected)
  }

  @Test(arguments: [1.0, -1])
  func bothSignsGiveThisPackagesOwn(sign: Double) throws {
    var phone = BrowserPhone(sign: sign, isRounded: false, rate: Vector3(x: 0.3, y: -0.2, z: 0.1))
    let signs = Self.signs(&phone, after: 20)
    let (rate, force) = try #require(signs.inertial(phone.next()))
    #expect((rate - phone.truth.rate).length < 1e-12)
    #expect((force - phone.truth.force).length < 1e-12)
  }

  @Test func withoutOrientationTheFaceUpTestDecides() {
    var phone = BrowserPhone(sign: -1, hasOrientation: false)
    phone.attitude = .identity
    var signs = Self.signs(&phone, after: 600)
    #expect(signs.acceleration == .unknown)
    #expect(signs.inertial(phone.next()) == nil)
    signs.lieFaceUp(phone.next())
    #expect(signs.acceleration == .gravity)
    #expect(signs.changes == 0)
  }

  @Test func aPhoneOnItsSideIsNotFaceUp() {
    var phone = BrowserPhone(hasOrientation: false)
    phone.attitude = Rotation(rotationVector: Vector3<Device>(x: 0, y: 1.5, z: 0))
    var signs = BrowserSigns()
    signs.lieFaceUp(phone.next())
    #expect(signs.acceleration == .unknown)
  }

  @Test(arguments: [BrowserSigns.RateOrder.xyz, .zxy], [1.0, -1])
  func turningTellsTheOrderOfTheRates(order: BrowserSigns.RateOrder, sign: Double) throws {
    for axis in [Vector3<Device>(x: 1.5, y: 0, z: 0), Vector3(x: 0, y: 1.5, z: 0), Vector3(x: 1, y: -0.5, z: 0.8)] {
      var phone = BrowserPhone(sign: sign, order: order, rate: axis)
      let signs = Self.signs(&phone, after: 180)
      #expect(signs.rateOrder == order)
      #expect(signs.changes == (order == .xyz ? 0 : 1))
      let (rate, _) = try #require(signs.inertial(phone.next()))
      #expect((rate - axis).length < 0.1 * .pi / 180)
    }
  }

  @Test func aBrowserWithoutOrientationShowsItsOrderByGravity() {
    var phone = BrowserPhone(order: .zxy, hasOrientation: false, rate: Vector3(x: 1.2, y: 0.7, z: 0))
    #expect(Self.signs(&phone, after: 180).rateOrder == .zxy)
  }

  @Test func aQuietPhoneKeepsTheOrderWhateverItsBias() {
    var phone = BrowserPhone()
    var signs = BrowserSigns()
    for _ in 0..<3600 {
      var reading = phone.next()
      reading.alpha += 1.5
      signs.update(reading)
    }
    #expect(signs.rateOrder == .xyz)
    #expect(signs.changes == 0)
  }

  @Test func whatDataContradictIsChangedAndCounted() {
    var phone = BrowserPhone()
    var signs = Self.signs(&phone, after: 100)
    phone.sign = -1
    for _ in 0..<100 { signs.update(phone.next()) }
    #expect(signs.acceleration == .gravity)
    #expect(signs.changes == 1)
  }

  @Test func upOfTheOrientationIsTheThirdRowOfItsRotation() throws {
    // Upright, face to the person; lying on its left side's edge; face up.
    for (beta, gamma, expected) in [
      (90.0, 0.0, Vector3<Device>(x: 0, y: 1, z: 0)), (0, -90, Vector3(x: 1, y: 0, z: 0)),
      (0, 0, Vector3(x: 0, y: 0, z: 1)),
    ] {
      let up = try #require(BrowserReading.up(beta: beta, gamma: gamma))
      #expect((up - expected).length < 1e-12)
    }
    #expect(BrowserReading.up(beta: .nan, gamma: 0) == nil)
  }
}

/// The bytes of a POST.
struct BrowserBatchTests {
  private static func body() -> [UInt8] {
    var phone = BrowserPhone()
    return BrowserPhone.body(session: 0xFEDC_BA98_7654_3210, first: 77, (0..<6).map { _ in phone.next() })
  }

  @Test func aBatchSaysWhatThePageHasWritten() throws {
    var phone = BrowserPhone()
    let batch = try BrowserBatch(Self.body())
    #expect(batch.session == 0xFEDC_BA98_7654_3210)
    #expect(batch.first == 77)
    #expect(!batch.isFaceUp)
    #expect(batch.readings.count == 6)
    for reading in batch.readings {
      let sent = phone.next()
      #expect(reading.time == sent.time)
      #expect((reading.acceleration - sent.acceleration).length < 1e-6)
      #expect(abs(reading.alpha - sent.alpha) < 1e-5)
      #expect((try #require(reading.up) - (try #require(sent.up))).length < 1e-6)
    }
    #expect(try BrowserBatch(BrowserPhone.body(session: 1, first: 0, isFaceUp: true, [])).isFaceUp)
  }

  @Test func everyTruncationIsRefusedWithASentence() {
    let body = Self.body()
    for count in 0..<body.count {
      #expect(throws: SensorError.self) { try BrowserBatch(Array(body[..<count])) }
    }
    #expect(throws: SensorError.self) { try BrowserBatch(body + [0]) }
  }

  @Test func anotherVersionAsksToLoadThePageAgain() {
    var body = Self.body()
    body[4] = 2
    let error = #expect(throws: SensorError.self) { try BrowserBatch(body) }
    #expect(error?.message.contains("load it again") == true)
  }

  @Test func aCountBeyondTheCapacityIsRefused() {
    let reading = BrowserReading(time: 0, acceleration: .zero, alpha: 0, beta: 0, gamma: 0)
    let most = [BrowserReading](repeating: reading, count: BrowserBatch.capacity)
    #expect(throws: Never.self) { try BrowserBatch(BrowserPhone.body(session: 1, first: 0, most)) }
    #expect(throws: SensorError.self) { try BrowserBatch(BrowserPhone.body(session: 1, first: 0, most + [reading])) }
  }
}

/// Any bytes as batches, as long as ``SeededRandom/fuzz(rounds:_:)`` has it.
struct BrowserFuzzTests {
  @Test func anyBatchesGiveFiniteSamplesInOrder() throws {
    var (round, read, samples) = (UInt64(0), 0, 0)
    SeededRandom.fuzz(rounds: 60) { random in
      var (phone, stream, last) = (BrowserPhone(session: round), BrowserStream(), Int64.min)
      for index in 0..<20 {
        var readings = (0..<5).map { _ in phone.next() }
        readings[0].alpha = 400 * Double.random(in: -1...1, using: &random)
        var body = BrowserPhone.body(session: round, first: UInt32(index * 5), readings)
        for _ in 0..<Int.random(in: 0...2, using: &random) {
          body[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        guard let batch = try? BrowserBatch(body) else { continue }
        read += 1
        let arrival = SensorInstant(nanoseconds: 1_000_000_000 + Int64(index) * 83_000_000)
        for case .inertial(let sample) in stream.receive(batch, at: arrival) {
          #expect(sample.time.nanoseconds > last)
          #expect(sample.angularVelocity.isFinite && sample.specificForce.isFinite)
          last = sample.time.nanoseconds
          samples += 1
        }
      }
      round += 1
    }
    // The damage leaves enough to be read.
    #expect(read > 0 && samples > 0)
  }
}

/// A phone in a browser: turns at constant rates and says it with the signs, the order and the rounding of a kind of
/// browser.
struct BrowserPhone {
  /// 1: the standard's sign of gravity; −1: iOS's.
  var sign = 1.0
  var order = BrowserSigns.RateOrder.xyz
  /// Chromium rounds to 0.1 of each unit.
  var isRounded = true
  var hasOrientation = true
  /// rad/s about the device's axes.
  var rate = Vector3<Device>.zero
  var attitude = Rotation<Device, EastNorthUp>(rotationVector: Vector3<Device>(x: 0.2, y: -0.1, z: 0.4))
  /// ms since the page was opened.
  var time = 2000.0
  var session: UInt64 = 0x1234_5678_9ABC_DEF0
  /// Of the next sample.
  var number: UInt32 = 0

  /// rad/s and m/s² at the present time, without rounding.
  var truth: (rate: Vector3<Device>, force: Vector3<Device>) { (rate, up * standardGravity) }
  private var up: Vector3<Device> { attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: 1) }

  /// One sixtieth of a second later.
  mutating func next() -> BrowserReading {
    attitude = attitude * Rotation<Device, Device>(rotationVector: rate * (1.0 / 60))
    time += 1000.0 / 60
    let (force, up) = (truth.force, up)
    let degrees = 180 / Double.pi
    let (x, y, z) = (rounded(rate.x * degrees), rounded(rate.y * degrees), rounded(rate.z * degrees))
    let (beta, gamma) = (rounded(Scalar.asin(up.y) * degrees), rounded(Scalar.atan2(-up.x, up.z) * degrees))
    return BrowserReading(
      time: time,
      acceleration: Vector3(x: rounded(sign * force.x), y: rounded(sign * force.y), z: rounded(sign * force.z)),
      alpha: order == .xyz ? x : z, beta: order == .xyz ? y : x, gamma: order == .xyz ? z : y,
      up: hasOrientation ? BrowserReading.up(beta: beta, gamma: gamma) : nil)
  }

  /// The next samples as the page sends them.
  mutating func batch(_ count: Int, isFaceUp: Bool = false) throws -> BrowserBatch {
    let readings = (0..<count).map { _ in next() }
    defer { number += UInt32(count) }
    return try BrowserBatch(Self.body(session: session, first: number, isFaceUp: isFaceUp, readings))
  }

  private func rounded(_ number: Double) -> Double { isRounded ? (number * 10).rounded() / 10 : number }

  /// What page.js makes of these readings.
  static func body(session: UInt64, first: UInt32, isFaceUp: Bool = false, _ readings: [BrowserReading]) -> [UInt8] {
    var bytes = Array("OCMB".utf8)
    func append(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    append(UInt16(1))
    append(UInt16(readings.count))
    append(first)
    append(UInt32(isFaceUp ? 1 : 0))
    append(session)
    for reading in readings {
      append(reading.time.bitPattern)
      let a = reading.acceleration
      var tilt = (Double.nan, Double.nan)
      if let up = reading.up {
        tilt = (Scalar.asin(up.y) * 180 / .pi, Scalar.atan2(-up.x, up.z) * 180 / .pi)
      }
      for number in [a.x, a.y, a.z, reading.alpha, reading.beta, reading.gamma, tilt.0, tilt.1] {
        append(Float(number).bitPattern)
      }
    }
    return bytes
  }
}
