// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Runs before `main` (``SourceRegistry``).
@section(".init_array") @used
private let registerHeadphones: @convention(c) () -> Void = {
  SourceRegistry.atStart {
    SourceRegistry.add(.headTracker)
    SourceRegistry.add(.airPods)
  }
}

extension SourceScheme {
  /// Headphones with the open Android head tracker protocol.
  static let headTracker = SourceScheme(
    "headtracker", form: "headtracker:", rank: 30,
    discover: { context in
      HeadTrackerSource.each(root: context.root).map { address, source in
        DiscoveredSource(
          address: address,
          summary: "\(source.info.name), for MOTION_HEADPHONES; \(source.status.protocolName)"
            + (source.limitation.map { ". \($0.message)" } ?? ""),
          source: source, problem: source.limitation)
      }
    },
    automatic: Automatic(.headphones, subject: "a head tracker") { context in
      HeadTrackerSource.isPresent(root: context.root)
        ? DiscoveredSource(address: "headtracker:", summary: "head tracker") : nil
    }
  ) { address, context throws(SensorError) in
    try HeadTrackerSource(path: address.path, options: address.options, standardRoot: context.root)
  }

  /// AirPods and Beats: where there is a Bluetooth adapter they are named and waited for, connected or not (D24).
  static let airPods = SourceScheme(
    "airpods", form: "airpods:ADDRESS", rank: 40,
    discover: { context in
      let summary =
        "AirPods or Beats that are connected over Bluetooth, for MOTION_HEADPHONES; they are not looked for here"
      return BlueZ(root: context.root.path).isAdapterPresent
        ? [DiscoveredSource(address: "airpods:", summary: summary)] : []
    },
    automatic: Automatic(.headphones, subject: "a Bluetooth adapter for AirPods") { context in
      BlueZ(root: context.root.path).isAdapterPresent ? DiscoveredSource(address: "airpods:", summary: "AirPods") : nil
    }
  ) { address, _ throws(SensorError) in
    try AirPodsSource(device: address.path, options: address.options)
  }
}
