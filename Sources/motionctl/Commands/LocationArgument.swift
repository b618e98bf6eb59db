// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MotionHost
import MotionSensing

/// `--location LATITUDE,LONGITUDE`, by the rules of the environment variable `MOTION_LOCATION`.
struct LocationArgument: ExpressibleByArgument {
  let location: GeographicLocation
  /// As the person wrote it.
  let text: String

  init?(argument: String) {
    guard let found = try? HostEnvironment(["MOTION_LOCATION": argument]).location() else { return nil }
    (location, text) = (found, argument)
  }

  static let help = ArgumentHelp(
    "Where the device is, for true north: degrees, north and east positive (default: MOTION_LOCATION).",
    valueName: "latitude,longitude")
}
