// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import LiveOutput
import MotionHost
import MotionMath
import MotionSensing
import MotionServices

/// A source as a game controller: the work behind `motionctl pad`.
///
/// A report leaves with each sample of the gyroscope, on the thread on which the sample came, before the samples of
/// several sensors are brought into order: that would hold it back by as much as half a period. The orientation filter
/// listens beside it, and its latest estimate of the gyroscope's bias is taken off, so that a device at rest stands
/// still. Motion that a source has fused itself is without bias already.
package final class PadRun: Sendable {
  /// Reports a second that the source is asked for: a DualSense's own over a cable.
  package static let rate = 250.0
  /// Slower than this a game that aims by motion is seen to stutter: two of its pictures of 60 Hz show one sample.
  package static let slowest = 60.0
  /// Samples of the gyroscope that are kept until the filter has spoken of them.
  private static let memory = 64

  private struct State {
    var encoder = DualSenseEncoder()
    /// m/s².
    var force: Vector3<Device>?
    /// rad/s.
    var bias = Vector3<Device>.zero
    /// The gyroscope's latest samples, as they came.
    var recent: [GyroscopeSample] = []
    var first: SensorInstant?
    var last: SensorInstant?
    var count = 0

    /// Since the first report, s.
    var span: Double { first.flatMap { first in last.map { ($0 - first).seconds } } ?? 0 }
  }

  private let selection: SourceSelection
  private let hold: PadHold
  private let limit: Seconds?
  private let controller: VirtualController
  private let completion: Completion
  private let state = Lock(State())

  /// Refuses a source that a controller's motion cannot be made of, and opens /dev/uhid. From here on a signal ends the
  /// run, not the program.
  package init(_ selection: SourceSelection, hold: PadHold, limit: Seconds?) throws {
    let (name, kinds) = (selection.info.name, selection.info.kinds)
    guard kinds.contains(.motion) || kinds.isSuperset(of: .inertial) else {
      let missing = kinds.contains(.gyroscope) ? "accelerometer" : "gyroscope"
      throw CommandFailure(
        "\(name) has no \(missing), and a controller's motion needs both: name a source that has, such as phone: for a phone (motionctl list shows them)."
      )
    }
    guard !selection.entry.clock.isFreeRunning else {
      throw CommandFailure("A controller moves in real time: leave speed=max out of “\(selection.name)”.")
    }
    (self.selection, self.hold, self.limit) = (selection, hold, limit)
    controller = try VirtualController()
    completion = .endedBySignals()
  }

  /// Runs until the source ends, the limit or a signal, and unplugs the controller.
  package func callAsFunction() throws {
    var entry = selection.entry
    let (base, isFused) = (entry.source, selection.info.kinds.contains(.motion))
    entry.source = TappedSource(base: base) { [self] in take($0, isFused: isFused) }
    let host = try SourceSelection(name: selection.name, entry: entry).host(location: nil)
    guard let hub = host.device else { throw CommandFailure("There is no source.") }
    let subscription = hub.subscribe(
      .deviceMotion(usesMagnetometer: false), interval: SensorDuration(seconds: 1 / Self.rate) ?? .zero,
      motion: { [self] motion, _ in note(motion) }, news: { [completion] news, _ in completion.take(news) })
    let outcome = completion.run([subscription], deadline: selection.timeout(over: limit?.value)) {
      StandardError.shared.show(summary)
    }
    controller.unplug()
    let (clipped, count) = state.withLock { ($0.encoder.clipped, $0.count) }
    let remark = "  \(Text.count(clipped, "report")) cut at ±2047.9 degrees a second or ±4 g"
    try selection.finish(outcome, hub.statistics, summary: [summary] + (clipped > 0 ? [remark] : []))
    guard count > 0 else {
      throw CommandFailure("\(selection.info.name) gave no motion, so no controller has appeared.")
    }
  }

  private var summary: String {
    let (count, span) = state.withLock { ($0.count, $0.span) }
    guard count > 0 else { return "no sample yet" }
    let rate = span > 0 ? ", \(Text.decimal(Double(count - 1) / span, places: 1)) Hz" : ""
    return "\(Text.count(count, "report")) over \(Text.duration(span))\(rate)"
  }

  /// A sample as the source delivers it, on its thread.
  private func take(_ sample: SensorSample, isFused: Bool) {
    guard !completion.isFinished else { return }
    do {
      switch sample {
      case .accelerometer(let sample): state.withLock { $0.force = sample.specificForce }
      case .gyroscope(let sample): try send(sample)
      case .inertial(let sample):
        state.withLock { $0.force = sample.specificForce }
        try send(sample.gyroscope)
      case .motion(let row) where isFused:
        let force = (row.gravity + row.linearAcceleration) * row.accelerationUnit.scale
        state.withLock { $0.force = force }
        try send(GyroscopeSample(time: row.time, angularVelocity: row.angularVelocity))
      default: break
      }
    } catch {
      completion.finish(.stopped(error))
    }
  }

  /// The controller appears with the first report: one without motion would be found by a game and not be understood.
  private func send(_ sample: GyroscopeSample) throws(SensorError) {
    let time = sample.time
    enum Step { case nothing, first([UInt8]), next([UInt8]), over }
    let step = state.withLock { state -> Step in
      // What is not finite, or came late, the filter's time line counts.
      guard let force = state.force, force.isFinite, sample.angularVelocity.isFinite,
        state.last.map({ time > $0 }) ?? true
      else { return .nothing }
      let isFirst = state.first == nil
      let first = state.first ?? time
      if let limit, limit.isOver(after: (time - first).seconds) { return .over }
      (state.first, state.last) = (first, time)
      state.count += 1
      if state.recent.count >= Self.memory { state.recent.removeFirst() }
      state.recent.append(sample)
      let report = state.encoder.report(
        angularVelocity: hold(sample.angularVelocity - state.bias), specificForce: hold(force), time: time)
      return isFirst ? .first(report) : .next(report)
    }
    switch step {
    case .nothing: break
    case .first(let report):
      try controller.plugIn()
      try controller.send(report)
      StandardError.shared.say("The controller is there, \(controller.address).")
    case .next(let report): try controller.send(report)
    case .over: completion.finish(.done)
    }
  }

  /// What the filter says of a sample that has gone out: the difference is the bias.
  private func note(_ motion: DeviceMotion) {
    guard let solution = motion.sixAxis else { return }
    state.withLock { state in
      guard let raw = state.recent.last(where: { $0.time == motion.time }) else { return }
      state.bias = raw.angularVelocity - solution.angularVelocity
    }
  }
}

/// A source of which every sample is seen as soon as it is delivered.
private struct TappedSource: SensorSource {
  let base: any SensorSource
  let tap: @Sendable (SensorSample) -> Void
  var info: SensorInfo { base.info }

  func run(_ session: SensorSession) async throws {
    let tap = tap
    try await base.run(
      SensorSession(of: session) { sample in
        tap(sample)
        return sample
      })
  }
}
