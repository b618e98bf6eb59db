// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import LinuxSources
import MotionMath
import MotionSensing
import SimulatedSources

/// The buds as a value: packets and the time go in, packets that are due come out.
struct AirPodsEngine: Sendable {
  struct Stream: Sendable {
    var service: UInt8
    var start: SensorInstant
    /// Steps of the fusion between reports.
    var steps: Int64
    var index: Int64 = 0

    /// One step of the fusion, 199 Hz.
    static let step = SensorDuration(nanoseconds: 5_023_000)

    var next: SensorInstant { start + SensorDuration(nanoseconds: index * steps * Self.step.nanoseconds) }
  }

  let trajectory: any Trajectory
  let configuration: AirPodsPeer.Configuration
  var log = AirPodsPeer.Log()
  /// Trajectory time 0: the first channel.
  var epoch: SensorInstant?
  var isOpen = false
  /// Goes up with each channel: what an earlier one still does, does not count.
  private(set) var channel = 0
  /// Due packets in order of time; an empty one closes the channel.
  var queue: [(due: SensorInstant, packet: [UInt8])] = []
  var stream: Stream?
  var hasDescribed = false
  var isOwned: Bool
  var wear: (UInt8, UInt8)
  var detectsWearing: Bool
  var side: FusedMotionSample.Location
  private var events: ArraySlice<AirPodsPeer.Event>
  private var unreachableUntil: SensorInstant?
  var sequence: UInt64
  var reportCount = 0
  var smoothed: (time: SensorInstant, value: Vector3<Chip>)?
  /// A report that waits for its twin.
  var held: [UInt8]?

  init(trajectory: any Trajectory, configuration: AirPodsPeer.Configuration) {
    self.trajectory = trajectory
    self.configuration = configuration
    isOwned = !configuration.faults.belongsToAnotherHost
    wear = configuration.isWorn ? (0, 0) : (1, 1)
    detectsWearing = configuration.detectsWearing
    side = configuration.side
    sequence = configuration.firstSequence
    let ordered = configuration.events.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    events = ordered.map(\.element)[...]
  }

  // MARK: The channel

  /// A client connects: an error number, or nil.
  mutating func open(at now: SensorInstant) -> Int32? {
    if epoch == nil { epoch = now }
    advance(to: now)
    log.openings.append(seconds(now))
    if let until = unreachableUntil, now < until { return 112 }
    unreachableUntil = nil
    (isOpen, stream, queue, held) = (true, nil, [], nil)
    channel += 1
    return nil
  }

  mutating func close() { (isOpen, stream, queue) = (false, nil, []) }

  /// The next packet that is due; an empty one = the channel is closed.
  mutating func next(at now: SensorInstant) -> [UInt8]? {
    advance(to: now)
    guard let first = queue.first, first.due <= now else { return isOpen ? nil : [] }
    queue.removeFirst()
    if first.packet.isEmpty { isOpen = false }
    return first.packet
  }

  /// When there will be something to do.
  var deadline: SensorInstant {
    var times = [queue.first?.due, stream?.next].compactMap(\.self)
    if let event = events.first { times.append(instant(event.time)) }
    return times.min() ?? SensorInstant(nanoseconds: .max)
  }

  mutating func send(_ packet: [UInt8], at due: SensorInstant) {
    guard isOpen, !configuration.faults.hasAnotherClient || packet.isEmpty else { return }
    // A channel keeps its order.
    queue.append((max(due, queue.last?.due ?? due), packet))
  }

  // MARK: Time

  func instant(_ seconds: Double) -> SensorInstant {
    (epoch ?? SensorInstant(nanoseconds: 0)) + (SensorDuration(seconds: seconds) ?? .zero)
  }

  func seconds(_ time: SensorInstant) -> Double { epoch.map { (time - $0).seconds } ?? 0 }

  /// Lets everything happen that happens until `now`, in order.
  mutating func advance(to now: SensorInstant) {
    while true {
      let event = events.first.map { instant($0.time) }
      let report = stream?.next
      if let event, event <= now, report.map({ event <= $0 }) ?? true {
        apply(events.removeFirst().action, at: event)
      } else if let report, report <= now {
        stream?.index += 1
        sendReport(at: report)
      } else {
        return
      }
    }
  }

  private mutating func apply(_ action: AirPodsPeer.Event.Action, at time: SensorInstant) {
    switch action {
    case .ear(let primary, let secondary): setWear(primary, secondary, at: time)
    case .takeOff: setWear(1, 1, at: time)
    case .putOn: setWear(0, 0, at: time)
    case .swapRoles:
      side = side == .headphoneLeft ? .headphoneRight : .headphoneLeft
      wear = (wear.1, wear.0)
      smoothed = nil
      sendRole(at: time)
      sendEar(at: time)
    case .earDetection(let isOn):
      detectsWearing = isOn
      sendControl(at: time)
    case .loseLink(let seconds): loseLink(for: seconds, at: time)
    case .loseLinkInReport(let seconds):
      let report = reportPacket(at: time, service: stream?.service ?? 16)
      send(Array(report.prefix(report.count / 2)), at: time)
      loseLink(for: seconds, at: time)
    }
  }

  private mutating func loseLink(for seconds: Double, at time: SensorInstant) {
    send([], at: time)
    stream = nil
    hasDescribed = false
    unreachableUntil = time + (SensorDuration(seconds: seconds) ?? .zero)
  }

  private mutating func setWear(_ primary: UInt8, _ secondary: UInt8, at time: SensorInstant) {
    wear = (primary, secondary)
    sendEar(at: time)
    if !isWorn { stream = nil }
  }

  /// Buds that nobody wears send no motion, where they notice.
  var isWorn: Bool { wear.0 == 0 || wear.1 == 0 || !detectsWearing }
}
