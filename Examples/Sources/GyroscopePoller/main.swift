// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Pull: the program asks for the newest gyroscope sample fifty times a second, as a game loop does, and adds up how far
// the device has turned about its vertical screen axis (z). The first argument is the duration in seconds.

import CoreMotion

let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
let manager = CMMotionManager()
guard manager.isGyroAvailable else {
  print("No gyroscope on this device.")
  exit(1)
}

manager.gyroUpdateInterval = 1.0 / 50.0
manager.startGyroUpdates()

var readings = 0
var turned = 0.0
var previous: TimeInterval?
let timer = Timer(timeInterval: 1.0 / 50.0, repeats: true) { _ in
  // The property keeps the newest sample; a timer that comes early sees the old one again.
  guard let data = manager.gyroData, data.timestamp != previous else { return }
  if let previous { turned += data.rotationRate.z * (data.timestamp - previous) }
  previous = data.timestamp
  readings += 1
  if readings % 25 == 1 {
    let rate = data.rotationRate
    print(String(format: "rotation rate  x %+6.2f  y %+6.2f  z %+6.2f rad/s", rate.x, rate.y, rate.z))
  }
}
RunLoop.current.add(timer, forMode: .default)
RunLoop.current.run(until: Date(timeIntervalSinceNow: seconds))

timer.invalidate()
manager.stopGyroUpdates()
print(String(format: "%d samples; turned %+.1f degrees about z", readings, turned * 180 / .pi))
exit(readings > 0 ? 0 : 1)
