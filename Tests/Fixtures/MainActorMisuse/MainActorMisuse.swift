// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

// The commonest mistake of a Swift 6 client: a handler written inside a main-actor type, delivered on a background
// queue. The program must stop at the first sample, as it does on a phone, instead of racing on.

@MainActor
final class ViewModel {
  private var count = 0
  private let manager = CMMotionManager()
  private let pedometer = CMPedometer()
  private let batches = CMBatchedSensorManager()

  /// `service`: which of them. The last two have a queue of their own, and none to pass.
  func start(_ service: String?) {
    switch service {
    case "pedometer": pedometer.startUpdates(from: Date()) { _, _ in self.count += 1 }
    case "batches": batches.startAccelerometerUpdates { _, _ in self.count += 1 }
    default: manager.startDeviceMotionUpdates(to: OperationQueue()) { _, _ in self.count += 1 }
    }
  }
}

@main
struct MainActorMisuse {
  static func main() async {
    let model = ViewModel()
    model.start(CommandLine.arguments.dropFirst().first)
    // The trap ends the program long before.
    try? await Task.sleep(for: .seconds(300))
    print("ran on")
    withExtendedLifetime(model) {}
  }
}
