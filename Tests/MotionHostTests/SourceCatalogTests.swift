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

  /// A depth sensor on a bus: named when there is a bus, never looked for; what is missing is said.
  @Test func aDepthSensorOnABusIsNamedAndOpenedByItsAddress() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "buses-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    try FileManager.default.createDirectory(atPath: root + "/dev", withIntermediateDirectories: true)
    for name in ["i2c-10", "i2c-3", "i2c-x", "null"] {
      #expect(FileManager.default.createFile(atPath: "\(root)/dev/\(name)", contents: nil))
    }
    let listing = try #require(
      SourceCatalog(root: SystemRoot(root)).listings().first { $0.address.hasPrefix("ms5837") })
    #expect(listing.address == "ms5837:3" && listing.summary.contains("there are 3, 10") && listing.info == nil)
    for (address, code) in [
      ("ms5837:250", SensorError.Code.notFound), ("ms5837:bath", .invalidRequest),
      ("ms5837:1?water=salt", .invalidRequest), ("ms5837:1?speed=2", .invalidRequest),
      ("ms5837:\(root)/dev/i2c-3", .unsupported),
    ] {
      let error = #expect(throws: SensorError.self) { try open(address) }
      #expect(error?.code == code && error?.message.hasSuffix(".") == true, "\(address): \(String(describing: error))")
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
