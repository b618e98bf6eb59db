// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Which of a recording's topics are played: one device's, raw before computed, and each sensor from one topic only.
struct TopicSelection: Sendable {
  /// In the order in which they were chosen.
  var topics: [Topic] = []
  var usesRecordedMotion = false
  /// The topic that reports whether the device is connected; nil = not in the recording.
  var connection: Topic?
  var notes: [String] = []

  private static let raw: [(SensorKinds, [Topic.Kind])] = [
    (.accelerometer, [.accelerometer, .motionAccelerometer]),
    (.gyroscope, [.gyroscope, .motionGyro]),
    (.magnetometer, [.magnetometer, .motionMagnetometer]),
    (.airPressure, [.pressure]),
    (.waterPressure, [.waterPressure]),
    (.temperature, [.temperature]),
  ]
  private static let fused: [Topic.Kind] = [.deviceMotion, .headphoneMotion]

  /// The topics that are played, the one of the connection as well.
  var all: [Topic] { topics + [connection].compactMap(\.self) }

  /// What they hold.
  var channels: [SensorInfo.Channel] { all.map { .init(kind: Self.sensor(of: $0.kind) ?? .connection) } }

  var isOfHeadphones: Bool { topics.contains { $0.kind == .headphoneMotion } }

  /// The kind of sensor whose samples a topic holds; nil = none.
  static func sensor(of kind: Topic.Kind) -> SensorKinds? {
    if fused.contains(kind) { return .motion }
    return raw.first { $0.1.contains(kind) }?.0
  }

  /// Chooses among the topics of a recording (the replay rule of Documentation/Formats.md 6.1); `files` is for
  /// messages.
  init(_ present: [Topic], _ options: RecordingOptions, _ files: RecordingFiles) throws(SensorError) {
    let usable = present.filter { Self.sensor(of: $0.kind) != nil }
    let devices = Set(usable.map(\.device)).sorted()
    let device = try Self.device(devices, options, files)
    connection = present.first { $0 == Topic(.connection, device: device) }
    if devices.count > 1 { notes.append("device \(device.isEmpty ? "without a name" : device)") }
    let kinds = Set(usable.filter { $0.device == device }.map(\.kind))
    var sensors: SensorKinds = []
    for (sensor, choices) in Self.raw {
      let found = choices.filter(kinds.contains)
      guard let first = found.first else { continue }
      sensors.formUnion(sensor)
      topics.append(Topic(first, device: device))
      if found.count > 1 {
        notes.append("\(found[1...].map(\.rawValue).joined(separator: " and ")) not used, because \(first.rawValue) is")
      }
    }
    guard let motion = Self.fused.first(where: kinds.contains) else {
      if options.motion == .recorded {
        throw .noRecordedMotion(in: files, needs: "the topic /motion/device or /motion/headphone")
      }
      return
    }
    if options.motion == .recorded || !sensors.isSuperset(of: .inertial) {
      usesRecordedMotion = true
      topics.append(Topic(motion, device: device))
    }
  }

  private static func device(
    _ devices: [String], _ options: RecordingOptions, _ files: RecordingFiles
  ) throws(SensorError) -> String {
    if let wanted = options.device {
      guard devices.contains(wanted) else {
        throw files.error(
          .invalidRequest,
          "The recording has no device \(wanted.debugDescription)\(devices.filter { !$0.isEmpty }.isEmpty ? "; remove the option device" : "; there are \(devices.joined(separator: ", "))")."
        )
      }
      return wanted
    }
    guard devices.count <= 1 else {
      throw files.error(
        .invalidRequest,
        "The recording holds several devices (\(devices.map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", "))); choose one with \"?device=NAME\"."
      )
    }
    return devices.first ?? ""
  }
}
