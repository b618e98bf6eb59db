// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSources
import MotionHost
import MotionSensing

/// Paired devices, each with what keeps it from following a head.
extension HeadphoneSurvey {
  /// Those of this computer. Nothing is connected and nothing is set.
  static func found(patience: Double) -> HeadphoneSurvey {
    func ask(_ address: String) -> HeadphoneFinding {
      do { return try Self.ask(address, patience: patience) } catch {
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
        notice: "This computer has no Bluetooth adapter: plug one in, and see that its driver is loaded (dmesg).")
    }
    do throws(SensorError) { return of(try bluetooth.inventory(), ask: ask) } catch {
      return HeadphoneSurvey(headphones: [], notice: error.message)
    }
  }

  /// From what the Bluetooth service knows; `ask` opens the source of an address.
  static func of(_ inventory: BlueZ.Inventory, ask: (String) -> HeadphoneFinding) -> HeadphoneSurvey {
    var survey = HeadphoneSurvey(headphones: [])
    let isOn = inventory.adapters.contains(where: \.isPowered)
    if !isOn { survey.notice = "Bluetooth is switched off: bluetoothctl power on (and rfkill unblock bluetooth)." }
    for device in inventory.devices where device.isPaired || device.isBonded {
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
    var finding = HeadphoneFinding(name: name, model: model?.name, address: device.address, canTrack: false)
    if let percent = device.batteryPercent { finding.batteries = [.init(part: "single", percent: percent)] }
    let source: String
    switch model?.tracking ?? .accessoryProtocol(isProven: false) {
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
    asked.address = device.address
    asked.protocolName = asked.protocolName ?? finding.protocolName
    if asked.batteries.isEmpty { asked.batteries = finding.batteries }
    return asked
  }

  /// The sentence of an error.
  private static func words(of error: any Error) -> String { (error as? SensorError)?.message ?? "\(error)" }
}
