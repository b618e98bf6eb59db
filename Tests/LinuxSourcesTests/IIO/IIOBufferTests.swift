// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import LinuxSources

/// Buffered reading over folders and sockets that stand for the kernel. What only the real kernel shows
/// (Documentation/Behaviour.md, below R-time) is not held here.
@Suite(.serialized) struct IIOBufferTests {
  private func collect(
    _ source: IIOSource, _ kinds: SensorKinds = [], until count: Int
  ) async -> SampleCollector {
    let collector = SampleCollector(source, clock: MonotonicClock(), kinds: kinds) { _, seen in seen >= count }
    _ = await collector.ended()
    return collector
  }

  @Test func aChipWithBothSensorsKeepsItsPromises() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip()
    let source = try fake.source()
    #expect(source.info.name == "IIO bmi160" && source.info.reordering == .zero && source.info.deviceClass == .module)
    #expect(await SourceConformance(source: source, span: .milliseconds(250)).violations() == [])
    #expect(source.statistics.gaps == 0 && source.statistics.fallbacks.isEmpty && source.statistics.notFinite == 0)
  }

  @Test func aHubOfThreeDevicesIsOneSource() async throws {
    let fake = try FakeSensors()
    try fake.addHubSensor(
      0, name: "accel_3d", channel: "in_accel", scale: "0.009806650", values: [0, 0, -1000], rate: 100)
    try fake.addHubSensor(
      1, name: "gyro_3d", channel: "in_anglvel", scale: "0.000174533", values: [900, 0, 0], rate: 100)
    try fake.addHubSensor(2, name: "magn_3d", channel: "in_magn", scale: "0.001", values: [200, -10, -420], rate: 50)
    let source = try fake.source()
    #expect(source.info.kinds == [.accelerometer, .gyroscope, .magnetometer])
    let violations = await SourceConformance(source: source, span: .milliseconds(250)).violations()
    #expect(violations == [])
    let samples = await collect(source, until: 40).samples
    // Section 13's values: face up by the hub's sign, 0.157 rad/s, and gauss as tesla.
    for sample in samples {
      switch sample {
      case .accelerometer(let sample):
        #expect(sample.specificForce.isApproximatelyEqual(to: Vector3(x: 0, y: 0, z: 9.80665), tolerance: 1e-9))
      case .gyroscope(let sample): #expect(abs(sample.angularVelocity.x - 0.1570797) < 1e-6)
      case .magnetometer(let sample):
        #expect(sample.magneticField.isApproximatelyEqual(to: Vector3(x: 20e-6, y: -1e-6, z: -42e-6), tolerance: 1e-12))
      default: Issue.record("unexpected \(sample)")
      }
    }
  }

  @Test func valuesAreSIAndTimesAreThoseOfTheInterrupt() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip(rate: 400)
    let before = MonotonicClock().now
    let samples = await collect(try fake.source { $0.rate = 400 }, until: 30).samples
    guard case .inertial(let first) = try #require(samples.first) else {
      Issue.record("not inertial")
      return
    }
    #expect(abs(first.accelerometer.specificForce.z - 9.797632) < 1e-9)
    #expect(abs(first.gyroscope.angularVelocity.x - 1.7466) < 1e-9)
    #expect(first.time > before)
    for (a, b) in zip(samples, samples.dropFirst()) { #expect(abs((b.time - a.time).nanoseconds - 2_500_000) <= 1) }
  }

  @Test func everythingIsSetBeforeTheBufferGoesOnAndRestoredAtTheEnd() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip()
    try fake.add(0, ["buffer/watermark": "7", "buffer/length": "16", "in_accel_hysteresis": "0.1"])
    let names = [
      "buffer/watermark", "buffer/length", "buffer/enable", "current_timestamp_clock", "in_accel_sampling_frequency",
      "in_anglvel_sampling_frequency", "in_accel_hysteresis", "scan_elements/in_timestamp_en",
      "scan_elements/in_accel_x_en",
    ]
    let old = names.map { fake.read(0, $0) }
    let source = try fake.source()
    let collector = SampleCollector(source, clock: MonotonicClock(), kinds: [.accelerometer])
    _ = await collector.began(within: .seconds(60))
    #expect(
      fake.read(0, "current_timestamp_clock") == "monotonic" && fake.read(0, "in_accel_sampling_frequency") == "800")
    #expect(fake.read(0, "in_accel_hysteresis") == "0" && fake.read(0, "buffer/watermark") == "1")
    // All channels, also those without a subscriber (IIO-8).
    #expect(fake.read(0, "scan_elements/in_anglvel_x_en") == "1")
    collector.stop()
    #expect(await collector.ended())
    #expect(names.map { fake.read(0, $0) } == old)
    let writes = fake.state.withLock { $0.writes }
    let on = try #require(writes.firstIndex(of: "buffer/enable=1"))
    let stampClock = try #require(writes.firstIndex { $0.hasSuffix("current_timestamp_clock=monotonic") })
    #expect(stampClock < on && writes[on + 1] == "buffer/enable=0")
  }

  /// PERM-5: not one write to a device that another program reads.
  @Test func someoneElsesBufferIsLeftAloneAndPolled() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip()
    try fake.add(0, ["buffer/enable": "1"])
    let source = try fake.source()
    #expect(source.info.name == "IIO bmi160 (polled)" && source.limitations.first?.code == .busy)
    let collector = await collect(source, until: 5)
    #expect(collector.samples.count == 5 && fake.state.withLock { $0.writes } == [])
    #expect(source.statistics.fallbacks.first?.code == .busy && source.statistics.passes >= 5)
    let refused = await collect(try fake.source { $0.reading = .buffered }, until: 1)
    #expect(refused.failure?.code == .busy && fake.read(0, "buffer/enable") == "1")
  }

  @Test func withoutPermissionItPollsOrTellsTheRule() async throws {
    for path in ["node", "enable", "late"] {
      let fake = try FakeSensors()
      try fake.addInertialChip()
      let refused =
        ["node": fake.node(0), "enable": fake.folder(0) + "/buffer/enable"][path] ?? fake.folder(0) + "/buffer/length"
      fake.state.withLock { $0.refused[refused] = EACCES }
      let before = fake.read(0, "scan_elements/in_accel_x_en")
      let strict = await collect(try fake.source { $0.reading = .buffered }, until: 1)
      #expect(strict.failure?.code == .notPermitted && strict.failure?.errno == EACCES)
      #expect(
        strict.failure?.message.contains(#"SUBSYSTEM=="iio""#) == true
          && strict.failure?.message.contains("udev/rules.d") == true)
      // What was set before the refusal has been undone.
      #expect(fake.read(0, "scan_elements/in_accel_x_en") == before)
      let source = try fake.source()
      #expect(await collect(source, until: 3).samples.count == 3)
      #expect(source.statistics.fallbacks.first?.code == .notPermitted)
    }
  }

  /// PERM-4: what a member of the group may write is what the driver writes, of the sensors that it reads.
  @Test func theRuleOpensWhatTheDriverWritesAndNothingElse() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip()
    try fake.add(0, ["in_accel_hysteresis": "3", "buffer/hwfifo_timeout": "1", "buffer/data_available": "0"])
    try fake.add(1, ["in_illuminance_raw": "7", "in_illuminance_sampling_frequency": "10", "buffer/enable": "0"])
    for channel in ["in_accel_x_raw", "in_anglvel_z_raw", "in_magn_x_raw", "in_pressure_input"] {
      try fake.add(2, ["\(channel)": "0"])
      #expect(try UdevRule.succeeds(UdevRule.sensors.scripts(for: fake.folder(2))[0]), "\(channel)")
      try fake.unplug(2)
    }
    let lines = UdevRule.sensors.scripts(for: fake.folder(0))
    #expect(try UdevRule.succeeds("chmod -R g-w \(fake.folder(0))"))
    #expect(try lines.count == 2 && UdevRule.succeeds(lines[0]) && UdevRule.succeeds(lines[1]))
    #expect(try !UdevRule.succeeds(UdevRule.sensors.scripts(for: fake.folder(1))[0]))

    let files = try FileManager.default.subpathsOfDirectory(atPath: fake.folder(0))
    let opened = try files.filter { name in
      let mode = try FileManager.default.attributesOfItem(atPath: "\(fake.folder(0))/\(name)")[.posixPermissions]
      return try #require(mode as? Int) & 0o020 != 0
    }
    var source: IIOSource? = try fake.source { ($0.reading, $0.watermark) = (.buffered, 4) }
    _ = await collect(try #require(source), until: 5)
    source = nil
    let written = fake.state.withLock { $0.writes }.map {
      String($0.prefix { $0 != "=" }).replacing("iio:device0/", with: "")
    }
    #expect(Set(opened) == Set(written))
  }

  @Test func aBufferWithoutATriggerIsPolled() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip()
    fake.state.withLock { $0.refused[fake.folder(0) + "/buffer/enable"] = EINVAL }
    var files = fake.files
    files.check = SystemFiles.system.check
    let devices = IIODevice.all(root: SystemRoot(fake.root), files: files)
    // A run searches for its devices again, so the source has to know where.
    var options = IIOOptions()
    options.root = SystemRoot(fake.root)
    let source = IIOSource(devices: devices, options: options)
    #expect(await collect(source, until: 3).samples.count == 3)
    #expect(source.statistics.fallbacks.first?.code == .unsupported)
    #expect(source.statistics.fallbacks.first?.message.contains("trigger") == true)
  }

  @Test func anUnpluggedDeviceEndsTheRunWithASentence() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip()
    let collector = SampleCollector(try fake.source(), clock: MonotonicClock())
    #expect(await collector.began(within: .seconds(60)))
    try fake.unplug(0)
    #expect(await collector.ended())
    #expect(collector.failure?.code == .disconnected && collector.failure?.message.contains("plug it in again") == true)
  }

  /// IIO-15: silence, and `buffer/enable` is 0 although the test did not ask for it.
  @Test func aBufferThatIsSwitchedOffByAnotherIsPolledFromThenOn() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip()
    let source = try fake.source()
    let collector = SampleCollector(source, clock: MonotonicClock()) { _, _ in source.statistics.passes >= 3 }
    #expect(await collector.began(within: .seconds(60)))
    try SystemFiles.system.write(fake.folder(0) + "/buffer/enable", "0")
    #expect(await collector.ended())
    #expect(source.statistics.passes >= 3 && source.statistics.fallbacks.last?.code == .busy)
    let times = collector.samples.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func resumeAfterLeavesOutWhatWasThere() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip()
    let limit = MonotonicClock().now + .milliseconds(120)
    let collector = SampleCollector(try fake.source(), clock: MonotonicClock(), resumeAfter: limit) { _, count in
      count >= 3
    }
    _ = await collector.ended()
    #expect(collector.samples.count == 3 && collector.samples.allSatisfy { $0.time > limit })
  }
}

/// What listeners who take batches save (an 800 Hz batch costs a handful of wake-ups a second).
@Suite struct IIOBatchTests {
  @Test func eightHundredHertzInBatchesOfHalfASecondCostAHandfulOfReads() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip(rate: 800)
    let source = try fake.source()
    let request = SensorRequest(kinds: .inertial, interval: .zero, latency: .milliseconds(500))
    let count = Lock(0)
    let times = Lock<[SensorInstant]>([])
    let session = SensorSession(clock: MonotonicClock(), request: request) { sample, session throws(SourceStopped) in
      times.withLock { $0.append(sample.time) }
      let seen = count.withLock { count in
        count += 1
        return count
      }
      if seen >= 1200 {
        session.stop()
        throw SourceStopped()
      }
    }
    #expect(throws: SourceStopped.self) { try source.run(session) }
    // 1.5 s of samples: three batches of 400, each one wake and one read.
    #expect(source.statistics.wakes <= 6 && source.statistics.reads <= 6)
    #expect(fake.state.withLock { $0.writes }.contains("buffer/watermark=400"))
    #expect(fake.read(0, "buffer/watermark") == "1" && fake.read(0, "buffer/length") == "2")
    let steps = times.withLock { zip($0, $0.dropFirst()).map { ($1 - $0).nanoseconds } }
    #expect(steps.allSatisfy { abs($0 - 1_250_000) <= 1 })
  }

  @Test func aFifoOfTheChipWaitsAsLongAsAllowedAndIsPutBack() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip(rate: 200)
    try fake.add(0, ["buffer/hwfifo_timeout": "0.300000"])
    let collector = SampleCollector(try fake.source { $0.watermark = 20 }, clock: MonotonicClock()) { _, _ in
      fake.state.withLock { $0.writes }.contains("buffer/hwfifo_timeout=0.2")
    }
    #expect(await collector.began(within: .seconds(60)))
    #expect(fake.read(0, "buffer/hwfifo_timeout") == "0" && fake.read(0, "buffer/watermark") == "20")
    collector.session.update(SensorRequest(kinds: .inertial, interval: .zero, latency: .milliseconds(200)))
    #expect(await collector.ended())
    #expect(fake.read(0, "buffer/hwfifo_timeout") == "0.300000" && fake.read(0, "buffer/watermark") == "1")
  }

  /// One listener more must not cost the others a sample.
  @Test func aNewListenerAtTheSameRateChangesNothingAtTheDevice() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip(rate: 200)
    let source = try fake.source { $0.rate = 200 }
    let collector = SampleCollector(source, clock: MonotonicClock(), kinds: .gyroscope) { sample, _ in
      sample.kinds == .inertial
    }
    #expect(await collector.began(within: .seconds(60)))
    let writes = fake.state.withLock { $0.writes.count }
    collector.session.update(SensorRequest(kinds: .inertial, interval: .milliseconds(5)))
    #expect(await collector.ended())
    // What came after the change was to restore the settings, beginning with the buffer itself.
    #expect(fake.state.withLock { $0.writes[writes] } == "buffer/enable=0" && source.statistics.gaps == 0)
    let steps = zip(collector.samples, collector.samples.dropFirst()).map { ($1.time - $0.time).nanoseconds }
    #expect(steps.allSatisfy { abs($0 - 5_000_000) <= 1 })
  }

  /// R-9: a hub that says nothing is switched off and on, once.
  @Test func aSilentBufferIsSwitchedOffAndOnOnce() async throws {
    let fake = try FakeSensors()
    try fake.addInertialChip(rate: 200)
    fake.state.withLock { $0.deafness = 1 }
    let source = try fake.source()
    let collector = SampleCollector(source, clock: MonotonicClock()) { _, count in count >= 3 }
    #expect(await collector.ended())
    #expect(collector.samples.count == 3 && source.statistics.restarts == 1)
  }
}
