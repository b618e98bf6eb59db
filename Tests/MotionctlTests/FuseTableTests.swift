// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import Testing

/// `motionctl fuse --in arrow --out arrow`.
@Suite struct FuseTableTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Readings of a device that lies still, turned about x by `tilt` rad, at 100 Hz.
  private func still(tilt: Double, row: Int) -> [Double] {
    [0, 9.80665 * sin(tilt), 9.80665 * cos(tilt), 0.001, 0, 0.0005 * Double(row % 3)]
  }

  private func write(
    _ name: String, devices: [String?]?, times: [Int64], rows: [[Double]], dropping column: String? = nil
  ) throws -> String {
    let sink = MemoryByteSink()
    let columns = FuseTable.rawColumns(hasMagnetometer: false)
    let kept = columns.indices.filter { columns[$0].name != column }
    let values = [ArrowValues.integers(times)] + (0..<6).map { index in .numbers(rows.map { $0[index] }) }
    let writer = try ArrowStreamWriter(
      sink, columns: (devices == nil ? [] : [ArrowColumn("sensor", .text)]) + kept.map { columns[$0] })
    try writer.write(
      ArrowBatch(rowCount: times.count, columns: (devices.map { [.texts($0)] } ?? []) + kept.map { values[$0] }))
    try writer.finish()
    let path = folder.path(name)
    try Data(sink.bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func read(_ path: String) throws -> [String: ArrowValues] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    let reader = try ArrowStreamReader(descriptor: file.fileDescriptor, name: path)
    let batch = try #require(try reader.next())
    return Dictionary(uniqueKeysWithValues: zip(reader.columns.map(\.name), batch.columns))
  }

  /// The columns of all batches.
  private func all(_ path: String) throws -> [String: ArrowValues] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    let reader = try ArrowStreamReader(descriptor: file.fileDescriptor, name: path)
    var columns: [String: ArrowValues] = [:]
    while let batch = try reader.next() {
      for (column, values) in zip(reader.columns, batch.columns) {
        switch (columns[column.name], values) {
        case (.numbers(let first)?, .numbers(let next)): columns[column.name] = .numbers(first + next)
        case (.integers(let first)?, .integers(let next)): columns[column.name] = .integers(first + next)
        case (.texts(let first)?, .texts(let next)): columns[column.name] = .texts(first + next)
        default: columns[column.name] = values
        }
      }
    }
    return columns
  }

  private func numbers(_ values: ArrowValues?) -> [Double] {
    if case .numbers(let numbers)? = values { numbers } else { [] }
  }

  private func fuse(_ arguments: String...) throws -> MotionctlProcess.Result {
    try MotionctlProcess(["fuse", "--in", "arrow", "--out", "arrow"] + arguments).finish()
  }

  @Test func aRowOfMotionComesForEachRowOfReadings() throws {
    let times = (0..<300).map { Int64($0) * 10_000_000 }
    let path = try write("in.arrows", devices: nil, times: times, rows: (0..<300).map { still(tilt: 0.5, row: $0) })
    let result = try fuse(path, "-o", folder.path("out.arrows"))
    #expect(result.code == 0, "\(result.errors)")
    let columns = try read(folder.path("out.arrows"))
    #expect(Set(columns.keys) == Set(["timestamp_ns"] + FuseTable.motionColumns.map(\.name)))
    #expect(columns["timestamp_ns"] == .integers(times))
    // SI, the reaction of gravity: it points where the accelerometer does.
    let last = 299
    #expect(abs(numbers(columns["gravity_y"])[last] - 9.80665 * sin(0.5)) < 0.05)
    #expect(abs(numbers(columns["gravity_z"])[last] - 9.80665 * cos(0.5)) < 0.05)
    #expect(abs(numbers(columns["linear_y"])[last]) < 0.05)
    #expect(numbers(columns["rest"])[last] == 1)
    #expect(numbers(columns["heading"]).allSatisfy { $0.isNaN })
    for name in ["inclination_deviation", "heading_deviation"] {
      #expect(numbers(columns[name]).allSatisfy { $0 >= 0 && $0 <= .pi }, "\(name)")
    }
  }

  @Test func mixedDevicesHaveTheNumbersOfEachAlone() throws {
    let count = 200
    let alone = try ["a", "b"].map { name -> [String: ArrowValues] in
      let path = try write(
        "\(name).arrows", devices: nil, times: (0..<count).map { Int64($0) * 10_000_000 },
        rows: (0..<count).map { still(tilt: name == "a" ? 0.3 : -0.7, row: $0) })
      _ = try fuse(path, "-o", folder.path("\(name)-out.arrows"))
      return try read(folder.path("\(name)-out.arrows"))
    }
    let order = (0..<2 * count).map { $0 % 2 }
    let path = try write(
      "both.arrows", devices: order.map { ["a", "b"][$0] },
      times: (0..<2 * count).map { Int64($0 / 2) * 10_000_000 },
      rows: (0..<2 * count).map { still(tilt: order[$0] == 0 ? 0.3 : -0.7, row: $0 / 2) })
    let result = try fuse(path, "--key", "sensor", "-o", folder.path("both-out.arrows"))
    #expect(result.errors.contains("400 rows of 2 devices"))
    let both = try read(folder.path("both-out.arrows"))
    #expect(both["sensor"] == .texts(order.map { ["a", "b"][$0] }))
    for column in FuseTable.motionColumns {
      for device in [0, 1] {
        let mixed = numbers(both[column.name]).enumerated().filter { order[$0.offset] == device }.map(\.element)
        let single = numbers(alone[device][column.name])
        #expect(mixed.map(\.bitPattern) == single.map(\.bitPattern), "\(column.name)")
      }
    }
  }

  /// As in any recording: what is late, double or not finite is dropped and counted, and the rest has the numbers of a
  /// table without it.
  @Test func rowsOutOfOrderHaveNoMotionAndAreCounted() throws {
    let rows = (0..<50).map { still(tilt: 0.2, row: $0) }
    let times = (0..<50).map { Int64($0) * 10_000_000 }
    var disordered = (times: times, rows: rows)
    for (place, time) in [(20, times[18]), (31, times[29]), (41, times[41])] {
      disordered.times.insert(time, at: place)
      disordered.rows.insert([9, 9, 9, 1, place == 41 ? .nan : 1, 1], at: place)
    }
    _ = try fuse(
      try write("plain.arrows", devices: nil, times: times, rows: rows), "-o", folder.path("plain-out.arrows"))
    let result = try fuse(
      try write("in.arrows", devices: nil, times: disordered.times, rows: disordered.rows), "-o",
      folder.path("out.arrows"))
    #expect(result.code == 0)
    #expect(
      result.errors.contains(
        "50 with motion, 3 without; not used: gyroscope 1 late, 1 duplicate, 1 non-finite; accelerometer 1 late"),
      "\(result.errors)")
    let expected = try read(folder.path("plain-out.arrows"))
    let columns = try read(folder.path("out.arrows"))
    #expect(columns["timestamp_ns"] == .integers(disordered.times))
    for column in FuseTable.motionColumns where column.name != "heading" {
      var found = numbers(columns[column.name])
      for place in [41, 31, 20] { #expect(found.remove(at: place).isNaN) }
      #expect(found.map(\.bitPattern) == numbers(expected[column.name]).map(\.bitPattern), "\(column.name)")
    }
  }

  /// Sensors that tick on their own share no row: what `convert` writes has motion in every row of the gyroscope, with
  /// the numbers of the same file fused as a recording.
  @Test func whatConvertWritesIsFusedInEveryGyroscopeRow() throws {
    var rows = ["seconds_elapsed,ax,ay,az,gx,gy,gz"]
    for index in 0..<200 {
      rows.append("\(Double(index) * 0.01),,,,0.01,0.02,0.03")
      rows.append("\(Double(index) * 0.01 + 0.004),0.1,0.2,9.8,,,")
    }
    try folder.write(rows.joined(separator: "\n") + "\n", to: "log.csv")
    let map = "t=seconds_elapsed[s] ax=ax[m/s^2] ay=ay az=az gx=gx[rad/s] gy=gy gz=gz"
    let converted = try MotionctlProcess.run(
      "convert", folder.path("log.csv"), folder.path("raw.arrow"), "--map", map, "--sign", "reaction")
    #expect(converted.code == 0, "\(converted.errors)")
    let result = try fuse(folder.path("raw.arrow"), "-o", folder.path("motion.arrow"))
    #expect(result.code == 0 && result.errors.contains("400 rows of 1 device, 200 with motion"), "\(result.errors)")
    // The table of motion is a recording again.
    let info = try MotionctlProcess.run("info", folder.path("motion.arrow"))
    #expect(info.text.contains("fused motion: 200 samples"), "\(info.text) \(info.errors)")
    let direct = try MotionctlProcess.run("fuse", folder.path("raw.arrow"))
    let again = try MotionctlProcess.run("fuse", folder.path("motion.arrow"))
    #expect(direct.cells.count == 201 && again.cells.count == 201, "\(direct.errors) \(again.errors)")
    for (row, expected) in zip(again.cells.dropFirst(), direct.cells.dropFirst()) {
      // Time, rate, gravity, user acceleration; the unit costs the last digits, and the arbitrary azimuth is the
      // table's own.
      for column in [0] + Array(5..<14) {
        let (found, wanted) = (try #require(Double(row[column])), try #require(Double(expected[column])))
        #expect(abs(found - wanted) < 1e-12, "\(row) \(expected)")
      }
    }
    let motion = try fuse(folder.path("motion.arrow"))
    #expect(motion.code == 1 && motion.errors.contains("holds motion already"), "\(motion.errors)")
  }

  /// The attitude, its heading and the heading's deviation are of one frame in every row, from the first heading on.
  @Test func theHeadingIsThatOfTheAttitudeInBothNorths() throws {
    let recorded = try MotionctlProcess.run(
      "record", "simulate:handheld?speed=max&duration=30", "-o", folder.path("log.mcap"))
    #expect(recorded.code == 0, "\(recorded.errors)")
    #expect(try MotionctlProcess.run("convert", folder.path("log.mcap"), folder.path("raw.arrow")).code == 0)
    var headings: [[Double]] = []
    for frame in ["magnetic", "true"] {
      let result = try fuse(
        folder.path("raw.arrow"), "--frame", frame, "--location", "60,-45", "-o", folder.path("motion.arrow"))
      #expect(result.code == 0, "\(result.errors)")
      let columns = try all(folder.path("motion.arrow"))
      let (w, x, y, z) = (
        numbers(columns["attitude_w"]), numbers(columns["attitude_x"]), numbers(columns["attitude_y"]),
        numbers(columns["attitude_z"])
      )
      let (heading, deviation) = (numbers(columns["heading"]), numbers(columns["heading_deviation"]))
      let (gravityY, gravityZ) = (numbers(columns["gravity_y"]), numbers(columns["gravity_z"]))
      #expect(heading.contains { !$0.isNaN })
      for row in heading.indices where !heading[row].isNaN {
        let isFlat = abs(gravityY[row]) <= abs(gravityZ[row])
        let east = isFlat ? 2 * (x[row] * y[row] - w[row] * z[row]) : -2 * (x[row] * z[row] + w[row] * y[row])
        let north = isFlat ? 1 - 2 * (x[row] * x[row] + z[row] * z[row]) : -2 * (y[row] * z[row] - w[row] * x[row])
        let difference = remainder(heading[row] - atan2(east, north), 2 * .pi)
        #expect(abs(difference) < 1e-12)
        #expect(!deviation[row].isNaN)
      }
      headings.append(heading)
    }
    // 25° west of true north, which magnetic north has there.
    let declinations = zip(headings[1], headings[0]).map { remainder($0 - $1, 2 * .pi) }.filter { !$0.isNaN }
    let first = try #require(declinations.first)
    #expect(abs(first + 0.42) < 0.1 && declinations.allSatisfy { abs($0 - first) < 1e-12 }, "\(first)")
  }

  /// Rows that wait for another row, of devices in turn: the motion comes into the row it belongs to, with the numbers
  /// of each alone.
  @Test func rowsThatWaitOfMixedDevicesHaveTheNumbersOfEachAlone() throws {
    let (count, nan) = (120, Double.nan)
    /// A row of the gyroscope, then one of the accelerometer 4 ms later.
    func reading(_ tilt: Double, _ row: Int) -> (time: Int64, cells: [Double]) {
      let cells = still(tilt: tilt, row: row)
      let rate = [nan, nan, nan] + cells[3...]
      return (
        Int64(row / 2) * 10_000_000 + (row % 2 == 0 ? 0 : 4_000_000),
        row % 2 == 0 ? rate : cells[..<3] + [nan, nan, nan]
      )
    }
    let tilts = [0.3, -0.7]
    let alone = try tilts.enumerated().map { device, tilt -> [String: ArrowValues] in
      let rows = (0..<count).map { reading(tilt, $0) }
      let path = try write("\(device).arrows", devices: nil, times: rows.map(\.time), rows: rows.map(\.cells))
      _ = try fuse(path, "-o", folder.path("\(device)-out.arrows"))
      return try all(folder.path("\(device)-out.arrows"))
    }
    let order = (0..<2 * count).map { ($0 % 2, $0 / 2) }
    let rows = order.map { reading(tilts[$0.0], $0.1) }
    let path = try write(
      "both.arrows", devices: order.map { "sensor \($0.0)" }, times: rows.map(\.time), rows: rows.map(\.cells))
    let result = try fuse(path, "--key", "sensor", "-o", folder.path("both-out.arrows"))
    #expect(result.errors.contains("240 rows of 2 devices, 120 with motion, 120 without"), "\(result.errors)")
    let both = try all(folder.path("both-out.arrows"))
    #expect(both["timestamp_ns"] == .integers(rows.map(\.time)))
    for column in FuseTable.motionColumns {
      for device in [0, 1] {
        let mixed = numbers(both[column.name]).enumerated().filter { order[$0.offset].0 == device }.map(\.element)
        #expect(mixed.map(\.bitPattern) == numbers(alone[device][column.name]).map(\.bitPattern), "\(column.name)")
      }
    }
  }

  @Test func aTableThatGivesNoMotionIsAnError() throws {
    let nan = Double.nan
    let path = try write(
      "in.arrows", devices: nil, times: [0, 10_000_000], rows: [[1, 2, 9, nan, nan, nan], [1, 2, 9, nan, nan, nan]])
    let result = try fuse(path, "-o", folder.path("out.arrows"))
    #expect(result.code == 1 && result.errors.contains("none of its 2 rows has motion"), "\(result.errors)")
    #expect(try folder.names == ["in.arrows"])
  }

  @Test func whatIsMissingIsNamed() throws {
    let path = try write("in.arrows", devices: nil, times: [0], rows: [still(tilt: 0, row: 0)], dropping: "gy")
    let column = try fuse(path)
    #expect(column.code == 1 && column.errors.contains("column gy"))
    let key = try fuse(
      try write("key.arrows", devices: nil, times: [0], rows: [still(tilt: 0, row: 0)]), "--key", "who")
    #expect(key.code == 1 && key.errors.contains("column who"))
    let frame = try fuse(folder.path("key.arrows"), "--frame", "magnetic")
    #expect(frame.code == 1 && frame.errors.contains("mx, my and mz"))
    let empty = try fuse()
    #expect(empty.code == 1 && empty.errors.contains("standard input"))
  }

  /// A filter takes 14 kB, and a row of a device 50 bytes.
  @Test func aSmallTableOfVeryManyDevicesIsRefusedWithWhatItWouldTake() throws {
    func table(_ name: String, devices count: Int) throws -> String {
      try write(
        name, devices: (0..<count).map { "d\($0)" }, times: Array(repeating: 0, count: count),
        rows: Array(repeating: still(tilt: 0, row: 0), count: count))
    }
    let many = try fuse(try table("many.arrows", devices: 10_000), "--key", "sensor", "-o", folder.path("m.arrows"))
    #expect(many.code == 1)
    #expect(many.errors.contains("The filters of its devices take 49 MB of memory"), "\(many.errors)")
    #expect(many.errors.contains("fuse them in parts"))
    let some = try fuse(try table("some.arrows", devices: 3000), "--key", "sensor", "-o", folder.path("s.arrows"))
    #expect(some.code == 0 && some.errors.contains("3,000 rows of 3,000 devices"), "\(some.errors)")
  }

  /// A batch may be the whole table; its motion is written piece by piece, and is the same.
  @Test func aLongBatchIsWrittenInPieces() throws {
    let count = 40_000
    let path = try write(
      "long.arrows", devices: nil, times: (0..<count).map { Int64($0) * 10_000_000 },
      rows: (0..<count).map { still(tilt: 0.1, row: $0) })
    let result = try fuse(path, "-o", folder.path("motion.arrows"))
    #expect(result.code == 0, "\(result.errors)")
    guard case .numbers(let first)? = try read(folder.path("motion.arrows"))["attitude_w"] else {
      Issue.record("There is no attitude.")
      return
    }
    #expect(first.count == 16_384)
    let all = numbers(try all(folder.path("motion.arrows"))["attitude_w"])
    #expect(all.count == count && all.allSatisfy(\.isFinite))
  }
}
