// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The water: a delegate that prints submersion, depth and temperature. Its methods are called on a background queue.
// The first argument is the duration in seconds.

import CoreMotion

/// Prints what the water manager says, one line a second at most.
final class DiveLog: NSObject, CMWaterSubmersionManagerDelegate {
  // Written on the manager's queue, read at the end by the main thread.
  private let lock = NSLock()
  nonisolated(unsafe) private var count = 0
  nonisolated(unsafe) private var lastTemperature: String?

  var measurements: Int { lock.withLock { count } }

  func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent) {
    let state: String
    switch event.state {
    case .unknown: state = "unknown"
    case .notSubmerged: state = "out of the water"
    case .submerged: state = "in the water"
    @unknown default: state = "something newer than this program"
    }
    print("*** \(state)")
  }

  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement) {
    let temperature = lock.withLock { () -> String in
      count += 1
      return lastTemperature ?? "no temperature"
    }
    guard measurements % 3 == 1 else { return }
    let state: String
    switch measurement.submersionState {
    case .unknown: state = "unknown"
    case .notSubmerged: state = "not submerged"
    case .submergedShallow: state = "shallow"
    case .submergedDeep: state = "deep"
    case .approachingMaxDepth: state = "approaching the maximum"
    case .pastMaxDepth: state = "past the maximum"
    case .sensorDepthError: state = "sensor error"
    @unknown default: state = "something newer than this program"
    }
    let depth = measurement.depth.map { String(format: "%.2f %@", $0.value, $0.unit.symbol) } ?? "None"
    let pressure = measurement.pressure.map { String(format: "%.1f %@", $0.value, $0.unit.symbol) } ?? "None"
    let surface = String(format: "%.1f", measurement.surfacePressure.value)
    print("\(state)   depth \(depth)   water \(pressure)   surface \(surface)   \(temperature)")
  }

  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature) {
    // The uncertainty is a difference: it takes the unit of the temperature, and no conversion.
    let text = String(
      format: "%.1f ± %.1f %@", measurement.temperature.value, measurement.temperatureUncertainty.value,
      measurement.temperature.unit.symbol)
    lock.withLock { lastTemperature = text }
  }

  func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error) {
    print("error: \(error.localizedDescription)")
  }
}

guard CMWaterSubmersionManager.waterSubmersionAvailable else {
  print("No depth sensor on this device.")
  exit(1)
}
let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
let manager = CMWaterSubmersionManager()
if let maximum = manager.maximumDepth { print("down to \(maximum.value) \(maximum.unit.symbol)") }
let log = DiveLog()
manager.delegate = log
Thread.sleep(forTimeInterval: seconds)
manager.delegate = nil
print("\(log.measurements) samples")
exit(log.measurements > 0 ? 0 : 1)
