// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CZlib
import Foundation
import MotionSensing

/// The lines of a small text file, unpacked when it is a gzip file.
enum CompressedText {
  /// Bytes of text at most; the truth of a two-minute trial has half a megabyte.
  private static let largestText = 256 << 20

  /// The path of a file, or else of its .gz twin; nil when there is neither.
  static func find(_ name: String, in folder: String) -> String? {
    ["\(folder)/\(name)", "\(folder)/\(name).gz"].first { FileManager.default.fileExists(atPath: $0) }
  }

  /// The rows of a text of nothing but numbers and comments.
  static func numbers(_ path: String) throws -> [[Double]] {
    try lines(path).filter { !$0.hasPrefix("#") }.map { line in line.split(separator: " ").compactMap { Double($0) } }
  }

  /// Lines without their ends; empty ones are left out.
  static func lines(_ path: String) throws -> [Substring] {
    // gzread passes on what is not compressed as it is (zlib manual, "gzip File Access Functions").
    guard let file = gzopen(path, "rb") else {
      throw SensorError(
        .notFound, "The file cannot be opened: \(String(cString: strerror(errno))).", at: .init(file: path))
    }
    defer { gzclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = gzread(file, &block, UInt32(block.count))
      guard count > 0 else {
        var code: Int32 = 0
        _ = gzerror(file, &code)
        guard count == 0, code == Z_OK || code == Z_STREAM_END else {
          throw SensorError(
            .malformed, "The compressed file is damaged or cut short; fetch it again.", at: .init(file: path))
        }
        break
      }
      bytes += block[..<Int(count)]
      guard bytes.count <= largestText else {
        throw SensorError(
          .limitExceeded, "The text is longer than \(largestText >> 20) MiB.", at: .init(file: path))
      }
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
  }
}
