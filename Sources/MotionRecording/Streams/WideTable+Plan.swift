// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

extension RecordingPlan {
  /// The plan of tables that stand side by side, each of them with the samples of ``WideTable/readings()``.
  ///
  /// `needs` says what recorded motion would take, for the error when it is asked for and not there.
  init(
    _ tables: [(file: TableFile, columns: WideTable)], in files: RecordingFiles, _ options: RecordingOptions,
    needs: String
  ) throws(SensorError) {
    self.init(streams: [])
    func stream(_ file: TableFile, _ readings: [RowStreamPlan.Reading]) -> RowStreamPlan {
      RowStreamPlan(table: file, slotCount: WideTable.slotCount, readings: readings)
    }
    // A sensor that one table has raw is not rebuilt from another.
    let rawKinds = tables.reduce(into: SensorKinds()) { $0.formUnion($1.columns.rawKinds) }
    var recorded: (any SampleStreamPlan)?
    var taken: SensorKinds = []
    for (file, columns) in tables {
      var (readings, notes) = columns.readings()
      let own = columns.rawKinds
      readings.removeAll { reading in
        let kind = reading.form.kind
        return taken.contains(kind) || (!own.contains(kind) && rawKinds.contains(kind))
      }
      notes.removeAll { note in
        (note.hasPrefix("accelerometer") && !readings.contains { $0.form.kind == .accelerometer })
          || (note.hasPrefix("gyroscope") && !readings.contains { $0.form.kind == .gyroscope })
      }
      for reading in readings { taken.formUnion(reading.form.kind) }
      self.notes += notes
      if !readings.isEmpty { streams.append(stream(file, readings)) }
      if recorded == nil, let motion = columns.recordedMotion() { recorded = stream(file, [motion]) }
      if witness == nil, let reading = columns.witness() { witness = stream(file, [reading]) }
    }
    guard options.motion == .recorded else {
      if recorded != nil { unread = [Self.motionAside] }
      return
    }
    guard let recorded else { throw .noRecordedMotion(in: files, needs: needs) }
    streams.append(recorded)
    usesRecordedMotion = true
  }
}

extension WideTable {
  /// The kinds for which the table has raw columns.
  var rawKinds: SensorKinds {
    var kinds: SensorKinds = []
    if has(.accelerometer) { kinds.formUnion(.accelerometer) }
    if has(.gyroscope) { kinds.formUnion(.gyroscope) }
    if has(.magnetometer) { kinds.formUnion(.magnetometer) }
    return kinds
  }
}
