// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import LiveOutput
@testable import MotionNetwork

/// What the outputs ask of the system's sockets.
@Suite struct SocketTests {
  /// A client whose computer has gone to sleep says nothing; the system has to find out.
  @Test func aClientThatAnswersNothingIsNoticedWithinHalfAMinute() throws {
    let (listener, port) = try Socket.listen(ListeningAddress(port: 0))
    defer { close(listener) }
    let client = try WebClient(port: port)
    var isExhausted = false
    let descriptor = try #require(Socket.accept(listener, isExhausted: &isExhausted))
    defer { close(descriptor) }
    func option(_ level: Int32, _ name: Int32) -> Int32 {
      var (value, size) = (Int32(-1), socklen_t(MemoryLayout<Int32>.size))
      return getsockopt(descriptor, level, name, &value, &size) == 0 ? value : -1
    }
    let tcp = Int32(IPPROTO_TCP)
    #expect(option(SOL_SOCKET, SO_KEEPALIVE) == 1)
    // Idle first, then unanswered questions.
    let idle = option(tcp, TCP_KEEPIDLE) + option(tcp, TCP_KEEPINTVL) * option(tcp, TCP_KEEPCNT)
    #expect((10...30).contains(idle))
    // With something on its way, the kernel asks nothing and repeats that for a quarter of an hour.
    #expect(option(tcp, TCP_USER_TIMEOUT) == 30_000)
    withExtendedLifetime(client) {}
  }
}
