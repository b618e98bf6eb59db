// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import MotionSensing

/// A file on its way to one client: read in pieces, the next one while the one before is being sent, on a queue of its
/// own. A disk that is slow delays no other client, and a client that does not read costs two pieces of memory.
final class FileDownload: Sendable {
  enum Piece {
    case bytes([UInt8])
    /// The disk is at work; the server is woken when the piece is here.
    case later
    case end
    /// The file has become shorter, or cannot be read: the client must not take what it has for the whole.
    case broken
  }

  /// Bytes of a piece: what one client gets before it is the others' turn.
  static let pieceBytes = ServerLoop.turn

  private struct State {
    var next = Piece.later
    var descriptor: Int32 = -1
    /// Bytes of the file that have not been read yet.
    var rest = 0..<0
  }

  private let state = Lock(State())
  private let queue: DispatchQueue
  private let wake: WakeSignal

  /// Begins to open the file.
  ///
  /// - Parameter response: names the file, and has the fields of the answer, which is the first piece.
  init(_ response: HTTPResponse, of path: String, for head: HTTPRequestHead, queue: DispatchQueue, wake: WakeSignal) {
    (self.queue, self.wake) = (queue, wake)
    queue.async { [self] in open(path, response, head) }
  }

  deinit {
    let descriptor = state.withLock { $0.descriptor }
    if descriptor >= 0 { close(descriptor) }
  }

  /// What has been read. Never waits.
  func take() -> Piece {
    let piece = state.withLock { state in
      defer { if case .bytes = state.next { state.next = .later } }
      return state.next
    }
    if case .bytes = piece { queue.async { [self] in read() } }
    return piece
  }

  private func give(_ piece: Piece) {
    state.withLock { $0.next = piece }
    wake.signal()
  }

  private func open(_ path: String, _ response: HTTPResponse, _ head: HTTPRequestHead) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    var facts = stat()
    guard descriptor >= 0, fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      if descriptor >= 0 { close(descriptor) }
      var refusal = HTTPResponse.text(404, "The file cannot be read: it may have been moved.")
      refusal.closes = response.closes
      return give(.bytes(refusal.encodedHead() + (head.method == "HEAD" ? [] : refusal.body)))
    }
    let size = Int(facts.st_size)
    state.withLock { ($0.descriptor, $0.rest) = (descriptor, head.method == "HEAD" ? 0..<0 : 0..<size) }
    give(.bytes(response.encodedHead(length: size)))
  }

  private func read() {
    let (descriptor, rest) = state.withLock { ($0.descriptor, $0.rest) }
    guard !rest.isEmpty else { return give(.end) }
    let wanted = min(rest.count, Self.pieceBytes)
    var count = 0
    var piece = [UInt8](repeating: 0, count: wanted)
    repeat { count = pread(descriptor, &piece, wanted, rest.lowerBound) } while count < 0 && errno == EINTR
    guard count > 0 else { return give(.broken) }
    state.withLock { $0.rest = (rest.lowerBound + count)..<rest.upperBound }
    give(.bytes(Array(piece.prefix(count))))
  }
}
