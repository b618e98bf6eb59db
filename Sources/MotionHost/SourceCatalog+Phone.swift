// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing
import MotionServices
import NetworkSources

/// Phones that send their sensors over the network.
extension SourceCatalog {
  /// Opens a source of the kind `phone`; a bare `phone:` is `phone:sensorlogger`.
  func openPhone(_ uri: SourceURI) throws(SensorError) -> Entry {
    let source: any SensorSource
    switch uri.path {
    case "", "sensorlogger":
      let options = try PhoneOptions(uri.options)
      source = SensorLoggerSource(options, server: phones.server(for: options), announcer: Self.announcer)
    case "browser": source = try BrowserSource(try BrowserOptions(uri.options), announcer: Self.announcer)
    case "udp": source = try DatagramSource(options: uri.options, announcer: Self.announcer)
    case let path where path.hasPrefix("sensorserver/"):
      source = try SensorServerSource(
        path: String(path.dropFirst("sensorserver/".count)), options: uri.options, announcer: Self.announcer)
    case let path where path.hasPrefix("phyphox/"):
      source = try PhyphoxSource(
        path: String(path.dropFirst("phyphox/".count)), options: uri.options, announcer: Self.announcer)
    default:
      throw SensorError(
        .notFound,
        "There is no way called “\(uri.path)” to a phone in this version; there are phone:sensorlogger, phone:browser, phone:sensorserver/HOST:PORT, phone:phyphox/HOST:PORT and phone:udp."
      )
    }
    return Entry(uri: uri, source: source, clock: MonotonicClock(), rate: 1, gate: .open)
  }

  /// What a person has to do or to know goes to the log, by default the standard error.
  static var announcer: PhoneAnnouncer {
    PhoneAnnouncer(
      hasColors: isatty(STDERR_FILENO) == 1, notice: { HostLog.notice($0) }, warning: { HostLog.warning($0) })
  }
}

/// The ports on which the phone sources of one catalogue listen: two sources of the same port share its server.
final class PhoneServers: Sendable {
  private struct Place: Hashable {
    var host: String?
    var port: UInt16
  }

  private let servers = Lock<[Place: SensorLoggerServer]>([:])

  func server(for options: PhoneOptions) -> SensorLoggerServer {
    servers.withLock { servers in
      let place = Place(host: options.host, port: options.port)
      if let known = servers[place], options.token == nil || options.token == known.token { return known }
      let server = SensorLoggerServer(options)
      servers[place] = server
      return server
    }
  }
}
