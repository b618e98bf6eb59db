// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing

/// A datagram socket in the file system that receives commands: `recentre` and `quit`, one a datagram.
///
/// `printf recentre | socat - UNIX-SENDTO:PATH` sends one. Only the same user can: the file has mode 600.
package final class ControlSocket: Sendable {
  package enum Command: String, CaseIterable {
    case recentre, quit
  }

  private let path: String
  private let descriptor: Int32
  /// The file that was made: whatever lies at the path by the end may be another's. The number is not used again while
  /// the socket is open.
  private let file: FileIdentity?
  private let isClosed = Lock(false)
  private static let longestCommand = 64

  /// Makes the socket; commands wait in it until ``listen(_:)``. One that an earlier run left at the path is replaced;
  /// one that is in use, or anything else, is not.
  package init(path: String) throws {
    self.path = path
    guard let address = Self.address(path) else {
      throw CommandFailure(
        "The path of a control socket has 1 to \(Self.longestPath) bytes; “\(path)” has not.")
    }
    try Self.makeRoom(at: path, address)
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    // Linux gives the file the mode of the socket: no other user can send for a moment, and the umask of all threads
    // stays.
    guard descriptor >= 0, fchmod(descriptor, 0o600) == 0, Self.with(address, { bind(descriptor, $0, $1) }) == 0 else {
      let failure = SystemFailure(errno: errno)
      if descriptor >= 0 { Foundation.close(descriptor) }
      throw CommandFailure("The control socket “\(path)” cannot be made: \(failure.reason).")
    }
    self.descriptor = descriptor
    file = FileIdentity(path)
  }

  /// Reads commands from now on, on a thread of its own, and says of anything else that it is none; to be called once.
  package func listen(
    otherwise: @escaping @Sendable () -> Void = {
      StandardError.shared.say("The control socket knows recentre and quit, and was sent something else.")
    }, _ action: @escaping @Sendable (Command) -> Void
  ) {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: Self.longestCommand)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        let failure = errno
        // A socket that is shut gives 0 for ever, as an empty datagram does once.
        if isClosed.withLock({ $0 }) { return }
        guard count >= 0 else {
          if failure == EINTR { continue }
          return
        }
        let word = String(decoding: buffer.prefix(count), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if let command = Command(rawValue: word) {
          action(command)
        } else {
          otherwise()
        }
      }
    }
  }

  /// Removes the socket, if it is still this one that lies there, and ends the thread that waits on it.
  package func close() {
    if let file, FileIdentity(path) == file { unlink(path) }
    isClosed.withLock { $0 = true }
    shutdown(descriptor, Int32(SHUT_RD))
  }

  // MARK: The path

  private static var longestPath: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

  private static func address(_ path: String) -> sockaddr_un? {
    guard (1...longestPath).contains(path.utf8.count) else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // unsafe: a C array, which Swift has as a tuple; the length was compared with it.
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return address
  }

  /// Unsafe: every address begins as `sockaddr` does, and the call is told its size.
  private static func with(_ address: sockaddr_un, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// Removes a socket without a listener.
  private static func makeRoom(at path: String, _ address: sockaddr_un) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw CommandFailure("“\(path)” exists and is no socket: give the control socket another name.")
    }
    let probe = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    defer { if probe >= 0 { Foundation.close(probe) } }
    let isAnswered = with(address) { connect(probe, $0, $1) } == 0
    // The kernel refuses where the program behind the file has ended. Every other answer may be that of one that lives.
    guard !isAnswered, errno == ECONNREFUSED || errno == ENOENT else {
      throw CommandFailure(
        "“\(path)” is the socket of another run: end that one, or give the control socket another name.")
    }
    unlink(path)
  }

  /// Which file lies at a path.
  private struct FileIdentity: Equatable {
    let device: dev_t
    let number: ino_t

    init?(_ path: String) {
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      (device, number) = (status.st_dev, status.st_ino)
    }
  }
}
