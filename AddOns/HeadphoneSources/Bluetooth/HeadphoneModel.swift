// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A model of headphones, and whether it can report head motion.
///
/// Numbers and the list of what has a sensor are public knowledge of 2026: makers' compatibility lists, and reports of
/// people who have the devices. None has been tried by the authors of this library.
package struct HeadphoneModel: Hashable, Sendable {
  /// Its protocol.
  package enum Tracking: Hashable, Sendable {
    /// It has no motion sensor, or does not report it.
    case none
    /// By the accessory protocol of AirPods (`airpods:`).
    case accessoryProtocol
    /// By the open Android head tracker protocol (`headtracker:`).
    case headTracker
  }

  /// "AirPods Pro 2".
  package var name: String
  /// What the maker numbers it by in Bluetooth's device identification; nil = not known.
  package var product: UInt16?
  /// How it reports head motion.
  package var tracking: Tracking

  /// Whether it can report head motion, as far as known.
  package var hasMotionSensor: Bool { tracking != .none }

  /// Apple's number among the members of the Bluetooth SIG.
  package static let apple: UInt16 = 0x004C

  /// The model of a maker's number; nil when it is not known.
  package static func model(vendor: UInt16, product: UInt16) -> HeadphoneModel? {
    guard vendor == apple else { return nil }
    return accessories.first { $0.product == product }
  }

  /// The model of a device's own name, as makers set it: "WH-1000XM5", "LE_WH-1000XM5"; nil when it is not known.
  package static func model(name: String) -> HeadphoneModel? {
    let own = name.hasPrefix("LE_") ? String(name.dropFirst(3)) : name
    return trackers.first { $0.name == own } ?? accessories.first { $0.product == nil && $0.name == own }
  }

  private static func models(_ tracking: Tracking, _ list: [(name: String, product: UInt16?)]) -> [HeadphoneModel] {
    list.map { HeadphoneModel(name: $0.name, product: $0.product, tracking: tracking) }
  }

  private static func models(_ tracking: Tracking, _ names: String...) -> [HeadphoneModel] {
    models(tracking, names.map { ($0, nil) })
  }

  /// Headphones of Apple and Beats.
  package static let accessories: [HeadphoneModel] =
    models(
      .accessoryProtocol,
      [
        ("AirPods 4 (ANC)", 0x201B), ("AirPods Pro 2", 0x2014), ("AirPods Pro 2 (USB-C)", 0x2024),
        ("AirPods Pro 3", 0x2027), ("AirPods 3", 0x2013), ("AirPods 4", 0x2019), ("AirPods Pro", 0x200E),
        ("AirPods Max", 0x200A),
        ("AirPods Max (USB-C)", 0x201F), ("AirPods Max 2", 0x202D), ("Beats Fit Pro", 0x2012),
        ("Powerbeats Pro 2", 0x201D), ("Beats Studio Pro", 0x2017),
      ])
    + models(
      .none,
      [
        ("AirPods 1", 0x2002), ("AirPods 2", 0x200F), ("Beats Studio Buds", 0x2011), ("Beats Studio Buds+", 0x2016),
      ])
    + models(
      .none, "Powerbeats Pro", "Powerbeats3", "Powerbeats 4", "BeatsX", "Beats Flex", "Beats Solo3", "Beats Studio3",
      "Beats Solo Buds")

  /// Headphones with the open head tracker protocol, and their predecessors without it, by the names they give
  /// themselves.
  package static let trackers: [HeadphoneModel] =
    models(
      .headTracker, "WH-1000XM5", "WF-1000XM5", "WH-1000XM6", "WF-1000XM6", "ULT WEAR", "WH-ULT900N", "WF-L900",
      "LinkBuds Open", "LinkBuds Fit", "LinkBuds S")
    + models(.none, "WH-1000XM3", "WH-1000XM4", "WF-1000XM3", "WF-1000XM4")
}
