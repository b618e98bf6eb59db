// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

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
      return BlueZ.hasAdapter(context.root) ? [DiscoveredSource(address: "airpods:", summary: summary)] : []
    },
    automatic: Automatic(.headphones, subject: "a Bluetooth adapter for AirPods") { context in
      BlueZ.hasAdapter(context.root) ? DiscoveredSource(address: "airpods:", summary: "AirPods") : nil
    }
  ) { address, context throws(SensorError) in
    try airPods(address, context)
  }

  /// Nothing is sent to the headphones before there is a subscriber.
  private static func airPods(_ address: SourceURI, _ context: SourceContext) throws(SensorError) -> AirPodsSource {
    var options = address.options
    if let mount = options["mount"], mount.contains("/") || mount.hasSuffix(".json") {
      options["mount"] = try rotation(inFile: mount)
    }
    let folder = context.calibrations.map { HeadMountFolder(calibrations: $0) }
    return try AirPodsSource(
      device: address.path, mounts: folder?.mounts(report: context.failure), options: options)
  }

  /// The quaternion of a file that `motionctl headphones calibrate` has written, as the driver reads it.
  private static func rotation(inFile path: String) throws(SensorError) -> String {
    guard let file = try HeadMountFile(path: path) else {
      throw SensorError(
        .notFound, "There is no such calibration; motionctl headphones calibrate makes one.", at: .init(file: path))
    }
    let q = file.mount.rotation
    return [q.w, q.x, q.y, q.z].map(\.description).joined(separator: ":")
  }
}

extension BlueZ {
  /// Whether the computer has a Bluetooth adapter.
  package static func hasAdapter(_ root: SystemRoot) -> Bool {
    BlueZ(roots: BluetoothRoots(root: root.path)).isAdapterPresent
  }
}
