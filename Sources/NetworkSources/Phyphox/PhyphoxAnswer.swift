// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import PhoneFormats

/// One answer of phyphox to `/get`:
///
/// ```
/// {"buffer":{"accX":{"size":0,"updateMode":"partial","buffer":[0.1,null]}},"status":{"session":"1a2b3c","measuring":true}}
/// ```
struct PhyphoxAnswer: Sendable {
  var session = ""
  var isMeasuring = false
  /// NaN where the phone has none (null).
  private(set) var buffers: [String: [Double]] = [:]

  /// Numbers of one buffer.
  private static let longest = 100_000

  init(_ text: [UInt8]) throws(JSONScanner.Failure) {
    var answer = PhyphoxAnswer()
    try JSONScanner.read(text) { (scanner) throws(JSONScanner.Failure) in
      try scanner.members { (key, scanner) throws(JSONScanner.Failure) in
        switch key {
        case "buffer": try answer.readBuffers(&scanner)
        case "status": try answer.readStatus(&scanner)
        default: try scanner.skip(depth: 1)
        }
      }
    }
    self = answer
  }

  private init() {}

  private mutating func readBuffers(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) {
    try scanner.members { (name, scanner) throws(JSONScanner.Failure) in
      var numbers: [Double] = []
      try scanner.members { (key, scanner) throws(JSONScanner.Failure) in
        guard key == "buffer", scanner.peek() == UInt8(ascii: "[") else { return try scanner.skip(depth: 3) }
        try scanner.elements { (scanner) throws(JSONScanner.Failure) in
          numbers.append(try scanner.double() ?? .nan)
          guard numbers.count <= Self.longest else { throw scanner.failure("A buffer is too long") }
        }
      }
      buffers[name] = numbers
    }
  }

  private mutating func readStatus(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) {
    try scanner.members { (key, scanner) throws(JSONScanner.Failure) in
      switch key {
      case "session": session = String((try scanner.text() ?? "").prefix(64))
      case "measuring": isMeasuring = try scanner.boolean()
      default: try scanner.skip(depth: 2)
      }
    }
  }

  /// The rows of one sensor; the buffers of an answer can differ in length, and the shortest counts. `unreadable` counts rows
  /// without a number or a time.
  func readings(_ input: PhyphoxConfiguration.Input, unreadable: inout Int) -> [PhoneReading] {
    let columns = (input.values + [input.time]).map { buffers[$0] ?? [] }
    guard let times = columns.last else { return [] }
    let count = columns.map(\.count).min() ?? 0
    return (0..<count).compactMap { row in
      guard let stamp = SensorDuration(seconds: times[row])?.nanoseconds, ArrivalClock.stamps.contains(stamp),
        columns.allSatisfy({ $0[row].isFinite })
      else {
        unreadable += 1
        return nil
      }
      let values: PhoneReading.Values =
        input.values.count == 1
        ? .number(columns[0][row]) : .vector(Vector3(x: columns[0][row], y: columns[1][row], z: columns[2][row]))
      return PhoneReading(sensor: input.sensor, stamp: stamp, values: values)
    }
  }

  /// The last time that all buffers of a sensor have reached; nil when there is none.
  func lastTime(_ input: PhyphoxConfiguration.Input) -> Double? {
    let count = (input.values + [input.time]).map { buffers[$0]?.count ?? 0 }.min() ?? 0
    guard count > 0, let time = buffers[input.time]?[count - 1], time.isFinite else { return nil }
    return time
  }
}
