// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Where the kernel's industrial I/O devices are found; a test gives folders of its own.
public struct IIORoots: Sendable, Hashable {
  /// The folder of the devices' attributes. Default `/sys/bus/iio/devices`.
  public var devices: String
  /// The folder of the device nodes. Default `/dev`.
  public var nodes: String

  /// The system's folders, or the same ones below a folder that stands for the root of the file system.
  public init(root: String = "") {
    devices = root + "/sys/bus/iio/devices"
    nodes = root + "/dev"
  }
}
