// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHost
import MotionMath
import MotionRecording
import MotionSensing
import MotionServices

/// An Arrow stream of raw readings in, an Arrow stream of motion out, a row for each row: `fuse --in arrow --out arrow`, the step
/// inside Spark's `mapInArrow`, DuckDB or pandas.
///
/// Each device has filters of its own, so their rows may come in any mixture. Rows of one device that are out of order, or that
/// repeat a time, are counted and have no motion, as in every other recording.
final class FuseTableRun {
  /// Filters at once: each is some kilobytes.
  private static let mostDevices = 65_536

  private let reader: ArrowStreamReader
  private let places: FuseTable.Places
  private let place: String
  private let file: OutputFile
  private let info: SensorInfo
  private let framing: MotionFraming
  private let completion = Completion()
  private var devices: [String?: OfflineFusion] = [:]
  private var rowsWithoutTime = 0

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
    framing = frame.framing(on: host)
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
        try fuse(batch, into: &table)
        try writer.write(table.drain())
        // The reader gets an answer to each batch, not at the end.
        try writer.flush()
      }
      try writer.finish()
      try file.commit()
    } catch {
      file.discard()
      throw sink.failure ?? error
    }
    var line = "\(place): \(Text.count(reader.rowCount, "row")) of \(Text.count(devices.count, "device"))"
    let counts = devices.values.map(\.statistics.gyroscope)
    let dropped = rowsWithoutTime + counts.reduce(0) { $0 + $1.dropped }
    if dropped > 0 {
      func sum(_ path: KeyPath<TimelineStatistics.Counts, Int>) -> Int { counts.reduce(0) { $0 + $1[keyPath: path] } }
      line +=
        ", \(Text.count(dropped, "row")) without motion: \(sum(\.late)) late, \(sum(\.duplicates)) duplicate, "
        + "\(sum(\.nonFinite)) non-finite, \(rowsWithoutTime) without a time"
    }
    StandardError.shared.say(line)
  }

  private func fuse(_ batch: ArrowBatch, into table: inout FuseTableRows) throws {
    guard case .integers(let times) = batch.columns[places.time] else { return }
    var names: [String?] = []
    if let index = places.device, case .texts(let texts) = batch.columns[index] { names = texts }
    let readings = places.readings.map { index -> [Double] in
      if case .numbers(let values) = batch.columns[index] { values } else { [] }
    }
    for row in 0..<batch.rowCount {
      let name = names.isEmpty ? nil : names[row]
      let motion = try fuse(name, times[row], readings, row)
      table.append(device: name, time: times[row], motion ?? FuseTable.Motion())
    }
  }

  /// The motion at a row; nil when the row completes none.
  private func fuse(_ name: String?, _ time: Int64, _ readings: [[Double]], _ row: Int) throws -> FuseTable.Motion? {
    func vector(_ first: Int) -> Vector3<Device> {
      Vector3(x: readings[first][row], y: readings[first + 1][row], z: readings[first + 2][row])
    }
    guard time != .min else {
      rowsWithoutTime += 1
      return nil
    }
    if devices[name] == nil {
      guard devices.count < Self.mostDevices else {
        throw CommandFailure("\(place) holds more than \(Self.mostDevices) devices: fuse them in parts.")
      }
      devices[name] = OfflineFusion(info: info, framing: framing)
    }
    let instant = SensorInstant(nanoseconds: time)
    if places.hasMagnetometer, framing.usesMagnetometer {
      let field = vector(6)
      if field.isFinite {
        _ = devices[name]?.update(.magnetometer(MagnetometerSample(time: instant, magneticField: field)))
      }
    }
    let sample = InertialSample(time: instant, angularVelocity: vector(3), specificForce: vector(0))
    guard let step = devices[name]?.update(.inertial(sample)), let state = step.motion,
      let solution = framing.usesMagnetometer ? state.nineAxis : state.sixAxis
    else { return nil }
    var motion = FuseTable.Motion()
    let attitude = solution.attitude
    motion.attitude = SIMD4(attitude.w, attitude.x, attitude.y, attitude.z)
    motion.gravity = solution.up * standardGravity
    motion.linearAcceleration = state.accelerometer.specificForce - motion.gravity
    motion.rate = solution.angularVelocity
    motion.rest = state.isAtRest ? 1 : 0
    if solution.hasHeading, let heading = step.row?.heading { motion.heading = heading.bearingRadians }
    if let row = step.row { motion.takeDeviations(of: row) }
    return motion
  }
}
