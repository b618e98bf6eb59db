// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import SimulatedSources

/// What the peer says of itself, and its reports.
extension HeadTrackerPeer {
  /// The report descriptor, as bytes.
  package var descriptor: [UInt8] {
    var items = Items()
    items.add(0x04, 0x20)  // usage page: sensors
    items.usage(0xE1)
    items.add(0xA0, 1)  // application collection
    items.add(0x84, Int(layout.descriptionID))
    items.range(0, 255)
    items.size(8, count: text.count)
    items.usage(0x0308)
    items.add(0xB0, 3)
    items.size(8, count: 16)
    items.usage(0x0302)
    items.add(0xB0, 3)
    items.add(0x84, Int(layout.controlID))
    items.choice(0x0316, [0x0840, 0x0841])
    items.choice(0x0319, layout.isPowerReversed ? [0x0851, 0x0855] : [0x0855, 0x0851])
    items.add(0xA4)  // push
    items.range(0, layout.hasOneInterval ? 0 : 63)
    items.physical(layout.hasOneInterval ? 40 : 10, layout.hasOneInterval ? 40 : 100)
    items.unit(0x1001, exponent: -3)
    items.size(6, count: 1)
    items.usage(0x030E)
    items.add(0xB0, 2)
    items.add(0xB4)  // pop
    if layout.isVersion2 {
      items.choice(0xF410, [0xF800, 0xF801])
      items.size(7, count: 1)
      items.add(0xB0, 1)  // padding
    }
    items.add(0x84, Int(layout.inputID))
    items.add(0xA4)
    items.range(-limit, limit)
    items.size(layout.bits, count: 3)
    items.physical(-314_159_265, 314_159_265)
    items.unit(0x12, exponent: -8)
    items.usage(0x0544)
    items.add(0x80, 2)
    items.physical(-32, 32)
    items.unit(0xF012, exponent: 0)
    items.usage(0x0545)
    items.add(0x80, 2)
    items.add(0xB4)
    items.range(0, 255)
    items.size(8, count: 1)
    items.usage(0x0546)
    items.add(0x80, 2)
    items.add(0xC0)
    return items.bytes
  }

  private var limit: Int { 1 << (layout.bits - 1) - 1 }

  var text: [UInt8] {
    Array((layout.text ?? (layout.isVersion2 ? "#AndroidHeadTracker#2.0#1" : "#AndroidHeadTracker#1.0")).utf8)
  }

  /// The data of the report with the description: the text, and the mark of headphones with the address.
  var description: [UInt8] {
    text + [UInt8](repeating: 0, count: 8) + Array("BT".utf8)
      + Self.address.split(separator: ":").compactMap { UInt8($0, radix: 16) }
  }

  /// Whether power and reporting are on, and the transport is the one that Linux has.
  func isStreaming(_ state: State) -> Bool {
    let isPowered = (state.control[0] >> 1 & 1 == 1) != layout.isPowerReversed
    return state.isPresent && state.control[0] & 1 == 1 && isPowered
      && (!layout.isVersion2 || state.control[1] & 1 == 0)
  }

  /// s.
  func interval(_ state: State) -> Double {
    layout.hasOneInterval ? 0.04 : 0.01 + Double(state.control[0] >> 2) * 0.09 / 63
  }

  /// The data of a report of motion.
  func report(of truth: TrajectoryState, _ state: State) -> [UInt8] {
    let jump = Rotation<EastNorthUp, EastNorthUp>(aboutZ: state.jumped)
    let attitude = jump * truth.attitude
    let turn = attitude.rotationVector * (layout.isInverse ? -1 : 1)
    let rate = truth.angularVelocity
    let scale = Double(limit)
    let numbers =
      [turn.x, turn.y, turn.z].map { Int(($0 / .pi * scale).rounded()) }
      + [rate.x, rate.y, rate.z].map { Int(($0 / 32 * scale).rounded()) }
    var bits: [Bool] = []
    for number in numbers { for bit in 0..<layout.bits { bits.append(number >> bit & 1 == 1) } }
    var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (index, bit) in bits.enumerated() where bit { bytes[index / 8] |= 1 << UInt8(index % 8) }
    return bytes + [state.counter]
  }
}

/// Items of a descriptor.
private struct Items {
  var bytes: [UInt8] = []

  mutating func add(_ tag: UInt8) { bytes.append(tag) }

  /// A number in as few bytes as it takes, signed.
  mutating func add(_ tag: UInt8, _ value: Int) {
    let size = Int8(exactly: value) != nil ? 1 : Int16(exactly: value) != nil ? 2 : 4
    bytes.append(tag | (size == 4 ? 3 : UInt8(size)))
    for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }

  mutating func usage(_ usage: Int) {
    bytes += [0x0A, UInt8(usage & 0xFF), UInt8(usage >> 8)]
  }
  mutating func range(_ minimum: Int, _ maximum: Int) {
    add(0x14, minimum)
    add(0x24, maximum)
  }
  mutating func physical(_ minimum: Int, _ maximum: Int) {
    add(0x34, minimum)
    add(0x44, maximum)
  }
  mutating func unit(_ unit: Int, exponent: Int) {
    add(0x64, unit)
    add(0x54, exponent & 0xF)
  }
  mutating func size(_ bits: Int, count: Int) {
    add(0x74, bits)
    add(0x94, count)
  }
  /// One bit that chooses between two usages.
  mutating func choice(_ property: Int, _ usages: [Int]) {
    self.usage(property)
    range(0, 1)
    size(1, count: 1)
    add(0xA0, 2)
    for usage in usages { self.usage(usage) }
    add(0xB0, 0)
    add(0xC0)
  }
}
