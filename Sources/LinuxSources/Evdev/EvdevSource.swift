// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
public import MotionSensing

/// The accelerometer and gyroscope of a game controller, through the kernel's event device.
///
/// The kernel's driver calibrates the controller; this source reads its event device: it assembles frames, converts
/// counts to SI and axes to device axes, and maps the controller's own time to our clock. Sony's and Nintendo's
/// controllers are known (DualSense, DualShock 4, Joy-Con, Switch Pro); the axes of others are used unchanged, and
/// `axes` says so.
///
/// A controller that is unplugged ends the run with `.disconnected`; the next run looks for the same controller again,
/// also under another device number. The hub retries every half second (`MotionHub`) and so detects a replug: it only
/// reads the folder and needs no kernel messages.
public final class EvdevSource: SensorSource {
  /// The controller: name, sensors, ranges, rates.
  public let info: SensorInfo
  /// How it reads.
  package let options: EvdevOptions
  /// How the controller's axes become ours, and whose word that is.
  package let axes: String
  /// Why it cannot be read, as far as known before a run; nil when it can.
  package let limitation: SensorError?
  let device: ControllerDevice
  let map: AxisMap
  let files: SystemFiles
  let nodes: InputNodes
  let state = Lock(SourceStatistics())

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
      defer { MotionSensing.close(descriptor) }
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
  package var statistics: SourceStatistics { state.withLock { $0 } }

  /// Delivers samples until the session stops; throws a `SensorError` when the controller is unplugged or fails.
  public func run(_ session: SensorSession) throws {
    var run = EvdevRun(source: self, session: session)
    try run.deliverAll()
  }
}

extension EvdevSource {
  /// The source of an address: `path` empty = the best available controller, else one controller by its address
  /// ("06:05:04:03:02:01"), its node ("event5" or "5"), its vendor and product ("054c:0ce6") or its kind ("dualsense").
  ///
  /// Throws `.notFound` with the names of the available controllers, and `.invalidRequest` for an unknown option.
  /// `standardRoot` is used when the options name no root.
  public convenience init(
    path: String, options: [String: String], standardRoot: SystemRoot = SystemRoot()
  ) throws(SensorError) {
    try self.init(path: path, options: try EvdevOptions(options, root: standardRoot), files: .system, nodes: .system)
  }

  convenience init(
    path: String, options: EvdevOptions, files: SystemFiles, nodes: InputNodes
  ) throws(SensorError) {
    let all = ControllerDevice.all(root: options.root, files: files)
    let wanted = path.isEmpty ? Self.ordered(all, files: files) : all.filter { $0.answers(to: path) }
    guard let device = wanted.first else {
      let known = all.map { "\($0.controllerName) (\($0.address))" }.joined(separator: ", ")
      let name = path.isEmpty ? "game controller with a motion sensor" : "controller “\(path)”"
      throw SensorError(
        .notFound,
        "There is no \(name); " + (known.isEmpty ? "plug one in or switch it on." : "there are \(known)."),
        at: .init(file: options.root.inputDevices))
    }
    self.init(device: device, options: options, files: files, nodes: nodes)
  }

  /// One source per controller, in the order of their nodes, each with its address.
  package static func each(root: SystemRoot = SystemRoot()) -> [(address: String, source: EvdevSource)] {
    ControllerDevice.all(root: root, files: .system).map {
      let options = EvdevOptions(root: root)
      return ("evdev:\($0.address)", EvdevSource(device: $0, options: options, files: .system, nodes: .system))
    }
  }

  /// The best first: one that has a gyroscope as well and may be read; what is equally good stays in the order of the
  /// nodes.
  private static func ordered(_ devices: [ControllerDevice], files: SystemFiles) -> [ControllerDevice] {
    func worth(_ device: ControllerDevice) -> Int {
      let isReadable = (try? files.check(device.node, R_OK)) != nil
      return (device.hasGyroscope ? 4 : 0) + (isReadable ? 2 : 0) + (device.model.isKnown ? 1 : 0)
    }
    return devices.sorted { worth($0) > worth($1) }
  }
}

extension ControllerDevice {
  /// Whether a person means this one.
  fileprivate func answers(to name: String) -> Bool {
    let name = name.lowercased()
    func letters(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
    return [kernelName, String(kernelName.dropFirst("event".count)), unique.lowercased(), modelNumber].contains(name)
      || (model.isKnown && letters(model.name) == letters(name))
  }
}

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

  /// A controller whose unit is not known is refused: its numbers mean nothing (EV-1).
  static func scale(
    of device: ControllerDevice, descriptor: Int32, map: AxisMap, nodes: InputNodes
  ) throws(SensorError) -> ControllerScale {
    let axes = try axes(of: device, descriptor: descriptor, nodes: nodes)
    guard let scale = ControllerScale(axes, map: map) else { throw EvdevProblem.noUnit(device) }
    return scale
  }
}
