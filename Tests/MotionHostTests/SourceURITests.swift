// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSources
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

@testable import MotionHost
@testable import MotionRecording

/// Addresses of sources.
@Suite struct SourceURITests {
  @Test func partsAreTakenApart() throws {
    let uri = try SourceURI("Simulate:handheld?rate=200&seed=7")
    #expect(uri.scheme == "simulate" && uri.path == "handheld" && uri.options == ["rate": "200", "seed": "7"])
    #expect(try SourceURI("replay:/a/b c.csv").path == "/a/b c.csv")
    #expect(try SourceURI("replay:walk.csv?").options.isEmpty)
    #expect(try SourceURI("replay:a:b").path == "a:b")
    #expect(try SourceURI("replay:x?name=").options == ["name": ""])
    #expect(try SourceURI("replay:x?a=b=c").options == ["a": "b=c"])
  }

  @Test func escapesAreDecoded() throws {
    #expect(try SourceURI("replay:what%3F%25%26.csv?a%3Db=c%26d").path == "what?%&.csv")
    #expect(try SourceURI("replay:what?a%3Db=c%26d").options == ["a=b": "c&d"])
    #expect(try SourceURI("replay:gr%C3%BC%c3%9fe").path == "grüße")
  }

  /// A lone per cent sign is taken literally: file names hold them.
  @Test(arguments: ["100%", "100%.csv", "5%+1", "a%-1b", "%zz", "%4", "% 4", "50%é"])
  func lonePerCentSignsStay(_ path: String) throws {
    #expect(try SourceURI("replay:\(path)").path == path)
  }

  @Test(arguments: [
    SourceURI(scheme: "replay", path: "a?b&c=d%e.csv", options: ["x=y": "1&2", "é": "?%41", "empty": ""]),
    SourceURI(scheme: "simulate", path: "", options: [:]),
    SourceURI(scheme: "replay", path: "logs/100%25", options: ["speed": "max"]),
  ])
  func descriptionReadsBack(_ uri: SourceURI) throws { #expect(try SourceURI(uri.description) == uri) }

  @Test(arguments: ["", "walk.csv", ":walk", "simulate:x?rate", "simulate:x?=3", "replay:%ff"])
  func mistakesAreToldInASentence(_ text: String) {
    let error = #expect(throws: SensorError.self) { try SourceURI(text) }
    #expect(error?.code == .invalidRequest && error?.message.hasSuffix(".") == true)
  }

  @Test(arguments: [
    ("replay:/data/anna/walk.csv?speed=max", "replay:walk.csv?speed=max"), ("simulate:handheld", "simulate:handheld"),
    ("iio:bmi160?calibration=/data/anna/imu.json", "iio:bmi160?calibration=imu.json"),
    ("airpods:01:23:45:67:89:AB?ownership=yes", "airpods:?ownership=yes"), ("evdev:06:05:04:03:02:01", "evdev:"),
    ("evdev:054c:0ce6", "evdev:054c:0ce6"), ("evdev:/dev/input/event5", "evdev:event5"),
    ("phone:browser?listen=192.168.1.5", "phone:browser"),
    ("phone:?listen=fe80::1", "phone:"), ("phone:?listen=::", "phone:"), ("phone:?listen=::1", "phone:"),
    ("phone:?listen=2001:db8:0:0:0:0:0:1&rate=50", "phone:?rate=50"), ("phone:?listen=2001:db8:1:2:3:4:5::", "phone:"),
    ("phone:?listen=fe80::1%25eth0", "phone:"), ("phone:?listen=[fe80::1%25eth0]:8080", "phone:"),
    ("phone:?listen=[::1]", "phone:"),
    ("phone:?listen=::ffff:192.168.1.5", "phone:"),
  ])
  func anAddressThatIsGivenAwayHoldsNoFolderAndNoDevice(text: String, shared: String) throws {
    #expect(try SourceURI(text).withoutPrivateParts.description == shared)
  }

  /// They have colons as addresses have them.
  @Test(arguments: [
    "10:00:00", "00:00:00.5", "2026-11-23T10:00:00", "2026-11-23T10:00:00.25Z", "2026-11-23 10:00:00+01:00",
  ])
  func timesOfDayAreNoAddresses(_ time: String) throws {
    let uri = SourceURI(scheme: "replay", path: "walk.csv", options: ["from": time])
    #expect(uri.withoutPrivateParts == uri)
  }
}

/// Schemes are values that products, and anybody, register.
struct SourceRegistryTests {
  @Test func everyLinkedProductHasRegisteredItsSchemes() {
    let names = SourceRegistry.schemes.map(\.name)
    let ours = ["iio", "evdev", "headtracker", "airpods", "phone", "simulate", "simulate:headphones", "replay"]
    #expect(names.filter(ours.contains) == ours)
  }

  @Test func aSchemeOfAnybodyIsOpenedWithTheOptionsOfTheHostTakenOut() throws {
    SourceRegistry.add(
      SourceScheme("still", form: "still:SECONDS", pacing: .onDemand) { address, context throws(SensorError) in
        #expect(address.path == "2" && address.options == ["seed": "7"] && context.role == .headphones)
        return try SimulatedSource(scenario: "rest", options: address.options)
      })
    let entry = try SourceCatalog().open(SourceURI("still:2?seed=7&speed=max"), for: .headphones)
    #expect(entry.source.info.origin == .simulation && entry.pace.clock is FreeRunningClock)
  }

  @Test func aSchemeWithoutItsProductIsAnsweredWithTheLineForThePackage() {
    let error = LinkedProducts.missing(scheme: "replay")
    #expect(error.code == .unsupported)
    #expect(error.message.contains(#".product(name: "MotionRecording", package: "OpenCoreMotion")"#))
    let headphones = LinkedProducts.missing(scheme: "simulate:headphones").message
    #expect(headphones.hasPrefix("“simulate:headphones” needs the product MotionHeadphones, which"))
    #expect(LinkedProducts.missing(scheme: "radar").message.contains("simulate:NAME"))
  }

  /// `simulate:headphones` comes from another product than the other simulations.
  @Test func aSchemeOfOneAddressComesBeforeTheOneOfItsFirstWord() throws {
    for name in ["still-life", "still-life:apple"] {
      SourceRegistry.add(
        SourceScheme(name, form: name) { address, _ throws(SensorError) in
          throw SensorError(.notFound, "\(name) opens \(address.path).")
        })
    }
    func opener(of address: String) throws -> String? {
      let uri = try SourceURI(address)
      return #expect(throws: SensorError.self) { try SourceCatalog().open(uri) }?.message
    }
    #expect(try opener(of: "still-life:apple?seed=1") == "still-life:apple opens apple.")
    #expect(try opener(of: "still-life:pear") == "still-life opens pear.")
  }

  @Test func theSameSchemeAddedAgainReplacesTheFirst() {
    for form in ["twice:A", "twice:B"] {
      SourceRegistry.add(
        SourceScheme("twice", form: form, rank: 55) { _, _ throws(SensorError) in
          throw SensorError(.notFound, "There is none.")
        })
    }
    #expect(SourceRegistry.schemes.filter { $0.name == "twice" }.map(\.form) == ["twice:B"])
  }
}

/// From an address to something that runs.
@Suite struct SourceCatalogTests {
  private func open(_ address: String) throws -> SourceCatalog.Entry {
    try SourceCatalog().open(try SourceURI(address))
  }

  @Test func aSimulatedDeviceIsNamedAsSuch() throws {
    let entry = try open("simulate:rest")
    #expect(entry.source.info.origin == .simulation && entry.source.info.name.contains("simulated"))
    #expect(entry.pace.rate == 1 && entry.pace.gate == .open && entry.pace.clock is MonotonicClock)
  }

  @Test func speedChoosesClockAndRate() throws {
    #expect(try open("simulate:rest?speed=max").pace.clock is FreeRunningClock)
    #expect(try open("simulate:rest?speed=2.5").pace.rate == 2.5)
    #expect(try open("simulate:rest?speed=50x").pace.rate == 50)
  }

  @Test func gateIsTheHosts() throws {
    #expect(try open("simulate:rest?gate=manual").pace.gate == .manual)
    #expect(try open("simulate:rest?gate=250").pace.gate == .settle(.milliseconds(250)))
    let settled = try SourceCatalog().open(try SourceURI("simulate:rest"), gate: .settle(.milliseconds(5)))
    #expect(settled.pace.gate == .settle(.milliseconds(5)))
    let overridden = try SourceCatalog().open(try SourceURI("simulate:rest?gate=open"), gate: .manual)
    #expect(overridden.pace.gate == .open)
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
