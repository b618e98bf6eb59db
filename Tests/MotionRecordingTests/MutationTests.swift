// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

/// Two thousand damaged copies of a small recording of each format, and a thousand of its zip and its gzip: every one is read
/// or refused, none crashes or hangs.
@Suite struct MutationTests {
  @Test(arguments: ["pyojinkim", "tyrex", "sensorlog", "sensorlogger", "zip", "gzip", "divelog", "seabear", "sensus"])
  func damagedCopiesAreReadOrRefused(format: String) throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 2026)
    let (target, original) = try prepare(format, folder)
    var refused = 0
    let rounds = ["zip", "gzip"].contains(format) ? 1000 : 2000
    for round in 0..<rounds {
      let bytes = mutate(original, &random)
      try folder.write(target, bytes)
      let path =
        ["sensorlog", "zip", "gzip", "divelog", "seabear", "sensus"].contains(format)
        ? folder.path + "/" + target : folder.path
      let options: RecordingOptions = round & 1 == 0 ? .skipping : .recorded
      do throws(SensorError) {
        let result = try read(path, options)
        // Whatever comes out keeps the promises of a source.
        #expect(zip(result.samples, result.samples.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(result.accelerometer.allSatisfy { $0.specificForce.isFinite })
      } catch {
        refused += 1
        #expect(!error.message.isEmpty && error.message.hasSuffix("."), "\(error)")
      }
    }
    // The damage is real, and yet not everything is refused.
    #expect(refused > 100 && refused < rounds)
  }

  private func prepare(_ format: String, _ folder: TemporaryFolder) throws -> (String, [UInt8]) {
    switch format {
    case "pyojinkim", "tyrex":
      let files = format == "tyrex" ? Fixture.tyrex(rows: 6) : Fixture.pyojinKim(rows: 6)
      try folder.write(files)
      let name = format == "tyrex" ? "accelerometer.txt" : "acce.txt"
      return (name, Array(try #require(files[name]).utf8))
    case "sensorlog": return ("log.csv", Array(Fixture.sensorLog(rows: 6).utf8))
    case "divelog": return (target: "dive.csv", Array(PressureLogTests.suunto.utf8))
    case "seabear": return (target: "dive.txt", Array(PressureLogTests.seabear.utf8))
    case "sensus": return (target: "sensus.csv", Array(PressureLogTests.sensus.utf8))
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
  private func mutate(_ original: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
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
