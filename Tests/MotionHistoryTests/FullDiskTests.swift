// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionSensing
import Testing

@testable import MotionHistory

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
