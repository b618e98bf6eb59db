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
  let faults: [Fault]
  let end: SensorDuration?
  var channels: [Channel]
  var synthesis: SampleSynthesis
  /// The readings of a sensor that returns garbage.
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
    return claimRequest() && reached
  }

  /// False when the wanted kinds have changed; those that were not wanted before go on from the present position.
  private mutating func claimRequest() -> Bool {
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

extension SimulatedRun {
  /// One stream of samples with its own grid of times.
  struct Channel {
    let kinds: SensorKinds
    let timing: SimulatedSource.Timing
    /// The next sample of the grid, and its time after the epoch.
    private(set) var index: Int64 = 0
    private(set) var offset: SensorDuration
    /// A sample that a fault keeps back until its successor is out.
    var held: SensorSample?
    /// What the sensor delivered last; a frozen one repeats it.
    var latest: SensorSample?

    init(_ kinds: SensorKinds, _ timing: SimulatedSource.Timing) {
      (self.kinds, self.timing) = (kinds, timing)
      offset = timing.offset(of: 0)
    }

    /// Goes on to the next sample of the grid.
    mutating func step() {
      index += 1
      offset = timing.offset(of: index)
    }

    /// Goes to the first sample after `position`.
    mutating func seek(after position: SensorDuration) {
      index = timing.firstIndex(after: position)
      offset = timing.offset(of: index)
      held = nil
    }
  }

  /// The channels of a configuration; at the same instant the earlier in the list delivers first.
  static func channels(of configuration: SimulatedSource.Configuration) -> [Channel] {
    var channels: [Channel] = []
    func add(_ kinds: SensorKinds, _ timing: SimulatedSource.Timing?) {
      if let timing { channels.append(Channel(kinds, timing)) }
    }
    switch configuration.inertial {
    case .together(let timing): add(.inertial, timing)
    case .apart(let accelerometer, let gyroscope):
      add(.accelerometer, accelerometer)
      add(.gyroscope, gyroscope)
    }
    add(.magnetometer, configuration.magnetometer)
    add(.airPressure, configuration.pressure)
    add(.waterPressure, configuration.waterPressure)
    add(.temperature, configuration.temperature)
    return channels
  }
}

extension SimulatedRun {
  /// Delivers the next sample of a channel, with what the fault plan does to it.
  mutating func deliver(from number: Int) throws(SourceStopped) {
    let seconds = channels[number].offset.seconds
    let time = epoch + channels[number].offset
    guard !faults.isEmpty else {
      let sample = makeSample(number, time: time, seconds: seconds, kinds: wanted)
      channels[number].step()
      try session.deliver(sample)
      return
    }
    let index = channels[number].index
    let previous = index > 0 ? channels[number].timing.offset(of: index - 1).seconds : -Double.infinity
    // The two halves of an inertial sample may suffer differently; any other sample is one piece.
    let kinds = channels[number].kinds
    let isInertial = kinds == .inertial
    let firstKinds = isInertial ? .accelerometer : kinds
    let secondKinds = isInertial ? .gyroscope : kinds
    let first = faults.effect(on: firstKinds, at: seconds, after: previous)
    let second = isInertial ? faults.effect(on: secondKinds, at: seconds, after: previous) : first
    var present = wanted
    if first.isMissing { present.subtract(firstKinds) }
    if second.isMissing { present.subtract(secondKinds) }
    let isMissing = present.isDisjoint(with: kinds)
    let isLate = first.isLate || second.isLate
    let offset = SensorDuration(seconds: first.clockOffset != 0 ? first.clockOffset : second.clockOffset) ?? .zero
    var sample = makeSample(
      number, time: time + offset, seconds: seconds, kinds: present, isNaN: (first.isNotANumber, second.isNotANumber))
    if first.isFrozen || second.isFrozen, let latest = channels[number].latest {
      sample = latest.moved(to: sample.time)
    } else {
      channels[number].latest = sample
    }
    if first.isGarbage, case .pressure(var pressure) = sample {
      pressure.pressure = 2e6 * garbage.uniform(at: UInt64(bitPattern: index))
      sample = .pressure(pressure)
    }
    let held = channels[number].held
    channels[number].step()
    channels[number].held = isLate && !isMissing ? sample : nil
    if !isMissing, !isLate { try session.deliver(sample) }
    if !isMissing, first.isDuplicated || second.isDuplicated { try session.deliver(sample) }
    if let held { try session.deliver(held) }
  }

  /// The sample of a channel that is due; of an inertial one only the halves in `kinds`. `isNaN`: the first component of
  /// its halves is none; a sample of one piece follows the first.
  private mutating func makeSample(
    _ number: Int, time: SensorInstant, seconds: Double, kinds: SensorKinds, isNaN: (Bool, Bool) = (false, false)
  ) -> SensorSample {
    let (channel, index) = (channels[number].kinds, channels[number].index)
    switch channel {
    case .inertial, .accelerometer, .gyroscope:
      var (force, rate) = synthesis.inertial(index: index, seconds: seconds)
      if isNaN.0 { force.x = .nan }
      if isNaN.1 { rate.x = .nan }
      if channel == .accelerometer || channel == .inertial && !kinds.contains(.gyroscope) {
        return .accelerometer(AccelerometerSample(time: time, specificForce: force))
      }
      if channel == .gyroscope || !kinds.contains(.accelerometer) {
        return .gyroscope(GyroscopeSample(time: time, angularVelocity: rate))
      }
      return .inertial(InertialSample(time: time, angularVelocity: rate, specificForce: force))
    case .magnetometer:
      var field = synthesis.magneticField(index: index, seconds: seconds)
      if isNaN.0 { field.x = .nan }
      return .magnetometer(MagnetometerSample(time: time, magneticField: field))
    case .airPressure, .waterPressure:
      var sample =
        channel == .waterPressure
        ? synthesis.waterPressure(index: index, time: time, seconds: seconds)
        : PressureSample(
          time: time, pressure: synthesis.airPressure(index: index, seconds: seconds),
          temperature: synthesis.trueTemperature(at: seconds))
      if isNaN.0 { sample.pressure = .nan }
      return .pressure(sample)
    default:
      let temperature = isNaN.0 ? .nan : synthesis.deviceTemperature(index: index, seconds: seconds)
      return .temperature(TemperatureSample(time: time, temperature: temperature))
    }
  }
}

extension SimulatedRun {
  /// A fault that interrupts the whole run: a stall or a disconnection.
  struct Interruption {
    /// Its index in the plan.
    let number: Int
    let offset: SensorDuration
    let isStall: Bool
    /// When a device that left is back; nil for a stall, and for a device that has left for ever.
    let back: SensorDuration?
  }

  /// The interruptions of the plan, by time.
  private var interruptions: [Interruption] {
    let all = faults.indices.compactMap { number -> Interruption? in
      let fault = faults[number]
      guard let offset = SensorDuration(seconds: fault.time) else { return nil }
      switch fault.action {
      case .stall:
        return Interruption(number: number, offset: offset, isStall: true, back: nil)
      case .disconnect(let after):
        let back = after.flatMap { SensorDuration(seconds: fault.time + $0) }
        return Interruption(number: number, offset: offset, isStall: false, back: back)
      case .gap, .duplicate, .outOfOrder, .notANumber, .freeze, .garbage, .clockStep:
        return nil
      }
    }
    return all.sorted { $0.offset < $1.offset }
  }

  /// The next interruption of this run. Throws when the device is away at the moment.
  mutating func nextInterruption() throws(SensorError) -> Interruption? {
    let instant = SensorDuration(nanoseconds: 1)
    let past = source.memory.withLock { $0.pastInterruptions }
    for interruption in interruptions {
      let isAhead = interruption.offset > position
      if isAhead, !past.contains(interruption.number) { return interruption }
      if interruption.isStall { continue }
      guard let back = interruption.back else { throw absent }
      if isAhead {
        // It has happened and is still ahead: a free-running clock, on which the absence passes in no time.
        position = max(position, back - instant)
      } else if back > position + instant {
        throw absent
      }
    }
    return nil
  }

  /// Ends the run as the fault demands.
  func happen(_ interruption: Interruption) throws {
    source.memory.withLock { _ = $0.pastInterruptions.insert(interruption.number) }
    guard interruption.isStall else { throw absent }
    while !session.isStopped {
      // A free-running clock comes back at once; the signal alone then ends the wait.
      if session.clock.wait(until: SensorInstant(nanoseconds: .max), wake: session.wake) {
        _ = session.wake.wait(limit: nil)
      }
    }
    throw SourceStopped()
  }

  private var absent: SensorError {
    SensorError(
      .disconnected, "The \(source.info.name) was disconnected by its fault plan; run it again after it is back.")
  }
}
