// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionMath
import MotionSensing
import SimulatedSources
import Testing

@testable import HeadphoneSources
@testable import TestSupport

/// Reading a head tracker over folders and sockets that stand for the kernel.
@Suite(.serialized) struct HeadTrackerSourceTests {
  private func collect(_ source: HeadTrackerSource, until count: Int) async -> SampleCollector {
    let collector = SampleCollector(source, clock: MonotonicClock()) { _, seen in seen >= count }
    _ = await collector.ended()
    return collector
  }

  /// rad: the largest angle between samples and the truth at the instant of their reports.
  private func worstError(_ samples: [SensorSample], _ peer: HeadTrackerPeer) throws -> (
    attitude: Double, stamp: Double
  ) {
    var worst = (attitude: 0.0, stamp: 0.0)
    let times = peer.reportTimes
    for (index, sample) in samples.enumerated() {
      guard case .motion(let motion) = sample, index < times.count else { continue }
      let truth = peer.trajectory.state(at: (times[index] - peer.epoch).seconds)
      let attitude = try #require(motion.attitude).relabeled(from: Device.self, to: EastNorthUp.self)
      worst.attitude = max(worst.attitude, attitude.angle(to: truth.attitude))
      worst.stamp = max(worst.stamp, abs((motion.time - times[index]).seconds))
    }
    return worst
  }

  private static let layouts: [@Sendable (inout HeadTrackerPeer.Layout) -> Void] = [
    { _ in }, { ($0.inputID, $0.controlID, $0.descriptionID) = (3, 7, 14) }, { $0.hasOneInterval = true },
    { $0.isVersion2 = true }, { $0.isPowerReversed = true }, { $0.bits = 12 },
  ]

  @Test(arguments: 0..<layouts.count) func everyLayoutGivesTheTruth(layout: Int) async throws {
    // Ever in motion, unlike a head that begins with a rest.
    let peer = try HeadTrackerPeer(trajectory: Tumble(), Self.layouts[layout])
    let source = try peer.source()
    let collector = await collect(source, until: peer.layout.hasOneInterval ? 12 : 40)
    let worst = try worstError(collector.samples, peer)
    print(
      "head tracker, layout \(layout): attitude within \(worst.attitude * 180 / .pi)°, stamps within \(worst.stamp * 1000) ms"
    )
    #expect(worst.attitude * 180 / .pi < 0.1)
    #expect(source.statistics.reports >= 12 && source.statistics.malformed == 0)
    #expect(source.statistics.interval.map { abs($0 - (peer.layout.hasOneInterval ? 0.04 : 0.01)) < 1e-9 } == true)
    // Switched off behind it.
    #expect(!peer.isStreaming)
  }

  @Test func itKeepsItsPromises() async throws {
    #expect(
      await SourceConformance(source: try HeadTrackerPeer().source(), span: .milliseconds(250)).violations() == [])
  }

  @Test func settingsAreWrittenInTheOrderOfTheProtocol() async throws {
    let peer = try HeadTrackerPeer { $0.isVersion2 = true }
    _ = await collect(try peer.source(options: ["rate": "50"]), until: 2)
    // Transport, interval, power, reporting; then reporting off, power off.
    #expect(peer.writes.map { $0[0] } == [0, 0b0001_1100, 0b0001_1110, 0b0001_1111, 0b0001_1110, 0b0001_1100])
  }

  @Test func aTrackerThatIsGoneIsWaitedFor() async throws {
    let peer = try HeadTrackerPeer()
    let source = try peer.source()
    let collector = SampleCollector(source, clock: MonotonicClock())
    defer { collector.stop() }
    #expect(await eventually { collector.samples.count > 5 })
    try peer.unplug()
    #expect(await eventually { source.status.problem?.code == .notFound && source.status.phase == .idle })
    let count = collector.samples.count
    try peer.plug()
    #expect(await eventually { collector.samples.count > count + 5 })
    #expect(collector.reports.map(\.connection.isConnected) == [true, false, true])
    #expect(source.statistics.reconnections == 1)
    let times = collector.samples.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  /// The call that waits for the device's answer fails like one that the device refuses, and the device goes a moment
  /// later.
  @Test(arguments: [EIO, ETIMEDOUT]) func aLinkThatIsLostDuringACallIsNoFailure(errno: Int32) async throws {
    let peer = try HeadTrackerPeer()
    let link = Lock((isLost: false, hasFailed: false))
    var nodes = peer.nodes
    let setFeature = nodes.setFeature
    nodes.setFeature = { (descriptor, bytes) throws(SystemFailure) in
      guard link.withLock({ $0.isLost }) else { return try setFeature(descriptor, bytes) }
      link.withLock { $0.hasFailed = true }
      throw .init(errno: errno)
    }
    // The moment later: when the driver has looked for the device and waits before it looks again.
    let clock = WatchedClock {
      let isDue = link.withLock { link in
        defer { if link.hasFailed { link = (false, false) } }
        return link.hasFailed
      }
      if isDue { try? peer.unplug() }
    }
    var options = HeadTrackerOptions()
    options.root = SystemRoot(peer.root)
    let source = try HeadTrackerSource(path: "", options: options, nodes: nodes)
    link.withLock { $0.isLost = true }
    let collector = SampleCollector(source, clock: clock)
    defer { collector.stop() }
    #expect(await eventually { source.status.problem?.code == .notFound && source.status.phase == .idle })
    #expect(collector.failure == nil)
    try peer.plug()
    #expect(await eventually { collector.samples.count > 5 })
  }

  @Test func aDeviceThatRefusesASettingIsAFailure() async throws {
    let peer = try HeadTrackerPeer()
    var nodes = peer.nodes
    nodes.setFeature = { (_, _) throws(SystemFailure) in throw .init(errno: EIO) }
    var options = HeadTrackerOptions()
    options.root = SystemRoot(peer.root)
    let error = await failure(of: try HeadTrackerSource(path: "", options: options, nodes: nodes))
    #expect(error?.code == .system && error?.errno == EIO)
  }

  /// The kernel gives a number that has become free again to the next who opens something.
  @Test func theSimulatedDeviceSpeaksWithOneVoiceAfterItHasBeenAway() async throws {
    let peer = try HeadTrackerPeer { $0.hasOneInterval = true }
    let nodes = peer.nodes
    let on: [UInt8] = [peer.layout.controlID, 0b11]
    let old = try nodes.open("\(peer.root)/dev/hidraw1")
    try nodes.setFeature(old, on)
    #expect(await eventually { peer.reportTimes.count > 1 })
    close(old)
    try peer.unplug()
    try peer.plug()
    let new = try nodes.open("\(peer.root)/dev/hidraw2")
    defer { close(new) }
    try nodes.setFeature(new, on)
    let before = peer.reportTimes.count
    #expect(await eventually { peer.reportTimes.count > before + 10 })
    let times = peer.reportTimes.dropFirst(before)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == .milliseconds(40) })
  }

  @Test func aJumpOfTheReferenceIsCounted() async throws {
    let peer = try HeadTrackerPeer()
    let source = try peer.source()
    let collector = SampleCollector(source, clock: MonotonicClock())
    defer { collector.stop() }
    #expect(await eventually { collector.samples.count > 2 })
    peer.jump(by: 1)
    #expect(await eventually { source.statistics.discontinuities == 1 })
    #expect(source.status.discontinuities == 1)
  }

  /// The direction of the rotation vector shows when the head moves.
  @Test(arguments: [false, true]) func theWrongDirectionIsNoticed(isInverse: Bool) async throws {
    let spin = Spin(axis: Vector3(x: 1, y: 2, z: 2), rate: 3)
    let peer = try HeadTrackerPeer(trajectory: spin) { $0.isInverse = isInverse }
    let right = try peer.source(options: ["direction": isInverse ? "reference-to-head" : "head-to-reference"])
    let samples = await collect(right, until: 60).samples
    #expect(try worstError(samples, peer).attitude * 180 / .pi < 0.1 && !right.statistics.contradictsDirection)
    let wrong = try peer.source(options: ["direction": isInverse ? "head-to-reference" : "reference-to-head"])
    _ = await collect(wrong, until: 60)
    #expect(wrong.statistics.contradictsDirection)
    let words = wrong.status.problem?.message ?? ""
    #expect(words.contains("direction=\(right.options.direction.rawValue)") && right.status.problem == nil)
  }

  @Test func refusalsSayWhatToDo() async throws {
    let closed = try HeadTrackerPeer(isInHub: true, { _ in }).source()
    #expect(closed.limitation?.message.contains("blacklist hid_sensor_hub") == true)
    let refused = try HeadTrackerPeer()
    refused.refuse(with: EACCES)
    let error = await failure(of: try refused.source())
    #expect(error?.code == .notPermitted && error?.message.contains(HeadTrackerProblem.rule) == true)
    let other = await failure(of: try HeadTrackerPeer { $0.text = "#SomethingElse#1.0" }.source())
    #expect(other?.code == .unsupported && other?.message.contains("#SomethingElse#1.0") == true)
  }

  private func failure(of source: HeadTrackerSource) async -> SensorError? {
    let collector = SampleCollector(source, clock: MonotonicClock())
    _ = await collector.ended()
    return collector.failure
  }

  @Test func anAbsentTrackerIsNoneUnlessAnAdapterCouldBringIt() throws {
    let tree = try TemporaryFolder()
    let root = SystemRoot(tree.path)
    #expect(!HeadTrackerSource.isPresent(root: root) && HeadTrackerSource.each(root: root).isEmpty)
    let error = #expect(throws: SensorError.self) {
      try HeadTrackerSource(path: "", options: [:], standardRoot: root)
    }
    #expect(error?.code == .notFound)
    try tree.makeFolder("sys/class/bluetooth/hci0")
    let waiting = try HeadTrackerSource(path: "WH-1000XM5", options: [:], standardRoot: root)
    #expect(waiting.info.name == "head tracker" && waiting.limitation == nil)
    let peer = try HeadTrackerPeer()
    #expect(try peer.source(HeadTrackerPeer.name).info.name == "Simulated WH-1000XM5 (head tracker)")
    #expect(try peer.source("hidraw1").info.identity == "headtracker 00:00:5E:00:53:02")
    #expect(throws: SensorError.self) { try peer.source("hidraw9") }
  }

  @Test(arguments: ["rate=0", "rate=x", "direction=up", "speed=2"]) func optionsThatAreNotUnderstoodAreRefused(
    text: String
  ) {
    let pair = text.split(separator: "=").map(String.init)
    #expect(throws: SensorError.self) { try HeadTrackerOptions([pair[0]: pair[1]]) }
  }

  /// From the bytes to the handler of a client.
  @Test func aClientGetsTheTruth() async throws {
    let peer = try HeadTrackerPeer(trajectory: Tumble())
    let host = MotionHost(headphones: try peer.source())
    let manager = host.run { CMHeadphoneMotionManager() }
    #expect(manager.isDeviceMotionAvailable)
    let poses = Lock<[(time: Double, attitude: CMQuaternion, acceleration: CMAcceleration, gravity: CMAcceleration)]>([]
    )
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    manager.startDeviceMotionUpdates(to: queue) { motion, _ in
      guard let motion else { return }
      poses.withLock {
        $0.append((motion.timestamp, motion.attitude.quaternion, motion.userAcceleration, motion.gravity))
      }
    }
    #expect(await eventually { poses.withLock { $0.count } >= 60 })
    manager.stopDeviceMotionUpdates()
    let times = peer.reportTimes
    var worst = 0.0
    for (index, pose) in poses.withLock({ $0 }).enumerated() where index < times.count {
      let q = pose.attitude
      let attitude = try #require(Rotation<Device, EastNorthUp>(w: q.w, x: q.x, y: q.y, z: q.z))
      let truth = peer.trajectory.state(at: (times[index] - peer.epoch).seconds)
      worst = max(worst, attitude.angle(to: truth.attitude))
      let down = truth.attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: -1)
      #expect(abs(pose.gravity.x - down.x) < 2e-3 && abs(pose.gravity.z - down.z) < 2e-3)
      #expect(pose.acceleration.x == 0 && pose.acceleration.z == 0)
    }
    print("head tracker to CMHeadphoneMotionManager: attitude within \(worst * 180 / .pi)° of the truth")
    #expect(worst * 180 / .pi < 0.1)
  }
}

/// The monotonic clock, with an ear for who is about to wait on it.
private struct WatchedClock: SensorClock {
  var beforeWait: @Sendable () -> Void
  private let clock = MonotonicClock()

  init(beforeWait: @escaping @Sendable () -> Void) { self.beforeWait = beforeWait }

  var now: SensorInstant { clock.now }
  func wait(until deadline: SensorInstant, wake: WakeSignal) -> Bool {
    beforeWait()
    return clock.wait(until: deadline, wake: wake)
  }
  func beginWork() {}
  func endWork() {}
}
