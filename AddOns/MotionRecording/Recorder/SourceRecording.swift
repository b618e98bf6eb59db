// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import MotionHost
public import MotionSensing
package import MotionServices

/// Records a source: everything that it measures, as it comes, with the reports of its connection and its failures.
///
/// ```swift
/// let entry = try SourceCatalog().open(SourceURI("iio:"))
/// let recording = SourceRecording(entry, recorder: recorder) { ending in … }
/// recording.start()
/// …
/// recording.stop()
/// try recorder.finish()
/// ```
///
/// The samples are written as the sensor gave them; where a calibration is in force, services on ``host`` see them
/// corrected, and the recording says beside them what the correction is. A device that leaves while it is recorded is
/// an event and a gap; the recording goes on when it is back.
public final class SourceRecording: Sendable {
  /// Why there is nothing to record, for now or for good.
  public enum Ending: Sendable {
    /// The source has failed and is tried again; the recording goes on when it is back.
    case interrupted(SensorError)
    /// The source has no more, or the limit is reached.
    case finished
    /// The source failed before its first sample, or for good.
    case failed(SensorError)
  }

  /// A host whose device (or headphones) is the recorded source, for services beside the recording.
  public let host: MotionHost
  /// The source's hub.
  package let hub: MotionHub
  private let interval: SensorDuration
  private let onEnd: @Sendable (Ending) -> Void

  private let tap: RecordedSource
  private let subscriptions = Lock<[Subscription]>([])

  /// A recording that has not begun.
  ///
  /// - Parameters:
  ///   - entry: the source, with its clock and speed.
  ///   - recorder: where it goes; the caller finishes it after ``stop()``.
  ///   - interval: the wanted interval; zero, the default, = as fast as the source can.
  ///   - limit: of sample time; nil, the default, = until ``stop()`` or the source's end.
  ///   - isHeadphones: whether the source plays the role of headphones. Default: no.
  ///   - location: where the device is, for true north of services on ``host``. Default: not known.
  ///   - onEnd: called on the source's thread, perhaps more than once, when there is nothing to record.
  public convenience init(
    _ entry: SourceCatalog.Entry, recorder: Recorder, interval: SensorDuration = .zero, limit: SensorDuration? = nil,
    isHeadphones: Bool = false, location: GeographicLocation? = nil, onEnd: @escaping @Sendable (Ending) -> Void
  ) {
    self.init(
      entry, recorder: recorder, interval: interval, limit: limit, isHeadphones: isHeadphones, location: location,
      memory: nil, onEnd: onEnd)
  }

  /// The same; `memory` is what is known and learned about the sensors by services on ``host``.
  package init(
    _ entry: SourceCatalog.Entry, recorder: Recorder, interval: SensorDuration = .zero, limit: SensorDuration? = nil,
    isHeadphones: Bool = false, location: GeographicLocation? = nil, memory: (any SensorMemory)? = nil,
    onEnd: @escaping @Sendable (Ending) -> Void
  ) {
    (self.interval, self.onEnd) = (interval, onEnd)
    let calibrated = entry.source as? CalibratedSource
    let tap = RecordedSource(
      calibrated?.base ?? entry.source, recorder: recorder, knowsArrival: !(entry.pace.clock is FreeRunningClock),
      limit: limit
    ) { onEnd(.finished) }
    self.tap = tap
    let source: any SensorSource = calibrated.map { CalibratedSource(tap, file: $0.file) } ?? tap
    // Closed until all streams are subscribed: the first samples of all sensors belong into the recording.
    let host = MotionHost(
      device: isHeadphones ? nil : source, headphones: isHeadphones ? source : nil, clock: entry.pace.clock,
      rate: entry.pace.rate, gate: .manual, location: location, memory: memory)
    self.host = host
    // One of the two was just given.
    hub = (isHeadphones ? host.headphones : host.device) ?? MotionHub(source: source, clock: entry.pace.clock)
  }

  /// Asks the source for everything it has and starts it.
  public func start() {
    let kinds = hub.info.kinds
    var wanted = HubStream.sensors.filter { $0.isServed(by: kinds) }
    if kinds.contains(.motion) { wanted.append(.deviceMotion(usesMagnetometer: false)) }
    if kinds.contains(.connection) { wanted.append(.connection) }
    // The hub tells every subscriber of an end; one is enough to hear of it.
    for (index, stream) in wanted.enumerated() {
      let subscription = hub.subscribe(
        stream, interval: interval, news: { [weak self] news in if index == 0 { self?.hear(news) } })
      subscriptions.withLock { $0.append(subscription) }
    }
    hub.play()
  }

  private func hear(_ news: HubNews) {
    switch news {
    case .ended: onEnd(.finished)
    case .failed(let error):
      // A device that was there may come back; a file that cannot be read, or a device that never spoke, will not.
      onEnd(!tap.hasSpoken || hub.hasEnded ? .failed(error) : .interrupted(error))
    default: break
    }
  }

  /// Records something that was computed from the samples, such as their motion. Call it on the source's thread: it
  /// counts as received with the sample that completed it.
  public func add(_ sample: SensorSample) { tap.add(sample) }

  /// Stops the source; returns at once.
  public func stop() {
    let cancelled = subscriptions.withLock { exchange(&$0, with: []) }
    for subscription in cancelled { subscription.cancel() }
  }
}

/// A source whose samples are recorded on their way to all subscribers: as they came, before any calibration.
struct RecordedSource: SensorSource {
  private struct State {
    var first: SensorInstant?
    var last: SensorInstant?
    /// When the last one was received.
    var received: SensorInstant?
    var connection: ConnectionState?
    /// Since the source failed, no sample has come.
    var isSilentAfterFailure = false
  }

  let base: any SensorSource
  let recorder: Recorder
  /// Whether the session's clock tells when a sample was received; a free-running one does not.
  let knowsArrival: Bool
  /// Of sample time; nil = no end.
  let limit: SensorDuration?
  let onLimit: @Sendable () -> Void
  private let state = Lock(State())

  init(
    _ base: any SensorSource, recorder: Recorder, knowsArrival: Bool, limit: SensorDuration?,
    onLimit: @escaping @Sendable () -> Void
  ) {
    (self.base, self.recorder, self.knowsArrival) = (base, recorder, knowsArrival)
    (self.limit, self.onLimit) = (limit, onLimit)
  }

  var info: SensorInfo { base.info }
  /// Whether a sample has been recorded.
  var hasSpoken: Bool { state.withLock { $0.first != nil } }

  func run(_ session: SensorSession) async throws {
    do {
      try await base.run(
        SensorSession(of: session, connection: { record($0, session) }) { sample in
          record(sample, session)
          return sample
        })
    } catch {
      if let error = error as? SensorError, !session.isStopped { note(error, session) }
      throw error
    }
  }

  private func record(_ sample: SensorSample, _ session: SensorSession) {
    // What the source still delivers while it is being stopped is dropped.
    guard !session.isStopped else { return }
    let time = sample.time
    let received = knowsArrival ? session.clock.now : nil
    let (first, silentSince) = state.withLock { state -> (SensorInstant, SensorInstant?) in
      defer { (state.last, state.received, state.isSilentAfterFailure) = (time, received, false) }
      state.first = state.first ?? time
      return (state.first ?? time, state.isSilentAfterFailure ? state.last : nil)
    }
    if isOver(time, since: first) { return onLimit() }
    if let silentSince {
      let gap = RecordingEvent.gap(silentSince, service: "source", duration: time - silentSince, lost: nil)
      recorder.append(.event(gap, receivedAt: received))
    }
    recorder.append(.sample(sample, receivedAt: received))
  }

  /// Whether a sample is beyond the limit. The microsecond takes up the rounding of time stamps, so that 2 s at 100 Hz
  /// are 200 samples.
  private func isOver(_ time: SensorInstant, since first: SensorInstant) -> Bool {
    guard let limit else { return false }
    return time - first + SensorDuration(nanoseconds: 1000) >= limit
  }

  /// Records something that was computed from the samples; it counts as received with the last of them.
  func add(_ sample: SensorSample) {
    let (first, received) = state.withLock { ($0.first ?? sample.time, $0.received) }
    guard !isOver(sample.time, since: first) else { return }
    recorder.append(.sample(sample, receivedAt: received))
  }

  /// A report that says nothing new is not written.
  private func record(_ connection: ConnectionState, _ session: SensorSession) {
    let isNews = state.withLock { state in
      defer { state.connection = connection }
      return state.connection != connection
    }
    guard isNews, !session.isStopped else { return }
    record(RecordingEvent(connection, at: now(session)), session)
  }

  private func note(_ error: SensorError, _ session: SensorSession) {
    // Told once, however often the source is tried again.
    let isNews = state.withLock { state in
      defer { (state.isSilentAfterFailure, state.connection) = (state.first != nil, nil) }
      return state.first != nil && !state.isSilentAfterFailure
    }
    guard isNews else { return }
    let event = RecordingEvent.error(
      now(session), service: "source", domain: "opencoremotion.\(error.code.rawValue)", code: Int(error.errno ?? 0),
      message: error.message)
    record(event, session)
  }

  private func record(_ event: RecordingEvent, _ session: SensorSession) {
    recorder.append(.event(event, receivedAt: knowsArrival ? session.clock.now : nil))
  }

  /// On the time line of the samples: where the clock does not tell, as late as the last of them.
  private func now(_ session: SensorSession) -> SensorInstant {
    knowsArrival ? session.clock.now : state.withLock { $0.last } ?? session.clock.now
  }
}

extension RecordingDescription {
  /// What a recording of a source says of itself; `application` is the program that records, with its version.
  ///
  /// Of the source's address it holds what may be given away: no folder of this computer, no address of a device.
  ///
  /// The offset to the wall clock is measured here, once: a wall clock that is set while it is recorded moves nothing.
  public init(recording entry: SourceCatalog.Entry, application: String? = nil) throws(SensorError) {
    let calibrated = entry.source as? CalibratedSource
    let source = calibrated?.base ?? entry.source
    self.init(info: source.info)
    self.source = entry.uri.withoutPrivateParts.description
    self.application = application
    operatingSystem = ProcessInfo.processInfo.operatingSystemVersionString
    if let replay = source as? ReplaySource { describe(replay) }
    // On the clock of the computer, at its own speed; the time line of a recording or a simulation at full speed
    // belongs to no clock.
    if source.info.timeLine == .session, entry.pace.clock is MonotonicClock, entry.pace.rate == 1 {
      clock = .monotonic
      wallOffset = Self.wallOffset()
    }
    if var file = calibrated?.file {
      // A serial number is no part of a recording, which may be given away.
      file.device = source.info.name
      calibration = Array(try file.encoded())
    }
  }

  /// What a recording said of itself goes on in the recording of its replay.
  private mutating func describe(_ replay: ReplaySource) {
    sourceFormat = replay.recording.format.rawValue
    guard let recorded = replay.recording.recordedDescription else { return }
    (deviceModel, isSimulated, calibration) = (recorded.deviceModel, recorded.isSimulated, recorded.calibration)
    (gravityConstant, sign) = (recorded.gravityConstant, recorded.sign)
    if case .recorded = replay.info.timeLine { (clock, wallOffset) = (recorded.clock, recorded.wallOffset) }
  }

  /// CLOCK_REALTIME less CLOCK_MONOTONIC: the reading of the one between two close readings of the other.
  private static func wallOffset() -> SensorDuration {
    let monotonic = MonotonicClock()
    var best: (width: SensorDuration, offset: SensorDuration)?
    for _ in 0..<5 {
      var wall = timespec()
      let before = monotonic.now
      clock_gettime(CLOCK_REALTIME, &wall)
      let after = monotonic.now
      let width = after - before
      let middle = before.nanoseconds + width.nanoseconds / 2
      let offset = SensorDuration(nanoseconds: Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec) - middle)
      if best.map({ width < $0.width }) ?? true { best = (width, offset) }
    }
    return best?.offset ?? .zero
  }
}
