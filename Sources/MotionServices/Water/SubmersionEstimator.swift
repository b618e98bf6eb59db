// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

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
/// A pressure alone does not determine the depth: the air's share must be known. It is learnt while the device is in the
/// air (``SurfacePressureTracker``) and held from entry to exit; mountain lakes need nothing more, and the weather of
/// an hour costs a centimetre. Two rules then work side by side (WATER-3):
/// * *submersion*: deeper than 0.30 m for a second, having come there within ten seconds, is in; shallower than 0.15 m
///   for three seconds is out. On five real dives that gives no false change, in swell neither.
/// * *depth state*: the median of three depths against 1 m and the bounds that follow the maximum depth, with 0.1 m of
///   hysteresis (D13).
///
/// Samples may come at any rate. They are averaged to three a second; slower ones pass as they are, so that a log of
/// one a second gives one measurement a second. Only samples of water may be given: a barometer in a lift must not
/// submerge.
package struct SubmersionEstimator: Sendable, Hashable {
  /// As given.
  package let parameters: Parameters
  let coefficients: Coefficients
  var state: State

  /// An estimator before its first sample.
  package init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    coefficients = Coefficients(parameters)
    state = State(thermometer: WaterTemperatureEstimator(parameters: parameters.thermometer))
    if let pressure = parameters.surfacePressure {
      state.surfacePressure = pressure
      state.isSurfacePressureKnown = true
    }
  }

  /// Whether the device is in the water, as far as that is known.
  package var submersion: SubmersionUpdate.Submersion { state.submersion }
  /// Pascal of the air.
  package var surfacePressure: Double { state.surfacePressure }
  /// True once ``surfacePressure`` has been measured, not only given.
  package var isSurfacePressureMeasured: Bool { state.isSurfacePressureMeasured }
  /// Samples that were left out because no pressure can have their values.
  package var rejectedCount: Int { state.plausibility.rejectedCount }

  /// The sensor has left, or a new run begins: what the water is like now has to be found out again. The surface
  /// pressure is kept, so that a sensor that comes back under water goes on with the right depth.
  package mutating func interrupt(at time: SensorInstant) -> SubmersionUpdate {
    var update = SubmersionUpdate()
    if state.submersion != .unknown { update.event = .init(time: time, state: .unknown) }
    var fresh = State(thermometer: WaterTemperatureEstimator(parameters: parameters.thermometer))
    fresh.surfacePressure = state.surfacePressure
    fresh.isSurfacePressureKnown = state.isSurfacePressureKnown
    fresh.isSurfacePressureMeasured = state.isSurfacePressureMeasured
    state = fresh
    return update
  }

  /// Processes a sample of the water's pressure. Times must not go back.
  package mutating func update(_ sample: PressureSample) -> SubmersionUpdate {
    guard sample.medium == .water else { return SubmersionUpdate() }
    let isSubmerged = state.submersion == .submerged
    var problem: SensorError?
    switch state.plausibility.judge(sample, isSubmerged: isSubmerged, parameters) {
    case .good: state.boxcar.add(sample, longest: 2 * coefficients.interval)
    case .rejected: break
    case .failed(let error):
      problem = error
      dropUnfinished()
    }
    var update = SubmersionUpdate()
    if isDue(sample.time) {
      if state.plausibility.isFailed {
        update = failing(at: sample.time)
      } else if let mean = state.boxcar.finish() {
        update = measure(mean)
      }
    }
    update.problem = problem
    return update
  }

  /// The source's time has come to `time`, by a sample of any of its sensors: a sensor of the water that has been
  /// silent for too long has failed (``Parameters/silenceTime``). That is reported once, and under water there is no
  /// depth until it delivers again.
  package mutating func update(time: SensorInstant) -> SubmersionUpdate {
    var update = SubmersionUpdate()
    let problem = state.plausibility.listen(until: time, parameters)
    if problem != nil { dropUnfinished() }
    if state.plausibility.isSilent, isDue(time) { update = failing(at: time) }
    update.problem = problem
    return update
  }

  /// The sensor has failed: the dwell times must not run on without a depth.
  private mutating func dropUnfinished() {
    _ = state.boxcar.finish()
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
    state.due = due.next(after: time, every: SensorDuration(nanoseconds: coefficients.interval))
    return true
  }
}

extension SubmersionEstimator {
  /// A measurement from the mean of a third of a second.
  mutating func measure(_ mean: Boxcar.Mean) -> SubmersionUpdate {
    var update = SubmersionUpdate()
    switch state.submersion {
    case .unknown: update.event = settle(mean)
    case .notSubmerged: update.event = watchEntry(mean)
    case .submerged: update.event = watchExit(mean)
    }
    switch state.submersion {
    case .unknown: break
    case .notSubmerged:
      if isSurfaceMeasurementDue(mean.time) { update.measurement = measurement(mean.time, state: .notSubmerged) }
    case .submerged:
      let depth = depth(of: mean.pressure)
      state.depths = state.depths.suffix(2) + [depth]
      let steady = SurfacePressureTracker.median(state.depths) ?? depth
      let zone = state.zone.update(depth: steady, parameters, coefficients.bounds)
      update.measurement = measurement(mean.time, state: zone)
      if zone != .sensorError {
        update.measurement?.depth = depth
        update.measurement?.pressure = mean.pressure
      }
      if let temperature = mean.temperature,
        let uncertainty = state.thermometer.update(temperature, at: mean.time)
      {
        update.temperature = .init(time: mean.time, temperature: temperature, uncertainty: uncertainty)
      }
    }
    return update
  }

  /// What is reported while the sensor fails: under water that there is no depth, above it as much as before.
  mutating func failing(at time: SensorInstant) -> SubmersionUpdate {
    var update = SubmersionUpdate()
    guard state.submersion != .unknown else { return update }
    if state.submersion == .submerged || isSurfaceMeasurementDue(time) {
      update.measurement = measurement(time, state: .sensorError)
    }
    return update
  }

  private func measurement(
    _ time: SensorInstant, state depthState: SubmersionUpdate.DepthState
  ) -> SubmersionUpdate.Measurement {
    .init(
      time: time, depth: nil, pressure: nil, surfacePressure: state.surfacePressure,
      isSurfacePressureKnown: state.isSurfacePressureKnown, state: depthState)
  }

  private mutating func isSurfaceMeasurementDue(_ time: SensorInstant) -> Bool {
    // Half a cell early is on time: the cells of a third of a second end where the samples happen to lie.
    let slack = coefficients.interval / 2
    if let last = state.lastSurfaceMeasurement,
      (time - last).nanoseconds.clamped(plus: slack) < coefficients.surfaceInterval
    {
      return false
    }
    state.lastSurfaceMeasurement = time
    return true
  }

  private func depth(of pressure: Double) -> Double {
    parameters.water.depth(at: pressure, surfacePressure: state.surfacePressure)
  }

  // MARK: Submersion

  private mutating func settle(_ mean: Boxcar.Mean) -> SubmersionUpdate.Event? {
    state.surface.add(mean.pressure, at: mean.time)
    let since = state.settlingSince ?? mean.time
    state.settlingSince = since
    state.depths = state.depths.suffix(8) + [mean.pressure]
    guard (mean.time - since).seconds >= parameters.settlingTime else { return nil }
    let pressure = SurfacePressureTracker.median(state.depths) ?? mean.pressure
    let isSubmerged: Bool
    if state.isSurfacePressureKnown {
      isSubmerged = depth(of: pressure) > parameters.entryDepth
    } else {
      isSubmerged = pressure > parameters.highestAirPressure
      if !isSubmerged { learn(pressure) }
    }
    return become(isSubmerged ? .submerged : .notSubmerged, at: mean.time)
  }

  private mutating func watchEntry(_ mean: Boxcar.Mean) -> SubmersionUpdate.Event? {
    let depth = depth(of: mean.pressure)
    guard depth > parameters.entryDepth else {
      state.dwell = Dwell()
      followSurface(mean)
      return nil
    }
    let dwell = state.dwell.hold(at: mean.time)
    let isFast = rise(to: mean, within: parameters.entryRiseTime) >= coefficients.entryRise
    let isCertain = rise(to: mean, within: 60) >= coefficients.certainRise
    if isFast || isCertain, dwell >= parameters.entryDwell { return become(.submerged, at: mean.time) }
    followSurface(mean)
    return nil
  }

  /// Pascal by which the pressure has risen within so many seconds.
  private func rise(to mean: Boxcar.Mean, within seconds: Double) -> Double {
    let window = mean.time - (SensorDuration(seconds: seconds) ?? .zero)
    return mean.pressure - (state.surface.lowest(since: window) ?? state.surfacePressure)
  }

  /// In the air the surface pressure follows; after a dive only once the tracker has received enough of it.
  private mutating func followSurface(_ mean: Boxcar.Mean) {
    state.surface.add(mean.pressure, at: mean.time)
    guard let pressure = state.surface.pressure else { return }
    learn(pressure)
  }

  private mutating func learn(_ surfacePressure: Double) {
    state.surfacePressure = surfacePressure
    (state.isSurfacePressureKnown, state.isSurfacePressureMeasured) = (true, true)
  }

  private mutating func watchExit(_ mean: Boxcar.Mean) -> SubmersionUpdate.Event? {
    guard depth(of: mean.pressure) < parameters.exitDepth else {
      state.dwell = Dwell()
      return nil
    }
    guard state.dwell.hold(at: mean.time) >= parameters.exitDwell else { return nil }
    return become(.notSubmerged, at: mean.time)
  }

  private mutating func become(
    _ submersion: SubmersionUpdate.Submersion, at time: SensorInstant
  ) -> SubmersionUpdate.Event {
    state.submersion = submersion
    state.dwell = Dwell()
    state.settlingSince = nil
    state.depths = []
    state.zone = DepthZone()
    state.thermometer.restart()
    state.surface = SurfacePressureTracker()
    state.lastSurfaceMeasurement = nil
    return .init(time: time, state: submersion)
  }
}

extension SubmersionEstimator {
  /// Distinguishes a pressure from garbage: out of range, too fast, the same number for ever, or nothing at all.
  struct Plausibility: Sendable, Hashable {
    enum Verdict { case good, rejected, failed(SensorError) }

    private(set) var isFailed = false
    /// Samples that were left out.
    private(set) var rejectedCount = 0
    private var lastGood: PressureSample?
    private var previous: PressureSample?
    private var rejectedSince: SensorInstant?
    private var goodSince: SensorInstant?
    private var sameSince: SensorInstant?
    private var sameCount = 0
    /// True from the recognition of a silence to the next sample.
    private(set) var isSilent = false
    private var latest: SensorInstant?
    /// Between the last two samples.
    private var interval: SensorDuration?

    /// What a sensor without a sample yet is given, in seconds: its pace is not known.
    private static let firstSilence = 30.0

    mutating func judge(_ sample: PressureSample, isSubmerged: Bool, _ parameters: Parameters) -> Verdict {
      defer { previous = sample }
      interval = previous.map { sample.time - $0.time }
      latest = sample.time
      isSilent = false
      let isFrozen = isFrozen(sample, isSubmerged: isSubmerged, parameters)
      // After a failure the last good value is history; then two neighbours must agree.
      let reference = isFailed ? previous : lastGood
      let isPlausible =
        parameters.plausiblePressures.contains(sample.pressure) && follows(sample, reference, parameters)
      guard isPlausible, !isFrozen else { return reject(sample, isFrozen: isFrozen, parameters) }
      let since = goodSince ?? sample.time
      goodSince = since
      let length = (sample.time - since).seconds
      if length >= parameters.rejectionTime / 2 { rejectedSince = nil }
      guard !isFailed || length >= parameters.rejectionTime else { return .rejected }
      isFailed = false
      lastGood = sample
      return .good
    }

    /// The source's time has come to `time`: the error of a sensor that has been silent for too long, once.
    mutating func listen(until time: SensorInstant, _ parameters: Parameters) -> SensorError? {
      let since = latest ?? time
      latest = since
      let limit = interval.map { max(parameters.silenceTime, 3 * $0.seconds) } ?? Self.firstSilence
      guard !isSilent, (time - since).seconds > limit else { return nil }
      isSilent = true
      // A sensor that returns is compared with its own new samples only.
      (previous, goodSince, rejectedSince, sameSince) = (nil, nil, nil, nil)
      // A sensor that delivered nonsense before it fell silent has been reported.
      guard !isFailed else { return nil }
      isFailed = true
      return SensorError(
        .disconnected,
        "The depth sensor has sent nothing for \(Int(clamping: (time - since).seconds)) seconds, while other sensors of its device send; check its "
          + "cable, or surface. Depth comes back when it does.")
    }

    private mutating func reject(_ sample: PressureSample, isFrozen: Bool, _ parameters: Parameters) -> Verdict {
      rejectedCount += 1
      goodSince = nil
      let since = rejectedSince ?? sample.time
      rejectedSince = since
      guard !isFailed, isFrozen || (sample.time - since).seconds >= parameters.rejectionTime else { return .rejected }
      isFailed = true
      let what =
        isFrozen
        ? "has delivered the same number for \(Int(clamping: parameters.frozenTime)) seconds or more"
        : "delivers numbers that no water pressure can be (now \(Int(clamping: sample.pressure)) Pa)"
      return .failed(
        SensorError(
          .implausible, "The depth sensor \(what); check its cable, or surface. Depth comes back when it recovers."))
    }

    private func follows(_ sample: PressureSample, _ reference: PressureSample?, _ parameters: Parameters) -> Bool {
      guard let reference else { return true }
      let change = abs(sample.pressure - reference.pressure)
      return change <= parameters.fastestChange * (sample.time - reference.time).seconds
    }

    private mutating func isFrozen(
      _ sample: PressureSample, isSubmerged: Bool, _ parameters: Parameters
    ) -> Bool {
      guard isSubmerged, let previous, previous.pressure == sample.pressure, let since = sameSince else {
        (sameSince, sameCount) = (sample.time, 1)
        return false
      }
      sameCount += 1
      return sameCount >= parameters.frozenSamples && (sample.time - since).seconds >= parameters.frozenTime
    }
  }
}
