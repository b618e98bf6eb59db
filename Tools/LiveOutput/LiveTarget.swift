// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork

/// A program that motion is shown in live: `foxglove[:PORT]`, `dsu[:PORT]`, `opentrack[@HOST[:PORT]]`,
/// `osc:MESSAGE[@HOST[:PORT]]`.
package struct LiveTarget: Hashable, Sendable {
  /// The programs, each with the server or sender that ``open(foxglove:)`` makes for it.
  enum Program: Hashable, Sendable {
    /// A server that clients connect to.
    case foxglove
    /// A server that emulators of game consoles ask for motion.
    case dsu
    /// Its input “UDP over network”.
    case opentrack
    /// A program that renders sound around a head.
    case osc(OSCTemplate)
  }

  /// The forms, for help.
  package static let forms = ["foxglove[:PORT]", "dsu[:PORT]", "opentrack[@HOST[:PORT]]", "osc:MESSAGE[@HOST[:PORT]]"]

  let program: Program
  /// Where it is sent; of servers nothing.
  let host: String?
  /// Nil = the program's usual one.
  let port: UInt16?

  package init?(argument: String) {
    var text = Substring(argument)
    var place: (host: String?, port: UInt16?)?
    if let at = text.lastIndex(of: "@") {
      place = Self.place(text[text.index(after: at)...])
      guard place != nil else { return nil }
      text = text[..<at]
    }
    while text.last == " " { text.removeLast() }
    let name = text.prefix { $0 != ":" }.lowercased()
    let rest = text.dropFirst(name.count).dropFirst()
    switch name {
    case "foxglove", "dsu":
      guard place == nil, rest.isEmpty == !text.contains(":"), rest.isEmpty || UInt16(rest) != nil else { return nil }
      (program, host, port) = (name == "dsu" ? .dsu : .foxglove, nil, UInt16(rest))
    case "opentrack" where rest.isEmpty: (program, host, port) = (.opentrack, place?.host, place?.port)
    case "osc":
      guard let target = OSCTemplate(String(rest)) else { return nil }
      (program, host, port) = (.osc(target), place?.host, place?.port)
    default: return nil
    }
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

  /// Whether other programs connect to it by ``FoxgloveServer``.
  package var isFoxglove: Bool { program == .foxglove }

  /// "Foxglove", for the summary.
  package var name: String {
    switch program {
    case .foxglove: "Foxglove"
    case .dsu: "DSU"
    case .opentrack: "opentrack"
    case .osc: "OSC"
    }
  }

  /// The port where it listens, or such a program does.
  package var usedPort: UInt16 {
    switch program {
    case .foxglove: port ?? FoxgloveServer.defaultPort
    case .dsu: port ?? DSUServer.defaultPort
    case .opentrack: port ?? 4242
    case .osc(let target): port ?? target.port
    }
  }

  /// The output, opened; `foxglove` makes that server for a port, because it needs to know the topics.
  package func open(foxglove: (UInt16) throws -> FoxgloveServer) throws -> any LiveOutput {
    let address = ListeningAddress(host: host ?? "127.0.0.1", port: usedPort)
    return switch program {
    case .foxglove: try foxglove(usedPort)
    case .dsu: try DSUServer(port: usedPort)
    case .opentrack: try HeadOutput(address) { OpentrackPacket.bytes(of: $0) }
    case .osc(let target): try HeadOutput(address) { target.message(of: $0).bytes }
    }
  }
}
