// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What Apple's model numbers stand for (support.apple.com/109525, "Identify your AirPods").
enum AirPodsModel {
  /// The name of a model number; the number itself where it is not known.
  static func name(of number: String) -> String { names[number] ?? number }

  /// Whether a model has a sensor that can track the head; nil = not known.
  static func tracksHead(_ number: String) -> Bool? {
    guard names[number] != nil else { return nil }
    return !withoutSensor.contains(number)
  }

  private static let withoutSensor: Set<String> = ["A1523", "A1722", "A2031", "A2032"]

  private static let names: [String: String] = [
    "A1523": "AirPods", "A1722": "AirPods", "A2031": "AirPods 2", "A2032": "AirPods 2",
    "A2564": "AirPods 3", "A2565": "AirPods 3", "A3050": "AirPods 4", "A3053": "AirPods 4", "A3054": "AirPods 4",
    "A3055": "AirPods 4 ANC", "A3056": "AirPods 4 ANC", "A3057": "AirPods 4 ANC",
    "A2083": "AirPods Pro", "A2084": "AirPods Pro",
    "A2698": "AirPods Pro 2", "A2699": "AirPods Pro 2", "A2931": "AirPods Pro 2",
    "A3047": "AirPods Pro 2 USB-C", "A3048": "AirPods Pro 2 USB-C", "A3049": "AirPods Pro 2 USB-C",
    "A3063": "AirPods Pro 3", "A3064": "AirPods Pro 3", "A3065": "AirPods Pro 3",
    "A2096": "AirPods Max", "A3184": "AirPods Max USB-C",
  ]
}
