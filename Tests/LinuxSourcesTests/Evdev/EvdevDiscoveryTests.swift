// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import LinuxSources

/// Which controllers are found, under which names, with which axes.
@Suite struct EvdevDiscoveryTests {
  @Test func theSensorIsFoundBesideGamepadAndTouchpadAndTakesTheGamepadsName() throws {
    let fake = try FakeControllers()
    try fake.addDualSense()
    let devices = ControllerDevice.all(root: SystemRoot(fake.root), files: .system)
    #expect(devices.map(\.kernelName) == ["event5"])
    #expect(devices.first?.controllerName == "Sony Interactive Entertainment Wireless Controller")
    let source = try fake.source()
    #expect(source.info.name == "DualSense (Sony Interactive Entertainment Wireless Controller)")
    #expect(source.info.identity == "evdev 054c:0ce6 06:05:04:03:02:01" && source.info.deviceClass == .controller)
    #expect(source.info.kinds == .inertial && source.info.origin == .hardware && source.info.pacing == .live)
    #expect(source.limitation == nil && source.axes.contains("not proven on hardware"))
    // ±4 g and ±2048 deg/s (EV-1), in SI.
    #expect(source.info.channel(.accelerometer)?.range == 4 * standardGravity)
    #expect(abs((source.info.channel(.gyroscope)?.range ?? 0) - 2048 * .pi / 180) < 1e-9)
    #expect(source.info.channel(.gyroscope)?.rates == [250])
  }

  @Test func whatIsNoMotionSensorOfAControllerIsLeftOut() throws {
    let fake = try FakeControllers()
    try fake.add(1, event: 1, name: "keyboard", abs: "0", properties: "0")
    try fake.add(2, event: 2, name: "tablet with two axes and the mark", abs: "3")
    try fake.add(3, event: 3, name: "Wacom Pad", model: "056a:0357")
    #expect(ControllerDevice.all(root: SystemRoot(fake.root), files: .system).isEmpty)
    let error = #expect(throws: SensorError.self) { try fake.source() }
    #expect(error?.code == .notFound && error?.message.contains("plug one in") == true)
    // Properties have 32 bits and more: the last word holds the mark, in a long bitmap as well.
    try fake.add(12, event: 12, name: "some IMU", model: "1234:5678", abs: "1000000 3f", properties: "1 40")
    #expect(try fake.source().info.name == "some (controller)")
  }

  @Test func addressesNameOneOfSeveral() throws {
    let fake = try FakeControllers()
    try fake.addDualSense(event: 4)
    try fake.add(
      21, event: 21, name: "Nintendo Switch Pro Controller IMU", unique: "AA:BB:CC:00:11:22", model: "057e:2009",
      bus: "0005")
    let addresses: [(String, String)] = [
      ("", "DualSense"), ("event21", "Switch Pro"), ("21", "Switch Pro"), ("aa:bb:cc:00:11:22", "Switch Pro"),
      ("057E:2009", "Switch Pro"), ("switch-pro", "Switch Pro"), ("dualsense", "DualSense"),
    ]
    for (path, name) in addresses {
      #expect(try fake.source(path).info.name.hasPrefix(name), "\(path)")
    }
    let error = #expect(throws: SensorError.self) { try fake.source("xbox") }
    #expect(error?.code == .notFound && error?.message.contains("AA:BB:CC:00:11:22") == true)
    // Without a cable the rate is the radio's.
    #expect(try fake.source("switchpro").info.channel(.gyroscope)?.rates == [])
  }

  @Test func theBestHasAGyroscopeAndMayBeRead() throws {
    let fake = try FakeControllers()
    try fake.add(1, event: 1, name: "PLAYSTATION(R)3 Controller Motion Sensors", model: "054c:0268", abs: "7")
    try fake.addDualSense(event: 4)
    #expect(try fake.source().device.kernelName == "event5")
    #expect(try fake.source("1").info.kinds == .accelerometer)
  }

  @Test func anUnknownControllerIsTakenAsItIsAndSaysSo() throws {
    let fake = try FakeControllers()
    try fake.add(3, event: 3, name: "Odd Pad Motion Sensors", model: "1234:0001")
    let source = try fake.source()
    #expect(source.map.matrix == .identity && source.axes.contains("in no table"))
    #expect(source.info.name == "Odd Pad (controller)" && source.info.identity == "evdev 1234:0001 at usb-1/input0")
    let turned = try fake.source { $0.axes = "x:-z:y" }
    #expect(turned.map.matrix == ControllerModel.model(vendor: 0x054C, product: 0x0CE6).axes.matrix)
  }

  /// AX-7: flat on the table, buttons up, every known controller reads +1 g on our z, and turns by the same axes.
  @Test(arguments: [
    (0x054C, 0x0CE6), (0x054C, 0x0DF2), (0x054C, 0x05C4), (0x054C, 0x09CC), (0x057E, 0x2006), (0x057E, 0x2007),
    (0x057E, 0x2009),
  ]) func tablesTurnUpToZAndAreRotations(_ vendor: UInt16, _ product: UInt16) {
    let model = ControllerModel.model(vendor: vendor, product: product)
    let isSony = vendor == 0x054C
    #expect(model.isKnown && model.axes.matrix.determinant == 1)
    // Up, right and ahead in the controller's axes.
    let up = isSony ? model.axes(x: 0, y: 1, z: 0) : model.axes(x: 0, y: 0, z: 1)
    let right = isSony ? model.axes(x: 1, y: 0, z: 0) : model.axes(x: 0, y: -1, z: 0)
    let ahead = isSony ? model.axes(x: 0, y: 0, z: -1) : model.axes(x: 1, y: 0, z: 0)
    #expect(up == Vector3(x: 0, y: 0, z: 1))
    #expect(right == Vector3(x: 1, y: 0, z: 0) && ahead == Vector3(x: 0, y: 1, z: 0))
    #expect(model.axes.origin.contains("not proven on hardware"))
  }

  @Test func aMapOfOnesOwnIsARotationOrRefused() throws {
    #expect(AxisMap(axes: "x:y:z")?.matrix == .identity)
    for text in ["x:y:-z", "x:x:z", "x:y", "x:y:z:x", "a:b:c", "--x:y:z", "x:--y:z", ""] {
      #expect(AxisMap(axes: text) == nil, "\(text)")
      let error = #expect(throws: SensorError.self) { try EvdevOptions(["axes": text]) }
      #expect(error?.code == .invalidRequest)
    }
    for options in [["fuzz": "maybe"], ["rate": "100"]] {
      let error = #expect(throws: SensorError.self) { try EvdevOptions(options) }
      #expect(error?.code == .invalidRequest)
    }
    #expect(try EvdevOptions(["fuzz": "keep", "axes": "x:-z:y", "root": "/tree"]).root == SystemRoot("/tree"))
  }
}
