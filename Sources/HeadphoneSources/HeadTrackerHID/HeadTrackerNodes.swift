// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CLinuxInput
import Glibc
import MotionSensing

/// The operations on a head tracker's files and nodes; tests replace them.
package struct HeadTrackerNodes: Sendable {
  /// The error of the system.
  package struct Failure: Error, Hashable, Sendable {
    package var errno: Int32

    package init(errno: Int32) { self.errno = errno }
  }

  /// Opens a node for reading, without blocking; `writes` also for writing.
  package var open: @Sendable (_ path: String, _ writes: Bool) throws(Failure) -> Int32 = Self.openNode
  /// Reads a feature report of hidraw, `HIDIOCGFEATURE`: the number, then at most `count` bytes of data.
  package var feature: @Sendable (_ descriptor: Int32, _ id: UInt8, _ count: Int) throws(Failure) -> [UInt8] =
    Self.readFeature
  /// Writes one, `HIDIOCSFEATURE`: the number, then the data.
  package var setFeature: @Sendable (_ descriptor: Int32, _ bytes: [UInt8]) throws(Failure) -> Void =
    Self.writeFeature
  /// Reads an attribute of sysfs.
  package var attribute: @Sendable (_ path: String) throws(Failure) -> String = Self.readAttribute
  /// Writes one.
  package var setAttribute: @Sendable (_ path: String, _ text: String) throws(Failure) -> Void = Self.writeAttribute

  /// The system's own.
  package static let system = HeadTrackerNodes()

  package init() {}

  private static func openNode(_ path: String, _ writes: Bool) throws(Failure) -> Int32 {
    let descriptor = Glibc.open(path, (writes ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    return descriptor
  }

  private static func readFeature(_ descriptor: Int32, _ id: UInt8, _ count: Int) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 + min(count, HIDReportDescriptor.reportLimit))
    bytes[0] = id
    let result = ioctl(descriptor, linux_hidraw_get_feature(UInt32(bytes.count)), &bytes)
    guard result >= 0 else { throw Failure(errno: errno) }
    return Array(bytes.prefix(Int(result)))
  }

  private static func writeFeature(_ descriptor: Int32, _ bytes: [UInt8]) throws(Failure) {
    var bytes = bytes
    guard ioctl(descriptor, linux_hidraw_set_feature(UInt32(bytes.count)), &bytes) >= 0 else {
      throw Failure(errno: errno)
    }
  }

  private static func readAttribute(_ path: String) throws(Failure) -> String {
    do { return try SystemFiles.system.read(path) } catch { throw Failure(errno: error.errno) }
  }

  private static func writeAttribute(_ path: String, _ text: String) throws(Failure) {
    do { try SystemFiles.system.write(path, text) } catch { throw Failure(errno: error.errno) }
  }

  /// The bytes of a file of at most `limit` bytes; none when it is longer or cannot be read.
  static func bytes(of path: String, limit: Int) -> [UInt8] {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: limit + 1)
    while bytes.count <= limit {
      let read = Glibc.read(descriptor, &piece, piece.count)
      guard read > 0 else { break }
      bytes += piece.prefix(read)
    }
    return bytes.count <= limit ? bytes : []
  }
}
