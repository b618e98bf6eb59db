// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// Runs before `main` (``SourceRegistry``).
@section(".init_array") @used
private let registerPhones: @convention(c) () -> Void = {
  SourceRegistry.atStart {
    SourceRegistry.add(.phone)
  }
}

extension SourceScheme {
  /// Phones that send their sensors over the network; a bare `phone:` is `phone:sensorlogger`.
  static let phone = SourceScheme("phone", form: "phone:", rank: 60) { address, context throws(SensorError) in
    let announcer = PhoneAnnouncer(
      hasColors: isatty(STDERR_FILENO) == 1, notice: context.notice, warning: context.warning)
    let (path, options) = (address.path, address.options)
    switch path {
    case "", "sensorlogger":
      // Which of the app's devices is meant where the address does not name one.
      let device = context.role == .headphones ? "headphones" : "phone"
      let options = try PhoneOptions(options.merging(["device": device]) { named, _ in named })
      let servers = context.shared.value { PhoneServers() }
      return SensorLoggerSource(options, server: servers.server(for: options), announcer: announcer)
    case "browser": return try BrowserSource(try BrowserOptions(options), announcer: announcer)
    default:
      throw SensorError(
        .notFound,
        "There is no way called “\(path)” to a phone; there are phone:sensorlogger and phone:browser."
      )
    }
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
