// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

/// Runs shapes and waits for them on the main run loop, as an app does.
@MainActor
final class Runner {
  private var open: [String] = []
  private var failed = false
  private var kept: [Any] = []

  /// A shape that is over when its function returns.
  func check(_ name: String, _ body: () -> Bool) {
    finish(name, body())
  }

  /// A shape that calls back later, from any thread.
  func begin(_ name: String, _ body: (_ done: @escaping @Sendable (Bool) -> Void) -> Any) {
    open.append(name)
    kept.append(
      body { result in
        DispatchQueue.main.async { MainActor.assumeIsolated { self.end(name, result) } }
      })
  }

  private func end(_ name: String, _ result: Bool) {
    // A handler that goes on calling: the first result counts.
    guard let index = open.firstIndex(of: name) else { return }
    open.remove(at: index)
    finish(name, result)
  }

  private func finish(_ name: String, _ result: Bool) {
    print(result ? "ok" : "FAILED", name)
    if !result { failed = true }
  }

  /// Waits until all are over, or says which are not.
  func waitForAll(seconds: TimeInterval) -> Never {
    let limit = Date() + seconds
    while !open.isEmpty, Date() < limit {
      _ = RunLoop.main.run(mode: .default, before: Date() + 0.01)
    }
    for name in open { print("NEVER", name) }
    exit(open.isEmpty && !failed ? 0 : 1)
  }
}

@MainActor
func runAllShapes() -> Never {
  let runner = Runner()
  handlerShapes(runner)
  pullShapes(runner)
  mockShapes(runner)
  protocolShapes(runner)
  errorShapes(runner)
  switchShapes(runner)
  valueShapes(runner)
  concurrencyShapes(runner)
  sharingShapes(runner)
  archiveShapes(runner)
  pedometerShapes(runner)
  recorderShapes(runner)
  headphoneShapes(runner)
  batchShapes(runner)
  pressureShapes(runner)
  healthShapes(runner)
  nameShapes(runner)
  importShapes(runner)
  submoduleShapes(runner)
  locationShapes(runner)
  declarationShapes(runner)
  runner.waitForAll(seconds: 30)
}
