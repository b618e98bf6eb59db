// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The root of the file system in which the kernel's devices are found: the system's own, or a folder that stands for it, such as the
/// tree of a test.
public struct SystemRoot: Sendable, Hashable {
  /// Without a slash at its end. Empty, the default: the system's own `/`.
  public var path: String

  /// The root at a path, by default the system's own.
  public init(_ path: String = "") { self.path = path }

  /// The device nodes.
  package var nodes: String { path + "/dev" }
  /// The nodes of input devices.
  var inputNodes: String { path + "/dev/input" }
  /// The attributes of industrial I/O devices.
  var iioDevices: String { path + "/sys/bus/iio/devices" }
  /// The attributes of input devices.
  var inputDevices: String { path + "/sys/class/input" }
  /// The attributes of HID devices.
  var hidDevices: String { path + "/sys/bus/hid/devices" }
}

extension SourceOption {
  /// The option `root` of the sources that read the kernel's devices.
  static func root(set: @escaping @Sendable (inout Settings, SystemRoot) -> Void) -> Self {
    value("root", "a folder that stands for /", default: "the system's", parse: { SystemRoot($0) }, set: set)
  }
}
