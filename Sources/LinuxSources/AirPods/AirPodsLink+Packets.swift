// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// What the buds say.
extension AirPodsLink {
  /// One read of the channel: a packet, or several sensor packets.
  package mutating func received(_ bytes: ArraySlice<UInt8>, at now: SensorInstant) {
    var bytes = PacketBytes(bytes)
    while isOpen, let packet = AirPodsPacket.next(&bytes) {
      statistics.packets += 1
      take(packet, at: now)
    }
  }

  private mutating func take(_ packet: AirPodsPacket, at now: SensorInstant) {
    switch packet {
    case .connectResponse(let result): greeted(result, at: now)
    case .disconnect: giveUp(AirPodsProblem.closed, at: now)
    case .malformed: statistics.malformedPackets += 1
    case .battery(let batteries):
      hasHeardState = true
      status.batteries = batteries
    case .ear(let primary, let secondary):
      hasHeardState = true
      let (wasWorn, couldBeWorn) = (status.isWorn, mayBeWorn)
      status.wear = (primary, secondary)
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
    case .sensor(let message): take(message, at: now)
    case .other: break
    }
  }

  private mutating func greeted(_ result: UInt16, at now: SensorInstant) {
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
      // Nobody wore them when they were asked; now somebody does, or may.
      if !couldBeWorn || wasWorn != isWorn { start(at: now) }
    } else if wantsMotion, !mayBeWorn, status.phase == .streaming || status.phase == .starting {
      status.phase = .waitingToBeWorn
      status.problem = reasonForSilence
      candidates = []
      deadline = now + times.askAgainUnworn
    }
    if wasWorn == false, isWorn == true {
      status.problem = nil
      // Put in anew, a bud may sit otherwise, and its azimuth begins anew.
      motion.jump()
    }
    report()
  }

  private mutating func roleChanged(_ role: UInt8) {
    let side: FusedMotionSample.Location
    switch role {
    case 1: side = .headphoneLeft
    case 2: side = .headphoneRight
    default: return
    }
    let isChange = status.primarySide != nil && status.primarySide != side
    status.primarySide = side
    // Of the role and the serial number the later word counts.
    if isChange { speak(from: side) } else { updateSide() }
  }

  private mutating func take(_ message: SensorMessage, at now: SensorInstant) {
    for descriptor in message.descriptors {
      memory.services[descriptor.id] = descriptor
      if descriptor.name == ServiceDescriptor.motionService, let side = sideBySerial { speak(from: side) }
    }
    if let report = message.report { take(report, at: now) }
  }

  // MARK: Which bud

  /// The serial number of the bud that sends motion, as its service states it.
  var speakingSerial: String? {
    memory.services.values.first { $0.name == ServiceDescriptor.motionService }?.serialNumber
  }

  private var sideBySerial: FusedMotionSample.Location? {
    guard let serial = speakingSerial, let information = memory.information else { return nil }
    if serial == information.leftSerial { return .headphoneLeft }
    if serial == information.rightSerial { return .headphoneRight }
    return nil
  }

  /// Where it is not known yet which bud speaks, its serial number says so, else the primary bud is taken for it.
  mutating func updateSide() {
    guard status.speakingSide == nil, let side = sideBySerial ?? status.primarySide else { return }
    speak(from: side)
  }

  private mutating func speak(from side: FusedMotionSample.Location) {
    guard status.speakingSide != side else { return }
    status.speakingSide = side
    hasMount = false
    motion.jump()
    clock.restart()
    report()
  }

  mutating func applyInformation() {
    guard let information = memory.information else { return }
    status.name = information.name
    status.model = information.modelNumber.map(AirPodsModel.name)
    status.firmware = information.firmware
  }
}
