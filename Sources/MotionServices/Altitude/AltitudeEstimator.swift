// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// Makes relative and absolute altitude out of the pressure of the air.
///
/// ```swift
/// var estimator = AltitudeEstimator()
/// for sample in samples {
///   if let altitude = estimator.update(sample) { print(altitude.relative, "m") }
/// }
/// ```
///
/// The pressure is smoothed by one pole, turned into a height by the standard atmosphere, and reported once a second
/// (D9). The first value is what all later ones are relative to, exactly 0 (S61); there is no new zero while the
/// estimator lives.
///
/// Weather moves the pressure too, up to 0.7 hPa and so 5 m in an hour on an ordinary day: that is in the result,
/// because no barometer can distinguish it from a climb.
///
/// Above sea level a reference is needed. It enters as a bias of the barometer with a variance, which grows as the weather
/// changes: by 5 m/√h. Without a reference the standard atmosphere is assumed and the accuracy is that of this
/// assumption: 80 m, the scatter of the weather. (ALT-2.)
package struct AltitudeEstimator: Sendable, Hashable {
  /// The constants of the estimator.
  package struct Parameters: Sendable, Hashable {
    /// Seconds of the smoothing: more = calmer, later. Default 2, as telephones do; 0 = none.
    package var timeConstant = 2.0
    /// Seconds between two results; 0 = every sample. Default 1 (D9).
    package var interval = 1.0
    /// Seconds of samples before the first result. Default 2.
    package var settlingTime = 2.0
    /// What is known of sea level; default nothing.
    package var reference: AltitudeReference?
    /// Metres: the standard deviation of the altitude without a reference. Default 80.
    package var unknownDeviation = 80.0
    /// m/√s by which weather moves the bias. Default 5 m/√h.
    package var biasWalk = 5.0 / 60
    /// Metres: what the sensor itself adds, one standard deviation. Default 0.2.
    package var sensorDeviation = 0.2
    /// Pascal: outside, a sample is rejected. Default 20 000…115 000, from 11 km up to below the Dead Sea.
    package var plausiblePressures = 20_000.0...115_000.0

    /// The defaults.
    package init() {}
  }

  /// One result.
  package struct Altitude: Sendable, Hashable {
    /// The time of the sample that completed it.
    package var time: SensorInstant
    /// Pascal, smoothed.
    package var pressure: Double
    /// Metres, up positive, from the first result; which is exactly 0.
    package var relative: Double
    /// Metres above sea level.
    package var absolute: Double
    /// Metres, one standard deviation of ``absolute``.
    package var accuracy: Double
    /// Metres: the step in which ``absolute`` makes sense: 0.1, 0.2, 0.5 or 1.
    package var precision: Double
  }

  struct Coefficients: Sendable, Hashable {
    /// Nanoseconds between two results.
    var interval: Int64
    /// m²/s.
    var biasVariancePerSecond: Double

    init(_ parameters: Parameters) {
      interval = Int64(clamping: max(0, min(1e6, parameters.interval)) * 1e9)
      biasVariancePerSecond = parameters.biasWalk * parameters.biasWalk
    }
  }

  struct State: Sendable, Hashable {
    var first: SensorInstant?
    var last: SensorInstant?
    /// Pascal.
    var pressure = 0.0
    var count = 0
    var due: SensorInstant?
    /// Metres in the standard atmosphere of the first result.
    var base: Double?
    var bias: Bias?
    var rejectedCount = 0
  }

  /// As given.
  package let parameters: Parameters
  let coefficients: Coefficients
  var state = State()

  /// An estimator that has received no sample yet.
  package init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    coefficients = Coefficients(parameters)
  }

  /// Samples that were left out because no air on earth has their pressure.
  package var rejectedCount: Int { state.rejectedCount }

  /// Processes a sample of the air's pressure; a result when one is due. Times must not go back.
  package mutating func update(_ sample: PressureSample) -> Altitude? {
    guard sample.medium == .air else { return nil }
    guard parameters.plausiblePressures.contains(sample.pressure) else {
      state.rejectedCount += 1
      return nil
    }
    smooth(sample)
    let first = state.first ?? sample.time
    state.first = first
    guard (sample.time - first).seconds >= parameters.settlingTime, isDue(sample.time) else { return nil }
    return result(at: sample.time)
  }

  /// A pole, which begins as the mean of the samples so far: the first results are as calm as can be.
  private mutating func smooth(_ sample: PressureSample) {
    state.count += 1
    let step = state.last.map { (sample.time - $0).seconds } ?? 0
    state.last = sample.time
    let gain = parameters.timeConstant > 0 ? 1 - Scalar.exp(-step / parameters.timeConstant) : 1
    state.pressure += (sample.pressure - state.pressure) * max(gain, 1 / Double(state.count))
  }

  private mutating func isDue(_ time: SensorInstant) -> Bool {
    if let due = state.due, time < due { return false }
    // On the grid of the first result; a sensor slower than the grid gives all it has.
    let grid = state.due ?? time
    state.due = grid.next(after: time, every: SensorDuration(nanoseconds: coefficients.interval))
    return true
  }

  private mutating func result(at time: SensorInstant) -> Altitude {
    let height = StandardAtmosphere.height(at: state.pressure)
    let base = state.base ?? height
    state.base = base
    var bias = state.bias ?? Bias(height: height, pressure: state.pressure, time: time, parameters)
    bias.predict(to: time, coefficients.biasVariancePerSecond)
    state.bias = bias
    let accuracy = (bias.variance + parameters.sensorDeviation * parameters.sensorDeviation).squareRoot()
    return Altitude(
      time: time, pressure: state.pressure, relative: height - base, absolute: height + bias.value,
      accuracy: accuracy, precision: Self.precision(for: accuracy))
  }

  /// A tenth of the accuracy, rounded to a handy step.
  private static func precision(for accuracy: Double) -> Double {
    [0.1, 0.2, 0.5].first { $0 >= accuracy / 10 } ?? 1
  }
}

extension AltitudeEstimator {
  /// What has to be added to the height in the standard atmosphere, in metres, with its variance.
  struct Bias: Sendable, Hashable {
    let value: Double
    private(set) var variance: Double
    private var time: SensorInstant

    /// At the first result: its height in the standard atmosphere, its pressure, and the reference of the parameters.
    init(height: Double, pressure: Double, time: SensorInstant, _ parameters: Parameters) {
      self.time = time
      switch parameters.reference {
      case .seaLevelPressure(let reference, let deviation):
        // 8.3 m for a hectopascal near sea level; the slope of the same formula anywhere else.
        let slope =
          StandardAtmosphere.height(at: pressure, above: reference + 1)
          - StandardAtmosphere.height(at: pressure, above: reference)
        value = StandardAtmosphere.height(at: pressure, above: reference) - height
        variance = slope * slope * deviation * deviation
      case .height(let known, let deviation):
        value = known - height
        variance = deviation * deviation
      case nil:
        value = 0
        variance = parameters.unknownDeviation * parameters.unknownDeviation
      }
    }

    /// Time passes: the weather changes.
    mutating func predict(to time: SensorInstant, _ variancePerSecond: Double) {
      variance += variancePerSecond * max(0, (time - self.time).seconds)
      self.time = time
    }
  }
}
