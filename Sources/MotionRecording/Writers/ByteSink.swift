// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
public import MotionSensing
import Synchronization

/// The destination of a writer's bytes: a file, a pipe, memory.
public protocol ByteSink: AnyObject {
  /// Takes all the bytes, or throws; they may be held back until ``flush()``.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SensorError)
  /// Hands over to the kernel what was held back: from here on it survives the end of the process.
  func flush() throws(SensorError)
  /// Flushes and closes. Nothing may be written afterwards.
  func finish() throws(SensorError)
}

extension ByteSink {
  public func flush() throws(SensorError) {}

  /// The bytes of an array.
  public func write(_ bytes: [UInt8]) throws(SensorError) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(SensorError) in try write(UnsafeRawBufferPointer(buffer)) }
  }

  /// The bytes of a text.
  package func write(_ text: JSONText) throws(SensorError) { try write(text.bytes) }
}

/// A sink that stores everything in memory, for tests and for small parts of a file.
public final class MemoryByteSink: ByteSink {
  /// The written bytes.
  public private(set) var bytes: [UInt8] = []
  /// True after ``finish()``.
  public private(set) var isFinished = false

  /// An empty sink.
  public init() {}

  public func write(_ bytes: UnsafeRawBufferPointer) throws(SensorError) { self.bytes.append(contentsOf: bytes) }
  public func finish() throws(SensorError) { isFinished = true }
}

/// A file for writing, or an open descriptor such as standard output.
///
/// Small writes are buffered; ``flush()`` passes them to the kernel, which writes them to the disk even when the
/// process is killed.
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

  /// Creates the file at `path`. An existing file is an error unless `overwrites`; then it is truncated.
  public init(path: String, overwrites: Bool = false) throws(SensorError) {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | (overwrites ? O_TRUNC : O_EXCL)
    descriptor = Glibc.open(path, flags, 0o644)
    name = path
    closes = true
    guard descriptor >= 0 else { throw Self.failure(opening: path, errno: errno) }
    held.reserveCapacity(Self.heldBytes)
  }

  /// An open descriptor; `closes`: whether ``finish()`` closes it. `name` is for messages.
  public init(descriptor: Int32, name: String, closes: Bool = false) {
    self.descriptor = descriptor
    self.name = name
    self.closes = closes
    held.reserveCapacity(Self.heldBytes)
  }

  deinit { if closes, descriptor >= 0 { close(descriptor) } }

  public func write(_ bytes: UnsafeRawBufferPointer) throws(SensorError) {
    count += Int64(bytes.count)
    if held.count + bytes.count <= Self.heldBytes {
      held.append(contentsOf: bytes)
    } else {
      try flush()
      if bytes.count < Self.heldBytes { held.append(contentsOf: bytes) } else { try writeOut(bytes) }
    }
  }

  public func flush() throws(SensorError) {
    guard !held.isEmpty else { return }
    // Emptied also when writing fails: the next attempt must not write the same bytes twice.
    defer { held.removeAll(keepingCapacity: true) }
    try held.withUnsafeBufferPointer { (bytes) throws(SensorError) in try writeOut(UnsafeRawBufferPointer(bytes)) }
  }

  public func finish() throws(SensorError) {
    guard descriptor >= 0 else { return }
    defer { descriptor = -1 }
    do throws(SensorError) {
      try flush()
    } catch {
      if closes { close(descriptor) }
      throw error
    }
    if closes, close(descriptor) != 0, errno != EINTR { throw failure(errno) }
  }

  private func writeOut(_ bytes: UnsafeRawBufferPointer) throws(SensorError) {
    guard descriptor >= 0 else {
      throw SensorError(
        .invalidRequest, "The file is already closed; nothing more can be written.", at: .init(file: name))
    }
    var done = 0
    while done < bytes.count {
      let step = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
      if step > 0 {
        done += step
        written += Int64(step)
        continue
      }
      switch step < 0 ? errno : EIO {
      case EINTR: continue
      case EAGAIN: waitUntilWritable()
      case let code: throw failure(code)
      }
    }
  }

  private func waitUntilWritable() {
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&state, 1, 1000)
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

/// A sink that counts its bytes; any thread can read the count.
public final class CountingByteSink: ByteSink {
  /// Bytes, shared by the sinks of all files of a recording.
  public final class Counter: Sendable {
    private let bytes = Atomic<Int64>(0)

    /// A counter at zero.
    public init() {}

    /// Bytes so far.
    public var count: Int64 { bytes.load(ordering: .relaxed) }
    func add(_ count: Int) { bytes.add(Int64(count), ordering: .relaxed) }
  }

  /// Bytes of this sink.
  public private(set) var count: Int64 = 0
  private let base: any ByteSink
  private let counter: Counter

  /// Passes everything to `base`.
  public init(_ base: any ByteSink, counter: Counter = Counter()) {
    self.base = base
    self.counter = counter
  }

  public func write(_ bytes: UnsafeRawBufferPointer) throws(SensorError) {
    try base.write(bytes)
    count += Int64(bytes.count)
    counter.add(bytes.count)
  }

  public func flush() throws(SensorError) { try base.flush() }
  public func finish() throws(SensorError) { try base.finish() }
}
