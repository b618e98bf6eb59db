// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivityEstimation
import Foundation
import MotionHistory
import MotionHost
import MotionMath
import MotionSensing
import MotionServices

/// A history in whose rows any values were written, as another program or a failing disk can leave it: it is asked for
/// all it holds. SQLite itself reads the file; what is tried is what we make of its values.
struct EditedHistory {
  private let path: String
  private let template: [UInt8]
  private let columns: [(table: String, column: String)]

  /// Makes a good history of a few minutes in a folder, which has to exist.
  init(folder: String) throws {
    path = folder + "/history.sqlite"
    let now = Date(timeIntervalSince1970: 1_795_305_600)
    let (store, _) = try MotionStore.open(
      writing: path, as: WriterLock.Holder(source: "iio:", recordsAccelerometer: true, since: now))
    var rows = HistoryRows()
    var batcher = AccelerationBatcher(range: nil)
    for index in 0..<2_000 {
      let time = SensorInstant(microseconds: Int64(index) * 20_000)
      let sample = AccelerometerSample(time: time, specificForce: Vector3<Device>(x: Double(index % 100), y: 0, z: 9.8))
      rows.batches += [batcher.append(sample)].compactMap { $0 }
    }
    for index in 0..<20 {
      let start = SensorInstant(microseconds: Int64(index) * 2_560_000)
      let end = SensorInstant(microseconds: Int64(index + 1) * 2_560_000)
      rows.steps.append(StepEpoch(start: start, end: end, steps: 5, distance: 3.5, activeTime: 2.56))
      rows.activities.append(ActivityChange(start: start, activity: .walking, confidence: .high))
    }
    try store.write(rows, source: "iio:", line: TimeLine(clock: "boot", origin: 1_795_305_600_000_000), durably: true)
    let tables = ["boot", "source", "batch", "step_epoch", "step_hour", "activity", "step_length", "meta"]
    columns = try store.database.withLock { database in
      try tables.flatMap { table in
        try database.rows("SELECT name FROM pragma_table_info(?)", table) { (table: table, column: try $0.text(0)) }
      }
    }
    store.database.withLock { $0.close() }
    template = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Eleven bytes an edit: which column, which row, which type, and the value.
  func read(editsOf bytes: [UInt8]) throws {
    try Data(template).write(to: URL(fileURLWithPath: path))
    let database = try Database(path)
    try database.execute("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF")
    var rest = bytes[...]
    while let place = rest.popFirst(), let row = rest.popFirst(), let type = rest.popFirst() {
      let (table, column) = columns[Int(place) % columns.count]
      let number = rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
      let value: (any DatabaseValue)? =
        switch type % 5 {
        case 0: nil
        case 1: Int64(bitPattern: number)
        case 2: Double(bitPattern: number)
        case 3: String(decoding: rest.prefix(8), as: UTF8.self)
        default: Array(rest.prefix(Int(type >> 4)))
        }
      rest = rest.dropFirst(8)
      // A key that is taken already, for example.
      _ = try? database.run("UPDATE \(table) SET \(column) = ? WHERE rowid % 7 = ?", value, Int(row % 8))
    }
    database.close()
    Self.read(path)
  }

  /// Asks a history for all it holds.
  static func read(_ path: String) {
    guard let store = try? MotionStore.open(reading: path) else { return }
    _ = try? store.contents()
    for (start, end) in [(Date.distantPast, Date.distantFuture), (Date(timeIntervalSince1970: 1_795_305_600), Date())] {
      _ = try? store.steps(from: start, to: end)
      _ = try? store.activities(from: start, to: end)
      if let samples = try? store.accelerometer(from: start, to: end) { for _ in samples {} }
    }
    _ = (try? store.lastIdentifier(), try? store.sources())
  }
}
