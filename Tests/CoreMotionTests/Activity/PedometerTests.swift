// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

/// T64, T66; S65–S68, S72: a pedometer on a device that has an accelerometer.
@Suite struct PedometerTests {
  private struct Heard {
    var data: [CMPedometerData] = []
    var errors: [UInt32?] = []
    var overlaps = 0
    var inside = 0
    var onMain = false
  }

  private func start(_ pedometer: CMPedometer, from date: Date, into heard: Box<Heard>) {
    pedometer.startUpdates(from: date) { data, error in
      heard.with {
        $0.inside += 1
        $0.overlaps = max($0.overlaps, $0.inside)
        $0.onMain = $0.onMain || Thread.isMainThread
        if let data { $0.data.append(data) }
        if let error { $0.errors.append(NSError.motionCode(error)) }
      }
      heard.with { $0.inside -= 1 }
    }
  }

  private func query(_ pedometer: CMPedometer, from start: Date, to end: Date) async -> (CMPedometerData?, UInt32?) {
    await withCheckedContinuation { done in
      pedometer.queryPedometerData(from: start, to: end) { data, error in
        done.resume(returning: (data, NSError.motionCode(error)))
      }
    }
  }

  /// S65, S67: cumulative, every 2.56 s during a walk, on a serial queue off the main thread, always with the
  /// start that was asked for.
  @Test func aWalkIsCountedWhileItGoesOn() async throws {
    let walker = Walker(walks: [2..<62])
    let pedometer = walker.bench.host.run { CMPedometer() }
    let heard = Box(Heard())
    let start = Date()
    self.start(pedometer, from: start, into: heard)
    await walker.bench.clock.advance(by: .seconds(75))
    let seen = heard.value
    let last = try #require(seen.data.last)
    #expect(abs(last.numberOfSteps.intValue - 120) <= 2)
    #expect(seen.errors.isEmpty && seen.overlaps == 1 && !seen.onMain)
    #expect(seen.data.allSatisfy { $0.startDate == start })
    for (a, b) in zip(seen.data, seen.data.dropFirst()) {
      #expect(b.numberOfSteps.intValue > a.numberOfSteps.intValue && b.endDate > a.endDate)
      #expect(b.endDate.timeIntervalSince(a.endDate) < 2.7)
    }
    // Steps are held back for some 5 s until they are certain; then one update every 2.56 s.
    #expect((18...25).contains(seen.data.count))
    #expect(seen.data.dropLast().allSatisfy { $0.currentPace != nil && $0.currentCadence != nil })
    let middle = seen.data[seen.data.count / 2]
    #expect(abs((middle.currentCadence?.doubleValue ?? 0) - 2) < 0.1)
    let pace = try #require(middle.currentPace?.doubleValue)
    #expect((0.5...1.5).contains(pace) && last.distance?.doubleValue ?? 0 > 50)
    #expect(abs((last.averageActivePace?.doubleValue ?? 0) - pace) < 0.2)
    #expect(last.floorsAscended == nil)
    pedometer.stopUpdates()
    #expect(await eventually { walker.bench.host.device?.isRunning == false })
  }

  /// The six questions follow the sensors.
  @Test func whatIsAvailableFollowsTheSensors() {
    func answers(_ kinds: SensorKinds) -> [Bool] {
      Walker(walks: [], kinds: kinds).bench.host.run {
        [
          CMPedometer.isStepCountingAvailable(), CMPedometer.isDistanceAvailable(), CMPedometer.isPaceAvailable(),
          CMPedometer.isCadenceAvailable(), CMPedometer.isPedometerEventTrackingAvailable(),
          CMPedometer.isFloorCountingAvailable(),
        ]
      }
    }
    #expect(answers(.inertial) == [true, true, true, true, true, false])
    #expect(answers([.inertial, .airPressure]) == [true, true, true, true, true, true])
    #expect(answers(.gyroscope).allSatisfy { !$0 })
  }

  /// S66, S67: what this program has seen can be asked for; the parts add up to the whole.
  @Test func queriesAddUp() async throws {
    let walker = Walker(walks: [2..<62], kinds: [.inertial, .airPressure])
    let pedometer = walker.bench.host.run { CMPedometer() }
    let heard = Box(Heard())
    let start = Date()
    self.start(pedometer, from: start, into: heard)
    await walker.bench.clock.advance(by: .seconds(75))
    let end = try #require(heard.value.data.last).endDate + 10
    let (all, error) = await query(pedometer, from: start, to: end)
    let whole = try #require(all)
    #expect(error == nil && whole.startDate == start && whole.endDate == end)
    #expect(whole.numberOfSteps == heard.value.data.last?.numberOfSteps)
    #expect(whole.currentPace == nil && whole.currentCadence == nil && whole.averageActivePace != nil)
    #expect(whole.floorsAscended == 0 && whole.floorsDescended == 0)
    var (sum, parts, from) = (0, 0, start)
    for number in 1...7 {
      let to = number == 7 ? end : start + Double(number) * end.timeIntervalSince(start) / 7
      // An end in the present of the wall clock means the latest sample (D42): such a part is joined to the next. The
      // last part ends with the whole, whatever the clock says.
      if number < 7, abs(to.timeIntervalSinceNow) < 10 { continue }
      sum += await query(pedometer, from: from, to: to).0?.numberOfSteps.intValue ?? 0
      (parts, from) = (parts + 1, to)
    }
    #expect(parts >= 5)
    #expect(sum == whole.numberOfSteps.intValue)
    // Before anything was recorded there is nothing, and a range that ends before it begins is a mistake.
    #expect(await query(pedometer, from: start - 86_400, to: start - 3600).0?.numberOfSteps == 0)
    #expect(await query(pedometer, from: end, to: start).1 == 107)
    pedometer.stopUpdates()
  }

  /// S66, D42: a question until now misses what is not certain yet, a second of a walk.
  @Test func aQuestionInAWalkIsAnsweredUpToASecondAgo() async throws {
    let walker = Walker(walks: [2..<62])
    let pedometer = walker.bench.host.run { CMPedometer() }
    let (heard, start) = (Box(Heard()), Date())
    self.start(pedometer, from: start, into: heard)
    await walker.bench.clock.advance(by: .seconds(20))
    for second in 20..<26 {
      let steps = await query(pedometer, from: start, to: Date()).0?.numberOfSteps.intValue ?? 0
      #expect((2 * (second - 2) - 4...2 * (second - 2)).contains(steps), "\(steps) after \(second) s")
      await walker.bench.clock.advance(by: .seconds(1))
    }
    pedometer.stopUpdates()
  }

  /// S65: a start in the past adds what the history knows, and is told at once.
  @Test func aStartInThePastIsToldAtOnce() async throws {
    let walker = Walker(walks: [2..<42, 60..<100])
    let first = walker.bench.host.run { CMPedometer() }
    let heard = Box(Heard())
    let start = Date(timeIntervalSinceNow: -5)
    self.start(first, from: start, into: heard)
    await walker.bench.clock.advance(by: .seconds(50))
    let second = walker.bench.host.run { CMPedometer() }
    let late = Box(Heard())
    self.start(second, from: start, into: late)
    await walker.bench.clock.advance(by: .seconds(1))
    #expect(late.value.data.map(\.numberOfSteps) == [heard.value.data.last?.numberOfSteps])
    await walker.bench.clock.advance(by: .seconds(60))
    let last = try #require(late.value.data.last)
    #expect(abs(last.numberOfSteps.intValue - 160) <= 3 && last.startDate == start)
    // Windows that begin at another time may see one step more.
    #expect(abs(last.numberOfSteps.intValue - (heard.value.data.last?.numberOfSteps.intValue ?? 0)) <= 1)
    first.stopUpdates()
    second.stopUpdates()
  }

  /// S65, D42: the past of a start ends at its first sample, even where that is the present and the samples run ahead
  /// of the wall clock.
  @Test func aStartInThePastCountsNoStepTwice() async throws {
    let walker = Walker(walks: [2..<42])
    let first = walker.bench.host.run { CMPedometer() }
    let second = walker.bench.host.run { CMPedometer() }
    let (heard, late) = (Box(Heard()), Box(Heard()))
    let start = Date(timeIntervalSinceNow: -5)
    self.start(first, from: start, into: heard)
    await walker.bench.clock.advance(by: .milliseconds(500))
    self.start(second, from: start, into: late)
    await walker.bench.clock.advance(by: .seconds(50))
    let counts = late.value.data.map(\.numberOfSteps.intValue)
    #expect(counts.count > 10 && counts.allSatisfy { $0 <= Walker.steps([2..<42]) + 3 }, "\(counts)")
    #expect(counts.last == heard.value.data.last?.numberOfSteps.intValue)
    first.stopUpdates()
    second.stopUpdates()
  }

  /// S65: nothing comes while the app is suspended; when it is back there is one update at once, though nobody steps.
  @Test func theReturnFromTheBackgroundIsToldAtOnce() async {
    let walker = Walker(walks: [2..<32])
    let pedometer = walker.bench.host.run { CMPedometer() }
    let heard = Box(Heard())
    start(pedometer, from: Date(), into: heard)
    await walker.bench.clock.advance(by: .seconds(40))
    let before = heard.value.data.count
    walker.bench.host.suspend()
    await walker.bench.clock.advance(by: .seconds(20))
    #expect(heard.value.data.count == before)
    walker.bench.host.resume()
    await walker.bench.clock.advance(by: .seconds(1))
    #expect(heard.value.data.count == before + 1)
    pedometer.stopUpdates()
  }

  /// S68: pauses and their ends, in turn, when they are noticed.
  @Test func pausesAreTold() async throws {
    let walker = Walker(walks: [2..<22, 32..<52])
    let pedometer = walker.bench.host.run { CMPedometer() }
    let heard = Box<[CMPedometerEvent]>([])
    let origin = Box<Date?>(nil)
    pedometer.startEventUpdates { event, error in
      #expect(error == nil)
      if let event { heard.with { $0.append(event) } }
    }
    await walker.bench.clock.advance(by: .milliseconds(100))
    origin.with { $0 = walker.bench.host.date(of: SensorInstant(nanoseconds: 0)) }
    await walker.bench.clock.advance(by: .seconds(70))
    let zero = try #require(origin.value)
    let pauses = heard.value.filter { $0.type == .pause }.map { $0.date.timeIntervalSince(zero) }
    let returns = heard.value.filter { $0.type == .resume }.map { $0.date.timeIntervalSince(zero) }
    #expect(pauses.count == 2 && abs(pauses[0] - 22) < 4 && abs(pauses[1] - 52) < 4)
    #expect(returns.contains { abs($0 - 32) < 6 })
    #expect(heard.value.last?.type == .pause)
    pedometer.stopEventUpdates()
  }

  /// S38, S72: the older class counts from its start and speaks every so many steps.
  @available(*, deprecated) @Test func theStepCounterSpeaksEverySoManySteps() async throws {
    let walker = Walker(walks: [2..<62])
    let counter = walker.bench.host.run { CMStepCounter() }
    let heard = Box<[Int]>([])
    counter.startStepCountingUpdates(to: serialQueue(), updateOn: 30) { steps, _, error in
      #expect(error == nil)
      heard.with { $0.append(steps) }
    }
    await walker.bench.clock.advance(by: .seconds(75))
    #expect((3...4).contains(heard.value.count))
    for (a, b) in zip([0] + heard.value, heard.value) { #expect(b - a >= 30) }
    counter.stopStepCountingUpdates()
    #expect(await eventually { walker.bench.host.device?.isRunning == false })
  }

  /// D22: permission that is taken away stops it, and comes back with it.
  @Test func withoutPermissionNothingComes() async {
    var policy = HostPolicy()
    policy.authorization = .denied
    let walker = Walker(walks: [0..<60], policy: policy)
    let pedometer = walker.bench.host.run { CMPedometer() }
    let heard = Box(Heard())
    start(pedometer, from: Date(), into: heard)
    await walker.bench.clock.advance(by: .seconds(20))
    #expect(heard.value.errors == [105] && heard.value.data.isEmpty)
  }
}

/// D44: dates, questions and starts of a run are on one clock, at any speed. `RUN_CLOCK_STARTS` is how many starts are
/// tried for each speed (10).
@Suite struct RunClockTests {
  private static let starts = ProcessInfo.processInfo.environment["RUN_CLOCK_STARTS"].flatMap { Int($0) } ?? 10

  /// A walk without an end at 120 steps a minute, from its first second on.
  private static func walk() throws -> SimulatedSource {
    try SimulatedSource(scenario: "walk", options: ["duration": "100000"])
  }

  /// The first count that a start "now" is told, and the steps that were taken between its dates.
  private struct Count: Sendable {
    var told: Int
    var taken: Int
    var seconds: Double
  }

  private static func count(_ data: CMPedometerData, _ source: SimulatedSource, _ origin: Date) -> Count {
    func steps(_ date: Date) -> Int {
      SensorInstant(seconds: date.timeIntervalSince(origin)).flatMap { source.stepCount(at: $0) } ?? 0
    }
    return Count(
      told: data.numberOfSteps.intValue, taken: steps(data.endDate) - steps(data.startDate),
      seconds: data.endDate.timeIntervalSince(data.startDate))
  }

  @Test(arguments: [1.0, 2, 3, 5, 10, 20, 50]) func aStartNowCountsFromTheRunsNow(_ speed: Double) async throws {
    var random = SeededRandom(seed: UInt64(speed))
    let source = try Self.walk()
    let clock = VirtualClock()
    let host = MotionHost(device: source, clock: clock, rate: speed)
    let first = host.run { CMPedometer() }
    first.startUpdates(from: Date()) { _, _ in }
    func advance(_ milliseconds: Int) async {
      await clock.advance(by: SensorDuration(nanoseconds: Int64(Double(milliseconds) / speed * 1e6)))
    }
    await advance(100)
    let origin = host.date(of: SensorInstant(nanoseconds: 0))
    for _ in 0..<Self.starts {
      await advance(random.below(20_000))
      let heard = Box<[Count]>([])
      let pedometer = host.run { CMPedometer() }
      pedometer.startUpdates(from: Date()) { data, _ in
        if let data { heard.with { $0.append(Self.count(data, source, origin)) } }
      }
      await advance(12_000)
      pedometer.stopUpdates()
      let count = try #require(heard.value.first)
      #expect(abs(count.told - count.taken) <= 1, "\(count)")
      await clock.settle()
    }
    first.stopUpdates()
  }
}
