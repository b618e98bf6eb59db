// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

/// Swings out of batches.
actor SwingCounter {
  private let manager = CMBatchedSensorManager()
  private(set) var peaks = 0

  func count(batches: Int) async throws -> Int {
    guard CMBatchedSensorManager.isAccelerometerSupported, CMBatchedSensorManager.authorizationStatus == .authorized
    else { return -1 }
    var left = batches
    for try await batch in manager.accelerometerUpdates() {
      let strongest = batch.map { max(abs($0.acceleration.x), abs($0.acceleration.y)) }.max() ?? 0
      if strongest > 2 { peaks += 1 }
      left -= 1
      if left == 0 { break }
    }
    return peaks
  }
}

func firstBatch(_ done: @escaping @Sendable (Bool) -> Void) -> Any {
  let manager = CMBatchedSensorManager()
  manager.startDeviceMotionUpdates { [weak manager] batch, error in
    guard let batch = batch, error == nil else { return done(false) }
    let times = batch.map(\.timestamp)
    manager?.stopDeviceMotionUpdates()
    done(!times.isEmpty && times == times.sorted())
  }
  return manager
}

@MainActor
func batchShapes(_ runner: Runner) {
  runner.begin("batches in an asynchronous loop") { done in
    Task {
      do { done(try await SwingCounter().count(batches: 1) >= 0) } catch { done(false) }
    }
  }
  runner.begin("a batch in a handler", firstBatch)
}
