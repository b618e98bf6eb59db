// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import TestSupport

/// Real recordings outside the repository: `$OPENCOREMOTION_DATA`, else `shared/data` beside the checkout.
enum Recordings {
  static let folder = URL(fileURLWithPath: SharedData.folder)
  static func has(_ path: String) -> Bool { SharedData.has(path) }

  struct Row {
    var time: Int64
    var values: Vector3<Device>
  }

  struct Unreadable: Error {
    var path: String
  }

  /// The lines of a compressed text file.
  static func lines(_ path: String) throws -> [Substring] {
    let path = folder.appendingPathComponent(path).path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/gzip")
    process.arguments = ["-dc", path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0, !data.isEmpty else { throw Unreadable(path: path) }
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
  }

  /// Time in nanoseconds and three numbers per line; lines with # are comments.
  static func iphone(_ recording: String, _ name: String) throws -> [Row] {
    try lines("iphone/pyojin_iphone_\(recording)/\(name).txt.gz").compactMap { line in
      let columns = line.split(separator: " ")
      guard columns.count >= 4, let time = Int64(columns[0]), let x = Double(columns[1]), let y = Double(columns[2]),
        let z = Double(columns[3])
      else { return nil }
      return Row(time: time, values: Vector3(x: x, y: y, z: z))
    }
  }

  /// The numbers of each line, separated by spaces or commas; other lines are left out.
  static func numbers(_ path: String) throws -> [[Double]] {
    try lines(path).compactMap { line in
      let columns = line.split(whereSeparator: { $0 == " " || $0 == "," })
      let numbers = columns.compactMap { Double($0) }
      return numbers.count == columns.count ? numbers : nil
    }
  }

  /// The only number of a small text file, after the last blank.
  static func number(_ path: String) throws -> Double {
    let url = folder.appendingPathComponent(path)
    let text = try String(contentsOf: url, encoding: .utf8)
    guard let number = text.split(whereSeparator: \.isWhitespace).last.flatMap({ Double($0) }) else {
      throw Unreadable(path: url.path)
    }
    return number
  }

  /// A trial of the BROAD benchmark: 17 columns of Float32 a row at 2000/7 Hz.
  struct BroadTrial {
    var name: String
    private var numbers: [Float]

    init(name: String) throws {
      self.name = name
      let data = try Data(contentsOf: folder.appendingPathComponent("broad/\(name).f32"))
      numbers = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    var count: Int { numbers.count / 17 }
    static let sampleInterval = 0.0035
    func vector(_ row: Int, _ column: Int) -> Vector3<Device> {
      Vector3(
        x: Double(numbers[17 * row + column]), y: Double(numbers[17 * row + column + 1]),
        z: Double(numbers[17 * row + column + 2]))
    }
    /// The optical orientation where it counts.
    func reference(_ row: Int) -> Rotation<Device, EastNorthUp>? {
      let n = 17 * row
      guard numbers[n + 16] > 0.5 else { return nil }
      return Rotation(
        w: Double(numbers[n + 9]), x: Double(numbers[n + 10]), y: Double(numbers[n + 11]), z: Double(numbers[n + 12]))
    }
  }

  static let broadTrials = [
    "01_undisturbed_slow_rotation_A", "03_undisturbed_slow_rotation_C", "05_undisturbed_slow_rotation_with_breaks_B",
    "07_undisturbed_fast_rotation_B", "09_undisturbed_fast_rotation_with_breaks_B", "11_undisturbed_slow_translation_B",
    "15_undisturbed_fast_translation_A", "21_undisturbed_fast_combined", "25_disturbed_tapping_B",
    "27_disturbed_phone_vibration_B", "29_disturbed_stationary_magnet_B", "31_disturbed_stationary_magnet_D",
    "33_disturbed_attached_magnet_2cm", "35_disturbed_attached_magnet_4cm",
  ]
}
