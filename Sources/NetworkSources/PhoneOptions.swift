// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork
import MotionSensing
import PhoneFormats

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
