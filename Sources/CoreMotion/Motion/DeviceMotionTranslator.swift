// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MotionHost
import MotionSensing
import MotionServices

/// Makes a client's device motion from the hub's events: the reference frame, and the errors that belong to it.
///
/// Errors are reported once per episode and samples go on (S44, G24): CMErrorDeviceRequiresMovement when a frame needs the
/// magnetometer and it has stayed uncalibrated for a second, CMErrorTrueNorthNotAvailable while true north is asked for and
/// the location is unknown.
final class DeviceMotionTranslator: HostTranslator {
  /// How long the magnetometer may stay uncalibrated before it is reported.
  static let calibrationPatience = SensorDuration.seconds(1)

  private struct State {
    var alignment: ReferenceFrameAlignment
    var uncalibratedSince: SensorInstant?
    var hasAskedForMovement = false
    var hasReportedTrueNorth = false
    var showsDisplay: Bool
    var dipCheck = DipCheck()
  }

  let host: MotionHost
  private let state: Lock<State>

  init(frame: CMAttitudeReferenceFrame, host: MotionHost, showsDisplay: Bool) {
    self.host = host
    state = Lock(State(alignment: ReferenceFrameAlignment(frame: frame), showsDisplay: showsDisplay))
  }

  var frame: CMAttitudeReferenceFrame { state.withLock { $0.alignment.frame } }

  func setShowsDisplay(_ shows: Bool) { state.withLock { $0.showsDisplay = shows } }

  func translate(_ event: HubEvent) -> Delivery<DeviceMotionValue> {
    switch event {
    case .fusedMotion(let sample): return .sample(CoreMotionConventions.fusedMotion(sample))
    case .motion(let motion): return translate(motion)
    default: return .nothing
    }
  }

  private func translate(_ motion: DeviceMotion) -> Delivery<DeviceMotionValue> {
    var declination = 0.0
    if frame == .xTrueNorthZVertical {
      guard let known = host.declination else { return reportTrueNorth() }
      declination = known
    }
    let dipAngle = motion.field?.accuracy == 2 ? host.dipAngle : nil
    let (delivery, notice) = state.withLock {
      state -> (Delivery<DeviceMotionValue>, Bool) in
      state.hasReportedTrueNorth = false
      let frame = state.alignment.frame
      guard let solution = state.alignment.solution(of: motion) else { return (.nothing, false) }
      var motion = motion
      if let dipAngle, let field = motion.field,
        !state.dipCheck.agrees(field.magneticField, up: solution.up, with: dipAngle, at: motion.time)
      {
        motion.field?.accuracy = 1
      }
      func value() -> DeviceMotionValue {
        let attitude = state.alignment.attitude(
          of: solution, declination: declination, run: motion.run, time: motion.time)
        return CoreMotionConventions.deviceMotion(motion, solution: solution, attitude: attitude, frame: frame)
      }
      if frame.usesMagnetometer, Self.needsMovement(motion, &state) {
        return (.error(CMErrorDeviceRequiresMovement.error(), value()), state.showsDisplay)
      }
      // G1: before the first magnetometer sample there is no north.
      if frame.pointsNorth, motion.field == nil, !state.hasAskedForMovement { return (.nothing, false) }
      return (.sample(value()), false)
    }
    if notice { showNotice() }
    return delivery
  }

  /// The hook is client code and may stop the service, so it is not called on the source's thread, which holds the
  /// subscription's lock.
  private func showNotice() {
    let host = host
    host.clock.beginWork()
    DispatchQueue.global(qos: .userInitiated).async {
      host.calibrationHook(CMErrorDeviceRequiresMovement.error().localizedDescription)
      host.clock.endWork()
    }
  }

  private func reportTrueNorth() -> Delivery<DeviceMotionValue> {
    let isFirst = state.withLock { state in
      defer { state.hasReportedTrueNorth = true }
      return !state.hasReportedTrueNorth
    }
    return isFirst ? .error(CMErrorTrueNorthNotAvailable.error(), nil) : .nothing
  }

  /// True once per calibration episode. An episode ends when the magnetometer is calibrated.
  private static func needsMovement(_ motion: DeviceMotion, _ state: inout State) -> Bool {
    guard !(motion.field?.isCalibrated ?? false) else {
      state.uncalibratedSince = nil
      state.hasAskedForMovement = false
      return false
    }
    let since = state.uncalibratedSince ?? motion.time
    state.uncalibratedSince = since
    guard !state.hasAskedForMovement, motion.time - since >= calibrationPatience else { return false }
    state.hasAskedForMovement = true
    return true
  }
}
