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
  private struct State {
    var framing: MotionFraming
    var showsDisplay: Bool
  }

  let host: MotionHost
  let frame: CMAttitudeReferenceFrame
  private let state: Lock<State>

  init(frame: CMAttitudeReferenceFrame, host: MotionHost, showsDisplay: Bool) {
    self.host = host
    self.frame = frame
    state = Lock(
      State(framing: MotionFraming(CoreMotionConventions.reference(of: frame)), showsDisplay: showsDisplay))
  }

  func setShowsDisplay(_ shows: Bool) { state.withLock { $0.showsDisplay = shows } }

  func translate(_ event: HubEvent) -> Delivery<DeviceMotionValue> {
    var place: (declination: Double?, dipAngle: Double?)
    if case .motion(let motion) = event {
      place.declination = frame == .xTrueNorthZVertical ? host.declination : nil
      place.dipAngle = motion.field?.accuracy == 2 ? host.dipAngle : nil
    }
    let (row, notice, showsDisplay) = state.withLock { state in
      (state.framing.declination, state.framing.dipAngle) = place
      let (row, notice) = state.framing.update(event)
      return (row, notice, state.showsDisplay)
    }
    let value = row.map(CoreMotionConventions.motion)
    switch notice {
    case .movementRequired:
      if showsDisplay { showNotice() }
      return .error(CMErrorDeviceRequiresMovement.error(), value)
    case .trueNorthUnavailable: return .error(CMErrorTrueNorthNotAvailable.error(), nil)
    case nil: return value.map { .sample($0) } ?? .nothing
    }
  }

  /// The hook is the client's code and may stop the service, so it is not called on the source's thread, which holds the
  /// subscription's lock.
  private func showNotice() {
    let host = host
    host.clock.beginWork()
    DispatchQueue.global(qos: .userInitiated).async {
      host.calibrationHook(CMErrorDeviceRequiresMovement.error().localizedDescription)
      host.clock.endWork()
    }
  }
}
