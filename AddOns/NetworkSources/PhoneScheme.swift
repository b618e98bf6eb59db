// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork
import MotionSensing
import PhoneFormats

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
  private let servers = Lock<[ListeningAddress: SensorLoggerServer]>([:])

  func server(for options: PhoneOptions) -> SensorLoggerServer {
    servers.withLock { servers in
      let place = ListeningAddress(host: options.host ?? "", port: options.port)
      if let known = servers[place], options.token == nil || options.token == known.token { return known }
      let server = SensorLoggerServer(options)
      servers[place] = server
      return server
    }
  }
}

/// Where a phone's messages are received, and how they are read.
struct PhoneOptions: SourceSettings {
  /// A numeric address of this computer; nil, the default: the one by which it reaches its network.
  var host: String?
  /// 0 = the system chooses one.
  var port: UInt16 = 8000
  /// What the address holds so that only who has read it can send; nil, the default: new in each program.
  var token: String?
  /// Whose sensors: the phone's own, or those that report to its app.
  var device = PhoneDevice.phone
  /// What the person says of the units; nil = told from the numbers.
  var platform: PhoneUnits.Platform?
  var isStandardised: Bool?

  /// Those of an address such as `phone:sensorlogger?port=8000&device=watch`.
  static let table = SourceOptions<PhoneOptions>(
    "phone:sensorlogger",
    [
      .port(default: 8000) { $0.port = $1 }, .listen { $0.host = $1 }, .token { $0.token = $1 },
      .choice("device", PhoneDevice.self, default: "phone") { $0.device = $1 },
      .choice("platform", PhoneUnits.Platform.self, default: "told from the numbers") { $0.platform = $1 },
      .yesOrNo("standardised", default: "told from the numbers") { $0.isStandardised = $1 },
    ])

  var units: PhoneUnits { PhoneUnits(platform: platform, isStandardised: isStandardised) }
}

/// Where our page for a phone's browser is offered.
struct BrowserOptions: SourceSettings {
  /// A numeric address of this computer; nil, the default: the one by which it reaches its network.
  var host: String?
  /// 0 = the system chooses one.
  var port: UInt16 = 8443
  /// What the address holds so that only who has read it can send; nil, the default: new in each program.
  var token: String?
  /// False: http, which works for 127.0.0.1 only, because browsers give sensors to secure pages only.
  var isSecure = true

  /// Those of an address such as `phone:browser?port=8443`.
  static let table = SourceOptions<BrowserOptions>(
    "phone:browser",
    [
      .port(default: 8443) { $0.port = $1 }, .listen { $0.host = $1 }, .token { $0.token = $1 },
      .yesOrNo("tls", default: "yes") { $0.isSecure = $1 },
    ])
}

extension SourceOption {
  /// A port to listen on.
  static func port(default standard: UInt16, set: @escaping @Sendable (inout Settings, UInt16) -> Void) -> Self {
    .integer("port", "a port", in: 0...UInt16.max, default: "\(standard)", set: set)
  }

  /// A numeric address of this computer.
  static func listen(set: @escaping @Sendable (inout Settings, String) -> Void) -> Self {
    .value(
      "listen", "a numeric address of this computer", default: "the one by which it reaches its network",
      parse: { LocalAddress.isNumeric($0) ? $0 : nil }, set: set)
  }

  /// A secret part of an address.
  static func token(set: @escaping @Sendable (inout Settings, String) -> Void) -> Self {
    .value(
      "token", "8 to 64 letters and digits", default: "new at each start",
      parse: { text in
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return (8...64).contains(text.utf8.count) && isPlain ? text : nil
      }, set: set)
  }
}
