// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The altimeter: relative height and pressure about once a second, and what the device knows of its height above the
// sea. The first argument is the duration in seconds.

import CoreMotion

let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3

guard CMAltimeter.isRelativeAltitudeAvailable() else {
  print("No barometer on this device.")
  exit(1)
}

let altimeter = CMAltimeter()
var samples = 0
altimeter.startRelativeAltitudeUpdates(to: .main) { data, error in
  if let error {
    print("error: \(error.localizedDescription)")
    altimeter.stopRelativeAltitudeUpdates()
    return
  }
  guard let data else { return }
  samples += 1
  print(
    String(
      format: "relative %+.2f m   pressure %.3f kPa", data.relativeAltitude.doubleValue, data.pressure.doubleValue))
}
if CMAltimeter.isAbsoluteAltitudeAvailable() {
  altimeter.startAbsoluteAltitudeUpdates(to: .main) { data, _ in
    guard let data else { return }
    print(String(format: "above the sea %.0f m, give or take %.1f m", data.altitude, data.accuracy))
    // Once is enough.
    altimeter.stopAbsoluteAltitudeUpdates()
  }
}
RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds))
altimeter.stopRelativeAltitudeUpdates()
print("\(samples) samples")
exit(samples > 0 ? 0 : 1)
