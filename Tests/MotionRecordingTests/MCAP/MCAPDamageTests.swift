// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import TestSupport
import Testing

@testable import MotionRecording

/// Files that break off, lie or were changed: everything before the damage is read, and the rest is refused in a
/// sentence.
@Suite struct MCAPDamageTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// One sensor's samples, in chunks of a few.
  private static func smallFile(_ compression: MCAPCompression = .none) throws(SensorError) -> [UInt8] {
    let items = MCAPFixture.items(count: 6).filter {
      if case .sample(.gyroscope, _) = $0 { true } else { false }
    }
    return try MCAPFixture.file(items, compression: compression, chunkBytes: 700)
  }

  @Test func everyTruncationPointGivesEverythingBeforeIt() throws {
    let bytes = try Self.smallFile()
    let whole = try MCAPFixture.messages(folder.write("whole.mcap", bytes))
    var most = 0
    for length in 8...bytes.count {
      let path = try folder.write("cut.mcap", Array(bytes[..<length]))
      let reader = try MCAPReader(path: path)
      var messages: [MCAPMessage] = []
      while let message = try reader.next() { messages.append(message) }
      #expect(messages == Array(whole.prefix(messages.count)))
      // What is there grows with the bytes: no message that is complete in the file is lost.
      #expect(messages.count >= most, "at \(length)")
      most = max(most, messages.count)
      #expect(reader.index.isFinished == (length == bytes.count))
    }
    #expect(most == whole.count)
    // The last chunk is read message by message: there are many different counts.
    let firstChunk = try #require(bytes.firstRange(of: Array(#"{"timestamp_ns":5"#.utf8)))
    let partial = try folder.write("cut.mcap", Array(bytes[..<(firstChunk.lowerBound + 150)]))
    #expect(try MCAPFixture.messages(partial).count == 1)
  }

  /// Bytes that are gone from the middle: whatever is missing then is counted, or the reading fails; it is never
  /// complete in silence.
  @Test func whatALostPieceCostsIsCounted() throws {
    let bytes = try Self.smallFile()
    let whole = try MCAPFixture.messages(folder.write("whole.mcap", bytes)).count
    var complete = 0
    for start in stride(from: 8, to: bytes.count - 40, by: 3) {
      for length in [1, 7] {
        let path = try folder.write("hole.mcap", Array(bytes[..<start] + bytes[(start + length)...]))
        guard let reader = try? MCAPReader(path: path, damage: .skip) else { continue }
        var count = 0
        while let message = try? reader.next() { count += message.body.isEmpty ? 0 : 1 }
        #expect(
          count >= whole || reader.statistics.omitted > 0 || !reader.index.isFinished, "\(length) bytes at \(start)")
        complete += count >= whole ? 1 : 0
      }
    }
    // Damage to the summary costs nothing.
    #expect(complete > 0)
  }

  @Test func anUnfinishedRecordingPlaysAndSaysSo() throws {
    let items = MCAPFixture.items(count: 300)
    let bytes = try MCAPFixture.file(items)
    let recording = try Recording.open(path: folder.write("cut.mcap", Array(bytes[..<(bytes.count / 2)])))
    #expect(recording.info.name.contains("unfinished"))
    #expect(recording.recordedDescription?.wallOffset == MCAPFixture.wallOffset)
    let reader = try recording.makeReader()
    var samples: [SensorSample] = []
    while let sample = try reader.next() { samples.append(sample) }
    #expect(samples.count > 300 && samples == Array(MCAPFixture.samples(items).prefix(samples.count)))
    #expect(reader.statistics[.truncated] == 1)
  }

  @Test func aChangedChunkIsAnErrorOrCountedAndLeftOut() throws {
    var bytes = try MCAPFixture.file(MCAPFixture.items(count: 12), chunkBytes: 2000)
    let whole = try MCAPFixture.messages(folder.write("whole.mcap", bytes))
    let place = try #require(bytes.firstRange(of: Array(#""x":"#.utf8))).upperBound + 3
    bytes[place] ^= 1
    let path = try folder.write("changed.mcap", bytes)
    let error = #expect(throws: SensorError.self) { try MCAPFixture.messages(path) }
    #expect(error?.message.contains("checksum") == true && error?.place?.byte != nil)
    let reader = try MCAPReader(path: path, damage: .skip)
    var rest: [MCAPMessage] = []
    while let message = try reader.next() { rest.append(message) }
    #expect(!rest.isEmpty && rest.count < whole.count && rest == Array(whole.suffix(rest.count)))
    #expect(reader.statistics[.malformed] == 1)
  }

  @Test func aDamagedSummaryCostsNothing() throws {
    let bytes = try MCAPFixture.file(MCAPFixture.items(count: 12), chunkBytes: 2000)
    let whole = try MCAPFixture.messages(folder.write("whole.mcap", bytes))
    var random = SeededRandom(seed: 8)
    for _ in 0..<300 {
      var changed = bytes
      let position = bytes.count - Int.random(in: 1...600, using: &random)
      changed[position] = UInt8.random(in: 0...255, using: &random)
      #expect(try MCAPFixture.messages(folder.write("changed.mcap", changed)) == whole)
    }
  }

  /// All that is behind a chunk that is gone has moved, so the footer no longer says where the summary is.
  @Test func aLostChunkIsMissedByTheFilesOwnCount() throws {
    var bytes = try MCAPFixture.file(MCAPFixture.items(count: 12), chunkBytes: 2000)
    let whole = try MCAPFixture.messages(folder.write("whole.mcap", bytes)).count
    let index = try MCAPIndex(MCAPInput(path: folder.path + "/whole.mcap"), .stop)
    let last = try #require(index.blocks.max { $0.offset < $1.offset })
    bytes.removeSubrange(Int(last.offset)..<Int(last.offset + last.length))
    let reader = try MCAPReader(path: folder.write("short.mcap", bytes))
    var found = 0
    while try reader.next() != nil { found += 1 }
    #expect(found > 0 && found < whole && reader.statistics[.absent] == whole - found)
  }

  /// A chunk that is gone together with its index leaves no trace but in the file's own count of its messages, which is
  /// used also where the summary is of no other use.
  @Test(arguments: [true, false]) func messagesThatOnlyTheFilesOwnCountKnowsAreSaid(isSummaryUsable: Bool) throws {
    var bytes = try MCAPFixture.file(MCAPFixture.items(count: 12), chunkBytes: 2000)
    let count = try MCAPFixture.messages(folder.write("whole.mcap", bytes)).count
    func eight(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(number).littleEndian, Array.init) }
    // The record of the statistics, whose content begins with that count.
    let place = try #require(
      bytes.indices.last { bytes[$0] == 0x0B && bytes.dropFirst($0 + MCAPRecord.headerSize).starts(with: eight(count)) }
    )
    let content = place + MCAPRecord.headerSize
    bytes.replaceSubrange(content..<content + 8, with: eight(count + 17))
    // The number of chunks, without which the places of the summary are not believed.
    if !isSummaryUsable { bytes[content + 22] &+= 1 }
    // No checksum of the summary.
    bytes.replaceSubrange(bytes.count - 12..<bytes.count - 8, with: [0, 0, 0, 0])
    let reader = try MCAPReader(path: folder.write("short.mcap", bytes))
    var found = 0
    while try reader.next() != nil { found += 1 }
    #expect(found == count && reader.statistics[.absent] == 17)
    #expect(reader.statistics.description.contains("17 absent, though the file counts them"))
  }

  @Test(arguments: ["none", "zstd"])
  func fuzzedCopiesAreReadOrRefused(_ name: String) throws {
    let compression: MCAPCompression = name == "zstd" ? .zstd : .none
    guard (try? compression.check()) != nil else { return }
    let peak = Self.peakKilobytes
    let original = try Self.smallFile(compression)
    var random = SeededRandom(seed: 2026)
    var refused = 0
    for round in 0..<SeededRandom.rounds(5000) {
      var bytes = original
      for _ in 0...Int.random(in: 0..<3, using: &random) where !bytes.isEmpty {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, position + Int.random(in: 1..<64, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[position] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        case 2: bytes.removeSubrange(position..<end)
        case 3: bytes.insert(contentsOf: bytes[position..<end], at: position)
        case 4: for index in position..<end { bytes[index] = 0xFF }
        default: bytes.removeSubrange(position...)
        }
      }
      let path = try folder.write("m.mcap", bytes)
      if let error = failure(path, round & 1 == 0 ? .skipping : RecordingOptions()) {
        refused += 1
        #expect(error.message.hasSuffix("."), "\(error)")
      }
    }
    #expect(refused > 0 && refused < SeededRandom.rounds(5000))
    // Other tests run at the same time; what a file declares would be far more.
    #expect(Self.peakKilobytes - peak < 1_000_000)
  }

  /// The most memory that this process has ever had (proc(5), VmHWM).
  private static var peakKilobytes: Int {
    let status = (try? FileBytes(path: "/proc/self/status").bytes(limit: 8192)) ?? []
    let line = status.split(separator: 0x0A).first { $0.starts(with: Array("VmHWM:".utf8)) } ?? []
    return Int(String(decoding: line.filter { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self)) ?? .max
  }

  @Test func otherFilesAreNoMCAP() throws {
    let magic = MCAPRecord.magic
    #expect(failure(try folder.write("a.mcap", magic))?.message.contains("no supported sensor") == true)
    #expect(throws: SensorError.self) { try MCAPReader(path: folder.write("b.mcap", Array(magic.dropLast()))) }
    #expect(throws: SensorError.self) {
      try MCAPReader(path: folder.write("c.mcap", [UInt8](repeating: 0, count: 100)))
    }
    let zipped = try folder.write("d.mcap.gz", Compressor.gzip(MCAPFixture.file(MCAPFixture.items(count: 3))))
    #expect(failure(zipped)?.message.contains("unpack") == true)
  }
}

/// Recordings made by our own writer.
enum MCAPFixture {
  static let wallOffset = SensorDuration(nanoseconds: 1_726_485_000_000_000_123)

  static func description(isApple: Bool = false) -> RecordingDescription {
    var description = RecordingDescription(info: .test)
    description.source = "iio:imu0"
    description.clock = .monotonic
    description.wallOffset = wallOffset
    description.sign = isApple ? "apple" : "reaction"
    description.calibration = Array(#"{"a":1}"#.utf8)
    return description
  }

  /// Accelerometer, gyroscope and magnetometer at 100 Hz, pressure at 25 Hz, received up to 3 ms later; sorted by
  /// reception.
  static func items(count: Int, isApple: Bool = false) -> [RecordedItem] {
    var random = SeededRandom(seed: 11)
    func vector() -> Vector3<Device> {
      Vector3(
        x: .random(in: -2...2, using: &random), y: .random(in: -2...2, using: &random),
        z: .random(in: -2...2, using: &random))
    }
    var items: [RecordedItem] = []
    for index in 0..<count {
      let time = SensorInstant(nanoseconds: 5_000_000_000 + Int64(index) * 10_000_000)
      func add(_ sample: SensorSample, after delay: Int64) {
        items.append(.sample(sample, receivedAt: time + SensorDuration(nanoseconds: delay)))
      }
      let unit = isApple ? AccelerationUnit.reversedGravity : .metresPerSecondSquared
      add(.accelerometer(AccelerometerSample(time: time, reading: vector(), unit: unit)), after: 1_000_000)
      add(.gyroscope(GyroscopeSample(time: time, angularVelocity: vector())), after: 1_000_000)
      let field = MagnetometerSample(
        time: time - .milliseconds(4), reading: vector(), unit: isApple ? .microtesla : .tesla)
      add(.magnetometer(field), after: 2_000_000)
      if index % 4 == 0 {
        add(.pressure(PressureSample(time: time, pressure: 101_325 + Double(index) / 3)), after: 3_000_000)
      }
    }
    return items
  }

  static func file(
    _ items: [RecordedItem], _ description: RecordingDescription = description(), compression: MCAPCompression = .none,
    chunkBytes: Int = 1 << 20, views: [any TopicView] = [], profile: String = ""
  ) throws(SensorError) -> [UInt8] {
    let sink = MemoryByteSink()
    let writer = try MCAPWriter(
      sink, description, compression: compression, views: views, profile: profile, chunkBytes: chunkBytes)
    for item in items { try writer.write(item) }
    try writer.finish()
    return sink.bytes
  }

  static func samples(_ items: [RecordedItem]) -> [SensorSample] {
    items.compactMap { if case .sample(let sample, _) = $0 { sample } else { nil } }
  }

  /// Every message of a file.
  static func messages(_ path: String, damage: DamagePolicy = .stop) throws(SensorError) -> [MCAPMessage] {
    let reader = try MCAPReader(path: path, damage: damage)
    var messages: [MCAPMessage] = []
    while let message = try reader.next() { messages.append(message) }
    return messages
  }
}
