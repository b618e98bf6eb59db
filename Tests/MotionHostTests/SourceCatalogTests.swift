// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSources
import MotionHost
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

/// From an address to something that runs.
@Suite struct SourceCatalogTests {
  private func open(_ address: String) throws -> SourceCatalog.Entry {
    try SourceCatalog().open(try SourceURI(address))
  }

  @Test func aSimulatedDeviceIsNamedAsSuch() throws {
    let entry = try open("simulate:rest")
    #expect(entry.source.info.origin == .simulation && entry.source.info.name.contains("simulated"))
    #expect(entry.rate == 1 && entry.gate == .open && entry.clock is MonotonicClock)
  }

  @Test func speedChoosesClockAndRate() throws {
    #expect(try open("simulate:rest?speed=max").clock is FreeRunningClock)
    #expect(try open("simulate:rest?speed=2.5").rate == 2.5)
    #expect(try open("simulate:rest?speed=50x").rate == 50)
  }

  @Test func gateIsTheHosts() throws {
    #expect(try open("simulate:rest?gate=manual").gate == .manual)
    #expect(try open("simulate:rest?gate=250").gate == .settle(.milliseconds(250)))
    let settled = try SourceCatalog().open(try SourceURI("simulate:rest"), gate: .settle(.milliseconds(5)))
    #expect(settled.gate == .settle(.milliseconds(5)))
    let overridden = try SourceCatalog().open(try SourceURI("simulate:rest?gate=open"), gate: .manual)
    #expect(overridden.gate == .open)
  }

  @Test(arguments: [
    "simulate:rest?speed=0", "simulate:rest?speed=-1", "simulate:rest?speed=nan", "simulate:rest?speed=fast",
    "simulate:rest?speed=1e9", "simulate:rest?speed=x", "simulate:rest?gate=soon", "simulate:rest?gate=-1",
    "simulate:rest?gate=60001",
  ])
  func impossibleOptionsAreRefused(_ address: String) {
    let error = #expect(throws: SensorError.self) { try open(address) }
    #expect(error?.code == .invalidRequest && error?.message.hasSuffix(".") == true)
  }

  @Test func unknownNamesAreNotFound() {
    for address in ["teleport:me", "simulate:nothing-of-the-kind"] {
      let error = #expect(throws: SensorError.self) { try open(address) }
      #expect(error?.code == .notFound)
    }
  }

  /// Everything in the list can be opened by its address.
  @Test func listingsCanBeOpened() throws {
    let listings = SourceCatalog(root: SystemRoot("/nowhere")).listings()
    #expect(listings.count == Scenario.all.count + 1 && listings.contains { $0.address == "simulate:headphones" })
    for listing in listings {
      #expect(listing.problem == nil && !listing.summary.isEmpty)
      #expect(try open(listing.address).source.info == listing.info)
    }
  }
}
