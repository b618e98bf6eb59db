// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import LinuxSources

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
    let error = #expect(throws: SensorError.self) { try fake.source() }
    #expect(error?.code == .notFound)
    for root in [fake.root, "/nowhere"] {
      let error = #expect(throws: SensorError.self) {
        try IIOSource(path: "", options: [:], standardRoot: SystemRoot(root))
      }
      #expect(error?.code == .notFound)
    }
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
    let channel = try source.devices[0].channel("in_accel_x", of: .accelerometer, at: "in_accel_x_raw")
    #expect(source.remarks.isEmpty && channel.factor == 1.5)
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

/// Mount matrices and rates: what a driver prints, and what is made of it.
@Suite struct AxisMapTests {
  /// v' = M · v, row by row (AX-1).
  @Test func aMountMatrixIsReadRowByRow() throws {
    let map = try #require(AxisMap(mountMatrix: "0, -1, 0; 1, 0, 0; 0, 0, 1", origin: "mount_matrix"))
    #expect(map(x: 1, y: 2, z: 3) == Vector3(x: -2, y: 1, z: 3))
  }

  /// A mirror image, a flattened or a scaled frame is no mounting (AX-3).
  @Test(arguments: [
    "1, 0, 0; 0, 1, 0; 0, 0, -1", "1,0,0;0,1,0;0,0,0", "2,0,0;0,2,0;0,0,2", "1,0,0;0,1,0", "", "a,b,c;d,e,f;g,h,i",
  ])
  func whatIsNoRotationIsLeftOut(_ text: String) { #expect(AxisMap(mountMatrix: text, origin: "") == nil) }

  /// AX-4: face up, Windows firmware reads −1 g.
  @Test func aHubsAccelerometerIsNegated() {
    #expect(AxisMap.hubAccelerometer(x: 0, y: 0, z: -9.8) == Vector3(x: 0, y: 0, z: 9.8))
  }

  @Test func theNextHigherRateIsChosen() {
    var rates = SamplingRates(path: "p", listed: [1, 10, 25, 50, 100, 200, 400, 1600])
    #expect(rates.choice(for: 60) == 100 && rates.choice(for: 100) == 100 && rates.choice(for: 9999) == 1600)
    #expect(rates.choice(for: nil) == 400)
    rates = SamplingRates(path: "p", listed: [], span: 12.5...800)
    #expect(rates.choice(for: 5) == 12.5 && rates.choice(for: 333) == 333 && rates.choice(for: nil) == 800)
    // A hub lists nothing, and overflows beyond 2147 Hz (IIO-24).
    rates = SamplingRates(path: "p")
    #expect(rates.choice(for: nil) == 100 && rates.choice(for: 5000) == 1000)
  }

  @Test(arguments: [
    (100.0, "100"), (0.78125, "0.78125"), (0, "0"), (33.3, "33.3"), (1e-5, "0.00001"), (1600.25, "1600.25"),
  ])
  func numbersAreWrittenWithoutExponents(_ number: Double, _ text: String) {
    #expect(SamplingRates.text(number) == text)
  }
}

/// Where channels lie in a record (IIO-18). Sizes and offsets are those seen on a running kernel.
@Suite struct RecordLayoutTests {
  private func layout(_ channels: [(String, String)]) throws -> RecordLayout {
    // Handed over backwards: the index decides, not the order of the files.
    RecordLayout(
      try channels.enumerated().map { .init(name: $1.0, index: $0, type: try ScanType($1.1)) }.reversed())
  }

  @Test func aHubsAccelerometerHasThreeSlotsAndATimeStamp() throws {
    let slot = "le:s16/32>>0"
    let layout = try layout([
      ("in_accel_x", slot), ("in_accel_y", slot), ("in_accel_z", slot), ("in_timestamp", "le:s64/64>>0"),
    ])
    #expect(layout.byteCount == 24 && layout.timestamp?.offset == 16)
    let record: [UInt8] = [
      0xc6, 0x02, 0x3a, 0xfd, 0x3a, 0xfd, 0x18, 0xfc, 0x18, 0xfc, 0, 0, 0, 0, 0, 0, 0x90, 0x13, 0xc2, 0xb1, 7, 0, 0, 0,
    ]
    let values = ["x", "y", "z"].map { layout.fields["in_accel_\($0)"]?.number(in: record, at: 0) }
    #expect(values == [710, -710, -1000])
    #expect(layout.timestamp?.integer(in: record, at: 0) == 33_047_057_296)
  }

  @Test func aCompassWithoutTimeStampsHasTwelveBytes() throws {
    let slot = "le:s16/32>>0"
    let layout = try layout([("in_magn_x", slot), ("in_magn_y", slot), ("in_magn_z", slot)])
    #expect(layout.byteCount == 12 && layout.timestamp == nil)
  }

  @Test func theOrderIsThatOfTheIndex() throws {
    let axes = ["in_anglvel_x", "in_anglvel_y", "in_anglvel_z", "in_accel_x", "in_accel_y", "in_accel_z"]
    let layout = try layout(axes.map { ($0, "le:s16/16>>0") } + [("in_timestamp", "le:s64/64>>0")])
    #expect(layout.byteCount == 24 && layout.fields["in_accel_x"]?.offset == 6 && layout.timestamp?.offset == 16)
  }

  @Test func aSmallChannelIsFollowedByPadding() throws {
    let layout = try layout([
      ("in_pressure", "le:u32/32>>0"), ("in_temp", "le:s16/16>>0"), ("in_timestamp", "le:s64/64>>0"),
    ])
    #expect(layout.byteCount == 16 && layout.fields["in_temp"]?.offset == 4 && layout.timestamp?.offset == 8)
  }

  /// The alignment rule alone would give 16.
  @Test func theTimeStampOfAQuaternionIsInTheLastEightBytes() throws {
    let layout = try layout([("in_rot_quaternion", "le:s16/32X4>>0"), ("in_timestamp", "le:s64/64>>0")])
    #expect(layout.byteCount == 32 && layout.timestamp?.offset == 24)
  }
}

/// From the bytes of a record to numbers (IIO-19).
@Suite struct ScanTypeTests {
  @Test(
    arguments: [
      ("le:s16/32>>0", [0x99, 0x03, 0x67, 0xfc], 921), ("le:s16/32>>0", [0x18, 0xfc, 0, 0], -1000),
      ("le:s12/16>>4", [0x80, 0xf3], -200), ("be:u24/32>>8", [0x01, 0x02, 0x03, 0xff], 66051),
      ("be:s16/16", [0xff, 0xfe], -2), ("le:S8/8>>0", [0x80], -128), ("be:U24/24>>0", [0xff, 0, 1], 0xff_0001),
      ("le:s64/64>>0", [0x90, 0x13, 0xc2, 0xb1, 7, 0, 0, 0], 33_047_057_296),
    ] as [(String, [UInt8], Int64)])
  func theVectorsOfTheSpecificationDecode(_ text: String, _ bytes: [UInt8], _ value: Int64) throws {
    #expect(try ScanType(text).integer(in: bytes, at: 0) == value)
  }

  /// Every storage size, byte order, sign, a full range of real bits and shifts, with rubbish in all other bits; the
  /// bytes are made by arithmetic, so that the test says the same on a processor of any byte order.
  @Test(arguments: [8, 16, 24, 32, 40, 48, 56, 64])
  func everyFormatReadsBackWhatWasPutIn(_ storage: Int) throws {
    var random = SystemRandomNumberGenerator()
    for real in 1...storage {
      for shift in Set([0, (storage - real) / 2, storage - real]) {
        for (order, sign) in [("le", "s"), ("le", "u"), ("be", "s"), ("be", "u")] {
          let type = try ScanType("\(order):\(sign)\(real)/\(storage)>>\(shift)")
          let mask = UInt64.max >> (64 - real)
          let value = UInt64.random(in: 0...mask, using: &random)
          let rubbish = UInt64.random(in: 0...(.max), using: &random)
          let word = value << shift | rubbish & ~(mask << shift)
          let little = (0..<storage / 8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
          let bytes = [0xAA] + (order == "le" ? little : little.reversed()) + [0x55]
          let isNegative = sign == "s" && value >> (real - 1) & 1 == 1
          let expected = Int64(bitPattern: isNegative ? value | ~mask : value)
          #expect(type.integer(in: bytes, at: 1) == expected, "\(type)")
          #expect(type.number(in: bytes, at: 1) == (sign == "s" ? Double(expected) : Double(value)))
        }
      }
    }
  }

  @Test func aRepeatedValueTakesItsPlaceSeveralTimes() throws {
    let type = try ScanType("le:s16/32X4>>0")
    #expect(type.byteCount == 16 && type.repetitions == 4 && type.realBits == 16)
  }

  @Test(arguments: [
    "", "s16/16", "me:s16/16>>0", "le:f32/32>>0", "le:s33/32>>0", "le:s16/20>>0", "le:s16/16>>1", "le:s16/16X0>>0",
    "le:s0/16>>0", "le:s16/128>>0", "le:s16/16>>0 ", "le:s16/16>>9223372036854775807",
    "le:s16/16X9223372036854775807>>0", "le:s16/16X256>>0",
  ])
  func anotherFormIsRefusedWithItsText(_ text: String) {
    let error = #expect(throws: SensorError.self) { try ScanType(text) }
    #expect(error?.code == .unsupported && error?.message.contains(text.debugDescription) == true)
  }
}
