// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A datagram socket in the file system that takes commands: `recentre` and `quit`, one a datagram.
///
/// `printf recentre | socat - UNIX-SENDTO:PATH` sends one. Only the same user can: the file has mode 600.
final class ControlSocket: Sendable {
  enum Command: String, CaseIterable {
    case recentre, quit
  }

  private let path: String
  private let descriptor: Int32
  private static let longestCommand = 64

  /// Begins to listen. A socket that an earlier run left at the path is replaced; anything else is not.
  init(path: String, take: @escaping @Sendable (Command) -> Void) throws {
    self.path = path
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard !path.isEmpty, path.utf8.count <= room else {
      throw CommandFailure("The path of a control socket has 1 to \(room) bytes; “\(path)” has not.")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw CommandFailure("“\(path)” exists and is no socket: give the control socket another name.")
      }
      unlink(path)
    }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let old = umask(0o177)
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    let failure = SystemFailure(errno: errno)
    umask(old)
    guard descriptor >= 0, result == 0 else {
      if descriptor >= 0 { Foundation.close(descriptor) }
      throw CommandFailure("The control socket “\(path)” cannot be made: \(failure.reason).")
    }
    self.descriptor = descriptor
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: Self.longestCommand)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else {
          if errno == EINTR { continue }
          return
        }
        let word = String(decoding: buffer.prefix(count), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if let command = Command(rawValue: word) {
          take(command)
        } else {
          StandardError.shared.say("The control socket knows recentre and quit, and was sent something else.")
        }
      }
    }
  }

  /// Takes the socket away. The thread that waits on it ends with the program.
  func close() {
    shutdown(descriptor, Int32(SHUT_RD))
    unlink(path)
  }
}
