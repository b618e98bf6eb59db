// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import TestSupport
import Testing

/// Small tables as programs and loggers write them: each is read and right, or refused with commands that run, of which
/// one is right, or with the reason why there is none.
@Suite struct OfferedCommandTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func thereAreFortyTables() { #expect(WrittenTable.all.count >= 40) }

  @Test(arguments: WrittenTable.all) func aTableIsReadRightOrTheOfferedCommandReadsIt(table: WrittenTable) throws {
    let data = try TemporaryFolder()
    for (name, bytes) in table.files { try data.write(name, bytes) }
    let path = table.path.isEmpty ? data.url.path : data.path(table.path)
    let first = try run(table.hasGyroscope ? "fuse" : "steps", [path] + options(table), table)
    switch table.answer {
    case .read:
      #expect(first.errors == nil, "\(first.errors ?? "")")
      #expect(first.tilt < 3, "\(first.tilt)°")
    case .hopeless(let reason):
      #expect(first.errors?.contains(reason) == true, "\(first.errors ?? "read")")
    case .offered:
      let lines = (first.errors ?? "").split(separator: "\n").filter { $0.hasPrefix("  ") }.map(String.init)
      #expect(!lines.isEmpty, "\(first.errors ?? "read")")
      var tilts: [Double] = []
      for line in lines {
        let answer = try shell(line, table)
        #expect(answer.errors == nil, "\(line)\n\(answer.errors ?? "")")
        tilts.append(answer.tilt)
      }
      let isAdvice = lines.allSatisfy { $0.contains("motionctl info") }
      #expect(isAdvice || tilts.contains { $0 < 3 }, "\(tilts)")
    }
  }

  private func options(_ table: WrittenTable) -> [String] {
    if case .read(let options) = table.answer { options } else { [] }
  }

  private typealias Answer = (errors: String?, tilt: Double)

  private func run(_ command: String, _ arguments: [String], _ table: WrittenTable) throws -> Answer {
    let quoted = arguments.map { "'" + $0 + "'" }.joined(separator: " ")
    return try shell("motionctl \(command) \(quoted)", table)
  }

  /// A line as a person pastes it, with an output where it is of motion; steps show no tilt, the accelerations do.
  private func shell(_ line: String, _ table: WrittenTable) throws -> Answer {
    var line = line.trimmingCharacters(in: .whitespaces)
    let isMotion = line.hasPrefix("motionctl fuse")
    if isMotion { line += " -o out.csv" }
    if line.hasPrefix("motionctl steps") {
      line = line.replacing("motionctl steps", with: "motionctl convert") + " out.csv --force"
    }
    line = line.replacing("motionctl ", with: "\"$MOTIONCTL\" ")
    let result = try MotionctlProcess.shell("cd '\(folder.url.path)' && \(line)").finish()
    guard result.code == 0 else { return (result.errors, .infinity) }
    return (nil, try tilt(isMotion: isMotion))
  }

  /// Degrees between up as it was and as the output has it, the median; infinite where there is no output.
  private func tilt(isMotion: Bool) throws -> Double {
    let found = try folder.names.first { $0.hasPrefix("out.") && $0.contains(isMotion ? "out.csv" : "accelerometer") }
    guard let name = found, let text = folder.text(name) else { return .infinity }
    defer { for name in (try? folder.names) ?? [] where name.hasPrefix("out.") { try? folder.remove(name) } }
    let rows = text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    // Core Motion's gravity points down, as its accelerations do.
    let sign = isMotion || name.contains(".motion.") ? -1.0 : 1
    let columns = ["x", "y", "z"].compactMap { axis in
      rows[0].firstIndex { $0 == "gravity_\(axis)" || !isMotion && ($0 == axis || $0 == "acceleration_\(axis)") }
    }
    let angles = zip(rows.dropFirst(), TurningHand.rows).map { row, truth in
      let v = columns.map { sign * (Double(row[$0]) ?? .nan) }
      return Vector3<Device>(x: v[0], y: v[1], z: v[2]).angle(to: truth.up) * 180 / .pi
    }
    return angles.sorted()[angles.count / 2]
  }
}
