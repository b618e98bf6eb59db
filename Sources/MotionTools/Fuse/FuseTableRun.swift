// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionAnalysis
import MotionHost
import MotionMath
import MotionRecording
import MotionSensing
import MotionServices

/// An Arrow stream of raw readings in, an Arrow stream of motion out, a row for each row: `fuse --in arrow --out
/// arrow`, the step inside Spark's `mapInArrow`, DuckDB or pandas.
///
/// Each device has filters of its own, so their rows may come in any mixture. A row may hold one sensor only (the
/// others NaN or null): motion stands in the rows of the gyroscope, and such a row waits until the accelerometer's
/// nearest reading is there. Readings of one device that are out of order, or that repeat a time, are counted and have
/// no motion, as in every other recording.
package final class FuseTableRun {
  /// Rows that wait behind one whose motion is not complete.
  private static let mostWaiting = 65_536
  /// The same where motion is smoothed, if the budget allows as many: ten minutes of 24 devices at 300 Hz.
  private static let mostWaitingForSmoother = 1 << 22
  /// Bytes of memory of a device besides its filters: its place in the dictionary, its name's head.
  private static let entryBytes = 128
  /// Bytes of memory of a row that waits to be smoothed: its numbers, its state of motion and the smoother's own.
  private static let smoothedRowBytes = 640

  /// One device: an object, since filters that are copied out of a dictionary and back cost more than the work they do.
  private final class DeviceFusion {
    var fusion: OfflineFusion
    /// The row of the gyroscope reading whose motion may still come, counted from the table's beginning.
    var open: Int?
    /// With a smoother: the rows of the gyroscope whose motion is still to come, and how many of them have it.
    var expected: [(row: Int, time: SensorInstant)] = []
    var answered = 0

    init(_ info: SensorInfo, _ framing: MotionFraming, smooths: Bool) {
      fusion = OfflineFusion(info: info, framing: framing, smooths: smooths)
    }
  }

  private let reader: ArrowStreamReader
  /// Whether it ends by itself, so that what stands behind its end can be looked at.
  private let isFile: Bool
  private let places: FuseTable.Places
  private let place: String
  private let file: OutputFile
  private let info: SensorInfo
  private let framing: MotionFraming
  private let smooths: Bool
  /// What the table may make this process keep: its filters, and the rows that wait.
  private let budget: Budget
  private let isOfUnknownLength: Bool
  private let filters: Budget.Share
  /// What reads a Parquet file; nil for an Arrow stream.
  private var parquet: ParquetProcess?
  private var devices: [String?: DeviceFusion] = [:]
  /// Rows that are not written yet, and the number of the first of them.
  private var waiting: FuseTableRows
  private var written = 0
  /// By waiting row: its motion may still come.
  private var isOpen: [Bool] = []
  private var rowsWithMotion = 0
  private var rowsWithoutTime = 0
  private var rowsSmoothedEarly = 0

  /// Opens the table and the output.
  ///
  /// - Parameters:
  ///   - job: its frame, location and smoothing count.
  ///   - input: nil or "-" = standard input.
  ///   - isParquet: whether the input is a Parquet file; else it is an Arrow stream.
  ///   - output: nil = standard output.
  ///   - key: the column that tells devices apart; nil = `device_id`, else `recording`.
  package init(
    _ job: FuseJob, input: String?, isParquet: Bool, output: String?, writesParquet: Bool, key: String?
  ) throws {
    let isPipe = input == nil || input == "-"
    place = isPipe ? "standard input" : input ?? ""
    isFile = !isPipe && !isParquet
    var descriptor = STDIN_FILENO
    if isParquet {
      (parquet, descriptor) = try ParquetProcess.reading(place, key: key)
    } else if !isPipe {
      descriptor = Foundation.open(place, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw CommandFailure("“\(place)” cannot be read: \(SystemFailure(errno: errno).reason).")
      }
    }
    var status = stat()
    let isFile = stat(place, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && !isPipe
    isOfUnknownLength = !isFile
    budget = Budget(input: isFile ? Int64(status.st_size) : 0)
    filters = budget.share(
      "The filters of its devices", remedy: "fuse them in parts, or give a table that has more rows as a file")
    do { reader = try ArrowStreamReader(descriptor: descriptor, name: place) } catch {
      // What could not be read has said why.
      try parquet?.finish()
      throw error
    }
    places = try FuseTable.Places(reader.columns, key: key, place: place)
    let kinds: [SensorKinds] = [.accelerometer, .gyroscope] + (places.hasMagnetometer ? [.magnetometer] : [])
    info = SensorInfo(
      name: place, origin: .recording, pacing: .onDemand, timeLine: .recorded(start: SensorInstant(nanoseconds: 0)),
      deviceClass: .unknown, channels: kinds.map { .init(kind: $0) })
    let frame = job.frame ?? .arbitrary
    let environment = HostEnvironment(ProcessInfo.processInfo.environment)
    let host = MotionHost(
      device: nil, location: try job.location?.location ?? environment.location())
    if frame != .arbitrary, !places.hasMagnetometer {
      throw CommandFailure("The frame \(frame.name) needs the columns mx, my and mz; use --frame arbitrary.")
    }
    if frame == .true, host.declination == nil {
      throw CommandFailure(
        "The frame \(frame.name) needs to know where the device is: say --location LATITUDE,LONGITUDE.")
    }
    framing = frame.framing(on: host)
    smooths = job.smooths
    let (columns, device) = (reader.columns, places.device)
    waiting = FuseTableRows(key: device.map { columns[$0].name }, numberCount: FuseTable.motionColumns.count)
    let inputs = isPipe ? [] : [place]
    file =
      try writesParquet
      ? OutputFile.openParquet(
        output, readingFrom: inputs, like: parquet == nil ? nil : place, key: waiting.key)
      : OutputFile.open(output, readingFrom: inputs)
  }

  /// Runs to the end of the stream; what is done is handed on batch by batch.
  package func run() throws {
    let completion = Completion.endedBySignals()
    let sink = OutputFileSink(file)
    do {
      let columns =
        (waiting.key.map { [ArrowColumn($0, .text)] } ?? []) + [ArrowColumn(FuseTable.time, .integer, unit: "ns")]
        + FuseTable.motionColumns
      let writer = try ArrowStreamWriter(sink, columns: columns)
      var received = 0
      while let batch = try reader.next() {
        if isOfUnknownLength { budget.receive(reader.byteCount - received) }
        received = reader.byteCount
        var row = 0
        while row < batch.rowCount {
          if let number = completion.interruption {
            file.discard()
            throw ProgramEnd.signal(number)
          }
          // Piece by piece: a batch may be the whole table, and its rows of motion are larger. Where many rows wait the
          // pieces are longer, because those behind them are moved each time.
          let end = min(batch.rowCount, row + max(FuseTableRows.rowsPerBatch, waiting.count / 4))
          try fuse(batch, row..<end)
          try writer.write(settle(atEnd: false))
          row = end
        }
        // The reader gets an answer to each batch, not at the end.
        try writer.flush()
      }
      try parquet?.finish()
      try writer.write(settle(atEnd: true))
      guard reader.rowCount == 0 || rowsWithMotion > 0 else {
        throw CommandFailure(
          "\(place): none of its \(Text.count(reader.rowCount, "row")) has motion: it needs ax ay az and gx gy gz of one device at "
            + "the same time, or at most \(Text.decimal(DeviceMotionEstimator.longestSilence.seconds, places: 2)) s apart, in order of time\(losses)."
        )
      }
      try writer.finish()
      try file.commit()
    } catch {
      file.discard()
      parquet?.cancel()
      throw sink.failure ?? error
    }
    let rest = reader.rowCount - rowsWithMotion
    if isFile {
      // The rows are written; that more was there, or is missing, is said.
      do { try reader.checkEnd() } catch { StandardError.shared.say("  warning: \(error)") }
    }
    StandardError.shared.say(
      "\(place): \(Text.count(reader.rowCount, "row")) of \(Text.count(devices.count, "device")), \(Text.grouped(rowsWithMotion)) with motion"
        + (rest > 0 ? ", \(Text.grouped(rest)) without" : "") + losses)
  }

  /// "; not used: gyroscope 1 late, 2 duplicate, 0 non-finite"; empty where all readings are used.
  private var losses: String {
    let statistics = devices.values.map(\.fusion.statistics)
    let parts = zip(["gyroscope", "accelerometer"], [\TimelineStatistics.gyroscope, \.accelerometer]).compactMap {
      name, path -> String? in
      func sum(_ count: KeyPath<TimelineStatistics.Counts, Int>) -> Int {
        statistics.reduce(0) { $0 + $1[keyPath: path][keyPath: count] }
      }
      guard sum(\.dropped) > 0 else { return nil }
      return "\(name) \(sum(\.late)) late, \(sum(\.duplicates)) duplicate, \(sum(\.nonFinite)) non-finite"
    }
    let early =
      rowsSmoothedEarly > 0
      ? "; \(Text.count(rowsSmoothedEarly, "row")) smoothed with less of what follows them, to keep within \(budget.memory >> 20) MiB of memory"
      : ""
    let all = parts + (rowsWithoutTime > 0 ? ["\(Text.count(rowsWithoutTime, "row")) without a time"] : [])
    return (all.isEmpty ? "" : "; not used: " + all.joined(separator: "; ")) + early
  }

  private func fuse(_ batch: ArrowBatch, _ rows: Range<Int>) throws {
    guard case .integers(let times) = batch.columns[places.time] else { return }
    var names: [String?] = []
    if let index = places.device, case .texts(let texts) = batch.columns[index] { names = texts }
    let readings = places.readings.map { index -> [Double] in
      if case .numbers(let values) = batch.columns[index] { values } else { [] }
    }
    let first = written + waiting.count - rows.lowerBound
    waiting.append(devices: names.isEmpty ? [] : names[rows], times: times[rows])
    isOpen.append(contentsOf: repeatElement(false, count: rows.count))
    // Rows of one device mostly stand together: it is looked up where the name changes.
    var present: (name: String?, device: DeviceFusion)?
    for row in rows {
      guard times[row] != .min else {
        rowsWithoutTime += 1
        continue
      }
      let name = names.isEmpty ? nil : names[row]
      let device = if let present, present.name == name { present.device } else { try device(name) }
      present = (name, device)
      fuse(device, SensorInstant(nanoseconds: times[row]), readings, row, first + row)
    }
  }

  private func device(_ name: String?) throws -> DeviceFusion {
    if let device = devices[name] { return device }
    try filters.keep(
      OfflineFusion.bytes(usesMagnetometer: framing.usesMagnetometer) + Self.entryBytes + (name?.utf8.count ?? 0),
      at: .init(file: place))
    let device = DeviceFusion(info, framing, smooths: smooths)
    devices[name] = device
    return device
  }

  /// Takes the readings of a row of a batch; `number` is the row's in the whole table.
  private func fuse(_ device: DeviceFusion, _ time: SensorInstant, _ readings: [[Double]], _ row: Int, _ number: Int) {
    /// Nil where the sensor has no reading in this row.
    func vector(_ first: Int) -> Vector3<Device>? {
      let (x, y, z) = (readings[first][row], readings[first + 1][row], readings[first + 2][row])
      return x.isNaN && y.isNaN && z.isNaN ? nil : Vector3(x: x, y: y, z: z)
    }
    if places.hasMagnetometer, framing.usesMagnetometer, let field = vector(6) {
      put(.magnetometer(MagnetometerSample(time: time, magneticField: field)), of: device, number)
    }
    switch (vector(0), vector(3)) {
    case (let force?, let rate?) where device.open == nil:
      put(.inertial(InertialSample(time: time, angularVelocity: rate, specificForce: force)), of: device, number)
    case (let force, let rate):
      // The row that is open takes this accelerometer reading, if it is the nearer one.
      if let force { put(.accelerometer(AccelerometerSample(time: time, specificForce: force)), of: device, number) }
      if let rate { put(.gyroscope(GyroscopeSample(time: time, angularVelocity: rate)), of: device, number) }
    }
  }

  /// A sample of a row. The motion that it completes is the row's own, or that of the device's row that is open.
  private func put(_ sample: SensorSample, of device: DeviceFusion, _ own: Int) {
    let isOwn = !sample.kinds.isDisjoint(with: .gyroscope)
    if smooths {
      // Before the sample, which may complete it.
      if isOwn {
        device.expected.append((own, sample.time))
        isOpen[own - written] = true
      }
      let isUsed = device.fusion.update(sample) { answer($0, of: device) }
      if isOwn, !isUsed {
        device.expected.removeLast()
        isOpen[own - written] = false
      }
      return
    }
    var (completesOwn, hasMotion) = (false, false)
    let isUsed = device.fusion.update(sample) { state in
      hasMotion = true
      completesOwn = isOwn && state.time == sample.time
      if let row = completesOwn ? own : device.open { fill(row, state, of: device) }
    }
    guard isUsed else { return }
    if hasMotion { setOpen(nil, of: device) }
    if isOwn, !completesOwn { setOpen(own, of: device) }
  }

  /// A smoothed state belongs to the row of its time; rows before that have none.
  private func answer(_ state: DeviceMotion, of device: DeviceFusion) {
    while device.answered < device.expected.count, device.expected[device.answered].time <= state.time {
      let (row, time) = device.expected[device.answered]
      device.answered += 1
      isOpen[row - written] = false
      if time == state.time { fill(row, state, of: device) }
    }
    guard device.answered > 65_536 else { return }
    device.expected.removeFirst(device.answered)
    device.answered = 0
  }

  private func setOpen(_ row: Int?, of device: DeviceFusion) {
    if let open = device.open { isOpen[open - written] = false }
    device.open = row
    if let row { isOpen[row - written] = true }
  }

  private func fill(_ row: Int, _ state: DeviceMotion, of device: DeviceFusion) {
    guard let solution = framing.usesMagnetometer ? state.nineAxis : state.sixAxis else { return }
    // Without the turning of an app's north frame, which takes a second: here all of the attitude has the estimator's azimuth.
    var attitude = solution.attitude
    if framing.reference == .xTrueNorth, let declination = framing.declination {
      attitude = Rotation(aboutZ: -declination) * attitude
    }
    let gravity = solution.up * standardGravity
    // In SI, as the estimator has it: a table of motion leads to east-north-up.
    var motion = MotionRow(
      time: state.time, w: attitude.w, vector: Vector3(x: attitude.x, y: attitude.y, z: attitude.z),
      reference: framing.reference, angularVelocity: solution.angularVelocity, gravity: gravity,
      linearAcceleration: state.accelerometer.specificForce - gravity, accelerationUnit: .metresPerSecondSquared,
      isAtRest: state.isAtRest)
    motion.inclinationDeviation = AngleReading(min(.pi, solution.inclinationStandardDeviation), .radian)
    // With the magnetometer the azimuth is unknown before the first heading.
    if solution.hasHeading || !framing.usesMagnetometer {
      motion.headingDeviation = AngleReading(min(.pi, solution.headingStandardDeviation), .radian)
    }
    if framing.reference.pointsNorth, solution.hasHeading {
      let level = Rotation<EastNorthUp, NorthWestUp>(aboutZ: -.pi / 2) * attitude
      motion.heading = MotionRow.heading(
        w: level.w, vector: Vector3(x: level.x, y: level.y, z: level.z), gravity: -solution.up)
    }
    if waiting.set(motion, at: row - written) { rowsWithMotion += 1 }
  }

  /// The rows in front of the first that is open; all of them at the end, or when too many wait.
  private func settle(atEnd: Bool) -> ArrowBatch {
    var count = isOpen.firstIndex(of: true) ?? isOpen.count
    let most = smooths ? min(Self.mostWaitingForSmoother, budget.memory / Self.smoothedRowBytes) : Self.mostWaiting
    if atEnd || isOpen.count - count > most {
      if smooths, !atEnd { rowsSmoothedEarly += isOpen.count - count }
      for device in devices.values {
        if smooths {
          device.fusion.finish { answer($0, of: device) }
          for (row, _) in device.expected[device.answered...] { isOpen[row - written] = false }
          (device.expected, device.answered) = ([], 0)
          continue
        }
        guard let row = device.open else { continue }
        device.fusion.finish { fill(row, $0, of: device) }
        setOpen(nil, of: device)
      }
      count = isOpen.count
    }
    isOpen.removeFirst(count)
    written += count
    return waiting.drain(count)
  }
}
