// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionHost
import MotionMath
import MotionRecording
import MotionSensing
package import MotionServices
package import MotionTools
import NetworkSources

/// A live source (or a simulation) on its way to the page: its sensors and its motion as records, and its state twice a
/// second.
///
/// The hub calls on the source's thread, which only appends to a buffer: it never waits for a page.
package final class ViewFeed: Sendable {
  fileprivate struct State {
    /// The frame that each view of the source shows, by its number on the page.
    var views: [Int: (framing: MotionFraming, subscription: Subscription?)] = [:]
    var start: SensorInstant?
    var latency = (sum: 0.0, count: 0, largest: 0.0)
    var gyroscopes: (GyroscopeSample?, GyroscopeSample?) = (nil, nil)
    var bias: Vector3<Device>?
    var isAtRest: Bool?
    var notice: String?
    var failure: String?
    var hasEnded = false
  }

  package let selection: SourceSelection
  package let host: MotionHost
  package let hub: MotionHub
  let tap: ViewTap
  /// The phone whose browser is the source.
  let phone: BrowserSource?
  /// Why there is no motion; nil when there is.
  let absence: String?
  private let state: Lock<State>
  private let sensors = Lock<[Subscription]>([])
  private let records: ViewStream

  package init(_ selection: SourceSelection, location: LocationArgument?, records: ViewStream) throws {
    self.selection = selection
    self.records = records
    tap = ViewTap(selection.base)
    phone = tap.base as? BrowserSource
    let source: any SensorSource = selection.calibrated.map { [tap] in CalibratedSource(tap, file: $0.file) } ?? tap
    let environment = HostEnvironment(ProcessInfo.processInfo.environment)
    // Closed until all streams are subscribed to: none misses the beginning.
    host = MotionHost(
      device: source, clock: selection.entry.pace.clock, rate: selection.entry.pace.rate, gate: .manual,
      location: try location?.location ?? environment.location(),
      memory: environment.memories?.memory(of: selection.info))
    guard let hub = host.device else { throw CommandFailure("There is no source.") }
    self.hub = hub
    absence = MotionRequirements.absence(selection.info)
    state = Lock(State())
  }

  /// Adds a view; before ``start()``.
  func add(view number: Int, frame: ReferenceFrame) {
    state.withLock { $0.views[number] = (frame.framing(at: host.location), nil) }
  }

  package func start() {
    let served = HubStream.sensors.filter { $0.isServed(by: hub.info.kinds) } + [.connection]
    sensors.withLock { sensors in
      sensors = served.map { stream in
        hub.subscribe(stream, interval: .zero) { [weak self] sample in
          self?.take(sample)
        } news: { [weak self] news in
          self?.take(news)
        }
      }
    }
    for number in state.withLock({ $0.views.keys }) { subscribe(view: number) }
    hub.play()
  }

  package func stop() {
    let views = state.withLock { $0.views.values.compactMap(\.subscription) }
    for subscription in views + sensors.withLock({ $0 }) { subscription.cancel() }
  }

  /// Shows another frame from now on, if the source has it.
  func show(_ frame: ReferenceFrame, in number: Int) {
    guard ViewSession.frames(of: selection, on: host).contains(frame) else { return }
    let former = state.withLock { state -> Subscription? in
      defer { state.views[number] = (frame.framing(at: host.location), nil) }
      state.notice = nil
      return state.views[number]?.subscription
    }
    records.forget()
    subscribe(view: number)
    // After the new one, so that the source goes on.
    former?.cancel()
  }

  private func subscribe(view number: Int) {
    guard absence == nil, let framing = state.withLock({ $0.views[number]?.framing }) else { return }
    let subscription = hub.subscribe(in: framing, interval: .zero) { [weak self] row, notice in
      self?.take(row, notice, view: number, of: framing.reference)
    }
    state.withLock { $0.views[number]?.subscription = subscription }
  }

  private func take(
    _ row: MotionRow?, _ notice: MotionFraming.Notice?, view number: Int, of frame: MotionRow.Reference
  ) {
    let row = state.withLock { state -> (MotionRow, Double)? in
      // The view may show another frame by now.
      guard state.views[number]?.framing.reference == frame else { return nil }
      if let notice { state.notice = notice.sentence }
      if row?.field != nil { state.notice = nil }
      guard let row else { return nil }
      state.note(row, now: hub.clock.now, isLive: selection.info.timeLine == .session)
      if let isAtRest = row.isAtRest {
        state.isAtRest = isAtRest
        if let raw = [state.gyroscopes.0, state.gyroscopes.1].compactMap({ $0 }).first(where: { $0.time == row.time }) {
          state.bias = raw.angularVelocity - row.angularVelocity
        }
      }
      return (row, state.seconds(of: row.time))
    }
    guard let (row, seconds) = row else { return }
    records.append { ViewRecord.append(row, view: number, seconds: seconds, to: &$0) }
  }

  private func take(_ news: HubNews) {
    state.withLock { state in
      switch news {
      case .connection(let connection): if connection.isConnected { state.failure = nil }
      case .failed(let error): state.failure = error.description
      case .ended: state.hasEnded = true
      case .time: break
      }
    }
  }

  private func take(_ sample: SensorSample) {
    let (seconds, views) = state.withLock { state -> (Double, [Int]) in
      if case .gyroscope(let gyroscope) = sample { state.gyroscopes = (gyroscope, state.gyroscopes.0) }
      state.failure = nil
      return (state.seconds(of: sample.time), state.views.keys.sorted())
    }
    // Motion holds the accelerometer and the gyroscope already.
    if absence == nil, !sample.kinds.isDisjoint(with: .inertial) { return }
    records.append { bytes in
      for view in views { ViewRecord.append(sample, view: view, seconds: seconds, to: &bytes) }
    }
  }

  /// How the source does, for each of its views; the latency is that since the call before.
  func states() -> [ViewState] {
    let statistics = hub.statistics
    let state = state.withLock { state in
      defer { state.latency = (0, 0, 0) }
      return state
    }
    let isMeasured = state.latency.count > 0
    let rates = statistics.named.compactMap { name, counts in
      counts.rate.map { ViewState.Rate(name: name, hertz: $0) }
    }
    return state.views.sorted { $0.key < $1.key }.map { number, view in
      ViewState(
        view: number, frame: ReferenceFrame(view.framing.reference).rawValue, rates: rates,
        gaps: statistics.gaps, dropped: statistics.dropped,
        latency: isMeasured ? state.latency.sum / Double(state.latency.count) : nil,
        largestLatency: isMeasured ? state.latency.largest : nil, bias: state.bias.map { [$0.x, $0.y, $0.z] },
        isAtRest: state.isAtRest, notice: state.failure ?? state.notice, hasEnded: state.hasEnded)
    }
  }
}

/// What the page is told twice a second of each view.
struct ViewState: Encodable {
  var view: Int
  var frame: String
  var rates: [Rate]
  var gaps, dropped: Int
  /// Seconds from the measurement to here.
  var latency, largestLatency: Double?
  /// rad/s
  var bias: [Double]?
  var isAtRest: Bool?
  var notice: String?
  var hasEnded: Bool

  /// Of a sensor, since its first sample.
  struct Rate: Encodable {
    var name: String
    var hertz: Double
  }
}

extension ViewFeed.State {
  /// Seconds since the source's first sample.
  fileprivate mutating func seconds(of time: SensorInstant) -> Double {
    let start = start ?? time
    self.start = start
    return (time - start).seconds
  }

  fileprivate mutating func note(_ row: MotionRow, now: SensorInstant, isLive: Bool) {
    failure = nil
    guard isLive else { return }
    let delay = (now - row.time).seconds
    latency = (latency.sum + delay, latency.count + 1, max(latency.largest, delay))
  }
}
