// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
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

/// An edited store: any value of any type in any column of any table. Every question, and every write,
/// is answered or is an error in a sentence; a trap would end the process, and with it this test.
@Suite struct EditedStoreTests {
  private static let rounds = 60
  private static let end = ProcessInfo.processInfo.environment["OPENCOREMOTION_FUZZ_SECONDS"].flatMap { Double($0) }

  private static let columns: [(table: String, columns: [String])] = [
    ("meta", ["schema_version"]), ("boot", ["id", "uuid", "wall_at_boot", "asleep"]), ("source", ["id", "address"]),
    ("batch", ["id", "boot", "source", "t0", "t1", "n", "scale", "clipped", "spacing", "data"]),
    (
      "step_epoch", ["boot", "t1", "span", "steps", "mm", "floors_up", "floors_down", "active", "source"]
    ),
    ("step_hour", ["boot", "hour", "epochs", "steps", "mm", "floors_up", "floors_down", "active"]),
    ("activity", ["boot", "t", "flags", "confidence", "source"]), ("step_length", ["modelled", "measured"]),
    ("sqlite_sequence", ["seq"]),
  ]
  private static let values = [
    "9223372036854775807", "-9223372036854775808", "-9223372036854775807", "10000000000000000", "-10000000000000000",
    "9999999999999999", "1000000000", "1000000001", "-1", "0", "1", "255", "256", "1e300", "-1e300", "9.3e18", "9e999",
    "-9e999", "0.5", "1e-320", "NULL", "'many'", "''", "'9223372036854775807'", "x''", "x'00ff'", "zeroblob(3000)",
    "randomblob(6000)", "c + 1", "c - 1", "-c", "c * 1000", "c || ''",
  ]
  private static let dates: [Date] = [
    .distantPast, day - 86_400, day, day + 0.5, day + 11, day + 3600, day + 86_400, .distantFuture,
    Date(timeIntervalSince1970: 1e300), Date(timeIntervalSince1970: -.infinity), Date(timeIntervalSince1970: .nan),
  ]

  @Test func everyQuestionIsAnswered() throws {
    let folder = StoreFolder()
    do {
      let store = try folder.writer()
      let rows = rows(
        steps: [(0, 2, 3), (10, 12, 3), (3590, 3601, 9), (9000, 9002, 3)],
        activities: [(0, 4), (100, 8), (200, 4), (9000, 1)], batches: batches(from: 0, seconds: 30))
      try store.write(rows, line: line)
      try store.write(rows, line: TimeLine(clock: "boot-2", origin: line.origin + 20_000_000_000, asleep: 5_000_000))
      try store.database.withLock {
        try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        $0.close()
      }
    }
    let sound = try Data(contentsOf: URL(filePath: folder.file))
    let start = ContinuousClock.now
    var random = SeededRandom(seed: 2026)
    var (round, answers, refusals, damaged) = (0, 0, 0, 0)
    while Self.end.map({ ContinuousClock.now < start + .seconds($0) }) ?? (round < Self.rounds) {
      round += 1
      let copy = folder.path + "/edited.sqlite"
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) }
      try sound.write(to: URL(filePath: copy))
      edit(copy, &random)
      do {
        guard let store = try MotionStore.open(reading: copy) else { continue }
        question(store, &random, &answers, &refusals)
        damaged += store.damagedRows
      } catch { refusals += said(error) }
      do {
        let store = try MotionStore.open(writing: copy, as: folder.holder()).store
        answers += try store.prune(at: Self.dates[3]).batches
        try store.endOpenActivity(source: "iio:")
        try store.write(rows(steps: [(30, 32, 4)], activities: [(40, 2)]), line: line)
        question(store, &random, &answers, &refusals)
      } catch { refusals += said(error) }
      for suffix in [".damaged", ".damaged-2"] { try? FileManager.default.removeItem(atPath: copy + suffix) }
    }
    #expect(answers > 10 * round && damaged > 0 && refusals > 0)
  }

  /// One to four values of the file.
  private func edit(_ path: String, _ random: inout SeededRandom) {
    guard let database = try? Database(path) else { return }
    for _ in 0...random.below(4) {
      let (table, columns) = Self.columns[random.below(Self.columns.count)]
      let column = columns[random.below(columns.count)]
      let value = Self.values[random.below(Self.values.count)].replacing("c ", with: "\(column) ")
        .replacing("-c", with: "-\(column)")
      // One row, some or all; what SQLite does not let through (a key that is there already) is no damage.
      let rows = ["", "WHERE rowid = 2", "WHERE \(column) > 1"][random.below(3)]
      try? database.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
      try? database.execute("UPDATE OR IGNORE \(table) SET \(column) = \(value) \(rows)")
    }
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func question(_ store: MotionStore, _ random: inout SeededRandom, _ answers: inout Int, _ refusals: inout Int)
  {
    let (start, end) = (Self.dates[random.below(Self.dates.count)], Self.dates[random.below(Self.dates.count)])
    let questions: [() throws -> Void] = [
      { _ = try store.contents() }, { _ = try store.sources() },
      { _ = try store.lastIdentifier() }, { _ = try store.lastInstant(ofClock: "boot-1") },
      { try count(store, start, end) },
      { try count(store, .distantPast, .distantFuture) },
      { try count(store, day, day + 11) },
      { _ = try store.activities(from: start, to: end) },
      { _ = try store.activities(from: .distantPast, to: .distantFuture) },
      { for sample in try store.accelerometer(from: start, to: end) { #expect(!sample.specificForce.x.isNaN) } },
      { for sample in try store.accelerometer(from: .distantPast, to: .distantFuture) { _ = sample.date } },
    ]
    for question in questions {
      do {
        try question()
        answers += 1
      } catch { refusals += said(error) }
    }
  }

  private func count(_ store: MotionStore, _ start: Date, _ end: Date) throws {
    let totals = try store.steps(from: start, to: end)
    #expect(totals.steps >= 0 && totals.distance >= 0 && totals.activeTime >= 0)
  }

  /// An error is a sentence.
  private func said(_ error: any Error) -> Int {
    #expect((error as? SensorError)?.message.hasSuffix(".") == true, "\(error)")
    return 1
  }
}
