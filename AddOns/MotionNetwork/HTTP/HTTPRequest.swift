// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A complete request of a client, as a ``WebHandler`` sees it.
package struct HTTPRequest: Sendable {
  /// GET, HEAD, POST or OPTIONS.
  package var method: String
  /// The address without its query and without the token: "/data".
  package var path: String
  /// The address's query; a name that comes twice has its last value.
  package var query: [String: String]
  /// All lines before the body.
  package var head: HTTPRequestHead
  package var body: [UInt8] = []
  /// The client's numeric address.
  package var peer: String

  init(_ head: HTTPRequestHead, target: Substring, peer: String) {
    (self.head, self.peer, method) = (head, peer, head.method)
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0])
    query = [:]
    for part in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query[Self.decoded(pair[0])] = pair.count > 1 ? Self.decoded(pair[1]) : ""
    }
  }

  private static func decoded(_ text: Substring) -> String {
    text.replacing("+", with: " ").removingPercentEncoding ?? String(text)
  }
}

/// The first lines of an HTTP/1.1 request: its method and its fields. Source: RFC 9112, 2–5.
package struct HTTPRequestHead: Sendable {
  package let method: String
  package let target: String
  package let version: String
  /// Names in lower case, in the order in which they came.
  private let fields: [(name: String, value: String)]

  /// The head without the empty line behind it; nil when it is none.
  init?(_ bytes: some Collection<UInt8>) {
    guard Self.isWhole(bytes), let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    let request = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard request.count == 3, request.allSatisfy({ !$0.isEmpty }) else { return nil }
    (method, target, version) = (String(request[0]), String(request[1]), String(request[2]))
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return nil }
    var fields: [(String, String)] = []
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      // A name with a blank behind it, or a line that goes on, is how requests are smuggled.
      guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(where: { $0 == " " || $0 == "\t" }) else {
        return nil
      }
      fields.append((parts[0].lowercased(), Self.trimmed(parts[1])))
    }
    self.fields = fields
  }

  /// Whether each CR stands before an LF and each LF behind a CR, and no other control character but the tab is there:
  /// a server behind or before this one might see the end of a line in it.
  private static func isWhole(_ bytes: some Collection<UInt8>) -> Bool {
    var last: UInt8 = 0
    for byte in bytes {
      guard (last == 13) == (byte == 10), byte >= 0x20 && byte != 0x7F || byte == 9 || byte == 10 || byte == 13 else {
        return false
      }
      last = byte
    }
    return last != 13
  }

  /// A number of digits and nothing else: no sign, no blank. One that is too large is the largest.
  static func number(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int(text) ?? .max
  }

  package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// The value of a field that may come once; nil when it is absent or repeated.
  package func value(_ name: String) -> String? {
    let all = values(name)
    return all.count == 1 ? all[0] : nil
  }

  /// The members of a list, over all fields of the name.
  package func list(_ name: String) -> [String] {
    values(name).flatMap { $0.split(separator: ",") }.map { Self.trimmed($0) }.filter { !$0.isEmpty }
  }

  private static func trimmed(_ text: Substring) -> String {
    text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
  }
}
