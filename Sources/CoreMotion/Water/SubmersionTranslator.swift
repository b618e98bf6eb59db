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
    var dates = SampleDates()
    var last: SensorInstant?
  }

  private let state = Lock(State())

  /// Starts again with what the host and the source know of the water.
  func begin(_ policy: HostPolicy, source: SensorInfo) {
    var parameters = SubmersionEstimator.Parameters()
    parameters.water = policy.waterDensity ?? source.water?.density.flatMap { WaterDensity($0) } ?? .en13319
    parameters.maximumDepth = policy.maximumDepth
    parameters.thermometer.timeConstant = source.water?.thermometerTimeConstant
    parameters.surfacePressure = policy.surfacePressure ?? source.water?.surfacePressure
    state.withLock { state in
      // A pressure measured by an earlier run is better than a configured one.
      if let old = state.estimator, old.isSurfacePressureMeasured { parameters.surfacePressure = old.surfacePressure }
      state = State(estimator: SubmersionEstimator(parameters: parameters))
    }
  }

  /// The present state, as a newly assigned delegate receives it.
  var present: SubmersionNews {
    state.withLock { state in
      var update = SubmersionUpdate()
      let time = state.last ?? SensorInstant(nanoseconds: 0)
      update.event = .init(time: time, state: state.estimator?.submersion ?? .unknown)
      // Before the first sample there is no time line yet: the state is that of now.
      return SubmersionNews(update: update, eventDate: state.last.map { state.dates.date(of: $0) } ?? Date())
    }
  }

  /// What a pressure says of the water; nil without news.
  func translate(_ sample: SensorSample) -> SubmersionNews? {
    guard case .pressure(let pressure) = sample else { return nil }
    return update { state in
      state.last = pressure.time
      return state.estimator?.update(pressure).dated(&state.dates)
    }
  }

  func translate(_ news: HubNews) -> SubmersionNews? {
    update { state in
      switch news {
      case .time(let time):
        // The sensor of the water may have fallen silent beside others that go on.
        return state.estimator?.update(time: time).dated(&state.dates)
      case .failed:
        guard let last = state.last else { return nil }
        let update = state.estimator?.interrupt(at: last).dated(&state.dates)
        // The source may come back after a sleep, in which its clock stood still.
        state.dates = SampleDates()
        return update
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
  fileprivate func dated(_ dates: inout SampleDates) -> SubmersionNews {
    SubmersionNews(
      update: self, eventDate: event.map { dates.date(of: $0.time) },
      measurementDate: measurement.map { dates.date(of: $0.time) },
      temperatureDate: temperature.map { dates.date(of: $0.time) })
  }
}
