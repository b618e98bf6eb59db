// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionMath
import MotionSensing
import MotionTesting
import SimulatedSources
import Testing

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
      guard !hub.state.withLock({ $0.isHeld }) else {
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
