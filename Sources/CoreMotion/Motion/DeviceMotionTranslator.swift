// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MotionHost
import MotionSensing
import MotionServices

/// Makes a client's device motion from the hub's states: the reference frame, and the errors that belong to it.
///
/// Errors are reported once per episode and samples go on (S44, G24): CMErrorDeviceRequiresMovement when a frame needs
/// the magnetometer and it has stayed uncalibrated for a second, CMErrorTrueNorthNotAvailable while true north is asked
/// for and the location is unknown.
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

  /// For a service of device motion.
  var translator: UpdateService<MotionRow, CMDeviceMotion>.Translator {
    UpdateService.Translator { sample, output in
      if case .motion(let row) = sample { output.give(MotionFraming.row(row)) }
    } motion: { [self] motion, output in
      let (row, error) = translate(motion)
      // Without a row beside it the error means that there is none any more.
      if let error { if row == nil { output.fail(error) } else { output.tell(error) } }
      if let row { output.give(row) }
    }
  }

  /// The row of a state of motion, and the error that comes before it.
  func translate(_ motion: DeviceMotion) -> (row: MotionRow?, error: NSError?) {
    let declination = frame == .xTrueNorthZVertical ? host.declination : nil
    let dipAngle = motion.field?.accuracy == 2 ? host.dipAngle : nil
    let (row, notice, showsDisplay) = state.withLock { state in
      (state.framing.declination, state.framing.dipAngle) = (declination, dipAngle)
      let (row, notice) = state.framing.update(motion)
      return (row, notice, state.showsDisplay)
    }
    switch notice {
    case .movementRequired:
      if showsDisplay { showNotice() }
      return (row, CMErrorDeviceRequiresMovement.error())
    case .trueNorthUnavailable: return (nil, CMErrorTrueNorthNotAvailable.error())
    case nil: return (row, nil)
    }
  }

  /// The hook is the client's code and may stop the service, so it is not called on the source's thread, which holds
  /// the subscription's lock.
  private func showNotice() {
    let host = host
    host.clock.beginWork()
    DispatchQueue.global(qos: .userInitiated).async {
      host.calibrationHook(CMErrorDeviceRequiresMovement.error().localizedDescription)
      host.clock.endWork()
    }
  }
}
