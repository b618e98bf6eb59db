// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MotionNetwork

/// QR codes: the standard's own examples, and codes that an independent decoder (zxing-cpp 2) has read.
struct QRCodeTests {
  /// Source: ISO/IEC 18004:2015, annex C.
  @Test func formatBitsAreThoseOfTheStandard() {
    #expect(QRCode.formatBits(.medium, mask: 0) == 0b101010000010010)
    #expect(QRCode.formatBits(.medium, mask: 5) == 0b100000011001110)
    #expect(QRCode.formatBits(.low, mask: 0) == 0b111011111000100)
    #expect(QRCode.formatBits(.low, mask: 7) == 0b110100101110110)
  }

  /// The codewords of “HELLO WORLD” in version 1-M, alphanumeric mode.
  @Test func errorCorrectionIsReedSolomon() {
    let data: [UInt8] = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
    #expect(ReedSolomon.remainder(of: data, degree: 10) == [196, 35, 39, 119, 235, 215, 231, 226, 93, 23])
  }

  @Test func theSmallestVersionIsTakenAndTheLimitIsKept() {
    #expect(QRCode("x")?.version == 1 && QRCode("x")?.level == .medium)
    #expect(QRCode(String(repeating: "x", count: 17))?.level == .low)
    #expect(QRCode(String(repeating: "x", count: 271))?.version == 10)
    #expect(QRCode(String(repeating: "x", count: 272)) == nil)
    // 17 bytes of UTF-8.
    #expect(QRCode("ä" + String(repeating: "x", count: 15))?.version == 1)
  }

  @Test func thePathFillsTheDarkModulesAndNoOthers() throws {
    let code = try #require(QRCode("http://127.0.0.1:8000/"))
    var dark: Set<[Int]> = []
    for match in code.svgPath.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
      let (column, row, run) = (try #require(Int(match.1)), try #require(Int(match.2)), try #require(Int(match.3)))
      #expect(match.3 == match.4)
      for offset in 0..<run { #expect(dark.insert([row, column + offset]).inserted) }
    }
    for row in 0..<code.size {
      for column in 0..<code.size { #expect(dark.contains([row, column]) == code.isDark(row: row, column: column)) }
    }
  }

  @Test func theTerminalShowsEveryModuleAndAQuietZone() throws {
    let code = try #require(QRCode("http://127.0.0.1:8000/"))
    for hasColors in [true, false] {
      let lines = code.terminalText(hasColors: hasColors).split(separator: "\n").map { line in
        line.filter { "█▀▄ ".contains($0) }
      }
      #expect(lines.count == (code.size + 9) / 2 && lines.allSatisfy { $0.count == code.size + 8 })
      for row in 0..<code.size {
        let line = Array(lines[(row + 4) / 2])
        for column in 0..<code.size {
          let isDrawn = (row + 4) % 2 == 0 ? "█▀".contains(line[column + 4]) : "█▄".contains(line[column + 4])
          #expect(isDrawn == (code.isDark(row: row, column: column) == hasColors))
        }
      }
    }
  }

  /// Every version, level and mask, written to the folder `OPENCOREMOTION_QR` as PGM, for a decoder outside
  /// (Tests/NetworkSourcesTests/decode-qr.py); without it, their sum is compared with that of the codes that were
  /// decoded.
  @Test func everyVersionLevelAndMaskIsThatWhichWasDecoded() throws {
    let folder = ProcessInfo.processInfo.environment["OPENCOREMOTION_QR"]
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for version in 1...10 {
      for level in [QRCode.Level.low, .medium] {
        let length = (QRCapacity(version, level).dataCodewords * 8 - 4 - QRCapacity(version, level).lengthBits) / 8
        let text = String(String(repeating: "http://192.168.1.5:8000/äöü?", count: 20).prefix(length - 3 - version))
        for mask in 0..<8 {
          let bytes = Array(Array(text.utf8).prefix(length - 12)) + Array("v\(version)l\(level.rawValue)m\(mask)".utf8)
          let code = try #require(QRCode(bytes, version: version, level: level, mask: mask))
          for row in 0..<code.size {
            for column in 0..<code.size {
              sum = (sum ^ (code.isDark(row: row, column: column) ? 1 : 0)) &* 0x100_0000_01B3
            }
          }
          if let folder { try Self.write(code, bytes, to: "\(folder)/\(version)-\(level)-\(mask)") }
        }
      }
    }
    #expect(sum == 17_356_519_589_038_576_881)
  }

  private static func write(_ code: QRCode, _ text: [UInt8], to path: String) throws {
    let (scale, side) = (4, (code.size + 8) * 4)
    var image = Array("P5 \(side) \(side) 255\n".utf8)
    for y in 0..<side {
      for x in 0..<side { image.append(code.isDark(row: y / scale - 4, column: x / scale - 4) ? 0 : 255) }
    }
    try Data(image).write(to: URL(fileURLWithPath: path + ".pgm"))
    try Data(text).write(to: URL(fileURLWithPath: path + ".txt"))
  }
}
