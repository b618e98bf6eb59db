// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin) || os(iOS) || os(watchOS) || os(visionOS)
import CoreMotion
import Foundation

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension MotionUpdates {
  /// Submersion, depth and the temperature of the water: the present state at once, then what changes.
  ///
  /// - Parameter buffering: what a slow reader finds. Default: everything.
  /// - Returns: a stream that throws `CMErrorNotAvailable` at once without a sensor for the pressure of water, and
  ///   `CMErrorNotEntitled` without the entitlement to a depth.
  public static func water(buffering: MotionBuffering = .everything) -> MotionStream<WaterUpdate> {
    MotionStream(buffering) { (buffer) throws(MotionError) in
      try MotionError.check(CMWaterSubmersionManager.waterSubmersionAvailable, "the pressure of water")
      let manager = CMWaterSubmersionManager()
      let listener = WaterListener(buffer)
      manager.delegate = listener
      // The manager keeps its delegate weakly.
      let managed = Managed((manager, listener))
      return { managed.manager.0.delegate = nil }
    }
  }
}

/// Puts what the manager tells into the stream's buffer.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
final class WaterListener: NSObject, CMWaterSubmersionManagerDelegate {
  private let buffer: SampleBuffer<WaterUpdate>

  init(_ buffer: SampleBuffer<WaterUpdate>) { self.buffer = buffer }

  func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent) {
    buffer.append(.submersion(Submersion(event)))
  }

  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement) {
    buffer.append(.depth(WaterDepth(measurement)))
  }

  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature) {
    buffer.append(.temperature(WaterTemperature(measurement)))
  }

  func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error) { buffer.receive(error) }
}
#endif
