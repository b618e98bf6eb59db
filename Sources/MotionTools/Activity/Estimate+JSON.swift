// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivitySummary

/// To a thousandth, like all that is estimated.
extension Estimate: Encodable {
  private enum Key: CodingKey { case value, low, high }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (key, number) in [(Key.value, value), (.low, low), (.high, high)] {
      try container.encode(JSONLine.rounded(number), forKey: key)
    }
  }
}
