// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import OrientationFusion
import Synchronization

/// The way of a sample from the source to the subscribers: time line, fusion, hand-out.
///
/// One run of the source at a time, and within a run one thread, works with it: `work` is not locked.
///
/// `@unchecked Sendable`: the hub starts a run only after the last one has ended, and both happen under the hub's lock, so
/// that successive source threads are ordered; `shared` is behind a lock.
final class SamplePipeline: @unchecked Sendable {
  /// A subscription with its stream as of the last change: asking for it takes a lock, which is too much for each sample.
  private struct Listener {
    let subscription: Subscription
    let stream: HubStream
  }

  private struct Work {
    var estimator: DeviceMotionEstimator
    var listeners: [Listener] = []
    var generation = -1
    var isReturning = false
    /// As last reported in this run.
    var connection: ConnectionState?
    /// When listeners were last told the time.
    var told: SensorInstant?
    var hearsTime = false
    /// When something was last handed to the memory, or the first sample of the run.
    var keptAt: SensorInstant?
  }

  /// How often listeners are told the time, in the source's time.
  private static let timeInterval = SensorDuration.milliseconds(250)

  /// What others may ask for while the source runs. The counts live in the time line: copying them out at every sample would
  /// cost more than the lock.
  private struct Shared {
    var timeline: SampleTimeline
    var lastInstant: SensorInstant?
  }

  private let info: SensorInfo
  private let mayWait: Bool
  private let memory: (any SensorMemory)?
  private var work: Work
  private let shared: Lock<Shared>

  init(info: SensorInfo, memory: (any SensorMemory)? = nil) {
    self.info = info
    self.memory = memory
    mayWait = info.pacing == .onDemand
    work = Work(estimator: DeviceMotionEstimator(info: info))
    shared = Lock(Shared(timeline: SampleTimeline(reordering: info.reordering)))
  }

  var statistics: TimelineStatistics { shared.withLock { $0.timeline.statistics } }
  var lastInstant: SensorInstant? { shared.withLock { $0.lastInstant } }

  /// A run begins: fusion starts anew, the magnetometer's calibration and the counts go on. With a memory, what it knows of
  /// the sensors goes on, too.
  func begin() {
    shared.withLock { $0.timeline.begin(keepingHeld: mayWait) }
    let learned = memory?.recall()
    var calibrator = work.estimator.calibrator
    if work.estimator.run == 0, !calibrator.state.isCalibrated, let stored = learned?.magnetometer {
      calibrator = MagnetometerCalibrator(calibration: stored)
    }
    work.estimator = DeviceMotionEstimator(
      info: info, calibrator: calibrator, learned: learned?.sensor, run: work.estimator.run + 1)
    work.keptAt = nil
    work.generation = -1
    work.isReturning = true
  }

  /// A run begins: what the one before has said of the connection does not count.
  func forgetConnection() { work.connection = nil }

  /// Another sensor, or the same after an absence, has a bias and a pose of its own: fusion starts anew. Readers keep their
  /// azimuth, because ``DeviceMotion/run`` goes up.
  func take(_ connection: ConnectionState) {
    defer { work.connection = connection }
    guard connection.isConnected else { return }
    let isOther = work.connection.map { $0 != connection } ?? (connection.location != .device)
    guard isOther else { return }
    let solutions = work.estimator.solutions
    work.estimator = DeviceMotionEstimator(
      info: info, calibrator: work.estimator.calibrator, run: work.estimator.run + 1)
    work.estimator.location = connection.location
    work.estimator.solutions = solutions
  }

  /// How often a memory hears of a run that goes on: who pulls the plug loses no more than that.
  private static let keepingInterval = SensorDuration.seconds(120)

  /// Hands over what has been learned, at the end of a run and now and then before.
  func keep() {
    guard let memory, let learned = work.estimator.learned else { return }
    memory.keep(learned)
  }

  private func keepNowAndThen(at time: SensorInstant) {
    guard memory != nil else { return }
    guard let last = work.keptAt else {
      work.keptAt = time
      return
    }
    guard time - last >= Self.keepingInterval else { return }
    work.keptAt = time
    keep()
  }

  func push(_ sample: SensorSample, _ session: SensorSession, hub: MotionHub) throws(SourceStopped) {
    if session.isStopped { throw SourceStopped() }
    refresh(hub)
    if work.isReturning {
      work.isReturning = false
      hub.noteReturn()
    }
    try waitForCredit(session, hub)
    let first = shared.withLock { shared in
      shared.timeline.push(sample)
      shared.lastInstant = max(shared.lastInstant ?? sample.time, sample.time)
      return shared.timeline.pop()
    }
    guard let first else { return }
    handOut(first)
    keepNowAndThen(at: sample.time)
    // A source that never reorders gives one for one.
    guard info.reordering > .zero else { return }
    while let next = shared.withLock({ $0.timeline.pop() }) { handOut(next) }
  }

  /// The source has ended: what was held for reordering comes out.
  func finish(_ session: SensorSession, hub: MotionHub) throws(SourceStopped) {
    refresh(hub)
    shared.withLock { $0.timeline.finish() }
    while let next = shared.withLock({ $0.timeline.pop() }) {
      if session.isStopped { throw SourceStopped() }
      try waitForCredit(session, hub)
      handOut(next)
    }
    if let motion = work.estimator.finish() { offer(.motion(motion), at: motion.time, where: Self.isMotion) }
  }

  /// Holds an on-demand source back until every consumer has caught up.
  private func waitForCredit(_ session: SensorSession, _ hub: MotionHub) throws(SourceStopped) {
    guard mayWait else { return }
    for listener in work.listeners where try listener.subscription.waitForCredit(session) { hub.countStall() }
    // Who joined meanwhile hears this sample too.
    refresh(hub)
  }

  /// Takes the present subscriptions over when they have changed since the last sample.
  private func refresh(_ hub: MotionHub) {
    let generation = hub.generation.load(ordering: .acquiring)
    guard generation != work.generation else { return }
    work.generation = generation
    work.listeners = hub.subscriptions().map { Listener(subscription: $0, stream: $0.stream) }
    work.hearsTime = work.listeners.contains(where: \.subscription.hearsTime)
    var solutions: DeviceMotionEstimator.Solutions = []
    for case .deviceMotion(let usesMagnetometer) in work.listeners.lazy.map(\.stream) {
      solutions.insert(usesMagnetometer ? .nineAxis : .sixAxis)
    }
    work.estimator.solutions = info.kinds.contains(.fusedMotion) ? [] : solutions
  }

  private func handOut(_ sample: SensorSample) {
    switch sample {
    case .accelerometer(let sample):
      offer(.accelerometer(sample), at: sample.time) { $0 == .accelerometer }
    case .gyroscope(let sample):
      offer(.gyroscope(sample), at: sample.time) { $0 == .gyroscope }
    case .inertial(let sample):
      offer(.accelerometer(sample.accelerometer), at: sample.accelerometer.time) { $0 == .accelerometer }
      offer(.gyroscope(sample.gyroscope), at: sample.gyroscope.time) { $0 == .gyroscope }
    case .magnetometer(let sample):
      offer(.magnetometer(sample), at: sample.time) { $0 == .magnetometer }
    case .pressure(let sample):
      let stream: HubStream = sample.medium == .air ? .airPressure : .waterPressure
      offer(.pressure(sample), at: sample.time) { $0 == stream }
    case .temperature(let sample):
      offer(.temperature(sample), at: sample.time) { $0 == .temperature }
    case .fusedMotion(let sample):
      offer(.fusedMotion(sample), at: sample.time, where: Self.isMotion)
    }
    if !work.estimator.solutions.isEmpty, let motion = work.estimator.update(sample) {
      offer(.motion(motion), at: motion.time, where: Self.isMotion)
    }
    if work.hearsTime { tellTime(sample.time) }
  }

  private func tellTime(_ time: SensorInstant) {
    if let told = work.told, told <= time, time - told < Self.timeInterval { return }
    work.told = time
    for listener in work.listeners where listener.subscription.hearsTime { listener.subscription.tell(.time(time)) }
  }

  private func offer(_ event: HubEvent, at time: SensorInstant, where isWanted: (HubStream) -> Bool) {
    for listener in work.listeners where isWanted(listener.stream) { listener.subscription.offer(event, at: time) }
  }

  private static func isMotion(_ stream: HubStream) -> Bool {
    if case .deviceMotion = stream { true } else { false }
  }
}
