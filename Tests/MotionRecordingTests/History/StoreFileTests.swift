// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionSensing
import MotionServices
import Testing

@testable import MotionHistory

/// The file of a history: who may read and write it, and what happens to it.
@Suite struct StoreFileTests {
  private let folder = StoreFolder()

  private func mode(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test func onlyItsOwnerReadsIt() throws {
    let store = try folder.writer()
    try store.write(rows(batches: batches(from: 0, seconds: 10)), line: line)
    #expect(try mode((folder.file as NSString).deletingLastPathComponent) == 0o700)
    for end in ["", "-wal", "-shm", ".lock"] { #expect(try mode(folder.file + end) == 0o600) }
  }

  @Test func whereThereIsNoFileThereIsNothingToRead() throws {
    #expect(try folder.reader() == nil)
    // A file that a writer has just made.
    try FileManager.default.createDirectory(atPath: folder.path + "/state", withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: folder.file))
    #expect(try folder.reader() == nil)
  }

  @Test func aSecondWriterIsRefusedAndToldOfTheFirst() throws {
    var first: MotionStore? = try folder.writer("iio:imu")
    let error = #expect(throws: SensorError.self) { try folder.writer() }
    #expect(error?.code == .busy && error?.message.contains("Process \(getpid())") == true)
    #expect(
      error?.message.contains("iio:imu") == true && error?.message.contains("stop opencoremotion-recorder") == true)
    #expect(WriterLock.holder(ofStore: folder.file)?.source == "iio:imu")
    withExtendedLifetime(first) {}
    first = nil
    #expect(WriterLock.holder(ofStore: folder.file) == nil)
    _ = try folder.writer()
  }

  @Test func aReaderSeesWhatAWriterWritesMeanwhile() throws {
    let store = try folder.writer()
    let reader = try #require(try folder.reader())
    for number in 0..<20 {
      let start = Double(number) * 10
      try store.write(rows(steps: [(start, start + 2, 3)], batches: batches(from: start, seconds: 10)), line: line)
      #expect(try reader.steps(from: day, to: day + 1000).steps == 3 * (number + 1))
      #expect(Array(try reader.accelerometer(from: day, to: day + 1000)).count == 500 * (number + 1))
    }
    #expect(throws: SensorError.self) { try reader.write(rows(steps: [(500, 501, 1)]), line: line) }
  }

  @Test func aBatchThatIsRemovedWhileAListIsReadIsLeftOut() throws {
    let store = try folder.writer()
    try store.write(rows(batches: batches(from: 0, seconds: 30)), line: line)
    let reader = try #require(try folder.reader())
    var iterator = try reader.accelerometer(from: day, to: day + 100).makeIterator()
    _ = iterator.next()
    _ = try store.erase(before: day + 25)
    var rest: [UInt64] = []
    while let sample = iterator.next() { rest.append(sample.identifier) }
    // The batch that had been decoded, and the last one.
    #expect(rest.count == 999 && iterator.failure == nil && Set(rest) == [1, 3])
  }

  @Test func identifiersRiseAcrossRestartsAndErasing() throws {
    for number in 1...3 {
      let store = try folder.writer()
      try store.write(rows(batches: batches(from: Double(number) * 100, seconds: 10)), line: line)
      let seen = Set(try store.accelerometer(from: day, to: day + 1000).map(\.identifier))
      #expect(seen == Set(1...UInt64(number)))
    }
    let store = try folder.writer()
    #expect(try store.erase(before: nil).batches == 3)
    try store.write(rows(batches: batches(from: 900, seconds: 10)), line: line)
    #expect(Set(try store.accelerometer(from: day, to: day + 1000).map(\.identifier)) == [4])
    // A history in memory that follows a file.
    let memory = MemoryHistory(after: try store.lastIdentifier())
    memory.write(rows(batches: batches(from: 0, seconds: 1)), line: line, at: day)
    #expect(Set(try memory.accelerometer(from: day, to: day + 1000).map(\.identifier)) == [5])
  }

  @Test func rowsAreKeptThreeAndSevenDays() throws {
    let store = try folder.writer()
    for number in 0..<10 {
      let start = Double(number) * 86_400
      try store.write(
        rows(steps: [(start, start + 2, 3)], activities: [(start, 4)], batches: batches(from: start, seconds: 10)),
        line: line)
    }
    // At the end of the tenth day's first hour: seven days before are 23 hours after the start of the third.
    try store.prune(at: day + 9 * 86_400 + 3600)
    let contents = try store.contents()
    #expect(contents.batches == 3 && contents.epochs == 7 && contents.activities == 7)
    #expect(try store.steps(from: .distantPast, to: .distantFuture).steps == 21)
    #expect(try store.prune(at: day + 9 * 86_400 + 3600).isEmpty)
  }

  @Test func whatIsErasedIsGoneFromTheFile() throws {
    let store = try folder.writer("iio:SECRETSOURCE")
    var batch = try #require(batches(from: 0, seconds: 10).first)
    batch.data = Array("NEEDLE".utf8) + batch.data.dropFirst(6)
    try store.write(rows(batches: [batch]), source: "iio:SECRETSOURCE", line: line, durably: true)
    func found(_ text: String) throws -> Bool {
      try ["", "-wal"].contains {
        try Data(contentsOf: URL(fileURLWithPath: folder.file + $0)).range(of: Data(text.utf8)) != nil
      }
    }
    #expect(try found("NEEDLE") && found("SECRETSOURCE"))
    _ = try store.erase(before: nil)
    #expect(try !found("NEEDLE") && !found("SECRETSOURCE"))
  }

  @Test func aFileOfANewerProgramIsRefused() throws {
    try folder.writer().database.withLock { try $0.execute("UPDATE meta SET schema_version = 3") }
    for open in [{ _ = try folder.writer() }, { _ = try folder.reader() }] as [() throws -> Void] {
      let error = #expect(throws: SensorError.self) { try open() }
      #expect(error?.code == .unsupported && error?.message.contains("newer OpenCoreMotion") == true)
    }
  }

  /// The program kept the names of applied migrations in a table of GRDB's, and its earlier releases still look there.
  @Test func aFileOfTheFirstVersionIsMigratedAndReadMeanwhile() throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/state", withIntermediateDirectories: true)
    do {
      let old = try Database(folder.file)
      try old.execute("PRAGMA journal_mode = WAL")
      try old.execute(HistorySchema.migrations[0])
      try old.execute(
        """
        CREATE TABLE grdb_migrations(identifier TEXT NOT NULL PRIMARY KEY); INSERT INTO grdb_migrations VALUES ('1');
        INSERT INTO boot VALUES (1, 'boot-1', \(line.origin), 0); INSERT INTO source VALUES (1, 'iio:');
        INSERT INTO step_epoch VALUES (1, 2000000, 2000000, 3, 2100, NULL, NULL, 2000, 1);
        """)
    }
    let reader = try #require(try folder.reader())
    #expect(try reader.steps(from: day, to: day + 10).steps == 3)
    let writer = try folder.writer()
    try writer.write(rows(steps: [(2, 4, 5)]), line: line)
    #expect(try reader.steps(from: day, to: day + 10).steps == 8)
    let applied = try writer.read { database throws(SensorError) in
      try database.rows("SELECT identifier FROM grdb_migrations ORDER BY 1") { try $0.text(0) }
    }
    #expect(applied == ["1", "2"])
  }

  @Test(arguments: ["header", "page"]) func aDamagedFileIsPutAsideAndSaid(_ kind: String) throws {
    do {
      let store = try folder.writer()
      for number in 0..<20 {
        try store.write(rows(batches: batches(from: Double(number) * 10, seconds: 10)), line: line)
      }
      try store.database.withLock { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file))
    switch kind {
    case "header": bytes.replaceSubrange(0..<100, with: Data(repeating: 0xFF, count: 100))
    default:
      // Every page but the first: the tables cannot be read.
      bytes.replaceSubrange(16_384..<bytes.count, with: Data(repeating: 0x5A, count: bytes.count - 16_384))
    }
    try bytes.write(to: URL(fileURLWithPath: folder.file))
    if kind != "page" { #expect(throws: SensorError.self) { try folder.reader() } }
    let (fresh, notices) = try MotionStore.open(writing: folder.file, as: folder.holder("iio:new"))
    #expect(notices.count == 1 && notices.first?.contains("\(folder.file).damaged") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file + ".damaged")) == bytes)
    try fresh.write(rows(steps: [(0, 2, 3)]), line: line)
    #expect(try folder.reader()?.steps(from: day, to: day + 10).steps == 3)
  }

  /// A power cut while a flush is under way leaves any part of the journal on the disk.
  @Test func aCutJournalLosesAtMostTheLastBatch() throws {
    let store = try folder.writer()
    for number in 0..<4 {
      try store.write(rows(batches: batches(from: Double(number) * 10, seconds: 10)), line: line)
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.file + "-wal")).count
    try store.write(rows(batches: batches(from: 40, seconds: 10)), line: line)
    let file = try Data(contentsOf: URL(fileURLWithPath: folder.file))
    let journal = try Data(contentsOf: URL(fileURLWithPath: folder.file + "-wal"))
    try #require(before < journal.count)
    for length in stride(from: before, through: journal.count, by: 4099) {
      let copy = StoreFolder()
      try FileManager.default.createDirectory(atPath: copy.path + "/state", withIntermediateDirectories: true)
      try file.write(to: URL(fileURLWithPath: copy.file))
      try journal.prefix(length).write(to: URL(fileURLWithPath: copy.file + "-wal"))
      let count = Array(try copy.writer().accelerometer(from: day, to: day + 100)).count
      #expect(count == 2000 || (count == 2500 && length == journal.count))
    }
  }
}

/// A file system of its own with little room, for one test.
private final class SmallDisk {
  let path = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)").path
  var file: String { path + "/history.sqlite" }

  /// Whether this process may make one.
  static let isAllowed = geteuid() == 0 && (try? SmallDisk(kilobytes: 64)) != nil

  init(kilobytes: Int) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else { throw POSIXError(.EPERM) }
  }

  deinit {
    umount(path)
    rmdir(path)
  }

  /// Takes all the room that is left; returns how much that was.
  func fill() throws -> Int {
    let descriptor = open(path + "/fill", O_WRONLY | O_CREAT, 0o600)
    defer { close(descriptor) }
    let block = [UInt8](repeating: 1, count: 4096)
    var size = 0
    while true {
      let written = block.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { return size }
      size += written
    }
  }
}

/// A disk without room: what waits is written as soon as there is some.
@Suite struct FullDiskTests {
  private func open(_ path: String, _ said: Lock<[String]>) throws -> HistoryWriter {
    let holder = WriterLock.Holder(source: "iio:", recordsAccelerometer: true, since: day)
    let store = try MotionStore.open(writing: path, as: holder).store
    return HistoryWriter(store: store, source: "iio:", isLive: false) { text in said.withLock { $0.append(text) } }
  }

  private func write(_ numbers: Range<Int>, _ writer: HistoryWriter) {
    for number in numbers {
      let start = Double(number) * 10
      let made = rows(steps: [(start, start + 2, 3)], batches: batches(from: start, seconds: 10))
      writer.write(made, line: line, durably: true, at: day + start)
    }
  }

  private func isWritten(_ writer: HistoryWriter) -> Bool { waitUntil { writer.unwritten.isEmpty } }

  /// A journal that waits for its full size of 1 MB took all of a disk of 700 kB after three batches, and nothing could
  /// be written after that.
  @Test(.enabled(if: SmallDisk.isAllowed, "only root may make a file system of 700 kB"))
  func onADiskOfSevenHundredKilobytesThereIsRoomForMinutes() throws {
    let disk = try SmallDisk(kilobytes: 700)
    let said = Lock<[String]>([])
    let writer = try open(disk.file, said)
    write(0..<40, writer)
    #expect(writer.problem == nil && said.withLock { $0.isEmpty })
    // Somebody takes the rest and gives it back, at any state of the journal; no new row comes meanwhile.
    for number in 0..<5 {
      let size = try disk.fill()
      let first = 40 + number * 8
      write(first..<first + 8, writer)
      #expect(size > 16_384 && writer.problem?.code == .diskFull)
      unlink(disk.path + "/fill")
      #expect(isWritten(writer) && writer.problem == nil)
    }
    #expect(said.withLock { $0.count } == 10)
    #expect(said.withLock { $0.last } == "The history is written again, nothing is lost.")
    let contents = try #require(try MotionStore.open(reading: disk.file)).contents()
    #expect(contents.batches == 80 && contents.epochs == 80)
    #expect(try writer.store.database.withLock { try $0.row("PRAGMA integrity_check") { try $0.text(0) } } == "ok")
  }

  @Test(.enabled(if: SmallDisk.isAllowed, "only root may make a file system of 700 kB"))
  func aDiskThatIsFullFromTheFirstSecondIsSaid() throws {
    let disk = try SmallDisk(kilobytes: 700)
    _ = try disk.fill()
    let said = Lock<[String]>([])
    let error = #expect(throws: SensorError.self) { _ = try open(disk.file, said) }
    #expect(error?.code == .diskFull)
    // Nothing that it left is in the way.
    unlink(disk.path + "/fill")
    write(0..<3, try open(disk.file, said))
    #expect(try MotionStore.open(reading: disk.file)?.contents().batches == 3)
  }

  /// The same where no file system can be made: the number of pages stands for the room.
  @Test func onAFullDiskTheJournalGivesItsRoomBack() throws {
    let folder = StoreFolder()
    let said = Lock<[String]>([])
    let writer = try open(folder.file, said)
    write(0..<3, writer)
    func journal() throws -> Int { try Data(contentsOf: URL(fileURLWithPath: folder.file + "-wal")).count }
    #expect(try journal() > 0)
    try writer.store.database.withLock { try $0.execute("PRAGMA max_page_count = 1") }
    write(3..<60, writer)
    #expect(try writer.problem?.code == .diskFull && journal() == 0)
    let waiting = writer.unwritten
    #expect(waiting.batches > 40 && waiting.spans == waiting.batches && writer.lost.isEmpty)
    // Without a new row.
    try writer.store.database.withLock { try $0.execute("PRAGMA max_page_count = 1000000") }
    #expect(isWritten(writer) && writer.problem == nil)
    #expect(try MotionStore.open(reading: folder.file)?.contents().batches == 60)
  }
}
