// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Where poses go: what stands behind `--to`.
///
/// `opentrack`, `freepie`, `osc:TARGET` or `osc:/ADDRESS token…`, each with an optional `@HOST`, `@HOST:PORT` or `@:PORT`; and
/// `ndjson`, which goes to standard output.
struct HeadOutput: ExpressibleByArgument, Hashable, Sendable {
  /// The form of a datagram.
  enum Format: Hashable, Sendable {
    case opentrack, freePIE
    case osc(OSCTarget)
    case ndjson
  }

  /// As the person wrote it.
  let name: String
  let format: Format
  /// Nil = that of `--host`.
  let host: String?
  /// Nil = that of `--port`, or the format's own.
  let port: UInt16?

  init?(argument: String) {
    name = argument
    var text = Substring(argument)
    var (host, port): (String?, UInt16?)
    if let at = text.lastIndex(of: "@") {
      guard let place = Self.place(text[text.index(after: at)...]) else { return nil }
      (host, port) = place
      text = text[..<at]
    }
    while text.last == " " { text.removeLast() }
    switch text.lowercased() {
    case "opentrack": format = .opentrack
    case "freepie": format = .freePIE
    case "ndjson":
      guard host == nil, port == nil else { return nil }
      format = .ndjson
    case let other where other.hasPrefix("osc:"):
      guard let target = OSCTarget(String(text.dropFirst(4))) else { return nil }
      format = .osc(target)
    default: return nil
    }
    (self.host, self.port) = (host, port)
  }

  /// `HOST`, `HOST:PORT`, `:PORT`, and an address of IPv6 in brackets.
  private static func place(_ text: Substring) -> (String?, UInt16?)? {
    guard let match = text.wholeMatch(of: /(\[[0-9A-Fa-f:.%a-z]+\]|[A-Za-z0-9._-]*)(?::([0-9]{1,5}))?/) else {
      return nil
    }
    var host = match.1
    if host.hasPrefix("[") { host = host.dropFirst().dropLast() }
    var port: UInt16?
    if let digits = match.2 {
      guard let number = UInt16(digits), number > 0 else { return nil }
      port = number
    }
    guard !host.isEmpty || port != nil else { return nil }
    return (host.isEmpty ? nil : String(host), port)
  }

  /// Whether it is sent over the network.
  var isNetwork: Bool { format != .ndjson }

  /// The port where such a program listens; 0 for what is not sent.
  var usualPort: UInt16 {
    switch format {
    case .opentrack: 4242
    case .freePIE: 5555
    case .osc(let target): target.port
    case .ndjson: 0
    }
  }

  /// The datagram of a pose; empty for what is not sent.
  func packet(of pose: HeadPose) -> [UInt8] {
    switch format {
    case .opentrack: OpentrackPacket.bytes(of: pose)
    case .freePIE: FreePIEPacket.bytes(of: pose)
    case .osc(let target): target.message(of: pose).bytes
    case .ndjson: []
    }
  }
}
