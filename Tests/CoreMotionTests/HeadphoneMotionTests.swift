// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import HeadphoneSimulation
import MotionHost
import MotionMath
import MotionRecording
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

/// S54–S58, D4, D10–D12, D22, D24: the motion of a head.
@Suite struct HeadphoneMotionTests {
  /// S54, S55, D10: every sample of the source, with its side; no interval is asked for.
  @Test(arguments: [(25.0, true), (25, false), (50, true), (50, false)])
  func samplesComeAtTheHeadphonesOwnRateAndNameTheirSide(_ rate: Double, _ isFused: Bool) async {
    let bench = HeadphoneBench {
      $0.rate = rate
      $0.isFused = isFused
      $0.events = [.init(.switchSide, at: 1)]
    }
    let manager = bench.manager()
    let samples = Box<[(time: Double, side: CMDeviceMotion.SensorLocation)]>([])
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, error in
      #expect(error == nil)
      if let motion { samples.with { $0.append((motion.timestamp, motion.sensorLocation)) } }
    }
    #expect(manager.isDeviceMotionActive)
    await bench.clock.advance(by: .seconds(2))
    let heard = samples.value
    // A new side begins a new filter, whose first sample may be a state short.
    #expect((Int(2 * rate) - 2...Int(2 * rate) + 1).contains(heard.count))
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($1.time - $0.time - 1 / rate) < 1.01 / rate })
    #expect(heard.allSatisfy { $0.side == ($0.time < 1 ? .headphoneLeft : .headphoneRight) })
    #expect(manager.deviceMotion?.sensorLocation == .headphoneRight)
    manager.stopDeviceMotionUpdates()
  }

  /// Raw rates are fused by our filter, within two degrees of the truth; a change of sides, in the middle of a turn of
  /// the head, begins another filter without a jump of the azimuth.
  @Test func rawRatesAreFusedWithoutAJumpAtAChangeOfSides() async {
    let bench = HeadphoneBench {
      $0.isFused = false
      $0.events = [.init(.switchSide, at: 6.2)]
    }
    let manager = bench.manager()
    let heard = Box<[(time: Double, yaw: Double, pitch: Double)]>([])
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, _ in
      if let motion {
        heard.with { $0.append((motion.timestamp, motion.attitude.yaw, motion.attitude.pitch)) }
      }
    }
    await bench.clock.advance(by: .seconds(12))
    manager.stopDeviceMotionUpdates()
    let errors = heard.value.compactMap { sample -> (time: Double, yaw: Double, pitch: Double)? in
      guard let time = SensorInstant(seconds: sample.time), let truth = bench.source.truth(at: time)?.attitude
      else { return nil }
      let (yaw, pitch) = Self.angles(x: truth.x, y: truth.y, z: truth.z, w: truth.w)
      return (sample.time, (sample.yaw - yaw) * 180 / .pi, (sample.pitch - pitch) * 180 / .pi)
    }
    #expect(errors.count > 590)
    #expect(errors.allSatisfy { abs($0.yaw) < 2 && abs($0.pitch) < 2 })
    let (before, after) = (errors.last { $0.time < 6.2 }, errors.first { $0.time >= 6.2 })
    #expect(abs((after?.yaw ?? 9) - (before?.yaw ?? 0)) < 0.2 && (after?.time ?? 9) < 6.25)
  }

  /// S13.
  private static func angles(x: Double, y: Double, z: Double, w: Double) -> (yaw: Double, pitch: Double) {
    (atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z)), asin(2 * (w * x + y * z)))
  }

  /// D12: the source's own numbers pass through, and their differences are right.
  @Test func fusedMotionPassesThroughAndIsRecentredByTheClient() async {
    let bench = HeadphoneBench()
    let manager = bench.manager()
    let first = Box<CMAttitude?>(nil)
    let worst = Box(0.0)
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, _ in
      guard let motion else { return }
      let attitude = motion.attitude.copy() as! CMAttitude
      let reference = first.with { first -> CMAttitude in
        first = first ?? attitude
        return first ?? attitude
      }
      let absolute = (attitude.yaw, attitude.pitch)
      attitude.multiply(byInverseOf: reference)
      worst.with { $0 = max($0, abs(attitude.yaw - absolute.0), abs(attitude.pitch - absolute.1)) }
    }
    await bench.clock.advance(by: .seconds(8))
    #expect(worst.value < 1e-12 && first.value?.yaw == 0)
    manager.stopDeviceMotionUpdates()
  }

  /// A recording of headphones serves as headphones: its numbers, its sides, connected from the start.
  @Test func aRecordingOfHeadphonesServesAsHeadphones() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("headphones-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let rows = (0..<50).map { row in
      "\(1_698_501_144_400_000_000 + row * 20_000_000),\(Double(row) / 50),0,0,0,0,0,-9.80665,0,0,0,1,0,0,0,"
        + (row < 25 ? "left" : "right")
    }
    let header =
      "time,seconds_elapsed,rotationRateX,rotationRateY,rotationRateZ,gravityX,gravityY,gravityZ,accelerationX,"
      + "accelerationY,accelerationZ,quaternionW,quaternionX,quaternionY,quaternionZ,devicelocation"
    try ([header] + rows + [""]).joined(separator: "\n").write(
      to: folder.appendingPathComponent("Headphone.csv"), atomically: true, encoding: .utf8)
    try "version,device name,platform,appVersion,sensors\n3,phone,ios,1.40,Headphone\n".write(
      to: folder.appendingPathComponent("Metadata.csv"), atomically: true, encoding: .utf8)
    let clock = VirtualClock()
    let host = MotionHost(headphones: try ReplaySource(path: folder.path, options: [:]), clock: clock)
    let manager = host.run { CMHeadphoneMotionManager() }
    let log = ConnectionLog()
    manager.delegate = log
    let sides = Box<[CMDeviceMotion.SensorLocation]>([])
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, _ in
      if let motion { sides.with { $0.append(motion.sensorLocation) } }
    }
    await clock.advance(by: .seconds(3))
    #expect(sides.value.prefix(25).allSatisfy { $0 == .headphoneLeft } && sides.value.count == 50)
    #expect(sides.value.suffix(25).allSatisfy { $0 == .headphoneRight } && log.words.value == ["connect"])
    #expect(manager.deviceMotion?.gravity.z == -1 && manager.isDeviceMotionActive)
    manager.stopDeviceMotionUpdates()
  }

  /// S56: the delegate is called on the queue that was given, before the first sample.
  @Test func theDelegateIsCalledOnTheGivenQueueBeforeTheFirstSample() async {
    let bench = HeadphoneBench { $0.events = [.init(.disconnect, at: 1)] }
    let manager = bench.manager()
    let log = ConnectionLog()
    manager.delegate = log
    let queue = serialQueue()
    let before = Box<[String]?>(nil)
    manager.startDeviceMotionUpdates(to: queue) { _, _ in before.with { $0 = $0 ?? log.words.value } }
    await bench.clock.advance(by: .seconds(2))
    #expect(before.value == ["connect"] && log.words.value == ["connect", "disconnect"])
    #expect(log.queues.value.allSatisfy { $0 === queue } && log.managers.value == [ObjectIdentifier(manager)])
    manager.stopDeviceMotionUpdates()
  }

  /// S56: without a queue on the main queue (whose thread is not the first one in a test process); also for connection
  /// updates alone.
  @Test(arguments: [true, false]) func withoutAQueueTheDelegateIsCalledOnTheMainQueue(_ pulls: Bool) async {
    let bench = HeadphoneBench()
    let manager = bench.manager()
    let log = MainQueueLog()
    manager.delegate = log
    if pulls { manager.startDeviceMotionUpdates() } else { manager.startConnectionStatusUpdates() }
    await bench.clock.advance(by: .milliseconds(100))
    #expect(log.calls.value == [true])
    #expect((manager.deviceMotion != nil) == pulls)
    manager.stopDeviceMotionUpdates()
    manager.stopConnectionStatusUpdates()
  }

  private final class MainQueueLog: NSObject, CMHeadphoneMotionManagerDelegate, @unchecked Sendable {
    let calls = Box<[Bool]>([])
    // D16: the other method is left out.
    func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) {
      dispatchPrecondition(condition: .onQueue(.main))
      calls.with { $0.append(OperationQueue.current === OperationQueue.main) }
    }
  }

  /// S57: events without motion; stopping undoes that start only.
  @Test func connectionUpdatesNeedNoMotion() async {
    let bench = HeadphoneBench { $0.events = [.init(.takeOff, at: 1), .init(.putOn, at: 2), .init(.takeOff, at: 3)] }
    let manager = bench.manager()
    let log = ConnectionLog()
    manager.delegate = log
    #expect(!manager.isConnectionStatusActive)
    manager.startConnectionStatusUpdates()
    manager.startConnectionStatusUpdates()
    #expect(manager.isConnectionStatusActive && !manager.isDeviceMotionActive)
    await bench.clock.advance(by: .milliseconds(1500))
    #expect(log.words.value == ["connect", "disconnect"] && manager.deviceMotion == nil)
    #expect(bench.host.headphones?.statistics.motion.delivered == 0)
    manager.startDeviceMotionUpdates()
    manager.stopConnectionStatusUpdates()
    #expect(!manager.isConnectionStatusActive && manager.isDeviceMotionActive)
    await bench.clock.advance(by: .seconds(1))
    #expect(log.words.value == ["connect", "disconnect", "connect"] && manager.deviceMotion != nil)
    manager.stopDeviceMotionUpdates()
    await bench.clock.advance(by: .seconds(1))
    #expect(log.words.value.count == 3 && bench.host.headphones?.isRunning == false)
  }

  /// S57, D11: connected already, one didConnect, however many services listen; a later start hears of it again.
  @Test func headphonesThatAreThereAlreadyAreToldOnce() async {
    let bench = HeadphoneBench()
    let other = bench.manager()
    other.startDeviceMotionUpdates()
    await bench.clock.advance(by: .seconds(1))
    let manager = bench.manager()
    let log = ConnectionLog()
    manager.delegate = log
    manager.startConnectionStatusUpdates()
    manager.startDeviceMotionUpdates(to: serialQueue()) { _, _ in }
    await bench.clock.advance(by: .seconds(1))
    #expect(log.words.value == ["connect"])
    manager.stopConnectionStatusUpdates()
    manager.stopDeviceMotionUpdates()
    manager.startDeviceMotionUpdates(to: serialQueue()) { _, _ in }
    await bench.clock.advance(by: .seconds(1))
    #expect(log.words.value == ["connect", "connect"])
    manager.stopDeviceMotionUpdates()
    other.stopDeviceMotionUpdates()
  }

  /// S57: with automatic ear detection taking off is a disconnection, without it is not.
  @Test(arguments: [true, false]) func earDetectionDecidesWhatTakingOffMeans(_ detects: Bool) async {
    let bench = HeadphoneBench {
      $0.detectsWearing = detects
      $0.events = [.init(.takeOff, at: 1), .init(.putOn, at: 2)]
    }
    let manager = bench.manager()
    let log = ConnectionLog()
    manager.delegate = log
    let calls = Box<[Double]>([])
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, error in
      #expect(error == nil)
      calls.with { $0.append(motion?.timestamp ?? -1) }
    }
    await bench.clock.advance(by: .milliseconds(1500))
    // D4: what is not there has no latest sample; the service stays active.
    #expect((manager.deviceMotion == nil) == detects && manager.isDeviceMotionActive)
    await bench.clock.advance(by: .milliseconds(1500))
    #expect(log.words.value == (detects ? ["connect", "disconnect", "connect"] : ["connect"]))
    #expect(calls.value.contains { $0 > 1.01 && $0 < 1.99 } != detects && manager.deviceMotion?.timestamp == 3)
    manager.stopDeviceMotionUpdates()
    #expect(manager.deviceMotion == nil && !manager.isDeviceMotionActive)
  }

  /// A link that comes up later; nothing is reported before.
  @Test func headphonesThatComeLaterAreTold() async {
    let bench = HeadphoneBench {
      $0.isConnected = false
      $0.events = [.init(.connect, at: 1)]
    }
    let manager = bench.manager()
    let log = ConnectionLog()
    manager.delegate = log
    // S58, D24: support, not connection.
    #expect(manager.isDeviceMotionAvailable)
    manager.startDeviceMotionUpdates()
    await bench.clock.advance(by: .milliseconds(900))
    #expect(log.words.value == [] && manager.deviceMotion == nil && manager.isDeviceMotionAvailable)
    await bench.clock.advance(by: .milliseconds(200))
    #expect(log.words.value == ["connect"] && manager.deviceMotion != nil)
    manager.stopDeviceMotionUpdates()
  }

  /// D19: a source that fails is a disconnection and one error, and heals by itself; D24: it stays available.
  @Test func aFailureOfTheSourceIsADisconnectionAndOneError() async {
    let clock = VirtualClock()
    let source = ScriptedSource(rate: 50)
    let host = MotionHost(headphones: source, clock: clock)
    let manager = host.run { CMHeadphoneMotionManager() }
    let log = ConnectionLog()
    manager.delegate = log
    let codes = Box<[UInt32?]>([])
    manager.startDeviceMotionUpdates(to: serialQueue()) { _, error in
      if error != nil { codes.with { $0.append(NSError.motionCode(error)) } }
    }
    await clock.advance(by: .seconds(1))
    source.record.withLock { $0.failure = SensorError(.disconnected, "The adapter was pulled out.") }
    await clock.advance(by: .seconds(2))
    #expect(codes.value == [109] && log.words.value == ["connect", "disconnect"] && manager.deviceMotion == nil)
    #expect(manager.isDeviceMotionAvailable && manager.isDeviceMotionActive)
    source.record.withLock { $0.failure = nil }
    await clock.advance(by: .seconds(2))
    #expect(codes.value.count == 1 && log.words.value == ["connect", "disconnect", "connect"])
    #expect(manager.deviceMotion != nil)
    manager.stopDeviceMotionUpdates()
  }
}
