// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import OrientationFusion
import SimulatedSources

/// Real recordings outside the repository, as TestSupport's `SharedData`: with it single precision would compile add-ons.
enum Recordings {
  static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["OPENCOREMOTION_DATA"] ?? #filePath
      + "/../../../../shared/data"
  ).standardizedFileURL
  static func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
  }

  struct Row {
    var time: Int64
    var values: Vector3<Device>
  }

  struct Unreadable: Error {
    var path: String
  }

  /// The lines of a compressed text file.
  static func lines(_ path: String) throws -> [Substring] {
    let path = folder.appendingPathComponent(path).path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/gzip")
    process.arguments = ["-dc", path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0, !data.isEmpty else { throw Unreadable(path: path) }
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
  }

  /// Time in nanoseconds and three numbers per line; lines with # are comments.
  static func iphone(_ recording: String, _ name: String) throws -> [Row] {
    try lines("iphone/pyojin_iphone_\(recording)/\(name).txt.gz").compactMap { line in
      let columns = line.split(separator: " ")
      guard columns.count >= 4, let time = Int64(columns[0]), let x = Double(columns[1]), let y = Double(columns[2]),
        let z = Double(columns[3])
      else { return nil }
      return Row(time: time, values: Vector3(x: x, y: y, z: z))
    }
  }

  /// The numbers of each line, separated by spaces or commas; other lines are left out.
  static func numbers(_ path: String) throws -> [[Double]] {
    try lines(path).compactMap { line in
      let columns = line.split(whereSeparator: { $0 == " " || $0 == "," })
      let numbers = columns.compactMap { Double($0) }
      return numbers.count == columns.count ? numbers : nil
    }
  }

  /// The only number of a small text file, after the last blank.
  static func number(_ path: String) throws -> Double {
    let url = folder.appendingPathComponent(path)
    let text = try String(contentsOf: url, encoding: .utf8)
    guard let number = text.split(whereSeparator: \.isWhitespace).last.flatMap({ Double($0) }) else {
      throw Unreadable(path: url.path)
    }
    return number
  }

  /// A trial of the BROAD benchmark: 17 columns of Float32 a row at 2000/7 Hz.
  struct BroadTrial {
    var name: String
    private var numbers: [Float]

    init(name: String) throws {
      self.name = name
      let data = try Data(contentsOf: folder.appendingPathComponent("broad/\(name).f32"))
      numbers = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    var count: Int { numbers.count / 17 }
    static let sampleInterval = 0.0035
    func vector(_ row: Int, _ column: Int) -> Vector3<Device> {
      Vector3(
        x: Double(numbers[17 * row + column]), y: Double(numbers[17 * row + column + 1]),
        z: Double(numbers[17 * row + column + 2]))
    }
    /// The optical orientation where it counts.
    func reference(_ row: Int) -> Rotation<Device, EastNorthUp>? {
      let n = 17 * row
      guard numbers[n + 16] > 0.5 else { return nil }
      return Rotation(
        w: Double(numbers[n + 9]), x: Double(numbers[n + 10]), y: Double(numbers[n + 11]), z: Double(numbers[n + 12]))
    }
  }

  static let broadTrials = [
    "01_undisturbed_slow_rotation_A", "03_undisturbed_slow_rotation_C", "05_undisturbed_slow_rotation_with_breaks_B",
    "07_undisturbed_fast_rotation_B", "09_undisturbed_fast_rotation_with_breaks_B", "11_undisturbed_slow_translation_B",
    "15_undisturbed_fast_translation_A", "21_undisturbed_fast_combined", "25_disturbed_tapping_B",
    "27_disturbed_phone_vibration_B", "29_disturbed_stationary_magnet_B", "31_disturbed_stationary_magnet_D",
    "33_disturbed_attached_magnet_2cm", "35_disturbed_attached_magnet_4cm",
  ]
}

/// What three sensors read during a motion, and the truth: readings that a test can change before a filter sees them.
///
/// ``SimulatedMotion`` drives a filter as time passes; a log is the same laid out as a table, so that two filters can
/// see the same readings once plain and once turned, thinned out, disturbed or cut.
struct SensorLog {
  struct Row {
    /// Nanoseconds.
    var time: Int64
    /// rad/s, m/s², T.
    var angularVelocity, specificForce, magneticField: Vector3<Device>
    /// Nil where it is not known or does not count.
    var truth: Rotation<Device, EastNorthUp>?
  }

  var rows: [Row] = []
  var parameters = {
    var parameters = OrientationFilter.Parameters.phone
    parameters.isMagnetometerCalibrated = true
    return parameters
  }()

  /// The seconds from the first row to this one.
  func seconds(_ row: Row) -> Double { Double(row.time - (rows.first?.time ?? row.time)) * 1e-9 }

  init(_ motion: SimulatedMotion, seconds: Double, seed: UInt64 = 1) {
    var motion = motion
    var random = Lehmer(seed: seed)
    for _ in 0..<Int((seconds * motion.sampleRate).rounded()) {
      let (time, body) = (motion.time, motion.attitude.inverse)
      rows.append(
        Row(
          time: motion.nanoseconds(time),
          angularVelocity: motion.distort(motion.rate(time) + motion.bias) + random.vector(motion.noise.gyroscope),
          specificForce: body * (motion.acceleration(time) + SimulatedMotion.gravity)
            + random.vector(motion.noise.accelerometer),
          magneticField: body * motion.field(time) + motion.hardIron + random.vector(motion.noise.magnetometer),
          truth: motion.attitude))
      motion.advance(1 / motion.sampleRate)
    }
  }

  /// A trajectory of the simulator, with the noise of ``SimulatedMotion`` and its field, after some seconds of rest.
  init(_ trajectory: some Trajectory, rest: Double = 0, seconds: Double, rate: Double = 100, seed: UInt64 = 1) {
    let (world, noise) = (SimulatedMotion(), SimulatedMotion().noise)
    var random = Lehmer(seed: seed)
    for number in 0..<Int((seconds * rate).rounded()) {
      let time = Double(number) / rate
      let state =
        time < rest
        ? TrajectoryState(attitude: trajectory.state(at: 0).attitude) : trajectory.state(at: time - rest)
      let body = state.attitude.inverse
      rows.append(
        Row(
          time: world.nanoseconds(time), angularVelocity: state.angularVelocity + random.vector(noise.gyroscope),
          specificForce: body * (state.acceleration + SimulatedMotion.gravity) + random.vector(noise.accelerometer),
          magneticField: body * world.field(time) + random.vector(noise.magnetometer), truth: state.attitude))
    }
  }

  /// Every n-th row of a trial of the BROAD benchmark; the sensor stamps the end of the interval over which it
  /// averages.
  init(_ trial: Recordings.BroadTrial, every divider: Int) {
    for row in stride(from: 0, to: trial.count, by: divider) {
      rows.append(
        Row(
          time: Int64(row) * 3_500_000, angularVelocity: trial.vector(row, 0), specificForce: trial.vector(row, 3),
          magneticField: trial.vector(row, 6) * 1e-6, truth: trial.reference(row)))
    }
    parameters.gyroscopeDelay = Recordings.BroadTrial.sampleInterval / 2
  }

  // MARK: Running a filter

  /// Feeds all rows; `every` sees the filter after each.
  func run(_ filter: inout OrientationFilter, every: (OrientationFilter, Row) -> Void = { _, _ in }) {
    for row in rows {
      filter.update(angularVelocity: row.angularVelocity, atNanoseconds: row.time)
      filter.update(specificForce: row.specificForce, atNanoseconds: row.time)
      if filter.usesMagnetometer {
        filter.update(magneticField: row.magneticField, atNanoseconds: row.time)
      }
      every(filter, row)
    }
  }

  /// The attitude of a new filter after each row.
  func attitudes(usesMagnetometer: Bool) -> [Rotation<Device, EastNorthUp>?] {
    var filter = OrientationFilter(parameters: parameters, usesMagnetometer: usesMagnetometer)
    var result: [Rotation<Device, EastNorthUp>?] = []
    run(&filter) { filter, _ in result.append(filter.attitude) }
    return result
  }

  /// RMS in degrees, and the largest total error.
  struct Errors {
    var total = 0.0, inclination = 0.0, largest = 0.0
  }

  /// The errors of a new filter from `start` s after the first row, where the truth is known.
  func errors(usesMagnetometer: Bool, from start: Double = 0) -> Errors {
    var filter = OrientationFilter(parameters: parameters, usesMagnetometer: usesMagnetometer)
    var (sum, count) = (Errors(), 0.0)
    run(&filter) { filter, row in
      guard seconds(row) >= start, let truth = row.truth else { return }
      // Where there is no attitude yet, the error is the largest there is.
      let error = (filter.attitude ?? truth * .turnedOver) * truth.inverse
      let total = 2 * Scalar.acos(abs(error.w))
      let inclination = 2 * Scalar.acos(Scalar.hypot(error.w, error.z))
      sum.total += total * total
      sum.inclination += inclination * inclination
      sum.largest = max(sum.largest, Angle(radians: total).degrees)
      count += 1
    }
    func root(_ x: Double) -> Double { Angle(radians: (x / count).squareRoot()).degrees }
    return Errors(total: root(sum.total), inclination: root(sum.inclination), largest: sum.largest)
  }
}

extension Rotation where From == Device, To == Device {
  fileprivate static var turnedOver: Self { Self(rotationVector: Vector3<Device>(x: .pi, y: 0, z: 0)) }
}

// What goes wrong with sensors, as changes of a log.
extension SensorLog {
  /// Every n-th row, picked: what a slower sensor without a low-pass would deliver.
  func every(_ divider: Int) -> Self {
    with { log in log.rows = stride(from: 0, to: rows.count, by: divider).map { rows[$0] } }
  }

  func mapRows(_ change: (inout Row) -> Void) -> Self {
    with { log in for index in log.rows.indices { change(&log.rows[index]) } }
  }

  /// The magnetometer shows what it should have shown so many rows before.
  func magnetometerLate(byRows count: Int) -> Self {
    with { log in
      for index in log.rows.indices { log.rows[index].magneticField = rows[max(0, index - count)].magneticField }
    }
  }

  /// White noise beside what there is: rad/s, m/s², T per sample.
  func noisier(gyroscope: Double, accelerometer: Double, magnetometer: Double) -> Self {
    var random = Lehmer(seed: 77)
    return mapRows { row in
      row.angularVelocity += random.vector(gyroscope)
      row.specificForce += random.vector(accelerometer)
      row.magneticField += random.vector(magnetometer)
    }
  }

  /// The field of the first seconds comes from 90° farther west; only where the truth is known for all of them.
  func fieldTurned(forSeconds duration: Double) -> Self {
    let quarter = Rotation<EastNorthUp, EastNorthUp>(aboutZ: .pi / 2)
    return mapRows { row in
      guard seconds(row) < duration, let truth = row.truth else { return }
      row.magneticField = truth.inverse * (quarter * (truth * row.magneticField))
    }
  }

  /// Without what comes before these seconds.
  func from(seconds start: Double) -> Self {
    with { log in log.rows.removeAll { seconds($0) < start } }
  }

  /// Without what comes before the first row whose truth counts.
  func fromFirstTruth() -> Self {
    with { log in log.rows.removeFirst(rows.firstIndex { $0.truth != nil } ?? 0) }
  }

  /// All readings in other axes of the device: a sensor that is mounted differently.
  func turned(by mounting: Rotation<Device, Device>) -> Self {
    mapRows { row in
      row.angularVelocity = mounting * row.angularVelocity
      row.specificForce = mounting * row.specificForce
      row.magneticField = mounting * row.magneticField
      row.truth = row.truth.map { $0 * mounting.inverse }
    }
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var log = self
    change(&log)
    return log
  }
}
