// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import HeadphoneSimulation
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

/// S31, S46, D5, D22, D27: headphones that are not there or not allowed, starting again, and what is kept alive.
@Suite struct HeadphoneLifeTests {
  /// S31, D27, D43: without a source nothing is available, and a start only answers its handler with one error. The
  /// device's sensors are no headphones.
  @Test func withoutHeadphonesNothingStarts() {
    let manager = Bench().host.run { CMHeadphoneMotionManager() }
    let answers = Box<[Bool]>([])
    let queue = serialQueue()
    manager.startDeviceMotionUpdates()
    manager.startDeviceMotionUpdates(to: queue) { motion, error in
      answers.with { $0.append(motion == nil && (error as? NSError)?.code == Int(CMErrorNotAvailable.rawValue)) }
    }
    manager.startConnectionStatusUpdates()
    #expect(!manager.isDeviceMotionAvailable && !manager.isDeviceMotionActive && !manager.isConnectionStatusActive)
    queue.waitUntilAllOperationsAreFinished()
    #expect(manager.deviceMotion == nil && answers.value == [true])
    manager.stopDeviceMotionUpdates()
    manager.stopConnectionStatusUpdates()
    let device = HeadphoneBench().host.run { CMMotionManager() }
    #expect(!device.isDeviceMotionAvailable)
  }

  /// D22: nothing arrives, the delegate is not called, and the status reads denied; it begins when it is allowed again.
  @Test func deniedMotionIsSilent() async {
    var policy = HostPolicy()
    policy.hasUsageDescription = false
    let bench = HeadphoneBench(policy: policy)
    let manager = bench.manager()
    let log = ConnectionLog()
    manager.delegate = log
    #expect(bench.host.run { CMHeadphoneMotionManager.authorizationStatus() } == .denied)
    manager.startDeviceMotionUpdates()
    await bench.clock.advance(by: .seconds(1))
    #expect(manager.deviceMotion == nil && log.words.value == [])
    bench.host.policy.hasUsageDescription = true
    await bench.clock.advance(by: .seconds(1))
    #expect(bench.host.run { CMHeadphoneMotionManager.authorizationStatus() } == .authorized)
    #expect(manager.deviceMotion != nil && log.words.value == ["connect"])
    manager.stopDeviceMotionUpdates()
  }

  /// D5: a second start replaces queue and handler and keeps the azimuth; the delegate moves to the new queue.
  @Test func aSecondStartReplacesQueueAndHandler() async {
    let bench = HeadphoneBench { $0.events = [.init(.disconnect, at: 2)] }
    let manager = bench.manager()
    let log = ConnectionLog()
    manager.delegate = log
    let (first, second) = (Box<[Double]>([]), Box<[Double]>([]))
    let queue = serialQueue()
    manager.startDeviceMotionUpdates(to: serialQueue()) { motion, _ in first.with { $0.append(motion?.timestamp ?? 9) }
    }
    await bench.clock.advance(by: .seconds(1))
    manager.startDeviceMotionUpdates(to: queue) { motion, _ in second.with { $0.append(motion?.timestamp ?? 9) } }
    await bench.clock.advance(by: .seconds(2))
    let times = first.value + second.value
    #expect(times == (0..<times.count).map { Double($0) / 50 } && times.count == 100)
    #expect(log.words.value == ["connect", "disconnect"] && log.queues.value.last == .some(queue))
    manager.stopDeviceMotionUpdates()
  }

  /// S46: the manager and its delegate are not kept alive, and a dropped manager ends its updates.
  @Test func nothingKeepsTheManagerOrItsDelegateAlive() async {
    let bench = HeadphoneBench { $0.events = [.init(.disconnect, at: 1)] }
    weak var weakManager: CMHeadphoneMotionManager?
    weak var weakLog: ConnectionLog?
    do {
      let manager = bench.manager()
      let log = ConnectionLog()
      manager.delegate = log
      (weakManager, weakLog) = (manager, log)
      manager.startDeviceMotionUpdates(to: serialQueue()) { _, _ in }
      manager.startConnectionStatusUpdates()
      await bench.clock.advance(by: .milliseconds(500))
      #expect(log.words.value == ["connect"])
    }
    #expect(weakManager == nil && weakLog == nil)
    await bench.clock.advance(by: .seconds(1))
    #expect(bench.host.headphones?.isRunning == false)
  }

  /// A delegate may stop everything from inside its callback, also on a queue that runs it at once.
  @Test func theDelegateMayStopTheManager() async {
    final class Stopper: NSObject, CMHeadphoneMotionManagerDelegate {
      func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {
        manager.stopDeviceMotionUpdates()
        manager.stopConnectionStatusUpdates()
      }
    }
    final class ImmediateQueue: OperationQueue, @unchecked Sendable {
      override func addOperation(_ operation: Operation) { operation.start() }
    }
    let bench = HeadphoneBench { $0.events = [.init(.takeOff, at: 1)] }
    let manager = bench.manager()
    let stopper = Stopper()
    manager.delegate = stopper
    manager.startConnectionStatusUpdates()
    manager.startDeviceMotionUpdates(to: ImmediateQueue()) { _, _ in }
    await bench.clock.advance(by: .seconds(2))
    #expect(!manager.isDeviceMotionActive && !manager.isConnectionStatusActive)
    #expect(await eventually { bench.host.headphones?.isRunning == false })
  }

  /// What mocks and client code name, with its exact type (T57, T58).
  @Test func theSurfaceIsThePages() {
    final class Mock: CMHeadphoneMotionManager {
      override class func authorizationStatus() -> CMAuthorizationStatus { .restricted }
      override var isDeviceMotionAvailable: Bool { true }
      override var isDeviceMotionActive: Bool { true }
      override var isConnectionStatusActive: Bool { true }
      override var deviceMotion: CMDeviceMotion? { CMDeviceMotion() }
      override func startDeviceMotionUpdates() {}
      override func startDeviceMotionUpdates(
        to queue: OperationQueue, withHandler handler: @escaping CMHeadphoneMotionManager.DeviceMotionHandler
      ) { handler(nil, nil) }
      override func stopDeviceMotionUpdates() {}
      override func startConnectionStatusUpdates() {}
      override func stopConnectionStatusUpdates() {}
    }
    let mock: CMHeadphoneMotionManager = Mock()
    let handler: CMHeadphoneMotionManager.DeviceMotionHandler = { (_: CMDeviceMotion?, _: (any Error)?) in }
    mock.startDeviceMotionUpdates(to: .main, withHandler: handler)
    let delegate: (any CMHeadphoneMotionManagerDelegate)? = mock.delegate
    #expect(delegate == nil && mock.deviceMotion != nil && Mock.authorizationStatus() == .restricted)
  }
}

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

/// A host on virtual time with simulated headphones, 50 Hz.
struct HeadphoneBench {
  let clock = VirtualClock()
  let source: SimulatedHeadphones
  let host: MotionHost

  init(
    policy: HostPolicy = HostPolicy(), trajectory: any Trajectory = HeadNod(),
    _ change: (inout SimulatedHeadphones.Configuration) -> Void = { _ in }
  ) {
    var configuration = SimulatedHeadphones.Configuration()
    change(&configuration)
    source = SimulatedHeadphones(trajectory: trajectory, configuration: configuration)
    host = MotionHost(headphones: source, clock: clock, policy: policy)
  }

  func manager() -> CMHeadphoneMotionManager { host.run { CMHeadphoneMotionManager() } }
}

/// Notes what it is told, and on which queue.
final class ConnectionLog: NSObject, CMHeadphoneMotionManagerDelegate, @unchecked Sendable {
  let words = Box<[String]>([])
  let queues = Box<[OperationQueue?]>([])
  let managers = Box<Set<ObjectIdentifier>>([])

  func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) { note("connect", manager) }
  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) { note("disconnect", manager) }

  private func note(_ word: String, _ manager: CMHeadphoneMotionManager) {
    words.with { $0.append(word) }
    queues.with { $0.append(OperationQueue.current) }
    managers.with { _ = $0.insert(ObjectIdentifier(manager)) }
  }
}
