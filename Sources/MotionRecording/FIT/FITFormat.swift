// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// FIT, as Garmin's cameras and watches write it: messages that hold a second's or less of one sensor as arrays.
///
/// The time of a sample is `timestamp` (s) + `timestamp_ms` + its `sample_time_offset` (ms). Raw counts become units by
/// the calibration message of their sensor: (counts − level shift − offset of the channel) · factor / divisor, turned by
/// the orientation matrix. FIT does not state the sign of accelerations: they are taken as +1 g upwards at rest. Source:
/// the FIT SDK's profile (messages 164, 165, 167, 208, 209) and Documentation/Formats.md 4.14.
enum FITFormat {
  static let reader = FormatReader(
    format: .fit, title: "FIT", summary: "a .fit with accelerometer_data, gyroscope_data, magnetometer_data messages"
  ) { (files, options) throws(SensorError) in
    try options.refuseRecordedMotion(files, contains: "raw sensors")
    guard files.kind == .file, let member = files.members.first, member.isSeekable else {
      throw files.error(.unsupported, "A FIT file must be a plain file; unpack it first.")
    }
    let path = files.path
    // Which sensors it has is known at its end only, but each comes again and again from the beginning on.
    let look = ReadingContext.probing
    let probe = FITStream(FITReader(try MCAPInput(path: path), look), look)
    var kinds: Set<SensorKinds> = []
    var first: SensorSample?
    for _ in 0..<4096 {
      guard let sample = (try? probe.next()) ?? nil else { break }
      kinds.insert(sample.kinds)
      first = first ?? sample
    }
    guard let first else {
      let reason =
        if probe.lacksCalibration {
          "it has raw counts without their calibration"
        } else if look.statistics.omitted > 0 {
          "it is damaged (\(look.statistics))"
        } else {
          "activities hold none; a Garmin camera writes them"
        }
      throw files.error(
        .unsupported,
        "The FIT file has no accelerometer_data, gyroscope_data, magnetometer_data or barometer_data that could be read: \(reason)."
      )
    }
    let channels = [SensorKinds.accelerometer, .gyroscope, .magnetometer, .airPressure].filter(kinds.contains)
      .map { SensorInfo.Channel(kind: $0) }
    var plan = RecordingPlan(
      streams: [
        SampleStreamPlan(
          channels: channels, places: [path], storedBytes: member.storedSize,
          open: { (context) throws(SensorError) in
            FITStream(FITReader(try MCAPInput(path: path), context), context).next
          })
      ], deviceClass: .module)
    if kinds.contains(.accelerometer) { plan.notes.append("accelerations taken as upwards at rest") }
    var description = RecordingDescription(
      info: SensorInfo(name: "", origin: .recording, pacing: .onDemand, channels: channels))
    // Times below 2²⁸ s count from the start of the device.
    let isUnixTime = first.time.nanoseconds > FITStream.epoch
    (description.clock, description.wallOffset) = isUnixTime ? (.epoch, .zero) : (.device, nil)
    plan.description = description
    return plan
  }
}

/// The samples of a FIT file, in the order of its messages.
private final class FITStream {
  /// 1989-12-31 00:00 UTC as Unix time, ns.
  static let epoch: Int64 = 631_065_600_000_000_000

  /// A sensor with three axes: the message, the sensor's number in calibrations, and a unit in SI.
  private struct Sensor {
    var number: Double
    var unit: Double
    var make: @Sendable (SensorInstant, Vector3<Device>) -> SensorSample
  }

  private static let sensors: [UInt16: Sensor] = [
    165: Sensor(number: 0, unit: standardGravity) {
      .accelerometer(AccelerometerSample(time: $0, specificForce: $1))
    },
    164: Sensor(number: 1, unit: Angle(degrees: 1).radians) {
      .gyroscope(GyroscopeSample(time: $0, angularVelocity: $1))
    },
    // Gauss.
    208: Sensor(number: 2, unit: 1e-4) { .magnetometer(MagnetometerSample(time: $0, magneticField: $1)) },
  ]

  private struct Calibration {
    var scale: Double
    var level: Double
    var offset: [Double]
    /// Row by row.
    var matrix: [Double]

    /// Nil for one that is not complete.
    init?(_ message: FITMessage) {
      guard let factor = message.numbers(1)?.first, let divisor = message.numbers(2)?.first,
        let level = message.numbers(3)?.first, let offset = message.numbers(4), let matrix = message.numbers(5),
        offset.count == 3, matrix.count == 9, divisor != 0,
        ([factor, divisor, level] + offset + matrix).allSatisfy(\.isFinite)
      else { return nil }
      (scale, self.level, self.offset) = (factor / divisor, level, offset)
      self.matrix = matrix.map { $0 / 65535 }
    }

    func apply(_ counts: [Double]) -> [Double] {
      let values = (0..<3).map { (counts[$0] - level - offset[$0]) * scale }
      return (0..<3).map { row in (0..<3).reduce(0) { $0 + matrix[3 * row + $1] * values[$1] } }
    }
  }

  private let reader: FITReader
  private let context: ReadingContext
  private var calibrations: [Double: Calibration] = [:]
  private var orders: [SensorKinds: TimeOrder] = [:]
  private var waiting: ArraySlice<SensorSample> = []
  private var place = SensorError.Place(file: "")
  private let input: String
  private(set) var lacksCalibration = false

  init(_ reader: FITReader, _ context: ReadingContext) {
    (self.reader, self.context, input) = (reader, context, reader.path)
  }

  func next() throws(SensorError) -> SensorSample? {
    while true {
      while let sample = waiting.popFirst() {
        if let sample = try context.place(sample, in: &orders[sample.kinds, default: TimeOrder()], at: place) {
          return sample
        }
      }
      guard let message = try reader.next() else { return nil }
      place = SensorError.Place(file: input, byte: Int(clamping: message.offset))
      switch message.kind {
      case 164, 165, 208, 209: waiting = try samples(message)[...]
      case 167:
        if let sensor = message.numbers(0)?.first, sensor.isFinite { calibrations[sensor] = Calibration(message) }
      default: break
      }
    }
  }

  private func samples(_ message: FITMessage) throws(SensorError) -> [SensorSample] {
    let pressures = message.kind == 209 ? message.numbers(2) ?? [] : nil
    let values = if let pressures { pressures.map { [$0] } } else { try vectors(message) }
    guard let time = message.time, let milliseconds = message.numbers(0)?.first, milliseconds.isFinite,
      let offsets = message.numbers(1), offsets.count >= values.count
    else {
      try context.report(.malformed, "A message of sensor data lacks the times of its samples", at: place)
      return []
    }
    // fits: 32 bits of seconds
    let seconds = Int64(time) * 1_000_000_000 + (time >= 1 << 28 ? Self.epoch : 0)
    var samples: [SensorSample] = []
    for (value, offset) in zip(values, offsets) {
      // Fewer samples than there is room for: the rest is marked as invalid.
      if !offset.isFinite || value.allSatisfy(\.isNaN) { continue }
      guard let delay = Int64(exactly: ((milliseconds + offset) * 1e6).rounded()), delay.magnitude < 1 << 60 else {
        try context.report(.malformed, "The time of a sample is beyond what a clock shows", at: place)
        continue
      }
      let instant = SensorInstant(nanoseconds: seconds + delay)
      guard value.allSatisfy({ $0.isFinite && abs($0) <= InputLimits.magnitude }) else {
        try context.report(.nonFinite, "A sample has a number that is not finite", at: place)
        continue
      }
      if pressures != nil {
        samples.append(.pressure(PressureSample(time: instant, pressure: value[0])))
      } else if let sensor = Self.sensors[message.kind] {
        samples.append(sensor.make(instant, sensor.unit * Vector3(x: value[0], y: value[1], z: value[2])))
      }
    }
    return samples
  }

  /// The readings of three axes, in the unit of the message: calibrated by the device, or here.
  private func vectors(_ message: FITMessage) throws(SensorError) -> [[Double]] {
    func axes(_ first: UInt8, _ scale: Double = 1) -> [[Double]]? {
      guard let x = message.numbers(first), let y = message.numbers(first + 1), let z = message.numbers(first + 2),
        x.count == y.count, y.count == z.count, x.contains(where: \.isFinite)
      else { return nil }
      return x.indices.map { [scale * x[$0], scale * y[$0], scale * z[$0]] }
    }
    // Thousandths of g, of accelerometers only.
    if let found = axes(5) ?? (message.kind == 165 ? axes(8, 1e-3) : nil) { return found }
    guard let counts = axes(2) else {
      try context.report(.malformed, "A message of sensor data lacks an axis", at: place)
      return []
    }
    guard let calibration = Self.sensors[message.kind].flatMap({ calibrations[$0.number] }) else {
      lacksCalibration = true
      try context.report(.malformed, "Raw readings stand before the calibration of their sensor", at: place)
      return []
    }
    // The matrix would make one invalid axis three.
    return counts.map { $0.contains(where: \.isNaN) ? $0 : calibration.apply($0) }
  }
}
