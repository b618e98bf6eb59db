// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// Rows of a recording, in SI units as it says; NaN where there is no reading.
package protocol SensorRows {
  var count: Int { get }
  var hasRate: Bool { get }
  var hasField: Bool { get }
  /// ns.
  func time(_ row: Int) -> Int64
  func rate(_ row: Int) -> Vector3<Device>
  func force(_ row: Int) -> Vector3<Device>
  func field(_ row: Int) -> Vector3<Device>
}

extension SensorRows {
  /// The rows that are judged: those of the first three minutes, and not more than a reader keeps.
  var judged: Int {
    guard count > 1 else { return count }
    let begin = time(0)
    var (low, high) = (1, min(count, Plausibility.mostRows))
    while low < high {
      let middle = (low + high) / 2
      if time(middle).subtractingReportingOverflow(begin).partialValue <= Plausibility.longest {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

/// The upper of the two in the middle; 0 of nothing.
func middle(_ values: [Double]) -> Double {
  values.isEmpty ? 0 : values.sorted()[values.count / 2]
}
