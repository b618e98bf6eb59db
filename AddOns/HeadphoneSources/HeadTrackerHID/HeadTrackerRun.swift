// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// One run of a ``HeadTrackerSource``: one thread, one `ppoll` over the device and the session's signal.
struct HeadTrackerRun {
  private let source: HeadTrackerSource
  private let session: SensorSession
  private var statistics: SourceStatistics
  private var status: HeadphoneStatus
  private var witness = DirectionWitness()
  private var counter: Int64?
  private var clock = ArrivalClock(period: .milliseconds(10))
  private var last: SensorInstant?
  private var hasBeenConnected = false

  /// How often an absent device is looked for.
  static let search = SensorDuration.seconds(1)
  /// After so long without a report the node is looked at all the same.
  static let quiet = SensorDuration.milliseconds(250)
  /// After so long without a report the device is asked again.
  static let stall = SensorDuration.seconds(2)
  /// How long the kernel may need to remove a device whose link is lost.
  static let parting = SensorDuration.milliseconds(500)

  init(source: HeadTrackerSource, session: SensorSession) {
    self.source = source
    self.session = session
    (statistics, status) = source.state.withLock { ($0.statistics, $0.status) }
    status.problem = nil
  }

  mutating func deliverAll() throws {
    defer {
      status.phase = .idle
      publish()
    }
    while true {
      if session.isStopped { throw SourceStopped() }
      let all = HeadTrackerDevice.all(root: source.options.root)
      if let device = all.first(where: { $0.answers(to: source.wanted) }) { try attend(device) }
      // Missing or disconnected: that is not a failure.
      status.phase = .idle
      status.problem = HeadTrackerProblem.noTracker(source.wanted, known: all, root: source.options.root)
      publish()
      try session.report(ConnectionState(isConnected: false))
      let again = session.clock.now + Self.search
      while !session.isStopped, !session.clock.wait(until: again, wake: session.wake) {}
    }
  }

  private func publish() {
    var (statistics, status) = (statistics, status)
    statistics.anchorings += clock.anchorings
    status.discontinuities = statistics.discontinuities
    source.state.withLock {
      $0.statistics = statistics
      $0.status = status
    }
  }

  /// One connection; returns when the device was disconnected.
  private mutating func attend(_ device: HeadTrackerDevice) throws {
    status.update(from: device)
    status.problem = nil
    status.phase = .opening
    publish()
    guard let node = device.node else { throw HeadTrackerProblem.closed(device) }
    do {
      var channel = HeadTrackerChannel(
        descriptor: try source.nodes.open(node), description: device.description, nodes: source.nodes)
      defer { MotionSensing.close(channel.descriptor) }
      try check(channel, device)
      if hasBeenConnected { statistics.reconnections += 1 }
      hasBeenConnected = true
      counter = nil
      try session.report(ConnectionState(isConnected: true))
      defer { channel.disable() }
      try stream(&channel)
    } catch let failure as SystemFailure {
      if isParting(device, failure) { return }
      if let error = HeadTrackerProblem.failure(failure, device, path: node) { throw error }
    }
  }

  /// Whether a call failed because the link was lost while it waited for the device's answer: the kernel says EIO or
  /// ETIMEDOUT then, as for a device that refuses, and removes the device a moment later.
  private func isParting(_ device: HeadTrackerDevice, _ failure: SystemFailure) -> Bool {
    guard failure.errno == EIO || failure.errno == ETIMEDOUT else { return false }
    let limit = session.clock.now + Self.parting
    while device.isPresent(root: source.options.root) {
      let now = session.clock.now
      guard !session.isStopped, now < limit else { return session.isStopped }
      _ = session.clock.wait(until: now + .milliseconds(20), wake: session.wake)
    }
    return true
  }

  /// A sensor that only looks like a head tracker is not used.
  private func check(_ channel: HeadTrackerChannel, _ device: HeadTrackerDevice) throws {
    guard let text = try channel.protocolText() else { return }
    guard text.hasPrefix("#AndroidHeadTracker#1.") || text.hasPrefix("#AndroidHeadTracker#2.") else {
      throw HeadTrackerProblem.otherProtocol(device, text: String(text.prefix(40)))
    }
  }

  private var isWanted: Bool {
    let kinds = session.request.kinds
    return kinds.isEmpty || kinds.contains(.motion)
  }

  /// s: what is asked of the device. Faster than 100 Hz is faster than the protocol is meant for.
  private var interval: Double {
    source.options.rate.map { 1 / $0 } ?? max(session.request.interval.seconds, 0.01)
  }

  private mutating func stream(_ channel: inout HeadTrackerChannel) throws {
    var asked: Double?
    var heard = session.clock.now
    while true {
      if session.isStopped { throw SourceStopped() }
      if isWanted, asked != interval || session.clock.now - heard > Self.stall {
        if asked == interval { stalled() } else { status.phase = .starting }
        asked = interval
        try start(channel)
        heard = session.clock.now
      } else if !isWanted, asked != nil || status.phase != .ready {
        if asked != nil { channel.disable() }
        asked = nil
        status.phase = .ready
        publish()
      }
      let hasHungUp = session.wake.wait(for: channel.descriptor, limit: Self.quiet.nanoseconds).hasHungUp
      if session.isStopped { throw SourceStopped() }
      let reports = try channel.read()
      let now = session.clock.now
      if asked != nil { for (id, data) in reports { try handle(id, data, at: now, channel.description) } }
      if !reports.isEmpty {
        heard = now
        publish()
      } else if hasHungUp {
        return
      }
    }
  }

  private mutating func stalled() {
    status.phase = .stalled
    status.problem = SensorError(
      .system,
      "The head tracker “\(status.name ?? "")” sends nothing; put the headphones on. Some send motion only while they play sound."
    )
  }

  private mutating func start(_ channel: HeadTrackerChannel) throws {
    statistics.interval = try channel.enable(interval: interval)
    statistics.anchorings += clock.anchorings
    clock = ArrivalClock(period: SensorDuration(seconds: statistics.interval ?? interval) ?? .milliseconds(10))
    publish()
  }

  private mutating func handle(
    _ id: UInt8, _ data: [UInt8], at arrival: SensorInstant, _ device: HeadTrackerDescription
  ) throws {
    // A device may have other reports.
    guard id == device.inputID else { return }
    guard let report = device.decode(id: id, data: data), report.isPlausible else {
      statistics.malformed += 1
      return
    }
    statistics.reports += 1
    let isContinuous = counter == report.discontinuity
    if counter != nil, !isContinuous { statistics.discontinuities += 1 }
    counter = report.discontinuity
    var time = clock.instant(arrival: arrival)
    if let last, time <= last { time = last + SensorDuration(nanoseconds: 1) }
    witness.update(report, at: time, isContinuous: isContinuous)
    if let verdict = witness.verdict { statistics.contradictsDirection = verdict != source.options.direction }
    status.phase = .streaming
    status.problem = statistics.contradictsDirection ? HeadTrackerProblem.otherDirection(source.options.direction) : nil
    last = time
    guard session.resumeAfter.map({ time > $0 }) ?? true else { return }
    try session.deliver(.motion(report.sample(at: time, direction: source.options.direction)))
  }
}
