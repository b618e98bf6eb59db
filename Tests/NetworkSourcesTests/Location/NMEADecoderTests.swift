// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
import PhoneFormats
import Testing

@testable import MotionNetwork
@testable import NetworkSources

/// A sentence with its checksum.
func sentence(_ text: String) -> String {
  let digits = String(text.utf8.reduce(0, ^), radix: 16, uppercase: true)
  return "$\(text)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
}

/// Positions out of NMEA sentences.
@Suite struct NMEADecoderTests {
  private static let rmc = "GPRMC,123519.50,A,4807.038,N,01131.000,W,022.4,084.4,230394,003.1,W"
  private static let gga = "GPGGA,123519.50,4807.038,N,01131.000,W,1,08,0.9,545.4,M,46.9,M,,"

  private func fixes(_ texts: [String]) -> (fixes: [PositionFix], rejected: Int) {
    var decoder = NMEADecoder()
    var fixes = texts.compactMap { decoder.decode($0) }
    if let last = decoder.finish() { fixes.append(last) }
    return (fixes, decoder.rejected)
  }

  @Test func bothOrdersOfAFixGiveTheSame() throws {
    let (first, rejected) = fixes([Self.rmc, Self.gga].map(sentence))
    #expect(first == fixes([Self.gga, Self.rmc].map(sentence)).fixes && first.count == 1 && rejected == 0)
    let fix = try #require(first.first)
    // 2094-03-23 12:35:19.5: two digits of a year are of this century.
    #expect(fix.time.nanoseconds == 3_920_186_119_500_000_000)
    #expect(abs(fix.latitude * 180 / .pi - (48 + 7.038 / 60)) < 1e-12)
    #expect(abs(fix.longitude * 180 / .pi + (11 + 31.0 / 60)) < 1e-12)
    #expect(abs((fix.speed ?? 0) - 22.4 * 1852 / 3600) < 1e-12 && fix.height == 592.3)
    #expect(fix.horizontalDeviation == 4.5 && fix.verticalDeviation == 6.75)
  }

  /// The receiver's own deviations are better than those that follow from the geometry.
  @Test func theReceiversDeviationsCountWhereItStatesThem() {
    let texts = ["GPGST,123519.50,1.2,2.0,1.0,45.0,0.3,0.4,0.9", Self.gga, Self.rmc].map(sentence)
    let fix = fixes(texts).fixes.first
    #expect(fix?.horizontalDeviation == 0.5 && fix?.verticalDeviation == 0.9)
  }

  @Test func aFixWithoutHeightComesWithTheNextSecond() {
    let later = Self.rmc.replacing("123519.50", with: "123520.50")
    let (found, _) = fixes([Self.rmc, later].map(sentence))
    #expect(found.count == 2 && found.allSatisfy { $0.height == nil && $0.horizontalDeviation == nil })
  }

  @Test func damageAndAbsenceGiveNoFix() {
    let good = sentence(Self.rmc)
    // A changed digit, a cut line, no checksum; a receiver that has no position yet; what is no sentence at all.
    #expect(fixes([good.replacing("4807", with: "4808")]).rejected == 1)
    #expect(fixes([String(good.prefix(30)), "$GPRMC,1,2\r\n"]) == ([], 2))
    #expect(fixes([sentence(Self.rmc.replacing(",A,", with: ",V,")), "{\"class\":\"VERSION\"}", ""]) == ([], 0))
    // Numbers that are none, and places that do not exist, in sentences whose checksum is right.
    for wrong in ["9907.038", "4861.000", "48", "", "nan", "-4807.0"] {
      #expect(fixes([sentence(Self.rmc.replacing("4807.038", with: wrong))]) == ([], 1))
    }
    for wrong in ["253519", "12351", "123599", "aabbcc", ""] {
      #expect(fixes([sentence(Self.rmc.replacing("123519.50", with: wrong))]) == ([], 1))
    }
  }

  /// gpsd's greeting, sentences in pieces, and the end of the connection.
  @Test func gpsdIsAskedForSentencesAndItsEndIsAnError() throws {
    let (listener, port) = try Socket.listen(ListeningAddress(port: 0))
    defer { close(listener) }
    let wake = WakeSignal()
    let asked = Lock("")
    let server = Thread {
      var isExhausted = false
      var descriptor: Int32?
      while descriptor == nil { descriptor = Socket.accept(listener, isExhausted: &isExhausted) }
      guard let descriptor else { return }
      let text = Array((#"{"class":"VERSION"}"# + "\r\n" + sentence(Self.gga) + sentence(Self.rmc)).utf8)
      var buffer = [UInt8](repeating: 0, count: 256)
      while asked.withLock({ $0.isEmpty }) {
        if case .done(let count) = Socket.receive(descriptor, into: &buffer) {
          asked.withLock { $0 = String(decoding: buffer[..<count], as: UTF8.self) }
        }
      }
      for start in stride(from: 0, to: text.count, by: 50) {
        _ = Socket.send(descriptor, text[start..<min(start + 50, text.count)])
      }
      close(descriptor)
    }
    server.start()
    var found: [PositionFix] = []
    let error = #expect(throws: SensorError.self) {
      try GPSDClient.run(host: "127.0.0.1", port: port, wake: wake) { found.append($0) }
    }
    #expect(error?.code == .disconnected && found.count == 1 && asked.withLock { $0.contains("\"nmea\":true") })
  }

  @Test func aGpsdThatIsNotThereIsNamed() {
    let error = #expect(throws: SensorError.self) {
      try GPSDClient.run(host: "127.0.0.1", port: 1, wake: WakeSignal()) { _ in }
    }
    #expect(error?.code == .notFound && error?.description.contains("gpsd") == true)
  }
}
