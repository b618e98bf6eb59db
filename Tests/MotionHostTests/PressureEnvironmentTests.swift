// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import MotionServices
import Testing

@testable import MotionHost

/// What the environment and the policy say of water and air.
@Suite struct PressureEnvironmentTests {
  private func read(_ variables: [String: String]) -> (policy: HostPolicy, mistakes: [SensorError]) {
    var policy = HostPolicy()
    let mistakes = HostEnvironment(variables).readPressure(into: &policy)
    return (policy, mistakes)
  }

  @Test func withoutVariablesNothingChanges() {
    #expect(read([:]).policy == HostPolicy() && read(["MOTION_WATER": ""]).mistakes.isEmpty)
  }

  @Test func theDensityHasNamesAndNumbers() {
    for (text, density) in [("fresh", 1000.0), ("EN13319", 1019.716), ("salt", 1025), ("1012.5", 1012.5)] {
      let value = read(["MOTION_WATER": text]).policy.waterDensity?.value ?? 0
      #expect(abs(value - density) < 0.001)
    }
  }

  @Test func s85TheEntitlementIsTheMaximumDepth() {
    #expect(HostPolicy().maximumDepth == 6)
    for (text, depth) in [("none", nil), ("shallow", 6), ("full", 40)] as [(String, Double?)] {
      #expect(read(["MOTION_DEPTH": text]).policy.maximumDepth == depth)
    }
    var policy = HostPolicy()
    policy.entitlements = [.fallDetection]
    _ = HostEnvironment(["MOTION_DEPTH": "full"]).readPressure(into: &policy)
    #expect(policy.entitlements == [.fallDetection, .fullDepth])
  }

  @Test func pressuresAreInHectopascalAndHeightsInMetres() {
    #expect(read(["MOTION_SURFACE_PRESSURE": "971"]).policy.surfacePressure == 97_100)
    #expect(
      read(["MOTION_SEA_LEVEL_PRESSURE": "1030.5"]).policy.altitudeReference == .seaLevelPressure(103_050))
    #expect(read(["MOTION_HEIGHT": "-12.5"]).policy.altitudeReference == .height(-12.5))
    #expect(
      read(["MOTION_HEIGHT": "520, 3"]).policy.altitudeReference == .height(520, standardDeviation: 3))
  }

  @Test(arguments: [
    ["MOTION_WATER": "heavy"], ["MOTION_WATER": "1"], ["MOTION_DEPTH": "60"], ["MOTION_SURFACE_PRESSURE": "97100"],
    ["MOTION_SEA_LEVEL_PRESSURE": "nan"], ["MOTION_HEIGHT": "high"], ["MOTION_HEIGHT": "1,2,3"],
    ["MOTION_HEIGHT": "99999"], ["MOTION_HEIGHT": "5,0"], ["MOTION_HEIGHT": "5", "MOTION_SEA_LEVEL_PRESSURE": "1000"],
  ])
  func aMistakeIsOneSentenceAndChangesNothing(_ variables: [String: String]) {
    let (policy, mistakes) = read(variables)
    #expect(policy == HostPolicy() && mistakes.count == 1)
    #expect(mistakes.first?.code == .invalidRequest && mistakes.first?.message.hasSuffix(".") == true)
  }

  @Test func aPersonIsAskedOnce() {
    let host = MotionHost()
    host.requestAuthorization()
    #expect(host.policy.authorization == .authorized)
    host.policy.authorization = .notDetermined
    host.policy.authorizationAnswer = .restricted
    host.requestAuthorization()
    #expect(host.policy.authorization == .restricted)
    host.policy.authorizationAnswer = .authorized
    host.requestAuthorization()
    #expect(host.policy.authorization == .restricted)
  }
}
