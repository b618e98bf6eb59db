// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// Bytes in order, from a file or out of a decompressor.
protocol ByteSource: AnyObject {
  /// Fills the front of `buffer` and returns how many bytes came; 0 = the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int
}

/// The bytes of a regular file, or of a part of it.
final class FileBytes: ByteSource {
  /// Bytes in the whole file when it was opened.
  let fileSize: Int64
  private let descriptor: Int32
  private let name: String
  private var offset: Int64
  private let end: Int64

  /// `range` in bytes of the file; nil = all of it. Fails on anything but a regular file: a pipe would block for ever.
  init(path: String, range: Range<Int64>? = nil) throws(SensorError) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw SensorError(opening: path, errno: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw SensorError(.unsupported, "This is not a regular file; give a file or a folder.", at: .init(file: path))
    }
    self.descriptor = descriptor
    name = path
    fileSize = Int64(status.st_size)
    offset = range?.lowerBound ?? 0
    end = range?.upperBound ?? Int64.max
  }

  deinit { close(descriptor) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    let wanted = Int(min(Int64(buffer.count), end - offset))
    guard wanted > 0 else { return 0 }
    while true {
      let count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
      if count >= 0 {
        offset += Int64(count)
        return count
      }
      guard errno == EINTR else {
        throw SensorError(.system, "Reading the file failed.", at: .init(file: name), errno: errno)
      }
    }
  }
}

extension ByteSource {
  /// Up to `limit` bytes. Bytes that came before a failure are returned; the next read meets the failure again.
  func bytes(limit: Int) throws(SensorError) -> [UInt8] {
    var result: [UInt8] = []
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: min(limit, 64 << 10), alignment: 16)
    defer { piece.deallocate() }
    while result.count < limit {
      let wanted = UnsafeMutableRawBufferPointer(rebasing: piece[..<min(piece.count, limit - result.count)])
      do throws(SensorError) {
        let count = try read(into: wanted)
        if count == 0 { break }
        result.append(contentsOf: wanted[..<count])
      } catch {
        if result.isEmpty { throw error }
        break
      }
    }
    return result
  }
}

extension SensorError {
  /// What a failed `open` of a file or folder means to a person.
  init(opening path: String, errno: Int32) {
    let place = Place(file: path)
    switch errno {
    case ENOENT, ENOTDIR:
      self.init(.notFound, "There is no such file or folder.", at: place, errno: errno)
    case EACCES, EPERM:
      self.init(.notPermitted, "Reading it is not permitted; check its owner and mode.", at: place, errno: errno)
    default:
      self.init(.system, "It could not be opened.", at: place, errno: errno)
    }
  }
}
