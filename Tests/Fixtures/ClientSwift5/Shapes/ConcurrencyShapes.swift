// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@preconcurrency import CoreMotion
import Foundation

/// A handler as an asynchronous stream of values.
final class MotionStream: @unchecked Sendable {
  private let manager = CMMotionManager()
  private let queue = OperationQueue()

  var samples: AsyncStream<Sample> {
    AsyncStream { continuation in
      manager.startDeviceMotionUpdates(to: queue) { motion, error in
        if let motion { continuation.yield(Sample(motion)) }
        if error != nil { continuation.finish() }
      }
      continuation.onTermination = { @Sendable _ in self.manager.stopDeviceMotionUpdates() }
    }
  }
}

/// An actor that owns a manager.
actor MotionActor {
  private let manager = CMMotionManager()
  private let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return queue
  }()
  private(set) var count = 0

  func start() {
    manager.startAccelerometerUpdates(to: queue) { @Sendable [weak self] data, _ in
      guard let x = data?.acceleration.x else { return }
      Task { await self?.receive(x) }
    }
  }

  func stop() { manager.stopAccelerometerUpdates() }

  private func receive(_ x: Double) { count += 1 }
}

/// A main-actor model with the main queue, hopping with the numbers only.
@MainActor
final class HeadingModel {
  var heading = -1.0
  private let manager = CMMotionManager()

  func start(_ done: @escaping @Sendable (Bool) -> Void) {
    manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical, to: OperationQueue()) { @Sendable motion, _ in
      guard let heading = motion?.heading else { return }
      Task { @MainActor [weak self] in
        self?.heading = heading
        done(heading >= 0 && heading <= 360)
      }
    }
  }
}

/// One answer as a throwing function.
func steps(from start: Date, to end: Date) async throws -> Int {
  let pedometer = CMPedometer()
  return try await withCheckedThrowingContinuation { continuation in
    pedometer.queryPedometerData(from: start, to: end) { data, error in
      if let error {
        continuation.resume(throwing: error)
      } else {
        continuation.resume(returning: data?.numberOfSteps.intValue ?? 0)
      }
    }
  }
}

@MainActor
func concurrencyShapes(_ runner: Runner) {
  runner.begin("an asynchronous stream") { done in
    let stream = MotionStream()
    return Task {
      var count = 0
      for await sample in stream.samples where sample.time.isFinite {
        count += 1
        if count == 3 { break }
      }
      done(count == 3)
    }
  }
  runner.begin("an actor with a manager") { done in
    let actor = MotionActor()
    return Task {
      await actor.start()
      while await actor.count < 3 { try await Task.sleep(nanoseconds: 1_000_000) }
      await actor.stop()
      done(true)
    }
  }
  runner.begin("a hop to the main actor") { done in
    let model = HeadingModel()
    model.start(done)
    return model
  }
  runner.begin("a query as an async function") { done in
    Task {
      do {
        let hour = try await steps(from: Date(timeIntervalSinceNow: -3600), to: Date())
        done(hour == 0)
      } catch {
        done(false)
      }
    }
  }
}
