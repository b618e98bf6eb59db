// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MotionHost
import MotionMath
import MotionSensing
import MotionServices

/// Makes a client's device motion from the hub's states: the reference frame, and the errors that belong to it.
///
/// Errors are reported once per episode and samples go on (S44, G24): CMErrorDeviceRequiresMovement when a frame needs
/// the magnetometer and it has stayed uncalibrated for a second, CMErrorTrueNorthNotAvailable while true north is asked
/// for and the location is unknown.
final class DeviceMotionTranslator: Sendable {
  let host: MotionHost
  let frame: CMAttitudeReferenceFrame
  private let framing: Lock<MotionFraming>
  let settings: Lock<DeviceMotionSettings>

  init(
    frame: CMAttitudeReferenceFrame, host: MotionHost,
    settings: Lock<DeviceMotionSettings> = Lock(DeviceMotionSettings())
  ) {
    (self.host, self.frame, self.settings) = (host, frame, settings)
    framing = Lock(MotionFraming(CoreMotionConventions.reference(of: frame)))
  }

  /// For a service of device motion.
  func sink(for output: ServiceOutput<MotionRow, CMDeviceMotion>) -> HubSink {
    HubSink { [self] sample in
      guard case .motion(let row) = sample else { return }
      output.emit(MotionFraming.row(row).turned(into: settings.withLock { $0.body }))
    } motion: { [self] motion in
      let (row, error) = translate(motion)
      // Without a row beside it the error means that there is none any more.
      if let error { if row == nil { output.fail(error) } else { output.report(error) } }
      if let row { output.emit(row) }
    }
  }

  /// The row of a state of motion, and the error that comes before it.
  func translate(_ motion: DeviceMotion) -> (row: MotionRow?, error: NSError?) {
    let declination = frame == .xTrueNorthZVertical ? host.declination : nil
    let dipAngle = motion.field?.accuracy == 2 ? host.dipAngle : nil
    let (showsDisplay, body) = settings.withLock { ($0.showsDeviceMovementDisplay, $0.body) }
    let (framed, notice) = framing.withLock { framing in
      (framing.declination, framing.dipAngle) = (declination, dipAngle)
      return framing.update(motion)
    }
    let row = framed?.turned(into: body)
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

extension MotionRow {
  /// The same motion in the axes of a body (S30, D46); nil = the device's.
  fileprivate func turned(into body: (any MotionBody)?) -> MotionRow {
    guard let turn = body?.rotationInDevice,
      let rotation = Rotation<Device, Device>(w: turn.w, x: turn.x, y: turn.y, z: turn.z)
    else { return self }
    var row = self
    let attitude = CMQuaternion(x: vector.x, y: vector.y, z: vector.z, w: w)
      .multiplied(by: CMQuaternion(x: rotation.x, y: rotation.y, z: rotation.z, w: rotation.w))
    (row.w, row.vector) = (attitude.w, Vector3(x: attitude.x, y: attitude.y, z: attitude.z))
    row.angularVelocity = rotation.inverse * angularVelocity
    row.gravity = rotation.inverse * gravity
    row.linearAcceleration = rotation.inverse * linearAcceleration
    return row
  }
}
