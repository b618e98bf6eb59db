// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What our own virtual devices are called: what reads devices must not choose them by itself, or it would read what
/// this computer has just written.
package enum VirtualDevice {
  /// The name of the controller that `motionctl pad` makes; the kernel's driver appends " Motion Sensors".
  package static let controllerName = "OpenCoreMotion virtual controller"
}
