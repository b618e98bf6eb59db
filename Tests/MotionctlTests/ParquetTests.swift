// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The interpreter that the tests use.
enum Python {
  static let name = ProcessInfo.processInfo.environment["MOTION_PYTHON"] ?? "python3"
  static let hasPyArrow = (try? run(["-c", "import pyarrow"])) ?? false

  /// Runs it; whether it succeeded.
  @discardableResult
  static func run(_ arguments: [String]) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}

/// Parquet through PyArrow. Files of other programs are read in `make validate`.
@Suite(
  .enabled(if: Python.hasPyArrow, "needs python3 with PyArrow (pip install pyarrow)"))
struct ParquetTests {
  private let folder: TemporaryFolder
  private let environment = ["MOTION_PYTHON": Python.name]
  init() throws { folder = try TemporaryFolder() }

  private func motionctl(_ arguments: String...) throws -> MotionctlProcess.Result {
    try MotionctlProcess(arguments, environment: environment).finish()
  }

  /// Five seconds of a device in a hand.
  private func recording() throws -> String {
    let path = folder.path("hand.mcap")
    let result = try motionctl("record", "simulate:handheld", "--for", "5", "-o", path)
    #expect(result.code == 0, "\(result.errors)")
    return path
  }

  @Test func aRecordingSurvivesTheWayThroughParquet() throws {
    let recording = try recording()
    let parquet = folder.path("hand.parquet")
    let converted = try motionctl("convert", recording, parquet)
    #expect(converted.code == 0 && converted.errors.contains("MCAP → Parquet: 500 rows"), "\(converted.errors)")
    // The same samples give the same motion, to the last bit.
    #expect(try motionctl("fuse", parquet).output == motionctl("fuse", recording).output)
    let info = try motionctl("info", parquet)
    #expect(info.code == 0 && info.text.contains("500 samples, 100 Hz"), "\(info.text)")
  }

  @Test func nestedRowsAreReadAsThoseOfALongFile() throws {
    let parquet = folder.path("hand.parquet")
    #expect(try motionctl("convert", try recording(), parquet, "--device-id", "left").code == 0)
    let nested = folder.path("nested.parquet")
    try Python.run([
      "-c",
      """
      import pyarrow as pa, pyarrow.parquet as pq, sys
      long = pq.read_table(sys.argv[1])
      rows = {name: [long[name].to_pylist()] for name in long.column_names if name != "device_id"}
      pq.write_table(pa.table({"device_id": ["left"]} | rows), sys.argv[2])
      """, parquet, nested,
    ])
    let fused = try motionctl("fuse", nested)
    #expect(fused.code == 0 && fused.lines.count == 501, "\(fused.errors)")
    #expect(try fused.output == motionctl("fuse", parquet).output)
  }

  @Test func fuseKeepsTheLayoutOfATable() throws {
    let (long, nested) = (folder.path("long.parquet"), folder.path("nested.parquet"))
    // Three recordings at rest, turning about z, in both layouts.
    #expect(
      try Python.run([
        "-c",
        """
        import pyarrow as pa, pyarrow.parquet as pq, sys
        n = 1000
        rows = [dict(recording=name, timestamp_ns=[i * 10_000_000 for i in range(n)], ax=[0.0] * n, ay=[0.0] * n,
          az=[9.81] * n, gx=[0.0] * n, gy=[0.0] * n, gz=[rate] * n) for name, rate in (("a", 0.0), ("b", 0.5), ("c", -0.5))]
        pq.write_table(pa.Table.from_pylist(rows), sys.argv[2])
        flat = [{k: (v if k == "recording" else v[i]) for k, v in row.items()} for row in rows for i in range(n)]
        pq.write_table(pa.Table.from_pylist(flat), sys.argv[1])
        """, long, nested,
      ]))
    for (name, rows) in [("long", 3000), ("nested", 3)] {
      let output = folder.path("\(name)-motion.parquet")
      let fused = try motionctl(
        "fuse", "--in", "parquet", "--out", "parquet", folder.path("\(name).parquet"), "-o", output)
      #expect(fused.code == 0 && fused.errors.contains("3,000 rows of 3 devices, 3,000 with motion"), "\(fused.errors)")
      #expect(
        try Python.run([
          "-c", "import pyarrow.parquet as pq, sys; assert pq.read_table(sys.argv[1]).num_rows == int(sys.argv[2])",
          output, "\(rows)",
        ]))
    }
    // The same numbers in both.
    let arrows = try ["long", "nested"].map {
      try motionctl("fuse", "--in", "parquet", "--out", "arrow", folder.path("\($0).parquet")).output
    }
    #expect(arrows[0].count > 400_000 && arrows[0] == arrows[1])
    let pipe = try motionctl("fuse", "--in", "parquet")
    #expect(pipe.code != 0 && pipe.errors.contains("name it, standard input does not do"))
  }

  @Test func damagedFilesAndAMissingPyArrowAreSaid() throws {
    let parquet = folder.path("hand.parquet")
    #expect(try motionctl("convert", try recording(), parquet).code == 0)
    let whole = try folder.read("hand.parquet")
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: folder.path("half.parquet")))
    let half = try motionctl("info", folder.path("half.parquet"))
    #expect(half.code == 1 && half.errors.contains("half.parquet”: ") && half.errors.contains("corrupted"))
    let other = folder.path("other.parquet")
    try Python.run([
      "-c", "import pyarrow as pa, pyarrow.parquet as pq, sys; pq.write_table(pa.table({'a': [1]}), sys.argv[1])",
      other,
    ])
    #expect(try motionctl("fuse", other).errors.contains("there is no column “timestamp_ns”; the columns are a"))
    let without = try MotionctlProcess(["info", parquet], environment: ["MOTION_PYTHON": "/none"]).finish()
    #expect(without.code == 1 && without.errors.contains("pip install pyarrow"))
    // What could not be written leaves nothing behind.
    let failed = try MotionctlProcess(
      ["convert", folder.path("hand.mcap"), folder.path("new.parquet")], environment: ["MOTION_PYTHON": "/none"]
    ).finish()
    #expect(failed.code == 1 && !FileManager.default.fileExists(atPath: folder.path("new.parquet")))
  }

  /// A megabyte of Parquet can be a gigabyte of rows.
  @Test func whatIsUnpackedToMuchIsRefusedAndNothingIsLeft() throws {
    let (zeros, names) = (folder.path("zeros.parquet"), folder.path("names.parquet"))
    let script = """
      import pyarrow as pa, pyarrow.parquet as pq, sys
      axes = [a + b for a in "ag" for b in "xyz"]
      rows = pa.table({"timestamp_ns": pa.nulls(600_000, pa.int64()).fill_null(0)}
        | {axis: pa.nulls(600_000, pa.float64()).fill_null(0) for axis in axes})
      pq.write_table(rows, sys.argv[1], compression="zstd")
      key = pa.DictionaryArray.from_arrays(pa.nulls(1000, pa.int32()).fill_null(0), pa.array(["x" * 1_000_000]))
      pq.write_table(rows.slice(0, 1000).append_column("device_id", key), sys.argv[2], compression="zstd")
      """
    #expect(try Python.run(["-c", script, zeros, names]))
    let temporary = folder.path("tmp/")
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    for (path, sentence) in [
      (zeros, "its rows are more than 16 MB unpacked"), (names, "a name has 1000000 bytes; the limit is 1024"),
    ] {
      let result = try MotionctlProcess(
        ["info", path], environment: environment.merging(["TMPDIR": temporary]) { $1 }
      ).finish()
      #expect(result.code == 1 && result.errors.contains(sentence), "\(result.errors)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    // Row by row they are read, in any number.
    let fused = try motionctl("fuse", "--in", "parquet", "--out", "arrow", zeros, "-o", folder.path("motion.arrows"))
    #expect(!fused.errors.contains("the limit"), "\(fused.errors)")
  }
}
