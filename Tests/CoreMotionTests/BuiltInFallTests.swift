// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionMath
import MotionSensing
import MotionTesting
import Testing

/// The built-in detector of falls: off by default, and on request at the host's accelerometer.
@Suite struct BuiltInFallTests {
  private typealias Delegate = FallDetectionTests.Delegate

  /// A person stands, falls in the seventh second, lies, and from `walk` seconds on walks.
  private static func source(walk: Double = .infinity) -> ScriptedSource {
    ScriptedSource(kinds: .accelerometer, rate: 50, count: 60 * 50) { _, time in
      let seconds = time.seconds
      let part = max(0, min(1, (seconds - 6) / 0.6))
      let angle = Double.pi / 2 * part * part * (3 - 2 * part)
      var size = 1 + 0.004 * sin(97.3 * seconds)
      if (6..<6.5).contains(seconds) { size = 0.5 }
      if (6.5..<6.6).contains(seconds) { size = 1 + 4 * sin(.pi * (seconds - 6.5) / 0.1) }
      if seconds >= 6.6 { size += 0.03 * sin(10 * seconds) + 0.3 * exp(6 * (6.5 - seconds)) * sin(60 * seconds) }
      if seconds >= walk { size += 0.4 * cos(11.3 * seconds) + 0.15 * cos(22.6 * seconds) }
      let force = Vector3<Device>(x: 0, y: size * sin(angle), z: size * cos(angle)) * standardGravity
      return [.accelerometer(AccelerometerSample(time: time, specificForce: force))]
    }
  }

  private static func host(_ source: any SensorSource) -> (MotionHost, VirtualClock) {
    var policy = HostPolicy()
    policy.detectsFalls = true
    let clock = VirtualClock()
    return (MotionHost(device: source, clock: clock, policy: policy), clock)
  }

  @Test func itIsOffByDefault() {
    let host = MotionHost(device: Self.source(), clock: VirtualClock())
    #expect(!HostPolicy().detectsFalls && !host.run { CMFallDetectionManager.isAvailable })
    host.policy.detectsFalls = true
    #expect(host.run { CMFallDetectionManager.isAvailable })
    let injected = FallReports()
    host.detectors.falls = injected
    #expect(host.falls === injected)
  }

  /// Nobody answers: after thirty seconds the fall is unresponsive. It is told once, with the date of the impact.
  @Test func aFallWithoutAnAnswerIsUnresponsive() async throws {
    let (host, clock) = Self.host(Self.source())
    let questions = Box<[Date]>([])
    host.fallHook = { fall in questions.with { $0.append(fall.date) } }
    let manager = host.run { CMFallDetectionManager() }
    let delegate = Delegate()
    manager.delegate = delegate
    await clock.advance(by: .seconds(20))
    #expect(questions.value.count == 1 && delegate.record.value.dates.isEmpty)
    await clock.advance(by: .seconds(40))
    #expect(await eventually { delegate.record.value.resolutions == [.unresponsive] })
    #expect(delegate.record.value.dates == questions.value)
  }

  @Test(arguments: [true, false]) func thePersonAnswers(_ isFall: Bool) async {
    let (host, clock) = Self.host(Self.source())
    host.fallHook = { fall in
      fall.answer(isFall)
      // The first answer counts.
      fall.answer(!isFall)
    }
    let manager = host.run { CMFallDetectionManager() }
    let delegate = Delegate()
    manager.delegate = delegate
    await clock.advance(by: .seconds(60))
    #expect(await eventually { delegate.record.value.resolutions == [isFall ? .confirmed : .dismissed] })
  }

  @Test func whoWalksOnHasNotFallen() async {
    let (host, clock) = Self.host(Self.source(walk: 12))
    let manager = host.run { CMFallDetectionManager() }
    let delegate = Delegate()
    manager.delegate = delegate
    await clock.advance(by: .seconds(60))
    #expect(await eventually { delegate.record.value.resolutions == [.rejected] })
  }

  /// The device runs for an audience only.
  @Test func theSensorRunsWhileThereIsADelegate() async {
    let source = Self.source()
    let (host, clock) = Self.host(source)
    let manager = host.run { CMFallDetectionManager() }
    #expect(host.run { CMFallDetectionManager.isAvailable } && source.record.withLock { $0.runs } == 0)
    let delegate = Delegate()
    manager.delegate = delegate
    await clock.advance(by: .seconds(1))
    #expect(source.record.withLock { $0.open } == 1)
    host.policy.detectsFalls = false
    #expect(await eventually { source.record.withLock { $0.open } == 0 })
    #expect(manager.authorizationStatus == .restricted)
  }

  /// D15, D43: a sensor that ends at 2 g cannot tell a fall; the delegate hears nothing and the log says why.
  @Test func aSensorOfTwoGravitiesIsRefused() throws {
    let device = NarrowSource()
    let (host, _) = Self.host(device)
    #expect(!host.run { CMFallDetectionManager.isAvailable })
    #expect(host.run { CMFallDetectionManager() }.authorizationStatus == .restricted)
    #expect(try #require(host.fallRefusal).contains("ends at 2.0 g"))
    #expect(try #require(Self.host(ScriptedSource(kinds: .gyroscope)).0.fallRefusal).contains("no accelerometer"))
  }

  private struct NarrowSource: SensorSource {
    let info = SensorInfo(
      name: "narrow chip", origin: .simulation, pacing: .onDemand,
      channels: [.init(kind: .accelerometer, rates: [50], range: 2 * standardGravity)])
    func run(_ session: SensorSession) {}
  }
}
