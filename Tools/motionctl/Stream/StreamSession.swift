// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionServices
import MotionTools

/// A manager with one running service, as any client has it, and an eye on the end of its source.
final class StreamSession {
  private let manager = CMMotionManager()
  private let queue = OperationQueue()
  private let service: MotionService
  let hub: MotionHub
  private let printer: StreamPrinter
  /// Of a stream by the second.
  private var batches: Task<Void, Never>?
  private var ending: Subscription?

  /// Starts the service. Make it inside the host's scope; `interval` in seconds as the manager takes it.
  init(
    service: MotionService, frame: ReferenceFrame, interval: TimeInterval, isBatched: Bool = false, host: MotionHost,
    printer: StreamPrinter
  ) throws {
    guard let hub = host.device else { throw CommandFailure("There is no source.") }
    (self.service, self.hub, self.printer) = (service, hub, printer)
    queue.maxConcurrentOperationCount = 1
    queue.qualityOfService = .userInitiated
    let stream: HubStream =
      switch service {
      case .accelerometer: .accelerometer
      case .gyro: .gyroscope
      case .magnetometer: .magnetometer
      // The manager's own stream, so that nothing more is computed for the listener.
      case .deviceMotion: .deviceMotion(usesMagnetometer: frame != .arbitrary)
      }
    guard stream.isServed(by: hub.info.kinds) else { throw CommandFailure("\(hub.info.name) has no \(service.name).") }
    if isBatched {
      batches = Self.followBatches(of: service, hub: hub, printer: printer)
    } else {
      start(frame: frame, interval: interval)
      watchEnd(of: stream, interval: interval)
    }
  }

  /// Stops the service and waits for the handlers that have begun. Returns how often the source waited for them.
  func stop() -> Int {
    ending?.cancel()
    batches?.cancel()
    manager.stopAccelerometerUpdates()
    manager.stopGyroUpdates()
    manager.stopMagnetometerUpdates()
    manager.stopDeviceMotionUpdates()
    queue.waitUntilAllOperationsAreFinished()
    return hub.stalls
  }

  private func start(frame: ReferenceFrame, interval: TimeInterval) {
    let (printer, queue) = (printer, queue)
    func handle(_ sample: ServiceSample?, _ error: (any Error)?) {
      if let sample { printer.append(sample, backlog: queue.operationCount) }
      if let error { printer.say(error) }
    }
    switch service {
    case .accelerometer:
      manager.accelerometerUpdateInterval = interval
      manager.startAccelerometerUpdates(to: queue) { data, error in
        handle(data.map { vector($0, $0.acceleration.x, $0.acceleration.y, $0.acceleration.z) }, error)
      }
    case .gyro:
      manager.gyroUpdateInterval = interval
      manager.startGyroUpdates(to: queue) { data, error in
        handle(data.map { vector($0, $0.rotationRate.x, $0.rotationRate.y, $0.rotationRate.z) }, error)
      }
    case .magnetometer:
      manager.magnetometerUpdateInterval = interval
      manager.startMagnetometerUpdates(to: queue) { data, error in
        handle(data.map { vector($0, $0.magneticField.x, $0.magneticField.y, $0.magneticField.z) }, error)
      }
    case .deviceMotion:
      manager.deviceMotionUpdateInterval = interval
      manager.startDeviceMotionUpdates(using: frame.value, to: queue) { data, error in
        handle(data.map { .motion(MotionRow(of: $0)) }, error)
      }
    }
  }

  /// A manager does not report the end of a recording, as Apple's has none. A second listener beside it receives it,
  /// and passes it on behind the handlers that are still queued.
  private func watchEnd(of stream: HubStream, interval: TimeInterval) {
    let (hub, queue, completion) = (hub, queue, printer.completion)
    ending = hub.subscribe(
      stream, interval: SensorDuration(seconds: interval) ?? .zero,
      news: { news in
        switch news {
        // The others come back by themselves: the hub tries again.
        case .failed where !hub.hasEnded, .connection, .time: break
        case .failed, .ended: queue.addOperation { completion.take(news) }
        }
      })
  }
}

/// A sample of one sensor.
private func vector(_ item: CMLogItem, _ x: Double, _ y: Double, _ z: Double) -> ServiceSample {
  .vector(timestamp: item.timestamp, x: x, y: y, z: z)
}

extension StreamSession {
  /// Prints a service by the second, as a client with `for try await` gets it; such a loop ends with its source.
  ///
  /// Begin it inside the host's scope: the task inherits it.
  static func followBatches(of service: MotionService, hub: MotionHub, printer: StreamPrinter) -> Task<Void, Never> {
    Task {
      let manager = CMBatchedSensorManager()
      do {
        if service == .deviceMotion {
          for try await batch in manager.deviceMotionUpdates() {
            print(batch.map { .motion(MotionRow(of: $0)) }, printer)
          }
        } else {
          for try await batch in manager.accelerometerUpdates() {
            print(batch.map { vector($0, $0.acceleration.x, $0.acceleration.y, $0.acceleration.z) }, printer)
          }
        }
        printer.completion.finish(.done)
      } catch {
        printer.say(error)
        printer.completion.finish(.failed(hub.failure ?? SensorError(.system, "The batches ended with an error.")))
      }
    }
  }

  private static func print(_ samples: [ServiceSample], _ printer: StreamPrinter) {
    for (index, sample) in samples.enumerated() { printer.append(sample, backlog: samples.count - index) }
  }
}

/// Prints the samples that a handler receives, counts them, and says when there are enough.
final class StreamPrinter: Sendable {
  /// What has been printed.
  struct Totals: Sendable {
    var count = 0
    /// Seconds on the source's clock.
    var first = 0.0
    var last = 0.0
    /// The most samples that were queued for the handler at once.
    var backlog = 0

    var duration: Double { last - first }
    /// Hz; nil below two samples.
    var rate: Double? { count > 1 && duration > 0 ? Double(count - 1) / duration : nil }
  }

  private struct State {
    var buffer = JSONText(capacity: 1 << 16)
    var totals = Totals()
    /// Totals at the last look at the rate.
    var seen = (count: 0, time: ContinuousClock.now)
  }

  let completion: Completion
  private let writer: SampleWriter
  private let limit: Seconds?
  private let output = OutputFile.standardOutput
  private let state = Lock(State())
  /// Standard output is the terminal that shows the statistics.
  private let sharesTerminal = isatty(STDOUT_FILENO) == 1 && StandardError.shared.isTerminal

  /// Prints the header. `limit` ends the stream when it is reached.
  init(writer: SampleWriter, limit: Seconds?, completion: Completion) throws {
    (self.writer, self.limit, self.completion) = (writer, limit, completion)
    try state.withLock { state in
      writer.appendHeader(to: &state.buffer)
      try flush(&state)
    }
  }

  var totals: Totals { state.withLock { $0.totals } }

  /// Prints a sample; `backlog` counts the handler calls that are queued, this one included.
  func append(_ sample: ServiceSample, backlog: Int) {
    guard !completion.isFinished else { return }
    do {
      let isEnough = try state.withLock { state -> Bool in
        if state.totals.count == 0 { state.totals.first = sample.timestamp }
        if let limit, limit.isOver(after: sample.timestamp - state.totals.first) { return true }
        state.totals.count += 1
        state.totals.last = sample.timestamp
        state.totals.backlog = max(state.totals.backlog, backlog)
        writer.append(sample, to: &state.buffer)
        // In real time every sample is visible at once; at full speed samples go out in blocks.
        if backlog <= 1 || state.buffer.count > 1 << 15 { try flush(&state) }
        return false
      }
      if isEnough { completion.finish(.done) }
    } catch {
      completion.finish(.stopped(error))
    }
  }

  /// An error of the handler, as a sentence.
  func say(_ error: any Error) {
    let error = error as NSError
    StandardError.shared.say("\(error.localizedDescription) (\(error.domain) \(error.code))")
  }

  /// The status line, for a person who watches.
  func tick(_ statistics: TimelineStatistics) {
    guard StandardError.shared.isTerminal else { return }
    let (totals, rate) = state.withLock { state -> (Totals, Double) in
      let now = ContinuousClock.now
      let rate = Double(state.totals.count - state.seen.count) / max(1e-3, (now - state.seen.time).seconds)
      // Looked at once a second, so that the number stands still long enough to be read.
      if now - state.seen.time > .seconds(1) { state.seen = (state.totals.count, now) }
      return (state.totals, rate)
    }
    StandardError.shared.show(
      "\(Text.duration(totals.duration)) · \(Text.count(totals.count, "sample")) · \(Text.decimal(rate, places: 0)) Hz · \(Text.count(statistics.gaps, "gap")) · \(statistics.dropped) dropped · backlog \(totals.backlog)"
    )
  }

  /// Writes what is left.
  func flush() throws { try state.withLock { try flush(&$0) } }

  private func flush(_ state: inout State) throws {
    guard state.buffer.count > 0 else { return }
    let bytes = state.buffer.bytes
    state.buffer.removeAll()
    if sharesTerminal {
      try StandardError.shared.aside { try output.write(bytes) }
    } else {
      try output.write(bytes)
    }
  }
}
