// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import LinuxSources
import MotionMath
import MotionSensing
import MotionServices

/// Headphones that are connected to this computer.
extension SourceCatalog {
  /// Opens `airpods:ADDRESS`. Nothing is sent before somebody listens.
  func openAirPods(_ uri: SourceURI) throws(SensorError) -> Entry {
    var options = uri.options
    if let mount = options["mount"], mount.contains("/") || mount.hasSuffix(".json") {
      options["mount"] = try Self.mount(file: mount)
    }
    let mounts = calibrations.map { HeadMountFolder(in: $0).mounts } ?? .none
    let source = try AirPodsSource(device: uri.path, mounts: mounts, options: options)
    return Entry(uri: uri, source: source, clock: MonotonicClock(), rate: 1, gate: .open)
  }

  /// The quaternion of a file that `motionctl headphones calibrate` has written, as the driver reads it.
  private static func mount(file path: String) throws(SensorError) -> String {
    guard let file = try HeadMountFile(path: path) else {
      throw SensorError(
        .notFound, "There is no such calibration; motionctl headphones calibrate makes one.", at: .init(file: path))
    }
    let q = file.mount.rotation
    return [q.w, q.x, q.y, q.z].map(\.description).joined(separator: ":")
  }
}
