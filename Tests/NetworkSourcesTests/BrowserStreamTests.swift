// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

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
    #expect(stream.statistics.repeatedSamples == 10)
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
