// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MotionSensing
import Testing

@testable import LinuxSources

/// Connecting to a bus that hangs, or has much to do.
@Suite struct DBusSocketTests {
  /// A socket that listens and takes nobody, with as many waiting as it has room for.
  private final class FullBus {
    let path: String
    let listener: Int32
    private let tree: TemporaryTree
    private var waiting: [Int32] = []

    init() throws {
      tree = try TemporaryTree()
      path = "\(tree.path)/bus"
      listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
      }
      try #require(call { bind(listener, $0, $1) } == 0 && listen(listener, 0) == 0)
      while true {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        try #require(descriptor >= 0 && waiting.count < 100)
        waiting.append(descriptor)
        guard call({ connect(descriptor, $0, $1) }) == 0 else { break }
      }
      try #require(errno == EAGAIN)
    }

    deinit { for descriptor in waiting + [listener] { close(descriptor) } }
  }

  @Test func aBusThatTakesNobodyIsGivenUpInTime() throws {
    let bus = try FullBus()
    // Only so that a test that fails comes to an end: a call that blocks goes on when somebody is taken.
    let listener = dup(bus.listener)
    Thread.detachNewThread {
      sleep(10)
      close(accept(listener, nil, nil))
      close(listener)
    }
    let begun = MonotonicClock().now
    let error = #expect(throws: SensorError.self) {
      try DBusConnection(path: bus.path, limit: .milliseconds(100))
    }
    #expect(error?.errno == ETIMEDOUT && MonotonicClock().now - begun < .seconds(8))
  }

  @Test func aBusThatHasRoomAgainIsReached() throws {
    let bus = try FullBus()
    let listener = bus.listener
    Thread.detachNewThread {
      usleep(50_000)
      close(accept(listener, nil, nil))
    }
    close(try DBusSocket.connect(to: bus.path, limit: .seconds(10)))
  }

  @Test func aPathWithoutABusOrTooLongForOneIsSaidToHaveNone() {
    for path in ["/nonexistent/bus", "/" + String(repeating: "x", count: 200)] {
      let error = #expect(throws: SensorError.self) { try DBusSocket.connect(to: path, limit: .seconds(1)) }
      #expect(error?.code == .notFound)
    }
  }
}
