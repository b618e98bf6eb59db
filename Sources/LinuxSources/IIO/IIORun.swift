// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import Glibc
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
  private var samples: [SensorSample] = []
  /// How many of them may go out; the rest was measured while the devices were being read.
  private var ready = 0
  /// Of each kind, by its bit.
  private var lastTimes = [SensorInstant?](repeating: nil, count: UInt16.bitWidth)
  private var statistics = IIOStatistics()

  /// Without a batch to wait for, how long a silent device is believed to be there.
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
      let hungUp = try wait()
      let isChanged = try takeOverRequest()
      try readAll(isChanged ? [] : hungUp)
      publish()
      for index in 0..<ready where isNew(samples[index]) { try session.deliver(samples[index]) }
      samples.removeFirst(ready)
    }
  }

  private mutating func publish() {
    source.state.withLock { $0 = statistics }
  }

  // MARK: Opening and closing

  /// Down the ladder for each device: its buffer, else polling, else the error (spec PERM-2).
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

  /// A changed request sets those devices up anew from which it asks something else: lengths and watermarks cannot be changed while a
  /// buffer is on (spec IIO-10). The others go on.
  ///
  /// True when anything has changed.
  private mutating func takeOverRequest() throws -> Bool {
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

  /// Waits for records, a pass that is due, a stop or a request; true per buffer whose other end is gone.
  private mutating func wait() throws -> [Bool] {
    if session.isStopped { throw SourceStopped() }
    var descriptors = [pollfd(fd: session.wake.descriptor, events: Int16(POLLIN), revents: 0)]
    descriptors += buffers.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    let ready = motion_ppoll(&descriptors, UInt(descriptors.count), limit)
    statistics.wakes += 1
    if ready > 0, descriptors[0].revents != 0 { session.wake.drain() }
    if session.isStopped { throw SourceStopped() }
    return descriptors.dropFirst().map { Int32($0.revents) & (POLLHUP | POLLERR) != 0 }
  }

  /// Nanoseconds that a wait may take; negative = until the session's signal.
  private var limit: Int64 {
    if !samples.isEmpty { return 0 }
    if buffers.isEmpty, polls.isEmpty { return -1 }
    var limit = Int64.max
    if !buffers.isEmpty {
      // A batch that is cut short by an early look wakes us twice; so there is half a batch of patience.
      let longest = buffers.map { Double($0.watermark) / $0.rate }.max() ?? 0
      limit = Self.quiet.nanoseconds + (SensorDuration(seconds: longest * 1.5) ?? .zero).nanoseconds
    }
    let now = session.clock.now
    for stream in polls { limit = min(limit, max(0, (stream.due - now).nanoseconds)) }
    return limit
  }

  /// Reads every device, whichever woke us, so that their samples come out in the order of time.
  ///
  /// A device that was found empty may have measured by the time another one is read, if this thread had to wait in between. So what
  /// is younger than the beginning of the pass stays for the next one, which follows at once, and goes out then in any case.
  private mutating func readAll(_ hungUp: [Bool]) throws(SensorError) {
    let clock = session.clock
    for index in polls.indices {
      try polls[index].read(into: &samples, now: { clock.now }, statistics: &statistics)
    }
    let isMerging = !buffers.isEmpty && buffers.count + polls.count > 1
    var horizon = isMerging ? clock.now : SensorInstant(nanoseconds: .max)
    if let carried = samples.last { horizon = max(horizon, carried.time) }
    var index = 0
    while index < buffers.count {
      do throws(SensorError) {
        try buffers[index].read(
          into: &samples, hasHungUp: index < hungUp.count && hungUp[index], now: { clock.now }, statistics: &statistics)
        index += 1
      } catch {
        // Taken away by somebody else: polling still works beside them.
        guard error.code == .busy, source.options.reading == .automatic else { throw error }
        statistics.note(error)
        var lost = buffers.remove(at: index)
        lost.close()
        polls.append(try IIOPollStream(lost.device, plan: plan, now: clock.now))
      }
    }
    samples.sort { $0.time < $1.time }
    ready = samples.firstIndex { $0.time > horizon } ?? samples.count
  }

  /// False for what an earlier run has delivered, and for what does not come after its predecessor: a buffer that was set up anew, or
  /// became a polled one, may overlap with itself by a moment.
  private mutating func isNew(_ sample: SensorSample) -> Bool {
    if let resumeAfter = session.resumeAfter, sample.time <= resumeAfter { return false }
    let kinds = sample.kinds.rawValue
    for bit in lastTimes.indices where kinds >> bit & 1 == 1 {
      guard let last = lastTimes[bit], sample.time <= last else { continue }
      statistics.backwards += 1
      return false
    }
    for bit in lastTimes.indices where kinds >> bit & 1 == 1 { lastTimes[bit] = sample.time }
    return true
  }
}
