// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import MotionSensing

/// One run of an ``MS5837Source``: one thread, which sleeps between the commands.
struct MS5837Run {
  let source: MS5837Source
  let session: SensorSession
  private var plan: Plan
  private var statistics: SourceStatistics
  /// When the last pass was due.
  private var lastDue: SensorInstant?
  /// Since when no good sample has come.
  private var failingSince: SensorInstant?

  /// For how long a chip may fail before the run ends.
  static let patience = SensorDuration.seconds(1)
  /// The rate without a requested interval, and the highest rate.
  static let fastest = SensorDuration.milliseconds(10)
  /// °C that a chip in water, ice or a hot car may have; the rest is noise on the wires. Beyond the working range on both sides.
  static let temperatures = -40.0...105.0

  /// How often, and how well.
  private struct Plan: Hashable {
    var period: SensorDuration
    var oversampling: MS5837Oversampling

    init(_ request: SensorRequest, _ options: MS5837Options) {
      let wish = options.rate.flatMap { SensorDuration(rate: $0) } ?? request.interval
      let shortest =
        options.oversampling.map { SensorDuration(nanoseconds: 2 * $0.conversionTime.nanoseconds) } ?? .zero
      period = min(max(wish, MS5837Run.fastest, shortest), .seconds(10))
      oversampling = options.oversampling ?? MS5837Oversampling(fitting: period)
    }
  }

  init(source: MS5837Source, session: SensorSession) {
    self.source = source
    self.session = session
    plan = Plan(session.request, source.options)
    statistics = source.statistics
  }

  mutating func deliverAll() throws {
    defer { publish() }
    let (chip, compensation) = try open()
    while true {
      try waitUntilDue()
      if let sample = try measure(chip, compensation), session.resumeAfter.map({ sample.time > $0 }) ?? true {
        try session.deliver(.pressure(sample))
      }
      publish()
    }
  }

  private func publish() { source.state.withLock { $0 = statistics } }

  /// A reset, the waiting time, the memory.
  private mutating func open() throws -> (MS5837Chip, MS5837Compensation) {
    let address = source.address
    do {
      let chip = MS5837Chip(bus: try source.buses.open(address.path, address.chip), address: address.chip)
      try chip.reset()
      statistics.resets += 1
      try session.wait(until: session.clock.now + MS5837Chip.resetTime)
      let compensation = try chip.compensation(source.model, at: address)
      let isOther = source.memory.withLock { memory in
        defer { memory = compensation.memory }
        return memory != compensation.memory
      }
      if isOther { statistics.exchanges += 1 }
      return (chip, compensation)
    } catch let failure as SystemFailure {
      throw problem(failure)
    }
  }

  private func problem(_ failure: SystemFailure) -> SensorError {
    MS5837Problem.failure(failure, source.address, wasThere: true, buses: source.buses)
  }

  /// Waits for the next pass, for as long as there is no subscriber to pressures; a new request counts at once.
  private mutating func waitUntilDue() throws(SourceStopped) {
    while true {
      if session.isStopped { throw SourceStopped() }
      let request = session.request
      plan = Plan(request, source.options)
      let now = session.clock.now
      let isWanted = request.kinds.contains(.waterPressure)
      let due = isWanted ? lastDue.map { $0 + plan.period } ?? now : now + .seconds(3600)
      guard session.clock.wait(until: due, wake: session.wake), isWanted else { continue }
      if session.isStopped { throw SourceStopped() }
      // A pass that comes late does not make the next ones hurry.
      lastDue = max(due, session.clock.now - plan.period)
      return
    }
  }

  /// One sample, or nil when this pass has failed for the moment.
  private mutating func measure(
    _ chip: MS5837Chip, _ compensation: MS5837Compensation
  ) throws -> PressureSample? {
    do {
      let (d1, begin) = try convert(.pressure, chip)
      let (d2, _) = try convert(.temperature, chip)
      statistics.passes += 1
      let reading = compensation(d1: d1, d2: d2)
      if let what = nonsense(d1: d1, d2: d2, reading) {
        statistics.implausible += 1
        try fail(MS5837Problem.implausible(what, source.address))
        return nil
      }
      failingSince = nil
      let middle = begin + SensorDuration(nanoseconds: plan.oversampling.conversionTime.nanoseconds / 2)
      return PressureSample(
        time: middle, pressure: reading.pressure, temperature: reading.temperature, medium: .water)
    } catch let failure as SystemFailure {
      statistics.failedPasses += 1
      let error = problem(failure)
      // The bus itself was removed: waiting does not help.
      if [ENODEV, ENOENT].contains(failure.errno) { throw error }
      try fail(error)
      return nil
    }
  }

  /// The number of a conversion, and when that began.
  private func convert(
    _ conversion: MS5837Chip.Conversion, _ chip: MS5837Chip
  ) throws -> (number: UInt32, begin: SensorInstant) {
    try chip.begin(conversion, plan.oversampling)
    let begin = session.clock.now
    try session.wait(until: begin + plan.oversampling.conversionTime)
    return (try chip.readConverter(), begin)
  }

  /// What the chip cannot have measured, in words; nil = nothing.
  private func nonsense(d1: UInt32, d2: UInt32, _ reading: MS5837Compensation.Reading) -> String? {
    if d1 == 0 || d2 == 0 { return "no conversion" }
    // A quarter beyond the range the converter still says something, if not the truth; it is left to the listener to judge it.
    guard reading.pressure > 0, reading.pressure <= 1.25 * source.model.range else {
      let (pressure, range) = (Int(clamping: reading.pressure), Int(clamping: source.model.range))
      return "a pressure of \(pressure) Pa, outside of its range (0 to \(range) Pa)"
    }
    guard Self.temperatures.contains(reading.temperature) else {
      return "a temperature of \(Int(clamping: reading.temperature)) °C"
    }
    return nil
  }

  private mutating func fail(_ error: SensorError) throws(SensorError) {
    statistics.lastFailure = error
    let now = session.clock.now
    let since = failingSince ?? now
    failingSince = since
    guard now - since >= Self.patience else { return }
    throw error
  }
}
