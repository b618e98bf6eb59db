// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// Writes a recording as an Arrow IPC stream: raw readings in the input columns of `fuse --in arrow`, or motion in its
/// output columns.
///
/// One row per instant. A sensor without a reading at the instant is NaN there, so sensors of different rates share a
/// table and nothing is resampled. Raw readings are written if the recording has an accelerometer or a gyroscope, else
/// its motion.
public final class ArrowWriter: CountingWriter {
  public private(set) var counts = WriterCounts()
  private let writer: ArrowStreamWriter
  private let writesRaw: Bool
  private let device: String
  private var rows: FuseTableRows
  private var row: [Double]
  private var rowTime: SensorInstant?
  /// Which sensors have delivered at the present instant.
  private var seen: SensorKinds = []

  /// `device` fills a column `device_id`; empty, the default of a description: no such column.
  public init(_ sink: any ByteSink, description: RecordingDescription) throws(SensorError) {
    let kinds = description.info.kinds
    writesRaw = !kinds.isDisjoint(with: .inertial) || !kinds.contains(.motion)
    device = description.device
    let columns =
      writesRaw
      ? FuseTable.rawColumns(hasMagnetometer: kinds.contains(.magnetometer))
      : [FuseTable.rawColumns(hasMagnetometer: false)[0]] + FuseTable.motionColumns
    row = Array(repeating: .nan, count: columns.count - 1)
    let key = device.isEmpty ? nil : FuseTable.device
    rows = FuseTableRows(key: key, numberCount: columns.count - 1)
    var metadata = [(key: "sign", value: "reaction"), (key: "clock", value: description.clock.rawValue)]
    if let offset = description.wallOffset {
      metadata.append((key: "wall_offset_ns", value: String(offset.nanoseconds)))
    }
    writer = try ArrowStreamWriter(
      sink, columns: (key.map { [ArrowColumn($0, .text)] } ?? []) + columns, metadata: metadata)
  }

  public func write(_ item: RecordedItem) throws(SensorError) {
    guard case .sample(let sample, _) = item else {
      counts.unsupported += 1
      return
    }
    switch sample {
    case .motion(let motion) where !writesRaw:
      try begin(motion.time, .motion)
      let row = motion.eastNorthUp
      self.row = FuseTable.motion.map { $0.cell(row) }
    case .accelerometer(let sample) where writesRaw: try put(sample.specificForce, at: 0, sample.time, .accelerometer)
    case .gyroscope(let sample) where writesRaw: try put(sample.angularVelocity, at: 3, sample.time, .gyroscope)
    case .inertial(let sample) where writesRaw:
      try put(sample.specificForce, at: 0, sample.time, .accelerometer)
      try put(sample.angularVelocity, at: 3, sample.time, .gyroscope)
    case .magnetometer(let sample) where writesRaw && row.count == 9:
      try put(sample.magneticField, at: 6, sample.time, .magnetometer)
    default: counts.unsupported += 1
    }
  }

  public func finish() throws(SensorError) {
    try endRow()
    try writer.write(rows.drain())
    try writer.finish()
  }

  private func put(_ vector: Vector3<Device>, at place: Int, _ time: SensorInstant, _ kind: SensorKinds)
    throws(SensorError)
  {
    try begin(time, kind)
    (row[place], row[place + 1], row[place + 2]) = (vector.x, vector.y, vector.z)
  }

  private func begin(_ time: SensorInstant, _ kind: SensorKinds) throws(SensorError) {
    if time != rowTime || !seen.isDisjoint(with: kind) { try endRow() }
    rowTime = time
    seen.formUnion(kind)
  }

  private func endRow() throws(SensorError) {
    guard let time = rowTime else { return }
    rows.append(device: device, time: time.nanoseconds, cells: row)
    counts.rows += 1
    rowTime = nil
    seen = []
    for index in row.indices { row[index] = .nan }
    if rows.count >= FuseTableRows.rowsPerBatch { try writer.write(rows.drain()) }
  }
}

extension MotionRow {
  /// The same with an attitude that leads to east-north-up, for the cells of a ``FuseTable``: a quarter turn
  /// (Documentation/Formats.md 2.4).
  var eastNorthUp: MotionRow {
    var row = self
    (row.w, row.vector) = FusedForm.eastNorthUp(w, vector)
    return row
  }

  /// A row of a ``FuseTable``, in SI; nil where it has no motion. A table does not say what its azimuth is measured
  /// against; the heading does where there is one.
  init?(cells: [Double], at time: SensorInstant) {
    guard cells.count == FuseTable.motion.count, cells[0..<13].allSatisfy(\.isFinite) else { return nil }
    func vector(_ first: Int) -> Vector3<Device> { Vector3(x: cells[first], y: cells[first + 1], z: cells[first + 2]) }
    func angle(_ index: Int) -> AngleReading? { cells[index].isNaN ? nil : AngleReading(cells[index], .radian) }
    let (w, attitude) = FusedForm.northWestUp(cells[0], vector(1))
    self.init(
      time: time, w: w, vector: attitude, reference: .xArbitrary, angularVelocity: vector(10), gravity: vector(4),
      linearAcceleration: vector(7), accelerationUnit: .metresPerSecondSquared, heading: angle(13),
      inclinationDeviation: angle(15), headingDeviation: angle(16))
  }
}
