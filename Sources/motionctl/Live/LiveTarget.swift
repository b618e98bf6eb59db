// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LiveOutput

/// Where `stream --to` sends: `foxglove[:PORT]`, `plotjuggler[:HOST:PORT]`, `dsu[:PORT]`.
enum LiveTarget: ExpressibleByArgument, Equatable {
  /// A server that clients connect to; 0 = the system chooses the port.
  case foxglove(port: UInt16)
  /// A receiver of datagrams.
  case plotJuggler(ListeningAddress)

  /// A server that emulators of game consoles ask for motion.
  case dsu(port: UInt16)

  init?(argument: String) {
    let name = argument.prefix { $0 != ":" }.lowercased()
    let rest = argument.dropFirst(name.count).dropFirst()
    switch name {
    case "foxglove":
      guard let port = rest.isEmpty ? FoxgloveServer.defaultPort : UInt16(rest) else { return nil }
      self = .foxglove(port: port)
    case "plotjuggler":
      guard let address = Self.address(rest) else { return nil }
      self = .plotJuggler(address)
    case "dsu":
      guard let port = rest.isEmpty ? DSUServer.defaultPort : UInt16(rest) else { return nil }
      self = .dsu(port: port)
    default: return nil
    }
  }

  static var allValueStrings: [String] { ["foxglove[:PORT]", "plotjuggler[:HOST:PORT]", "dsu[:PORT]"] }

  /// Nothing, a port, a host or both; an IPv6 address stands in brackets.
  private static func address(_ text: Substring) -> ListeningAddress? {
    var address = ListeningAddress(port: PlotJugglerOutput.defaultPort)
    guard !text.isEmpty else { return address }
    if let port = UInt16(text) {
      address.port = port
    } else if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      address.host = String(text[text.index(after: text.startIndex)..<end])
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      guard let port = rest.isEmpty ? address.port : UInt16(rest.dropFirst()) else { return nil }
      address.port = port
    } else {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2, !parts[0].isEmpty else { return nil }
      guard let port = parts.count == 1 ? address.port : UInt16(parts[1]) else { return nil }
      (address.host, address.port) = (String(parts[0]), port)
    }
    return address.port == 0 ? nil : address
  }
}

/// Options of a stream that is shown elsewhere.
struct LiveOptions: ParsableArguments {
  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      "Show all topics live in another program: foxglove[:PORT] (default 8765), plotjuggler[:HOST:PORT] (UDP, default 127.0.0.1:9870), dsu[:PORT] (motion for emulators, default 26760). May be given more than once.",
      valueName: "program"))
  var targets: [LiveTarget] = []

  @Option(
    help: ArgumentHelp(
      "Let programs of other computers connect to the Foxglove server, at this address of this one; 0.0.0.0 = all. Default: 127.0.0.1.",
      valueName: "address"))
  var listen: String?

  @Option(
    name: .customLong("allow-origin"),
    help: ArgumentHelp(
      "Let pages of this web site connect, such as https://viewer.example.org. May be given more than once.",
      valueName: "origin"))
  var allowedOrigins: [String] = []

  func validate() throws {
    let serves = targets.contains { if case .foxglove = $0 { true } else { false } }
    if listen != nil, !serves { throw ValidationError("--listen is for --to foxglove.") }
    if !allowedOrigins.isEmpty, !serves { throw ValidationError("--allow-origin is for --to foxglove.") }
  }
}
