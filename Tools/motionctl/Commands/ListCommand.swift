// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionTools

/// `motionctl list`: what there is to read from, and why something cannot be opened.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the motion sources that can be opened here.",
    discussion: """
      The source named by MOTION_SOURCE comes first, then the sensors of this computer, then the simulated devices. Simulations and recordings are always \
      named as such. A recording is opened by its path and is not listed.

      Examples:
        motionctl list
        motionctl list --json
        MOTION_SOURCE=replay:walk.csv motionctl list
      """)

  @OptionGroup var json: JSONOption

  func run() throws {
    let catalog = try HostEnvironment(ProcessInfo.processInfo.environment).catalog()
    let listings = Self.environmentListing(catalog) + catalog.listings()
    try json.print(listings.map(Entry.init), isIndented: true, or: Self.lines(listings))
  }

  private static func environmentListing(_ catalog: SourceCatalog) -> [SourceCatalog.Listing] {
    guard let address = ProcessInfo.processInfo.environment["MOTION_SOURCE"], !address.isEmpty else { return [] }
    var listing = SourceCatalog.Listing(address: address, summary: "named by MOTION_SOURCE")
    do throws(SensorError) {
      let source = try catalog.open(try SourceURI(address)).source
      (listing.info, listing.calibrationDate) = (source.info, (source as? CalibratedSource)?.file.date)
    } catch {
      listing.problem = error
    }
    return [listing]
  }

  private static func lines(_ listings: [SourceCatalog.Listing]) -> [String] {
    var lines: [String] = []
    for listing in listings {
      let state = listing.info?.origin.rawValue ?? (listing.problem == nil ? "possible" : "unavailable")
      lines += [listing.address, "    \(state): \(listing.summary)"]
      if let info = listing.info { lines.append("    \(channels(of: info))") }
      if let date = listing.calibrationDate { lines.append("    calibrated on \(Text.date(date))") }
      if let problem = listing.problem { lines.append("    cannot be opened: \(problem.description)") }
    }
    if !listings.contains(where: { $0.info?.origin == .hardware }) {
      lines += ["", "Sensors of this computer: none that the kernel knows as an IIO device, and no game controller."]
    }
    return lines + [
      "", "A recording is a source too: motionctl stream PATH",
      "So is a phone in this network: motionctl stream phone:browser, or phone: with the app Sensor Logger",
    ]
  }

  /// "accelerometer 100 Hz, gyroscope 100 Hz".
  private static func channels(of info: SensorInfo) -> String {
    guard !info.channels.isEmpty else { return "measures nothing" }
    return info.channels.map { channel in
      let name = channel.kind.names.joined(separator: " and ")
      guard let last = channel.rates.last else { return name }
      let rates = channel.rates.count == 1 ? "" : Text.decimal(channel.rates[0], places: 2) + "…"
      return "\(name) \(rates)\(Text.decimal(last, places: 2)) Hz"
    }.joined(separator: ", ")
  }

  private struct Entry: Encodable {
    struct Channel: Encodable {
      var kind: String
      var rates: [Double]
    }
    var address, summary: String
    var name, origin: String?
    var channels: [Channel]?
    var calibrated, problem: String?

    init(_ listing: SourceCatalog.Listing) {
      (address, summary) = (listing.address, listing.summary)
      (name, origin) = (listing.info?.name, listing.info?.origin.rawValue)
      channels = listing.info?.channels.map { .init(kind: $0.kind.names.joined(separator: " and "), rates: $0.rates) }
      (calibrated, problem) = (listing.calibrationDate.map(Text.date), listing.problem?.description)
    }
  }
}
