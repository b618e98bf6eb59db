// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
public import MotionSensing

extension EvdevSource {
  /// The source of an address: `path` empty = the best that there is, else one controller by its address ("06:05:04:03:02:01"), its node
  /// ("event5" or "5"), its vendor and product ("054c:0ce6") or its kind ("dualsense").
  ///
  /// Throws `.notFound` with the names of what there is, and `.invalidRequest` for an option that is not understood.
  /// `standardRoot` is used when the options name no root.
  public convenience init(
    path: String, options: [String: String], standardRoot: SystemRoot = SystemRoot()
  ) throws(SensorError) {
    var choice = try EvdevOptions(options)
    if options["root"] == nil { choice.root = standardRoot }
    try self.init(path: path, options: choice, files: .system, nodes: .system)
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

  /// The best controller that is connected: one that has a gyroscope as well and may be read; nil when there is none.
  public static func best(root: SystemRoot = SystemRoot()) -> EvdevSource? {
    var options = EvdevOptions()
    options.root = root
    let all = ControllerDevice.all(root: root, files: .system)
    return ordered(all, files: .system).first.map {
      EvdevSource(device: $0, options: options, files: .system, nodes: .system)
    }
  }

  /// One source per controller, in the order of their nodes, each with its address.
  public static func each(root: SystemRoot = SystemRoot()) -> [(address: String, source: EvdevSource)] {
    var options = EvdevOptions()
    options.root = root
    return ControllerDevice.all(root: root, files: .system).map {
      ("evdev:\($0.address)", EvdevSource(device: $0, options: options, files: .system, nodes: .system))
    }
  }

  /// The best first; what is equally good stays in the order of the nodes.
  private static func ordered(_ devices: [ControllerDevice], files: SystemFiles) -> [ControllerDevice] {
    func worth(_ device: ControllerDevice) -> Int {
      let isReadable = (try? files.check(device.node, R_OK)) != nil
      return (device.hasGyroscope ? 4 : 0) + (isReadable ? 2 : 0) + (device.model.isKnown ? 1 : 0)
    }
    return devices.enumerated().sorted { a, b in
      let worths = (worth(a.element), worth(b.element))
      return worths.0 == worths.1 ? a.offset < b.offset : worths.0 > worths.1
    }.map(\.element)
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
