// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The buffer of one device, switched on by this program: the kernel collects records, with the instant of each
/// interrupt.
struct IIOBufferStream {
  let device: IIODevice
  let descriptor: Int32
  let layout: RecordLayout
  /// Records that wake the reader.
  let watermark: Int
  /// Hz, as read from the device after it was set.
  let rate: Double
  private let readings: [IIOReading<ScanType>]
  private var plan: IIOPlan
  private let length: Int
  private var settings: TemporarySettings
  private var clock: StreamClock
  // Kept from wake to wake, so that a wake allocates nothing.
  private var bytes: [UInt8]
  private var stamps: [Int64] = []
  private var times: [SensorInstant?] = []
  /// Waits in a row that brought nothing.
  private var silences = 0
  /// Nothing has come since this instant.
  private var silentSince: SensorInstant?
  /// True from a restart to the next record: one restart is tried, not more.
  private var wasRestarted = false

  /// Some hubs fall silent, after a suspend above all; then their buffer is switched off and on once (HUB-4, R-9).
  static let silenceLimit = SensorDuration.seconds(2)

  init(
    device: IIODevice, descriptor: Int32, layout: RecordLayout, readings: [IIOReading<ScanType>], plan: IIOPlan,
    setup: IIOBufferClaim.Setup, settings: TemporarySettings
  ) {
    self.device = device
    self.descriptor = descriptor
    self.layout = layout
    self.readings = readings
    self.plan = plan
    self.settings = settings
    rate = setup.rate
    watermark = setup.watermark
    length = setup.length
    clock = StreamClock(period: SensorDuration(rate: setup.rate) ?? .milliseconds(10))
    let records = max(64, setup.length)
    bytes = [UInt8](repeating: 0, count: layout.byteCount * records)
    stamps.reserveCapacity(records)
    times.reserveCapacity(records)
  }

  /// Continues for other subscribers, if their request changes nothing at the device.
  mutating func adopt(_ new: IIOPlan) -> Bool {
    let known = readings.map(\.quantity)
    guard plan.asksTheSame(of: device, as: new), new.quantities(of: device).allSatisfy(known.contains) else {
      return false
    }
    plan = new
    return true
  }

  /// Reads what there is and appends its samples.
  ///
  /// It is called after every wait, also one that timed out: the kernel never reports an unplugged device, only a read
  /// does (IIO-16).
  mutating func read(
    into samples: inout [SensorSample], hasHungUp: Bool, now: () -> SensorInstant, statistics: inout SourceStatistics
  ) throws(SensorError) {
    var total = 0
    while true {
      let count = MotionSensing.read(descriptor, &bytes, bytes.count)
      let failure = errno
      statistics.reads += 1
      if count < 0, failure == EINTR { continue }
      if count < 0, failure != EAGAIN {
        throw IIOProblem.failure(SystemFailure(errno: failure), path: device.node, device: device)
      }
      if count == 0, hasHungUp { throw IIOProblem.disconnected(device, errno: nil) }
      guard count > 0 else { break }
      let records = count / layout.byteCount
      total += records
      decode(records, arrival: now(), into: &samples, statistics: &statistics)
      // Until the buffer is empty: what stays behind would come after newer samples of the other devices.
    }
    if total >= length { statistics.fullBuffers += 1 }
    try checkSilence(total == 0)
    restartIfSilent(total == 0, now: now(), statistics: &statistics)
  }

  private mutating func restartIfSilent(_ isSilent: Bool, now: SensorInstant, statistics: inout SourceStatistics) {
    guard isSilent else {
      silentSince = nil
      wasRestarted = false
      return
    }
    let since = silentSince ?? now
    silentSince = since
    guard !wasRestarted, now - since > Self.silenceLimit else { return }
    wasRestarted = true
    statistics.restarts += 1
    // An error here shows at the next read.
    let path = "\(device.folder)/buffer/enable"
    for value in ["0", "1"] { try? device.files.write(path, value) }
  }

  /// After two waits without data: has another program disabled the buffer, or was the device unplugged (IIO-15)?
  private mutating func checkSilence(_ isSilent: Bool) throws(SensorError) {
    silences = isSilent ? silences + 1 : 0
    guard silences >= 2 else { return }
    silences = 0
    let path = "\(device.folder)/buffer/enable"
    let state: String
    do { state = try device.files.read(path) } catch {
      throw IIOProblem.failure(error, path: path, device: device)
    }
    if state == "0" { throw IIOProblem.switchedOff(device) }
  }

  private mutating func decode(
    _ count: Int, arrival: SensorInstant, into samples: inout [SensorSample], statistics: inout SourceStatistics
  ) {
    let size = layout.byteCount
    stamps.removeAll(keepingCapacity: true)
    if let field = layout.timestamp {
      for index in 0..<count { stamps.append(field.integer(in: bytes, at: index * size)) }
    }
    let (gaps, anchorings, backwards) = (clock.gaps, clock.anchorings, clock.backwards)
    times.removeAll(keepingCapacity: true)
    clock.append(to: &times, stamps: stamps, count: count, arrival: arrival)
    statistics.gaps += clock.gaps - gaps
    statistics.anchorings += clock.anchorings - anchorings
    statistics.repeats += clock.backwards - backwards
    for index in 0..<count {
      guard let time = times[index] else { continue }
      var values = IIOQuantity.Values(repeating: nil)
      for reading in readings {
        let vector = reading.vector { $0.number(in: bytes, at: index * size) }
        if vector.isFinite { values[reading.quantity.place] = vector } else { statistics.notFinite += 1 }
      }
      plan.append(values, at: time, to: &samples)
    }
  }

  /// Switches the buffer off and puts the settings back.
  mutating func close() {
    MotionSensing.close(descriptor)
    settings.restore()
  }
}
