// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionServices

/// What device motion needs, said in one sentence before anything starts.
enum MotionRequirements {
  static func check(_ frame: ReferenceFrame, of selection: SourceSelection, on host: MotionHost) throws {
    let info = selection.info
    guard HubStream.deviceMotion(usesMagnetometer: false).isServed(by: info.kinds) else {
      throw CommandFailure(
        "Device motion needs an accelerometer and a gyroscope, and \(info.name) has \(held(info.kinds)).")
    }
    // Motion that the source has fused itself comes in its own frame.
    guard !info.kinds.contains(.fusedMotion) else { return }
    if frame != .arbitrary, !info.kinds.contains(.magnetometer) {
      throw CommandFailure(
        "The frame \(frame.name) needs a magnetometer, and \(info.name) has none; use --frame arbitrary.")
    }
    guard frame == .true else { return }
    guard host.location != nil else {
      throw CommandFailure(
        "The frame \(frame.name) needs to know where the device is: say --location LATITUDE,LONGITUDE or set MOTION_LOCATION."
      )
    }
    guard host.declination != nil else {
      throw CommandFailure(
        "True north cannot be found at this location: it is too near a magnetic pole, or the year is beyond the magnetic model."
      )
    }
  }

  private static func held(_ kinds: SensorKinds) -> String {
    kinds.isEmpty ? "no sensors" : "only " + Text.list(kinds.names)
  }
}
