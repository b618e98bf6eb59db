// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The devices that one Sensor Logger export can hold: a phone, and what reported to it.
enum SensorLoggerDevice: String, CaseIterable {
  case phone, watch, headphones

  /// Files that are no sensor of the phone.
  private static let others = ["Metadata", "Annotation"]

  /// The device whose sensor a file holds; nil = none's.
  init?(file name: String) {
    guard name.hasSuffix(".csv") else { return nil }
    let sensor = name.dropLast(".csv".count)
    if sensor.hasPrefix("Watch") || sensor.hasPrefix("Wrist") {
      self = .watch
    } else if sensor == "Headphone" {
      self = .headphones
    } else if !Self.others.contains(String(sensor)) {
      self = .phone
    } else {
      return nil
    }
  }

  /// Those that have a file; an error when the option `device` names none of them.
  static func all(in files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> [SensorLoggerDevice] {
    let found = Set(files.members.compactMap { SensorLoggerDevice(file: $0.plainName) })
    let devices = allCases.filter(found.contains)
    if let wanted = options.device, !devices.contains(where: { $0.rawValue == wanted }) {
      let names = devices.map(\.rawValue).joined(separator: ", ")
      throw SensorError(
        .invalidRequest,
        "The recording has no device \(wanted.debugDescription)\(names.isEmpty ? "; leave the option device out" : "; there is \(names)").",
        at: .init(file: files.path))
    }
    return devices
  }

  /// What to say when this one plays and others are there.
  func notes(among devices: [SensorLoggerDevice]) -> [String] {
    let others = devices.filter { $0 != self }.map { "device=\($0.rawValue)" }
    guard !others.isEmpty else { return [] }
    return [
      "the \(rawValue)'\(self == .headphones ? "" : "s") sensors only, others with \(others.joined(separator: " or "))"
    ]
  }
}
