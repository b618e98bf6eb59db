// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import PhoneFormats

/// The caps on everything that a file declares or holds, in one place (Documentation/Formats.md 1.1).
///
/// Input is not trusted: a length is compared with its cap and with the bytes that are left before
/// memory is reserved, so that no input makes a reader use much memory or run without end.
enum InputLimits {
  /// Bytes of one line of text.
  static let lineBytes = 1 << 20
  /// Columns of one table.
  static let columns = 4096
  /// Bytes of the name of a column or a zip entry.
  static let nameBytes = 1024
  /// Entries of one zip, and files of one folder.
  static let entries = 4096
  /// Bytes of a zip's central directory: 4096 entries with names and extra fields of ordinary length.
  static let zipDirectoryBytes = 8 << 20
  /// Bytes of the first lines of tables that are looked at to recognise a format, in all folders of a zip together.
  static let headerBytes = 2 << 20
  /// Decompressed bytes per compressed byte, beyond ``freeInflatedBytes``.
  static let inflationRatio: Int64 = 200
  /// Decompressed bytes before the ratio is looked at: short files of zeros are legal.
  static let freeInflatedBytes: Int64 = 1 << 20
  /// Decompressed bytes of one gzip file or zip entry.
  static let inflatedBytes: Int64 = 16 << 30
  /// Magnitude of a number: no unit makes a measurement larger, and sums and products of a few stay finite.
  static let magnitude = 1e100
  /// Rows that are judged: where none of the first is good the file is no table of this kind, however long it is.
  static let judgedRows = 50
  /// Bad rows among good ones after which a look at the beginning ends.
  static let problemsWhileProbing = 1000
  /// Nanoseconds, either side of a clock's origin: 126 years, which leaves room for sums.
  static let nanoseconds = DecimalNumber.mostNanoseconds
  /// Bytes of any other string.
  static let stringBytes = JSONScanner.longestString

  /// Bytes of one MCAP record, or of a chunk as stored.
  static let recordBytes = 64 << 20
  /// Bytes of a chunk decompressed.
  static let chunkBytes = 256 << 20
  /// Chunks that are held open at once, because their times overlap.
  static let openChunks = 1024
  /// Different schemas of one MCAP file.
  static let schemas = 1024
  /// Different channels of one MCAP file; the same for its metadata records and its attachments.
  static let channels = 4096
  /// Bytes of a schema.
  static let schemaBytes = 1 << 20
  /// Bytes of an attachment that is read.
  static let attachmentBytes = 64 << 20
  /// Entries of a map or an array.
  static let mapEntries = 65_536
}

extension InputLimits {
  /// Refuses a length that something declares, "A chunk", and that is beyond its cap.
  static func check(
    _ what: @autoclosure () -> String, bytes: some BinaryInteger, limit: Int,
    at place: @autoclosure () -> SensorError.Place
  ) throws(SensorError) {
    guard bytes <= limit else {
      throw SensorError(
        .limitExceeded, "\(what()) declares \(bytes) bytes; the limit is \(limit).", at: place())
    }
  }

  /// Refuses one more of what there may be `limit` of: "The file has", "topics".
  static func checkRoom(
    _ holder: @autoclosure () -> String, _ what: String, count: Int, limit: Int,
    at place: @autoclosure () -> SensorError.Place
  ) throws(SensorError) {
    guard count < limit else {
      throw SensorError(.limitExceeded, "\(holder()) more than \(limit) \(what), the limit.", at: place())
    }
  }
}
