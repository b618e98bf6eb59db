// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Sensors of this computer through the kernel's industrial I/O: chips on I²C or SPI, and the sensor hubs of tablets and laptops.
///
/// The kernel's driver knows the chip; here its devices are found in sysfs, their buffers are read through the device node, and the
/// numbers become SI in device axes. Several devices together are one source: a hub has one for each sensor.
///
/// Where a buffer cannot be had (no permission, another program has it, the chip has no interrupt), the same numbers are polled from
/// sysfs; the name says so, and ``statistics`` says why. A buffer that another program has switched on is never touched.
///
/// Axes and signs follow the kernel's mount matrix and, for sensor hubs, the convention of their firmware. They are consistent among
/// themselves; nobody has held them against hardware here.
public final class IIOSource: SensorSource {
  public let info: SensorInfo
  /// How it reads.
  public let options: IIOOptions
  let devices: [IIODevice]
  let medium: PressureSample.Medium
  let state = Lock(IIOStatistics())

  /// A source over devices, in the order in which their sensors are listed. A quantity that two of them measure comes from the first.
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
      return news.isEmpty ? nil : device.measuring(news)
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
  public var statistics: IIOStatistics { state.withLock { $0 } }

  /// Why devices of it will be polled, as far as that can be told before a run; empty when all buffers can be used.
  public var limitations: [SensorError] { devices.compactMap { IIOBufferClaim.problem(of: $0) } }

  /// The devices by their present numbers: the kernel numbers anew after a replug, and another chip may have the old number.
  func devicesNow() -> [IIODevice] {
    guard let files = devices.first?.files else { return [] }
    var all = IIODevice.all(root: options.root, files: files)
    return devices.map { device in
      let identity = device.identity
      guard let index = all.firstIndex(where: { $0.name == device.name && $0.identity == identity }) else {
        return device.gone
      }
      return all.remove(at: index).measuring(device.quantities)
    }
  }

  /// Delivers samples until the session stops; throws a `SensorError` when a device leaves or refuses.
  public func run(_ session: SensorSession) throws {
    var run = IIORun(source: self, session: session)
    try run.deliverAll()
  }
}
