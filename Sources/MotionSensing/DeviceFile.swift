// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionMath

/// A kind of file about one device: JSON of a few kilobytes that begins with the name of its format and a version, read
/// and written whole.
///
/// Such a file may have been edited by hand, or be something else under its name. So its size is limited before it is
/// read, and what is wrong with it is said in one sentence, with the path and what to do.
package struct DeviceFile {
  /// The member `format`.
  package var format: String
  /// The member `version`.
  package var version = 1
  /// Bytes.
  package var largestSize: Int
  /// Begins the sentences: "The calibration".
  package var subject: String
  /// What to do with a file that is damaged or something else; empty = nothing.
  package var remedy: String
  /// What to do when it cannot be read; empty = nothing.
  package var whenUnreadable = ""
  /// What to do when it cannot be written; empty = nothing.
  package var whenUnwritable = ""

  /// A kind of file; the sentences that are left out are empty.
  package init(
    format: String, largestSize: Int, subject: String, remedy: String, whenUnreadable: String = "",
    whenUnwritable: String = ""
  ) {
    (self.format, self.largestSize, self.subject, self.remedy) = (format, largestSize, subject, remedy)
    (self.whenUnreadable, self.whenUnwritable) = (whenUnreadable, whenUnwritable)
  }

  private struct Header: Decodable {
    var format: String
    var version: Int
  }

  /// The content of a file; nil when there is none.
  ///
  /// Throws `.notPermitted`, `.limitExceeded`, `.unsupported` or `.malformed`, with the path and what to do.
  package func read<Content: Decodable>(_ type: Content.Type, at path: String) throws(SensorError) -> Content? {
    guard let data = try data(at: path) else { return nil }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let header = try? decoder.decode(Header.self, from: data), header.format == format else {
      throw malformed("This is not a file of the format “\(format)”.", at: path)
    }
    guard header.version == version else {
      throw SensorError(
        .unsupported,
        sentence("\(subject) has version \(header.version); this program reads version \(version).", remedy),
        at: .init(file: path))
    }
    do {
      return try decoder.decode(Content.self, from: data)
    } catch let DecodingError.keyNotFound(key, context) {
      throw malformed("“\(Self.member(context.codingPath + [key]))” is missing.", at: path)
    } catch let DecodingError.typeMismatch(_, context), let DecodingError.valueNotFound(_, context),
      let DecodingError.dataCorrupted(context)
    {
      throw malformed("“\(Self.member(context.codingPath))” is not of its kind.", at: path)
    } catch {
      throw malformed("\(subject) cannot be understood.", at: path)
    }
  }

  /// The bytes of a file: a member a line, in alphabetical order, dates in ISO 8601; the same for the same numbers.
  package func encoded(_ content: some Encodable) throws(SensorError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    do {
      return try encoder.encode(content) + [UInt8(ascii: "\n")]
    } catch {
      throw SensorError(.invalidRequest, "\(subject) contains a number that is not finite: it is not written.")
    }
  }

  /// Writes the file whole or not at all, and makes the folders that it lies in.
  package func write(_ content: some Encodable, to path: String) throws(SensorError) {
    let data = try encoded(content)
    let url = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url, options: .atomic)
    } catch {
      throw SensorError(
        .notPermitted, sentence("\(subject) cannot be written: \(error.localizedDescription)", whenUnwritable),
        at: .init(file: path))
    }
  }

  /// An error about the content of a file.
  package func malformed(_ reason: String, at path: String) -> SensorError {
    SensorError(.malformed, sentence(reason, remedy), at: .init(file: path))
  }

  private func data(at path: String) throws(SensorError) -> Data? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let data: Data
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      data = try handle.read(upToCount: largestSize + 1) ?? Data()
    } catch {
      throw SensorError(
        .notPermitted, sentence("\(subject) cannot be read: \(error.localizedDescription)", whenUnreadable),
        at: .init(file: path))
    }
    guard data.count <= largestSize else {
      throw SensorError(
        .limitExceeded, sentence("\(subject) is larger than \(largestSize) bytes: the file is something else.", remedy),
        at: .init(file: path))
    }
    return data
  }

  private func sentence(_ first: String, _ second: String) -> String { second.isEmpty ? first : "\(first) \(second)" }

  /// "gyroscope.offset[2]".
  private static func member(_ path: [any CodingKey]) -> String {
    path.reduce("") { text, key in
      key.intValue.map { "\(text)[\($0)]" } ?? (text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)")
    }
  }
}

extension DeviceFile {
  /// The name of a file, made from what distinguishes the device from others.
  ///
  /// What a file name cannot hold is written as %XX; a name too long for a file system ends in a hash of the whole.
  package static func name(for identity: String) -> String {
    let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
    var name = identity.addingPercentEncoding(withAllowedCharacters: plain) ?? hash(identity)
    // File systems allow 255 bytes.
    if name.utf8.count > 180 { name = "\(name.prefix(180))-\(hash(identity))" }
    return name + ".json"
  }

  /// FNV-1a, 64 bits (Fowler, Noll, Vo; RFC 9923), in hexadecimal digits.
  package static func hash(_ text: String) -> String {
    let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}

// Vectors and matrices are lists of numbers in these files, matrices row by row.

extension Vector3 {
  package init?(list: [Double]) {
    guard list.count == 3 else { return nil }
    self.init(x: list[0], y: list[1], z: list[2])
  }

  package var list: [Double] { [x, y, z] }
}

extension Matrix3 {
  package init?(list m: [Double]) {
    guard m.count == 9 else { return nil }
    self.init(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
  }

  package var list: [Double] { [m11, m12, m13, m21, m22, m23, m31, m32, m33] }

  /// Within 1 %, which leaves room for printed digits.
  var isOrthogonal: Bool { (self * transpose - .identity).list.allSatisfy { abs($0) < 0.01 } }
}
