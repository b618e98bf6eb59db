// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

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
      calibrated?.base ?? entry.source, recorder: recorder, knowsArrival: !(entry.clock is FreeRunningClock),
      limit: limit
    ) { onEnd(.finished) }
    self.tap = tap
    let source: any SensorSource = calibrated.map { CalibratedSource(tap, file: $0.file) } ?? tap
    // Closed until all streams are subscribed: the first samples of all sensors belong into the recording.
    let host = MotionHost(
      device: isHeadphones ? nil : source, headphones: isHeadphones ? source : nil, clock: entry.clock,
      rate: entry.rate, gate: .manual, location: location, memory: memory)
    self.host = host
    // One of the two was just given.
    hub = (isHeadphones ? host.headphones : host.device) ?? MotionHub(source: source, clock: entry.clock)
  }

  /// Asks the source for everything it has and starts it.
  public func start() {
    let streams: [(kind: SensorKinds, stream: HubStream)] = [
      (.accelerometer, .accelerometer), (.gyroscope, .gyroscope), (.magnetometer, .magnetometer),
      (.airPressure, .airPressure), (.waterPressure, .waterPressure), (.temperature, .temperature),
      (.motion, .deviceMotion(usesMagnetometer: false)), (.connection, .connection),
    ]
    let wanted = streams.filter { hub.info.kinds.contains($0.kind) }
    // The hub tells every subscriber of an end; one is enough to hear of it.
    for (index, entry) in wanted.enumerated() {
      let subscription = hub.subscribe(
        entry.stream, interval: interval, news: { [weak self] news in if index == 0 { self?.hear(news) } })
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
    let cancelled = subscriptions.withLock { subscriptions in
      defer { subscriptions = [] }
      return subscriptions
    }
    for subscription in cancelled { subscription.cancel() }
  }
}
