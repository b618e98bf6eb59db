// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

extension IIOSource {
  /// The source of an address: `path` empty = the best that there is, else devices by number, kernel name or chip name, joined by
  /// commas ("accel_3d,gyro_3d").
  ///
  /// Throws `.notFound` with the names of what there is, and `.invalidRequest` for an option that is not understood.
  /// `standardRoot` is used when the options name no root.
  public convenience init(
    path: String, options: [String: String], standardRoot: SystemRoot = SystemRoot()
  ) throws(SensorError) {
    var choice = try IIOOptions(options)
    if options["root"] == nil { choice.root = standardRoot }
    try self.init(path: path, options: choice, files: .system)
  }

  convenience init(path: String, options: IIOOptions, files: SystemFiles) throws(SensorError) {
    let all = IIODevice.all(root: options.root, files: files)
    let names = path.split(separator: ",").map(String.init)
    guard !names.isEmpty else {
      let best = Self.best(of: all)
      guard !best.isEmpty else {
        throw SensorError(
          .notFound, "This computer has no motion or pressure sensor that its kernel knows as an IIO device.",
          at: .init(file: options.root.iioDevices))
      }
      self.init(devices: best, options: options)
      return
    }
    var chosen: [IIODevice] = []
    for name in names {
      let found = all.filter { ["iio:\(name)", "iio:device\(name)", name].contains($0.kernelName) || $0.name == name }
      guard let device = found.first else {
        let known = all.map { "\($0.name) (\($0.kernelName.dropFirst(4)))" }.joined(separator: ", ")
        throw SensorError(
          .notFound,
          "There is no sensor “\(name)”; " + (known.isEmpty ? "this computer has none." : "there are \(known)."),
          at: .init(file: options.root.iioDevices))
      }
      chosen.append(device)
    }
    self.init(devices: chosen, options: options)
  }

  /// The best source that this computer has; nil when it has no such sensor.
  public static func best(root: SystemRoot = SystemRoot()) -> IIOSource? {
    var options = IIOOptions()
    options.root = root
    let devices = best(of: IIODevice.all(root: root, files: .system))
    return devices.isEmpty ? nil : IIOSource(devices: devices, options: options)
  }

  /// One source per device, in the order of their numbers, each with its address.
  public static func each(root: SystemRoot = SystemRoot()) -> [(address: String, source: IIOSource)] {
    var options = IIOOptions()
    options.root = root
    return IIODevice.all(root: root, files: .system).compactMap { device in
      let source = IIOSource(devices: [device], options: options)
      return source.devices.isEmpty ? nil : ("iio:\(device.kernelName.dropFirst("iio:".count))", source)
    }
  }

  /// The devices that make the most complete source: an accelerometer and a gyroscope that belong together, then a magnetometer, then
  /// pressure. One chip or hub beats two, the display's side beats the keyboard's, a buffer beats polling (spec R-6, AX-6).
  static func best(of devices: [IIODevice]) -> [IIODevice] {
    func having(_ quantity: IIOQuantity) -> [IIODevice?] { devices.filter { $0.quantities.contains(quantity) } }
    func worth(_ device: IIODevice) -> Int {
      let isAtTheDisplay = !["base", "camera"].contains { device.label.contains($0) }
      return (isAtTheDisplay ? 20 : 0) + (IIOBufferClaim.problem(of: device) == nil ? 4 : 0)
    }
    let worths = devices.reduce(into: [String: Int]()) { $0[$1.folder] = worth($1) }
    var chosen: [IIODevice] = []
    var highest = -1
    for accelerometer in having(.accelerometer) + [nil] {
      for gyroscope in having(.gyroscope) + [nil] {
        let both = [accelerometer, gyroscope].compactMap(\.self)
        var value = both.reduce(0) { $0 + 100 + worths[$1.folder, default: 0] }
        if both.count == 2, both[0].housing == both[1].housing { value += 50 }
        guard value > highest else { continue }
        highest = value
        chosen = both
      }
    }
    for quantity in [IIOQuantity.magnetometer, .pressure] {
      let homes = Set(chosen.map(\.housing))
      func value(_ device: IIODevice) -> Int {
        worths[device.folder, default: 0] + (homes.contains(device.housing) ? 50 : 0)
      }
      let candidates = having(quantity).compactMap(\.self)
      guard let first = candidates.first else { continue }
      chosen.append(candidates.dropFirst().reduce(first) { value($1) > value($0) ? $1 : $0 })
    }
    return chosen.reduce(into: []) { unique, device in
      if !unique.contains(where: { $0.folder == device.folder }) { unique.append(device) }
    }
  }
}
