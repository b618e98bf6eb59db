// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The files that make up one recording: a folder's, a zip's, or a single one.
///
/// A file whose bytes begin with the gzip signature is inflated on the way, whatever its name.
struct RecordingFiles: Sendable {
  enum Kind: Sendable { case file, folder, zip }

  /// One file.
  struct Member: Sendable, Hashable {
    fileprivate enum Location: Sendable, Hashable {
      case path(String)
      case entry(ZipArchive.Entry)
    }

    /// As stored, with the folder inside a zip: "walk/Accelerometer.csv", "acce.txt.gz".
    fileprivate(set) var name: String
    /// For messages: the path of the recording and the name.
    let place: String
    fileprivate let location: Location

    /// The folder inside a zip, "" at the top.
    var folder: String { name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "" }

    /// The file's own name without ".gz": what formats are known by.
    var plainName: String {
      let own = name.lastIndex(of: "/").map { name[name.index(after: $0)...] } ?? name[...]
      return String(own.hasSuffix(".gz") ? own.dropLast(3) : own)
    }

    /// An error in it.
    func error(_ code: SensorError.Code, _ message: String, line: Int? = nil, column: String? = nil) -> SensorError {
      SensorError(code, message, at: .init(file: place, line: line, column: column))
    }

    /// Bytes as stored, and whether they can be read from any place (a plain file whose tail is cheap to reach).
    fileprivate(set) var storedSize: Int64 = 0
    fileprivate(set) var isSeekable = false
    /// Begins as gzip does; nil = not looked at yet.
    fileprivate var isGzip: Bool?

    fileprivate func inside(_ folder: String) -> Member {
      var member = self
      member.name = "\(folder)/\(name)"
      return member
    }
  }

  let path: String
  let kind: Kind
  /// Sorted by name.
  private(set) var members: [Member]
  private let archive: ZipArchive?
  /// What is there and cannot be read as a file, and what stands behind a zip: sentences.
  private(set) var oddities: [String] = []
  /// Of what all readers of these files keep.
  let budget: Budget

  /// Lists what is at `path`.
  init(path: String) throws(SensorError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw SensorError(opening: path, errno: errno) }
    self.path = path
    let members: [Member]
    if status.st_mode & S_IFMT == S_IFDIR {
      (kind, archive) = (.folder, nil)
      members = try Self.list(path, oddities: &oddities)
    } else if try FileBytes(path: path).bytes(limit: 4) == [0x50, 0x4B, 0x03, 0x04] {
      let archive = try ZipArchive(path: path)
      (kind, self.archive) = (.zip, archive)
      if let (start, count) = archive.trailing {
        oddities.append(
          "Behind the end of the zip stand \(count) further bytes, from byte \(start) on: they are not read.")
      }
      if Set(archive.entries.map(\.name)).count < archive.entries.count {
        oddities.append("Several files of the zip have the same name: one of them is read.")
      }
      if archive.unnamed > 0 {
        oddities.append("\(archive.unnamed) bytes of the zip belong to no file that its directory names.")
      }
      for entry in archive.entries where !entry.isFile && oddities.count < Self.mostOddities {
        oddities.append(
          "\(entry.name.debugDescription) in the zip is a link, a device or a folder, not a file: it is not read.")
      }
      members = archive.entries.filter { $0.isFile && !$0.name.hasPrefix("__MACOSX/") }.map {
        var member = Member(name: $0.name, place: "\(path)/\($0.name)", location: .entry($0))
        member.storedSize = $0.compressedSize
        return member
      }
    } else {
      (kind, archive) = (.file, nil)
      members = [try Self.file(path, name: Self.lastComponent(path))]
    }
    self.members = members.sorted { $0.name < $1.name }
    budget = Budget(
      input: kind == .zip
        ? Int64(status.st_size)
        : members.reduce(0) { $0.addingReportingOverflow($1.storedSize).partialValue })
  }

  /// The recording's own name: the last part of its path.
  var name: String { Self.lastComponent(path) }

  /// The member known by `plainName`; one that is not compressed wins over its ".gz" twin.
  func member(_ plainName: String) -> Member? {
    let found = members.filter { $0.plainName == plainName }
    return found.first { $0.name.hasSuffix(plainName) } ?? found.first
  }

  /// The parts of a zip that lie in its folders, by the folders' names.
  var byFolder: [RecordingFiles] {
    let folders = Dictionary(grouping: members, by: \.folder)
    return folders.keys.sorted().map { folder in
      var part = self
      part.members = folders[folder] ?? []
      return part
    }
  }

  /// The file beside a single one, if it exists.
  func neighbour(_ name: String) -> Member? {
    guard kind == .file else { return nil }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return try? Self.file(folder + name, name: name)
  }

  /// The bytes of a member, inflated when they begin as gzip does; of a zip, an error at the end where its checksum is
  /// wrong.
  func open(_ member: Member) throws(SensorError) -> any ByteSource {
    var isGzip = member.isGzip ?? false
    if member.isGzip == nil { isGzip = try openStored(member).bytes(limit: 2) == Self.gzipSignature }
    var stored = try openStored(member)
    if case .entry(let entry) = member.location {
      stored = CheckedBytes(stored, expected: entry.checksum, name: member.place)
    }
    if !isGzip { return stored }
    return try InflatedBytes(stored, name: member.place)
  }

  /// The last `length` bytes of a plain, uncompressed file and whether they begin within it; nil for others.
  func openTail(_ member: Member, length: Int64) throws(SensorError) -> (bytes: any ByteSource, isCut: Bool)? {
    guard case .path(let path) = member.location, member.isSeekable else { return nil }
    let start = max(0, member.storedSize - length)
    return (try FileBytes(path: path, range: start..<Int64.max), start > 0)
  }

  private static let gzipSignature: [UInt8] = [0x1F, 0x8B]

  private func openStored(_ member: Member) throws(SensorError) -> any ByteSource {
    switch member.location {
    case .path(let path): return try FileBytes(path: path)
    case .entry(let entry):
      guard let archive else { throw SensorError(opening: member.place, errno: ENOENT) }
      return try archive.open(entry)
    }
  }

  private static func file(_ path: String, name: String) throws(SensorError) -> Member {
    let bytes = try FileBytes(path: path)
    var member = Member(name: name, place: path, location: .path(path))
    member.storedSize = bytes.fileSize
    let isGzip = try bytes.bytes(limit: 2) == gzipSignature
    (member.isGzip, member.isSeekable) = (isGzip, !isGzip)
    return member
  }

  /// Sentences about single files that are kept.
  private static let mostOddities = 64

  private static func list(
    _ path: String, isInner: Bool = false, oddities: inout [String]
  ) throws(SensorError) -> [Member] {
    guard let names = names(in: path) else { throw SensorError(opening: path, errno: errno) }
    var members: [Member] = []
    for name in names {
      let place = "\(path)/\(name)"
      do throws(SensorError) {
        members.append(try file(place, name: name))
      } catch  where error.code == .notPermitted {
        // Kept, so that reading it says so.
        members.append(Member(name: name, place: place, location: .path(place)))
      } catch  where name == "meta" && !isInner && error.code == .unsupported {
        // phyphox puts its description there.
        members += ((try? list(place, isInner: true, oddities: &oddities)) ?? []).map { $0.inside(name) }
      } catch {
        // A folder is no part of the recording, unless it has the name of a file. A link to nothing is not found.
        let isExpected = isFolder(place) && !hasEnding(name)
        guard oddities.count < mostOddities, !isExpected else { continue }
        oddities.append("\(name.debugDescription) is no file that can be read: \(error.message)")
      }
    }
    return members
  }

  /// "Gyroscope.csv", but not "2024.11.26".
  private static func hasEnding(_ name: String) -> Bool {
    guard let point = name.lastIndex(of: ".") else { return false }
    let ending = name[name.index(after: point)...]
    return (1...5).contains(ending.utf8.count) && ending.allSatisfy(\.isLetter)
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names of the folders in a folder, hidden ones left out: for messages.
  var innerFolders: [String] {
    kind == .folder ? (Self.names(in: path) ?? []).filter { Self.isFolder("\(path)/\($0)") } : []
  }

  /// The names in a folder, in order, hidden ones left out; nil where it cannot be opened.
  private static func names(in path: String) -> [String]? {
    guard let directory = opendir(path) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory), names.count < InputLimits.entries {
      // unsafe: a C array, which Swift has as a tuple.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

extension RecordingFiles {
  /// The first `limit` bytes of a member as text.
  func beginning(of member: Member, limit: Int) throws(SensorError) -> String {
    String(decoding: try open(member).bytes(limit: limit), as: UTF8.self)
  }

  /// An error about all of them.
  func error(_ code: SensorError.Code, _ message: String) -> SensorError {
    SensorError(code, message, at: .init(file: path))
  }

  /// The one file of a recording that is a single file.
  func only() throws(SensorError) -> Member {
    if let member = members.first { return member }
    throw error(.notFound, "There is no file to read.")
  }

  /// The names of the columns in a member's first line.
  func header(of member: Member) throws(SensorError) -> TableHeader {
    try TableHeader(firstLine(of: member), file: member.place)
  }

  /// The first lines of a member as text, at most 64 KiB of them; the last may be cut off.
  func firstLines(of member: Member, count: Int) throws(SensorError) -> [Substring] {
    var text = try beginning(of: member, limit: 64 << 10)[...]
    if text.first == "\u{FEFF}" { text = text.dropFirst() }
    return text.split(maxSplits: count, omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.prefix(count)
      .filter { !$0.isEmpty }
  }

  /// The bytes of a member's first line without its end and without a byte-order mark; at most 64 KiB.
  func firstLine(of member: Member) throws(SensorError) -> ArraySlice<UInt8> {
    var line = try open(member).bytes(limit: 64 << 10).prefix { $0 != 0x0A }
    if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    while line.last == 0x0D { line = line.dropLast() }
    return line
  }
}
