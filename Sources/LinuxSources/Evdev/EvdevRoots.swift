// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Where the kernel's input devices are found; a test gives folders of its own.
public struct EvdevRoots: Sendable, Hashable {
  /// The folder of the devices' attributes. Default `/sys/class/input`.
  public var devices: String
  /// The folder of the device nodes. Default `/dev/input`.
  public var nodes: String

  /// The system's folders, or the same ones below a folder that stands for the root of the file system.
  public init(root: String = "") {
    devices = root + "/sys/class/input"
    nodes = root + "/dev/input"
  }
}
