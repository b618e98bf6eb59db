// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import LinuxSources
import MotionSensing
import MotionServices

/// Head trackers, and which headphones a program gets that names none.
extension SourceCatalog {
  /// Opens `headtracker:`; real time, nobody waits for an audience.
  func openHeadTracker(_ uri: SourceURI) throws(SensorError) -> Entry {
    let source = try HeadTrackerSource(path: uri.path, options: uri.options, standardRoots: headTrackerRoots)
    return Entry(uri: uri, source: source, clock: MonotonicClock(), rate: 1, gate: .open)
  }

  /// A head tracker that is connected, else AirPods where an adapter could reach them, connected or not (D24); nil where there is neither.
  func headphonesOfThisComputer() throws(SensorError) -> Entry? {
    if HeadTrackerSource.isPresent(roots: headTrackerRoots) {
      return try openHeadTracker(SourceURI(scheme: "headtracker", path: ""))
    }
    guard hasBluetoothAdapter else { return nil }
    return try openAirPods(SourceURI(scheme: "airpods", path: ""))
  }

  var hasBluetoothAdapter: Bool {
    var bluetooth = BluetoothRoots()
    bluetooth.adapters = headTrackerRoots.adapters
    return BlueZ(roots: bluetooth).isAdapterPresent
  }

  /// Head trackers that are connected, and AirPods where there is an adapter: named, not looked for.
  func headTrackerListings() -> [Listing] {
    let trackers = HeadTrackerSource.each(roots: headTrackerRoots).map { address, source in
      Listing(
        address: address,
        summary: "\(source.info.name), for MOTION_HEADPHONES; \(source.status.protocolName)"
          + (source.limitation.map { ". \($0.message)" } ?? ""),
        info: source.info, problem: source.limitation)
    }
    guard hasBluetoothAdapter else { return trackers }
    return trackers + [
      Listing(
        address: "airpods:",
        summary:
          "AirPods or Beats that are connected over Bluetooth, for MOTION_HEADPHONES; they are not looked for here")
    ]
  }
}
