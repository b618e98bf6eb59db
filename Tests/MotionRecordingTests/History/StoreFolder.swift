// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
@_exported import TestSupport

@testable import MotionHistory

/// A folder for the files of one test, gone with its owner.
final class StoreFolder {
  let path = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)").path
  var file: String { path + "/state/history.sqlite" }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func writer(_ source: String = "iio:") throws -> MotionStore {
    try MotionStore.open(writing: file, as: holder(source)).store
  }

  func holder(_ source: String = "iio:") -> WriterLock.Holder {
    .init(source: source, recordsAccelerometer: true, since: day)
  }

  func reader() throws -> MotionStore? { try MotionStore.open(reading: file) }
}

/// 2026-11-22 00:00 UTC.
let day = Date(timeIntervalSince1970: 1_795_305_600)

/// A clock that was at zero at the beginning of that day.
let line = TimeLine(clock: "boot-1", origin: 1_795_305_600_000_000)

func instant(_ seconds: Double) -> SensorInstant { SensorInstant(microseconds: Int64((seconds * 1e6).rounded())) }

/// Rows made by hand; times in seconds of the line.
func rows(
  steps: [(start: Double, end: Double, steps: Int)] = [], activities: [(time: Double, flags: UInt8)] = [],
  batches: [AccelerationBatch] = []
) -> HistoryRows {
  var rows = HistoryRows()
  rows.steps = steps.map {
    .init(
      start: instant($0.start), end: instant($0.end), steps: $0.steps, distance: Double($0.steps) * 0.7,
      activeTime: $0.end - $0.start)
  }
  rows.activities = activities.map {
    .init(start: instant($0.time), activity: .init(rawValue: $0.flags), confidence: .high)
  }
  rows.batches = batches
  return rows
}

/// Batches of a still device at 50 Hz; the x axis counts the samples.
func batches(from start: Double, seconds: Double, range: Double? = nil) -> [AccelerationBatch] {
  var batcher = AccelerationBatcher(range: range)
  var batches: [AccelerationBatch] = []
  for index in 0..<Int((seconds * 50).rounded()) {
    let force = Vector3<Device>(x: Double(index % 100), y: 0, z: 9.80665)
    let sample = AccelerometerSample(time: instant(start + Double(index) * 0.02), specificForce: force)
    if let batch = batcher.append(sample) { batches.append(batch) }
  }
  return batches + (batcher.finish().map { [$0] } ?? [])
}

extension MotionStore {
  func write(_ rows: HistoryRows, line: TimeLine) throws {
    try write(rows, source: "iio:", line: line, durably: true)
  }
}

/// The two kinds of histories, which answer the same.
enum HistoryKind: CaseIterable { case file, memory }

/// A history of either kind, gone with its last reference.
struct KeptHistory {
  let history: any History
  private let folder = StoreFolder()

  init(_ kind: HistoryKind) throws { history = kind == .file ? try folder.writer() : MemoryHistory() }

  func write(_ rows: HistoryRows, line: TimeLine) throws {
    if let store = history as? MotionStore { try store.write(rows, line: line) }
    (history as? MemoryHistory)?.write(rows, line: line, at: .distantPast)
  }

  func steps(from start: Date, to end: Date) throws -> StepTotals { try history.steps(from: start, to: end) }
  func activities(from start: Date, to end: Date) throws -> [RecordedActivity] {
    try history.activities(from: start, to: end)
  }
  func accelerometer(from start: Date, to end: Date) throws -> AccelerationSequence {
    try history.accelerometer(from: start, to: end)
  }
}
