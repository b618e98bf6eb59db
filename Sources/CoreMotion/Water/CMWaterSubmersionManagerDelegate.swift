// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Hears of submersion, depth and water temperature. Every method may be left out (D16).
///
/// All four are called on a background queue of the manager's own, one at a time, in order (S81).
public protocol CMWaterSubmersionManagerDelegate: NSObjectProtocol {
  /// The device went into the water or came out of it; the present state comes at once after the delegate is assigned.
  func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent)
  /// A measurement: three a second under water, one a second above.
  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement)
  /// A temperature of the water: three a second under water, none above (D14).
  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature)
  /// Something failed; told once. Delivery resumes by itself when the sensor works again.
  func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error)
}

extension CMWaterSubmersionManagerDelegate {
  public func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent) {}
  public func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement) {}
  public func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature) {}
  public func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error) {}
}
