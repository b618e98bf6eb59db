// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing

/// Device motion as columns, to be plotted.
struct MotionColumns: Sendable {
  private(set) var times: [Double] = []
  private var angles: [[Double]] = [[], [], []]
  private var gravity: [[Double]] = [[], [], []]
  private var userAcceleration: [[Double]] = [[], [], []]
  private var first: Double?

  mutating func append(_ row: DeviceMotionRow) {
    let start = first ?? row.timestamp
    first = start
    times.append(row.timestamp - start)
    for (index, radians) in [row.roll, row.pitch, row.yaw].enumerated() {
      angles[index].append(Angle(radians: radians).degrees)
    }
    Self.append(row.gravity, to: &gravity)
    Self.append(row.userAcceleration, to: &userAcceleration)
  }

  private static func append(_ vector: Vector3<Device>, to columns: inout [[Double]]) {
    columns[0].append(vector.x)
    columns[1].append(vector.y)
    columns[2].append(vector.z)
  }

  /// Attitude, gravity and user acceleration, one below the other.
  func chart(title: String, subtitle: String) -> Chart {
    func series(_ names: [String], _ columns: [[Double]]) -> [Chart.Series] {
      let colors: [Color] = [.blue, .vermilion, .green]
      return (0..<3).map { Chart.Series(name: names[$0], color: colors[$0], values: columns[$0]) }
    }
    let axes = ["x", "y", "z"]
    return Chart(
      title: title, subtitle: subtitle, times: times,
      panels: [
        Chart.Panel(
          title: "Attitude", unit: "°", series: series(["roll", "pitch", "yaw"], angles), leastSpan: 10,
          isAngle: true),
        Chart.Panel(
          title: "Gravity", unit: "g", series: series(axes, gravity), range: -1.1...1.1, leastSpan: 2),
        Chart.Panel(
          title: "User acceleration", unit: "g", series: series(axes, userAcceleration), leastSpan: 0.1),
      ])
  }
}
