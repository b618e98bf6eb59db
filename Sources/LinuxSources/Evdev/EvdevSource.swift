// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CLinuxInput
public import MotionSensing

/// The accelerometer and gyroscope of a game controller, through the kernel's event device.
///
/// The kernel's driver knows the controller and calibrates it; here its event device is read: frames put together, counts made SI, axes
/// turned into ours, and the controller's own time laid over our clock. Sony's and Nintendo's controllers are known
/// (DualSense, DualShock 4, Joy-Con, Switch Pro); the axes of others are taken as they come, and ``axes`` says so.
///
/// A controller that is unplugged ends the run with `.disconnected`; the next run looks for the same controller again, under whatever
/// number it has come back. Whoever runs the source tries again every half second (`MotionHub`), so this is also how a replug is
/// noticed: the folder is looked at, and no kernel messages are needed.
public final class EvdevSource: SensorSource {
  public let info: SensorInfo
  /// How it reads.
  public let options: EvdevOptions
  /// How the controller's axes become ours, and whose word that is.
  public let axes: String
  /// Why it cannot be read, as far as that can be told before a run; nil when it can.
  public let limitation: SensorError?
  let device: ControllerDevice
  let map: AxisMap
  let files: SystemFiles
  let nodes: InputNodes
  let state = Lock(EvdevStatistics())

  /// A source over one controller. Its node is opened for a moment, to see whether it may be, and what its ranges are.
  init(device: ControllerDevice, options: EvdevOptions, files: SystemFiles, nodes: InputNodes) {
    self.device = device
    self.options = options
    self.files = files
    self.nodes = nodes
    let model = device.model
    map = options.axes.flatMap { AxisMap(axes: $0) } ?? model.axes
    axes = map.origin
    var ranges: (force: Double, rate: Double)?
    do throws(SensorError) {
      let descriptor = try Self.open(device, nodes: nodes)
      defer { closeDescriptor(descriptor) }
      ranges = try Self.scale(of: device, descriptor: descriptor, map: map, nodes: nodes).ranges
      limitation = nil
    } catch {
      limitation = error
    }
    let rates = device.bus == BUS_USB ? model.rate.map { [$0] } ?? [] : []
    var channels = [SensorInfo.Channel(kind: .accelerometer, rates: rates, range: ranges?.force)]
    if device.hasGyroscope { channels.append(.init(kind: .gyroscope, rates: rates, range: ranges?.rate)) }
    info = SensorInfo(
      name: model.isKnown ? "\(model.name) (\(device.controllerName))" : "\(device.controllerName) (controller)",
      origin: .hardware, pacing: .live, deviceClass: .controller, channels: channels, identity: device.identity)
  }

  /// What happened in the runs so far.
  public var statistics: EvdevStatistics { state.withLock { $0 } }

  /// Delivers samples until the session stops; throws a `SensorError` when the controller leaves or refuses.
  public func run(_ session: SensorSession) throws {
    var run = EvdevRun(source: self, session: session)
    try run.deliverAll()
  }
}
