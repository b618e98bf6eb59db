// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import Testing

/// `motionctl fuse --smooth`.
@Suite struct FuseSmoothTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A recording of a simulated device.
  private func record(_ name: String, seconds: Int, seed: Int = 1) throws -> String {
    let path = folder.path(name)
    let result = try MotionctlProcess.run(
      "record", "simulate:handheld?speed=max&seed=\(seed)", "--for", "\(seconds)", "-o", path)
    try #require(result.code == 0, "\(result.errors)")
    return path
  }

  @Test func theRowsAreThoseOfTheFilterWithAHeadingFromTheFirstOn() throws {
    let path = try record("hand.mcap", seconds: 60)
    let plain = try MotionctlProcess.run("fuse", path, "--frame", "magnetic")
    let smooth = try MotionctlProcess.run("fuse", path, "--frame", "magnetic", "--smooth")
    #expect(smooth.code == 0)
    #expect(smooth.cells.map { $0[0] } == plain.cells.map { $0[0] })
    // Column 19 is the accuracy of the heading: the filter has none before it has calibrated the magnetometer.
    #expect(plain.cells.dropFirst().contains { $0[19].isEmpty })
    #expect(smooth.cells.dropFirst().allSatisfy { !$0[19].isEmpty })
    #expect(!smooth.errors.contains("not calibrated"))
    #expect(smooth.errors.contains("computed from the raw sensors, smoothed"))
    // Gravity and user acceleration stay one accelerometer sample.
    for (a, b) in zip(plain.cells.dropFirst(), smooth.cells.dropFirst()) {
      let sum = { (row: [Substring], axis: Int) in (Double(row[8 + axis]) ?? 0) + (Double(row[11 + axis]) ?? 0) }
      for axis in 0..<3 { #expect(abs(sum(a, axis) - sum(b, axis)) < 1e-9) }
    }
  }

  @Test func severalAtOnceHaveTheBytesOfEachAlone() throws {
    let paths = [try record("a.mcap", seconds: 20), try record("b.mcap", seconds: 30, seed: 2)]
    let out = try TemporaryFolder()
    let together = try MotionctlProcess(["fuse"] + paths + ["--smooth", "--out", out.url.path]).finish()
    #expect(together.code == 0, "\(together.errors)")
    for (path, name) in zip(paths, ["a", "b"]) {
      #expect(try out.read("\(name).motion.csv") == MotionctlProcess.run("fuse", path, "--smooth").output)
    }
  }

  @Test func aLiveSourceAndLearnedErrorsAreRefused() throws {
    let live = try MotionctlProcess.run("fuse", "simulate:rest", "--for", "1", "--smooth")
    #expect(live.code != 0 && live.errors.contains("--smooth needs a recording"))
    let learned = try MotionctlProcess.run("fuse", "walk.csv", "--smooth", "--learned", "phone.json")
    #expect(learned.code == 64 && learned.errors.contains("leave --learn and --learned out"))
  }

  /// Rows of two devices in turn, each with its own tilt; the second one's accelerometer has rows of its own.
  @Test func aTableOfDevicesHasTheNumbersOfEachAlone() throws {
    let count = 400
    func row(_ device: Int, _ index: Int) -> [Double] {
      let tilt = device == 0 ? 0.3 : -0.7
      return [
        0, 9.80665 * sin(tilt), 9.80665 * cos(tilt), 0.002 * sin(Double(index)), 0.001, 0.0005 * Double(index % 3),
      ]
    }
    func fuse(_ name: String, _ devices: [Int], _ rows: [[Double]], _ times: [Int64]) throws -> [[Double]] {
      let sink = MemoryByteSink()
      let writer = try ArrowStreamWriter(
        sink, columns: [ArrowColumn("sensor", .text)] + FuseTable.rawColumns(hasMagnetometer: false))
      try writer.write(
        ArrowBatch(
          rowCount: rows.count,
          columns: [.texts(devices.map { "\($0)" }), .integers(times)]
            + (0..<6).map { column in .numbers(rows.map { $0[column] }) }))
      try writer.finish()
      try Data(sink.bytes).write(to: URL(fileURLWithPath: folder.path(name)))
      let result = try MotionctlProcess.run(
        "fuse", "--in", "arrow", "--smooth", "--key", "sensor", folder.path(name), "-o", folder.path("out-" + name))
      try #require(result.code == 0, "\(result.errors)")
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.path("out-" + name)))
      defer { try? file.close() }
      let reader = try ArrowStreamReader(descriptor: file.fileDescriptor, name: name)
      var table: [[Double]] = []
      while let batch = try reader.next() {
        let columns = batch.columns.compactMap { values -> [Double]? in
          if case .numbers(let numbers) = values { numbers } else { nil }
        }
        table += (0..<batch.rowCount).map { index in columns.map { $0[index] } }
      }
      return table
    }
    let order = (0..<2 * count).map { $0 % 2 }
    let both = try fuse(
      "both.arrows", order, (0..<2 * count).map { row(order[$0], $0 / 2) },
      (0..<2 * count).map { Int64($0 / 2) * 10_000_000 })
    #expect(both.count == 2 * count)
    for device in 0..<2 {
      let alone = try fuse(
        "\(device).arrows", Array(repeating: device, count: count), (0..<count).map { row(device, $0) },
        (0..<count).map { Int64($0) * 10_000_000 })
      let mixed = both.enumerated().filter { order[$0.offset] == device }.map(\.element)
      #expect(mixed.map { $0.map(\.bitPattern) } == alone.map { $0.map(\.bitPattern) })
      #expect(alone.allSatisfy { $0[0].isFinite })
    }
  }
}
