// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording

/// A part of a list: the K-th of N, counted from 1.
package struct Shard: CustomStringConvertible {
  package let number: Int
  package let count: Int
  package static let all = Shard(number: 1, count: 1)

  private init(number: Int, count: Int) { (self.number, self.count) = (number, count) }

  package init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], number >= 1, number <= count else {
      return nil
    }
    self.init(number: number, count: count)
  }

  package var description: String { "\(number)/\(count)" }
}

/// The recordings of a list (`--manifest` of `motionctl fuse` and `day`), and the folder for what they become.
///
/// An output that stands in the folder is finished, because it is renamed into its place at its end: it is skipped, and
/// a run that was ended, or in which recordings failed, is continued by the same command.
package struct Manifest {
  /// Recordings that are open at once.
  private static let chunk = 256

  /// Those of the shard.
  package let items: [BatchPlan.Item]
  private let folder: String
  private let summaryName: String

  /// Reads the list. All of it is checked, not only the shard: two tasks must not write one file. `check` refuses names
  /// of outputs.
  package init(
    _ list: String, shard: Shard, folder: String, ending: String, check: (_ name: String) throws -> Void
  ) throws {
    guard let data = FileManager.default.contents(atPath: list) else {
      throw CommandFailure("The list “\(list)” cannot be read: give a file with one recording a line.")
    }
    // A byte-order mark in front, as some editors write it, is no part of a name.
    guard let text = String(bytes: data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data, encoding: .utf8)
    else {
      throw CommandFailure("The list “\(list)” is not UTF-8 text: save it as such.")
    }
    let base = URL(fileURLWithPath: list).deletingLastPathComponent()
    self.folder = folder
    summaryName = "summary-\(shard.number)-of-\(shard.count).csv"
    var items: [BatchPlan.Item] = []
    var lines: [String: Int] = [:]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
    where !line.isEmpty {
      let place = "“\(list)”, line \(index + 1)"
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.count <= 2, !cells[0].isEmpty else {
        throw CommandFailure("\(place): expected a recording and perhaps, behind one tab, the name of its output.")
      }
      let input = cells[0].hasPrefix("simulate:") ? cells[0] : URL(fileURLWithPath: cells[0], relativeTo: base).path
      let name = cells.count == 2 ? cells[1] : BatchPlan.place(of: input, ending: ending).name
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), !name.hasPrefix("summary-") else {
        throw CommandFailure(
          "\(place): “\(name)” cannot be the name of an output: give one within the folder that does not begin with summary-."
        )
      }
      do { try check(name) } catch { throw CommandFailure("\(place): \(error)") }
      if let other = lines.updateValue(index + 1, forKey: name) {
        throw CommandFailure(
          "\(place): the output would be “\(name)”, as that of line \(other): give one of them another name, behind a tab."
        )
      }
      items.append(BatchPlan.Item(input: input, output: folder + "/" + name))
    }
    guard !items.isEmpty else { throw CommandFailure("The list “\(list)” names no recording.") }
    self.items = stride(from: shard.number - 1, to: items.count, by: shard.count).map { items[$0] }
  }

  /// Does the work for those that are not finished; `work` gives an outcome for each item, in order.
  package func run(_ work: ([BatchPlan.Item]) throws -> [BatchOutcome]) throws {
    for directory in Set(items.map { URL(fileURLWithPath: $0.output).deletingLastPathComponent().path } + [folder]) {
      try BatchPlan.make(directory)
    }
    let pending = items.filter { !Self.isFinished($0.output) }
    var outcomes: [BatchOutcome] = []
    for start in stride(from: 0, to: pending.count, by: Self.chunk) {
      outcomes += try work(Array(pending[start..<min(start + Self.chunk, pending.count)]))
    }
    let table = summary(outcomes)
    try OutputFile.write(table.bytes, to: folder + "/" + summaryName)
    try OutputFile.standardOutput.write(table.bytes)
    StandardError.shared.say(
      "\(Text.count(items.count, "recording")): \(Text.grouped(outcomes.count { $0.failure == nil })) done, "
        + "\(Text.grouped(items.count - pending.count)) finished before, "
        + "\(Text.grouped(outcomes.count { $0.failure != nil })) failed (\(folder)/\(summaryName))")
    if outcomes.contains(where: { $0.failure != nil }) { throw ProgramEnd.failure }
  }

  /// A line for each recording, in the order of the list.
  private func summary(_ outcomes: [BatchOutcome]) -> JSONText {
    let found = Dictionary(uniqueKeysWithValues: outcomes.map { ($0.item.output, $0) })
    var table = JSONText()
    table.append("recording,output,state,rows,seconds,error\n")
    for item in items {
      let outcome = found[item.output]
      table.append(csv: item.input)
      table.append(",")
      table.append(csv: item.output)
      if let failure = outcome?.failure {
        table.append(",failed,,,")
        table.append(csv: failure)
      } else if let outcome {
        table.append(",done,")
        table.append(outcome.rows)
        table.append(",")
        table.append(outcome.seconds)
        table.append(",")
      } else {
        table.append(",finished before,,,")
      }
      table.append("\n")
    }
    return table
  }

  private static func isFinished(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
  }
}
