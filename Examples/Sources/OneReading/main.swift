// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// One question, one answer: how is the device lying? The sensor runs for a fraction of a second and is stopped as soon
// as the answer is there, which is what saves power. The first argument is how many seconds to wait at most.

import CoreMotion

let longestWait = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
let manager = CMMotionManager()
guard manager.isAccelerometerAvailable else {
  print("No accelerometer on this device.")
  exit(1)
}

let started = ProcessInfo.processInfo.systemUptime
manager.accelerometerUpdateInterval = 0.02
manager.startAccelerometerUpdates()
var answer: CMAcceleration?
while answer == nil, ProcessInfo.processInfo.systemUptime - started < longestWait {
  RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.005))
  answer = manager.accelerometerData?.acceleration
}
manager.stopAccelerometerUpdates()
let elapsed = ProcessInfo.processInfo.systemUptime - started

guard let answer else {
  print("No sample came in \(longestWait) seconds.")
  exit(1)
}
// At rest the reading points down: a device on its back, whose z axis points up, has z near -1.
let pose =
  switch (abs(answer.x), abs(answer.y), abs(answer.z)) {
  case (let x, let y, let z) where z >= x && z >= y: answer.z < 0 ? "face up" : "face down"
  case (let x, let y, _) where y >= x: answer.y < 0 ? "upright" : "on its head"
  default: answer.x < 0 ? "on its left edge" : "on its right edge"
  }
let numbers = String(format: "x %+.2f  y %+.2f  z %+.2f g", answer.x, answer.y, answer.z)
print("the device is \(pose) (\(numbers))")
print(String(format: "1 sample; the sensor ran for %.0f ms", elapsed * 1000))
