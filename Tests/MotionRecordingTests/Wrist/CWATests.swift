// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

/// Axivity CWA. Source: Documentation/Formats.md 4.11.
@Suite struct CWATests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func read(_ bytes: [UInt8], _ options: RecordingOptions = RecordingOptions()) throws -> ReadResult {
    try MotionRecordingTests.read(folder.write("a.cwa", bytes), options)
  }

  private static func counts(_ index: Int) -> Counts {
    ((index * 37) % 901 - 450, (index * 11) % 777 - 388, 256 + index % 100)
  }

  @Test(arguments: [CWAWriter.Packing.words, .numbers, .inertial])
  func valuesComeBackExactlyAndTimesAlongTheTrueRate(packing: CWAWriter.Packing) throws {
    var writer = CWAWriter(isAX6: packing == .inertial)
    writer.packing = packing
    let rate = 98.7
    writer.add(blocks: 20, rate: rate, Self.counts)
    let result = try read(writer.bytes)
    let count = 20 * writer.capacity
    #expect(result.recording.format == .cwa && result.statistics.omitted == 0 && result.statistics.missing == 0)
    #expect(result.accelerometer.count == count && result.gyroscope.count == (packing == .inertial ? count : 0))
    let unit = packing == .words ? 1.0 / 256 : 1.0 / 2048
    for (index, sample) in result.accelerometer.enumerated() {
      let counts = Self.counts(index)
      #expect(sample.unit == .gravity)
      #expect(
        sample.reading == Vector3(x: Double(counts.x) * unit, y: Double(counts.y) * unit, z: Double(counts.z) * unit))
      // The fraction of a second has 15 bits: 31 µs.
      let truth = CWAWriter.start + Int(Double(index) * 1e9 / rate)
      #expect(abs(Int(sample.time.nanoseconds) - truth) < 100_000)
    }
    let scale = Angle(degrees: 2000.0 / 32_768).radians
    for (index, sample) in result.gyroscope.enumerated() {
      let counts = Self.counts(index)
      #expect(
        sample.angularVelocity
          == Vector3(x: Double(counts.z) * scale, y: Double(-counts.x) * scale, z: Double(counts.y) * scale))
      #expect(sample.time == result.accelerometer[index].time)
    }
    #expect(result.recording.duration == result.accelerometer.last.map { $0.time - result.recording.start })
    #expect(result.recording.unread == ["light", "temperature", "battery"])
    #expect(result.recording.info.deviceClass == .watch)
    #expect(result.recording.info.channel(.accelerometer)?.range == 8 * standardGravity)
    let description = try #require(result.recording.recordedDescription)
    #expect(description.isLocalTime && description.wallOffset == .zero && description.sign == "reaction")
  }

  @Test func largeAccelerationsHaveAnExponent() throws {
    var writer = CWAWriter()
    let samples: [Counts] = [(511, -512, 0), (1022, -1024, 2), (2044, -2048, 4), (4088, -4096, 8)]
    writer.add(samples, anchor: 0, at: 0)
    let readings = try read(writer.bytes).accelerometer.map(\.reading)
    #expect(
      readings
        == samples.map { Vector3(x: Double($0.x) / 256, y: Double($0.y) / 256, z: Double($0.z) / 256) })
  }

  @Test func aFileWithoutFractionsIsPlacedByWholeSeconds() throws {
    var writer = CWAWriter()
    writer.hasFraction = false
    for block in 0..<10 {
      // The sample at which the second of the block holds: 100 a second, 120 a block.
      let second = (block * 120 + 99) / 100
      writer.add((0..<120).map(Self.counts), anchor: second * 100 - block * 120, at: second * 1_000_000_000)
    }
    let result = try read(writer.bytes)
    for (index, sample) in result.accelerometer.enumerated() {
      #expect(abs(sample.time.nanoseconds - Int64(CWAWriter.start + index * 10_000_000)) < 1000)
    }
  }

  @Test func noByteOfABlockCanChangeInSilence() throws {
    var writer = CWAWriter()
    writer.add(blocks: 5, rate: 100, Self.counts)
    let whole = try read(writer.bytes)
    // All of the header, some of the samples, all of the sum.
    for place in Array(0..<30) + Array(stride(from: 30, to: 510, by: 16)) + [510, 511] {
      var bytes = writer.bytes
      bytes[1024 + 2 * 512 + place] ^= UInt8(1 << (place % 8))
      let result = try read(bytes)
      #expect(result.statistics[.damagedBlock] == 1 && result.accelerometer.count == 480, "byte \(place)")
      #expect(
        result.statistics.omissions[.damagedBlock]?.firstPlace.byte == 1024 + 2 * 512, "byte \(place)")
      let kept = whole.accelerometer[..<240] + whole.accelerometer[360...]
      #expect(zip(result.accelerometer, kept).allSatisfy { $0.reading == $1.reading })
      #expect(
        zip(result.accelerometer, kept).allSatisfy { abs(($0.time - $1.time).nanoseconds) < 100_000 })
    }
  }

  @Test(arguments: [-7, 9]) func missingAndSurplusBytesCostTheirBlockAlone(change: Int) throws {
    var writer = CWAWriter()
    writer.add(blocks: 8, rate: 100, Self.counts)
    var bytes = writer.bytes
    let place = 1024 + 3 * 512 + 200
    if change < 0 {
      bytes.removeSubrange(place..<place - change)
    } else {
      bytes.insert(contentsOf: [UInt8](repeating: 0x41, count: change), at: place)
    }
    let result = try read(bytes)
    #expect(result.accelerometer.count == 7 * 120 && result.statistics[.damagedBlock] == 1)
  }

  @Test func aDamagedFirstBlockIsLostAndTheRecordingBeginsWithTheSecond() throws {
    var writer = CWAWriter()
    writer.add(blocks: 5, rate: 100, Self.counts)
    var bytes = writer.bytes
    bytes[1024 + 100] ^= 4
    let result = try read(bytes)
    #expect(result.statistics[.damagedBlock] == 1 && result.accelerometer.count == 480)
    #expect(abs(result.recording.start.nanoseconds - Int64(CWAWriter.start + 1_200_000_000)) < 100_000)
  }

  @Test func blocksThatTheFileLacksAreCountedByTheirNumbers() throws {
    var writer = CWAWriter()
    writer.add(blocks: 8, rate: 100, Self.counts)
    var bytes = writer.bytes
    bytes.removeSubrange(1024 + 2 * 512..<1024 + 5 * 512)
    let result = try read(bytes)
    #expect(result.statistics.gaps == 1 && result.statistics.missing == 3 && result.statistics.omitted == 0)
    #expect(result.accelerometer.count == 600)
  }

  @Test func aPauseIsAGapAndARestartBeginsAnew() throws {
    var writer = CWAWriter()
    writer.add(blocks: 4, rate: 100, Self.counts)
    writer.session = 8
    writer.sequence = 0
    writer.add(blocks: 4, rate: 100, from: 3600_000_000_000, Self.counts)
    let times = try read(writer.bytes).accelerometer.map(\.time.nanoseconds)
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(steps.count { $0 > 1_000_000_000 } == 1)
    #expect(steps.filter { $0 < 1_000_000_000 }.allSatisfy { abs($0 - 10_000_000) < 100_000 })
    #expect(abs(times[480] - Int64(CWAWriter.start + 3600_000_000_000)) < 100_000)
  }

  @Test func aHeaderAloneAndABlockWithoutADateAreRefusedWithASentence() throws {
    let header = CWAWriter().bytes
    let error = try #require(failure(folder.write("b.cwa", header)))
    #expect(error.message.contains("before its first block"))
    let noise = header + [UInt8](repeating: 0x55, count: 5000)
    #expect(try #require(failure(folder.write("c.cwa", noise))).message.contains("None of its first blocks is whole"))
  }

  @Test func aWeekHasItsLengthFromItsLastBlockAndIsReadInBlocks() throws {
    var writer = CWAWriter()
    // 3.125 Hz, as the test is compiled without optimisation.
    writer.rateCode = 0x45
    let blocks = 7 * 86_400 * 25 / 8 / 120
    writer.add(blocks: blocks, rate: 3.125) { ($0 % 512, -($0 % 512), 256) }
    let recording = try Recording.open(path: folder.write("week.cwa", writer.bytes))
    let duration = try #require(recording.duration?.seconds)
    #expect(abs(duration - 7 * 86_400) < 0.5)
    let reader = try recording.makeAccelerationReader()
    var block = SampleBlock()
    var (count, isExact) = (0, true)
    while try reader.next(&block) {
      for index in 0..<block.count {
        isExact = isExact && block.accelerations[index].x == Double((count + index) % 512) / 256
      }
      count += block.count
    }
    #expect(count == blocks * 120 && reader.statistics.samples == count && isExact)
  }

  @Test(arguments: [CWAWriter.Packing.words, .inertial], [0.0, 1.005])
  func blocksHoldTheSamplesThatComeOneByOne(packing: CWAWriter.Packing, from: Double) throws {
    var writer = CWAWriter()
    writer.packing = packing
    writer.add(blocks: 9, rate: 101.3, Self.counts)
    var options = RecordingOptions()
    options.from = try #require(SensorDuration(seconds: from))
    options.to = from > 0 ? SensorDuration(seconds: 2.5) : nil
    let recording = try Recording.open(path: folder.write("a.cwa", writer.bytes), options: options)
    let single = try MotionRecordingTests.read(folder.path + "/a.cwa", options).accelerometer
    var collected: [AccelerometerSample] = []
    let reader = try recording.makeAccelerationReader()
    var block = SampleBlock()
    while try reader.next(&block) { collected += (0..<block.count).map { block.acceleration($0) } }
    #expect(!single.isEmpty && collected == single && reader.statistics.samples == single.count)
  }

  @Test func anyOtherRecordingComesInBlocksToo() throws {
    try folder.write(Fixture.pyojinKim(rows: 700))
    let recording = try Recording.open(path: folder.path)
    let reader = try recording.makeAccelerationReader()
    var block = SampleBlock()
    var collected: [AccelerometerSample] = []
    while try reader.next(&block) { collected += (0..<block.count).map { block.acceleration($0) } }
    #expect(collected == (try MotionRecordingTests.read(folder.path).accelerometer) && collected.count == 700)
  }
}

/// Real files of the makers' devices against what other programs decode from them.
@Suite(.enabled(if: RealData.exists("wrist"), "needs shared/data/wrist (OPENCOREMOTION_DATA)"))
struct RealWristTests {
  private static let folder = RealData.folder + "/wrist/"

  private func largestDifference(_ readings: [Vector3<Device>], _ expected: [Double]) -> Double {
    #expect(3 * readings.count == expected.count && !readings.isEmpty)
    return readings.enumerated().reduce(0) { worst, entry in
      let (row, reading) = (3 * entry.offset, entry.element)
      return max(
        worst, abs(reading.x - expected[row]), abs(reading.y - expected[row + 1]), abs(reading.z - expected[row + 2]))
    }
  }

  /// The other program goes on at the set rate from block to block: its times differ by a sample or two.
  private func largestDelay(_ samples: [AccelerometerSample], _ expected: [Double]) -> Double {
    zip(samples, expected).reduce(0) { max($0, abs($1.0.time.seconds - $1.1)) }
  }

  @Test func anAX3IsThatOfAnIndependentDecoding() throws {
    let (result, other) = (try read(Self.folder + "ax3_sample.cwa"), try NPZ(Self.folder + "ax3_data.npz"))
    #expect(largestDifference(result.accelerometer.map(\.reading), other["accel"]) == 0)
    #expect(largestDelay(result.accelerometer, other["time"]) < 0.01)
    #expect(result.statistics.omitted == 0)
  }

  @Test func anAX6IsThatOfAnIndependentDecoding() throws {
    let (result, other) = (try read(Self.folder + "ax6_sample.cwa"), try NPZ(Self.folder + "ax6_data.npz"))
    // The other was stored with six decimals.
    #expect(largestDifference(result.accelerometer.map(\.reading), other["accel"]) < 5.1e-7)
    let rates = result.gyroscope.map { $0.angularVelocity * (1 / Angle(degrees: 1).radians) }
    #expect(largestDifference(rates, other["gyro"]) < 1e-4)
    #expect(largestDelay(result.accelerometer, other["time"]) < 0.012)
  }

  @Test func aGENEActivIsThatOfAnIndependentDecoding() throws {
    let (result, other) = (try read(Self.folder + "gnactv_sample.bin"), try NPZ(Self.folder + "gnactv_data.npz"))
    #expect(largestDifference(result.accelerometer.map(\.reading), other["accel"]) < 5.1e-5)
    // Pages begin where they say; within one the other knows the set rate only.
    for page in 0..<3 {
      #expect(abs(result.accelerometer[300 * page].time.seconds - other["time"][300 * page]) < 1e-3)
    }
  }

  @Test func exactlyTheDamagedBlocksAreLost() throws {
    let whole = try read(Self.folder + "ax3_testfile.cwa")
    let damaged = try read(Self.folder + "ax3_testfile_corrupt_blocks_0_13_14_142_143_144.cwa")
    let lost = Set([0, 13, 14, 142, 143, 144])
    #expect(whole.accelerometer.count == 145 * 120 && whole.statistics.omitted == 0)
    #expect(damaged.statistics[.damagedBlock] == 6 && damaged.statistics.omitted == 6)
    #expect(damaged.statistics.omissions[.damagedBlock]?.firstPlace.byte == 1024)
    let kept = (0..<145).filter { !lost.contains($0) }.flatMap { whole.accelerometer[$0 * 120..<($0 + 1) * 120] }
    #expect(damaged.accelerometer.map(\.reading) == kept.map(\.reading))
    #expect(zip(damaged.accelerometer, kept).allSatisfy { abs(($0.time - $1.time).nanoseconds) < 5_000_000 })
  }

  @Test func theOthersAreReadWhole() throws {
    let ax6 = try read(Self.folder + "ax6_testfile.cwa")
    #expect(ax6.accelerometer.count == 283 * 40 && ax6.gyroscope.count == 283 * 40 && ax6.statistics.omitted == 0)
    // The file is the beginning of a longer one of 222,048 pages, cut off within its seventeenth.
    let page = try read(Self.folder + "GENEActiv_testfile.bin")
    #expect(page.statistics[.truncated] == 1 && page.statistics[.absent] == 222_048 - 17)
    #expect((4800..<5100).contains(page.accelerometer.count))
  }
}
