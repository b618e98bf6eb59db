// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import SimulatedSources

/// One run of ``SimulatedHeadphones``. Its times are offsets from the source's epoch, on the trajectory's time line.
struct HeadphoneRun {
  private let source: SimulatedHeadphones
  private let session: SensorSession
  private let epoch: SensorInstant
  private let end: SensorDuration?
  private let timing: SimulatedSource.Timing
  private var synthesis: SampleSynthesis
  /// Those that have not happened yet, in order of time.
  private var events: ArraySlice<(offset: SensorDuration, action: SimulatedHeadphones.Action)>
  private var state: SimulatedHeadphones.Configuration
  private var reported: ConnectionState?
  /// The next sample of the grid.
  private var index: Int64
  /// Everything up to here has been delivered or missed.
  private var position: SensorDuration

  init(source: SimulatedHeadphones, session: SensorSession) {
    self.source = source
    self.session = session
    let configuration = source.configuration
    let now = session.clock.now
    epoch = source.epoch.withLock { stored in
      let epoch = stored ?? now
      stored = epoch
      return epoch
    }
    end = configuration.duration.flatMap { SensorDuration(seconds: $0) }
    timing = SimulatedSource.Timing(rate: configuration.rate)
    var sensors = SimulatedSource.Configuration()
    sensors.inertial = .together(timing)
    sensors.errors = configuration.errors
    sensors.seed = configuration.seed
    synthesis = SampleSynthesis(trajectory: source.trajectory, configuration: sensors)
    state = configuration
    // `sorted` is stable in the standard library: of equals the earlier in the list comes first.
    events =
      configuration.events.compactMap { event in
        SensorDuration(seconds: event.time).map { (offset: $0, action: event.action) }
      }.sorted { $0.offset < $1.offset }[...]
    // A sample of this very instant is still to come, hence one nanosecond back.
    position = SensorDuration(nanoseconds: -1) + (now - epoch)
    if let resumeAfter = session.resumeAfter { position = max(position, resumeAfter - epoch) }
    index = timing.firstIndex(after: position)
  }

  mutating func deliverAll() throws {
    // Nothing is simulated beyond 30 years; the grid of times would run out of nanoseconds.
    guard position < .seconds(1_000_000_000) else { return }
    applyEvents(through: position)
    try report()
    while true {
      let wantsSamples = session.request.kinds != .connection
      let isSpeaking = state.connection.isConnected && wantsSamples
      var deadline = SensorDuration(nanoseconds: .max)
      if isSpeaking { deadline = timing.offset(of: index) }
      if let event = events.first { deadline = min(deadline, event.offset) }
      if let end, end <= deadline {
        guard try waits(until: end) else { continue }
        return
      }
      guard try waits(until: deadline) else { continue }
      if let event = events.first, event.offset <= deadline {
        applyEvents(through: deadline)
        try report()
        // A sample of this very instant has what is true now.
        index = timing.firstIndex(after: deadline - SensorDuration(nanoseconds: 1))
      } else if isSpeaking {
        position = deadline
        index += 1
        try session.deliver(sample(index - 1))
      }
    }
  }

  private mutating func applyEvents(through offset: SensorDuration) {
    while let event = events.first, event.offset <= offset {
      state.apply(event.action)
      events.removeFirst()
    }
  }

  private mutating func report() throws(SourceStopped) {
    let connection = state.connection
    guard connection != reported else { return }
    reported = connection
    try session.report(connection)
  }

  /// Waits for a time; false when the session's signal came first: the request may have changed.
  private mutating func waits(until offset: SensorDuration) throws(SourceStopped) -> Bool {
    if session.isStopped { throw SourceStopped() }
    let latest = SensorInstant(nanoseconds: .max)
    let isForever = offset.nanoseconds > latest.nanoseconds - max(0, epoch.nanoseconds)
    let speaksNow = state.connection.isConnected && session.request.kinds != .connection
    let reached = session.clock.wait(until: isForever ? latest : epoch + offset, wake: session.wake)
    // A free-running clock reaches the end of time at once: the signal alone then ends the wait.
    if reached, isForever { _ = session.wake.wait(limit: nil) }
    if session.isStopped { throw SourceStopped() }
    if reached, !isForever { return true }
    // What happened while there was no subscriber is past.
    position = max(position, session.clock.now - epoch - SensorDuration(nanoseconds: 1))
    if !speaksNow { index = max(index, timing.firstIndex(after: position)) }
    return false
  }

  private mutating func sample(_ index: Int64) -> SensorSample {
    let offset = timing.offset(of: index)
    let time = epoch + offset
    guard source.configuration.isFused else {
      let (force, rate) = synthesis.inertial(index: index, seconds: offset.seconds)
      return .inertial(InertialSample(time: time, angularVelocity: rate, specificForce: force))
    }
    let truth = source.trajectory.state(at: offset.seconds)
    let attitude = truth.attitude
    // As the buds send it: of the two quaternions of an attitude the one with w ≥ 0.
    let sign: Double = attitude.w < 0 ? -1 : 1
    let gravity = attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: standardGravity)
    return .motion(
      MotionRow(
        time: time, w: attitude.w * sign, vector: Vector3(x: attitude.x, y: attitude.y, z: attitude.z) * sign,
        reference: .xArbitrary, angularVelocity: truth.angularVelocity, gravity: gravity,
        linearAcceleration: truth.specificForce - gravity, accelerationUnit: .metresPerSecondSquared,
        location: state.side))
  }
}
