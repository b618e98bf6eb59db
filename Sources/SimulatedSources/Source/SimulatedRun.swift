// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// One run of a ``SimulatedSource``: which sample is due next, and until when to wait for it.
///
/// Its times are offsets from the source's epoch, that is, on the trajectory's time line.
struct SimulatedRun {
  let source: SimulatedSource
  let session: SensorSession
  let epoch: SensorInstant
  let faults: FaultPlan
  let end: SensorDuration?
  var channels: [Channel]
  var synthesis: SampleSynthesis
  /// What a sensor gone mad says.
  let garbage: RandomStream
  /// Everything up to here has been delivered or missed.
  var position: SensorDuration
  /// The kinds that are listened to.
  var wanted: SensorKinds = []

  init(source: SimulatedSource, session: SensorSession) {
    self.source = source
    self.session = session
    let now = session.clock.now
    epoch = source.memory.withLock { memory in
      let epoch = memory.epoch ?? now
      memory.epoch = epoch
      return epoch
    }
    let configuration = source.configuration
    faults = configuration.faults
    end = configuration.duration.flatMap { SensorDuration(seconds: $0) }
    channels = Self.channels(of: configuration)
    garbage = RandomStream(seed: configuration.seed, stream: 14)
    synthesis = SampleSynthesis(trajectory: source.trajectory, configuration: configuration)
    // A sample of this very instant is still to come, hence one nanosecond back.
    position = SensorDuration(nanoseconds: -1) + (now - epoch)
    if let resumeAfter = session.resumeAfter { position = max(position, resumeAfter - epoch) }
  }

  mutating func deliverAll() throws {
    // Nothing is simulated beyond 30 years; the grids of times would run out of nanoseconds.
    guard position < .seconds(1_000_000_000) else { return }
    let interruption = try nextInterruption()
    for index in channels.indices { channels[index].seek(after: position) }
    wanted = Self.effective(session.request.kinds)
    while true {
      let due = nextChannel()
      // Nothing wanted, nothing planned: sleep until the request changes or the clock comes to its end.
      var deadline = SensorDuration(nanoseconds: .max)
      if let due { deadline = channels[due].offset }
      if let interruption { deadline = min(deadline, interruption.offset) }
      if let end, end <= deadline {
        guard try waits(until: end) else { continue }
        return
      }
      guard try waits(until: deadline) else { continue }
      if let interruption, interruption.offset <= deadline {
        try happen(interruption)
      } else if let due {
        position = deadline
        try deliver(from: due)
      } else {
        return
      }
    }
  }

  /// Waits for a time; false when a change of the request came first, which is then taken over.
  private mutating func waits(until offset: SensorDuration) throws -> Bool {
    if session.isStopped { throw SourceStopped() }
    let latest = SensorInstant(nanoseconds: .max)
    let isForever = offset.nanoseconds > latest.nanoseconds - max(0, epoch.nanoseconds)
    let reached = session.clock.wait(until: isForever ? latest : epoch + offset, wake: session.wake)
    if session.isStopped { throw SourceStopped() }
    // While it slept nothing was due: what is asked for only now begins with the present.
    let present = reached && !isForever ? offset - SensorDuration(nanoseconds: 1) : session.clock.now - epoch
    position = max(position, present)
    return takeOverRequest() && reached
  }

  /// False when the wanted kinds have changed; those that were not wanted before go on from the present position.
  private mutating func takeOverRequest() -> Bool {
    let kinds = Self.effective(session.request.kinds)
    guard kinds != wanted else { return true }
    for index in channels.indices where channels[index].kinds.isDisjoint(with: wanted) {
      channels[index].seek(after: position)
    }
    wanted = kinds
    return false
  }

  /// An empty request asks for everything.
  private static func effective(_ kinds: SensorKinds) -> SensorKinds {
    kinds.isEmpty ? SensorKinds(rawValue: .max) : kinds
  }

  /// The wanted channel whose next sample comes first.
  private func nextChannel() -> Int? {
    var first: Int?
    for index in channels.indices where !channels[index].kinds.isDisjoint(with: wanted) {
      if let best = first, channels[best].offset <= channels[index].offset { continue }
      first = index
    }
    return first
  }
}
