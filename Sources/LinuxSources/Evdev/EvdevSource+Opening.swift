// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// Opening a controller, and asking the kernel about its axes.
extension EvdevSource {
  /// The same controller as it is now: after a replug it has another number.
  func present() throws(SensorError) -> ControllerDevice {
    let found = ControllerDevice.all(root: options.root, files: files)
    guard let device = found.first(where: { $0.isSame(as: device) }) else { throw EvdevProblem.disconnected(device) }
    return device
  }

  static func open(_ device: ControllerDevice, nodes: InputNodes) throws(SensorError) -> Int32 {
    do { return try nodes.open(device.node) } catch { throw EvdevProblem.failure(error, device: device) }
  }

  static func axes(
    of device: ControllerDevice, descriptor: Int32, nodes: InputNodes
  ) throws(SensorError) -> [AbsoluteAxis] {
    var axes: [AbsoluteAxis] = []
    do {
      for code in 0..<(device.hasGyroscope ? 6 : 3) { axes.append(try nodes.axis(descriptor, code)) }
    } catch {
      throw EvdevProblem.failure(error, device: device)
    }
    return axes
  }

  /// A controller whose unit is not known is refused: its numbers mean nothing (spec EV-1).
  static func scale(
    of device: ControllerDevice, descriptor: Int32, map: AxisMap, nodes: InputNodes
  ) throws(SensorError) -> ControllerScale {
    let axes = try axes(of: device, descriptor: descriptor, nodes: nodes)
    guard let scale = ControllerScale(axes, map: map) else { throw EvdevProblem.noUnit(device) }
    return scale
  }
}

/// `close`, where a type has a method of that name.
func closeDescriptor(_ descriptor: Int32) { Glibc.close(descriptor) }
