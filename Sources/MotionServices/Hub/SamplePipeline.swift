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
  /// A listener as of the last change: asking it takes a lock: too much for each sample.
  private typealias Member = (
    listener: Listener, stream: HubStream, outstanding: Outstanding?,
    /// Of a subscriber of ``HubStream/activity``: what it receives; else empty.
    kinds: SensorKinds
  )

  private struct Work {
    var audience: [Member] = []
    var generation = -1
    var hasBegun = true
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

  /// The order of time, then the filters. Locked because others ask for their counts while the source runs; copying
  /// them out at every sample would cost more than the lock.
  private struct Shared {
    var timeline: SampleTimeline
    var estimator: DeviceMotionEstimator
    var lastInstant: SensorInstant?
    /// Before the recording began again.
    var droppedBefore = 0
    /// As the hub has it now.
    var audience: [Listener] = []

    /// The next sample in order of time and the state of motion that it completes; nil when the rest has to wait.
    mutating func pop() -> (sample: SensorSample, motion: DeviceMotion?)? {
      guard let sample = timeline.pop() else { return nil }
      return (sample, estimator.solutions.isEmpty ? nil : estimator.update(sample))
    }
  }

  private let info: SensorInfo
  private let mayWait: Bool
  private let memory: (any SensorMemory)?
  private let didDrop: @Sendable (SensorSample) -> Void
  private var work = Work()
  private let shared: Lock<Shared>
  /// Goes up whenever the audience or what it wants changes.
  private let generation = Atomic<Int>(0)
  private let stallCount = Atomic<Int>(0)

  /// `didDrop` receives the samples that are late, duplicates, or not finite.
  init(
    info: SensorInfo, memory: (any SensorMemory)? = nil, didDrop: @escaping @Sendable (SensorSample) -> Void = { _ in }
  ) {
    (self.info, self.memory, self.didDrop) = (info, memory, didDrop)
    mayWait = info.pacing == .onDemand
    shared = Lock(
      Shared(timeline: SampleTimeline(reordering: info.reordering), estimator: DeviceMotionEstimator(info: info)))
  }

  /// Who receives what comes from the next sample on.
  func setAudience(_ listeners: [Listener]) {
    shared.withLock { $0.audience = listeners }
    generation.add(1, ordering: .acquiringAndReleasing)
  }

  /// How often a slow consumer made the source wait.
  var stalls: Int { stallCount.load(ordering: .relaxed) }
  var statistics: TimelineStatistics { shared.withLock { $0.timeline.statistics } }
  var droppedCount: Int { shared.withLock { $0.droppedBefore + $0.timeline.statistics.dropped } }
  var lastInstant: SensorInstant? { shared.withLock { $0.lastInstant } }

  /// A recording begins again: nothing that was learned or held counts, so it gives the same bits as the first time.
  func rewind() {
    shared.withLock { shared in
      shared.droppedBefore += shared.timeline.statistics.dropped
      shared.timeline = SampleTimeline(reordering: info.reordering)
      shared.estimator = DeviceMotionEstimator(info: info, run: shared.estimator.run)
      shared.lastInstant = nil
    }
  }

  /// A run begins: the filters are reset, the magnetometer's calibration and the counts go on. With a memory, what it
  /// holds of the sensors goes on, too.
  func begin() {
    let learned = memory?.recall()
    shared.withLock { shared in
      shared.timeline.begin(keepingHeld: mayWait)
      let last = shared.estimator
      shared.estimator = DeviceMotionEstimator(
        info: info, calibration: last.run == 0 ? learned?.magnetometer : last.calibration, learned: learned?.sensor,
        run: last.run + 1)
    }
    work.keptAt = nil
    work.generation = -1
    work.hasBegun = false
    // What the run before has reported does not count.
    work.connection = nil
  }

  /// True once in a run, for its first sample.
  func isFirstOfRun() -> Bool { !exchange(&work.hasBegun, with: true) }

  /// Another sensor, or the same after an absence, has a bias and a pose of its own: the filters are reset. Readers
  /// keep their azimuth, because ``DeviceMotion/run`` goes up.
  func update(_ connection: ConnectionState) {
    defer { work.connection = connection }
    guard connection.isConnected else { return }
    let isOther = work.connection.map { $0 != connection } ?? (connection.location != .device)
    guard isOther else { return }
    shared.withLock { shared in
      let last = shared.estimator
      shared.estimator = DeviceMotionEstimator(info: info, calibration: last.calibration, run: last.run + 1)
      shared.estimator.location = connection.location
      shared.estimator.solutions = last.solutions
    }
  }

  /// How often what has been learned is written during a run: a power cut loses no more.
  private static let keepingInterval = SensorDuration.seconds(120)

  /// Writes what has been learned to the memory.
  func keep() {
    guard let memory, let learned = shared.withLock({ $0.estimator.learned }) else { return }
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

  func push(_ sample: SensorSample, _ session: SensorSession) throws(SourceStopped) {
    refresh()
    try waitForRoom(session)
    let (isAdmitted, first) = shared.withLock { shared in
      let isAdmitted = shared.timeline.push(sample)
      shared.lastInstant = max(shared.lastInstant ?? sample.time, sample.time)
      return (isAdmitted, shared.pop())
    }
    if !isAdmitted { didDrop(sample) }
    guard let (next, motion) = first else { return }
    handOut(next, motion)
    keepIfDue(at: sample.time)
    // A source that never reorders gives one for one.
    guard info.reordering > .zero else { return }
    while let (next, motion) = shared.withLock({ $0.pop() }) { handOut(next, motion) }
  }

  /// The source has ended: what was held for reordering comes out.
  func finish(_ session: SensorSession) throws(SourceStopped) {
    refresh()
    shared.withLock { $0.timeline.finish() }
    while let (next, motion) = shared.withLock({ $0.pop() }) {
      if session.isStopped { throw SourceStopped() }
      try waitForRoom(session)
      handOut(next, motion)
    }
    if let motion = shared.withLock({ $0.estimator.finish() }) { offer(motion) }
  }

  /// Holds an on-demand source back until every consumer has caught up.
  private func waitForRoom(_ session: SensorSession) throws(SourceStopped) {
    guard mayWait else { return }
    for member in work.audience where try member.outstanding?.waitForRoom(session) == true {
      stallCount.add(1, ordering: .relaxed)
    }
    // A subscriber that joined meanwhile gets this sample, too.
    refresh()
  }

  /// Reads the audience again when it has changed since the last sample.
  private func refresh() {
    let generation = generation.load(ordering: .acquiring)
    guard generation != work.generation else { return }
    work.generation = generation
    work.audience = shared.withLock { $0.audience }.map { listener in
      let stream = listener.stream
      return (listener, stream, listener.outstanding, stream == .activity ? stream.needs(of: info.kinds) : [])
    }
    work.receivesTime = work.audience.contains(where: \.listener.receivesTime)
    var solutions: DeviceMotionEstimator.Solutions = []
    for case .deviceMotion(let usesMagnetometer) in work.audience.lazy.map(\.stream) {
      solutions.insert(usesMagnetometer ? .nineAxis : .sixAxis)
    }
    let wanted = info.kinds.contains(.motion) ? [] : solutions
    shared.withLock { $0.estimator.solutions = wanted }
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
    case .motion: for member in work.audience where isOfMotion(member.stream) { member.listener.offer(sample) }
    }
    if let motion { offer(motion) }
    for member in work.audience where !member.kinds.isDisjoint(with: sample.kinds) {
      member.listener.offerAlways(sample)
    }
    if work.receivesTime { sendTime(sample.time) }
  }

  private func sendTime(_ time: SensorInstant) {
    if let sent = work.timeSent, sent <= time, time - sent < Self.timeInterval { return }
    work.timeSent = time
    for (listener, _, _, _) in work.audience where listener.receivesTime { listener.send { .time(time) } }
  }

  private func offer(_ sample: SensorSample, to stream: HubStream) {
    for member in work.audience where member.stream == stream { member.listener.offer(sample) }
  }

  private func offer(_ motion: DeviceMotion) {
    for member in work.audience where isOfMotion(member.stream) { member.listener.offer(motion) }
  }

  private func isOfMotion(_ stream: HubStream) -> Bool { if case .deviceMotion = stream { true } else { false } }
}

/// What of a device helps the next time it is used.
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
