// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// One request to a small server on a phone, over a connection of its own.
package enum HTTPClient {
  /// Bytes of an answer.
  private static let largest = 8 << 20

  /// The body of a GET; throws a sentence when nothing answers or the answer is not 200, and
  /// ``ClientConnection/Interruption/woken`` at a signal.
  package static func get(
    host: String, port: UInt16, target: String, wake: WakeSignal, limit: SensorDuration = .seconds(5)
  ) throws -> [UInt8] {
    let place = SensorError.Place(file: "http://\(host):\(port)\(target.prefix { $0 != "?" })")
    let connection = try ClientConnection(host: host, port: port, wake: wake, limit: limit)
    let authority = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    try connection.send(Array("GET \(target) HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n\r\n".utf8))
    var answer: [UInt8] = []
    do {
      while !isComplete(answer) {
        let bytes = try connection.receive(limit: limit)
        if bytes.isEmpty { break }
        answer += bytes
        guard answer.count <= Self.largest else {
          throw SensorError(.limitExceeded, "The answer is longer than \(Self.largest >> 20) MiB.", at: place)
        }
      }
    } catch ClientConnection.Interruption.tooLate {
      throw SensorError(.disconnected, "The phone does not answer.", at: place)
    }
    guard let (head, body) = parts(answer) else {
      throw SensorError(.malformed, "This is no HTTP answer.", at: place)
    }
    guard head.first?.split(separator: " ").dropFirst().first == "200" else {
      throw SensorError(.malformed, "The phone answers “\(head.first ?? "")”.", at: place)
    }
    guard head.contains(where: { $0.lowercased() == "transfer-encoding: chunked" }) else { return Array(body) }
    guard let whole = unchunked(body) else { throw SensorError(.malformed, "The answer is cut off.", at: place) }
    return whole
  }

  private static func parts(_ answer: [UInt8]) -> (head: [Substring], body: ArraySlice<UInt8>)? {
    guard let end = answer.firstRange(of: [13, 10, 13, 10]) else { return nil }
    return (
      String(decoding: answer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n"), answer[end.upperBound...]
    )
  }

  /// Where the server states a length, its end is not waited for.
  private static func isComplete(_ answer: [UInt8]) -> Bool {
    guard let (head, body) = parts(answer),
      let field = head.first(where: { $0.lowercased().hasPrefix("content-length:") }),
      let length = Int(field.dropFirst(15).filter { $0 != " " })
    else { return false }
    return body.count >= length
  }

  /// Source: RFC 9112, 7.1.
  static func unchunked(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var rest = bytes
    var whole: [UInt8] = []
    while let line = rest.firstRange(of: [13, 10]) {
      let size = String(decoding: rest[..<line.lowerBound].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
      guard let count = Int(size, radix: 16), count >= 0, count <= rest.endIndex - line.upperBound else { return nil }
      if count == 0 { return whole }
      whole += rest[line.upperBound..<(line.upperBound + count)]
      rest = rest[(line.upperBound + count)...].dropFirst(2)
    }
    return nil
  }
}
