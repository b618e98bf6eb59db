// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionSensing
import MotionServices
import Testing

@testable import MotionHistory

/// A writer that is killed at any moment loses no more than ten seconds, and never the file.
@Suite struct KillTests {
  /// Beside the running test executable; nil where it is not built (OPENCOREMOTION_DEVELOP=1 builds it).
  private static let program: String? = {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let path = folder.appendingPathComponent("history-writer").path
    return access(path, X_OK) == 0 ? path : nil
  }()

  @Test(.enabled(if: program != nil, "history-writer is not built: OPENCOREMOTION_DEVELOP=1 builds it"))
  func aKilledWriterLosesAtMostTenSeconds() throws {
    let program = try #require(Self.program)
    var random = SystemRandomNumberGenerator()
    let folder = StoreFolder()
    var start: Int64 = 0
    var written: Int64 = 0
    for _ in 0..<20 {
      let progressFile = folder.path + "/progress"
      try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
      try Data(count: 8).write(to: URL(fileURLWithPath: progressFile))
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = [folder.file, progressFile, "\(start)"]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      // From before the file is open until some hundred batches later.
      let moment = start + Int64.random(in: 0...1_000, using: &random) * 1_000_000
      try waitUntil { try !process.isRunning || progress(progressFile) >= moment }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let said = try output.fileHandleForReading.readToEnd() ?? Data()
      #expect(said.isEmpty, "\(String(decoding: said, as: UTF8.self))")
      let reached = try progress(progressFile)
      guard reached > start else { continue }
      try check(folder, from: start, to: reached)
      written += reached - start
      // The next one goes on a minute later.
      start = reached + 60_000_000
    }
    // The kills hit writers at work.
    #expect(written > 10_000_000)
  }

  /// The first instant of a recorder: the file has a page that says whose it is, and a journal by which that is undone.
  /// The next reader says that nothing is recorded, as if there were no file, and the next recorder begins in it.
  @Test func aRecorderThatWasKilledInItsFirstInstantHasRecordedNothing() throws {
    let folder = StoreFolder()
    try interrupt(folder, "PRAGMA application_id = \(StoreFile.applicationID)")
    #expect(try folder.reader() == nil)
    #expect(try folder.writer().read { database throws(SensorError) in try HistorySchema.version(database) } == 2)
  }

  /// A store that was copied by hand may keep its journal of another kind until its next recorder changes that.
  @Test func whatAKilledRecorderHadNotChangedIsRead() throws {
    let folder = StoreFolder()
    try folder.writer().write(rows(steps: [(0, 2, 7)]), line: line)
    try Database(folder.file).execute("PRAGMA journal_mode = DELETE")
    try interrupt(folder, "UPDATE step_epoch SET steps = 9")
    #expect(try #require(try folder.reader()).steps(from: day, to: day + 10).steps == 7)
  }

  /// Leaves the file and its journal as a kill does between the end of a change and that of its journal.
  private func interrupt(_ folder: StoreFolder, _ change: String) throws {
    let (manager, kept) = (FileManager.default, folder.path + "/journal")
    try manager.createDirectory(
      atPath: (folder.file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    let database = try Database(folder.file)
    // The journal is complete when more pages are changed than the cache has room for.
    try database.execute(
      """
      PRAGMA cache_size = 2; BEGIN; \(change); CREATE TABLE IF NOT EXISTS filler(bytes);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 64)
        INSERT INTO filler SELECT zeroblob(4096) FROM n
      """)
    try manager.copyItem(atPath: folder.file + "-journal", toPath: kept)
    try database.execute("COMMIT")
    database.close()
    try manager.moveItem(atPath: kept, toPath: folder.file + "-journal")
  }

  /// The time that a writer has come to, microseconds.
  private func progress(_ file: String) throws -> Int64 {
    try Data(contentsOf: URL(fileURLWithPath: file)).withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
  }

  private func check(_ folder: StoreFolder, from start: Int64, to reached: Int64) throws {
    let lost: Int64 = 10_000_000
    guard let store = try folder.reader() else {
      #expect(reached - start < lost)
      return
    }
    #expect(try store.database.withLock { try $0.row("PRAGMA integrity_check") { try $0.text(0) } } == "ok")
    let origin = Date(timeIntervalSince1970: 1_790_000_000)
    let (first, last) = (origin + Double(start) / 1e6, origin + Double(reached) / 1e6)
    let times = try store.accelerometer(from: first, to: last).map(\.instant.microseconds)
    #expect(
      (times.last ?? start) >= reached - lost && times.count == times.last.map { Int(($0 - start) / 20_000) + 1 } ?? 0)
    #expect(times.first ?? start == start)
    // Steps are written as soon as they are known: at most the span that was under way is missing.
    let steps = try store.steps(from: first, to: last).steps
    let spans = Int((reached - start) / 2_560_000)
    #expect(steps == 5 * spans || steps == 5 * (spans - 1), "\(steps) steps of \(spans) spans")
  }
}
