// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MotionSensing
import Testing

@testable import LinuxSources
@testable import MotionTesting

/// What is found, which of it is taken, and how it is polled.
@Suite struct IIODiscoveryTests {
  private func addAccelerometer(_ fake: FakeSensors, _ device: Int, _ name: String, label: String? = nil) throws {
    var attributes = ["name": name, "in_accel_scale": "0.01"]
    for axis in ["x", "y", "z"] { attributes["in_accel_\(axis)_raw"] = axis == "z" ? "981" : "0" }
    attributes["label"] = label
    try fake.add(device, attributes)
  }

  @Test func aComputerWithoutSensorsHasNone() throws {
    let fake = try FakeSensors()
    #expect(
      IIOSource.best(root: SystemRoot(fake.root)) == nil
        && IIOSource.best(root: SystemRoot("/nowhere")) == nil)
    let error = #expect(throws: SensorError.self) { try fake.source() }
    #expect(error?.code == .notFound)
    // A light sensor is none of ours.
    try fake.add(0, ["name": "als", "in_illuminance_raw": "5"])
    #expect(IIODevice.all(root: SystemRoot(fake.root), files: .system).isEmpty)
  }

  /// R-6, AX-6: one chip beats two; the display's accelerometer beats the keyboard's.
  @Test func theMostCompleteSetIsTaken() throws {
    let fake = try FakeSensors()
    try addAccelerometer(fake, 0, "kxcjk1013", label: "accel-base")
    try addAccelerometer(fake, 1, "mma8452", label: "accel-display")
    #expect(try fake.source().info.name.contains("mma8452"))
    try fake.addInertialChip(10, buffer: false)
    try fake.add(2, ["name": "bmp280", "in_pressure_input": "100.653253906", "in_temp_input": "25080"])
    let source = try fake.source()
    #expect(source.devices.map(\.name) == ["bmi160", "bmp280"])
    #expect(source.info.kinds == [.accelerometer, .gyroscope, .airPressure, .temperature])
    #expect(source.info.identity?.contains("bmi160") == true && source.info.channel(.accelerometer)?.rates.last == 1600)
  }

  @Test func devicesAreFoundByNumberNameAndChip() throws {
    let fake = try FakeSensors()
    try addAccelerometer(fake, 3, "mma8452")
    for name in ["3", "device3", "iio:device3", "mma8452"] {
      #expect(try fake.source(name).devices.first?.kernelName == "iio:device3")
    }
    let error = #expect(throws: SensorError.self) { try fake.source("bmi160") }
    #expect(error?.code == .notFound && error?.message.contains("mma8452 (device3)") == true)
  }

  /// IIO-3: channel, type, direction, device.
  @Test func anAttributeIsLookedForFromTheChannelToTheDevice() throws {
    let fake = try FakeSensors()
    try addAccelerometer(fake, 0, "st_accel")
    try fake.add(0, ["sampling_frequency": "100", "in_accel_x_scale": "0.5", "in_mount_matrix": "0,1,0;-1,0,0;0,0,1"])
    let device = try #require(IIODevice.all(root: SystemRoot(fake.root), files: .system).first)
    #expect(device.attribute("scale", of: "in_accel_x")?.hasSuffix("in_accel_x_scale") == true)
    #expect(device.attribute("scale", of: "in_accel_y")?.hasSuffix("in_accel_scale") == true)
    #expect(device.attribute("sampling_frequency", of: "in_accel_x")?.hasSuffix("device0/sampling_frequency") == true)
    #expect(device.axisMap(of: .accelerometer).origin == "in_mount_matrix")
    #expect(device.attribute("offset", of: "in_accel_x") == nil)
  }

  /// BAR-5's check value; BAR-3.
  @Test func aBarometerIsPolledInPascalAndDegrees() async throws {
    let fake = try FakeSensors()
    try fake.add(
      0,
      [
        "name": "bmp280", "in_pressure_input": "100.653253906", "in_pressure_raw": "1", "in_pressure_scale": "1",
        "in_temp_input": "25080",
      ])
    let source = try fake.source()
    #expect(source.info.name.hasSuffix("(polled)"))
    #expect(await SourceConformance(source: source, span: .milliseconds(150)).violations() == [])
    let collector = SampleCollector(source, clock: MonotonicClock()) { _, count in count >= 4 }
    _ = await collector.ended()
    guard case .pressure(let sample) = try #require(collector.samples.first) else {
      Issue.record("no pressure first")
      return
    }
    #expect(abs(sample.pressure - 100_653.253906) < 1e-6 && sample.medium == .air)
    #expect(abs((sample.temperature ?? 0) - 25.08) < 1e-9)
  }

  /// (raw + offset) × scale, and only a declaration makes it water.
  @Test func waterIsDeclaredByLabelOrOption() async throws {
    let fake = try FakeSensors()
    try fake.add(
      0, ["name": "press", "in_pressure_raw": "1013000", "in_pressure_offset": "250", "in_pressure_scale": "0.0001"])
    #expect(
      try fake.source().info.kinds == .airPressure && fake.source { $0.isInWater = true }.info.kinds == .waterPressure)
    try fake.add(0, ["label": "water-depth"])
    let source = try fake.source()
    #expect(source.info.kinds == .waterPressure && source.info.water != nil)
    let collector = SampleCollector(source, clock: MonotonicClock()) { _, _ in true }
    _ = await collector.ended()
    guard case .pressure(let sample) = try #require(collector.samples.first) else { return }
    #expect(abs(sample.pressure - 101_325) < 1e-6 && sample.medium == .water)
  }

  /// WATER-5: the data sheet's example of the 30BA, through the kernel's arithmetic of the 02BA.
  @Test func aScaleCorrectsTheOtherModelOfAChip() async throws {
    let fake = try FakeSensors()
    try fake.add(0, ["name": "ms5837", "in_pressure_input": "19.999000", "in_temp_input": "19810"])
    #expect(try fake.source().remarks.first?.contains("scale=pressure:20") == true)
    let options = ["water": "yes", "scale": "pressure:20", "root": fake.root]
    let collector = SampleCollector(try IIOSource(path: "ms5837", options: options), clock: MonotonicClock()) { _, _ in
      true
    }
    _ = await collector.ended()
    guard case .pressure(let sample) = try #require(collector.samples.first) else { return }
    #expect(abs(sample.pressure - 399_980) < 1e-6 && sample.medium == .water && sample.temperature == 19.81)
    // In air a 02BA reads a whole atmosphere; a raw number is scaled like a processed one.
    try fake.add(0, ["in_pressure_input": "101.325", "in_accel_scale": "0.5"])
    let source = try fake.source { $0.scales[.accelerometer] = 3 }
    let scale = try source.devices[0].scale(of: .accelerometer, channel: "in_accel_x")
    #expect(source.remarks.isEmpty && scale.factor == 1.5)
  }

  @Test func aPolledDeviceThatLeavesEndsTheRun() async throws {
    let fake = try FakeSensors()
    try addAccelerometer(fake, 0, "mma8452")
    let collector = SampleCollector(try fake.source(), clock: MonotonicClock())
    #expect(await collector.began(within: .seconds(60)))
    try fake.unplug(0)
    #expect(await collector.ended())
    #expect(collector.failure?.code == .disconnected)
  }

  @Test func aChannelWithoutAScaleIsRefused() async throws {
    let fake = try FakeSensors()
    try fake.add(0, ["name": "odd", "in_accel_x_raw": "1", "in_accel_y_raw": "1", "in_accel_z_raw": "1"])
    let collector = SampleCollector(try fake.source(), clock: MonotonicClock())
    _ = await collector.ended()
    #expect(collector.failure?.code == .unsupported && collector.failure?.message.contains("scale") == true)
  }

  @Test func optionsAreReadAndMistakesNamed() throws {
    let options = try IIOOptions(["rate": "200", "watermark": "50", "water": "yes", "reading": "polled", "root": "/x"])
    #expect(options.rate == 200 && options.watermark == 50 && options.isInWater == true && options.reading == .polled)
    #expect(options.root.iioDevices == "/x/sys/bus/iio/devices" && options.root.nodes == "/x/dev")
    for (name, value) in [
      ("rate", "0"), ("rate", "fast"), ("watermark", "0"), ("water", "wet"), ("reading", "x"), ("speed", "2"),
      ("scale", "20"), ("scale", "light:2"), ("scale", "pressure:0"), ("scale", "accel:x"),
    ] {
      let error = #expect(throws: SensorError.self) { try IIOOptions([name: value]) }
      #expect(error?.code == .invalidRequest && error?.message.contains(name) == true)
    }
  }

  /// What the kernel counts up at each plug-in is no part of an identity; a serial number is the best.
  @Test func theIdentityOutlivesAReplug() throws {
    let fake = try FakeSensors()
    let hub = "/sys/devices/pci0/usb1/1-4/0018:04F3:2A3C"
    func link(_ number: Int, _ suffix: String) throws -> String? {
      let path = "\(fake.root)\(hub).\(suffix)/HID-SENSOR-200073.\(number).auto/iio:device\(number)"
      try addAccelerometer(fake, number, "accel_3d")
      try moveAndLink(fake.folder(number), to: path)
      return try fake.source("\(number)").info.identity
    }
    let first = try link(0, "0001")
    #expect(first == (try link(5, "0004")) && first?.contains("HID-SENSOR-200073") == true)
    try "A123\n".write(toFile: "\(fake.root)/sys/devices/pci0/usb1/1-4/serial", atomically: false, encoding: .utf8)
    #expect(try fake.source("0").info.identity == "iio accel_3d serial A123")
  }
}
