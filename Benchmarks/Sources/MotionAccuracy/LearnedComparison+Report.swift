// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import AccuracyTrials
import MotionRecording
import MotionTools

extension LearnedComparison {
  private static let names = ["nothing", "afterOne", "afterOneLargest", "afterAll"]

  /// A row per trial, and the means.
  func appendTable(to buffer: inout JSONText) {
    let what = usesMagnetometer ? "9D: total" : "6D: inclination"
    buffer.append(
      """
      BROAD layout, \(what) RMS error, degrees: started with nothing learned; with the gyroscope's errors and the
      magnetometer's delay as one other trial of the same sensor left them (mean and largest over the others); and as all
      others left them, one after another. A sensor is recognised by its gyroscope's bias.


      """)
    let widest = max(24, rows.map(\.name.count).max() ?? 0)
    func append(_ name: String, _ values: [Double]) {
      buffer.append(name + String(repeating: " ", count: max(0, widest - name.count)))
      for value in values { buffer.append(value, places: 3, width: 11) }
      buffer.append("\n")
    }
    buffer.append("trial" + String(repeating: " ", count: widest - 5))
    for title in ["nothing", "after one", "largest", "after all"] { buffer.append(title, width: 11) }
    buffer.append("\n")
    for row in rows { append(row.name, values(row)) }
    append("mean of \(rows.count)", means)
  }

  /// `{"mean":{"nothing":…,"afterOne":…,"afterOneLargest":…,"afterAll":…},"trials":[{"name":…,"nothing":…,…},…]}`, degrees.
  func appendJSON(to buffer: inout JSONText) {
    func append(_ values: [Double]) {
      for (index, (name, value)) in zip(Self.names, values).enumerated() {
        buffer.append(index == 0 ? "" : ",")
        buffer.append(quoting: name)
        buffer.append(":")
        if value.isFinite { buffer.append(value) } else { buffer.append("null") }
      }
    }
    buffer.append("{\"mean\":{")
    append(means)
    buffer.append("},\"trials\":[")
    for (index, row) in rows.enumerated() {
      buffer.append(index == 0 ? "{\"name\":" : ",{\"name\":")
      buffer.append(quoting: row.name)
      buffer.append(",")
      append(values(row))
      buffer.append("}")
    }
    buffer.append("]}\n")
  }
}
