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
      row = FuseTable.Motion(motion).cells
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

extension FuseTable.Motion {
  /// Motion that was recorded: north-west-up becomes east-north-up by a quarter turn (Documentation/Formats.md 2.4).
  init(_ motion: MotionRow) {
    self.init()
    let (w, vector) = FusedForm.eastNorthUp(motion.w, motion.vector)
    attitude = SIMD4(w, vector.x, vector.y, vector.z)
    gravity = motion.gravity * motion.accelerationUnit.scale
    linearAcceleration = motion.linearAcceleration * motion.accelerationUnit.scale
    rate = motion.angularVelocity
    if let reading = motion.heading { heading = reading.bearingRadians }
    takeDeviations(of: motion)
  }

  /// Of a row of a table; nil where the row has no motion.
  init?(cells: [Double]) {
    self.init()
    guard cells.count == self.cells.count, cells[0..<13].allSatisfy(\.isFinite) else { return nil }
    attitude = SIMD4(cells[0], cells[1], cells[2], cells[3])
    gravity = Vector3(x: cells[4], y: cells[5], z: cells[6])
    linearAcceleration = Vector3(x: cells[7], y: cells[8], z: cells[9])
    rate = Vector3(x: cells[10], y: cells[11], z: cells[12])
    (heading, rest, inclinationDeviation, headingDeviation) = (cells[13], cells[14], cells[15], cells[16])
  }

  /// As recorded motion, in SI. A table does not say what its azimuth is measured against; the heading does where there is one.
  func sample(at time: SensorInstant) -> MotionRow {
    func angle(_ radians: Double) -> AngleReading? { radians.isNaN ? nil : AngleReading(radians, .radian) }
    let (w, vector) = FusedForm.northWestUp(
      attitude[0], Vector3(x: attitude[1], y: attitude[2], z: attitude[3]))
    return MotionRow(
      time: time, w: w, vector: vector, reference: .xArbitrary, angularVelocity: rate, gravity: gravity,
      linearAcceleration: linearAcceleration, accelerationUnit: .metresPerSecondSquared, heading: angle(heading),
      inclinationDeviation: angle(inclinationDeviation), headingDeviation: angle(headingDeviation))
  }

  /// Takes over what a row says of its own error.
  package mutating func takeDeviations(of row: MotionRow) {
    if let reading = row.inclinationDeviation { inclinationDeviation = reading.angle.radians }
    if let reading = row.headingDeviation { headingDeviation = reading.angle.radians }
  }
}
