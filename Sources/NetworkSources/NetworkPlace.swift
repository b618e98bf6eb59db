// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// A host and a port as a person writes them: `192.168.1.23:8080`, `[fe80::1]:8080`, `phone.local`.
struct NetworkPlace: Sendable, Hashable {
  var host: String
  var port: UInt16

  /// Of a source that takes no options: an error names one that is given.
  init(_ text: String, port standard: UInt16, of source: String, options: [String: String]) throws(SensorError) {
    if let option = options.keys.min() {
      throw SensorError(.invalidRequest, "“\(option)” is not an option of \(source); it has none.")
    }
    try self.init(text, port: standard)
  }

  /// `standard` is the port where none is written.
  init(_ text: String, port standard: UInt16) throws(SensorError) {
    let host: Substring
    let port: Substring
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      port = text[end...].dropFirst()
    } else {
      host = text.prefix { $0 != ":" }
      port = text.dropFirst(host.count)
    }
    let isName = !host.isEmpty && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_:%".contains($0)) }
    guard isName, port.isEmpty || (port.hasPrefix(":") && UInt16(port.dropFirst()) ?? 0 > 0) else {
      throw SensorError(
        .invalidRequest,
        "“\(text)” is not an address in the network: write HOST or HOST:PORT, such as 192.168.1.23:8080.")
    }
    self.host = String(host)
    self.port = UInt16(port.dropFirst()) ?? standard
  }
}
