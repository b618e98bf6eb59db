// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// An Arrow stream of raw readings: `timestamp_ns ax ay az gx gy gz`, perhaps `mx my mz`, in SI; NaN or null where a
/// sensor has no reading at the instant. Or one of motion, as `fuse --out arrow` writes it. Source:
/// Documentation/Formats.md 6.8.
enum ArrowFormat {
  static let reader = FormatReader(
    format: .arrow, title: "Arrow IPC",
    summary: "a stream or file with the columns timestamp_ns ax ay az gx gy gz, or with motion", plan: plan)

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    let member = try files.only()
    let reader = try ArrowStreamReader(files.open(member), name: member.place)
    let columns = try FuseTable.Places(reader.columns, readsMotion: true, place: member.place)
    let kinds: [SensorKinds] =
      columns.motion.isEmpty
      ? [.accelerometer, .gyroscope] + (columns.hasMagnetometer ? [.magnetometer] : []) : [.motion]
    let stream = SampleStreamPlan(
      channels: kinds.map { .init(kind: $0) }, places: [member.place], storedBytes: member.storedSize
    ) { (context) throws(SensorError) in
      ArrowSampleStream(
        try ArrowStreamReader(files.open(member), name: member.place), columns, name: member.place, context: context
      ).next
    }
    return RecordingPlan(streams: [stream], usesRecordedMotion: !columns.motion.isEmpty, deviceClass: .unknown)
  }
}

private final class ArrowSampleStream {
  private let reader: ArrowStreamReader
  private let columns: FuseTable.Places
  private let name: String
  private let context: ReadingContext
  private var waiting: [SensorSample] = []
  private var head = 0
  /// The batch that the samples come from, its columns of readings, and its next row.
  private var batch: ArrowBatch?
  private var readings: [[Double]] = []
  private var row = 0
  /// Rows that become samples at once: a batch may have millions.
  private static let piece = 4096
  /// The latest times of accelerometer, gyroscope and magnetometer.
  private var orders = [TimeOrder](repeating: TimeOrder(), count: 3)
  private var device: String?
  private var hasEnded = false

  init(_ reader: ArrowStreamReader, _ columns: FuseTable.Places, name: String, context: ReadingContext) {
    self.reader = reader
    self.columns = columns
    self.name = name
    self.context = context
  }

  func next() throws(SensorError) -> SensorSample? {
    while head == waiting.count {
      if batch == nil, !hasEnded { try begin(try read()) }
      guard let batch else { return nil }
      waiting.removeAll(keepingCapacity: true)
      head = 0
      let end = min(row + Self.piece, batch.rowCount)
      defer { if row == batch.rowCount { self.batch = nil } }
      try append(batch, firstRow: reader.rowCount - batch.rowCount + 1, upTo: end)
    }
    defer { head += 1 }
    return waiting[head]
  }

  /// A batch that is cut off costs itself only.
  private func read() throws(SensorError) -> ArrowBatch? {
    do throws(SensorError) {
      if let batch = try reader.next() { return batch }
      try reader.checkEnd()
      return nil
    } catch {
      try context.endOfBytes(error)
      return nil
    }
  }

  /// Goes on with a batch; nil = that was the last.
  private func begin(_ next: ArrowBatch?) throws(SensorError) {
    (batch, row, hasEnded) = (next, 0, next == nil)
    guard let next else { return }
    if let index = columns.device, case .texts(let devices) = next.columns[index] {
      try checkDevice(devices, reader.rowCount - next.rowCount + 1)
    }
    readings = (columns.readings + columns.motion).map { index -> [Double] in
      if case .numbers(let values) = next.columns[index] { values } else { [] }
    }
  }

  private func append(_ batch: ArrowBatch, firstRow: Int, upTo end: Int) throws(SensorError) {
    guard case .integers(let times) = batch.columns[columns.time] else {
      row = end
      return
    }
    while row < end {
      let row = row
      self.row += 1
      let place = SensorError.Place(file: name, line: firstRow + row, column: FuseTable.time)
      let time = times[row]
      guard time != TableReader.absent, time.magnitude <= UInt64(InputLimits.nanoseconds) else {
        try context.report(.malformed, "This row has no time", at: place)
        continue
      }
      guard columns.motion.isEmpty else {
        if var motion = MotionRow(cells: readings.map { $0[row] }, at: SensorInstant(nanoseconds: time)),
          let time = try context.place(time, in: &orders[0], at: place)
        {
          motion.time = SensorInstant(nanoseconds: time)
          waiting.append(.motion(motion))
        }
        continue
      }
      for sensor in 0..<readings.count / 3 {
        let vector = Vector3<Device>(
          x: readings[3 * sensor][row], y: readings[3 * sensor + 1][row], z: readings[3 * sensor + 2][row])
        // Absent, or not a reading.
        guard vector.isFinite else {
          if !(vector.x.isNaN && vector.y.isNaN && vector.z.isNaN) {
            context.statistics.count(.nonFinite, at: place)
          }
          continue
        }
        guard let time = try context.place(time, in: &orders[sensor], at: place) else { continue }
        let instant = SensorInstant(nanoseconds: time)
        switch sensor {
        case 0: waiting.append(.accelerometer(AccelerometerSample(time: instant, specificForce: vector)))
        case 1: waiting.append(.gyroscope(GyroscopeSample(time: instant, angularVelocity: vector)))
        default: waiting.append(.magnetometer(MagnetometerSample(time: instant, magneticField: vector)))
        }
      }
    }
  }

  private func checkDevice(_ devices: [String?], _ firstRow: Int) throws(SensorError) {
    for (row, name) in devices.enumerated() {
      if let device, device != name {
        throw SensorError(
          .unsupported,
          "It contains several devices (\(device), \(name ?? "none")): fuse them with --in arrow --key \(FuseTable.device).",
          at: .init(file: self.name, line: firstRow + row, column: FuseTable.device))
      }
      device = name
    }
  }
}
