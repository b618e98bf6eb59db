// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import SimulatedSources
import Testing

@testable import MotionHost

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
    #expect(entry.source.info.origin == .simulation && entry.clock is FreeRunningClock)
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
