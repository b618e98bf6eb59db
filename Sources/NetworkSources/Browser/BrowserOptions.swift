// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// Where our page for a phone's browser is offered.
package struct BrowserOptions: SourceSettings {
  /// A numeric address of this computer; nil, the default: the one by which it reaches its network.
  package var host: String?
  /// 0 = the system chooses one.
  package var port: UInt16 = 8443
  /// What the address holds so that only who has read it can send; nil, the default: new in each program.
  package var token: String?
  /// False: http, which works for 127.0.0.1 only, because browsers give sensors to secure pages only.
  package var isSecure = true

  /// The defaults.
  package init() {}

  /// Those of an address such as `phone:browser?port=8443`.
  package static let table = SourceOptions<BrowserOptions>(
    "phone:browser",
    [
      .port(default: 8443) { $0.port = $1 }, .listen { $0.host = $1 }, .token { $0.token = $1 },
      .yesOrNo("tls", default: "yes") { $0.isSecure = $1 },
    ])
}
