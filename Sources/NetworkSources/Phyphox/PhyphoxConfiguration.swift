// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import PhoneFormats

/// Which buffers of a phyphox experiment hold which sensor, from the `inputs` of its `/config`:
///
/// ```
/// "inputs":[{"source":"accelerometer","outputs":[{"x":"accX"},{"y":"accY"},{"z":"accZ"},{"t":"acc_time"}]}]
/// ```
///
/// The names alone tell nothing: those of the accelerometer with gravity and without are the same.
/// Source: Documentation/Formats.md 5.2.
struct PhyphoxConfiguration: Sendable, Hashable {
  /// One sensor with the buffers of its axes, or of its single number, and of its time.
  struct Input: Sendable, Hashable {
    var sensor: PhoneSensor
    var values: [String]
    var time: String
  }

  var inputs: [Input] = []

  /// Of the text of `/config`.
  init(_ text: [UInt8]) throws(JSONScanner.Failure) {
    var found: [Input] = []
    try JSONScanner.read(text, isWhole: false) { (scanner) throws(JSONScanner.Failure) in
      try scanner.members { (key, scanner) throws(JSONScanner.Failure) in
        guard key == "inputs", scanner.peek() == UInt8(ascii: "[") else { return try scanner.skip(depth: 1) }
        try scanner.elements { (scanner) throws(JSONScanner.Failure) in
          if let input = try Self.input(&scanner) { found.append(input) }
        }
      }
    }
    inputs = found
  }

  private static func input(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) -> Input? {
    var source: String?
    var outputs: [String: String] = [:]
    try scanner.members { (key, scanner) throws(JSONScanner.Failure) in
      switch key {
      case "source": source = try scanner.text()
      case "outputs" where scanner.peek() == UInt8(ascii: "["):
        try scanner.elements { (scanner) throws(JSONScanner.Failure) in
          try scanner.members { (name, scanner) throws(JSONScanner.Failure) in outputs[name] = try scanner.text() }
        }
      default: try scanner.skip(depth: 2)
      }
    }
    guard let source, let sensor = Phyphox.sensors.first(where: { $0.source == source })?.sensor,
      let time = outputs["t"]
    else { return nil }
    let axes = sensor == .barometer ? ["x"] : ["x", "y", "z"]
    let values = axes.compactMap { outputs[$0] }
    // They stand in an address.
    let isPlain = (values + [time]).allSatisfy { name in
      name.utf8.count <= 64 && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
    }
    return values.count == axes.count && isPlain ? Input(sensor: sensor, values: values, time: time) : nil
  }

  /// Asks for the last time of each sensor.
  var timesOnly: String { "/get?" + inputs.map(\.time).joined(separator: "&") }

  /// What is asked for: everything after the last time of each sensor, as the phone has written that time.
  func target(after lasts: [String: String]) -> String {
    let parts = inputs.flatMap { input -> [String] in
      let limit = lasts[input.time].map { "\($0)%7C\(input.time)" } ?? "full"
      return input.values.map { "\($0)=\(limit)" } + ["\(input.time)=\(lasts[input.time] ?? "full")"]
    }
    return "/get?" + parts.joined(separator: "&")
  }
}
