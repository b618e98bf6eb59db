// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// What `meta/device.csv` and `meta/time.csv` of a phyphox export say.
struct PhyphoxMetadata {
  /// Nil: unknown.
  private(set) var isApple: Bool?
  /// The experiment's clock on the Unix time line; empty: unknown.
  private(set) var pieces: [TableLayout.Piece] = []

  /// m/s² of specific force per unit: the app multiplies an iPhone's g by −9.81.
  var accelerationUnit: AccelerationUnit { isApple == true ? .roundedMetresPerSecondSquared : .metresPerSecondSquared }

  init(_ files: RecordingFiles) throws(SensorError) {
    for row in try Self.rows("device.csv", files) where row.count > 1 && row[0] == "deviceBrand" {
      isApple = row[1].lowercased() == "apple"
    }
    for row in try Self.rows("time.csv", files) where row.count > 2 && row[0] == "START" {
      // Unix time of a row = system time of the last START before it + (t − its experiment time).
      guard let start = DecimalNumber.nanoseconds(row[1]), let system = DecimalNumber.nanoseconds(row[2]) else {
        continue
      }
      pieces.append(.init(start: start, shift: system - start))
    }
    pieces.sort { $0.start < $1.start }
    guard pieces.count <= InputLimits.entries else {
      throw SensorError(
        .limitExceeded, "The experiment was started more than \(InputLimits.entries) times, which none is.",
        at: .init(file: files.path))
    }
  }

  private static func rows(_ name: String, _ files: RecordingFiles) throws(SensorError) -> [[String]] {
    guard let member = files.members.first(where: { $0.plainName == name && ("/" + $0.folder).hasSuffix("/meta") })
    else { return [] }
    return try files.firstLines(of: member, count: 4 * InputLimits.entries).map { line in
      let bytes = Array(line.utf8)
      let separator: UInt8 = [0x09, 0x3B].first { bytes.contains($0) } ?? 0x2C
      return TableHeader.fields(of: bytes, separator: separator)
    }
  }
}
