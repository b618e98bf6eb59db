// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import MotionSensing

/// One run of an ``IIOSource``: one thread, one `ppoll` over all its devices and the session's signal.
struct IIORun {
  let source: IIOSource
  let session: SensorSession
  /// The source's devices where they are now.
  private var devices: [IIODevice] = []
  private var plan: IIOPlan
  private var buffers: [IIOBufferStream] = []
  private var polls: [IIOPollStream] = []
  // Kept from wake to wake, so that a wake allocates nothing.
  private var samples: [SensorSample] = []
  private var merging: [SensorSample] = []
  /// The session's signal, then the buffers.
  private var descriptors: [pollfd] = []
  /// How many of them may be delivered; the rest was measured while the devices were being read.
  private var ready = 0
  /// Of each kind, by its bit.
  private var lastTimes = [SensorInstant?](repeating: nil, count: UInt16.bitWidth)
  private var statistics = SourceStatistics()

  /// Without a batch to wait for, how long a silent device counts as present.
  private static let quiet = SensorDuration.milliseconds(300)

  init(source: IIOSource, session: SensorSession) {
    self.source = source
    self.session = session
    plan = IIOPlan(request: session.request, options: source.options, medium: source.medium)
    statistics = source.statistics
  }

  mutating func deliverAll() throws {
    defer {
      close()
      publish()
    }
    devices = source.devicesNow()
    try open()
    while true {
      try wait()
      // The list of buffers may be another one now.
      if try adoptRequest() { descriptors.removeAll(keepingCapacity: true) }
      try readAll()
      publish()
      for index in 0..<ready where isNew(samples[index]) { try session.deliver(samples[index]) }
      samples.removeFirst(ready)
    }
  }

  private mutating func publish() {
    source.state.withLock { $0 = statistics }
  }

  // MARK: Opening and closing

  /// For each device: its buffer, else polling, else the error (PERM-2).
  private mutating func open() throws(SensorError) {
    let open = Set(buffers.map(\.device.folder) + polls.map(\.device.folder))
    for device in devices where !plan.quantities(of: device).isEmpty && !open.contains(device.folder) {
      if device.isGone { throw IIOProblem.disconnected(device, errno: nil) }
      if source.options.reading != .polled {
        do throws(SensorError) {
          buffers.append(try IIOBufferClaim.open(device, plan: plan))
          continue
        } catch {
          guard source.options.reading == .automatic, error.code != .disconnected else { throw error }
          statistics.note(error)
        }
      }
      polls.append(try IIOPollStream(device, plan: plan, now: session.clock.now))
    }
  }

  private mutating func close() {
    for index in buffers.indices { buffers[index].close() }
    for index in polls.indices { polls[index].close() }
    buffers = []
    polls = []
  }

  /// A changed request closes and opens those devices from which it asks something else: lengths and watermarks cannot
  /// be changed while a buffer is on (IIO-10). The others continue.
  ///
  /// True when anything has changed.
  private mutating func adoptRequest() throws -> Bool {
    if session.isStopped { throw SourceStopped() }
    let wanted = IIOPlan(request: session.request, options: source.options, medium: source.medium)
    guard wanted != plan else { return false }
    let old = plan
    plan = wanted
    for index in buffers.indices.reversed() where !buffers[index].adopt(wanted) {
      var ended = buffers.remove(at: index)
      ended.close()
    }
    for index in polls.indices.reversed() {
      let device = polls[index].device
      let isSame =
        old.asksTheSame(of: device, as: wanted) && old.quantities(of: device) == wanted.quantities(of: device)
      if isSame, polls[index].adopt(wanted) { continue }
      var ended = polls.remove(at: index)
      ended.close()
    }
    try open()
    return true
  }

  // MARK: Waiting and reading

  /// Waits for records, a pass that is due, a stop or a request.
  private mutating func wait() throws {
    if session.isStopped { throw SourceStopped() }
    descriptors.removeAll(keepingCapacity: true)
    descriptors.append(pollfd(fd: session.wake.descriptor, events: Int16(POLLIN), revents: 0))
    for buffer in buffers { descriptors.append(pollfd(fd: buffer.descriptor, events: Int16(POLLIN), revents: 0)) }
    let ready = motion_ppoll(&descriptors, UInt(descriptors.count), limit)
    statistics.wakes += 1
    if ready > 0, descriptors[0].revents != 0 { session.wake.drain() }
    if session.isStopped { throw SourceStopped() }
  }

  /// Whether the device of a buffer has disappeared.
  private func hasHungUp(_ buffer: Int) -> Bool {
    buffer + 1 < descriptors.count && Int32(descriptors[buffer + 1].revents) & (POLLHUP | POLLERR) != 0
  }

  /// Nanoseconds that a wait may take; negative = until the session's signal.
  private var limit: Int64 {
    if !samples.isEmpty { return 0 }
    if buffers.isEmpty, polls.isEmpty { return -1 }
    var limit = Int64.max
    if !buffers.isEmpty {
      // A batch that is cut short by an early read costs two wakes; so the limit is a batch and a half.
      var longest = 0.0
      for buffer in buffers { longest = max(longest, Double(buffer.watermark) / buffer.rate) }
      limit = (Self.quiet + (SensorDuration(seconds: longest * 1.5) ?? .zero)).nanoseconds
    }
    let now = session.clock.now
    for stream in polls { limit = min(limit, max(0, (stream.due - now).nanoseconds)) }
    return limit
  }

  /// Reads every device, whichever woke us, so that their samples come out in the order of time.
  ///
  /// A device that was found empty may have measured by the time another one is read, if this thread had to wait in
  /// between. So what is newer than the beginning of the pass stays for the next one, which follows at once, and is
  /// delivered then in any case.
  private mutating func readAll() throws(SensorError) {
    let clock = session.clock
    for index in polls.indices {
      let start = samples.count
      try polls[index].read(into: &samples, now: { clock.now }, statistics: &statistics)
      merge(from: start)
    }
    let isMerging = !buffers.isEmpty && buffers.count + polls.count > 1
    var horizon = isMerging ? clock.now : SensorInstant(nanoseconds: .max)
    if let newest = samples.last { horizon = max(horizon, newest.time) }
    var index = 0
    // Of the list that was waited for: one that is removed shifts the others.
    var place = 0
    while index < buffers.count {
      let start = samples.count
      do throws(SensorError) {
        try buffers[index].read(
          into: &samples, hasHungUp: hasHungUp(place), now: { clock.now }, statistics: &statistics)
        index += 1
      } catch {
        // Another program has switched it off: polling still works beside it.
        guard error.code == .busy, source.options.reading == .automatic else { throw error }
        statistics.note(error)
        var lost = buffers.remove(at: index)
        lost.close()
        polls.append(try IIOPollStream(lost.device, plan: plan, now: clock.now))
      }
      merge(from: start)
      place += 1
    }
    ready = samples.firstIndex { $0.time > horizon } ?? samples.count
  }

  /// Merges the samples from `start` on, which one device gave in order, with those before, which are in order.
  private mutating func merge(from start: Int) {
    guard start > 0, start < samples.count, samples[start].time < samples[start - 1].time else { return }
    merging.removeAll(keepingCapacity: true)
    for index in start..<samples.count { merging.append(samples[index]) }
    var (before, place) = (start - 1, samples.count - 1)
    var newer = merging.count - 1
    while newer >= 0 {
      if before >= 0, samples[before].time > merging[newer].time {
        samples[place] = samples[before]
        before -= 1
      } else {
        samples[place] = merging[newer]
        newer -= 1
      }
      place -= 1
    }
  }

  /// False for what an earlier run has delivered, and for what does not come after its predecessor: a buffer that was
  /// claimed again, or became a polled one, may overlap with itself by a moment.
  private mutating func isNew(_ sample: SensorSample) -> Bool {
    if let resumeAfter = session.resumeAfter, sample.time <= resumeAfter { return false }
    let kinds = sample.kinds.rawValue
    for bit in lastTimes.indices where kinds >> bit & 1 == 1 {
      guard let last = lastTimes[bit], sample.time <= last else { continue }
      statistics.repeats += 1
      return false
    }
    for bit in lastTimes.indices where kinds >> bit & 1 == 1 { lastTimes[bit] = sample.time }
    return true
  }
}

/// What a run asks of every device, from the subscribers' request and the user's options.
struct IIOPlan: Hashable, Sendable {
  /// The kinds that have a subscriber; an empty request asks for everything.
  var wanted: SensorKinds
  /// Hz; nil = as fast as the device can.
  var rate: Double?
  /// How long records may lie in the buffer.
  var latency: SensorDuration
  /// Records before the kernel wakes us; nil = by latency.
  var watermark: Int?
  /// What presses on a pressure sensor.
  var medium: PressureSample.Medium

  /// A pressure sensor is never read faster than this, Hz: altimeter and submersion filter down to 1 and 3 Hz (BAR-6).
  static let pressureRate = 25.0

  init(request: SensorRequest, options: IIOOptions, medium: PressureSample.Medium) {
    wanted = request.kinds.isEmpty ? SensorKinds(rawValue: .max) : request.kinds
    let interval = request.interval.seconds
    rate = options.rate ?? (interval > 0 ? 1 / interval : nil)
    latency = request.latency
    watermark = options.watermark
    self.medium = medium
  }

  /// What of a device is wanted.
  func quantities(of device: IIODevice) -> [IIOQuantity] {
    let isWater = medium == .water
    // The sensor's own temperature belongs into the samples of its pressure; that of an inertial chip is not
    // that of the surroundings.
    let hasPressure = device.quantities.contains(.pressure)
    return device.quantities.filter { quantity in
      switch quantity {
      case .temperature:
        hasPressure && !wanted.isDisjoint(with: [.temperature, IIOQuantity.pressure.kind(isInWater: isWater)])
      default: wanted.contains(quantity.kind(isInWater: isWater))
      }
    }
  }

  /// Hz to ask a device for.
  func wish(for quantities: [IIOQuantity]) -> Double? {
    let isPressureOnly = quantities.allSatisfy { $0 == .pressure || $0 == .temperature }
    return isPressureOnly ? min(rate ?? Self.pressureRate, Self.pressureRate) : rate
  }

  /// True when a device keeps its settings under another plan: one more or one less subscriber then costs no sample.
  func asksTheSame(of device: IIODevice, as other: IIOPlan) -> Bool {
    let (mine, others) = (quantities(of: device), other.quantities(of: device))
    return latency == other.latency && watermark == other.watermark && wish(for: mine) == other.wish(for: others)
      && mine.isEmpty == others.isEmpty
  }
}
