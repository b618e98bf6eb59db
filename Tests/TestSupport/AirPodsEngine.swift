// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import HeadphoneSimulation
import HeadphoneSources
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
  var side: MotionRow.Location
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

  private mutating func apply(_ action: AirPodsPeer.Action, at time: SensorInstant) {
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

  /// Buds that are not worn send no motion, where they notice.
  var isWorn: Bool { wear.0 == 0 || wear.1 == 0 || !configuration.detectsWearing }
}

/// The conversation: what comes in, and the packets of state that go out.
extension AirPodsEngine {
  /// A packet of the client.
  mutating func receive(_ packet: [UInt8], at now: SensorInstant) {
    advance(to: now)
    guard isOpen, packet.count >= 6 else { return }
    if packet.prefix(4) == [0, 0, 4, 0] { return connect(at: now) }
    guard packet.prefix(4) == [4, 0, 4, 0] else { return }
    switch packet[4] {
    case 0x01: send([], at: now)
    case 0x0F: describe(at: now)
    case 0x09 where packet.count >= 8 && packet[6] == 6:
      log.ownershipRequests += 1
      isOwned = packet[7] == 1
    case 0x17: setting(packet[...], at: now)
    default: break
    }
  }

  private mutating func connect(at now: SensorInstant) {
    let answer: [UInt8] = [1, 0, 4, 0, 0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    send(answer, at: now + delay(0.02))
  }

  private func delay(_ seconds: Double) -> SensorDuration { SensorDuration(seconds: seconds) ?? .zero }

  /// Everything that the buds push once they are asked to.
  private mutating func describe(at now: SensorInstant) {
    guard !configuration.faults.isUnencrypted else { return }
    let now = now + delay(0.005)
    let words = [
      configuration.name, configuration.modelNumber, "Apple Inc.", "TESTSYSTEM00000000", configuration.firmware,
      configuration.firmware, "1.0.0", "com.apple.accessory.updater.app.71", configuration.leftSerial,
      configuration.rightSerial, "8454624",
    ]
    var strings: [UInt8] = []
    for word in words { strings += Array(word.utf8) + [0] }
    send([4, 0, 4, 0, 0x1D, 0, 2] + AirPodsCommand.bytes(UInt16(strings.count)) + [0, 0] + strings, at: now)
    let right: [UInt8] = [2, 1, 100, 2, 1]
    let left: [UInt8] = [4, 1, 99, 1, 1]
    let buds = side == .headphoneLeft ? left + right : right + left
    send([4, 0, 4, 0, 4, 0, 3] + buds + [8, 1, 17, 2, 1], at: now)
    sendEar(at: now)
    sendRole(at: now)
    sendControl(at: now)
    guard configuration.describesServices, !hasDescribed else { return }
    hasDescribed = true
    sendDescriptor(at: now)
    for service in [16, 17, 18, 19] as [UInt8] where service != 16 || !configuration.faults.hasServiceFourteenOnly {
      sendSensorMessage([0x62, 2, 8, service], at: now + delay(0.02))
    }
  }

  mutating func sendEar(at now: SensorInstant) { send([4, 0, 4, 0, 6, 0, wear.0, wear.1], at: now) }

  mutating func sendRole(at now: SensorInstant) {
    send([4, 0, 4, 0, 8, 0, side == .headphoneLeft ? 1 : 2, 0, 1, 0], at: now)
  }

  mutating func sendControl(at now: SensorInstant) {
    send([4, 0, 4, 0, 9, 0, 0x0A, configuration.detectsWearing ? 1 : 2, 0, 0, 0], at: now)
  }

  private mutating func sendDescriptor(at now: SensorInstant) {
    guard !configuration.faults.hasServiceFourteenOnly else { return }
    let serial = side == .headphoneLeft ? configuration.leftSerial : configuration.rightSerial
    let properties =
      AirPodsCommand.bytes(UInt32(0xD3)) + AirPodsCommand.bytes(UInt32(0x8100_0003))
      + Self.text("AccessoryService") + Self.text("devmotion6") + Self.text("SerialNumber") + Self.text(serial)
      + Self.text("MaxReportSize") + AirPodsCommand.bytes(UInt32(0x8400_0040)) + AirPodsCommand.bytes(UInt64(191))
    let descriptor = [8, 16, 0x12] + AirPodsCommand.varint(UInt64(properties.count)) + properties
    sendSensorMessage([0x2A] + AirPodsCommand.varint(UInt64(descriptor.count)) + descriptor, at: now)
  }

  /// A text of the property list, filled up with bytes that are not zero.
  private static func text(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    let padding = (4 - bytes.count % 4) % 4
    return AirPodsCommand.bytes(UInt32(0x0900_0000) | UInt32(bytes.count)) + bytes + [2, 1, 3].prefix(padding)
  }

  mutating func sendSensorMessage(_ fields: [UInt8], kind: UInt8 = 3, at due: SensorInstant) {
    let body = [8] + AirPodsCommand.varint(sequence) + [0x10, kind] + fields
    sequence += 1
    send(AirPodsCommand.sensorPacket(body), at: due)
  }

  /// A setting of an interval: field 8 with service, operation and value.
  private mutating func setting(_ packet: ArraySlice<UInt8>, at now: SensorInstant) {
    var body = PacketBytes(packet.dropFirst(12))
    var service: UInt8?
    var value: [UInt8] = []
    while let field = ProtobufField(&body) {
      guard field.number == 8, case .bytes(let setting) = field.value else { continue }
      var inner = PacketBytes(setting)
      while let field = ProtobufField(&inner) {
        switch (field.number, field.value) {
        case (1, .number(let id)): service = ServiceDescriptor.id(id)
        case (3, .bytes(let bytes)): value = Array(bytes)
        default: break
        }
      }
    }
    guard let service, value.count == 5, value[0] == 1 else { return }
    let interval = value.dropFirst().reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    log.intervals.append(.init(service: service, microseconds: interval, time: seconds(now)))
    setInterval(interval, of: service, at: now)
  }

  private mutating func setInterval(_ interval: UInt32, of service: UInt8, at now: SensorInstant) {
    let faults = configuration.faults
    let sending: UInt8 = faults.hasServiceFourteenOnly ? 14 : 16
    // In their case they do not listen.
    guard !faults.isUnencrypted, service == sending, wear != (2, 2) else { return }
    let first = now + delay(0.03)
    sendSensorMessage([0x4A, 2, 8, service], at: first)
    guard interval > 0 else {
      stream = nil
      return
    }
    guard isOwned, isWorn, !faults.acknowledgesWithoutData else { return }
    let steps = max(1, Int64((Double(interval) * 1000 / Double(Stream.step.nanoseconds)).rounded()))
    stream = Stream(service: service, start: first, steps: steps)
  }
}

/// The reports of motion: the truth, rounded as the buds round it.
extension AirPodsEngine {
  mutating func sendReport(at time: SensorInstant) {
    guard let stream else { return }
    reportCount += 1
    let faults = configuration.faults
    func isTurn(_ every: Int?) -> Bool { every.map { reportCount % max(1, $0) == 0 } ?? false }
    var packet = reportPacket(at: time, service: stream.service)
    if isTurn(faults.losesEvery) { return }
    if isTurn(faults.truncatesEvery) { packet.removeLast(packet.count / 2) }
    if isTurn(faults.hostileLengthEvery) { packet.replaceSubrange(10..<12, with: [0xFF, 0xFF]) }
    if isTurn(faults.wrongLengthEvery) { packet[10] -= 1 }
    if faults.sendsTwoAtOnce {
      guard let first = held else {
        held = packet
        return
      }
      held = nil
      packet = first + packet
    }
    guard faults.sendsInBursts else { return send(packet, at: time) }
    // The next tenth of a second since the start of the stream.
    let tenth = SensorDuration.milliseconds(100).nanoseconds
    let passed = (time - stream.start).nanoseconds
    send(packet, at: stream.start + SensorDuration(nanoseconds: (passed + tenth - 1) / tenth * tenth))
  }

  /// A whole packet with one report.
  mutating func reportPacket(at time: SensorInstant, service: UInt8) -> [UInt8] {
    let report = report(at: time)
    let faults = configuration.faults
    var fields: [UInt8]
    var kind: UInt8 = 3
    if faults.usesOldEncoding {
      kind = 1
      fields = [0x1A, UInt8(report.count + 2), service, 0] + report
    } else {
      fields = [0x3A, UInt8(report.count + 4), 8, service, 0x1A, UInt8(report.count)] + report
    }
    if faults.surroundsMessages {
      kind = reportCount % 2 == 0 ? 5 : 7
      // A byte that begins no field before the message, and one after it.
      fields = [0x07] + fields + [0x07]
    }
    defer { sequence += 1 }
    return AirPodsCommand.sensorPacket([8] + AirPodsCommand.varint(sequence) + [0x10, kind] + fields)
  }

  private mutating func report(at time: SensorInstant) -> [UInt8] {
    let truth = trajectory.state(at: seconds(time))
    let isLeft = side == .headphoneLeft
    let mount = configuration.mount
    let azimuth = isLeft ? configuration.leftAzimuth : configuration.rightAzimuth
    let head = truth.attitude.relabeled(from: Device.self, to: NorthWestUp.self)
    var bud = Rotation<NorthWestUp, NorthWestUp>(aboutZ: azimuth) * head * mount
    if bud.w < 0 { bud = Rotation(nearUnitW: -bud.w, x: -bud.x, y: -bud.y, z: -bud.z) }
    let toBud = mount.inverse
    let up = truth.attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: standardGravity)
    let acceleration = toBud * ((truth.specificForce - up) / -standardGravity)
    let gravity = smooth(bud.inverse * Vector3<NorthWestUp>(x: 0, y: 0, z: -1030), at: time)
    let passed = time - (epoch ?? time)
    let sensorTime = UInt64(max(0, (Double(passed.nanoseconds) / 1000 * (1 + configuration.clockError)).rounded()))
    let faults = configuration.faults
    let isImpossible = faults.impossibleAttitudeEvery.map { reportCount % max(1, $0) == 0 } ?? false
    let isForeign = faults.foreignRecordEvery.map { reportCount % max(1, $0) == 0 } ?? false
    let q =
      isImpossible ? Vector3<Chip>(x: 32000, y: 32000, z: 32000) : Vector3(x: bud.x, y: bud.y, z: bud.z) * 32768
    let steps = UInt32(truncatingIfNeeded: passed.nanoseconds / Stream.step.nanoseconds)
    return [1] + AirPodsCommand.bytes(66_410_637_380_000 + sensorTime * 1000) + [isForeign ? 9 : 3, 4, 0x43]
      + AirPodsCommand.bytes(2_263_098_954 + sensorTime) + Self.words(q)
      + Self.words(toBud * truth.angularVelocity * 512) + Self.words(Vector3<Chip>(x: -31897, y: 0, z: 0))
      + Self.words(acceleration * 1024) + Self.words(gravity) + AirPodsCommand.bytes(Float(1e-4).bitPattern)
      + AirPodsCommand.bytes(configuration.firstCounter &+ steps)
  }

  /// A low pass of 0.6 s.
  private mutating func smooth(_ value: Vector3<Chip>, at time: SensorInstant) -> Vector3<Chip> {
    var result = value
    if let smoothed {
      let weight = 1 - Scalar.exp(-max(0, (time - smoothed.time).seconds) / 0.6)
      result = smoothed.value + (value - smoothed.value) * weight
    }
    smoothed = (time, result)
    return result
  }

  private static func words(_ v: Vector3<Chip>) -> [UInt8] {
    [v.x, v.y, v.z].flatMap { AirPodsCommand.bytes(Int16(max(-32768, min(32767, $0.rounded())))) }
  }
}
