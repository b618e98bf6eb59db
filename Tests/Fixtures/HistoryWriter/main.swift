// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHistory
import MotionHost
import MotionMath
import MotionSensing
import MotionServices

// history-writer STORE PROGRESS START: writes a walk into a store, as fast as it can, until it is killed. Before each sample the time
// that has come, in microseconds, is put into PROGRESS, which outlives the process.
let arguments = CommandLine.arguments
guard arguments.count == 4, let start = Int64(arguments[3]) else { exit(64) }
let progress = open(arguments[2], O_RDWR | O_CREAT, 0o600)
let size = MemoryLayout<Int64>.size
ftruncate(progress, off_t(size))
guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, progress, 0), memory != MAP_FAILED else {
  exit(1)
}

let source = "simulate:test"
let (store, notices) = try MotionStore.open(
  writing: arguments[1], as: .init(source: source, recordsAccelerometer: true, since: Date()))
for notice in notices { print(notice) }
let writer = HistoryWriter(store: store, source: source, isLive: false) { print($0) }
let line = TimeLine(clock: "test", origin: 1_790_000_000_000_000)
var batcher = AccelerationBatcher(range: nil)
var time = start
var epochEnd = start
while true {
  memory.storeBytes(of: time, as: Int64.self)
  var rows = HistoryRows()
  let sample = AccelerometerSample(
    time: SensorInstant(microseconds: time), specificForce: Vector3(x: Double(time / 20_000 % 100), y: 0, z: 9.81))
  if let batch = batcher.append(sample) { rows.batches = [batch] }
  if time - epochEnd >= 2_560_000 {
    rows.steps = [
      .init(
        start: SensorInstant(microseconds: epochEnd), end: SensorInstant(microseconds: epochEnd + 2_560_000), steps: 5,
        distance: 3.5, activeTime: 2.56)
    ]
    epochEnd += 2_560_000
  }
  if !rows.isEmpty {
    writer.write(
      rows, line: line, durably: !rows.batches.isEmpty,
      at: Date(timeIntervalSince1970: Double(line.origin + time) / 1e6))
  }
  time += 20_000
}
