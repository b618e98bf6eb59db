// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import SimulatedSources
import Testing

@testable import MotionHost
@testable import MotionServices

/// Scopes, installations, the environment, the policy.
@Suite struct MotionHostTests {
  private static func host() -> MotionHost {
    MotionHost(device: SimulatedSource(trajectory: Rest(), name: "rest"), clock: VirtualClock())
  }

  @Test func scopesNestAndEnd() async throws {
    let outer = Self.host()
    let inner = Self.host()
    outer.run {
      #expect(MotionHost.current === outer)
      inner.run { #expect(MotionHost.current === inner) }
      #expect(MotionHost.current === outer)
    }
    #expect(MotionHost.scoped == nil)
    await outer.run {
      await Task.yield()
      #expect(MotionHost.current === outer)
      let child = await Task { MotionHost.current }.value
      #expect(child === outer)
      let detached = await Task.detached { MotionHost.scoped }.value
      #expect(detached == nil)
    }
    #expect(throws: CancellationError.self) {
      try outer.run { () throws(CancellationError) in throw CancellationError() }
    }
    #expect(outer.run { 7 } == 7)
  }

  /// For XCTest's setUp and tearDown: the last installed wins, in whatever order they are removed. A scope wins over
  /// both.
  @Test func installationsStack() {
    let before = MotionHost.processHost
    let first = Self.host()
    let second = Self.host()
    let one = first.install()
    #expect(MotionHost.processHost === first && MotionHost.current === first)
    let two = second.install()
    #expect(MotionHost.processHost === second)
    first.run { #expect(MotionHost.current === first) }
    one.remove()
    #expect(MotionHost.processHost === second)
    two.remove()
    two.remove()
    #expect(MotionHost.processHost === before)
  }

  // MARK: Policy

  /// D22.
  @Test func aMissingGateReadsAsDenied() {
    var policy = HostPolicy()
    #expect(policy.effectiveAuthorization == .authorized && policy.allowsMotion)
    policy.hasUsageDescription = false
    #expect(policy.effectiveAuthorization == .denied && !policy.allowsMotion)
    policy = HostPolicy()
    policy.hasImmersiveSpace = false
    #expect(policy.effectiveAuthorization == .denied)
    for authorization in [HostPolicy.Authorization.notDetermined, .restricted, .denied] {
      policy = HostPolicy()
      policy.authorization = authorization
      #expect(policy.effectiveAuthorization == authorization && !policy.allowsMotion)
    }
  }

  /// D26: one sentence that names what is missing.
  @Test func unmetRequirementsAreOneSentence() throws {
    var policy = HostPolicy()
    policy.requiredKinds = [.accelerometer, .magnetometer, .waterPressure]
    let host = MotionHost(device: SimulatedSource(trajectory: Rest(), name: "rest"), policy: policy)
    let error = #expect(throws: SensorError.self) { try host.checkRequirements() }
    #expect(error?.message.contains("water pressure") == true && error?.message.contains("magnetometer") == false)
    #expect(error?.message.hasSuffix(".") == true)
    let empty = #expect(throws: SensorError.self) { try MotionHost(policy: policy).checkRequirements() }
    #expect(empty?.message.contains("accelerometer, magnetometer, water pressure") == true)
    try MotionHost().checkRequirements()
  }

  /// Suspension and denial add up; lifting both on two threads at once never leaves a source held.
  @Test func holdsAreNeverLeftBehind() async throws {
    let host = MotionHost(device: SimulatedSource(trajectory: Rest(), name: "rest"))
    let hub = try #require(host.device)
    for _ in 0..<3000 {
      host.suspend()
      host.policy.authorization = .denied
      await withTaskGroup { group in
        group.addTask { host.resume() }
        group.addTask { host.policy.authorization = .authorized }
      }
      guard hub.state.withLock({ $0.hold == .none }) else {
        Issue.record("The source is still held.")
        return
      }
    }
  }

  // MARK: Environment

  @Test func locationsAreParsed() throws {
    let location = try #require(try HostEnvironment(["MOTION_LOCATION": " 48.14, 11.58 ,520"]).location())
    #expect(abs(location.latitude - 48.14 * .pi / 180) < 1e-12 && abs(location.longitude - 11.58 * .pi / 180) < 1e-12)
    #expect(location.height == 520 && location.year > 2025)
    #expect(try HostEnvironment(["MOTION_LOCATION": "-33.9,151.2"]).location()?.height == 0)
    #expect(try HostEnvironment([:]).location() == nil)
    #expect(try HostEnvironment(["MOTION_LOCATION": ""]).location() == nil)
  }

  @Test(arguments: ["48.14", "north,east", "91,0", "48;11", "nan,0", "1,2,3,4", "0,inf", ",,", "48,,11", "48,400"])
  func impossibleLocationsAreRefused(_ text: String) {
    let error = #expect(throws: SensorError.self) { try HostEnvironment(["MOTION_LOCATION": text]).location() }
    #expect(error?.code == .invalidRequest && error?.message.hasSuffix(".") == true)
  }

  @Test func declinationFollowsTheLocation() {
    let host = MotionHost()
    #expect(host.declination == nil)
    let munich = GeographicLocation(latitudeDegrees: 48.14, longitudeDegrees: 11.58, year: 2026.5)
    host.location = munich
    #expect(host.location == munich && host.declination != nil && host.declination == munich?.declination)
    host.location = nil
    #expect(host.declination == nil)
    #expect(MotionHost(location: munich).declination == munich?.declination)
    #expect(GeographicLocation(latitudeDegrees: 90.1, longitudeDegrees: 0, year: 2026) == nil)
    #expect(GeographicLocation(latitudeDegrees: 0, longitudeDegrees: .nan, year: 2026) == nil)
  }

  @Test func anAddressMakesAHost() throws {
    let host = try MotionHost("simulate:rest?speed=max&gate=manual")
    #expect(host.device?.info.origin == .simulation && host.clock is FreeRunningClock && host.headphones == nil)
    let error = #expect(throws: SensorError.self) { try MotionHost("nowhere") }
    #expect(error?.code == .invalidRequest)
  }
}

/// What can be handed to a host because no sensor gives it, and how a host tells that something has changed.
@Suite struct DetectorTests {
  private static func fall(_ second: Double) -> DetectedFall {
    DetectedFall(date: Date(timeIntervalSinceReferenceDate: second), resolution: .confirmed)
  }

  @Test func aHostHasNoDetectorsOfItsOwn() {
    let detectors = MotionHost().detectors
    #expect(detectors.falls == nil && detectors.movementDisorder == nil)
  }

  /// S87: of what happened without a listener the latest is kept, for one listener.
  @Test func theLatestUnheardFallIsKeptOnce() {
    let falls = FallReports()
    for second in [1.0, 2, 3] { falls.report(Self.fall(second)) }
    let first = Lock<[DetectedFall]>([])
    let second = Lock<[DetectedFall]>([])
    _ = falls.listen { fall in first.withLock { $0.append(fall) } }
    _ = falls.listen { fall in second.withLock { $0.append(fall) } }
    #expect(first.withLock { $0 } == [Self.fall(3)])
    #expect(second.withLock { $0 } == [])
  }

  /// A fall that could not be passed on is kept, but never in place of a later one, and not when others have heard it.
  @Test func aFallThatIsGivenBackIsKept() {
    let falls = FallReports()
    falls.giveBack(Self.fall(2))
    falls.giveBack(Self.fall(1))
    let heard = Lock<[DetectedFall]>([])
    let key = falls.listen { fall in heard.withLock { $0.append(fall) } }
    falls.giveBack(Self.fall(3))
    falls.stopListening(key)
    _ = falls.listen { fall in heard.withLock { $0.append(fall) } }
    #expect(heard.withLock { $0 } == [Self.fall(2)])
  }

  /// Each listener receives each fall once, until it stops.
  @Test func everyListenerHearsEachFallOnce() {
    let falls = FallReports()
    let heard = Lock<[Double]>([])
    let key = falls.listen { fall in heard.withLock { $0.append(fall.date.timeIntervalSinceReferenceDate) } }
    _ = falls.listen { fall in heard.withLock { $0.append(-fall.date.timeIntervalSinceReferenceDate) } }
    for second in [1.0, 1, 2] { falls.report(Self.fall(second)) }
    #expect(heard.withLock { $0 } == [1, -1, 2, -2])
    falls.stopListening(key)
    falls.stopListening(key)
    falls.report(Self.fall(3))
    #expect(heard.withLock { $0 } == [1, -1, 2, -2, -3])
  }

  @Test func changesOfPolicyAndDetectorsAreTold() {
    let host = MotionHost()
    let count = Lock(0)
    let observation = host.observeChanges { count.withLock { $0 += 1 } }
    host.policy.hasActiveWorkout = false
    host.detectors.falls = FallReports()
    #expect(count.withLock { $0 } == 2)
    observation.remove()
    observation.remove()
    host.policy.hasActiveWorkout = true
    #expect(count.withLock { $0 } == 2)
  }

  /// An observer finds the change made, and may look at the host.
  @Test func anObserverSeesTheNewState() {
    let host = MotionHost()
    let seen = Lock<[Bool]>([])
    let observation = host.observeChanges { [weak host] in
      if let host { seen.withLock { $0.append(host.policy.allowsMotion) } }
    }
    host.policy.authorization = .denied
    host.policy.authorization = .authorized
    #expect(seen.withLock { $0 } == [false, true])
    observation.remove()
  }
}
