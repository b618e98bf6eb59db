// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import Testing

@testable import MotionHistory

/// What a writer does when the disk is full, the file is damaged, or gone.
@Suite struct HistoryWriterTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "writer-\(UUID().uuidString)").path
  private var path: String { folder + "/history.sqlite" }
  private let line = TimeLine(clock: "boot", origin: 1_795_305_600_000_000)
  private let day = Date(timeIntervalSince1970: 1_795_305_600)

  private func open(_ said: Lock<[String]>, isLive: Bool = false) throws -> HistoryWriter {
    let holder = WriterLock.Holder(source: "iio:", recordsAccelerometer: true, since: day)
    let store = try MotionStore.open(writing: path, as: holder).store
    return HistoryWriter(store: store, source: "iio:", isLive: isLive) { text in said.withLock { $0.append(text) } }
  }

  /// Ten seconds of the accelerometer and an epoch of three steps.
  private func rows(_ number: Int) -> HistoryRows {
    var batcher = AccelerationBatcher(range: nil)
    var rows = HistoryRows()
    let start = Int64(number) * 10_000_000
    for index in 0..<500 {
      let time = SensorInstant(microseconds: start + Int64(index) * 20_000)
      let sample = AccelerometerSample(time: time, specificForce: Vector3(x: Double(index), y: 0, z: 9.81))
      if let batch = batcher.append(sample) { rows.batches.append(batch) }
    }
    rows.steps = [
      .init(
        start: SensorInstant(microseconds: start), end: SensorInstant(microseconds: start + 2_000_000), steps: 3,
        distance: 2, activeTime: 2)
    ]
    return rows
  }

  private func write(_ numbers: Range<Int>, _ writer: HistoryWriter) {
    for number in numbers { writer.write(rows(number), line: line, durably: true, at: day + Double(number) * 10) }
  }

  private func check(_ store: MotionStore?, holds count: Int) throws {
    let store = try #require(store)
    #expect(try store.steps(from: day, to: day + 1e6).steps == 3 * count)
    #expect(Array(try store.accelerometer(from: day, to: day + 43_200)).count == 500 * count)
  }

  @Test func onAFullDiskRowsWaitAndNothingIsLost() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let said = Lock<[String]>([])
    let writer = try open(said)
    write(0..<20, writer)
    let pages =
      try writer.store.database.withLock { try $0.row("PRAGMA page_count") { try $0.integer(0, in: 0...1_000_000) } }
      ?? 0
    try writer.store.database.withLock { try $0.execute("PRAGMA max_page_count = \(pages)") }
    write(20..<60, writer)
    #expect(writer.problem?.code == .diskFull)
    // Said once, not for each batch; what was written is there.
    #expect(said.withLock { $0.count } == 1 && said.withLock { $0.first?.contains("disk is full") } == true)
    #expect(try #require(try MotionStore.open(reading: path)).steps(from: day, to: day + 200).steps == 60)
    try writer.store.database.withLock { try $0.execute("PRAGMA max_page_count = 1000000") }
    write(60..<61, writer)
    #expect(writer.problem == nil && writer.unwritten.isEmpty)
    #expect(said.withLock { $0.last } == "The history is written again, nothing is lost.")
    try check(try MotionStore.open(reading: path), holds: 61)
  }

  @Test func afterAnHourOfAFullDiskTheOldestIsGivenUpAndCounted() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let said = Lock<[String]>([])
    let writer = try open(said)
    try writer.store.database.withLock { try $0.execute("PRAGMA max_page_count = 1") }
    write(0..<400, writer)
    // A few found room in what the file had already.
    let (lost, kept) = (writer.lost.batches, try writer.store.contents().batches)
    #expect(lost > 0 && lost + kept == 40 && writer.lost.spans == lost)
    #expect(said.withLock { $0.last } == "An hour waits now: the oldest of it is given up from here on, and counted.")
    try writer.store.database.withLock { try $0.execute("PRAGMA max_page_count = 1000000") }
    writer.finish(at: day)
    #expect(
      said.withLock { $0.last?.hasSuffix("but lost are \(lost) batches of ten seconds, \(lost) spans of steps.") }
        == true)
    try check(try MotionStore.open(reading: path), holds: 400 - lost)
  }

  @Test func aFileThatIsRemovedIsBegunAgainAndSaid() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let said = Lock<[String]>([])
    let writer = try open(said, isLive: true)
    write(0..<3, writer)
    writer.finish(at: day)
    for end in ["", "-wal", "-shm", ".lock"] { unlink(path + end) }
    write(3..<5, writer)
    writer.finish(at: day)
    #expect(said.withLock { $0 } == ["The file of the history was removed while it was written; a new one begins."])
    try check(try MotionStore.open(reading: path), holds: 2)
    // There is one writer, although the lock had been removed, too.
    #expect(WriterLock.holder(ofStore: path)?.pid == getpid())
  }

  @Test func aFileThatIsEmptiedIsBegunAgainAndSaid() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let said = Lock<[String]>([])
    let writer = try open(said)
    write(0..<3, writer)
    truncate(path, 0)
    write(3..<5, writer)
    #expect(said.withLock { $0 } == ["The file of the history was emptied while it was written; a new one begins."])
    try check(try MotionStore.open(reading: path), holds: 2)
  }

  @Test func aStrangersFileInThePlaceOfTheHistoryStaysAndRecordingGoesOnWhenItHasGone() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let said = Lock<[String]>([])
    let writer = try open(said)
    write(0..<3, writer)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".mine")
    let diary = Data("dear diary\n".utf8)
    try diary.write(to: URL(fileURLWithPath: path))
    write(3..<6, writer)
    #expect(writer.problem?.code == .foreignFile && said.withLock { $0.count } == 1)
    #expect(FileManager.default.contents(atPath: path) == diary && access(path + ".damaged", F_OK) != 0)
    // The first file comes back: it is gone on with, although it has been closed meanwhile.
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + ".mine", toPath: path)
    write(6..<7, writer)
    #expect(
      said.withLock { $0.suffix(2) } == [
        "Another file has taken the place of the history; recording goes on in it.",
        "The history is written again, nothing is lost.",
      ])
    try check(try MotionStore.open(reading: path), holds: 7)
  }

  @Test func aFileThatIsDamagedWhileItIsWrittenIsPutAside() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let said = Lock<[String]>([])
    let writer = try open(said)
    write(0..<40, writer)
    try writer.store.database.withLock { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: 16_384)
    try file.write(contentsOf: Data(repeating: 0x5A, count: size - 16_384))
    try file.close()
    // The writer's cache would hide the damage for a while.
    try writer.store.database.withLock { try $0.execute("PRAGMA shrink_memory") }
    write(40..<100, writer)
    #expect(said.withLock { $0.count } == 1 && said.withLock { $0.first?.contains(".damaged") } == true)
    #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
    // Whatever was handed over after the damage was found is in the new file.
    let store = try #require(try MotionStore.open(reading: path))
    #expect(try store.contents().batches >= 40 && store.contents().batches == store.contents().epochs)
    #expect(try store.database.withLock { try $0.row("PRAGMA integrity_check") { try $0.text(0) } } == "ok")
  }
}
