// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// How an ``EvdevSource`` reads.
package struct EvdevOptions: DeviceSettings {
  /// Whether the kernel's own smoothing is switched off while the source runs.
  package enum Fuzz: String, Sendable, Hashable, CaseIterable {
    /// Disabled for all readers, and restored at the end. The default.
    case off
    /// Unchanged.
    case keep
  }

  /// Default: off.
  package var fuzz = Fuzz.off
  /// Which of the controller's axes is x (right), y (ahead), z (up), such as `x:-z:y`; nil, the default = by the table
  /// of controllers.
  package var axes: String?
  /// Where the devices are. Default: the system's own folders.
  package var root = SystemRoot()

  /// The defaults.
  package init() {}

  /// Those of a URI such as `evdev:?axes=x:-z:y`: `axes`, three of `x`, `y`, `z`, each once, with or without `-`,
  /// joined by colons; `fuzz` (`off`, `keep`); and `root`, a folder that stands for `/`.
  package static let table = SourceOptions<EvdevOptions>(
    "a game controller",
    [
      .value(
        "axes", "a rotation: x, y and z, each once, with or without a minus, such as x:-z:y",
        default: "by the table of controllers", parse: { AxisMap(axes: $0) == nil ? nil : $0 }
      ) { $0.axes = $1 },
      .choice("fuzz", Fuzz.self, default: "off") { $0.fuzz = $1 },
      .root { $0.root = $1 },
    ])
}
