// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One JSON object and the end of its line, or of its last one.
package enum JSONLine {
  package static func bytes(_ value: some Encodable, isIndented: Bool = false) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
    encoder.dateEncodingStrategy = .iso8601
    return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
  }

  /// To a thousandth: what is estimated has no more digits.
  package static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
