// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Makes submersion, depth and water temperature out of the pressure that presses on the device.
///
/// ```swift
/// var estimator = SubmersionEstimator()
/// for sample in samples {
///   let update = estimator.update(sample)
///   if let depth = update.measurement?.depth { print(depth, "m") }
/// }
/// ```
///
/// A pressure alone says nothing about depth: the air's share must be known. It is learnt while the device is in the air
/// (``SurfacePressureTracker``) and held from entry to exit; mountain lakes need nothing more, and the weather of an hour costs
/// a centimetre. Two rules then work side by side (`spec/water.md` 3):
/// * *submersion*: deeper than 0.30 m for a second, having come there within ten seconds, is in; shallower than 0.15 m for three
///   seconds is out. On five real dives that gives no false change, in swell neither.
/// * *depth state*: the median of three depths against 1 m and the bounds that follow the maximum depth, with 0.1 m of
///   hysteresis (D13).
///
/// Samples may come at any rate. They are averaged to three a second; slower ones pass as they are, so that a log of one a
/// second gives one measurement a second. Only samples of water may be given: a barometer in a lift must not submerge.
public struct SubmersionEstimator: Sendable, Hashable {
  /// As given.
  public let parameters: Parameters
  let coefficients: Coefficients
  var state: State

  /// An estimator that knows nothing yet but its parameters.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    coefficients = Coefficients(parameters)
    state = State(thermometer: WaterTemperatureEstimator(parameters: parameters.thermometer))
    if let pressure = parameters.surfacePressure {
      state.surfacePressure = pressure
      state.isSurfacePressureKnown = true
    }
  }

  /// Whether the device is in the water, as far as that is known.
  public var submersion: SubmersionUpdate.Submersion { state.submersion }
  /// Pascal of the air.
  public var surfacePressure: Double { state.surfacePressure }
  /// True once ``surfacePressure`` has been measured, not only told.
  public var isSurfacePressureMeasured: Bool { state.isSurfacePressureMeasured }
  /// Samples that were left out because no pressure can be what they said.
  public var rejectedCount: Int { state.plausibility.rejectedCount }

  /// The sensor has left, or a new run begins: what the water is like now has to be found out again. The surface pressure is
  /// kept, so that a sensor that comes back under water goes on with the right depth.
  public mutating func interrupt(at time: SensorInstant) -> SubmersionUpdate {
    var update = SubmersionUpdate()
    if state.submersion != .unknown { update.event = .init(time: time, state: .unknown) }
    var fresh = State(thermometer: WaterTemperatureEstimator(parameters: parameters.thermometer))
    fresh.surfacePressure = state.surfacePressure
    fresh.isSurfacePressureKnown = state.isSurfacePressureKnown
    fresh.isSurfacePressureMeasured = state.isSurfacePressureMeasured
    state = fresh
    return update
  }

  /// Takes a sample of the water's pressure. Times must not go back.
  public mutating func update(_ sample: PressureSample) -> SubmersionUpdate {
    guard sample.medium == .water else { return SubmersionUpdate() }
    let isSubmerged = state.submersion == .submerged
    var problem: SensorError?
    switch state.plausibility.judge(sample, isSubmerged: isSubmerged, parameters) {
    case .good, .recovered: state.boxcar.add(sample, longest: 2 * coefficients.interval)
    case .rejected: break
    case .failed(let error):
      problem = error
      forgetUnfinished()
    }
    var update = SubmersionUpdate()
    if isDue(sample.time) {
      if state.plausibility.isFailed {
        update = failing(at: sample.time)
      } else if let mean = state.boxcar.take() {
        update = measure(mean)
      }
    }
    update.problem = problem
    return update
  }

  /// The source's time has come to `time`, by a sample of any of its sensors: a sensor of the water that has been silent for too long has
  /// failed (``Parameters/silenceTime``). That is told once, and under water there is no depth until it speaks again.
  public mutating func update(time: SensorInstant) -> SubmersionUpdate {
    var update = SubmersionUpdate()
    let problem = state.plausibility.listen(until: time, parameters)
    if problem != nil { forgetUnfinished() }
    if state.plausibility.isSilent, isDue(time) { update = failing(at: time) }
    update.problem = problem
    return update
  }

  /// The sensor has failed: the dwell times must not run on without a depth.
  private mutating func forgetUnfinished() {
    _ = state.boxcar.take()
    state.dwell = Dwell()
    state.settlingSince = nil
    state.depths = []
  }

  /// Whether a measurement is due; the first sample gives one. The grid is fixed to it.
  private mutating func isDue(_ time: SensorInstant) -> Bool {
    guard let due = state.due else {
      state.due = time + SensorDuration(nanoseconds: coefficients.interval)
      return true
    }
    guard time >= due else { return false }
    let steps = (time - due).nanoseconds / coefficients.interval + 1
    state.due = due + SensorDuration(nanoseconds: steps * coefficients.interval)
    return true
  }
}
