// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CLinuxBluetooth
import Foundation
import Glibc
import MotionSensing
import Testing

@testable import HeadphoneSources

/// The Bluetooth service on the real `dbus-daemon`.
@Suite(.enabled(if: PrivateBus.isPossible, "needs dbus-daemon and libsystemd.so.0"))
struct PrivateBusTests {
  @Test func objectsOfAServiceAreRead() throws {
    let bus = try PrivateBus()
    let service = try FakeBlueZ(address: bus.address, objects: fakeObjects)
    let objects = try SystemBus(address: bus.address).managedObjects(of: "org.bluez", limit: .seconds(20))
    #expect(objects == fakeObjects)
    withExtendedLifetime(service) {}
  }

  @Test func aServiceWithoutObjectsIsEmpty() throws {
    let bus = try PrivateBus()
    let service = try FakeBlueZ(address: bus.address, objects: [:])
    #expect(try SystemBus(address: bus.address).managedObjects(of: "org.bluez", limit: .seconds(20)).isEmpty)
    withExtendedLifetime(service) {}
  }

  @Test func aBusWithoutTheServiceSaysHowToStartIt() throws {
    let bus = try PrivateBus()
    let error = #expect(throws: SensorError.self) { try BlueZ(bus: SystemBus(address: bus.address)).inventory() }
    #expect(error?.code == .notFound && error?.message.contains("systemctl start bluetooth") == true)
  }

  @Test func aServiceThatThisUserMayNotCallSaysWhichGroupMay() throws {
    let bus = try PrivateBus(policy: #"<deny send_interface="org.freedesktop.DBus.ObjectManager"/>"#)
    let service = try FakeBlueZ(address: bus.address, objects: fakeObjects)
    let error = #expect(throws: SensorError.self) {
      try BlueZ(limit: .seconds(20), bus: SystemBus(address: bus.address)).inventory()
    }
    #expect(error?.code == .notPermitted && error?.message.contains("group bluetooth") == true)
    withExtendedLifetime(service) {}
  }

  /// In a process of its own, because the environment belongs to the whole process.
  @Test func theEnvironmentNamesTheBus() async {
    await #expect(processExitsWith: .success) {
      let bus = try PrivateBus()
      let service = try FakeBlueZ(address: bus.address, objects: fakeObjects)
      setenv("DBUS_SYSTEM_BUS_ADDRESS", bus.address, 1)
      let found = try BlueZ(limit: .seconds(20)).inventory()
      try #require(found.devices.count == 2)
      withExtendedLifetime(service) {}
    }
  }
}

/// Buses that are missing, hang, close the connection or send what is not D-Bus.
@Suite(.enabled(if: motion_bus_load() != nil, "needs libsystemd.so.0"))
struct SystemBusTests {
  /// What the other side of the connection does; it is closed afterwards.
  private typealias Script = @Sendable (_ descriptor: Int32) -> Void

  private static let accepted = "DATA\r\nOK 0123456789abcdef0123456789abcdef\r\nAGREE_UNIX_FD\r\n"

  /// The answer to `Hello`: the unique name ":1.1".
  private static let welcome: [UInt8] =
    [0x6C, 2, 1, 1, 9, 0, 0, 0, 1, 0, 0, 0, 15, 0, 0, 0]  // little endian, a reply; body, serial, fields
    + [5, 1, 0x75, 0, 1, 0, 0, 0, 8, 1, 0x67, 0, 1, 0x73, 0, 0]  // answers call 1, signature "s"
    + [4, 0, 0, 0, 0x3A, 0x31, 0x2E, 0x31, 0]

  /// A signal without content: object "/", interface "a.b", member "x".
  private static let signal: [UInt8] =
    [0x6C, 4, 1, 1, 0, 0, 0, 0, 2, 0, 0, 0, 42, 0, 0, 0]
    + [1, 1, 0x6F, 0, 1, 0, 0, 0, 0x2F, 0, 0, 0, 0, 0, 0, 0]
    + [2, 1, 0x73, 0, 3, 0, 0, 0, 0x61, 0x2E, 0x62, 0, 0, 0, 0, 0]
    + [3, 1, 0x73, 0, 1, 0, 0, 0, 0x78, 0, 0, 0, 0, 0, 0, 0]

  private static func write(_ descriptor: Int32, _ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    return send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Until the other side closes the connection.
  private static func drain(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while recv(descriptor, &bytes, bytes.count, 0) > 0 {}
  }

  /// A socket that listens in a temporary folder.
  private final class Listener {
    let tree: TemporaryFolder
    let descriptor: Int32
    var path: String { "\(tree.path)/bus" }

    init(backlog: Int32 = 4) throws {
      tree = try TemporaryFolder()
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      try #require(
        Self.address("\(tree.path)/bus") { bind(descriptor, $0, $1) } == 0 && listen(descriptor, backlog) == 0)
    }

    deinit { close(descriptor) }

    static func address(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      return withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
  }

  private func error(limit: SensorDuration = .seconds(20), _ script: @escaping Script) throws -> SensorError? {
    let listener = try Listener()
    let server = listener.descriptor
    Thread.detachNewThread {
      let descriptor = accept(server, nil, nil)
      script(descriptor)
      close(descriptor)
    }
    return #expect(throws: SensorError.self) {
      try SystemBus(address: "unix:path=\(listener.path)").managedObjects(of: "org.bluez", limit: limit)
    }
  }

  @Test func aBusThatRejectsThisUserIsNotPermitted() throws {
    let error = try error { descriptor in
      _ = Self.write(descriptor, "REJECTED EXTERNAL\r\nERROR\r\nERROR\r\n".utf8)
      Self.drain(descriptor)
    }
    #expect(error?.code == .notPermitted)
  }

  @Test func aBusThatClosesTheConnectionIsDisconnected() throws {
    #expect(try error { _ in }?.code == .disconnected)
    let late = try error { descriptor in _ = Self.write(descriptor, Array(Self.accepted.utf8) + Self.welcome) }
    #expect(late?.code == .disconnected)
  }

  /// A message of 4 GiB, announced; and bytes that are none of the protocol.
  @Test(arguments: [[0x6C, 2, 0, 1] + [UInt8](repeating: 0xFF, count: 12), Array("GET / HTTP/1.1\r\n\r\n".utf8)])
  func bytesThatAreNoMessageAreMalformed(bytes: [UInt8]) throws {
    let error = try error { descriptor in
      _ = Self.write(descriptor, Array(Self.accepted.utf8) + Self.welcome + bytes)
      Self.drain(descriptor)
    }
    #expect(error?.code == .malformed)
  }

  @Test func aBusThatNeverAnswersEndsAtTheTimeLimit() throws {
    let begun = MonotonicClock().now
    #expect(try error(limit: .milliseconds(50)) { Self.drain($0) }?.errno == ETIMEDOUT)
    let greeting = try error(limit: .milliseconds(50)) { descriptor in
      _ = Self.write(descriptor, Array(Self.accepted.utf8) + Self.welcome)
      Self.drain(descriptor)
    }
    #expect(greeting?.errno == ETIMEDOUT && MonotonicClock().now - begun < .seconds(20))
  }

  @Test func aBusThatNeverStopsSendingEndsAtTheTimeLimit() throws {
    let begun = MonotonicClock().now
    let error = try error(limit: .milliseconds(100)) { descriptor in
      guard Self.write(descriptor, Array(Self.accepted.utf8) + Self.welcome) else { return }
      while Self.write(descriptor, Self.signal) {}
    }
    #expect(error?.errno == ETIMEDOUT && MonotonicClock().now - begun < .seconds(20))
  }

  @Test func aBusWithAFullQueueOfConnectionsEndsAtTheTimeLimit() throws {
    let listener = try Listener(backlog: 0)
    var waiting: [Int32] = []
    defer { for descriptor in waiting { close(descriptor) } }
    while waiting.count < 100 {
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      waiting.append(descriptor)
      guard Listener.address(listener.path, { connect(descriptor, $0, $1) }) == 0 else { break }
    }
    try #require(waiting.count < 100 && errno == EAGAIN)
    let bus = SystemBus(address: "unix:path=\(listener.path)")
    let error = #expect(throws: SensorError.self) {
      try bus.managedObjects(of: "org.bluez", limit: .milliseconds(100))
    }
    #expect(error?.errno == ETIMEDOUT)
    // With room again the connection succeeds; this bus closes it.
    let server = listener.descriptor
    Thread.detachNewThread {
      while case let descriptor = accept(server, nil, nil), descriptor >= 0 { close(descriptor) }
    }
    let reached = #expect(throws: SensorError.self) {
      try bus.managedObjects(of: "org.bluez", limit: .seconds(20))
    }
    #expect(reached?.code == .disconnected)
    shutdown(server, Int32(SHUT_RDWR))
  }

  @Test func noBusIsASentence() throws {
    let root = try TemporaryFolder()
    let bluetooth = BlueZ(root: root.path)
    let missing = #expect(throws: SensorError.self) { try bluetooth.inventory() }
    #expect(missing?.code == .notFound && missing?.message.contains("systemctl start dbus") == true)
    // A path longer than the address of a socket, and an address that is none.
    for address in ["unix:path=/" + String(repeating: "x", count: 200), "nonsense"] {
      let error = #expect(throws: SensorError.self) {
        try SystemBus(address: address).managedObjects(of: "org.bluez", limit: .seconds(1))
      }
      #expect(error?.code == .notFound)
    }
  }
}
