// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The columns of a log of pressures, and how their units become pascal and °C.
struct PressureForm: Sendable, Hashable {
  /// Where a row's numbers stand.
  enum Slot {
    static let pressure = 0
    static let temperature = 1
    /// Hundredths of the temperature's unit, added to it.
    static let hundredths = 2
    static let count = 3
  }

  var medium: PressureSample.Medium
  /// Pascal per unit.
  var unit = 1.0
  /// °C = temperature + hundredths / 100 + this.
  var temperatureOffset = 0.0

  func sample(time: SensorInstant, _ numbers: UnsafePointer<Double>) -> SensorSample {
    var celsius = numbers[Slot.temperature] + temperatureOffset
    if !numbers[Slot.hundredths].isNaN { celsius += numbers[Slot.hundredths] / 100 }
    return .pressure(
      PressureSample(
        time: time, pressure: numbers[Slot.pressure] * unit, temperature: celsius.isNaN ? nil : celsius, medium: medium)
    )
  }
}

extension PressureForm {
  /// Pascal that the air above a dive can have; what a file says beside it is no surface pressure.
  static let surfacePressures = 30_000.0...120_000.0

  /// Pressure logs hold nothing that the device had fused.
  static func refuseRecordedMotion(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) {
    guard options.motion == .recorded else { return }
    throw .noRecordedMotion(in: files, needs: "another kind of recording, as this one holds pressures only")
  }

  /// A surface pressure in pascal as a file states it, or an error that names the place.
  static func surface(_ pascal: Double?, in member: RecordingFiles.Member, line: Int?) throws(SensorError) -> Double {
    guard let pascal, surfacePressures.contains(pascal) else {
      throw SensorError(
        .malformed, "The surface pressure in this comment is not one of 300 to 1200 hPa.",
        at: .init(file: member.place, line: line))
    }
    return pascal
  }
}

extension RecordingFiles {
  /// The first `limit` bytes of a member as text.
  func beginning(of member: Member, limit: Int) throws(SensorError) -> String {
    String(decoding: try open(member).bytes(limit: limit), as: UTF8.self)
  }

  /// The one file of a recording that is a single file.
  func only() throws(SensorError) -> Member {
    guard let member = members.first else {
      throw SensorError(.notFound, "There is no file to read.", at: .init(file: path))
    }
    return member
  }
}
