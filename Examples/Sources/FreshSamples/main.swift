// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// A busy main queue: while it works, samples pile up behind it. A program that steers something wants the newest state
// and throws away what has grown old, by comparing each sample's time stamp (seconds since boot) with the system's up
// time. The first argument is the duration in seconds.

import CoreMotion

let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
let longestAge = 0.1
let manager = CMMotionManager()
guard manager.isDeviceMotionAvailable else {
  print("No device motion on this device.")
  exit(1)
}

var fresh = 0
var stale = 0
var oldest = 0.0
manager.deviceMotionUpdateInterval = 0.01
manager.startDeviceMotionUpdates(to: .main) { motion, error in
  if let error { print(error.localizedDescription) }
  guard let motion else { return }
  let age = ProcessInfo.processInfo.systemUptime - motion.timestamp
  oldest = max(oldest, age)
  guard age < longestAge else {
    stale += 1
    return
  }
  fresh += 1
  if fresh % 50 == 0 {
    print(String(format: "steering by a sample %.0f ms old; gravity.x %+.2f g", max(age, 0) * 1000, motion.gravity.x))
    Thread.sleep(forTimeInterval: 0.3)  // the app loads a level
  }
}
RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds))
manager.stopDeviceMotionUpdates()
let wait = String(format: "%.0f ms", oldest * 1000)
print("\(fresh) samples used, \(stale) dropped as stale; the oldest had waited \(wait)")
exit(fresh > 0 ? 0 : 1)
