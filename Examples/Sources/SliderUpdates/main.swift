// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Push, with an interval that a slider sets: 0.01 s at the left end, 0.005 s more for each step. Every move of the
// slider starts the updates again, which replaces the handler and applies the new interval without a stop in between.
// The first argument is the duration in seconds.

import CoreMotion

/// What a view controller with a slider would hold.
final class AccelerometerScreen {
  private let manager = CMMotionManager()
  private var timestamps: [TimeInterval] = []
  private(set) var samples = 0

  var isAvailable: Bool { manager.isAccelerometerAvailable }

  func sliderMoved(to value: Double) {
    let interval = 0.01 + 0.005 * value
    timestamps = []
    manager.accelerometerUpdateInterval = interval
    manager.startAccelerometerUpdates(to: .main) { [weak self] data, error in
      guard let self else { return }
      if let error { print("accelerometer: \(error.localizedDescription)") }
      guard let data else { return }
      self.samples += 1
      self.timestamps.append(data.timestamp)
    }
  }

  /// The rate that really came, read off the time stamps: the interval is only a request.
  func report(sliderValue: Double) {
    let wanted = 1 / (0.01 + 0.005 * sliderValue)
    guard let first = timestamps.first, let last = timestamps.last, last > first else {
      print(String(format: "slider %2.0f: asked for %5.1f Hz, too few samples to measure", sliderValue, wanted))
      return
    }
    let rate = Double(timestamps.count - 1) / (last - first)
    print(String(format: "slider %2.0f: asked for %5.1f Hz, got %5.1f Hz", sliderValue, wanted, rate))
  }

  func close() { manager.stopAccelerometerUpdates() }
}

let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
let screen = AccelerometerScreen()
guard screen.isAvailable else {
  print("No accelerometer on this device.")
  exit(1)
}

let sliderValues: [Double] = [0, 2, 18]
for value in sliderValues {
  screen.sliderMoved(to: value)
  RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds / Double(sliderValues.count)))
  screen.report(sliderValue: value)
}
screen.close()
print("\(screen.samples) samples")
exit(screen.samples > 0 ? 0 : 1)
