// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import HeadphoneSimulation
import MotionMath
import MotionSensing
import MotionTesting
import SimulatedSources
import Testing

/// S56, S57, D11, D12: which queue the delegate is called on as services come and go, and what putting on again means.
@Suite struct HeadphoneDelegateTests {
  /// S56: with the motion its queue goes; connection updates that stay on come on the main queue.
  @Test func afterTheMotionTheDelegateIsCalledOnTheMainQueue() async {
    let bench = HeadphoneBench { $0.events = [.init(.takeOff, at: 1), .init(.putOn, at: 2), .init(.takeOff, at: 3)] }
    let manager = bench.manager()
    let log = ConnectionLog()
    manager.delegate = log
    let queue = serialQueue()
    manager.startConnectionStatusUpdates()
    manager.startDeviceMotionUpdates(to: queue) { _, _ in }
    await bench.clock.advance(by: .milliseconds(1500))
    manager.stopDeviceMotionUpdates()
    await bench.clock.advance(by: .seconds(1))
    #expect(log.words.value == ["connect", "disconnect", "connect"])
    #expect(log.queues.value[1] === queue && log.queues.value[2] === OperationQueue.main)
    // A queue that comes back counts at once.
    manager.startDeviceMotionUpdates(to: queue) { _, _ in }
    await bench.clock.advance(by: .seconds(1))
    #expect(log.words.value.count == 4 && log.queues.value[3] === queue)
    manager.stopDeviceMotionUpdates()
    manager.stopConnectionStatusUpdates()
  }

  /// D11 is about starts: a delegate that comes later hears what happens from then on.
  @Test func aDelegateThatComesLaterHearsChanges() async {
    let bench = HeadphoneBench { $0.events = [.init(.disconnect, at: 2), .init(.connect, at: 3)] }
    let manager = bench.manager()
    manager.startDeviceMotionUpdates(to: serialQueue()) { _, _ in }
    await bench.clock.advance(by: .seconds(1))
    let log = ConnectionLog()
    manager.delegate = log
    await bench.clock.advance(by: .milliseconds(500))
    #expect(log.words.value == [])
    await bench.clock.advance(by: .seconds(2))
    #expect(log.words.value == ["disconnect", "connect"])
    manager.delegate = nil
    manager.stopDeviceMotionUpdates()
  }

  /// D12: taking off and putting on changes only the client's azimuth: the first pose that it kept still counts from
  /// where the headphones say, until it takes a new one, as at a connection.
  @Test func puttingOnAgainLeavesTheAzimuthToTheClient() async {
    let bench = HeadphoneBench { $0.events = [.init(.takeOff, at: 5), .init(.putOn, at: 6)] }
    let manager = bench.manager()
    let poses = Box<[(time: Double, attitude: CMAttitude)]>([])
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, _ in
      if let motion { poses.with { $0.append((motion.timestamp, motion.attitude)) } }
    }
    await bench.clock.advance(by: .seconds(7))
    manager.stopDeviceMotionUpdates()
    let heard = poses.value
    #expect((300...301).contains(heard.count) && heard.allSatisfy { $0.time < 5 || $0.time >= 6 })
    for (time, attitude) in heard {
      guard let instant = SensorInstant(seconds: time), let truth = bench.source.truth(at: instant)?.attitude else {
        Issue.record("There is no truth at \(time) s.")
        return
      }
      let q = attitude.quaternion
      let cosine = abs(q.w * truth.w + q.x * truth.x + q.y * truth.y + q.z * truth.z)
      #expect(cosine > 1 - 1e-12)
    }
    // The client takes a new straight ahead at the connection.
    guard let again = heard.first(where: { $0.time >= 6 })?.attitude, let last = heard.last?.attitude else {
      Issue.record("No sample came after the headphones were put on again.")
      return
    }
    let absolute = last.yaw - again.yaw
    last.multiply(byInverseOf: again)
    #expect(abs(last.yaw - absolute) < 1e-9)
  }
}
