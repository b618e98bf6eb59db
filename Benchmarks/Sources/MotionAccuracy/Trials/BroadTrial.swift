// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import OrientationFusion
import OrientationSmoothing

/// One file of the BROAD layout: 17 little-endian Float32 a row, optical truth beside gyroscope, accelerometer and
/// magnetometer.
///
/// Columns: 0–2 angular velocity, rad/s; 3–5 specific force, m/s²; 6–8 magnetic field, µT; 9–12 true orientation,
/// sensor → east-north-up, w x y z, NaN where it is not known; 13–15 position, m; 16 movement, 1 where the row counts.
/// The rate stands in `index.json` beside the file, else it is 2000/7 Hz. Source: data/broad/README.md.
package struct BroadTrial: AccuracyTrial {
  package static let layout = TrialLayout.broad
  static let columns = 17
  /// Bytes; four times an hour at 1 kHz.
  private static let largestFile = 1 << 30
  /// The published rate, Hz.
  private static let usualRate = 2000.0 / 7

  let path: String
  /// In place of those of ``parameters(rate:)``. Only for the filter alone: a user cannot set them.
  var changes = FilterParameters()
  package var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

  /// The numbers of a trial, whole in memory.
  struct Rows: Sendable {
    /// Hz.
    var rate: Double
    fileprivate(set) var numbers: [Float]

    var count: Int { numbers.count / BroadTrial.columns }

    func vector(_ row: Int, _ column: Int) -> Vector3<Device> {
      let at = row * BroadTrial.columns + column
      return Vector3(x: Double(numbers[at]), y: Double(numbers[at + 1]), z: Double(numbers[at + 2]))
    }

    /// The true orientation where it is known.
    func reference(_ row: Int) -> Rotation<Device, EastNorthUp>? {
      let q = numbers[(row * BroadTrial.columns + 9)...].prefix(4).map(Double.init)
      return Rotation(w: q[0], x: q[1], y: q[2], z: q[3])
    }

    func moves(_ row: Int) -> Bool { numbers[row * BroadTrial.columns + 16] == 1 }

    func nanoseconds(_ row: Int) -> Int64 { Int64((Double(row) * 1e9 / rate).rounded()) }
  }

  /// Reads and checks the file.
  func read() throws -> Rows {
    let place = SensorError.Place(file: path)
    let data: Data
    do {
      let size = try URL(fileURLWithPath: path).resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      guard size <= Self.largestFile else {
        throw SensorError(
          .limitExceeded, "The file has \(size) bytes; a trial may have \(Self.largestFile).", at: place)
      }
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch let error as SensorError {
      throw error
    } catch {
      throw SensorError(.notFound, "The file cannot be read: \(error.localizedDescription)", at: place)
    }
    let rowBytes = Self.columns * MemoryLayout<Float>.size
    guard !data.isEmpty, data.count.isMultiple(of: rowBytes) else {
      throw SensorError(
        .malformed,
        "The file has \(data.count) bytes, not a whole number of rows of \(Self.columns) 32-bit floats: it is cut short or has another layout.",
        at: place)
    }
    let numbers = data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { index in
        Float(
          bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
      }
    }
    let entry = try BroadIndex.read(beside: path)[name]
    let rows = Rows(rate: entry?.rate ?? Self.usualRate, numbers: numbers)
    if let expected = entry?.rows, expected != rows.count {
      throw SensorError(
        .malformed, "The file has \(rows.count) rows where index.json says \(expected): fetch it again.", at: place)
    }
    try check(rows, at: place)
    return rows
  }

  /// Other tables of floats have the same length: the mask must be a mask and the orientations unit quaternions.
  private func check(_ rows: Rows, at place: SensorError.Place) throws {
    var counted = 0
    for row in 0..<rows.count {
      let mask = rows.numbers[row * Self.columns + 16]
      let q = rows.numbers[(row * Self.columns + 9)...].prefix(4)
      let square = q.reduce(0) { $0 + $1 * $1 }
      guard mask == 0 || mask == 1, square.isNaN || abs(square - 1) < 0.01 else {
        throw SensorError(
          .malformed,
          "Row \(row + 1) holds no unit quaternion in columns 9–12 or neither 0 nor 1 in column 16: this is not the BROAD layout.",
          at: place)
      }
      if mask == 1, !square.isNaN { counted += 1 }
    }
    guard counted > 0 else {
      throw SensorError(
        .malformed, "No row has both movement (column 16) and a known orientation: there is nothing to measure.",
        at: place)
    }
  }
}

extension BroadTrial {
  /// One row of the sensors, in the filter's units.
  struct Reading {
    fileprivate(set) var time: Int64
    fileprivate var angularVelocity: Vector3<Device>
    fileprivate var specificForce: Vector3<Device>
    fileprivate var magneticField: Vector3<Device>
  }

  package func measure(_ options: TrialOptions) throws -> TrialResult {
    let rows = try read()
    let (usesMagnetometer, asUser) = (options.usesMagnetometer, options.asUser)
    let run =
      asUser
      ? try UserRun(self, rows, options).outcome
      : try outcome(of: rows, options)
    let (scores, times) = (run.scores, (0..<rows.count).map { Double(rows.nanoseconds($0)) * 1e-9 })
    let counted = scores.compactMap(\.self)
    guard !counted.isEmpty else {
      throw SensorError(.unsupported, "The filter gave no attitude at any row that counts.", at: .init(file: path))
    }
    let figures = Self.figures(counted, usesMagnetometer: usesMagnetometer, onlyKnown: asUser)
    let delayed = counted.compactMap { score in
      score.delayed.map { error in
        var score = score
        score.error = error
        return score
      }
    }
    let bounds = counted.bounds
    return TrialResult(
      layout: .broad, name: name, figures: figures,
      values: [
        figures.total, figures.heading, figures.inclination, bounds.known.percent, run.firstHeading,
        bounds.inclination.percent, bounds.heading.percent,
      ],
      bounds: bounds, firstHeading: run.firstHeading,
      delayed: delayed.isEmpty ? nil : Self.figures(delayed, usesMagnetometer: usesMagnetometer, onlyKnown: asUser),
      updates: rows.count, nanoseconds: run.nanoseconds,
      subtitle: "error against optical truth · " + (usesMagnetometer ? "9D" : "6D") + (asUser ? " · as a user" : "")
        + (options.smooths ? " · smoothed" : ""),
      times: times,
      curves: TrialResult.Curve.orientationErrors(
        scores.map { $0?.error }, times: times, figures: figures, statistic: "RMS",
        headingFrom: asUser ? run.firstHeading ?? .infinity : -.infinity))
  }

  /// What a run over a trial gave.
  struct Outcome {
    /// One per row, nil where none counts.
    var scores: [ScoredRow?]
    /// s from the first row; nil when there never was one.
    var firstHeading: Double?
    /// Of processor time, all updates together.
    var nanoseconds: Double
  }

  /// The filter alone, with what is known of the recording: a magnetometer that is calibrated, and the delay of the
  /// stamps.
  private func outcome(of rows: Rows, _ options: TrialOptions) throws -> Outcome {
    let readings = Self.readings(of: rows)
    var parameters = parameters(rate: rows.rate)
    if options.smooths { parameters.blockDuration = OrientationSmoother.blockDuration }
    let start = OrientationFilter(parameters: parameters, usesMagnetometer: options.usesMagnetometer)
    var filter = start
    let delay = options.referenceDelay.map { $0 - parameters.gyroscopeDelay }
    let scores =
      options.smooths
      ? Self.smoothedScores(of: filter, readings, rows, delay: delay)
      : Self.scores(of: &filter, readings, rows, delay: delay)
    let nanoseconds = try ProcessorTime.nanoseconds(expecting: options.smooths ? nil : filter.attitude) {
      var filter = start
      if options.smooths {
        Self.smooth(&filter, readings) { _ in }
        return nil
      }
      for reading in readings { Self.update(&filter, reading) }
      return filter.attitude
    }
    // The calibrated magnetometer gives a heading at its first reading.
    return Outcome(
      scores: scores, firstHeading: options.usesMagnetometer && scores.contains { $0?.hasHeading ?? false } ? 0 : nil,
      nanoseconds: nanoseconds)
  }

  /// Runs filter and smoother over the trial.
  private static func smooth(
    _ filter: inout OrientationFilter, _ readings: [Reading], _ body: (OrientationSmoother.Orientation) -> Void
  ) {
    var smoother = OrientationSmoother(following: &filter)
    for reading in readings {
      filter.update(angularVelocity: reading.angularVelocity, atNanoseconds: reading.time)
      smoother.follow(&filter)
      filter.update(specificForce: reading.specificForce, atNanoseconds: reading.time)
      if filter.usesMagnetometer {
        filter.update(magneticField: reading.magneticField, hardIronDeviation: 0, atNanoseconds: reading.time)
        smoother.follow(&filter)
      }
      while let orientation = smoother.next() { body(orientation) }
    }
    smoother.finish(&filter)
    while let orientation = smoother.next() { body(orientation) }
  }

  /// The same as ``scores(of:_:_:)`` with the smoother.
  private static func smoothedScores(
    of filter: OrientationFilter, _ readings: [Reading], _ rows: Rows, delay: Double?
  ) -> [ScoredRow?] {
    var (filter, row) = (filter, 0)
    let usesMagnetometer = filter.usesMagnetometer
    var scores: [ScoredRow?] = Array(repeating: nil, count: rows.count)
    smooth(&filter, readings) { orientation in
      while row + 1 < rows.count, readings[row].time < orientation.time { row += 1 }
      guard readings[row].time == orientation.time, rows.moves(row), let reference = rows.reference(row) else { return }
      scores[row] = ScoredRow(
        error: OrientationError(estimate: orientation.attitude, reference: reference),
        inclinationDeviation: orientation.inclinationStandardDeviation,
        headingDeviation: usesMagnetometer ? orientation.headingStandardDeviation : nil,
        hasHeading: orientation.hasHeading,
        delayed: delay.map {
          OrientationError(
            estimate: orientation.attitude, rate: orientation.angularVelocity, delay: $0, reference: reference)
        })
    }
    return scores
  }

  static func readings(of rows: Rows) -> [Reading] {
    (0..<rows.count).map { row in
      Reading(
        time: rows.nanoseconds(row), angularVelocity: rows.vector(row, 0), specificForce: rows.vector(row, 3),
        magneticField: rows.vector(row, 6) * 1e-6)
    }
  }

  /// Runs the filter over the trial; one score per row, nil where none counts. `delay`: of the stamps, s, beyond what
  /// the filter knows.
  static func scores(
    of filter: inout OrientationFilter, _ readings: [Reading], _ rows: Rows, delay: Double? = nil
  ) -> [ScoredRow?] {
    var scores: [ScoredRow?] = []
    scores.reserveCapacity(rows.count)
    for (row, reading) in readings.enumerated() {
      update(&filter, reading)
      guard rows.moves(row), let reference = rows.reference(row), let attitude = filter.attitude else {
        scores.append(nil)
        continue
      }
      scores.append(
        ScoredRow(
          error: OrientationError(estimate: attitude, reference: reference),
          inclinationDeviation: filter.inclinationStandardDeviation,
          headingDeviation: filter.usesMagnetometer ? filter.headingStandardDeviation : nil,
          hasHeading: filter.hasHeading,
          delayed: delay.map {
            OrientationError(estimate: attitude, rate: filter.angularVelocity, delay: $0, reference: reference)
          }))
    }
    return scores
  }

  /// RMS in degrees; with `onlyKnown` total and heading of the rows that have a heading.
  static func figures(_ scores: [ScoredRow], usesMagnetometer: Bool, onlyKnown: Bool = false) -> OrientationFigures {
    func degrees(_ scores: [ScoredRow], _ path: KeyPath<OrientationError, Double>) -> Double? {
      Statistic.rootMeanSquare(scores.map { Angle(radians: $0.error[keyPath: path]).degrees })
    }
    let known = !usesMagnetometer ? [] : onlyKnown ? scores.filter(\.hasHeading) : scores
    return OrientationFigures(
      total: degrees(known, \.total), heading: degrees(known, \.heading), inclination: degrees(scores, \.inclination))
  }

  /// The default parameters, and the delay of a chip that stamps the end of the interval over which it averages. (A
  /// filter that takes each rate for the interval before its stamp, as the others do, assumes the same.)
  func parameters(rate: Double) -> OrientationFilter.Parameters {
    var parameters = OrientationFilter.Parameters.phone
    parameters.gyroscopeDelay = 0.5 / rate
    return changes.applied(to: parameters)
  }

  /// Name and value of every parameter with which the trial runs.
  package func namedParameters() throws -> [(name: String, value: Double)] {
    FilterParameters.all(of: parameters(rate: try read().rate))
  }

  /// One update: gyroscope, accelerometer and, where the filter uses it, magnetometer. BROAD's is calibrated.
  @inline(__always)
  private static func update(_ filter: inout OrientationFilter, _ reading: Reading) {
    filter.update(angularVelocity: reading.angularVelocity, atNanoseconds: reading.time)
    filter.update(specificForce: reading.specificForce, atNanoseconds: reading.time)
    if filter.usesMagnetometer {
      filter.update(magneticField: reading.magneticField, hardIronDeviation: 0, atNanoseconds: reading.time)
    }
  }
}

/// `index.json` beside the trials: an object per trial; only what is used here is read.
struct BroadIndex: Decodable {
  var rows: Int?
  var rate: Double?

  /// The index of the file's folder; empty where there is none.
  static func read(beside path: String) throws -> [String: BroadIndex] {
    let url = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("index.json")
    guard let data = try? Data(contentsOf: url) else { return [:] }
    guard let index = try? JSONDecoder().decode([String: BroadIndex].self, from: data),
      index.values.allSatisfy({ ($0.rate ?? 1) >= 1 && ($0.rate ?? 1) <= 100_000 })
    else {
      throw SensorError(
        .malformed,
        "The index is not an object of trials with \"rows\" and \"rate\" (1…100000 Hz); correct it or remove it.",
        at: .init(file: url.path))
    }
    return index
  }
}
