// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Claims a device's buffer: every setting written, read back, and restored when a step fails.
struct IIOBufferClaim {
  /// As read from the device after its settings had been written.
  struct Setup {
    /// Hz.
    var rate: Double
    /// Records that the kernel keeps.
    var length: Int
    /// Records that wake the reader.
    var watermark: Int
  }

  let device: IIODevice
  let plan: IIOPlan
  private var settings: TemporarySettings
  private var files: SystemFiles { device.files }

  /// Why this program cannot use a device's buffer, as far as known without opening it; nil when it can.
  static func problem(of device: IIODevice) -> SensorError? {
    let enable = "\(device.folder)/buffer/enable"
    do {
      let state = try device.files.read(enable)
      if state == "1" { return IIOProblem.busy(device) }
    } catch {
      return error.errno == ENOENT ? IIOProblem.noBuffer(device) : IIOProblem.notPermitted(enable, errno: error.errno)
    }
    do {
      try device.files.check(device.node, R_OK)
    } catch {
      return error.errno == ENOENT
        ? IIOProblem.noBuffer(device) : IIOProblem.notPermitted(device.node, errno: error.errno)
    }
    do {
      try device.files.check(enable, W_OK)
    } catch {
      return IIOProblem.notPermitted(enable, errno: error.errno)
    }
    return nil
  }

  /// Switches a buffer on; throws the reason when that is not possible, with everything as it was.
  static func open(_ device: IIODevice, plan: IIOPlan) throws(SensorError) -> IIOBufferStream {
    if let problem = problem(of: device) { throw problem }
    var claim = IIOBufferClaim(device: device, plan: plan, settings: TemporarySettings(files: device.files))
    do {
      return try claim.claim()
    } catch {
      claim.settings.restore()
      throw error
    }
  }

  private mutating func claim() throws(SensorError) -> IIOBufferStream {
    let quantities = plan.quantities(of: device)
    let layout = try enableChannels()
    let readings = try readings(needed: quantities, in: layout)
    // Shared by all readers and kept from the last; the default follows the wall clock (IIO-20).
    let stampClock = "\(device.folder)/current_timestamp_clock"
    if (try? files.read(stampClock)) != nil { try set(stampClock, to: "monotonic") }
    let rate = try chooseRate(quantities)
    let setup = try chooseLength(rate: rate)
    for quantity in quantities {
      // A threshold keeps a hub silent at rest (HUB-2).
      if let path = device.attribute("hysteresis", of: quantity.channels[0]) { settings.trySetting(path, to: "0") }
    }
    let descriptor: Int32
    do { descriptor = try files.open(device.node) } catch {
      throw IIOProblem.failure(error, path: device.node, device: device)
    }
    // Discards what an earlier use of the buffer has left; it is not on yet (IIO-13).
    var discarded = [UInt8](repeating: 0, count: max(4096, layout.byteCount * 64))
    while MotionSensing.read(descriptor, &discarded, discarded.count) > 0 {}
    do { try settings.set("\(device.folder)/buffer/enable", to: "1") } catch {
      MotionSensing.close(descriptor)
      if error.errno == EINVAL { throw IIOProblem.noTrigger(device) }
      throw IIOProblem.failure(error, path: "\(device.folder)/buffer/enable", device: device)
    }
    return IIOBufferStream(
      device: device, descriptor: descriptor, layout: layout, readings: readings, plan: plan, setup: setup,
      settings: settings)
  }

  private mutating func set(_ path: String, to value: String) throws(SensorError) {
    do { try settings.set(path, to: value) } catch {
      throw IIOProblem.failure(error, path: path, device: device)
    }
  }

  private func text(_ path: String) throws(SensorError) -> String {
    do { return try files.read(path) } catch { throw IIOProblem.failure(error, path: path, device: device) }
  }

  /// All channels, always: some drivers push their whole record whatever is chosen (IIO-8).
  private mutating func enableChannels() throws(SensorError) -> RecordLayout {
    let folder = "\(device.folder)/scan_elements"
    var elements: [RecordLayout.Element] = []
    for file in files.list(folder) where file.hasSuffix("_en") {
      let name = String(file.dropLast(3))
      try set("\(folder)/\(file)", to: "1")
      guard let index = Int(try text("\(folder)/\(name)_index")) else {
        throw SensorError(
          .malformed, "The driver of “\(device.name)” gives no valid number here.",
          at: .init(file: "\(folder)/\(name)_index")
        )
      }
      elements.append(.init(name: name, index: index, type: try ScanType(try text("\(folder)/\(name)_type"))))
    }
    return RecordLayout(elements)
  }

  /// Everything that the device measures, for subscribers to come; what is wanted now must be readable.
  private func readings(
    needed: [IIOQuantity], in layout: RecordLayout
  ) throws(SensorError) -> [IIOReading<ScanType>] {
    var readings: [IIOReading<ScanType>] = []
    for quantity in device.quantities {
      do throws(SensorError) {
        var reading = IIOReading<ScanType>(quantity: quantity, channels: [], map: device.axisMap(of: quantity))
        for channel in quantity.channels {
          guard let field = layout.fields[channel] else { throw IIOProblem.noBuffer(device) }
          reading.channels.append(try device.channel(channel, of: quantity, at: field))
        }
        readings.append(reading)
      } catch {
        if needed.contains(quantity) { throw error }
      }
    }
    return readings
  }

  /// Writes the rate of each sensor and reads it back; the fastest one paces the buffer.
  private mutating func chooseRate(_ quantities: [IIOQuantity]) throws(SensorError) -> Double {
    var fastest = 0.0
    // Also of what has no subscriber yet: a new one must not restart the buffer.
    for quantity in device.quantities {
      let rates = SamplingRates(of: quantity, device: device)
      guard let path = rates.path else { continue }
      let choice = rates.choice(for: plan.wish(for: quantities))
      let text = SamplingRates.text(choice)
      if files.number(path) == choice {
        // The same number in another form stays as it is.
      } else if quantities.contains(quantity) {
        try set(path, to: text)
      } else {
        settings.trySetting(path, to: text)
      }
      fastest = max(fastest, files.number(path) ?? 0)
    }
    // 0 or nothing read back: not known; the time stamps will show it.
    return fastest > 0 ? fastest : plan.wish(for: quantities) ?? SamplingRates.unlisted
  }

  /// A watermark for the latency, and room for two batches or two seconds, so that a late reader loses nothing.
  private mutating func chooseLength(rate: Double) throws(SensorError) -> Setup {
    let batch = (rate * plan.latency.seconds).rounded(.down)
    var watermark = max(1, plan.watermark ?? Int(clamping: min(batch, 16_384)))
    let wanted = max(32, 2 * watermark, Int(clamping: min(2 * rate, 16_384)))
    let folder = "\(device.folder)/buffer"
    if files.number("\(folder)/watermark") ?? 1 > 1 { try set("\(folder)/watermark", to: "1") }
    try set("\(folder)/length", to: "\(wanted)")
    let length = Int(clamping: files.number("\(folder)/length") ?? Double(wanted))
    watermark = min(watermark, max(1, length / 2))
    // Kernels before 4.2 have none; then a batch is what has come by the time we look.
    if (try? files.read("\(folder)/watermark")) != nil { try set("\(folder)/watermark", to: "\(watermark)") }
    // The chip's own memory: as long as we may wait, or not at all.
    settings.trySetting("\(folder)/hwfifo_timeout", to: SamplingRates.text(plan.latency.seconds))
    return Setup(rate: rate, length: length, watermark: watermark)
  }
}

/// Settings that were changed for the time of a run, and what they were before.
///
/// Settings of an IIO device outlive the program that made them (IIO-9): the next program would get this one's
/// watermark and clock. So every change is remembered and restored, the last first.
struct TemporarySettings: Sendable {
  private var changes: [(path: String, old: String)] = []
  private let files: SystemFiles

  init(files: SystemFiles) { self.files = files }

  /// Writes a setting unless it has the value already.
  mutating func set(_ path: String, to value: String) throws(SystemFailure) {
    let old = try files.read(path)
    guard old != value else { return }
    try files.write(path, value)
    changes.append((path, old))
  }

  /// The same for a setting that may be absent or refuse: true when it is as wanted now.
  @discardableResult
  mutating func trySetting(_ path: String, to value: String) -> Bool {
    do {
      try set(path, to: value)
      return true
    } catch {
      return false
    }
  }

  /// Restores everything, as far as the device is still there.
  mutating func restore() {
    for change in changes.reversed() { try? files.write(change.path, change.old) }
    changes = []
  }
}
