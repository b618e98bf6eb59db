// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import Glibc
import MotionSensing

/// A connection to a message bus: the few calls of D-Bus that it takes to ask BlueZ for its devices, over the bus' Unix socket.
///
/// Why no library: libdbus and sd-bus would have to be installed wherever a program says `import CoreMotion`, for two calls that have no
/// arguments. What is here is the authentication by user number (EXTERNAL), `Hello`, a method call with its reply, and reading of values.
/// Source of everything: D-Bus Specification 0.43. Whatever the other side sends is limited by ``DBusLimits`` and a time limit.
///
/// It belongs to one thread, and is closed when it goes.
final class DBusConnection {
  private let descriptor: Int32
  private let name: String
  private let clock = MonotonicClock()
  private let limit: SensorDuration
  private var serial: UInt32 = 0
  /// Read from the socket and not yet used.
  private var pending: [UInt8] = []

  /// What a call that has been refused says.
  struct Refusal: Error, Hashable, Sendable {
    /// "org.freedesktop.DBus.Error.ServiceUnknown"
    var name: String
    /// The other side's words.
    var text: String
  }

  /// Connects to a bus by the path of its socket. `limit` holds for each call.
  convenience init(path: String, limit: SensorDuration) throws(SensorError) {
    let descriptor = try DBusSocket.connect(to: path, limit: limit)
    try self.init(descriptor: descriptor, name: path, limit: limit)
  }

  /// Takes over a connected socket, and says who we are.
  init(descriptor: Int32, name: String, limit: SensorDuration) throws(SensorError) {
    self.descriptor = descriptor
    self.name = name
    self.limit = limit
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    try authenticate()
    _ = try call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello").get(at: name)
  }

  deinit { close(descriptor) }

  /// EXTERNAL: the kernel tells the bus our user number, and we say the same, as hexadecimal digits of its decimal digits.
  private func authenticate() throws(SensorError) {
    let deadline = clock.now + limit
    let user = String(getuid()).utf8.map { digit in
      String(digit >> 4, radix: 16) + String(digit & 15, radix: 16)
    }
    try send([0] + Array("AUTH EXTERNAL \(user.joined())\r\n".utf8), deadline)
    let answer = try line(deadline)
    guard answer.hasPrefix("OK ") || answer == "OK" else { throw DBusProblem.notPermitted(name) }
    try send(Array("BEGIN\r\n".utf8), deadline)
  }

  /// A line of the authentication, which no honest bus makes longer than a few dozen bytes.
  private func line(_ deadline: SensorInstant) throws(SensorError) -> String {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let text = String(decoding: pending[..<end], as: UTF8.self).filter { $0 != "\r" }
        pending.removeSubrange(...end)
        return text
      }
      guard pending.count <= 1024 else { throw DBusProblem.malformed(name) }
      try receive(deadline)
    }
  }

  /// Calls a method and waits for its answer; a refusal of the other side is a value, everything else an error.
  func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [String] = []
  ) throws(SensorError) -> Result<[DBusValue], Refusal> {
    let deadline = clock.now + limit
    serial += 1
    let bytes = DBusMessage.call(
      serial: serial, path: path, interface: interface, member: member, destination: destination, arguments: arguments)
    try send(bytes, deadline)
    while true {
      // Signals and what else a bus sends unasked is passed over.
      guard let message = try next(deadline), message.answered == serial else { continue }
      switch message.kind {
      case .answer: return .success(message.body)
      case .error:
        return .failure(Refusal(name: message.errorName ?? "", text: message.body.first?.text ?? ""))
      default: continue
      }
    }
  }

  private func next(_ deadline: SensorInstant) throws(SensorError) -> DBusMessage? {
    while pending.count < DBusMessage.prologue { try receive(deadline) }
    do {
      let count = try DBusMessage.byteCount(Array(pending.prefix(DBusMessage.prologue)))
      while pending.count < count { try receive(deadline) }
      let bytes = Array(pending.prefix(count))
      pending.removeFirst(count)
      return try DBusMessage.read(bytes)
    } catch let error as SensorError {
      throw error
    } catch {
      throw DBusProblem.malformed(name)
    }
  }

  private func receive(_ deadline: SensorInstant) throws(SensorError) {
    // Also for a peer that never stops sending what nobody has asked for.
    guard clock.now < deadline else { throw DBusProblem.late(name) }
    var buffer = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        pending += buffer[..<count]
        return
      }
      guard count < 0 else { throw DBusProblem.closed(name, errno: nil) }
      switch errno {
      case EINTR: continue
      case EAGAIN: try wait(Int16(POLLIN), deadline)
      default: throw DBusProblem.closed(name, errno: errno)
      }
    }
  }

  private func send(_ bytes: [UInt8], _ deadline: SensorInstant) throws(SensorError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: try wait(Int16(POLLOUT), deadline)
      default: throw DBusProblem.closed(name, errno: errno)
      }
    }
  }

  private func wait(_ events: Int16, _ deadline: SensorInstant) throws(SensorError) {
    let left = deadline - clock.now
    guard left > .zero else { throw DBusProblem.late(name) }
    var descriptors = [pollfd(fd: descriptor, events: events, revents: 0)]
    _ = motion_ppoll(&descriptors, 1, left.nanoseconds)
  }
}

extension Result where Success == [DBusValue], Failure == DBusConnection.Refusal {
  /// The values; a refusal becomes a sentence.
  func get(at place: String) throws(SensorError) -> [DBusValue] {
    switch self {
    case .success(let values): return values
    case .failure(let refusal): throw DBusProblem.refused(refusal, place)
    }
  }
}
