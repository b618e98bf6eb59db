// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import MotionMath
import MotionSensing
import Testing

@testable import LinuxSources

/// Reading a controller over sockets that stand for the kernel. What only the real kernel shows is held in its guest.
@Suite(.serialized) struct EvdevSourceTests {
  private func collect(_ source: EvdevSource, _ kinds: SensorKinds = [], until count: Int) async -> SampleCollector {
    let collector = SampleCollector(source, clock: MonotonicClock(), kinds: kinds) { _, seen in seen >= count }
    _ = await collector.ended()
    return collector
  }

  /// A DualSense that turns about its Y, which is our z, with its own time.
  private func dualSense(rate: Double = 250) throws -> FakeControllers {
    let fake = try FakeControllers()
    try fake.addDualSense()
    fake.play(rate: rate) { count, time in
      [.absolute(ABS_RY, Int32(count), at: time), .stamp(UInt32(count * 4000), at: time), .report(at: time)]
    }
    return fake
  }

  @Test func aControllerKeepsItsPromises() async throws {
    let source = try dualSense().source()
    #expect(await SourceConformance(source: source, span: .milliseconds(250)).violations() == [])
    #expect(source.statistics.drops == 0 && source.statistics.runsWithoutStamps == 0)
  }

  @Test func everySampleAt250HzComesInOrderInSI() async throws {
    let source = try dualSense().source()
    let samples = await collect(source, until: 100).samples
    var rates: [Double] = []
    for case .inertial(let sample) in samples {
      #expect(sample.accelerometer.specificForce == Vector3(x: 0, y: 0, z: standardGravity))
      rates.append(sample.gyroscope.angularVelocity.z * 180 / .pi * 1024)
    }
    // One count more each time: none lost, none twice, none out of order.
    #expect(
      rates.count == 100 && rates.first == 1 && zip(rates, rates.dropFirst()).allSatisfy { abs($1 - $0 - 1) < 1e-6 })
    let times = samples.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs(($1 - $0).nanoseconds - 4_000_000) <= 1000 })
  }

  /// EV-3: nothing changes, so only the time stamp is sent; the samples go on.
  @Test func aStillControllerGoesOnDelivering() async throws {
    let fake = try FakeControllers()
    try fake.addDualSense()
    fake.play(rate: 250) { count, time in [.stamp(UInt32(count * 4000), at: time), .report(at: time)] }
    let samples = await collect(try fake.source(), until: 20).samples
    #expect(samples.count == 20)
    for case .inertial(let sample) in samples {
      #expect(sample.accelerometer.specificForce.z == standardGravity && sample.gyroscope.angularVelocity == .zero)
    }
  }

  /// EV-4: for all readers, so it is put back.
  @Test func smoothingIsOffWhileItRunsAndRestoredAfterwards() async throws {
    let fake = try dualSense()
    let node = fake.node(5)
    let source = try fake.source()
    #expect(fake.state.withLock { $0.written.isEmpty })
    let collector = SampleCollector(source, clock: MonotonicClock())
    #expect(await collector.began(within: .seconds(60)))
    #expect(fake.state.withLock { $0.axes[node]?.map(\.fuzz) } == [0, 0, 0, 0, 0, 0])
    collector.stop()
    #expect(await collector.ended())
    #expect(fake.state.withLock { $0.axes[node]?.map(\.fuzz) } == [16, 16, 16, 16, 16, 16])
    let before = fake.state.withLock { $0.written.count }
    _ = await collect(try fake.source { $0.fuzz = .keep }, until: 3)
    #expect(fake.state.withLock { $0.written.count } == before)
  }

  /// EV-5: the torn frame is thrown away, and what the kernel holds counts from then on.
  @Test func aFullQueueIsCountedAndTheAxesAreReadAgain() async throws {
    let fake = try FakeControllers()
    try fake.addDualSense()
    let node = fake.node(5)
    let state = fake.state
    fake.play(rate: 250) { count, time in
      if count == 3 {
        state.withLock { $0.axes[node]?[0].value = 4096 }
        return [.dropped(at: time), .absolute(ABS_X, -999, at: time), .report(at: time)]
      }
      return [.stamp(UInt32(count * 4000), at: time), .report(at: time)]
    }
    let source = try fake.source()
    let samples = await collect(source, until: 5).samples
    let sideways = samples.map { sample -> Double in
      guard case .inertial(let sample) = sample else { return .nan }
      return sample.accelerometer.specificForce.x / standardGravity
    }
    #expect(sideways == [0, 0, 0.5, 0.5, 0.5] && source.statistics.drops == 1)
    #expect(source.statistics.frames == 5)
    // The gap of one frame is a gap in time, not a shift of what follows.
    #expect(abs((samples[2].time - samples[1].time).nanoseconds - 8_000_000) <= 1000)
  }

  @Test func onlyWhatIsWantedIsDelivered() async throws {
    let source = try dualSense().source()
    for kinds in [SensorKinds.gyroscope, .accelerometer, .inertial] {
      #expect(await collect(source, kinds, until: 3).samples.map(\.kinds) == [kinds, kinds, kinds])
    }
  }

  @Test func anUnpluggedControllerEndsTheRunAndComesBackUnderAnotherNumber() async throws {
    let fake = try dualSense()
    let source = try fake.source()
    let collector = SampleCollector(source, clock: MonotonicClock())
    #expect(await collector.began(within: .seconds(60)))
    try fake.unplug(5)
    #expect(await collector.ended())
    #expect(collector.failure?.code == .disconnected && collector.failure?.message.contains("plug it in") == true)
    // Still away.
    let absent = await collect(source, until: 1)
    #expect(absent.failure?.code == .disconnected && absent.samples.isEmpty)
    // Another controller of the same kind is not it.
    try fake.add(31, event: 31, name: "Wireless Controller Motion Sensors", unique: "09:09:09:09:09:09")
    #expect(await collect(source, until: 1).failure?.code == .disconnected)
    try fake.addDualSense(event: 40)
    let back = await collect(source, until: 3)
    #expect(back.samples.count == 3 && back.failure == nil)
  }

  @Test func withoutPermissionItTellsTheRule() async throws {
    let fake = try dualSense()
    let node = fake.node(5)
    fake.state.withLock { $0.refused[node] = EACCES }
    let source = try fake.source()
    let failure = await collect(source, until: 1).failure
    #expect(failure == source.limitation && failure?.code == .notPermitted && failure?.errno == EACCES)
    #expect(failure?.message.contains(#"ENV{ID_INPUT_ACCELEROMETER}=="1", TAG+="uaccess""#) == true)
    #expect(source.info.kinds == .inertial)
    // Given in the meantime, as udev does shortly after the plug.
    fake.state.withLock { $0.refused[node] = nil }
    #expect(await collect(source, until: 1).samples.count == 1)
  }

  /// EV-1: resolution 0 is no unit, and never a guess.
  @Test func aControllerWithoutAUnitIsRefused() async throws {
    let fake = try FakeControllers()
    let axes = Array(repeating: FakeControllers.axis(0, 0), count: 3)
    try fake.add(9, event: 9, name: "uDraw Motion Sensors", model: "20d6:cb17", abs: "7", axes: axes)
    let source = try fake.source()
    #expect(source.limitation?.code == .unsupported)
    #expect(await collect(source, until: 1).failure?.code == .unsupported)
  }

  @Test func withoutTheMonotonicClockTheTimesAreThoseOfReading() async throws {
    let fake = try FakeControllers()
    try fake.addDualSense()
    fake.state.withLock { $0.refusesClock = true }
    // The kernel stamps by the wall clock, half a century ahead.
    fake.play(rate: 250) { _, time in [.report(at: time + .seconds(1_700_000_000))] }
    let before = MonotonicClock().now
    let source = try fake.source()
    let samples = await collect(source, until: 5).samples
    let after = MonotonicClock().now
    #expect(samples.count == 5 && samples.allSatisfy { before < $0.time && $0.time < after })
    #expect(source.statistics.runsWithoutStamps == 1)
  }

  @Test func resumeAfterLeavesOutWhatWasThere() async throws {
    let limit = MonotonicClock().now + .milliseconds(80)
    let collector = SampleCollector(try dualSense().source(), clock: MonotonicClock(), resumeAfter: limit) { _, count in
      count >= 3
    }
    _ = await collector.ended()
    #expect(collector.samples.count == 3 && collector.samples.allSatisfy { $0.time > limit })
  }
}

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

/// From bytes to events, from events to frames.
@Suite struct MotionFrameDecoderTests {
  private let time = SensorInstant(nanoseconds: 5_000_007_000)

  @Test func anEventHas24BytesOn64BitAnd16On32BitSystems() {
    #expect(InputEvent.byteCount(wordBytes: 8) == 24 && InputEvent.byteCount(wordBytes: 4) == 16)
    for word in [4, 8] {
      let event = InputEvent.absolute(ABS_RZ, -70_000, at: time)
      let bytes = [0xAA] + event.bytes(wordBytes: word) + [0xBB]
      #expect(InputEvent(in: bytes, at: 1, wordBytes: word) == event)
    }
  }

  /// The numbers of EV-9, on 64-bit x86 and ARM.
  @Test func requestCodesAreThoseOfTheKernelsHeader() {
    #expect(linux_input_get_absolute(UInt32(ABS_RX)) == 0x8018_4543)
    #expect(linux_input_set_absolute(UInt32(ABS_RX)) == 0x4018_45C3)
    #expect(linux_input_set_clock() == 0x4004_45A0)
    #expect(MemoryLayout<AbsoluteAxis>.size == 24 && INPUT_PROP_ACCELEROMETER == 6)
  }

  /// EV-3: an axis that does not change sends nothing, not even once.
  @Test func valuesAreKeptBetweenReportsFromTheSeedOn() {
    var decoder = MotionFrameDecoder()
    decoder.seed(SIMD8(1, 8192, 3, 4, 5, 6, 0, 0))
    #expect(decoder.append(.absolute(ABS_X, 10, at: time)) == .pending)
    #expect(decoder.append(.stamp(77, at: time)) == .pending)
    #expect(
      decoder.append(.report(at: time))
        == .frame(MotionFrame(time: time, deviceTime: 77, counts: SIMD8(10, 8192, 3, 4, 5, 6, 0, 0))))
    // The controller's time belongs to one frame, the values to all.
    #expect(
      decoder.append(.report(at: time))
        == .frame(MotionFrame(time: time, deviceTime: nil, counts: SIMD8(10, 8192, 3, 4, 5, 6, 0, 0))))
  }

  /// EV-5: what follows SYN_DROPPED is the rest of a torn frame.
  @Test func afterADropNothingCountsUntilTheNextReport() {
    var decoder = MotionFrameDecoder()
    decoder.seed(SIMD8(repeating: 1))
    let torn: [InputEvent] = [
      .absolute(ABS_X, 50, at: time), .dropped(at: time), .absolute(ABS_Y, 60, at: time), .stamp(9, at: time),
    ]
    for event in torn { #expect(decoder.append(event) == .pending) }
    #expect(decoder.append(.report(at: time)) == .lost)
    decoder.seed(SIMD8(repeating: 2))
    #expect(
      decoder.append(.report(at: time))
        == .frame(MotionFrame(time: time, deviceTime: nil, counts: SIMD8(repeating: 2))))
  }

  @Test func eventsOfOtherKindsChangeNothing() {
    var decoder = MotionFrameDecoder()
    let strangers = [
      InputEvent(time: time, type: 1, code: 0, value: 1),
      .absolute(0x10, 5, at: time),
      InputEvent(time: time, type: UInt16(EV_MSC), code: 4, value: 5),
    ]
    for event in strangers { #expect(decoder.append(event) == .pending) }
    #expect(
      decoder.append(.report(at: time))
        == .frame(MotionFrame(time: time, deviceTime: nil, counts: SIMD8(repeating: 0))))
  }
}
