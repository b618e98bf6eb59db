// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing

/// A file of JSON of a few kilobytes that holds what is known about a device: read and written whole.
///
/// Such a file may have been edited by hand, or be something else under its name, so its size is limited before it is read.
enum SmallFile {
  /// What a message about a file of this kind says.
  struct Words {
    /// "The calibration".
    var subject: String
    /// What to do when the file cannot be read.
    var whenUnreadable: String
    /// What to do when it is too large, hence something else.
    var whenTooLarge: String
    /// "The calibration cannot be written".
    var cannotWrite: String
    /// What to do when it cannot be written.
    var whenUnwritable: String
  }

  /// The file's bytes; nil when there is none. Throws `.notPermitted` or `.limitExceeded`, with the path and what to do.
  static func read(_ path: String, largestSize: Int, _ words: Words) throws(SensorError) -> Data? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let data: Data
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      data = try handle.read(upToCount: largestSize + 1) ?? Data()
    } catch {
      throw SensorError(
        .notPermitted,
        sentence("\(words.subject) cannot be read: \(error.localizedDescription)", words.whenUnreadable),
        at: .init(file: path))
    }
    guard data.count <= largestSize else {
      throw SensorError(
        .limitExceeded,
        sentence(
          "\(words.subject) is larger than \(largestSize) bytes: the file holds something else.", words.whenTooLarge),
        at: .init(file: path))
    }
    return data
  }

  /// Writes the file whole or not at all, and makes the folders that it lies in.
  static func write(_ data: Data, to path: String, _ words: Words) throws(SensorError) {
    let url = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url, options: .atomic)
    } catch {
      throw SensorError(
        .notPermitted, sentence("\(words.cannotWrite): \(error.localizedDescription)", words.whenUnwritable),
        at: .init(file: path))
    }
  }

  /// JSON for people: a member a line, in alphabetical order, dates in ISO 8601; the same bytes for the same numbers.
  static func json(_ content: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    var data = try encoder.encode(content)
    data.append(UInt8(ascii: "\n"))
    return data
  }

  private static func sentence(_ first: String, _ second: String) -> String {
    second.isEmpty ? first : "\(first) \(second)"
  }
}
