// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// A program as any other; that its package links a source of its own (MetronomeSource) is to be seen in Package.swift only. The first
// argument is the duration in seconds.

import CoreMotion

let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
let manager = CMMotionManager()
guard manager.isGyroAvailable else {
  print("No gyroscope on this device.")
  exit(1)
}
manager.gyroUpdateInterval = 0.01
var (samples, fastest) = (0, 0.0)
manager.startGyroUpdates(to: .main) { data, _ in
  guard let data else { return }
  samples += 1
  fastest = max(fastest, abs(data.rotationRate.z))
}
RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds))
manager.stopGyroUpdates()
print(String(format: "fastest %.2f rad/s", fastest))
print("\(samples) samples")
exit(samples > 0 ? 0 : 1)
