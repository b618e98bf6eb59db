// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import MotionServices
import Testing

@testable import MotionHost

/// `MOTION_HEADPHONES`: a source of its own beside the device's.
@Suite struct HeadphonesEnvironmentTests {
  private static func host(_ variables: [String: String]) -> MotionHost { HostEnvironment(variables).makeHost() }

  @Test func deviceAndHeadphonesAreIndependent() {
    let host = Self.host([
      "MOTION_SOURCE": "simulate:rest?speed=2", "MOTION_HEADPHONES": "simulate:headphones?speed=max&rate=25",
    ])
    #expect(host.device?.info.name == "simulated device (rest)" && host.device?.rate == 2)
    #expect(host.headphones?.info.name == "simulated headphones" && host.headphones?.rate == 1)
    #expect(host.headphones?.clock is FreeRunningClock && host.device?.clock is MonotonicClock)
    #expect(host.headphones?.info.channel(.motion)?.rates == [25])
    #expect(host.sourceProblem == nil && host.headphonesProblem == nil)
  }

  @Test func eitherMayBeLeftOut() {
    #expect(Self.host(["MOTION_HEADPHONES": "simulate:headNod"]).headphones?.info.kinds.contains(.gyroscope) == true)
    #expect(Self.host(["MOTION_HEADPHONES": "simulate:headNod"]).device == nil)
    #expect(Self.host(["MOTION_SOURCE": "simulate:rest"]).headphones == nil)
    #expect(Self.host(["MOTION_HEADPHONES": ""]).headphones == nil)
  }

  /// A mistake in one leaves the other as it is, and never becomes another source.
  @Test func aMistakeInOneLeavesTheOther() {
    let host = Self.host(["MOTION_SOURCE": "simulate:rest", "MOTION_HEADPHONES": "simulate:headphones?side=top"])
    #expect(host.device != nil && host.headphones == nil)
    #expect(host.headphonesProblem?.code == .invalidRequest && host.sourceProblem == nil)
    let other = Self.host(["MOTION_SOURCE": "simulate:nothing", "MOTION_HEADPHONES": "simulate:headphones"])
    #expect(other.device == nil && other.headphones != nil && other.sourceProblem?.code == .notFound)
  }

  @Test func theCatalogueListsThem() {
    let listing = SourceCatalog().listings().first { $0.address == "simulate:headphones" }
    #expect(listing?.info?.deviceClass == .headphones && listing?.problem == nil && listing?.summary.isEmpty == false)
  }
}
