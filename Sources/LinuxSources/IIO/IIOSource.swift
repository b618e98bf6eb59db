// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Sensors of this computer through the kernel's industrial I/O: chips on I²C or SPI, and the sensor hubs of tablets
/// and laptops.
///
/// The kernel's driver handles the chip; this source finds its devices in sysfs, reads their buffers through the device
/// node, and converts the numbers to SI in device axes. Several devices form one source: a hub has one for each sensor.
///
/// If a buffer is not available (no permission, another program uses it, the chip has no interrupt), the same numbers
/// are polled from sysfs; the name says so, and `statistics` says why. A buffer that another program has enabled is
/// never changed.
///
/// Axes and signs follow the kernel's mount matrix and, for sensor hubs, the convention of their firmware. They are
/// consistent with each other; they have not been compared with hardware.
public final class IIOSource: SensorSource {
  /// The sensors of the set: name, ranges, rates.
  public let info: SensorInfo
  /// How it reads.
  package let options: IIOOptions
  let devices: [IIODevice]
  let medium: PressureSample.Medium
  let state = Lock(SourceStatistics())

  /// A source over devices, in the order in which their sensors are listed. A quantity that two of them measure comes
  /// from the first.
  init(devices: [IIODevice], options: IIOOptions) {
    self.options = options
    let isInWater =
      options.isInWater
      ?? devices.contains { $0.quantities.contains(.pressure) && $0.label.lowercased().contains("water") }
    medium = isInWater ? .water : .air
    var seen: Set<IIOQuantity> = []
    var channels: [SensorInfo.Channel] = []
    self.devices = devices.compactMap { device in
      let hasPressure = device.quantities.contains(.pressure)
      let news = device.quantities.filter { !seen.contains($0) && ($0 != .temperature || hasPressure) }
      seen.formUnion(news)
      for quantity in news {
        let rates = SamplingRates(of: quantity, device: device)
        channels.append(.init(kind: quantity.kind(isInWater: isInWater), rates: rates.known))
      }
      return news.isEmpty ? nil : device.measuring(news, scales: options.scales)
    }
    let buffered = self.devices.filter { options.reading != .polled && IIOBufferClaim.problem(of: $0) == nil }
    let suffix = buffered.count == self.devices.count ? "" : buffered.isEmpty ? " (polled)" : " (partly polled)"
    info = SensorInfo(
      name: "IIO " + self.devices.map(\.name).joined(separator: " + ") + suffix, origin: .hardware, pacing: .live,
      deviceClass: self.devices.contains { $0.isHubSensor } ? .unknown : .module, channels: channels,
      // Devices are read at one wake and sorted; what is left is the time between a driver's stamp and its record.
      reordering: self.devices.count > 1 ? .milliseconds(20) : .zero,
      water: isInWater ? SensorInfo.Water() : nil, identity: self.devices.map(\.identity).joined(separator: " + "))
  }

  /// What happened in the runs so far.
  package var statistics: SourceStatistics { state.withLock { $0 } }

  /// Why some of its devices will be polled, as far as known before a run; empty when all buffers can be used.
  package var limitations: [SensorError] { devices.compactMap { IIOBufferClaim.problem(of: $0) } }

  /// A chip named ms5837 that reads less than the air of any place is the 30BA, of which the kernel's driver computes a
  /// twentieth (WATER-5).
  var remarks: [String] {
    devices.contains { $0.name == "ms5837" && $0.files.number("\($0.folder)/in_pressure_input") ?? 100 < 30 }
      ? ["It reads less than air has: in air that is an MS5837-30BA, and “?scale=pressure:20” corrects it."] : []
  }

  /// The devices by their present numbers: the kernel gives new numbers after a replug, and another chip may have the
  /// old number.
  func devicesNow() -> [IIODevice] {
    guard let files = devices.first?.files else { return [] }
    var all = IIODevice.all(root: options.root, files: files)
    return devices.map { device in
      let identity = device.identity
      guard let index = all.firstIndex(where: { $0.name == device.name && $0.identity == identity }) else {
        return device.gone
      }
      return all.remove(at: index).measuring(device.quantities, scales: options.scales)
    }
  }

  /// Delivers samples until the session stops; throws a `SensorError` when a device is unplugged or fails.
  public func run(_ session: SensorSession) throws {
    var run = IIORun(source: self, session: session)
    try run.deliverAll()
  }
}

extension IIOSource {
  /// The source of an address: `path` empty = the best available devices, else devices by number, kernel name or chip
  /// name, joined by commas ("accel_3d,gyro_3d").
  ///
  /// Throws `.notFound` with the names of the available devices, and `.invalidRequest` for an unknown option.
  /// `standardRoot` is used when the options name no root.
  public convenience init(
    path: String, options: [String: String], standardRoot: SystemRoot = SystemRoot()
  ) throws(SensorError) {
    try self.init(path: path, options: try IIOOptions(options, root: standardRoot), files: .system)
  }

  convenience init(path: String, options: IIOOptions, files: SystemFiles) throws(SensorError) {
    let all = IIODevice.all(root: options.root, files: files)
    let names = path.split(separator: ",").map(String.init)
    guard !names.isEmpty else {
      let best = Self.best(of: all)
      guard !best.isEmpty else {
        throw SensorError(
          .notFound, "This computer has no motion or pressure sensor that the kernel provides as an IIO device.",
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

  /// One source per device, in the order of their numbers, each with its address.
  package static func each(root: SystemRoot = SystemRoot()) -> [(address: String, source: IIOSource)] {
    IIODevice.all(root: root, files: .system).compactMap { device in
      let source = IIOSource(devices: [device], options: IIOOptions(root: root))
      return source.devices.isEmpty ? nil : ("iio:\(device.kernelName.dropFirst("iio:".count))", source)
    }
  }

  /// The devices that make the most complete source: an accelerometer and a gyroscope that belong together, then a
  /// magnetometer, then pressure. One chip or hub beats two, the display's side beats the keyboard's, a buffer beats
  /// polling (R-6, AX-6).
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
