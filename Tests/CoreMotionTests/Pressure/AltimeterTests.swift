// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

/// T15, T16, T63; S60–S64, D9, D19, D22.
@Suite struct AltimeterTests {
  /// A barometer whose pressure falls by 12 Pa a second: about a metre up.
  private static func lift() -> ScriptedSource {
    ScriptedSource(kinds: .airPressure, rate: 25) { index, time in
      [.pressure(PressureSample(time: time, pressure: 100_000 - 0.48 * Double(index)))]
    }
  }

  private struct Heard {
    var data: [CMAltitudeData] = []
    var errors: [UInt32] = []
  }

  private func start(_ altimeter: CMAltimeter, into heard: Box<Heard>) {
    altimeter.startRelativeAltitudeUpdates(to: serialQueue()) { data, error in
      heard.with { heard in
        if let data { heard.data.append(data) }
        if let code = NSError.motionCode(error) { heard.errors.append(code) }
      }
    }
  }

  /// Section 9 and 12: what is a method, and of the type or of the object.
  @Test func altimeterHasEveryMember() {
    let checks: [() -> Bool] = [CMAltimeter.isRelativeAltitudeAvailable, CMAltimeter.isAbsoluteAltitudeAvailable]
    let status: () -> CMAuthorizationStatus = CMAltimeter.authorizationStatus
    let relative: (CMAltimeter) -> (OperationQueue, @escaping CMAltitudeHandler) -> Void =
      CMAltimeter.startRelativeAltitudeUpdates(to:withHandler:)
    let absolute: (CMAltimeter) -> (OperationQueue, @escaping CMAbsoluteAltitudeHandler) -> Void =
      CMAltimeter.startAbsoluteAltitudeUpdates(to:withHandler:)
    // Without a barometer all of it is harmless: S60. Each start is answered with one error: D43.
    let codes = Box<[UInt32?]>([])
    let queue = serialQueue()
    MotionHost().run {
      #expect(checks.map { $0() } == [false, false] && status() == .authorized)
      let altimeter = CMAltimeter()
      relative(altimeter)(queue) { data, error in codes.with { $0.append(data == nil ? NSError.motionCode(error) : 0) }
      }
      absolute(altimeter)(queue) { data, error in codes.with { $0.append(data == nil ? NSError.motionCode(error) : 0) }
      }
      altimeter.stopRelativeAltitudeUpdates()
      altimeter.stopRelativeAltitudeUpdates()
      altimeter.stopAbsoluteAltitudeUpdates()
    }
    queue.waitUntilAllOperationsAreFinished()
    #expect(codes.value == [109, 109])
  }

  @Test func s61TheFirstEventIsExactlyZeroInMetresAndKilopascal() async throws {
    let bench = Bench(Self.lift())
    #expect(bench.host.run { CMAltimeter.isRelativeAltitudeAvailable() && CMAltimeter.isAbsoluteAltitudeAvailable() })
    let altimeter = bench.host.run { CMAltimeter() }
    let heard = Box(Heard())
    start(altimeter, into: heard)
    await bench.clock.advance(by: .seconds(32))
    let data = heard.value.data
    let first = try #require(data.first)
    #expect(first.relativeAltitude == 0)
    #expect((99.9...100).contains(first.pressure.doubleValue))
    let last = try #require(data.last)
    let climbed = last.timestamp - first.timestamp
    #expect(abs(last.relativeAltitude.doubleValue - climbed * 1.0095) < 1.2)
    // S63, D9: one a second.
    for (a, b) in zip(data, data.dropFirst()) { #expect(abs(b.timestamp - a.timestamp - 1) < 0.021) }
    #expect((29...31).contains(data.count))
    altimeter.stopRelativeAltitudeUpdates()
    await bench.clock.advance(by: .seconds(5))
    #expect(heard.value.data.count == data.count && bench.source.record.withLock { $0.open } == 0)
  }

  @Test func s60OnlyTheLastHandlerIsCalledAndBeginsAtZero() async throws {
    let bench = Bench(Self.lift())
    let altimeter = bench.host.run { CMAltimeter() }
    let (first, second) = (Box(Heard()), Box(Heard()))
    start(altimeter, into: first)
    await bench.clock.advance(by: .seconds(10))
    let before = first.value.data.count
    start(altimeter, into: second)
    await bench.clock.advance(by: .seconds(10))
    #expect(before > 5 && first.value.data.count == before)
    #expect(second.value.data.first?.relativeAltitude == 0 && second.value.data.count > 5)
    #expect(bench.runs == 1)
  }

  @Test func s60StopReleasesTheHandler() async {
    let bench = Bench(Self.lift())
    let altimeter = bench.host.run { CMAltimeter() }
    weak var released: NSObject?
    do {
      let token = NSObject()
      released = token
      altimeter.startRelativeAltitudeUpdates(to: serialQueue()) { _, _ in _ = token }
    }
    await bench.clock.advance(by: .seconds(4))
    #expect(released != nil)
    altimeter.stopRelativeAltitudeUpdates()
    #expect(await eventually { released == nil })
  }

  @Test func s62AbsoluteAltitudeTellsHowFarItCanBeTrusted() async throws {
    for (reference, expected, accuracy) in [
      (AltitudeReference.height(450, standardDeviation: 2), 450.0, 2.0...2.1), (nil, 110.9, 80...81),
    ] {
      let source = ScriptedSource(kinds: .airPressure, rate: 25) { _, time in
        [.pressure(PressureSample(time: time, pressure: 100_000))]
      }
      var policy = HostPolicy()
      policy.altitudeReference = reference
      let bench = Bench(source, policy: policy)
      let altimeter = bench.host.run { CMAltimeter() }
      let heard = Box<[CMAbsoluteAltitudeData]>([])
      altimeter.startAbsoluteAltitudeUpdates(to: serialQueue()) { data, _ in
        if let data { heard.with { $0.append(data) } }
      }
      await bench.clock.advance(by: .seconds(10))
      let data = try #require(heard.value.last)
      #expect(abs(data.altitude - expected) < 0.1 && accuracy.contains(data.accuracy))
      #expect(data.precision == (reference == nil ? 1 : 0.5))
      altimeter.stopAbsoluteAltitudeUpdates()
    }
  }

  @Test func s64AFailureIsToldOnceAndUpdatesGoOnWithoutANewZero() async throws {
    let bench = Bench(Self.lift())
    let altimeter = bench.host.run { CMAltimeter() }
    let heard = Box(Heard())
    start(altimeter, into: heard)
    await bench.clock.advance(by: .seconds(10))
    bench.source.record.withLock { $0.failure = SensorError(.disconnected, "It was pulled out.") }
    await bench.clock.advance(by: .seconds(5))
    #expect(heard.value.errors == [CMErrorNotAvailable.rawValue])
    #expect(!bench.host.run { CMAltimeter.isRelativeAltitudeAvailable() })
    bench.source.record.withLock { $0.failure = nil }
    await bench.clock.advance(by: .seconds(10))
    let last = try #require(heard.value.data.last)
    #expect(last.relativeAltitude.doubleValue > 15 && heard.value.data.count { $0.relativeAltitude == 0 } == 1)
    #expect(heard.value.errors.count == 1)
  }

  /// D22: what the policy denies brings nothing, and the status says so.
  @Test func d22DeniedMotionBringsNothing() async {
    var policy = HostPolicy()
    policy.authorization = .denied
    let bench = Bench(Self.lift(), policy: policy)
    #expect(bench.host.run { CMAltimeter.authorizationStatus() } == .denied)
    let altimeter = bench.host.run { CMAltimeter() }
    let heard = Box(Heard())
    start(altimeter, into: heard)
    await bench.clock.advance(by: .seconds(5))
    #expect(heard.value.data.isEmpty && bench.runs == 0)
  }

  /// S46: the last reference ends the updates.
  @Test func s46AnAltimeterThatIsDroppedEnds() async {
    let bench = Bench(Self.lift())
    let heard = Box(Heard())
    do {
      let altimeter = bench.host.run { CMAltimeter() }
      start(altimeter, into: heard)
      await bench.clock.advance(by: .seconds(5))
    }
    let count = heard.value.data.count
    await bench.clock.advance(by: .seconds(5))
    #expect(count > 0 && heard.value.data.count == count)
  }

  @Test func aClimbOnTheSimulatedStairsIsSeen() async throws {
    let source = try SimulatedSource(scenario: "stairs", options: [:])
    let clock = VirtualClock()
    let host = MotionHost(device: source, clock: clock)
    let altimeter = host.run { CMAltimeter() }
    let heard = Box(Heard())
    start(altimeter, into: heard)
    await clock.advance(by: .seconds(68))
    let top = try #require(heard.value.data.last).relativeAltitude.doubleValue
    #expect(abs(top - 9) < 0.7)
  }
}
