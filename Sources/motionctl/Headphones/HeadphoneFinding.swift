// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSources
import MotionHost
import MotionSensing

/// What is known of one pair of headphones.
struct HeadphoneFinding: Encodable, Sendable {
  struct Battery: Encodable, Sendable {
    var part: String
    var percent: Int?
    var isCharging: Bool?
  }

  /// What it is called, or what it is.
  var name: String
  var model: String?
  /// Personal: shown only when asked for.
  var address: String?
  /// What to write into MOTION_HEADPHONES; nil = it cannot be opened.
  var source: String?
  /// How it is spoken to; nil = not at all.
  var protocolName: String?
  /// Whether a head can be followed now.
  var canTrack: Bool
  /// Why not, and what to do; nil when it can.
  var reason: String?
  var phase: String?
  var firmware: String?
  var batteries: [Battery] = []
  /// Where the buds are; nil = they do not say.
  var isWorn: Bool?
  var left: String?
  var right: String?
  var detectsWearing: Bool?
  var calibration: String?

  init(
    name: String, model: String? = nil, address: String? = nil, source: String? = nil, protocolName: String? = nil,
    canTrack: Bool, reason: String? = nil
  ) {
    self.name = name
    self.model = model
    self.address = address
    self.source = source
    self.protocolName = protocolName
    self.canTrack = canTrack
    self.reason = reason
  }

  /// What headphones that were asked have said.
  mutating func take(_ status: HeadphoneStatus) {
    name = status.name ?? status.model ?? name
    model = status.model ?? model
    address = status.address ?? address
    if !status.protocolName.isEmpty { protocolName = status.protocolName }
    phase = status.phase.rawValue
    firmware = status.firmware
    batteries = status.batteries.map {
      Battery(part: $0.part.rawValue, percent: $0.percent, isCharging: $0.isCharging)
    }
    isWorn = status.isWorn
    left = status.wear(of: .headphoneLeft)?.rawValue
    right = status.wear(of: .headphoneRight)?.rawValue
    detectsWearing = status.detectsWearing
    calibration = status.calibration.rawValue
  }

  /// Leaves out what tells the device from all others.
  mutating func removeAddress() {
    if let address {
      source = source?.replacing(address, with: "")
      reason = reason?.replacing(address, with: "")
    }
    address = nil
  }

  /// For a person: one line, and what is known below it.
  var lines: [String] {
    let kind = model.flatMap { $0 == name ? nil : " (\($0))" } ?? ""
    let place = address.map { " \($0)" } ?? ""
    let way = protocolName.map { ", \($0)" } ?? ""
    var lines = [
      "\(name)\(kind)\(place): \(canTrack ? "can follow the head\(way)" : "cannot follow the head now\(way)")"
    ]
    if let reason { lines.append("  \(reason)") }
    var words: [String] = []
    for battery in batteries {
      guard let percent = battery.percent else { continue }
      words.append("\(battery.part) battery \(percent) %\(battery.isCharging == true ? ", charging" : "")")
    }
    if let left { words.append("left bud \(left)") }
    if let right { words.append("right bud \(right)") }
    if left == nil, right == nil, let isWorn { words.append(isWorn ? "worn" : "not worn") }
    if let detectsWearing { words.append("ear detection \(detectsWearing ? "on" : "off")") }
    if let calibration { words.append("calibration \(calibration)") }
    if let firmware { words.append("firmware \(firmware)") }
    if !words.isEmpty { lines.append("  " + words.joined(separator: " · ")) }
    if let source, canTrack { lines.append("  MOTION_HEADPHONES=\(source)") }
    return lines
  }
}
