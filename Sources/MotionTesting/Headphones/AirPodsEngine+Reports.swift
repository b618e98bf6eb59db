// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import LinuxSources
import MotionMath
import MotionSensing
import SimulatedSources

/// The reports of motion: the truth, rounded as the buds round it.
extension AirPodsEngine {
  mutating func sendReport(at time: SensorInstant) {
    guard let stream else { return }
    reportCount += 1
    let faults = configuration.faults
    func isTurn(_ every: Int?) -> Bool { every.map { reportCount % max(1, $0) == 0 } ?? false }
    var packet = reportPacket(at: time, service: stream.service)
    if isTurn(faults.losesEvery) { return }
    log.reports += 1
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
    let mount = isLeft ? configuration.leftMount.rotation : configuration.rightMount.rotation
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
