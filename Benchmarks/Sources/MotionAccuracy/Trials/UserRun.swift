// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices
import MotionTools

/// A trial of the BROAD layout on the way that a user's table takes: the samples as they are, in the order of a row,
/// through the code of `motionctl fuse`.
///
/// Nothing is told that a table does not say: no calibration of the magnetometer, no delay, no range. What counts is
/// the row that a user reads: its attitude in the frame of magnetic north, and whether it states an accuracy of the
/// heading.
struct UserRun {
  private let trial: BroadTrial
  private let rows: BroadTrial.Rows
  private let options: TrialOptions
  private var usesMagnetometer: Bool { options.usesMagnetometer }
  private let samples: [SensorSample]

  init(_ trial: BroadTrial, _ rows: BroadTrial.Rows, _ options: TrialOptions) {
    (self.trial, self.rows, self.options) = (trial, rows, options)
    samples = (0..<rows.count).flatMap { row -> [SensorSample] in
      let time = SensorInstant(nanoseconds: rows.nanoseconds(row))
      let field = MagnetometerSample(time: time, reading: rows.vector(row, 6), unit: .microtesla)
      return [
        .accelerometer(AccelerometerSample(time: time, specificForce: rows.vector(row, 3))),
        .gyroscope(GyroscopeSample(time: time, angularVelocity: rows.vector(row, 0))),
      ] + (options.usesMagnetometer ? [.magnetometer(field)] : [])
    }
  }

  var outcome: BroadTrial.Outcome {
    get throws {
      var outcome = BroadTrial.Outcome(scores: Array(repeating: nil, count: rows.count), nanoseconds: 0)
      var row = 0
      let last = try run { motion in
        while row + 1 < rows.count, rows.nanoseconds(row) < motion.time.nanoseconds { row += 1 }
        let hasHeading = motion.headingAccuracy != nil
        if hasHeading, outcome.firstHeading == nil { outcome.firstHeading = motion.time.seconds }
        guard rows.nanoseconds(row) == motion.time.nanoseconds, rows.moves(row), let truth = rows.reference(row),
          let attitude = motion.attitude
        else { return }
        let turn = Rotation<NorthWestUp, EastNorthUp>(aboutZ: .pi / 2)
        outcome.scores[row] = ScoredRow(
          error: OrientationError(estimate: turn * attitude, reference: truth),
          inclinationDeviation: motion.inclinationDeviation?.angle.radians ?? 0,
          headingDeviation: usesMagnetometer ? motion.headingDeviation?.angle.radians ?? .pi : nil,
          hasHeading: hasHeading,
          delayed: options.referenceDelay.map {
            OrientationError(
              estimate: turn * attitude, rate: motion.angularVelocity, delay: $0, reference: truth)
          })
      }
      outcome.nanoseconds = try ProcessorTime.nanoseconds(expecting: last) { try run { _ in } }
      return outcome
    }
  }

  /// Returns the last row.
  private func run(_ body: (MotionRow) -> Void) throws -> MotionRow? {
    let kinds: [SensorKinds] = [.accelerometer, .gyroscope] + (usesMagnetometer ? [.magnetometer] : [])
    let info = SensorInfo(
      name: trial.name, origin: .recording, pacing: .onDemand,
      timeLine: .recorded(start: SensorInstant(nanoseconds: 0)),
      deviceClass: .unknown, channels: kinds.map { .init(kind: $0) })
    var fusion = OfflineFusion(
      info: info, framing: MotionFraming(usesMagnetometer ? .xMagneticNorth : .xArbitrary),
      smooths: options.smooths)
    return try withoutActuallyEscaping(body) { body in
      var rows = Rows(body: body)
      for sample in samples { _ = try fusion.push(sample, into: &rows) }
      try fusion.finish(into: &rows)
      return rows.last
    }
  }
}

private struct Rows: SampleSink {
  let body: (MotionRow) -> Void
  var last: MotionRow?

  mutating func take(_ row: MotionRow) -> Bool {
    last = row
    body(row)
    return true
  }
}
