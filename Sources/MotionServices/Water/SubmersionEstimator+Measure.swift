// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

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
      if let temperature = mean.temperature {
        update.temperature = .init(
          time: mean.time, temperature: temperature,
          uncertainty: state.thermometer.update(temperature, at: mean.time))
      }
    }
    return update
  }

  /// What is said while the sensor fails: under water that there is no depth, above it as much as before.
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
      (time - last).nanoseconds + slack < coefficients.surfaceInterval
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

  /// In the air the surface pressure follows; after a dive only once the tracker has heard enough of it.
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
