// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Poses of a device by motion capture, and where they lie on the phone's time line.
struct MotionCaptureTruth: Sendable {
  private struct Row {
    /// s since the capture began.
    var time: Double
    /// Nil where the row is marked bad.
    var pose: Rotation<Device, EastNorthUp>?
  }

  /// Seconds between two rows that can still be bridged; the rows come at 60 Hz.
  private static let longestGap = 0.1

  /// Truth's time − phone's time, s.
  let offset: Double
  private var rows: [Row] = []

  /// Whether a folder holds the truth.
  static func exists(in folder: String) -> Bool { CompressedText.find("qualisys.csv", in: folder) != nil }

  /// Reads `qualisys.csv` (perhaps with .gz), `description.txt` and `timeAlignment.txt` of a folder.
  init(folder: String) throws {
    guard let path = CompressedText.find("qualisys.csv", in: folder) else {
      throw SensorError(
        .notFound, "The trial has no truth to be measured against: qualisys.csv is missing.", at: .init(file: folder))
    }
    offset =
      try Self.number("timeAlignment.txt", in: folder) - Self.number("description.txt", in: folder)
    let lines = try CompressedText.lines(path)
    let names = lines.first?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    var columns: [Int] = []
    for name in ["t_s", "qw", "qx", "qy", "qz", "bad"] {
      guard let column = names.firstIndex(where: { $0 == name }) else {
        throw SensorError(
          .malformed, "The header has no column \(name); it needs t_s, qw, qx, qy, qz and bad.",
          at: .init(file: path, line: 1))
      }
      columns.append(column)
    }
    rows.reserveCapacity(lines.count)
    for (index, line) in lines.enumerated().dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = columns.compactMap { $0 < cells.count ? Double(cells[$0]) : nil }
      guard numbers.count == columns.count, numbers[0].isFinite, numbers[0] > rows.last?.time ?? -.infinity else {
        throw SensorError(
          .malformed, "The line is no row of numbers with a time later than the one before.",
          at: .init(file: path, line: index + 1))
      }
      let pose =
        numbers[5] == 0
        ? Rotation<Device, EastNorthUp>(w: numbers[1], x: numbers[2], y: numbers[3], z: numbers[4]) : nil
      rows.append(Row(time: numbers[0], pose: pose))
    }
  }

  /// The pose at a time of the truth's clock; nil where it is not known. `row` is where the search begins and ends:
  /// times ascend from call to call.
  func pose(at time: Double, from row: inout Int) -> Rotation<Device, EastNorthUp>? {
    while row + 1 < rows.count, rows[row + 1].time < time { row += 1 }
    guard row + 1 < rows.count, rows[row].time <= time else { return nil }
    let (a, b) = (rows[row], rows[row + 1])
    guard let first = a.pose, let second = b.pose, b.time - a.time <= Self.longestGap else { return nil }
    return first.interpolated(to: second, fraction: (time - a.time) / (b.time - a.time))
  }

  /// The last word of a small text file, as a number.
  private static func number(_ name: String, in folder: String) throws -> Double {
    guard let path = CompressedText.find(name, in: folder) else {
      throw SensorError(
        .notFound, "The trial cannot be laid over its truth: \(name) is missing.", at: .init(file: folder))
    }
    let words = try CompressedText.lines(path).flatMap { $0.split(whereSeparator: \.isWhitespace) }
    guard let number = words.last.flatMap({ Double($0) }), number.isFinite else {
      throw SensorError(.malformed, "The file should end with a number of seconds.", at: .init(file: path))
    }
    return number
  }
}
