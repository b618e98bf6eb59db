// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// This computer, as far as it is known without a device's interface: its name and system. Orientation and battery are
/// unknown, proximity is false, and no notification is ever posted.
@preconcurrency @MainActor
open class UIDevice: NSObject {
  /// The state of a battery.
  public enum BatteryState: Int, Sendable {
    /// Not known, as on Linux.
    case unknown = 0
    /// In use.
    case unplugged = 1
    /// Charging.
    case charging = 2
    /// Charged.
    case full = 3
  }

  /// This computer.
  public static let current = UIDevice()

  /// Never posted.
  public nonisolated static let orientationDidChangeNotification = Notification.Name(
    "UIDeviceOrientationDidChangeNotification")
  /// Never posted.
  public nonisolated static let batteryStateDidChangeNotification = Notification.Name(
    "UIDeviceBatteryStateDidChangeNotification")
  /// Never posted.
  public nonisolated static let batteryLevelDidChangeNotification = Notification.Name(
    "UIDeviceBatteryLevelDidChangeNotification")
  /// Never posted.
  public nonisolated static let proximityStateDidChangeNotification = Notification.Name(
    "UIDeviceProximityStateDidChangeNotification")

  /// The computer's name in the network.
  open var name: String { ProcessInfo.processInfo.hostName }
  /// `Linux`.
  open var model: String { "Linux" }
  /// `Linux`.
  open var localizedModel: String { "Linux" }
  /// `Linux`.
  open var systemName: String { "Linux" }
  /// The version of the system.
  open var systemVersion: String { ProcessInfo.processInfo.operatingSystemVersionString }
  /// Always nil.
  open var identifierForVendor: UUID? { nil }
  /// Always `unspecified`.
  open var userInterfaceIdiom: UIUserInterfaceIdiom { .unspecified }
  /// Always false.
  open var isMultitaskingSupported: Bool { false }

  /// Always `unknown`.
  open var orientation: UIDeviceOrientation { .unknown }
  /// Always false: no notification is posted.
  open var isGeneratingDeviceOrientationNotifications: Bool { false }
  /// Does nothing: no notification is posted.
  open func beginGeneratingDeviceOrientationNotifications() {}
  /// Does nothing.
  open func endGeneratingDeviceOrientationNotifications() {}

  /// Stays false: the battery is not watched.
  open var isBatteryMonitoringEnabled: Bool {
    get { false }
    set {}
  }
  /// Always −1: not known.
  open var batteryLevel: Float { -1 }
  /// Always `unknown`.
  open var batteryState: BatteryState { .unknown }
  /// Stays false, as on a device without the sensor.
  open var isProximityMonitoringEnabled: Bool {
    get { false }
    set {}
  }
  /// Always false.
  open var proximityState: Bool { false }
}
