// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// The motion of a head that wears AirPods or Beats, over Apple's accessory protocol on a Bluetooth socket.
///
/// ```swift
/// let source = try AirPodsSource(device: "AA:BB:CC:DD:EE:FF", options: ["rate": "25"])
/// ```
///
/// The buds fuse their own motion; this source adds the rotation from the active bud to the head, a generic one that is
/// levelled in the first still second, and maps the time to our clock. One bud is active at a time. When the other one
/// takes over, the azimuth is kept and the mount levelled again; the jump is counted
/// (`HeadphoneStatus.discontinuities`).
///
/// Headphones that are out of range, in their case or owned by another host are not a failure: the source reports that
/// they are not connected, says in `status` what to do, and retries with increasing delay. A wrong address and a
/// system without Bluetooth are failures.
///
/// The protocol is unofficial: this is written from public descriptions and captures, and tested with simulated
/// AirPods; not on hardware. AirPods is a trademark of Apple Inc., which is not involved in this project.
public final class AirPodsSource: SensorSource, HeadphoneReporting {
  /// What is kept between runs.
  struct State {
    var status = HeadphoneStatus(protocolName: AirPodsSource.protocolName)
    var statistics = SourceStatistics()
    var memory = AirPodsLink.Memory()
  }

  /// The headphones: their motion, and reports of the connection.
  public let info: SensorInfo
  /// How it reads.
  package let options: AirPodsOptions
  let device: String?
  let connector: any AirPodsConnector
  let state = Lock(State())

  static let protocolName = "AAP over L2CAP"

  /// Headphones of an address (`AA:BB:CC:DD:EE:FF`); empty = those that are connected to this computer.
  ///
  /// The options are those of a URI such as `airpods:?rate=25`: `rate` (`50`, `25`), `mount` (`generic`, `bud`, or
  /// a quaternion bud → head `W:X:Y:Z`), `ear` (`auto`, or `off`: connected whether worn or not), and `ownership`
  /// (`yes`, `no`). Throws for an invalid address or option; nothing is sent before a run.
  public convenience init(device: String, options: [String: String] = [:]) throws(SensorError) {
    try self.init(device: device, connector: L2CAPConnector(), options: options)
  }

  /// The same over a connector of the caller's own.
  package init(
    device: String, connector: any AirPodsConnector, options: [String: String] = [:]
  ) throws(SensorError) {
    self.options = try AirPodsOptions(options)
    if device.isEmpty {
      self.device = nil
    } else {
      guard let address = BluetoothAddress(device) else { throw AirPodsProblem.badAddress(device) }
      self.device = address.text
    }
    self.connector = connector
    info = SensorInfo(
      name: "AirPods", origin: .hardware, pacing: .live, deviceClass: .headphones,
      channels: [.init(kind: .motion, rates: [Double(self.options.rate)]), .init(kind: .connection)],
      fusedReference: .xArbitrary, identity: self.device)
  }

  package var status: HeadphoneStatus { state.withLock { $0.status } }

  /// What happened in the runs so far.
  package var statistics: SourceStatistics { state.withLock { $0.statistics } }

  /// Delivers motion and reports of the connection until the session stops.
  public func run(_ session: SensorSession) throws {
    var run = AirPodsRun(source: self, session: session)
    try run.deliverAll()
  }
}

/// How an ``AirPodsSource`` reads.
package struct AirPodsOptions: SourceSettings {
  /// Which rotation from the bud to the head is used.
  package enum Mount: Sendable, Hashable {
    /// The generic one, levelled in the first still second. The default.
    case generic
    /// None: the axes are those of the bud.
    case bud
    /// This one, for both sides.
    case fixed(HeadMount)
  }

  /// Whether the headphones' own ear detection decides what counts as connected.
  package enum EarDetection: String, Sendable, Hashable, CaseIterable {
    /// The setting of the headphones. The default.
    case automatic = "auto"
    /// They count as worn in any case.
    case off
  }

  /// Samples a second: 50 or 25. Default 50.
  package var rate = 50
  /// Default: generic.
  package var mount = Mount.generic
  /// Default: automatic.
  package var ear = EarDetection.automatic
  /// Whether this computer takes the headphones over from another one when they send nothing. Default: no.
  package var takesOwnership = false

  /// The defaults.
  package init() {}

  /// Those of a URI such as `airpods:?rate=25`: `rate`, `mount` (`generic`, `bud`, or a quaternion bud → head
  /// `W:X:Y:Z`), `ear` (`auto`, or `off`: connected whether worn or not), and `ownership` (`yes`, `no`).
  package static let table = SourceOptions<AirPodsOptions>(
    "AirPods",
    [
      .choice("rate", ["50": 50, "25": 25], default: "50 Hz") { $0.rate = $1 },
      .value(
        "mount", "generic, bud, or a quaternion W:X:Y:Z from the bud to the head", default: "generic",
        parse: Self.mount
      ) { $0.mount = $1 },
      .choice("ear", EarDetection.self, default: "auto") { $0.ear = $1 },
      .yesOrNo("ownership", default: "no") { $0.takesOwnership = $1 },
    ])

  @Sendable private static func mount(_ text: String) -> Mount? {
    switch text {
    case "bud": return .bud
    case "generic": return .generic
    default:
      let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
      guard numbers.count == 4, abs(numbers.reduce(0) { $0 + $1 * $1 } - 1) < 0.02,
        let rotation = HeadMount(w: numbers[0], x: numbers[1], y: numbers[2], z: numbers[3])
      else { return nil }
      return .fixed(rotation)
    }
  }
}

/// One run of an ``AirPodsSource``: one thread, which waits for the channel, the session's signal and the link's
/// deadline.
struct AirPodsRun {
  private let source: AirPodsSource
  private let session: SensorSession
  private var link: AirPodsLink
  private var channel: (any AirPodsChannel)?
  /// What is being done; its memory goes back and forth between the link and here, so that a sample costs none.
  private var batch: [AirPodsLink.Action] = []
  private var buffer = [UInt8](repeating: 0, count: Int(L2CAPConnector.inboundMTU) + 1)

  init(source: AirPodsSource, session: SensorSession) {
    self.source = source
    self.session = session
    let stored = source.state.withLock { $0 }
    link = AirPodsLink(options: source.options, memory: stored.memory, statistics: stored.statistics)
  }

  mutating func deliverAll() throws {
    defer { finish() }
    link.begin()
    while true {
      link.request(motion: session.request.kinds != .connection, at: session.clock.now)
      try perform()
      publish()
      wait()
      if session.isStopped { throw SourceStopped() }
      try readAll()
      link.tick(at: session.clock.now)
    }
  }

  private func wait() {
    if let channel { return channel.wait(until: link.deadline, session: session) }
    if link.deadline.nanoseconds == .max {
      _ = session.wake.wait(limit: nil)
    } else {
      _ = session.clock.wait(until: link.deadline, wake: session.wake)
    }
  }

  /// Does what the link wants, in order; an open channel may lead to more.
  private mutating func perform() throws {
    while !link.actions.isEmpty {
      swap(&batch, &link.actions)
      defer { batch.removeAll(keepingCapacity: true) }
      for index in batch.indices { try perform(batch[index]) }
    }
  }

  private mutating func perform(_ action: AirPodsLink.Action) throws {
    switch action {
    case .open:
      publish()
      do {
        let opened = try source.connector.connect(to: source.device, session: session)
        channel = opened
        link.opened(address: opened.address, at: session.clock.now)
      } catch let error as SensorError {
        // Waiting fixes neither a mistake in the address nor a system that denies access.
        guard [.disconnected, .busy, .notFound].contains(error.code) else { throw error }
        link.failed(error, at: session.clock.now)
      }
    case .send(let packet):
      do { try channel?.write(packet) } catch { lose(error) }
    case .close: closeChannel()
    case .report(let connection): try session.report(connection)
    case .deliver(let sample):
      guard session.resumeAfter.map({ sample.time > $0 }) ?? true else { return }
      try session.deliver(.motion(sample))
    }
  }

  /// Everything that has arrived; each packet's samples go on before the next one is read.
  private mutating func readAll() throws {
    while let channel {
      if session.isStopped { throw SourceStopped() }
      let count: Int?
      do { count = try channel.read(into: &buffer) } catch {
        lose(error)
        return
      }
      guard let count else { return }
      link.received(buffer[..<min(count, buffer.count)], at: session.clock.now)
      try perform()
    }
  }

  private mutating func lose(_ error: SensorError) {
    guard channel != nil else { return }
    closeChannel()
    link.failed(error, at: session.clock.now)
  }

  private mutating func closeChannel() {
    channel?.close()
    channel = nil
  }

  private func publish() {
    source.state.withLock { state in
      state.status = link.status
      state.statistics = link.statistics
    }
  }

  /// Interval 0 is sent in any case: a stream that is not stopped empties the batteries of the buds.
  private mutating func finish() {
    link.end()
    for action in link.drainActions() {
      if case .send(let packet) = action { try? channel?.write(packet) }
    }
    closeChannel()
    publish()
    source.state.withLock { $0.memory = link.memory }
  }
}
