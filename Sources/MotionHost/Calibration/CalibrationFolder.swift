// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import MotionSensing

/// A folder with a file for each device that somebody has calibrated (``CalibrationFile``).
public struct CalibrationFolder: Sendable, Hashable {
  /// An absolute path; the folder is made when there is something to write.
  public var path: String

  /// The folder at a path.
  public init(path: String) { self.path = path }

  /// The path of a device's file, made from ``SensorInfo/identity``.
  public func file(of identity: String) -> String { "\(path)/\(DeviceFileName.json(for: identity))" }

  /// What is known about a device; nil = nothing. A file that is not understood, or is about another device, throws.
  public func calibration(of identity: String) throws(SensorError) -> CalibrationFile? {
    let path = file(of: identity)
    guard let file = try CalibrationFile(path: path) else { return nil }
    guard file.device == identity else {
      throw SensorError(
        .malformed, "The calibration is about the device “\(file.device)”, not “\(identity)”. Take the file away.",
        at: .init(file: path))
    }
    return file
  }

  /// The paths of all files in the folder, by name.
  public var files: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(path)/\($0)" }
  }
}

extension HostEnvironment {
  /// Where calibrations are: `MOTION_CALIBRATION`, else `opencoremotion/calibration` in the user's folder for settings
  /// (`XDG_CONFIG_HOME`, else `~/.config`; XDG Base Directory Specification 0.8); nil when it is `off`, or when there is no such
  /// folder.
  public func calibrations() throws(SensorError) -> CalibrationFolder? {
    func absolute(_ name: String) -> String? { variables[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    if let setting = variables["MOTION_CALIBRATION"], !setting.isEmpty {
      guard setting != "off" else { return nil }
      guard let path = absolute("MOTION_CALIBRATION") else {
        throw SensorError(
          .invalidRequest, "MOTION_CALIBRATION=\(setting) is neither “off” nor an absolute path of a folder.")
      }
      return CalibrationFolder(path: path)
    }
    let settings = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { $0 + "/.config" }
    return settings.map { CalibrationFolder(path: $0 + "/opencoremotion/calibration") }
  }
}
