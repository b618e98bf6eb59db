// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

/// Damaged copies of a small recording of each format, of its zip, its gzip and of each table: every one is read or
/// refused, none crashes or hangs. Two thousand of each in the long run, a hundredth else.
@Suite struct MutationFuzzTests {
  @Test(arguments: ["tidy", "sensorlog", "sensorlogger", "zip", "gzip"])
  func damagedCopiesAreReadOrRefused(format: String) throws {
    let folder = try TemporaryFolder()
    let (target, original) = try prepare(format, folder)
    let path = ["sensorlog", "zip", "gzip"].contains(format) ? folder.path + "/" + target : folder.path
    let refused = try damage(original, rounds: 2000, seed: 2026, in: folder, as: target, path: path)
    // Not everything is refused in the long run: nearly every damage of a zip is.
    #expect(refused < SeededRandom.rounds(2000) || SeededRandom.rounds(2000) < 100)
  }

  /// The tables of the other formats.
  @Test(arguments: TableFixture.all.indices) func damagedTablesAreReadOrRefused(index: Int) throws {
    let fixture = TableFixture.all[index]
    let folder = try TemporaryFolder()
    var short = fixture
    short.rows = Array(short.rows.prefix(6))
    try damage(
      Array(short.text().utf8), rounds: 1000, seed: 1, in: folder, as: fixture.file,
      path: folder.path + "/" + fixture.file,
      options: fixture.options)
  }

  /// Tables without a map, which are understood from their content: thirty lines of every sixth way to write one.
  @Test(arguments: Array(stride(from: 0, to: TableVariant.all.count, by: 6)))
  func damagedTablesWithoutAMapAreReadOrRefused(index: Int) throws {
    let folder = try TemporaryFolder()
    let lines = TableVariant.all[index].text.split(separator: "\n", omittingEmptySubsequences: false).prefix(30)
    try damage(
      Array(lines.joined(separator: "\n").utf8), rounds: 600, seed: UInt64(index), in: folder, as: "log.csv",
      path: folder.path + "/log.csv")
  }

  @Test(arguments: ["sensorlogger", "phyphox"])
  func damagedSetsAreReadOrRefused(format: String) throws {
    let folder = try TemporaryFolder()
    var options = RecordingOptions()
    options.platform = .iOS
    switch format {
    case "sensorlogger":
      var zip = ZipBuilder()
      for (name, text) in Fixture.sensorLogger().sorted(by: { $0.key < $1.key }) {
        zip.add(name, Array(text.utf8), isDeflated: false)
      }
      try damage(
        zip.finish(), rounds: 1000, seed: 5, in: folder, as: "a.zip", path: folder.path + "/a.zip", options: options)
    default:
      var zip = ZipBuilder()
      zip.add("Raw Data.csv", Array(TableFixture.phyphox.text().utf8), isDeflated: false)
      zip.add("meta/device.csv", Array("\"property\",\"value\"\n\"deviceBrand\",\"Apple\"\n".utf8), isDeflated: false)
      zip.add(
        "meta/time.csv", Array("\"event\",\"experiment time\",\"system time\"\n\"START\",0E0,1.6E9\n".utf8),
        isDeflated: false)
      try damage(zip.finish(), rounds: 1000, seed: 6, in: folder, as: "a.zip", path: folder.path + "/a.zip")
    }
  }

  /// What comes out keeps the promises of a source, or is refused in a sentence; returns how often.
  @discardableResult private func damage(
    _ original: [UInt8], rounds: Int, seed: UInt64, in folder: TemporaryFolder, as target: String, path: String,
    options: RecordingOptions = RecordingOptions()
  ) throws -> Int {
    var random = SeededRandom(seed: seed)
    var refused = 0
    for round in 0..<SeededRandom.rounds(rounds) {
      try folder.write(target, mutate(original, &random))
      var options = options
      if round & 1 == 0 { options.damage = .skip } else { options.motion = .recorded }
      do throws(SensorError) {
        let result = try read(path, options)
        #expect(zip(result.samples, result.samples.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(result.accelerometer.allSatisfy { $0.specificForce.isFinite })
      } catch {
        refused += 1
        #expect(!error.message.isEmpty && (error.message.hasSuffix(".") || error.message.hasSuffix("…")), "\(error)")
      }
    }
    #expect(refused > 0)
    return refused
  }

  private func prepare(_ format: String, _ folder: TemporaryFolder) throws -> (String, [UInt8]) {
    switch format {
    case "tidy":
      let files = Fixture.walk(rows: 6)
      try folder.write(files)
      return (Fixture.accelerometer, Array(try #require(files[Fixture.accelerometer]).utf8))
    case "sensorlog": return ("log.csv", Array(Fixture.sensorLog(rows: 6).utf8))
    case "gzip": return ("log.csv.gz", Compressor.gzip(Array(Fixture.sensorLog(rows: 6).utf8)))
    case "zip":
      var zip = ZipBuilder()
      for (name, text) in Fixture.sensorLogger().sorted(by: { $0.key < $1.key })
      where !name.hasPrefix("M") || name == "Metadata.csv" {
        zip.add(name, Array(text.utf8), isDeflated: name.hasPrefix("G"))
      }
      return ("export.zip", zip.finish())
    default:
      let files = Fixture.sensorLogger().filter { $0.key == "Metadata.csv" || $0.key.hasSuffix("Uncalibrated.csv") }
      try folder.write(files)
      return ("AccelerometerUncalibrated.csv", Array(try #require(files["AccelerometerUncalibrated.csv"]).utf8))
    }
  }

  /// One to four changes: a bit, a byte that matters to parsers, a piece cut out, doubled or the end cut off.
  private func mutate(_ original: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    let special: [UInt8] = Array("\n\r,;\t \"#.-+eE0919nNiI(){}\0".utf8) + [0xFF, 0x80, 0xEF, 0x7F]
    var bytes = original
    for _ in 0...Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
      let position = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, position + Int.random(in: 1..<64, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[position] = special[Int.random(in: 0..<special.count, using: &random)]
      case 2: bytes.removeSubrange(position..<end)
      case 3: bytes.insert(contentsOf: bytes[position..<end], at: position)
      case 4: bytes.insert(special[Int.random(in: 0..<special.count, using: &random)], at: position)
      default: if Int.random(in: 0..<4, using: &random) == 0 { bytes.removeSubrange(position...) }
      }
    }
    return bytes
  }
}
