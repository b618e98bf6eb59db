// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSources
import MotionSensing
import MotionServices
import Testing

@testable import MotionHost

/// What the host makes of a game controller; folders stand for sysfs, and an empty file for the node: it can be found,
/// not read.
@Suite struct EvdevEnvironmentTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "pads-\(UUID().uuidString)").path

  private func withController(_ body: (SystemRoot) throws -> Void) throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    for (file, text) in [
      "sys/class/input/input5/name": "Wireless Controller Motion Sensors", "sys/class/input/input5/uniq": "0a:0b:0c",
      "sys/class/input/input5/properties": "40", "sys/class/input/input5/capabilities/abs": "3f",
      "sys/class/input/input5/id/vendor": "054c", "sys/class/input/input5/id/product": "0ce6",
      "sys/class/input/input5/event7/dev": "13:71", "dev/input/event7": "",
    ] {
      let path = "\(root)/\(file)"
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
    try body(SystemRoot(root))
  }

  @Test func withoutOtherSensorsAControllerIsTaken() throws {
    try withController { root in
      let host = HostEnvironment(["MOTION_MEMORY": "off"], root: root).makeHost()
      #expect(host.device?.info.name == "DualSense (Wireless Controller)" && host.sourceProblem == nil)
      #expect(host.device?.info.kinds == .inertial && host.device?.info.origin == .hardware)
      let named = HostEnvironment(["MOTION_SOURCE": "simulate:rest"], root: root).makeHost()
      #expect(named.device?.info.origin == .simulation)
    }
  }

  @Test func builtInSensorsComeBeforeAControllerUnlessTheyAreIncomplete() {
    func choice(_ found: (String, SensorKinds, Bool)...) -> String? {
      SourceCatalog.best(
        of: found.map { address, kinds, isReadable in
          DiscoveredSource(address: address, summary: "", source: Stub(kinds: kinds), isReadable: isReadable)
        }, for: .device)?.address
    }
    let controller = ("evdev:", SensorKinds.inertial, true)
    for kinds in [SensorKinds.inertial, [.accelerometer, .gyroscope, .magnetometer]] {
      #expect(choice(("iio:", kinds, true), controller) == "iio:")
    }
    #expect(choice(("iio:", .accelerometer, true), controller) == "evdev:")
    #expect(choice(("iio:", .airPressure, true), controller) == "evdev:")
    #expect(choice(("iio:", .airPressure, true), ("evdev:", .accelerometer, true)) == "iio:")
    #expect(choice(("iio:", .airPressure, true), ("evdev:", .inertial, false)) == "iio:")
    #expect(choice(("evdev:", .inertial, false)) == "evdev:")
    #expect(choice() == nil)
  }

  private struct Stub: SensorSource {
    let info: SensorInfo
    init(kinds: SensorKinds) {
      info = SensorInfo(name: "stub", origin: .hardware, pacing: .live, channels: [.init(kind: kinds)])
    }
    func run(_ session: SensorSession) throws {}
  }

  @Test func addressesNameControllersAndOptions() throws {
    try withController { root in
      let catalog = SourceCatalog(root: root)
      for address in ["evdev:", "evdev:event7", "evdev:7", "evdev:0a:0b:0c", "evdev:dualsense?fuzz=keep&axes=y:-x:z"] {
        let entry = try catalog.open(SourceURI(address), gate: .settle(.milliseconds(100)))
        #expect(
          entry.source is EvdevSource && entry.pace.gate == .open
            && entry.pace.clock is MonotonicClock && entry.pace.rate == 1)
      }
      let rooted = try SourceCatalog().open(SourceURI("evdev:7?root=\(root.path)"))
      #expect(rooted.source.info.kinds == .inertial)
      for (address, code) in [
        ("evdev:?speed=2", SensorError.Code.invalidRequest), ("evdev:?colour=red", .invalidRequest),
        ("evdev:?axes=x:y:-z", .invalidRequest), ("evdev:9", .notFound),
      ] {
        let error = #expect(throws: SensorError.self) { try catalog.open(try SourceURI(address)) }
        #expect(error?.code == code && error?.message.hasSuffix(".") == true)
      }
    }
  }

  @Test func listingsShowTheControllerWithItsAxesAndWhatIsMissing() throws {
    try withController { root in
      let catalog = SourceCatalog(root: root)
      let listings = catalog.listings().filter { $0.info?.origin == .hardware }
      #expect(listings.map(\.address) == ["evdev:", "evdev:0a:0b:0c"])
      for listing in listings {
        // A plain file is no event node; the kernel says so.
        #expect(listing.summary.contains("refuses") && listing.summary.contains("not proven on hardware"))
        let opened = try catalog.open(SourceURI(listing.address))
        #expect(opened.source.info == listing.info)
      }
      #expect(listings.first?.summary.hasPrefix("taken when MOTION_SOURCE is not set: DualSense") == true)
    }
  }
}
