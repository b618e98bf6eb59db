// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
package import OrientationFusion
import Synchronization

/// The way of a sample from the source to the subscribers: order of time, fusion, hand-out.
///
/// One run of the source at a time, and within a run one thread, works with it: `work` is not locked.
///
/// `@unchecked Sendable`: the hub starts a run only after the last one has ended, and both happen under the hub's lock,
/// so that successive source threads are ordered; `shared` is behind a lock.
final class SamplePipeline: @unchecked Sendable {
  /// A subscription with its stream as of the last change: asking for it takes a lock: too much for each sample.
  private struct Listener {
    let subscription: Subscription
    let stream: HubStream
    /// Of a subscriber of ``HubStream/activity``: what it receives; else empty.
    let kinds: SensorKinds

    var isOfMotion: Bool { if case .deviceMotion = stream { true } else { false } }
  }

  private struct Work {
    var listeners: [Listener] = []
    var generation = -1
    var isReturning = false
    /// As last reported in this run.
    var connection: ConnectionState?
    /// When listeners were last sent the time.
    var timeSent: SensorInstant?
    var receivesTime = false
    /// When the memory was last written, or the first sample of the run.
    var keptAt: SensorInstant?
  }

  /// How often listeners are sent the time, in the source's time.
  private static let timeInterval = SensorDuration.milliseconds(250)

  /// Fusion is locked because others ask for its counts while the source runs; copying them out at every sample would
  /// cost more than the lock.
  private struct Shared {
    var fusion: MotionFusion
    var lastInstant: SensorInstant?
    /// Before the recording began again.
    var droppedBefore = 0
  }

  private let info: SensorInfo
  private let mayWait: Bool
  private let memory: (any SensorMemory)?
  private var work = Work()
  private let shared: Lock<Shared>

  init(info: SensorInfo, memory: (any SensorMemory)? = nil) {
    self.info = info
    self.memory = memory
    mayWait = info.pacing == .onDemand
    shared = Lock(Shared(fusion: MotionFusion(info: info)))
  }

  var statistics: TimelineStatistics { shared.withLock { $0.fusion.timeline.statistics } }
  var droppedCount: Int { shared.withLock { $0.droppedBefore + $0.fusion.timeline.statistics.dropped } }
  var lastInstant: SensorInstant? { shared.withLock { $0.lastInstant } }

  /// A recording begins again: nothing that was learned or held counts, so it gives the same bits as the first time.
  func rewind() {
    shared.withLock { shared in
      shared.droppedBefore += shared.fusion.timeline.statistics.dropped
      shared.fusion = MotionFusion(info: info, run: shared.fusion.estimator.run)
      shared.lastInstant = nil
    }
  }

  /// A run begins: the filters are reset, the magnetometer's calibration and the counts go on. With a memory, what it
  /// knows of the sensors goes on, too.
  func begin() {
    let learned = memory?.recall()
    shared.withLock { shared in
      shared.fusion.timeline.begin(keepingHeld: mayWait)
      let last = shared.fusion.estimator
      var calibrator = last.calibrator
      if last.run == 0, !calibrator.state.isCalibrated, let stored = learned?.magnetometer {
        calibrator = MagnetometerCalibrator(calibration: stored)
      }
      shared.fusion.estimator = DeviceMotionEstimator(
        info: info, calibrator: calibrator, learned: learned?.sensor, run: last.run + 1)
    }
    work.keptAt = nil
    work.generation = -1
    work.isReturning = true
  }

  /// A run begins: what the one before has said of the connection does not count.
  func forgetConnection() { work.connection = nil }

  /// Another sensor, or the same after an absence, has a bias and a pose of its own: the filters are reset. Readers
  /// keep their azimuth, because ``DeviceMotion/run`` goes up.
  func update(_ connection: ConnectionState) {
    defer { work.connection = connection }
    guard connection.isConnected else { return }
    let isOther = work.connection.map { $0 != connection } ?? (connection.location != .device)
    guard isOther else { return }
    shared.withLock { shared in
      let last = shared.fusion.estimator
      shared.fusion.estimator = DeviceMotionEstimator(info: info, calibrator: last.calibrator, run: last.run + 1)
      shared.fusion.estimator.location = connection.location
      shared.fusion.estimator.solutions = last.solutions
    }
  }

  /// How often what has been learned is written during a run: a power cut loses no more.
  private static let keepingInterval = SensorDuration.seconds(120)

  /// Writes what has been learned to the memory.
  func keep() {
    guard let memory, let learned = shared.withLock({ $0.fusion.estimator.learned }) else { return }
    memory.keep(learned)
  }

  private func keepIfDue(at time: SensorInstant) {
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
    let (isAdmitted, first) = shared.withLock { shared in
      let isAdmitted = shared.fusion.timeline.push(sample)
      shared.lastInstant = max(shared.lastInstant ?? sample.time, sample.time)
      return (isAdmitted, shared.fusion.pop())
    }
    if !isAdmitted { hub.watch?(.dropped(sample)) }
    guard let (next, motion) = first else { return }
    handOut(next, motion)
    keepIfDue(at: sample.time)
    // A source that never reorders gives one for one.
    guard info.reordering > .zero else { return }
    while let (next, motion) = shared.withLock({ $0.fusion.pop() }) { handOut(next, motion) }
  }

  /// The source has ended: what was held for reordering comes out.
  func finish(_ session: SensorSession, hub: MotionHub) throws(SourceStopped) {
    refresh(hub)
    shared.withLock { $0.fusion.timeline.finish() }
    while let (next, motion) = shared.withLock({ $0.fusion.pop() }) {
      if session.isStopped { throw SourceStopped() }
      try waitForCredit(session, hub)
      handOut(next, motion)
    }
    if let motion = shared.withLock({ $0.fusion.estimator.finish() }) {
      offer(motion)
    }
  }

  /// Holds an on-demand source back until every consumer has caught up.
  private func waitForCredit(_ session: SensorSession, _ hub: MotionHub) throws(SourceStopped) {
    guard mayWait else { return }
    for listener in work.listeners where try listener.subscription.waitForCredit(session) { hub.countStall() }
    // A subscriber that joined meanwhile gets this sample, too.
    refresh(hub)
  }

  /// Reads the subscriptions again when they have changed since the last sample.
  private func refresh(_ hub: MotionHub) {
    let generation = hub.generation.load(ordering: .acquiring)
    guard generation != work.generation else { return }
    work.generation = generation
    work.listeners = hub.subscriptions().map { subscription in
      let stream = subscription.stream
      return Listener(
        subscription: subscription, stream: stream, kinds: stream == .activity ? stream.needs(of: info.kinds) : [])
    }
    work.receivesTime = work.listeners.contains(where: \.subscription.receivesTime)
    var solutions: DeviceMotionEstimator.Solutions = []
    for case .deviceMotion(let usesMagnetometer) in work.listeners.lazy.map(\.stream) {
      solutions.insert(usesMagnetometer ? .nineAxis : .sixAxis)
    }
    let wanted = info.kinds.contains(.motion) ? [] : solutions
    shared.withLock { $0.fusion.estimator.solutions = wanted }
  }

  private func handOut(_ sample: SensorSample, _ motion: DeviceMotion?) {
    switch sample {
    case .accelerometer: offer(sample, to: .accelerometer)
    case .gyroscope: offer(sample, to: .gyroscope)
    case .inertial(let both):
      offer(.accelerometer(both.accelerometer), to: .accelerometer)
      offer(.gyroscope(both.gyroscope), to: .gyroscope)
    case .magnetometer: offer(sample, to: .magnetometer)
    case .pressure(let pressure): offer(sample, to: pressure.medium == .air ? .airPressure : .waterPressure)
    case .temperature: offer(sample, to: .temperature)
    case .motion: for listener in work.listeners where listener.isOfMotion { listener.subscription.offer(sample) }
    }
    if let motion { offer(motion) }
    for listener in work.listeners where !listener.kinds.isDisjoint(with: sample.kinds) {
      listener.subscription.offerAlways(sample)
    }
    if work.receivesTime { sendTime(sample.time) }
  }

  private func sendTime(_ time: SensorInstant) {
    if let sent = work.timeSent, sent <= time, time - sent < Self.timeInterval { return }
    work.timeSent = time
    for listener in work.listeners where listener.subscription.receivesTime { listener.subscription.send(.time(time)) }
  }

  private func offer(_ sample: SensorSample, to stream: HubStream) {
    for listener in work.listeners where listener.stream == stream { listener.subscription.offer(sample) }
  }

  private func offer(_ motion: DeviceMotion) {
    for listener in work.listeners where listener.isOfMotion { listener.subscription.offer(motion) }
  }
}

/// What is worth knowing about a device the next time it is used.
package struct LearnedDevice: Sendable, Equatable {
  /// The errors of gyroscope and magnetometer that the orientation filter found.
  package var sensor: LearnedSensor
  /// The device's own magnetism; nil while it is not known, or when the source removes it itself.
  package var magnetometer: MagnetometerCalibration?

  /// What was learned.
  package init(sensor: LearnedSensor, magnetometer: MagnetometerCalibration? = nil) {
    self.sensor = sensor
    self.magnetometer = magnetometer
  }

  /// The same with the doubts of a later day; `elapsed` in seconds, infinite when it is unknown.
  package func widened(elapsed: Double) -> LearnedDevice {
    LearnedDevice(sensor: sensor.widened(elapsed: elapsed), magnetometer: magnetometer?.widened(elapsed: elapsed))
  }
}

/// Remembers one device from run to run.
///
/// A ``MotionHub`` without a memory, the default, starts every run with nothing: so a recording gives the same bits
/// whenever it is played. With a memory it asks before the first sample of a run and reports at the end of it, and
/// every two minutes in between. Both are called on the source's thread, one at a time.
package protocol SensorMemory: Sendable {
  /// What is known today, doubts widened by the time since (``LearnedDevice/widened(elapsed:)``); nil when nothing is.
  func recall() -> LearnedDevice?
  /// Stores what is known now; it replaces what was known before.
  func keep(_ learned: LearnedDevice)
}
