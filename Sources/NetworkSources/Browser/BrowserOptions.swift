// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

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
