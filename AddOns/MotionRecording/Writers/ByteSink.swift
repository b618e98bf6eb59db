// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing
import Synchronization

/// The destination of a writer's bytes: a file, a pipe, memory.
public protocol ByteSink: AnyObject {
  /// Takes all the bytes, or throws; they may be held back until ``flush()``.
  func write(_ bytes: Span<UInt8>) throws(SensorError)
  /// Hands over to the kernel what was held back: from here on it survives the end of the process.
  func flush() throws(SensorError)
  /// Flushes and closes. Nothing may be written afterwards.
  func finish() throws(SensorError)
}

extension ByteSink {
  public func flush() throws(SensorError) {}

  /// The bytes of an array.
  public func write(_ bytes: [UInt8]) throws(SensorError) {
    try write(bytes.span)
  }

  /// The bytes of a text.
  package func write(_ text: JSONText) throws(SensorError) { try write(text.bytes) }
}

/// A file for writing, or an open descriptor such as standard output.
///
/// Small writes are buffered; ``flush()`` passes them to the kernel, which writes them to the disk even when the
/// process is killed, and once a second has the kernel write them to the disk now, so that they also survive a power
/// cut.
///
/// A file has one writer at a time: it is locked, and a second one is refused before anything is changed. When the file
/// is deleted while it is written, the next ``flush()`` throws; when it was moved or replaced, ``finish()`` does.
public final class FileByteSink: ByteSink {
  /// Bytes accepted so far, including buffered ones.
  public private(set) var count: Int64 = 0
  /// For messages.
  public let name: String
  private static let heldBytes = 64 << 10
  private var descriptor: Int32
  private let closes: Bool
  private var held: [UInt8] = []
  private var written: Int64 = 0
  /// The file that the path was made for; nil for a pipe, a device or a descriptor.
  package private(set) var identity: FileIdentity?
  /// Counts the accepted bytes, too.
  package var counter: ByteCounter?
  /// How often, at most, a flush goes as far as the disk.
  private static let syncInterval = SensorDuration.seconds(1)
  /// When that was last done; nil = not yet, and the file may not even have a name on the disk.
  private var synced: SensorInstant?
  /// Bytes that have reached the disk.
  private var syncedBytes: Int64 = -1

  /// Creates the file at `path`, for its owner alone (mode 0600), and locks it. An existing file is an error unless
  /// `overwrites`; then it is truncated, and keeps its mode. A file that another writer has locked is an error (`busy`).
  public init(path: String, overwrites: Bool = false) throws(SensorError) {
    // Not truncated yet: it may be another writer's.
    descriptor = MotionSensing.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | (overwrites ? 0 : O_EXCL), 0o600)
    name = path
    closes = true
    guard descriptor >= 0 else { throw Self.failure(opening: path, errno: errno) }
    identity = FileIdentity(descriptor: descriptor)
    held.reserveCapacity(Self.heldBytes)
    guard let identity else { return }
    guard FileLock.lock(descriptor), FileIdentity(path: path) == identity else {
      throw SensorError(
        .busy, "Another program writes this file now, and it was not changed: end that one, or give another name.",
        at: .init(file: path))
    }
    guard ftruncate(descriptor, 0) == 0 else { throw failure(errno) }
  }

  /// An open descriptor; `closes`: whether ``finish()`` closes it. `name` is for messages.
  public init(descriptor: Int32, name: String, closes: Bool = false) {
    (self.descriptor, self.name, self.closes) = (descriptor, name, closes)
    held.reserveCapacity(Self.heldBytes)
  }

  deinit { if closes, descriptor >= 0 { close(descriptor) } }

  public func write(_ bytes: Span<UInt8>) throws(SensorError) {
    count += Int64(bytes.count)
    counter?.add(bytes.count)
    if held.count + bytes.count <= Self.heldBytes {
      held.append(bytes)
    } else {
      try writeHeld()
      if bytes.count < Self.heldBytes { held.append(bytes) } else { try writeOut(bytes) }
    }
  }

  public func flush() throws(SensorError) {
    try writeHeld()
    guard identity != nil, descriptor >= 0 else { return }
    try checkExistence()
    // A tenth of slack: a program that flushes once a second is not exact to the microsecond.
    guard syncedBytes != written else { return }
    let now = MonotonicClock().now
    if synced.map({ (now - $0).nanoseconds >= Self.syncInterval.nanoseconds / 10 * 9 }) ?? true {
      try sync(whole: synced == nil)
      synced = now
    }
  }

  /// Writes the file to the disk; `whole`: with its name.
  private func sync(whole: Bool) throws(SensorError) {
    let code = FileSync.sync(descriptor, whole: whole)
    guard code == 0 else { throw failure(code) }
    if whole { FileSync.syncFolder(of: name) }
    syncedBytes = written
  }

  /// A file without a name is gone when it is closed.
  private func checkExistence() throws(SensorError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_nlink == 0 else { return }
    throw SensorError(
      .system, "The file was deleted or replaced while it was written: what was in it is lost.", at: .init(file: name))
  }

  /// The last look at the name: a file that was moved is whole, but not where it was asked for.
  private func checkPlace() throws(SensorError) {
    guard let identity else { return }
    try checkExistence()
    guard FileIdentity(path: name) != identity else { return }
    throw SensorError(
      .system, "The file was moved or deleted while it was written: if it was moved, it is whole where it is now.",
      at: .init(file: name))
  }

  private func writeHeld() throws(SensorError) {
    guard !held.isEmpty else { return }
    // Emptied also when writing fails: the next attempt must not write the same bytes twice.
    defer { held.removeAll(keepingCapacity: true) }
    try writeOut(held.span)
  }

  public func finish() throws(SensorError) {
    guard descriptor >= 0 else { return }
    defer { descriptor = -1 }
    do throws(SensorError) {
      try writeHeld()
      if identity != nil { try sync(whole: true) }
      try checkPlace()
    } catch {
      if closes { close(descriptor) }
      throw error
    }
    if closes, close(descriptor) != 0, errno != EINTR { throw failure(errno) }
  }

  private func writeOut(_ bytes: Span<UInt8>) throws(SensorError) {
    guard descriptor >= 0 else {
      throw SensorError(
        .invalidRequest, "The file is already closed; nothing more can be written.", at: .init(file: name))
    }
    let (count, code) = FileWriting.write(bytes, to: descriptor)
    written += Int64(count)
    guard code == 0 else { throw failure(code) }
  }

  private func failure(_ code: Int32) -> SensorError {
    let place = SensorError.Place(file: name, byte: Int(written))
    switch code {
    case ENOSPC, EDQUOT:
      return SensorError(
        .system, "There is no space left after \(written) bytes; free some space, or write elsewhere.", at: place,
        errno: code)
    case EFBIG:
      return SensorError(
        .system, "The file size limit is \(written) bytes; raise the limit, or write smaller files.", at: place,
        errno: code)
    case EPIPE:
      return SensorError(
        .disconnected, "The reader closed it after \(written) bytes.", at: place, errno: code)
    default:
      return SensorError(.system, "Writing failed after \(written) bytes.", at: place, errno: code)
    }
  }

  private static func failure(opening path: String, errno code: Int32) -> SensorError {
    let place = SensorError.Place(file: path)
    switch code {
    case EEXIST:
      return SensorError(
        .invalidRequest, "The file exists and was not changed; give another name, or --force.", at: place)
    case ENOENT, ENOTDIR: return SensorError(.notFound, "Its folder does not exist.", at: place, errno: code)
    case EACCES, EPERM, EROFS:
      return SensorError(
        .notPermitted, "Writing here is not permitted; check the folder's owner and mode.", at: place, errno: code)
    default: return SensorError(.system, "The file could not be created.", at: place, errno: code)
    }
  }
}

/// The bytes of the files of a recording; any thread can read their number.
package final class ByteCounter: Sendable {
  private let bytes = Atomic<Int64>(0)

  /// A counter at zero.
  package init() {}

  /// Bytes so far.
  package var count: Int64 { bytes.load(ordering: .relaxed) }
  fileprivate func add(_ count: Int) { bytes.add(Int64(count), ordering: .relaxed) }
}

/// Which file something is, whatever its name: a regular file's device and inode.
///
/// A name can lead to another file while the first one is still open: someone has removed it, moved it, or put another
/// in its place.
package struct FileIdentity: Sendable, Hashable {
  private let device: dev_t
  private let inode: ino_t

  /// Of an open file; nil for a pipe, a device or a folder.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Of the file that a path leads to, through links as well.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  private init?(_ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    (device, inode) = (status.st_dev, status.st_ino)
  }

  /// Removes a path if it still leads to this file: what has come there since belongs to another program.
  package func remove(_ path: String) { if Self(path: path) == self { unlink(path) } }
}

/// The lock of a file that is being written: it is the system's (flock(2)) and ends with the program, however that
/// ends.
package enum FileLock {
  /// Locks an open file; false when another program, or another writer of this one, has it locked. A file system
  /// without locks never says so.
  package static func lock(_ descriptor: Int32) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno != EINTR { return errno != EWOULDBLOCK }
    }
    return true
  }

  /// Whether someone writes the file at a path now; false where that cannot be known.
  package static func isLocked(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return !lock(descriptor)
  }
}

/// Hands bytes over to the kernel.
package enum FileWriting {
  /// Writes all of them, however often the system accepts only a part. Returns how many it has accepted and the error, 0
  /// for none.
  package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> (count: Int, errno: Int32) {
    var done = 0
    while done < bytes.count {
      // unsafe: the kernel reads the bytes during the call.
      let step = bytes.extracting(done...).withUnsafeBytes { MotionSensing.write(descriptor, $0.baseAddress, $0.count) }
      switch step < 0 ? errno : 0 {
      case 0 where step > 0: done += step
      case EINTR: break
      case EAGAIN:
        // Another process has made a shared terminal or pipe non-blocking.
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&state, 1, 1000)
      case let code: return (done, code == 0 ? EIO : code)
      }
    }
    return (done, 0)
  }
}

/// Writes what the kernel still holds to the disk, because a power failure loses it.
package enum FileSync {
  /// Writes the content of an open file, with `whole` also its times; returns the error, 0 for none and for what is no
  /// file on a disk.
  package static func sync(_ descriptor: Int32, whole: Bool) -> Int32 {
    while (whole ? fsync(descriptor) : fdatasync(descriptor)) != 0 {
      if errno != EINTR { return [EINVAL, EROFS, ENOSYS].contains(errno) ? 0 : errno }
    }
    return 0
  }

  /// Writes the folder of a path: otherwise a new file may have no name after a power cut. Not every file system can.
  package static func syncFolder(of path: String) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
