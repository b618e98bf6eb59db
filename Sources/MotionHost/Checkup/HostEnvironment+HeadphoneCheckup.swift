// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import LinuxSources
import MotionSensing

/// Headphones in a checkup.
extension HostEnvironment {
  /// What is connected, and what stands in its way. Nothing is said where there is neither a head tracker nor a Bluetooth adapter.
  func headphoneFindings() -> [Checkup.Finding] {
    let trackers = HeadTrackerSource.each(root: root)
    var findings = trackers.map { address, source -> Checkup.Finding in
      guard let limitation = source.limitation else {
        return .init(
          .ok, address, "\(source.info.name): it may be read, by the \(source.status.protocolName) protocol.")
      }
      let isPermission = limitation.code == .notPermitted
      return .init(
        .warning, address,
        isPermission ? "\(source.info.name): this user may not read it." : "\(source.info.name): \(limitation.message)",
        remedy: isPermission ? "Install the rule below and connect the headphones again." : nil)
    }
    if trackers.contains(where: { $0.source.limitation?.code == .notPermitted }) {
      for rule in [UdevRule.headTrackers, .rawHeadTrackers] where root.ruleFile(with: rule.text) == nil {
        findings.append(
          .init(
            .warning, "udev rule", "There is no rule for \(rule.purpose).",
            remedy: "motionctl doctor --rule | sudo tee \(Checkup.rulePath); then connect the headphones again."))
      }
    }
    if trackers.isEmpty, SourceCatalog(root: root).hasBluetoothAdapter {
      findings.append(
        .init(
          .ok, "headphones",
          "There is a Bluetooth adapter: AirPods that are connected can be read (airpods:), and no head "
            + "tracker is connected."))
    }
    return findings
  }
}
