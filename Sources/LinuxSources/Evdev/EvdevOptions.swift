// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// How an ``EvdevSource`` reads.
public struct EvdevOptions: Sendable, Hashable {
  /// Whether the kernel's own smoothing is switched off while the source runs.
  public enum Fuzz: String, Sendable, Hashable, CaseIterable {
    /// Switched off, for all readers, and restored at the end. The default.
    case off
    /// Left as it is.
    case keep
  }

  /// Default: off.
  public var fuzz = Fuzz.off
  /// Which of the controller's axes is x (right), y (ahead), z (up), such as `x:-z:y`; nil, the default = by the table of controllers.
  public var axes: String?
  /// Where the devices are.
  public var roots = EvdevRoots()

  /// The defaults.
  public init() {}

  /// From the options of a URI such as `evdev:?axes=x:-z:y`.
  ///
  /// | name | values | default |
  /// |---|---|---|
  /// | `axes` | three of `x`, `y`, `z`, each once, with or without `-`, joined by colons | by the table of controllers |
  /// | `fuzz` | `off`, `keep` | `off` |
  /// | `root` | a folder that stands for `/` | the system |
  ///
  /// Anything else fails with `.invalidRequest`.
  public init(_ options: [String: String]) throws(SensorError) {
    for (name, value) in options.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "axes":
        guard AxisMap(axes: value) != nil else {
          throw SensorError(
            .invalidRequest,
            "The option axes=\(value) is no rotation; it takes x, y and z, each once, with or without a minus, such as x:-z:y."
          )
        }
        axes = value
      case "fuzz":
        guard let choice = Fuzz(rawValue: value) else {
          throw SensorError(.invalidRequest, "The option fuzz=\(value) is not understood; it takes off or keep.")
        }
        fuzz = choice
      case "root": roots = EvdevRoots(root: value)
      default:
        throw SensorError(.invalidRequest, "A game controller has no option “\(name)”; it knows axes, fuzz and root.")
      }
    }
  }
}
