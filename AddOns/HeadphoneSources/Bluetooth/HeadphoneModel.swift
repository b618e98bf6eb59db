// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A model of headphones, and whether it can report head motion.
///
/// Numbers and the list of what has a sensor are public knowledge of 2026: makers' compatibility lists, Apple's "Identify
/// your AirPods" (support.apple.com/109525), and reports of people who have the devices. None has been tried by the
/// authors of this library.
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
  /// How it reports head motion.
  package var tracking: Tracking
  /// What the maker numbers it by in Bluetooth's device identification; nil = not known.
  var product: UInt16?
  /// The model numbers of its parts, as they are printed on them.
  var numbers: [String] = []

  /// Whether it can report head motion, as far as known.
  package var hasMotionSensor: Bool { tracking != .none }

  /// The model of a device identification such as "bluetooth:v004Cp2014dB052": who made it (by its number in the
  /// Bluetooth SIG, Apple's is 004C), what it is, which version. Nil when it is not known.
  package static func model(modalias: String) -> HeadphoneModel? {
    guard modalias.hasPrefix("bluetooth:v004Cp") else { return nil }
    let product = UInt16(modalias.dropFirst(16).prefix(4), radix: 16)
    return product.flatMap { product in all.first { $0.product == product } }
  }

  /// The model of a device's own name, as makers set it: "WH-1000XM5", "LE_WH-1000XM5"; nil when it is not known.
  package static func model(name: String) -> HeadphoneModel? {
    let own = name.hasPrefix("LE_") ? String(name.dropFirst(3)) : name
    return all.first { $0.product == nil && $0.name == own }
  }

  /// The model of a number such as "A2698"; nil when it is not known.
  static func model(number: String) -> HeadphoneModel? { all.first { $0.numbers.contains(number) } }

  private static func models(_ tracking: Tracking, _ names: String...) -> [HeadphoneModel] {
    names.map { HeadphoneModel(name: $0, tracking: tracking) }
  }

  private static func apple(_ tracking: Tracking, _ name: String, _ product: UInt16, _ numbers: String...) -> Self {
    HeadphoneModel(name: name, tracking: tracking, product: product, numbers: numbers)
  }

  /// Headphones of Apple and Beats; then those with the open head tracker protocol, and their predecessors without it,
  /// by the names they give themselves.
  static let all: [HeadphoneModel] =
    [
      apple(.accessoryProtocol, "AirPods 4 (ANC)", 0x201B, "A3055", "A3056", "A3057"),
      apple(.accessoryProtocol, "AirPods Pro 2", 0x2014, "A2698", "A2699", "A2931"),
      apple(.accessoryProtocol, "AirPods Pro 2 (USB-C)", 0x2024, "A3047", "A3048", "A3049"),
      apple(.accessoryProtocol, "AirPods Pro 3", 0x2027, "A3063", "A3064", "A3065"),
      apple(.accessoryProtocol, "AirPods 3", 0x2013, "A2564", "A2565"),
      apple(.accessoryProtocol, "AirPods 4", 0x2019, "A3050", "A3053", "A3054"),
      apple(.accessoryProtocol, "AirPods Pro", 0x200E, "A2083", "A2084"),
      apple(.accessoryProtocol, "AirPods Max", 0x200A, "A2096"),
      apple(.accessoryProtocol, "AirPods Max (USB-C)", 0x201F, "A3184"),
      apple(.accessoryProtocol, "AirPods Max 2", 0x202D), apple(.accessoryProtocol, "Beats Fit Pro", 0x2012),
      apple(.accessoryProtocol, "Powerbeats Pro 2", 0x201D), apple(.accessoryProtocol, "Beats Studio Pro", 0x2017),
      apple(.none, "AirPods 1", 0x2002, "A1523", "A1722"), apple(.none, "AirPods 2", 0x200F, "A2031", "A2032"),
      apple(.none, "Beats Studio Buds", 0x2011), apple(.none, "Beats Studio Buds+", 0x2016),
    ]
    + models(
      .none, "Powerbeats Pro", "Powerbeats3", "Powerbeats 4", "BeatsX", "Beats Flex", "Beats Solo3", "Beats Studio3",
      "Beats Solo Buds", "WH-1000XM3", "WH-1000XM4", "WF-1000XM3", "WF-1000XM4")
    + models(
      .headTracker, "WH-1000XM5", "WF-1000XM5", "WH-1000XM6", "WF-1000XM6", "ULT WEAR", "WH-ULT900N", "WF-L900",
      "LinkBuds Open", "LinkBuds Fit", "LinkBuds S")
}
