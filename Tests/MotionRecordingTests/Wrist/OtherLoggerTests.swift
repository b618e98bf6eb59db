// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

/// ActiGraph GT3X. Source: Documentation/Formats.md 4.11.
@Suite struct GT3XTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func read(_ bytes: [UInt8]) throws -> ReadResult {
    try MotionRecordingTests.read(folder.write("a.gt3x", bytes))
  }

  private static func second(_ number: Int, count: Int = 30) -> [Counts] {
    (0..<count).map { ((number * 31 + $0 * 7) % 800 - 400, -256, ($0 * 13) % 500 - 250) }
  }

  private static func force(_ counts: Counts, _ scale: Double) -> Vector3<Device> {
    Vector3(x: Double(counts.x) / scale, y: Double(counts.y) / scale, z: Double(counts.z) / scale)
  }

  @Test(arguments: [true, false], [true, false])
  func secondsComeBackExactly(isPacked: Bool, isDeflated: Bool) throws {
    var writer = GT3XWriter()
    for number in 0..<10 {
      if isPacked {
        writer.add(type: 0, second: number, GT3XWriter.packed(Self.second(number)))
      } else {
        writer.addWhole(second: number, Self.second(number))
      }
    }
    let result = try read(writer.zip(isDeflated: isDeflated))
    #expect(result.recording.format == .gt3x && result.statistics.omitted == 0)
    let expected = (0..<10).flatMap { Self.second($0) }.map { Self.force($0, 256) }
    #expect(result.accelerometer.map(\.reading) == expected && expected.count == 300)
    for (index, sample) in result.accelerometer.enumerated() {
      let truth = Double(GT3XWriter.start + index / 30) + Double(index % 30) / 30
      #expect(abs(sample.time.seconds - truth) < 1e-6)
    }
    #expect(result.recording.info.deviceClass == .watch)
  }

  @Test func theExampleOfTheMakerIsReadAsTheMakerSays() throws {
    var writer = GT3XWriter()
    writer.info[0] = "Serial Number: NEO1C16110020"
    writer.info.removeAll { $0.hasPrefix("Acceleration Scale") }
    writer.add(
      type: 0, second: 0, [0x00, 0x60, 0x08, 0xEB, 0xD0, 0x07, 0x00, 0x9E, 0xBF, 0x00, 0x70, 0x08, 0xEB, 0xF0])
    let result = try read(writer.zip()).accelerometer.map(\.reading)
    #expect(result == [(8, 6, -323), (9, 7, -321), (8, 7, -321)].map { Self.force($0, 341) })
  }

  @Test func aParameterOfTheLogSetsTheScale() throws {
    var writer = GT3XWriter()
    writer.addScale(exponent: 11)
    writer.addWhole(second: 0, Self.second(0))
    #expect(try read(writer.zip()).accelerometer.map(\.reading) == Self.second(0).map { Self.force($0, 1024) })
  }

  @Test func aSecondWithoutRecordIsAGapAndAnEventOfTheCradleIsNothing() throws {
    var writer = GT3XWriter()
    writer.addWhole(second: 0, Self.second(0))
    writer.add(type: 0, second: 1, [0])
    writer.add(type: 3, second: 1, [8])
    writer.addWhole(second: 5, Self.second(5))
    let result = try read(writer.zip())
    #expect(result.accelerometer.count == 60 && result.statistics.omitted == 0)
    let gap = result.accelerometer[30].time - result.accelerometer[29].time
    #expect(abs(gap.seconds - (4 + 1.0 / 30)) < 1e-6)
  }

  @Test func noByteOfARecordCanChangeInSilence() throws {
    var writer = GT3XWriter()
    for number in 0..<5 { writer.addWhole(second: number, Self.second(number)) }
    let length = writer.log.count / 5
    for place in 0..<length {
      var log = writer.log
      log[2 * length + place] ^= UInt8(1 << (place % 8))
      let result = try read(writer.zip("log.bin", log))
      #expect(result.statistics.omitted == 1 && result.accelerometer.count == 120, "byte \(place)")
    }
  }

  @Test func theInertialChipOfALinkGivesRotationAndField() throws {
    var writer = GT3XWriter()
    let names =
      ["Accelerometer X", "Accelerometer Y", "Accelerometer Z", "Temperature"]
      + ["Gyroscope X", "Gyroscope Y", "Gyroscope Z", "Magnetometer X", "Magnetometer Y", "Magnetometer Z"]
    var schema: [UInt8] = []
    schema.append((3, 2), (names.count, 2), (100, 2))
    for (index, name) in names.enumerated() {
      // Signed; 16 counts per unit: half of 2^5.
      schema.append((2, 1), (16 * index & 0xFF, 1), (16, 1), (5 << 24 | 0x400000, 4))
      schema += Array(name.utf8) + Array(repeating: 0x20, count: 16 - name.utf8.count)
    }
    writer.add(type: 24, second: 0, schema)
    writer.addWhole(second: 0, Self.second(0))
    var data: [UInt8] = [3, 0]
    for row in 0..<100 { for column in 0..<10 { data.append(((row - column * 40) & 0xFFFF, 2)) } }
    writer.add(type: 25, second: 0, data)
    let result = try read(writer.zip())
    #expect(result.accelerometer.count == 30 && result.gyroscope.count == 100 && result.magnetometer.count == 100)
    let degree = Angle(degrees: 1).radians
    #expect(
      result.gyroscope.last?.angularVelocity
        == Vector3(x: -61.0 / 16 * degree, y: -101.0 / 16 * degree, z: -141.0 / 16 * degree))
    #expect(result.magnetometer.first?.reading == Vector3(x: -280.0 / 16, y: -320.0 / 16, z: -360.0 / 16))
    #expect(result.magnetometer.first?.unit == .microtesla)
    #expect(result.recording.unread.contains("accelerometer of the inertial chip"))
  }

  @Test func firmwareThatTurnedTheAxesIsTurnedBack() throws {
    var writer = GT3XWriter()
    writer.info[1] = "Firmware: 1.6.0"
    writer.addWhole(second: 0, [(10, 20, 30)])
    #expect(try read(writer.zip()).accelerometer.first?.reading == Self.force((20, -10, 30), 256))
  }

  @Test func anOldFileIsContinuousFromItsStart() throws {
    var writer = GT3XWriter()
    writer.info[0] = "Serial Number: NEO1C16110020"
    writer.info.removeAll { $0.hasPrefix("Acceleration Scale") }
    let samples = (0..<2501).map { Self.second($0, count: 1)[0] }
    let result = try read(writer.zip("activity.bin", GT3XWriter.packed(samples)))
    #expect(result.accelerometer.map(\.reading) == samples.map { Self.force($0, 341) })
    #expect(result.recording.start.seconds == Double(GT3XWriter.start))
    let last = try #require(result.accelerometer.last).time
    #expect(abs(last.seconds - Double(GT3XWriter.start) - 2500.0 / 30) < 1e-6)
    // It has no checksums of its own, but the zip has.
    var bytes = writer.zip("activity.bin", GT3XWriter.packed(samples), isDeflated: false)
    bytes[500] ^= 1
    let path = try folder.write("b.gt3x", bytes)
    #expect(try #require(failure(path)).message.contains("checksum"))
    #expect(try MotionRecordingTests.read(path, .skipping).statistics.omitted == 1)
  }
}

/// GENEActiv BIN. Source: Documentation/Formats.md 4.11.
@Suite struct GENEActivTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func read(_ text: String) throws -> ReadResult {
    try MotionRecordingTests.read(folder.write("a.bin", text))
  }

  private static func page(_ number: Int, count: Int = 300) -> [Counts] {
    (0..<count).map { ((number * 31 + $0 * 7) % 4096 - 2048, -256, ($0 * 13) % 500 - 250) }
  }

  @Test func pagesComeBackExactlyAndTheLastMayBeShort() throws {
    var writer = GENEActivWriter()
    // 300 samples in 6.1 s: the true rate is not the set one.
    for number in 0..<4 { writer.add(Self.page(number, count: number == 3 ? 77 : 300), at: number * 6100) }
    let result = try read(writer.text)
    #expect(result.recording.format == .geneActiv && result.statistics.omitted == 0)
    let expected = (0..<3).flatMap { Self.page($0) } + Self.page(3, count: 77)
    #expect(result.accelerometer.map(\.reading) == expected.map(GENEActivWriter.force))
    for (index, sample) in result.accelerometer.enumerated() {
      #expect(abs((sample.time - result.recording.start).seconds - Double(index) * 6.1 / 300) < 1e-6)
    }
    #expect(result.recording.duration == result.accelerometer.last.map { $0.time - result.recording.start })
    #expect(result.recording.start.seconds == 1_709_510_400 + 36_000)
  }

  @Test func aDamagedPageIsLostAlone() throws {
    var writer = GENEActivWriter()
    for number in 0..<5 { writer.add(Self.page(number), at: number * 6000) }
    let lines = writer.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let data = lines.indices.filter { lines[$0].utf8.count == 3600 }[2]
    for (line, damage) in [
      (data, { "G" + $0.dropFirst() }), (data, { String($0.dropLast(24)) }), (data, { $0 + "0" }),
      (data - 6, { $0.replacing("03-04", with: "13-04") }),
    ] as [(Int, (String) -> String)] {
      var changed = lines
      changed[line] = damage(changed[line])
      #expect(changed[line] != lines[line])
      let result = try read(changed.joined(separator: "\n"))
      #expect(result.statistics.omitted == 1 && result.accelerometer.count == 1200, "line \(line)")
    }
  }

  @Test func aPlaceThatIsNoWristMakesNoWatch() throws {
    var writer = GENEActivWriter(place: "back")
    writer.add(Self.page(0), at: 0)
    #expect(try read(writer.text).recording.info.deviceClass == .module)
  }
}

/// Ten thousand damaged copies come from `make attack`; these are its laws in small.
@Suite struct LoggerMutationTests {
  @Test(arguments: ["cwa", "gt3x", "bin"]) func damageIsReadOrRefusedAndNeverSilent(format: String) throws {
    let folder = try TemporaryFolder()
    var cwa = CWAWriter()
    cwa.packing = .inertial
    cwa.add(blocks: 12, rate: 99) { ($0 % 500 - 250, 256, -$0 % 100) }
    var gt3x = GT3XWriter()
    gt3x.addScale(exponent: 9)
    for second in 0..<6 {
      gt3x.add(type: 0, second: second, GT3XWriter.packed((0..<30).map { ($0, -$0, 256) }))
      gt3x.add(type: 5, second: second, [3, 4])
    }
    var pages = GENEActivWriter()
    for page in 0..<4 { pages.add((0..<300).map { ($0, -$0, 256) }, at: page * 6000) }
    let original = format == "cwa" ? cwa.bytes : format == "gt3x" ? gt3x.log : Array(pages.text.utf8)
    func path(_ bytes: [UInt8]) throws -> String {
      try folder.write("a." + format, format == "gt3x" ? gt3x.zip("log.bin", bytes, isDeflated: false) : bytes)
    }
    let whole = try read(path(original), .skipping)
    var random = SplitMix64(seed: 34)
    var (refused, damaged) = (0, 0)
    for _ in 0..<400 {
      var bytes = original
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1..<300, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      default: for index in place..<end { bytes[index] = UInt8.random(in: 0...255, using: &random) }
      }
      let file = try path(bytes)
      do throws(SensorError) {
        let result = try read(file, .skipping)
        #expect(zip(result.samples, result.samples.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(result.accelerometer.allSatisfy { $0.specificForce.isFinite })
        let statistics = result.statistics
        let isSaid = statistics.omitted > 0 || statistics.missing > 0 || !result.recording.warnings.isEmpty
        if result.samples.count < whole.samples.count {
          damaged += 1
          #expect(isSaid, "\(whole.samples.count - result.samples.count) samples are lost at \(place)")
        }
      } catch {
        refused += 1
        #expect(error.message.hasSuffix("."), "\(error)")
      }
    }
    #expect(damaged > 60 && refused < 120)
  }
}
