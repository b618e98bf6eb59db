// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

// The commonest mistake of a Swift 6 client: a handler written inside a main-actor type, delivered on a background
// queue. The program must stop at the first sample, as it does on a phone, instead of racing on.

@MainActor
final class ViewModel {
  private var count = 0
  private let manager = CMMotionManager()

  func start() {
    manager.startDeviceMotionUpdates(to: OperationQueue()) { _, _ in self.count += 1 }
  }
}

@main
struct MainActorMisuse {
  static func main() async {
    let model = ViewModel()
    model.start()
    // The trap ends the program long before.
    try? await Task.sleep(for: .seconds(300))
    print("ran on")
    withExtendedLifetime(model) {}
  }
}
