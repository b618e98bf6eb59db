// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Takes motion by the second, for what is too fast for a sample at a time: the hardest shock and the fastest turn of
// each batch. The first argument is the duration in seconds.

import CoreMotion

/// The length of a vector.
func length(_ x: Double, _ y: Double, _ z: Double) -> Double { (x * x + y * y + z * z).squareRoot() }

@main struct BatchPrinter {
  static func main() async {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
    guard CMBatchedSensorManager.isAccelerometerSupported else {
      print("No batched sensors on this device.")
      exit(1)
    }
    let rates = CMBatchedSensorManager()
    print("accelerometer \(rates.accelerometerDataFrequency) Hz, device motion \(rates.deviceMotionDataFrequency) Hz")
    do {
      async let turns = followTurns(for: seconds)
      let count = try await followShocks(for: seconds)
      let states = try await turns
      print("\(count) samples, \(states) states of motion")
      exit(count > 0 ? 0 : 1)
    } catch {
      print(error.localizedDescription)
      exit(1)
    }
  }

  /// Leaving the loop ends the stream.
  static func followShocks(for seconds: Double) async throws -> Int {
    let manager = CMBatchedSensorManager()
    var count = 0
    var start: TimeInterval?
    for try await batch in manager.accelerometerUpdates() {
      count += batch.count
      let peak = batch.map { length($0.acceleration.x, $0.acceleration.y, $0.acceleration.z) }.max() ?? 0
      print(String(format: "%4d accelerations  hardest %.2f g", batch.count, peak))
      guard let first = batch.first, let last = batch.last else { continue }
      start = start ?? first.timestamp
      if last.timestamp - (start ?? 0) >= seconds - 1 { break }
    }
    return count
  }

  static func followTurns(for seconds: Double) async throws -> Int {
    guard CMBatchedSensorManager.isDeviceMotionSupported else { return 0 }
    let manager = CMBatchedSensorManager()
    var count = 0
    var start: TimeInterval?
    for try await batch in manager.deviceMotionUpdates() {
      count += batch.count
      let peak = batch.map { length($0.rotationRate.x, $0.rotationRate.y, $0.rotationRate.z) }.max() ?? 0
      print(String(format: "%4d states of motion  fastest %.2f rad/s", batch.count, peak))
      guard let first = batch.first, let last = batch.last else { continue }
      start = start ?? first.timestamp
      if last.timestamp - (start ?? 0) >= seconds - 1 { break }
    }
    return count
  }
}
