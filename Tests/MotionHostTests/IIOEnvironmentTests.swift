// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSources
import MotionSensing
import MotionServices
import Testing

@testable import MotionHost

/// What the host makes of the sensors of its computer; folders stand for sysfs.
@Suite struct IIOEnvironmentTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "host-\(UUID().uuidString)").path

  /// A chip without a buffer, and a barometer.
  private func withSensors(_ body: (SystemRoot) throws -> Void) throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    var accelerometer = ["name": "bmi160", "in_accel_scale": "0.000598", "in_anglvel_scale": "0.001065"]
    for axis in ["x", "y", "z"] {
      accelerometer["in_accel_\(axis)_raw"] = "9000"
      accelerometer["in_anglvel_\(axis)_raw"] = "0"
    }
    for (number, attributes) in [accelerometer, ["name": "bmp280", "in_pressure_input": "101.3"]].enumerated() {
      let folder = "\(root)/sys/bus/iio/devices/iio:device\(number)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (name, value) in attributes {
        try value.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
      }
    }
    try body(SystemRoot(root))
  }

  @Test func withoutMotionSourceTheComputersOwnSensorsAreTaken() throws {
    try withSensors { root in
      let host = HostEnvironment(["MOTION_MEMORY": "off"], root: root).makeHost()
      #expect(host.device?.info.kinds == [.accelerometer, .gyroscope, .airPressure] && host.sourceProblem == nil)
      #expect(host.device?.info.origin == .hardware && host.device?.info.name.contains("polled") == true)
      let named = HostEnvironment(["MOTION_SOURCE": "simulate:rest"], root: root).makeHost()
      #expect(named.device?.info.origin == .simulation)
      // A mistake never becomes another source in silence.
      let mistaken = HostEnvironment(["MOTION_SOURCE": "radar:"], root: root).makeHost()
      #expect(mistaken.device == nil && mistaken.sourceProblem?.code == .notFound)
    }
  }

  @Test func aComputerWithoutSensorsHasNoDevice() {
    let host = HostEnvironment([:], root: SystemRoot("/nowhere")).makeHost()
    #expect(host.device == nil && host.sourceProblem == nil)
    let asked = HostEnvironment(["MOTION_SOURCE": "iio:"], root: SystemRoot("/nowhere"))
      .makeHost()
    #expect(asked.device == nil && asked.sourceProblem?.code == .notFound)
  }

  @Test func addressesNameDevicesAndOptions() throws {
    try withSensors { root in
      let catalog = SourceCatalog(root: root)
      #expect(try catalog.open(SourceURI("iio:bmp280?water=yes")).source.info.kinds == .waterPressure)
      #expect(try SourceCatalog().open(SourceURI("iio:0?root=\(root.path)&rate=50")).source.info.kinds == .inertial)
      let entry = try catalog.open(SourceURI("iio:"), gate: .settle(.milliseconds(100)))
      #expect(entry.pace.gate == .open && entry.pace.clock is MonotonicClock && entry.pace.rate == 1)
      for address in ["iio:?speed=2", "iio:?gate=manual", "iio:?colour=red", "iio:?rate=0"] {
        let error = #expect(throws: SensorError.self) { try catalog.open(try SourceURI(address)) }
        #expect(error?.code == .invalidRequest)
      }
    }
  }

  @Test func listingsShowTheSetAndEachDeviceWithWhatIsMissing() throws {
    try withSensors { root in
      let listings = SourceCatalog(root: root).listings().filter { $0.info?.origin == .hardware }
      #expect(listings.map(\.address) == ["iio:", "iio:device0", "iio:device1"])
      #expect(listings.allSatisfy { $0.problem == nil && $0.summary.contains("has no buffer") })
      for listing in listings {
        let source = try SourceCatalog(root: root).open(SourceURI(listing.address)).source
        #expect(source.info == listing.info)
      }
    }
  }
}
