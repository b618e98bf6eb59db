// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CZlib

/// Writes pixels as PNG (ISO/IEC 15948): 8 bits per channel, red, green, blue.
enum PNGEncoder {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func encode(_ raster: Raster) throws -> [UInt8] {
    var header: [UInt8] = []
    append(UInt32(raster.width), to: &header)
    append(UInt32(raster.height), to: &header)
    // Depth 8, colour type 2 (RGB), deflate, adaptive filters, not interlaced.
    header += [8, 2, 0, 0, 0]
    var file = signature
    append("IHDR", header, to: &file)
    append("IDAT", try compressed(rows(of: raster)), to: &file)
    append("IEND", [], to: &file)
    return file
  }

  /// Every row behind its filter type: 2, the difference to the row above, which is mostly zeros in a chart.
  private static func rows(of raster: Raster) -> [UInt8] {
    let length = raster.width * 3
    let pixels = raster.pixels
    var rows: [UInt8] = []
    rows.reserveCapacity((length + 1) * raster.height)
    for row in 0..<raster.height {
      rows.append(2)
      for index in row * length..<(row + 1) * length {
        rows.append(pixels[index] &- (row > 0 ? pixels[index - length] : 0))
      }
    }
    return rows
  }

  private static func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
    var length = compressBound(uLong(bytes.count))
    var result = [UInt8](repeating: 0, count: Int(length))
    guard compress2(&result, &length, bytes, uLong(bytes.count), 6) == Z_OK else {
      throw CommandFailure("The picture could not be compressed: there is not enough memory.")
    }
    result.removeLast(result.count - Int(length))
    return result
  }

  /// Length, type, data, CRC-32 of type and data.
  private static func append(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
    append(UInt32(data.count), to: &file)
    let body = Array(type.utf8) + data
    file += body
    append(UInt32(truncatingIfNeeded: crc32(0, body, uInt(body.count))), to: &file)
  }

  private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}
