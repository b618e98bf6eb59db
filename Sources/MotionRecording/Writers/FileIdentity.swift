// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

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
