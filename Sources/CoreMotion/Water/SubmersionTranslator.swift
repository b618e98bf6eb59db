// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// What a delegate of the water manager receives together.
struct SubmersionNews: Sendable {
  var update: SubmersionUpdate
  /// Of the event, the measurement and the temperature.
  var eventDate: Date?
  var measurementDate: Date?
  var temperatureDate: Date?
}

/// Turns a hub's samples into news of the water. It lives as long as its manager, so that the pressure of the air is
/// still known when the delegate comes back under water.
final class SubmersionTranslator: Sendable {
  private struct State {
    var estimator: SubmersionEstimator?
    var host: MotionHost?
    var last: SensorInstant?
  }

  private let state = Lock(State())

  /// Starts again with what host and source state of the water.
  func begin(_ host: MotionHost, source: SensorInfo) {
    let policy = host.policy
    var parameters = SubmersionEstimator.Parameters()
    parameters.water = policy.waterDensity ?? source.water?.density.flatMap { WaterDensity($0) } ?? .en13319
    parameters.maximumDepth = policy.maximumDepth
    parameters.thermometer.timeConstant = source.water?.thermometerTimeConstant
    parameters.surfacePressure = policy.surfacePressure ?? source.water?.surfacePressure
    state.withLock { state in
      // A pressure measured by an earlier run is better than a configured one.
      if let old = state.estimator, old.isSurfacePressureMeasured { parameters.surfacePressure = old.surfacePressure }
      state = State(estimator: SubmersionEstimator(parameters: parameters), host: host)
    }
  }

  /// The present state, as a newly assigned delegate receives it.
  var present: SubmersionNews {
    state.withLock { state in
      var update = SubmersionUpdate()
      let time = state.last ?? SensorInstant(nanoseconds: 0)
      update.event = .init(time: time, state: state.estimator?.submersion ?? .unknown)
      // Before the first sample the state is that of now.
      return SubmersionNews(
        update: update, eventDate: state.last.flatMap { state.host?.date(of: $0) } ?? state.host?.now ?? Date())
    }
  }

  /// What follows from a pressure; nil without news.
  func translate(_ sample: SensorSample) -> SubmersionNews? {
    guard case .pressure(let pressure) = sample else { return nil }
    return update { state in
      state.last = pressure.time
      return state.estimator?.update(pressure).dated(by: state.host)
    }
  }

  func translate(_ news: HubNews) -> SubmersionNews? {
    update { state in
      switch news {
      case .time(let time):
        // The sensor of the water may have fallen silent beside others that go on.
        return state.estimator?.update(time: time).dated(by: state.host)
      case .failed:
        return state.last.flatMap { state.estimator?.interrupt(at: $0).dated(by: state.host) }
      case .connection, .ended: return nil
      }
    }
  }

  private func update(_ body: (inout State) -> SubmersionNews?) -> SubmersionNews? {
    guard let news = state.withLock(body), !news.update.isEmpty else { return nil }
    return news
  }
}

extension SubmersionUpdate {
  fileprivate func dated(by host: MotionHost?) -> SubmersionNews {
    func date(_ time: SensorInstant?) -> Date? { time.flatMap { host?.date(of: $0) } }
    return SubmersionNews(
      update: self, eventDate: date(event?.time), measurementDate: date(measurement?.time),
      temperatureDate: date(temperature?.time))
  }
}
