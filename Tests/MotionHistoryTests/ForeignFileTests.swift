// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionSensing
import Testing

@testable import MotionHistory

/// What is not a history of ours is refused, for writing and for reading, and stays as it is.
@Suite struct ForeignFileTests {
  enum Kind: String, CaseIterable {
    case text, sql, binary, directory, pipe, device, link, linkToDatabase, archive
    case database, numberedDatabase, databaseInUse, tableless, damagedHeader, cutHeader, databaseWithAHistory
  }

  private let folder = StoreFolder()
  private var state: String { (folder.file as NSString).deletingLastPathComponent }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/state", withIntermediateDirectories: true)
  }

  /// A sound store in the place, closed.
  private func makeStore() throws {
    try folder.writer().write(rows(steps: [(0, 2, 3)], batches: batches(from: 0, seconds: 10)), line: line)
  }

  /// Puts something into the place; what is returned lives as long as it is in use.
  private func make(_ kind: Kind) throws -> Database? {
    let (url, other) = (URL(fileURLWithPath: folder.file), folder.path + "/other")
    switch kind {
    case .text: try Data("dear diary\n".utf8).write(to: url)
    case .sql: try Data(HistorySchema.migrations.joined().utf8).write(to: url)
    case .binary: try Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 * 7919) }).write(to: url)
    case .directory: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    case .pipe: mkfifo(folder.file, 0o600)
    case .device: symlink("/dev/null", folder.file)
    case .link:
      try Data("dear diary\n".utf8).write(to: URL(fileURLWithPath: other))
      symlink(other, folder.file)
    case .linkToDatabase:
      try Database(other).execute("CREATE TABLE notes(a)")
      symlink("../other", folder.file)
    case .archive:
      // As tar puts a file after its header.
      try makeStore()
      try (Data("history.sqlite".utf8) + Data(count: 498) + Data(contentsOf: url)).write(to: url)
    case .database: try Database(folder.file).execute("CREATE TABLE meta(schema_version INTEGER NOT NULL)")
    case .numberedDatabase: try Database(folder.file).execute("PRAGMA application_id = 7; CREATE TABLE notes(a)")
    case .databaseInUse:
      let database = try Database(folder.file)
      try database.execute("PRAGMA journal_mode = WAL; CREATE TABLE notes(a); INSERT INTO notes VALUES (1)")
      return database
    case .tableless: try Database(folder.file).execute("VACUUM")
    case .damagedHeader, .cutHeader:
      try Database(folder.file).execute("CREATE TABLE notes(a)")
      let bytes = try Data(contentsOf: url)
      try (kind == .cutHeader ? bytes.prefix(60) : Data([0xFF, 0xFF, 0xFF]) + bytes.dropFirst(3)).write(to: url)
    case .databaseWithAHistory:
      // Up to 2026-12 a recorder put its tables there.
      try makeStore()
      try Database(folder.file).execute(
        "PRAGMA application_id = 0; CREATE TABLE notes(a); PRAGMA journal_mode = DELETE")
    }
    return nil
  }

  /// The names of everything in the folder, with rights and bytes; the shared memory of a database in use is not its
  /// content.
  private func snapshot() throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let path = folder.path + "/" + name
      let values = try FileManager.default.attributesOfItem(atPath: path)
      let isFile = values[.type] as? FileAttributeType == .typeRegular && !name.hasSuffix("-shm")
      let bytes = isFile ? FileManager.default.contents(atPath: path)?.base64EncodedString() ?? "" : ""
      found[name] = ["\(values[.posixPermissions] ?? "")", "\(values[.modificationDate] ?? "")", bytes]
    }
    return found
  }

  private func expectRefusal(_ what: Comment? = nil, _ open: () throws -> Void) {
    let error = #expect(throws: SensorError.self, what) { try open() }
    #expect(error?.code == .foreignFile && error?.message.contains("It is left as it is") == true, what)
    #expect(error?.message.contains("--store or MOTION_STORE") == true && error?.place?.file != nil, what)
  }

  @Test(arguments: Kind.allCases) func whatIsNotOursIsRefusedAndStaysAsItIs(_ kind: Kind) throws {
    let inUse = try make(kind)
    let before = try snapshot()
    expectRefusal { _ = try folder.writer() }
    expectRefusal { _ = try folder.reader() }
    expectRefusal { try MotionStore.checkPlace(folder.file) }
    #expect(try snapshot() == before)
    withExtendedLifetime(inUse) {}
  }

  @Test(.enabled(if: geteuid() != 0, "root may read every file")) func aFileThatCannotBeReadIsRefused() throws {
    _ = try make(.text)
    chmod(folder.file, 0)
    let before = try snapshot()
    for open in [{ _ = try folder.writer() }, { _ = try folder.reader() }] as [() throws -> Void] {
      let error = #expect(throws: SensorError.self) { try open() }
      #expect(error?.code == .notPermitted && error?.message.contains("Permission denied") == true)
    }
    #expect(try snapshot() == before)
  }

  /// SQLite would throw them away, and a writer would write into the lock.
  @Test(arguments: ["-journal", "-wal", "-shm", ".lock"]) func aNeighbourWithANameThatIsNeededIsRefused(_ end: String)
    throws
  {
    try Data("dear diary\n".utf8).write(to: URL(fileURLWithPath: folder.file + end))
    let before = try snapshot()
    expectRefusal { _ = try folder.writer() }
    #expect(try snapshot() == before)
  }

  @Test func aFileOfNoBytesBecomesAStore() throws {
    try Data().write(to: URL(fileURLWithPath: folder.file))
    #expect(try folder.reader() == nil)
    try makeStore()
    #expect(try folder.reader()?.steps(from: day, to: day + 10).steps == 3)
  }

  @Test func aStoreSaysThatItIsOurs() throws {
    let store = try folder.writer()
    let number = try Data(contentsOf: URL(fileURLWithPath: folder.file))[68..<72]
    #expect(String(decoding: number, as: UTF8.self) == "OCMH")
    let vacuum = try store.read { database throws(SensorError) in
      try database.row("PRAGMA auto_vacuum") { try $0.integer(0, in: 0...2) }
    }
    #expect(vacuum == 2)
  }

  @Test(arguments: [false, true]) func aStoreFromBeforeIsReadAsItIsAndGetsTheNumberFromItsNextWriter(
    isKilled: Bool
  ) throws {
    try makeStore()
    try Database(folder.file).execute("PRAGMA application_id = 0; PRAGMA wal_checkpoint(TRUNCATE)")
    let copy = StoreFolder()
    var old: Database?
    if isKilled {
      // Its tables are in the journal alone, as after a kill in its first minute.
      try FileManager.default.createDirectory(atPath: copy.path + "/state", withIntermediateDirectories: true)
      old = try Database(copy.file)
      try old?.execute("PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; \(HistorySchema.migrations.joined())")
      try old?.execute(
        "INSERT INTO boot VALUES (1, 'boot-1', \(line.origin), 0); INSERT INTO source VALUES (1, 'iio:')")
      try old?.execute("INSERT INTO step_epoch VALUES (1, 2000000, 2000000, 3, 2100, NULL, NULL, 2000, 1)")
      for end in ["", "-wal"] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: copy.file + end))
        try bytes.write(to: URL(fileURLWithPath: folder.file + end))
      }
      try #require(Data(contentsOf: URL(fileURLWithPath: folder.file)).range(of: Data("step_epoch".utf8)) == nil)
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.file))
    #expect(try folder.reader()?.steps(from: day, to: day + 10).steps == 3)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file)) == before)
    #expect(try folder.writer().steps(from: day, to: day + 10).steps == 3)
    let number = try Database(folder.file).row("PRAGMA application_id") { try $0.integer(0, in: .min ... .max) }
    #expect(number == StoreFile.applicationID)
    withExtendedLifetime(old) {}
  }

  @Test func aStoreHasOneLockUnderAllItsNames() throws {
    let link = folder.path + "/link"
    symlink("state/history.sqlite", link)
    // The file that a link leads to need not be there yet.
    let (store, _) = try MotionStore.open(writing: link, as: folder.holder())
    try store.write(rows(steps: [(0, 2, 3)]), line: line)
    #expect(try folder.reader()?.steps(from: day, to: day + 10).steps == 3)
    #expect(throws: SensorError.self) { _ = try folder.writer() }
    #expect(WriterLock.holder(ofStore: folder.file)?.pid == getpid())
    #expect(WriterLock.holder(ofStore: link)?.pid == getpid())
  }
}
