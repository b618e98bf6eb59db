// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
@_spi(MotionTools) import CoreMotion
import Foundation
import MotionHost
import MotionMath
import MotionRecording
import MotionSensing
import MotionServices

/// An Arrow stream of raw readings in, an Arrow stream of motion out, a row for each row: `fuse --in arrow --out arrow`, the step
/// inside Spark's `mapInArrow`, DuckDB or pandas.
///
/// Each device has a filter of its own, so their rows may come in any mixture; those of one device must be in time order.
final class FuseTableRun {
  /// One device's filter.
  private struct Device {
    var estimator: DeviceMotionEstimator
    var last = Int64.min
  }

  /// Filters at once: each is some kilobytes.
  private static let mostDevices = 65_536

  private let reader: ArrowStreamReader
  private let places: FuseTable.Places
  private let place: String
  private let file: OutputFile
  private let rows: DeviceMotionRows
  private let info: SensorInfo
  private let usesMagnetometer: Bool
  private let skipsErrors: Bool
  private let completion = Completion()
  private var devices: [String?: Device] = [:]
  private var omitted = 0

  /// `input` nil or "-" = standard input.
  init(_ command: FuseCommand, input: String?) throws {
    let isPipe = input == nil || input == "-"
    place = isPipe ? "standard input" : input ?? ""
    var descriptor = STDIN_FILENO
    if !isPipe {
      descriptor = Foundation.open(place, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw CommandFailure("“\(place)” cannot be read: \(SystemFailure(errno: errno).reason).")
      }
    }
    reader = try ArrowStreamReader(descriptor: descriptor, name: place)
    places = try FuseTable.Places(reader.columns, key: command.key, place: place)
    skipsErrors = command.skipErrors
    let kinds: [SensorKinds] = [.accelerometer, .gyroscope] + (places.hasMagnetometer ? [.magnetometer] : [])
    info = SensorInfo(
      name: place, origin: .recording, pacing: .onDemand, timeLine: .recorded(start: SensorInstant(nanoseconds: 0)),
      deviceClass: .unknown, channels: kinds.map { .init(kind: $0) })
    let frame = command.frame ?? .arbitrary
    let environment = HostEnvironment(ProcessInfo.processInfo.environment)
    let host = MotionHost(
      device: nil, location: try command.location?.location ?? environment.location())
    if frame != .arbitrary, !places.hasMagnetometer {
      throw CommandFailure("The frame \(frame.name) needs the columns mx, my and mz; use --frame arbitrary.")
    }
    if frame == .true, host.declination == nil {
      throw CommandFailure(
        "The frame \(frame.name) needs to know where the device is: say --location LATITUDE,LONGITUDE.")
    }
    rows = DeviceMotionRows(frame: frame.value, host: host)
    usesMagnetometer = frame != .arbitrary
    file = try OutputFile.open(command.output, readingFrom: isPipe ? nil : input)
  }

  /// Runs to the end of the stream; what is done is handed on batch by batch.
  func run() throws {
    Interruption.begin(completion)
    let sink = OutputFileSink(file)
    do {
      let key = places.device.map { reader.columns[$0].name }
      let columns =
        (key.map { [ArrowColumn($0, .text)] } ?? []) + [ArrowColumn(FuseTable.time, .integer, unit: "ns")]
        + FuseTable.motionColumns
      let writer = try ArrowStreamWriter(sink, columns: columns)
      var table = FuseTableRows(key: key, numberCount: FuseTable.motionColumns.count)
      while let batch = try reader.next() {
        if completion.isFinished, case .interrupted(let number) = completion.wait(tick: {}) {
          file.discard()
          throw ExitCode(Interruption.exitCode(number))
        }
        try take(batch, into: &table)
        try writer.write(table.take())
        // Whoever reads gets an answer to each batch, not at the end.
        try writer.flush()
      }
      try writer.finish()
      try file.commit()
    } catch {
      file.discard()
      throw sink.failure ?? error
    }
    var line = "\(place): \(Text.count(reader.rowCount, "row")) of \(Text.count(devices.count, "device"))"
    if omitted > 0 {
      line += ", \(Text.count(omitted, "row")) without motion because time or readings were missing or out of order"
    }
    StandardError.shared.say(line)
  }

  private func take(_ batch: ArrowBatch, into table: inout FuseTableRows) throws {
    guard case .integers(let times) = batch.columns[places.time] else { return }
    var names: [String?] = []
    if let index = places.device, case .texts(let texts) = batch.columns[index] { names = texts }
    let readings = places.readings.map { index -> [Double] in
      if case .numbers(let values) = batch.columns[index] { values } else { [] }
    }
    let firstRow = reader.rowCount - batch.rowCount + 1
    for row in 0..<batch.rowCount {
      let name = names.isEmpty ? nil : names[row]
      var motion = FuseTable.Motion()
      if let state = try update(name, times[row], readings, row, firstRow + row) { motion = self.motion(state) }
      table.append(device: name, time: times[row], motion)
    }
  }

  /// The state of motion after a row; nil when the row completes none.
  private func update(
    _ name: String?, _ time: Int64, _ readings: [[Double]], _ row: Int, _ number: Int
  ) throws -> DeviceMotion? {
    func vector(_ first: Int) -> Vector3<MotionMath.Device> {
      Vector3(x: readings[first][row], y: readings[first + 1][row], z: readings[first + 2][row])
    }
    let (acceleration, rate) = (vector(0), vector(3))
    guard time != .min, acceleration.isFinite, rate.isFinite else {
      omitted += 1
      return nil
    }
    if devices[name] == nil {
      guard devices.count < Self.mostDevices else {
        throw CommandFailure("\(place) holds more than \(Self.mostDevices) devices: fuse them in parts.")
      }
      var estimator = DeviceMotionEstimator(info: info, run: 1)
      estimator.solutions = usesMagnetometer ? .nineAxis : .sixAxis
      devices[name] = Device(estimator: estimator)
    }
    guard time > devices[name]?.last ?? .min else {
      omitted += 1
      guard skipsErrors else {
        throw CommandFailure(
          "\(place), row \(number): time does not rise\(name.map { " for the device \($0)" } ?? ""); sort the rows of each device by \(FuseTable.time), name the column of devices with --key, or use --skip-errors."
        )
      }
      return nil
    }
    devices[name]?.last = time
    let instant = SensorInstant(nanoseconds: time)
    if places.hasMagnetometer, usesMagnetometer {
      let field = vector(6)
      if field.isFinite {
        _ = devices[name]?.estimator.update(.magnetometer(MagnetometerSample(time: instant, magneticField: field)))
      }
    }
    let sample = InertialSample(time: instant, angularVelocity: rate, specificForce: acceleration)
    return devices[name]?.estimator.update(.inertial(sample))
  }

  private func motion(_ state: DeviceMotion) -> FuseTable.Motion {
    var motion = FuseTable.Motion()
    guard let solution = usesMagnetometer ? state.nineAxis : state.sixAxis else { return motion }
    let attitude = solution.attitude
    motion.attitude = SIMD4(attitude.w, attitude.x, attitude.y, attitude.z)
    motion.gravity = solution.up * standardGravity
    motion.linearAcceleration = state.accelerometer.specificForce - motion.gravity
    motion.rate = solution.angularVelocity
    motion.rest = state.isAtRest ? 1 : 0
    if usesMagnetometer, solution.hasHeading, let row = rows.row(for: .motion(state)), let degrees = row.knownHeading {
      motion.heading = Angle(degrees: degrees).radians
    }
    return motion
  }
}
