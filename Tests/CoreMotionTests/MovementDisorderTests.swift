// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import Testing

/// T70, S88: an injected monitor answers.
@Suite struct MovementDisorderTests {
  final class Monitor: MovementDisorderMonitor {
    struct State {
      var end: Date?
      var asked: [(start: Date, end: Date)] = []
      var failure: SensorError?
      var tremor: [TremorMinute] = []
      var dyskinesia: [DyskinesiaMinute] = []
    }
    let state = Lock(State())
    var version: String? { "1.2.3" }
    var lastProcessedDate: Date? { state.withLock { $0.tremor.last?.start } }
    var expirationDate: Date? { state.withLock { $0.end } }
    func monitor(until end: Date) { state.withLock { $0.end = end } }
    func tremor(from start: Date, to end: Date) throws(SensorError) -> [TremorMinute] {
      if let failure = state.withLock({ $0.failure }) { throw failure }
      return state.withLock { state in
        state.asked.append((start, end))
        return state.tremor.filter { $0.start >= start && $0.start <= end }
      }
    }
    func dyskinesia(from start: Date, to end: Date) throws(SensorError) -> [DyskinesiaMinute] {
      state.withLock { $0.dyskinesia }
    }
  }

  private func bench() -> (host: MotionHost, monitor: Monitor, manager: CMMovementDisorderManager) {
    let host = MotionHost()
    let monitor = Monitor()
    host.detectors.movementDisorder = monitor
    return (host, monitor, host.run { CMMovementDisorderManager() })
  }

  private func tremor(
    _ manager: CMMovementDisorderManager, from start: Date, to end: Date
  ) async -> (results: [CMTremorResult], code: UInt32?) {
    let seen = Box<(results: [CMTremorResult], code: UInt32?)?>(nil)
    manager.queryTremor(from: start, to: end) { results, error in
      seen.with { $0 = (results, NSError.motionCode(error)) }
    }
    #expect(await eventually { seen.with { $0 != nil } })
    return seen.value ?? ([], nil)
  }

  @Test func theMonitorMakesTheServiceAvailable() {
    let (host, _, _) = bench()
    host.run {
      #expect(CMMovementDisorderManager.isAvailable() && CMMovementDisorderManager.version() == "1.2.3")
    }
  }

  /// Oldest first, one minute each, the fractions as they were.
  @Test func minutesComeInOrder() async throws {
    let (_, monitor, manager) = bench()
    let now = Date()
    let later = try #require(TremorMinute(start: now - 60, none: 0.25, strong: 0.75))
    let earlier = try #require(TremorMinute(start: now - 120, unknown: 0.5, slight: 0.25, mild: 0.125, moderate: 0.125))
    monitor.state.withLock { $0.tremor = [later, earlier] }
    let (results, code) = await tremor(manager, from: now - 600, to: now)
    #expect(code == nil && results.map(\.startDate) == [now - 120, now - 60])
    #expect(results.map(\.endDate) == [now - 60, now])
    let sums = results.map {
      $0.percentUnknown + $0.percentNone + $0.percentSlight + $0.percentMild + $0.percentModerate + $0.percentStrong
    }
    #expect(sums == [1, 1] && results.first?.percentMild == 0.125 && results.last?.percentStrong == 0.75)
    #expect(manager.lastProcessedDate() == now - 120)

    monitor.state.withLock {
      $0.dyskinesia = [DyskinesiaMinute(start: now, unlikely: 0.75, likely: 0.25)].compactMap(\.self)
    }
    let seen = Box<[CMDyskineticSymptomResult]>([])
    manager.queryDyskineticSymptom(from: now, to: now) { results, _ in seen.with { $0 = results } }
    #expect(await eventually { seen.value.count == 1 })
    #expect(seen.value.first?.percentLikely == 0.25 && seen.value.first?.endDate == now + 60)
  }

  /// S88: results are kept for seven days, and watching lasts seven days at most.
  @Test func sevenDaysAreTheLimit() async throws {
    let (_, monitor, manager) = bench()
    let week: TimeInterval = 7 * 86_400
    let before = Date()
    _ = await tremor(manager, from: .distantPast, to: before)
    let start = try #require(monitor.state.withLock { $0.asked.first?.start })
    #expect(start >= before - week && start <= Date() - week)

    for useless in [0, -1, Double.nan] { manager.monitorKinesias(forDuration: useless) }
    #expect(manager.monitorKinesiasExpirationDate() == nil)
    manager.monitorKinesias(forDuration: 1e9)
    let end = try #require(manager.monitorKinesiasExpirationDate())
    #expect(end >= before + week && end <= Date() + week)
  }

  /// S51: each reason has its number.
  @Test func refusalsSayWhy() async {
    let (host, monitor, manager) = bench()
    let now = Date()
    #expect(await tremor(manager, from: now, to: now - 1).code == 107)
    monitor.state.withLock { $0.failure = SensorError(.system, "The store cannot be read.") }
    #expect(await tremor(manager, from: now - 1, to: now).code == 103)
    monitor.state.withLock { $0.failure = SensorError(.notPermitted, "The store may not be read.") }
    #expect(await tremor(manager, from: now - 1, to: now).code == 111)
    host.policy.entitlements.remove(.movementDisorder)
    #expect(await tremor(manager, from: now - 1, to: now).code == 110)
    #expect(host.run { CMMovementDisorderManager.authorizationStatus() } == .denied)
    host.policy.entitlements.insert(.movementDisorder)
    for authorization in [HostPolicy.Authorization.notDetermined, .restricted, .denied, .authorized] {
      host.policy.authorization = authorization
      #expect(host.run { CMMovementDisorderManager.authorizationStatus() }.rawValue == authorization.rawValue)
    }
    host.policy.entitlements.remove(.movementDisorder)
    manager.monitorKinesias(forDuration: 60)
    #expect(manager.monitorKinesiasExpirationDate() == nil)
  }

  /// S88: fractions are parts of a whole, or there is no minute.
  @Test func fractionsSumToOne() {
    let start = Date(timeIntervalSinceReferenceDate: 0)
    #expect(TremorMinute(start: start) == nil && TremorMinute(start: start, none: 0.5) == nil)
    #expect(TremorMinute(start: start, none: 1.5, mild: -0.5) == nil && TremorMinute(start: start, none: .nan) == nil)
    #expect(DyskinesiaMinute(start: start, unlikely: 0.4, likely: 0.4) == nil)
    #expect(DyskinesiaMinute(start: start, unlikely: 0.4, likely: 0.6) != nil)
  }
}
