// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// The conversation with a pair of AirPods, as a value: events and the time go in, actions come out.
///
/// It knows no socket and no clock. Its driver performs what ``drainActions()`` returns, in order, and calls
/// ``tick(at:)`` when ``deadline`` has come.
///
/// ```
/// opening ─ opened → handshake ─ answer → ready ─ wanted and worn → starting ─ report → streaming
///    ↑                   │ 2 s                        ↑  │ all services silent    ↑        │ 1 s of silence
///    └── pause ← failed ─┘               worn, 4/30 s ┴ waitingToBeWorn           └ stalled ┘
/// ```
package struct AirPodsLink: Sendable {
  /// An action for the driver.
  package enum Action: Sendable {
    /// Open a channel, and say whether it went well.
    case open
    case send([UInt8])
    case close
    case report(ConnectionState)
    case deliver(MotionRow)
  }

  /// Durations, as observed on real devices.
  package struct Times: Sendable {
    package var answer = SensorDuration.seconds(2)
    package var firstReport = SensorDuration.milliseconds(1800)
    package var silence = SensorDuration.seconds(1)
    package var askAgain = SensorDuration.seconds(4)
    package var askAgainUnworn = SensorDuration.seconds(30)
    package var pauses: [SensorDuration] = [.milliseconds(1500), .seconds(2), .seconds(5), .seconds(10), .seconds(30)]
    package var pauseUnreachable = SensorDuration.seconds(10)
    /// Between looks whether headphones are connected to this computer at all.
    package var look = SensorDuration.seconds(2)
    package init() {}
  }

  /// What is kept about the device for the next run.
  package struct Memory: Sendable {
    var address: String?
    var services: [UInt8: ServiceDescriptor] = [:]
    var information: AirPodsInformation?
    /// The service that has sent motion.
    var workingService: UInt8?
    package init() {}
  }

  package let options: AirPodsOptions
  let times: Times
  package internal(set) var status: HeadphoneStatus
  package internal(set) var statistics: SourceStatistics
  package internal(set) var memory: Memory
  /// When ``tick(at:)`` has to be called at the latest.
  package internal(set) var deadline = SensorInstant(nanoseconds: .max)

  var actions: [Action] = []
  var wantsMotion = false
  var pauseIndex = 0
  /// Services still to be tried in this round.
  var candidates: ArraySlice<UInt8> = []
  /// The one that has been asked for motion.
  var asked: UInt8?
  var sequence: UInt64 = 115
  /// Whether anything but the answer to the connect packet has come on this channel.
  var hasHeardState = false
  var reported: ConnectionState?
  /// Whether the mount in use belongs to the active bud.
  var hasMount = false
  var motion = HeadMotion()
  var clock = DeviceClock(keeper: .bud)
  /// Those of the clock that have been counted.
  var anchorings = 0
  var counter: UInt32?

  package init(
    options: AirPodsOptions, memory: Memory = Memory(), statistics: SourceStatistics = SourceStatistics(),
    times: Times = Times()
  ) {
    (self.options, self.memory, self.statistics, self.times) = (options, memory, statistics, times)
    status = HeadphoneStatus(protocolName: AirPodsSource.protocolName)
  }

  /// What has to be done now; the list is empty afterwards.
  package mutating func drainActions() -> [Action] {
    exchange(&actions, with: [])
  }

  // MARK: Events

  /// The run begins.
  package mutating func begin() {
    reported = nil
    report()
    open()
  }

  /// Whether motion is wanted.
  package mutating func request(motion isWanted: Bool, at now: SensorInstant) {
    guard isWanted != wantsMotion else { return }
    wantsMotion = isWanted
    guard isReady else { return }
    if isWanted { startIfWorn(at: now) } else { endMotion() }
  }

  /// The channel is open.
  package mutating func opened(address: String?, at now: SensorInstant) {
    if memory.address != address { memory = Memory() }
    memory.address = address
    status.address = address
    applyInformation()
    status.phase = .handshake
    hasHeardState = false
    actions.append(.send(AirPodsCommand.connect))
    deadline = now + times.answer
  }

  /// The channel could not be opened, or is lost.
  package mutating func failed(_ error: SensorError, at now: SensorInstant) {
    statistics.failures += 1
    status.problem = error
    (asked, candidates) = (nil, [])
    // What was said about the state held for this link.
    (status.wear, status.primarySide, status.detectsWearing) = (nil, nil, nil)
    hasMount = false
    if error.code == .notFound {
      status.phase = .idle
      deadline = now + times.look
    } else {
      status.phase = .backingOff
      var pause = times.pauses[min(pauseIndex, times.pauses.count - 1)]
      pauseIndex += 1
      if error.errno == Self.hostIsDown { pause = max(pause, times.pauseUnreachable) }
      deadline = now + pause
    }
    report()
  }

  /// EHOSTDOWN of Linux: the radio has paged for about five seconds without an answer.
  private static let hostIsDown: Int32 = 112

  /// Time has passed.
  package mutating func tick(at now: SensorInstant) {
    guard now >= deadline else { return }
    deadline = SensorInstant(nanoseconds: .max)
    switch status.phase {
    case .idle, .backingOff: open()
    case .handshake: giveUp(AirPodsProblem.noAnswer, at: now)
    case .starting: tryNextService(at: now)
    case .waitingToBeWorn: start(at: now)
    case .streaming:
      statistics.stalls += 1
      status.phase = .stalled
      start(at: now)
    case .opening, .ready, .stalled: break
    }
  }

  /// The run ends, and the buds must stop sending.
  package mutating func end() {
    endMotion()
    if isOpen { actions.append(.close) }
    status.phase = .idle
  }

  // MARK: Helpers

  var isOpen: Bool { status.phase != .idle && status.phase != .backingOff && status.phase != .opening }
  var isReady: Bool { isOpen && status.phase != .handshake }

  private mutating func open() {
    statistics.openings += 1
    status.phase = .opening
    deadline = SensorInstant(nanoseconds: .max)
    actions.append(.open)
  }

  /// Closes a channel that is of no use.
  mutating func giveUp(_ error: SensorError, at now: SensorInstant) {
    actions.append(.close)
    failed(error, at: now)
  }

  /// Tells what has changed of the connection. Where the device has not said whether it is worn, its motion says so.
  mutating func report() {
    let counts =
      options.ear == .off || status.detectsWearing == false || (status.isWorn ?? (status.phase == .streaming))
    let connection = ConnectionState(isConnected: isReady && counts, location: status.activeSide ?? .device)
    guard connection != reported else { return }
    reported = connection
    actions.append(.report(connection))
  }
}

/// Packets of the buds.
extension AirPodsLink {
  /// One read of the channel: a packet, or several sensor packets.
  package mutating func received(_ bytes: ArraySlice<UInt8>, at now: SensorInstant) {
    var bytes = PacketBytes(bytes)
    while isOpen, let packet = AirPodsPacket.next(&bytes) {
      statistics.packets += 1
      handle(packet, at: now)
    }
  }

  private mutating func handle(_ packet: AirPodsPacket, at now: SensorInstant) {
    switch packet {
    case .connectResponse(let result): answered(result, at: now)
    case .disconnect: giveUp(AirPodsProblem.closed, at: now)
    case .malformed: statistics.malformed += 1
    case .battery(let batteries):
      hasHeardState = true
      status.batteries = batteries
    case .ear(let primary, let secondary):
      hasHeardState = true
      let (wasWorn, couldBeWorn) = (status.isWorn, mayBeWorn)
      status.wear = .init(primary, secondary)
      wearChanged(from: wasWorn, couldBeWorn: couldBeWorn, at: now)
    case .control(let id, let value):
      hasHeardState = true
      guard id == AirPodsPacket.earDetectionControl, value == 1 || value == 2 else { return }
      let couldBeWorn = mayBeWorn
      status.detectsWearing = value == 1
      wearChanged(from: status.isWorn, couldBeWorn: couldBeWorn, at: now)
    case .role(let role): roleChanged(role)
    case .information(let information):
      hasHeardState = true
      memory.information = information
      applyInformation()
      updateSide()
    case .sensor(let message): handle(message, at: now)
    case .other: break
    }
  }

  private mutating func answered(_ result: UInt16, at now: SensorInstant) {
    guard status.phase == .handshake else { return }
    guard result == 0 else { return giveUp(AirPodsProblem.rejected, at: now) }
    pauseIndex = 0
    status.problem = nil
    status.phase = .ready
    deadline = SensorInstant(nanoseconds: .max)
    actions.append(.send(AirPodsCommand.capabilities))
    actions.append(.send(AirPodsCommand.notifications))
    report()
    startIfWorn(at: now)
  }

  private mutating func wearChanged(from wasWorn: Bool?, couldBeWorn: Bool, at now: SensorInstant) {
    guard isReady else { return }
    let isWorn = status.isWorn
    if wantsMotion, mayBeWorn, status.phase == .waitingToBeWorn {
      // They were not worn when they were asked; now they are, or may be.
      if !couldBeWorn || wasWorn != isWorn { start(at: now) }
    } else if wantsMotion, !mayBeWorn, status.phase == .streaming || status.phase == .starting {
      status.phase = .waitingToBeWorn
      status.problem = reasonForSilence
      candidates = []
      deadline = now + times.askAgainUnworn
    }
    if wasWorn == false, isWorn == true {
      status.problem = nil
      // Put in again, a bud may sit differently, and its azimuth starts again.
      motion.jump()
    }
    report()
  }

  private mutating func roleChanged(_ role: UInt8) {
    guard let side = [1: MotionRow.Location.headphoneLeft, 2: .headphoneRight][role] else { return }
    let isChange = status.primarySide != nil && status.primarySide != side
    status.primarySide = side
    // Of the role and the serial number the later word counts.
    if isChange { activate(side) } else { updateSide() }
  }

  private mutating func handle(_ message: SensorMessage, at now: SensorInstant) {
    for descriptor in message.descriptors {
      memory.services[descriptor.id] = descriptor
      if descriptor.name == ServiceDescriptor.motionService, let side = sideBySerial { activate(side) }
    }
    if let report = message.report { handle(report, at: now) }
  }

  // MARK: Which bud

  /// The serial number of the bud that sends motion, as its service states it.
  var activeSerial: String? {
    memory.services.values.first { $0.name == ServiceDescriptor.motionService }?.serialNumber
  }

  private var sideBySerial: MotionRow.Location? {
    guard let serial = activeSerial, let information = memory.information else { return nil }
    if serial == information.leftSerial { return .headphoneLeft }
    if serial == information.rightSerial { return .headphoneRight }
    return nil
  }

  /// If the active bud is not known yet, its serial number identifies it, else it is assumed to be the primary one.
  mutating func updateSide() {
    guard status.activeSide == nil, let side = sideBySerial ?? status.primarySide else { return }
    activate(side)
  }

  private mutating func activate(_ side: MotionRow.Location) {
    guard status.activeSide != side else { return }
    status.activeSide = side
    hasMount = false
    motion.jump()
    clock.restart()
    report()
  }

  mutating func applyInformation() {
    guard let information = memory.information else { return }
    status.name = information.name
    status.model = information.modelNumber.map { HeadphoneModel.model(number: $0)?.name ?? $0 }
    status.firmware = information.firmware
  }
}
