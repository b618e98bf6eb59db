// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
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
  /// The code of a configuration that the app has exported.
  var configuration: String?

  /// Those of an address such as `phone:sensorlogger?port=8000&device=watch`.
  static let table = SourceOptions<PhoneOptions>(
    "phone:sensorlogger",
    [
      .port(default: 8000) { $0.port = $1 }, .listen { $0.host = $1 }, .token { $0.token = $1 },
      .choice("device", PhoneDevice.self, default: "phone") { $0.device = $1 },
      .choice("platform", PhoneUnits.Platform.self, default: "told from the numbers") { $0.platform = $1 },
      .yesOrNo("standardised", default: "told from the numbers") { $0.isStandardised = $1 },
      .value(
        "config", "the code of a configuration that Sensor Logger has exported",
        parse: { text -> String? in
          text.utf8.count <= 256 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
            ? text : nil
        }
      ) { $0.configuration = $1 },
    ])

  var units: PhoneUnits { PhoneUnits(platform: platform, isStandardised: isStandardised) }
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

/// What a person reads when a phone's source begins to listen.
enum PhoneInvitation {
  static func text(page: String, push: String, hasColors: Bool) -> String {
    let code = QRCode(page).map { "\n\n\($0.terminalText(hasColors: hasColors))" } ?? ""
    return """
      Waiting for a phone. Scan the code with its camera, or set the push URL of Sensor Logger (gear, HTTP Push) to
        \(push)\(code)
      """
  }
}

/// The addresses of this computer in its network.
package enum LocalAddress {
  /// The address by which this computer reaches other ones, as a phone in the same network can use it; 127.0.0.1
  /// without a network.
  ///
  /// Asked of the routing table: a datagram socket that is connected to an address of the internet (one that is
  /// reserved for documentation, RFC 5737) has the address of the way there. Nothing is sent.
  package static var preferred: String {
    guard let descriptor = try? Socket.connectDatagrams(ListeningAddress(host: "192.0.2.1", port: 9)) else {
      return "127.0.0.1"
    }
    defer { close(descriptor) }
    var storage = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let found = Socket.withAddress(&storage) { getsockname(descriptor, $0, &size) }
    var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
    guard found == 0, inet_ntop(AF_INET, &storage.sin_addr, &text, socklen_t(text.count)) != nil else {
      return "127.0.0.1"
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether a text is an IPv4 or IPv6 address in digits, and one: 0.0.0.0 and :: stand for all, under which no phone
  /// reaches us.
  package static func isNumeric(_ text: String) -> Bool {
    var bytes = in6_addr()
    let isAddress = inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
    return isAddress && text != "0.0.0.0" && text != "::"
  }
}
