// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import LinuxSources
import MotionMath
import MotionSensing

/// The conversation: what comes in, and the packets of state that go out.
extension AirPodsEngine {
  /// A packet of the client.
  mutating func receive(_ packet: [UInt8], at now: SensorInstant) {
    advance(to: now)
    guard isOpen, packet.count >= 6 else { return }
    if packet.prefix(4) == [0, 0, 4, 0] { return greet(at: now) }
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

  private mutating func greet(at now: SensorInstant) {
    let answer: [UInt8] = [1, 0, 4, 0, 0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    send(answer, at: now + delay(configuration.answerDelay))
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

  /// A packet is given to the socket; those with one report, of 80 bytes or a few more, are noted.
  mutating func noteSending(_ packet: [UInt8], at now: SensorInstant) {
    guard (78..<100).contains(packet.count), packet[4] == 0x17, log.sendingTimes.count < 100_000 else { return }
    log.sendingTimes.append(now)
  }

  mutating func sendEar(at now: SensorInstant) { send([4, 0, 4, 0, 6, 0, wear.0, wear.1], at: now) }

  mutating func sendRole(at now: SensorInstant) {
    send([4, 0, 4, 0, 8, 0, side == .headphoneLeft ? 1 : 2, 0, 1, 0], at: now)
  }

  mutating func sendControl(at now: SensorInstant) {
    send([4, 0, 4, 0, 9, 0, 0x0A, detectsWearing ? 1 : 2, 0, 0, 0], at: now)
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
    let speaking: UInt8 = faults.hasServiceFourteenOnly ? 14 : 16
    // In their case they do not listen.
    guard !faults.isUnencrypted, service == speaking, wear != (2, 2) else { return }
    let first = now + delay(configuration.acknowledgeDelay)
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
