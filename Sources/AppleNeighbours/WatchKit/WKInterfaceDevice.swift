// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_exported public import Combine
@_exported public import CoreGraphics
@_exported public import Foundation

/// The side of the body that a watch is worn on.
public enum WKInterfaceDeviceWristLocation: Int, Sendable {
  /// Left wrist.
  case left = 0
  /// Right wrist.
  case right = 1
}

/// Where the crown is.
public enum WKInterfaceDeviceCrownOrientation: Int, Sendable {
  /// Left.
  case left = 0
  /// Right.
  case right = 1
}

/// This computer, which is no watch. Nothing vibrates, so there is no `play(_:)`; wrist and crown are Apple's
/// defaults, not measured.
@preconcurrency @MainActor
open class WKInterfaceDevice: NSObject {
  private static let shared = WKInterfaceDevice()

  /// This computer.
  open class func current() -> WKInterfaceDevice { shared }

  /// The computer's name in the network.
  open var name: String { ProcessInfo.processInfo.hostName }
  /// `Linux`.
  open var model: String { "Linux" }
  /// `Linux`.
  open var systemName: String { "Linux" }
  /// The version of the system.
  open var systemVersion: String { ProcessInfo.processInfo.operatingSystemVersionString }
  /// Always `left`: not known.
  open var wristLocation: WKInterfaceDeviceWristLocation { .left }
  /// Always `right`: not known.
  open var crownOrientation: WKInterfaceDeviceCrownOrientation { .right }
  /// Stays false.
  open var isBatteryMonitoringEnabled: Bool {
    get { false }
    set {}
  }
  /// Always −1: not known.
  open var batteryLevel: Float { -1 }
}
