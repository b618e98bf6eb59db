// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import MotionSensing

/// One run of an ``EvdevSource``: one thread, one `ppoll` over the controller and the session's signal.
struct EvdevRun {
  private let source: EvdevSource
  private let session: SensorSession
  private var device: ControllerDevice
  private var decoder = MotionFrameDecoder()
  private var clock: DeviceClock
  private var statistics: SourceStatistics
  /// What earlier runs have counted.
  private let earlier: SourceStatistics
  /// The kernel keeps 64 events for us: one read empties its queue.
  private var bytes: [UInt8]
  /// False when the kernel stamps by another clock than ours.
  private var hasStamps = true
  private var wanted: SensorKinds

  /// After so long without an event the node is read all the same.
  private static let quiet = SensorDuration.milliseconds(500)

  init(source: EvdevSource, session: SensorSession) {
    self.source = source
    self.session = session
    device = source.device
    clock = DeviceClock(keeper: device.model.keeper)
    earlier = source.statistics
    statistics = earlier
    bytes = [UInt8](repeating: 0, count: 64 * InputEvent.byteCount())
    wanted = Self.wanted(session)
  }

  private static func wanted(_ session: SensorSession) -> SensorKinds {
    let kinds = session.request.kinds
    return kinds.isEmpty ? SensorKinds(rawValue: .max) : kinds
  }

  mutating func deliverAll() throws {
    defer { publish() }
    device = try source.present()
    let descriptor = try EvdevSource.open(device, nodes: source.nodes)
    var fuzz = TemporaryFuzz(descriptor: descriptor, nodes: source.nodes)
    defer {
      fuzz.restore()
      MotionSensing.close(descriptor)
    }
    do { try source.nodes.useMonotonicClock(descriptor) } catch {
      hasStamps = false
      statistics.runsWithoutStamps += 1
    }
    let scale = try EvdevSource.scale(of: device, descriptor: descriptor, map: source.map, nodes: source.nodes)
    if source.options.fuzz == .off {
      do { try fuzz.switchOff(axes: device.hasGyroscope ? 6 : 3) } catch {
        throw EvdevProblem.failure(error, device: device)
      }
    }
    try seed(descriptor)
    while true {
      let hasHungUp = try wait(descriptor)
      wanted = Self.wanted(session)
      try read(descriptor, hasHungUp: hasHungUp, scale: scale)
      publish()
    }
  }

  private mutating func publish() {
    statistics.anchorings = earlier.anchorings + clock.anchorings
    statistics.repeats = earlier.repeats + clock.repeats
    source.state.withLock { $0 = statistics }
  }

  /// Starts with the kernel's values: an axis that does not change sends nothing.
  private mutating func seed(_ descriptor: Int32) throws(SensorError) {
    let axes = try EvdevSource.axes(of: device, descriptor: descriptor, nodes: source.nodes)
    var counts = SIMD8<Int32>(repeating: 0)
    for (code, axis) in axes.enumerated() { counts[code] = axis.value }
    decoder.seed(counts)
  }

  /// Waits for events, a stop or a request; true when the controller was unplugged.
  private mutating func wait(_ descriptor: Int32) throws(SourceStopped) -> Bool {
    if session.isStopped { throw SourceStopped() }
    let found = session.wake.wait(for: descriptor, limit: Self.quiet.nanoseconds)
    statistics.wakes += 1
    if session.isStopped { throw SourceStopped() }
    // An unplugged event device reports it: POLLERR and POLLHUP, then ENODEV (EV-7).
    return found.hasHungUp
  }

  private mutating func read(_ descriptor: Int32, hasHungUp: Bool, scale: ControllerScale) throws {
    while true {
      let count = MotionSensing.read(descriptor, &bytes, bytes.count)
      let failure = errno
      statistics.reads += 1
      if count < 0, failure == EINTR { continue }
      if count < 0, failure == EAGAIN {
        if hasHungUp { throw EvdevProblem.disconnected(device) }
        return
      }
      guard count >= 0 else { throw EvdevProblem.failure(SystemFailure(errno: failure), device: device) }
      guard count > 0 else { throw EvdevProblem.disconnected(device) }
      let size = InputEvent.byteCount()
      for index in 0..<(count / size) {
        try process(InputEvent(in: bytes, at: index * size), descriptor: descriptor, scale: scale)
      }
      // Less than was asked for: the queue is empty.
      if count < bytes.count { return }
    }
  }

  private mutating func process(_ event: InputEvent, descriptor: Int32, scale: ControllerScale) throws {
    switch decoder.append(event) {
    case .pending: break
    case .lost:
      statistics.drops += 1
      try seed(descriptor)
    case .frame(var frame):
      statistics.frames += 1
      if !hasStamps { frame.time = session.clock.now }
      let time = clock.instant(of: frame.deviceTime, arrival: frame.time)
      guard let time, session.resumeAfter.map({ time > $0 }) ?? true else { return }
      if let sample = scale.sample(of: frame, at: time, wanted: wanted) { try session.deliver(sample) }
    }
  }
}
