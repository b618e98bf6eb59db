// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import HeadphoneSources
import LinuxSources
import MotionHost
import MotionSensing
import MotionServices

/// All headphones that this computer knows, each asked what it can do.
package struct HeadphoneSurvey: Encodable, Sendable {
  package enum Verdict: Sendable {
    case canTrack, cannotTrackNow, none
  }

  package var headphones: [HeadphoneFinding]
  /// What keeps all of them from working; nil = nothing.
  package var notice: String?

  package var verdict: Verdict {
    if headphones.contains(where: \.canTrack) { return .canTrack }
    return headphones.isEmpty ? .none : .cannotTrackNow
  }

  static let noAdapter =
    "This computer has no Bluetooth adapter: plug one in, and see that its driver is loaded (dmesg)."

  package var lines: [String] {
    var lines = notice.map { [$0] } ?? []
    for finding in headphones { lines += finding.lines }
    if headphones.isEmpty, notice == nil {
      lines.append("No headphones are known here. Pair some (bluetoothctl scan on, pair, trust), or name a source.")
    }
    return lines
  }

  /// Seconds that headphones have to answer.
  private static let timeout = 4.0

  /// Asks the headphones of an address, or all that there are.
  package static func survey(_ text: String?) throws -> HeadphoneSurvey {
    let environment = ProcessInfo.processInfo.environment["MOTION_HEADPHONES"] ?? ""
    if let text { return HeadphoneSurvey(headphones: [try ask(text)]) }
    var survey = found()
    if !environment.isEmpty, !survey.headphones.contains(where: { $0.source == environment }) {
      survey.headphones.insert(try ask(environment), at: 0)
    }
    return survey
  }

  /// Opens the channel, listens to the connection and to nothing else, and closes it.
  static func ask(_ text: String) throws -> HeadphoneFinding {
    let headphones = try SourceSelection.openHeadphones(text)
    let (info, entry) = (headphones.info, headphones.entry)
    /// What they say of themselves; nil for recordings and simulations.
    var status: HeadphoneStatus? { (headphones.base as? any HeadphoneReporting)?.status }
    var finding = HeadphoneFinding(name: info.name, source: text, canTrack: false)
    let host = MotionHost(headphones: entry.source, clock: entry.pace.clock, headphonesPace: entry.pace)
    guard let hub = host.headphones else { return finding }
    let completion = Completion()
    let problem = Lock<SensorError?>(nil)
    let isConnected = Lock(false)
    let subscription = hub.subscribe(
      .connection, interval: .zero,
      news: { news in
        switch news {
        case .ended: completion.finish(.done)
        case .failed(let error):
          problem.withLock { $0 = error }
          completion.finish(.done)
        case .connection(let connection):
          isConnected.withLock { $0 = connection.isConnected }
          if connection.isConnected { completion.finish(.done) }
        case .time: break
        }
      })
    _ = completion.run(every: .milliseconds(50), deadline: timeout) {
      // What is reported after the channel opened (battery, wearing) takes a moment more.
      if status?.problem != nil { completion.finish(.done) }
    }
    if let status { finding.update(from: status) }
    subscription.cancel()
    finding.canTrack = isConnected.withLock { $0 }
    if !finding.canTrack {
      finding.reason =
        problem.withLock { $0 }?.message ?? status.map(reason)
        ?? "They are not connected, or not worn."
    }
    if info.origin != .hardware { finding.name += info.origin == .simulation ? " (a simulation)" : " (a recording)" }
    return finding
  }

  /// Why headphones that were asked cannot follow a head now.
  private static func reason(_ status: HeadphoneStatus) -> String {
    if status.problem == nil, status.isWorn == false { return "They are not worn: put them on." }
    return status.sentence
  }
}

/// Paired devices, each with what keeps it from following a head.
extension HeadphoneSurvey {
  /// Those of this computer. Nothing is connected and nothing is set.
  private static func found() -> HeadphoneSurvey {
    func ask(_ address: String) -> HeadphoneFinding {
      do { return try Self.ask(address) } catch {
        return HeadphoneFinding(name: address, canTrack: false, reason: words(of: error))
      }
    }
    var survey = paired(ask)
    // A head tracker may hang on a cable, or be an adapter of its own.
    guard !survey.headphones.contains(where: { $0.source?.hasPrefix("headtracker:") == true }) else { return survey }
    let catalog = try? HostEnvironment(ProcessInfo.processInfo.environment).catalog()
    for listing in catalog?.listings() ?? [] where listing.address.hasPrefix("headtracker:") {
      survey.headphones.append(ask(listing.address))
    }
    return survey
  }

  private static func paired(_ ask: (String) -> HeadphoneFinding) -> HeadphoneSurvey {
    let bluetooth = BlueZ()
    guard bluetooth.isAdapterPresent else {
      return HeadphoneSurvey(
        headphones: [],
        notice: noAdapter)
    }
    do throws(SensorError) { return of(try bluetooth.inventory(), ask: ask) } catch {
      return HeadphoneSurvey(headphones: [], notice: error.message)
    }
  }

  /// From what the Bluetooth service knows; `ask` opens the source of an address.
  package static func of(_ inventory: BlueZ.Inventory, ask: (String) -> HeadphoneFinding) -> HeadphoneSurvey {
    var survey = HeadphoneSurvey(headphones: [])
    let isOn = inventory.isPowered
    if !isOn { survey.notice = "Bluetooth is switched off: bluetoothctl power on (and rfkill unblock bluetooth)." }
    for device in inventory.devices where device.isPaired {
      guard device.model != nil || device.offersAccessoryProtocol else { continue }
      survey.headphones.append(finding(of: device, isOn: isOn, ask: ask))
    }
    return survey
  }

  private static func finding(
    of device: BluetoothDevice, isOn: Bool, ask: (String) -> HeadphoneFinding
  ) -> HeadphoneFinding {
    let model = device.model
    let name = device.name.isEmpty ? model?.name ?? "headphones" : device.name
    var finding = HeadphoneFinding(name: name, model: model?.name, canTrack: false)
    finding.batteries = device.batteries
    let source: String
    switch model?.tracking ?? .accessoryProtocol {
    case .none:
      finding.reason = "This model has no motion sensor."
      return finding
    case .accessoryProtocol:
      finding.protocolName = "AAP over L2CAP"
      source = "airpods:\(device.address)"
    case .headTracker:
      finding.protocolName = "Android head tracker"
      source = "headtracker:"
    }
    guard isOn else {
      finding.reason = "Bluetooth is switched off."
      return finding
    }
    guard device.isConnected else {
      finding.reason =
        "They are paired and not connected to this computer: take them out of their case, or bluetoothctl connect; "
        + "they may be connected to another device."
      return finding
    }
    var asked = ask(source)
    asked.name = name
    asked.model = asked.model ?? model?.name
    asked.remove(address: device.address)
    asked.protocolName = asked.protocolName ?? finding.protocolName
    if asked.batteries.isEmpty { asked.batteries = finding.batteries }
    return asked
  }

  /// The sentence of an error.
  private static func words(of error: any Error) -> String { (error as? SensorError)?.message ?? "\(error)" }
}

/// What is known of one pair of headphones.
package struct HeadphoneFinding: Encodable, Sendable {
  /// What it is called, or what it is.
  package var name: String
  package var model: String?
  /// What to write into MOTION_HEADPHONES; nil = it cannot be opened.
  package var source: String?
  /// The protocol; nil = none.
  var protocolName: String?
  /// Whether a head can be followed now.
  package var canTrack: Bool
  /// Why not, and what to do; nil when it can.
  package var reason: String?
  var phase: String?
  var firmware: String?
  var batteries: [HeadphoneStatus.Battery] = []
  /// Where the buds are; nil = they do not say.
  var isWorn: Bool?
  package var left: String?
  package var right: String?
  var detectsWearing: Bool?
  package var calibration: String?

  /// What headphones that were asked have said.
  package mutating func update(from status: HeadphoneStatus) {
    name = status.name ?? status.model ?? name
    model = status.model ?? model
    if !status.protocolName.isEmpty { protocolName = status.protocolName }
    phase = status.phase.rawValue
    firmware = status.firmware
    batteries = status.batteries
    isWorn = status.isWorn
    left = status.wear(of: .headphoneLeft)?.rawValue
    right = status.wear(of: .headphoneRight)?.rawValue
    detectsWearing = status.detectsWearing
    calibration = status.calibration.rawValue
  }

  /// Removes what identifies the device: what is printed can be posted in an issue.
  mutating func remove(address: String) {
    source = source?.replacing(address, with: "")
    reason = reason?.replacing(address, with: "")
  }

  /// For a person: one line, and what is known below it.
  package var lines: [String] {
    let kind = model.flatMap { $0 == name ? nil : " (\($0))" } ?? ""
    let way = protocolName.map { ", \($0)" } ?? ""
    var lines = [
      "\(name)\(kind): \(canTrack ? "can follow the head\(way)" : "cannot follow the head now\(way)")"
    ]
    if let reason { lines.append("  \(reason)") }
    var words: [String] = []
    for battery in batteries {
      guard let percent = battery.percent else { continue }
      words.append("\(battery.part.rawValue) battery \(percent) %\(battery.isCharging == true ? ", charging" : "")")
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
