// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Push on the main queue five times a second: everything that a sample of device motion holds, with two decimals.
// The first argument is the duration in seconds.

import CoreMotion

func line(_ name: String, _ values: Double...) -> String {
  name.padding(toLength: 19, withPad: " ", startingAt: 0)
    + values.map { String(format: "%+8.2f", $0) }.joined(separator: " ")
}

func show(_ motion: CMDeviceMotion) {
  let acceleration = motion.userAcceleration
  let gravity = motion.gravity
  let attitude = motion.attitude
  let quaternion = attitude.quaternion
  let matrix = attitude.rotationMatrix
  let rate = motion.rotationRate
  print(String(format: "at %.2f s", motion.timestamp))
  print(line("  user acceleration", acceleration.x, acceleration.y, acceleration.z), "g")
  print(line("  gravity", gravity.x, gravity.y, gravity.z), "g")
  print(line("  roll, pitch, yaw", attitude.roll, attitude.pitch, attitude.yaw), "rad")
  print(line("  quaternion xyzw", quaternion.x, quaternion.y, quaternion.z, quaternion.w))
  print(line("  rotation matrix", matrix.m11, matrix.m12, matrix.m13))
  print(line("", matrix.m21, matrix.m22, matrix.m23))
  print(line("", matrix.m31, matrix.m32, matrix.m33))
  print(line("  rotation rate", rate.x, rate.y, rate.z), "rad/s")
}

let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
let manager = CMMotionManager()
guard manager.isDeviceMotionAvailable else {
  print("No device motion on this device.")
  exit(1)
}

var samples = 0
manager.deviceMotionUpdateInterval = 0.2
manager.startDeviceMotionUpdates(to: .main) { motion, error in
  if let error {
    print(error.localizedDescription)
    manager.stopDeviceMotionUpdates()
  }
  guard let motion else { return }
  samples += 1
  show(motion)
}
RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds))
manager.stopDeviceMotionUpdates()
print("\(samples) samples")
exit(samples > 0 ? 0 : 1)
