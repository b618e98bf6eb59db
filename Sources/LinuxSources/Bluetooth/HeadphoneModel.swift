// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A model of headphones, and whether it can tell how the head moves.
///
/// Numbers and the list of what has a sensor are public knowledge of 2026: makers' compatibility lists, and reports of people who have
/// the devices. None has been tried by the authors of this library.
public struct HeadphoneModel: Hashable, Sendable {
  /// Its protocol.
  public enum Tracking: Hashable, Sendable {
    /// It has no motion sensor, or does not tell.
    case none
    /// By the accessory protocol of AirPods (`airpods:`). `isProven`: its motion has been seen that way.
    case accessoryProtocol(isProven: Bool)
    /// By the open Android head tracker protocol (`headtracker:`). `isProven`: its motion has been seen that way.
    case headTracker(isProven: Bool)
  }

  /// "AirPods Pro 2".
  public var name: String
  /// What the maker numbers it by in Bluetooth's device identification; nil = not known.
  public var product: UInt16?
  /// How it tells about the head.
  public var tracking: Tracking

  init(_ name: String, _ product: UInt16? = nil, _ tracking: Tracking) {
    self.name = name
    self.product = product
    self.tracking = tracking
  }

  /// Whether it can tell how the head moves, as far as is known.
  public var hasMotionSensor: Bool { tracking != .none }

  /// Apple's number among the members of the Bluetooth SIG.
  public static let apple: UInt16 = 0x004C

  /// The model of a maker's number; nil when it is not known.
  public static func model(vendor: UInt16, product: UInt16) -> HeadphoneModel? {
    guard vendor == apple else { return nil }
    return accessories.first { $0.product == product }
  }

  /// The model of a device's own name, as makers set it: "WH-1000XM5", "LE_WH-1000XM5"; nil when it is not known.
  public static func model(name: String) -> HeadphoneModel? {
    let own = name.hasPrefix("LE_") ? String(name.dropFirst(3)) : name
    return trackers.first { $0.name == own } ?? accessories.first { $0.product == nil && $0.name == own }
  }

  /// Headphones of Apple and Beats.
  public static let accessories: [HeadphoneModel] = [
    .init("AirPods 1", 0x2002, .none), .init("AirPods 2", 0x200F, .none),
    .init("AirPods 3", 0x2013, .accessoryProtocol(isProven: false)),
    .init("AirPods 4", 0x2019, .accessoryProtocol(isProven: false)),
    .init("AirPods 4 (ANC)", 0x201B, .accessoryProtocol(isProven: true)),
    .init("AirPods Pro", 0x200E, .accessoryProtocol(isProven: false)),
    .init("AirPods Pro 2", 0x2014, .accessoryProtocol(isProven: true)),
    .init("AirPods Pro 2 (USB-C)", 0x2024, .accessoryProtocol(isProven: true)),
    .init("AirPods Pro 3", 0x2027, .accessoryProtocol(isProven: true)),
    .init("AirPods Max", 0x200A, .accessoryProtocol(isProven: false)),
    .init("AirPods Max (USB-C)", 0x201F, .accessoryProtocol(isProven: false)),
    .init("AirPods Max 2", 0x202D, .accessoryProtocol(isProven: false)),
    .init("Beats Fit Pro", 0x2012, .accessoryProtocol(isProven: false)),
    .init("Powerbeats Pro 2", 0x201D, .accessoryProtocol(isProven: false)),
    .init("Beats Studio Pro", 0x2017, .accessoryProtocol(isProven: false)), .init("Beats Studio Buds", 0x2011, .none),
    .init("Beats Studio Buds+", 0x2016, .none),
    .init("Powerbeats Pro", nil, .none), .init("Powerbeats3", nil, .none), .init("Powerbeats 4", nil, .none),
    .init("BeatsX", nil, .none), .init("Beats Flex", nil, .none), .init("Beats Solo3", nil, .none),
    .init("Beats Studio3", nil, .none), .init("Beats Solo Buds", nil, .none),
  ]

  /// Headphones with the open head tracker protocol, and their predecessors without it, by the names they give themselves.
  public static let trackers: [HeadphoneModel] = [
    .init("WH-1000XM5", nil, .headTracker(isProven: true)), .init("WF-1000XM5", nil, .headTracker(isProven: true)),
    .init("WH-1000XM6", nil, .headTracker(isProven: true)), .init("WF-1000XM6", nil, .headTracker(isProven: true)),
    .init("ULT WEAR", nil, .headTracker(isProven: true)), .init("WH-ULT900N", nil, .headTracker(isProven: true)),
    .init("WF-L900", nil, .headTracker(isProven: false)), .init("LinkBuds Open", nil, .headTracker(isProven: false)),
    .init("LinkBuds Fit", nil, .headTracker(isProven: false)),
    .init("LinkBuds S", nil, .headTracker(isProven: false)), .init("WH-1000XM3", nil, .none),
    .init("WH-1000XM4", nil, .none), .init("WF-1000XM3", nil, .none), .init("WF-1000XM4", nil, .none),
  ]
}
