// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// One sensor in one table: a sample a row.
struct TableStreamPlan: SampleStreamPlan {
  var table: TableFile
  var form: SampleForm
  /// The source has already taken the device's own field out (magnetometers).
  var isCalibrated = false

  var channels: [SensorInfo.Channel] { [.init(kind: form.kind, isCalibrated: isCalibrated)] }
  var places: [String] { [table.member.place] }
  var storedBytes: Int64 { table.member.storedSize }

  func open(_ context: ReadingContext) throws(SensorError) -> any SampleStream {
    TableStream(try table.open(RowValues(count: form.slotCount), context), form: form)
  }

  func lastInstant() -> SensorInstant? { table.lastInstant(slotCount: form.slotCount) }
}

private final class TableStream: SampleStream {
  private let reader: TableReader
  private let form: SampleForm

  init(_ reader: TableReader, form: SampleForm) {
    self.reader = reader
    self.form = form
  }

  func next() throws(SensorError) -> SensorSample? {
    guard try reader.next() else { return nil }
    return form.sample(time: reader.instants[0], reader.values.numbers)
  }
}
