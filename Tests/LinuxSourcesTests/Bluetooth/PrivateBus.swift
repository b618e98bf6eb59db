// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CLinuxBluetooth
import Foundation
import Glibc
import MotionSensing
import Testing

@testable import HeadphoneSources

/// A real message bus of its own: `dbus-daemon` with a configuration and a socket in a temporary folder.
final class PrivateBus {
  static let daemon = "/usr/bin/dbus-daemon"
  static let isPossible = FileManager.default.isExecutableFile(atPath: daemon) && motion_bus_load() != nil

  /// As D-Bus writes addresses.
  let address: String
  private let tree: TemporaryFolder
  private let process = Process()

  /// `policy` is added to one that allows everything.
  init(policy: String = "") throws {
    tree = try TemporaryFolder()
    address = "unix:path=\(tree.path)/bus"
    try tree.write(
      "bus.conf",
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig><listen>\(address)</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/>
      <allow receive_sender="*" eavesdrop="true"/>
      \(policy)</policy></busconfig>
      """)
    process.executableURL = URL(fileURLWithPath: Self.daemon)
    process.arguments = ["--config-file=\(tree.path)/bus.conf", "--nofork", "--print-address"]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It prints its address when it listens.
    var ready = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&ready, 1, 20_000) == 1 && !pipe.fileHandleForReading.availableData.isEmpty)
  }

  deinit {
    // Children inherit the signals that a thread of this process has blocked, SIGTERM among them.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

/// A Bluetooth service on a message bus, through the same library as the client.
final class FakeBlueZ: Sendable {
  private let isStopped = Lock(false)

  /// Returns when the service has its name and answers.
  init(address: String, objects: [String: BusObject]) throws {
    let server = try BusServer(address: address)
    try server.request(name: "org.bluez")
    let isStopped = isStopped
    nonisolated(unsafe) let owned = server  // used by the thread alone from here
    Thread.detachNewThread {
      // An error means that the bus has gone.
      while !isStopped.withLock({ $0 }), (try? owned.answer(with: objects)) != nil {}
    }
  }

  deinit { isStopped.withLock { $0 = true } }
}

/// The functions of sd-bus that only a service needs.
private final class BusServer {
  typealias Message = OpaquePointer
  private typealias RequestName = @convention(c) (OpaquePointer?, UnsafePointer<CChar>, UInt64) -> Int32
  private typealias IsMethodCall =
    @convention(c) (
      Message?, UnsafePointer<CChar>, UnsafePointer<CChar>
    ) -> Int32
  private typealias NewReturn = @convention(c) (Message?, UnsafeMutablePointer<Message?>) -> Int32
  private typealias Append = @convention(c) (Message?, CChar, UnsafeRawPointer?) -> Int32
  private typealias Open = @convention(c) (Message?, CChar, UnsafePointer<CChar>) -> Int32
  private typealias Close = @convention(c) (Message?) -> Int32

  private let library: motion_bus_functions
  private let handle: UnsafeMutableRawPointer
  private var bus: OpaquePointer?

  init(address: String) throws {
    library = try #require(motion_bus_load()).pointee
    handle = try #require(dlopen("libsystemd.so.0", RTLD_NOW))
    try check(library.sd_bus_new(&bus))
    try check(library.sd_bus_set_address(bus, address))
    try check(library.sd_bus_set_bus_client(bus, 1))
    try check(library.sd_bus_start(bus))
  }

  deinit {
    library.sd_bus_close(bus)
    _ = library.sd_bus_unref(bus)
    dlclose(handle)
  }

  private func function<F>(_ name: String, _: F.Type) throws -> F {
    unsafeBitCast(try #require(dlsym(handle, name)), to: F.self)
  }

  private struct Failure: Error { var errno: Int32 }

  @discardableResult
  private func check(_ result: Int32) throws -> Int32 {
    guard result >= 0 else { throw Failure(errno: -result) }
    return result
  }

  func request(name: String) throws {
    try check(try function("sd_bus_request_name", RequestName.self)(bus, name, 0))
  }

  /// Answers one call, if one comes within 20 ms.
  func answer(with objects: [String: BusObject]) throws {
    var message: Message?
    guard try check(library.sd_bus_process(bus, &message)) > 0 else {
      try check(library.sd_bus_wait(bus, 20_000))
      return
    }
    guard let message else { return }
    defer { _ = library.sd_bus_message_unref(message) }
    let isCall = try function("sd_bus_message_is_method_call", IsMethodCall.self)
    guard isCall(message, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects") > 0 else { return }
    var reply: Message?
    try check(try function("sd_bus_message_new_method_return", NewReturn.self)(message, &reply))
    defer { _ = library.sd_bus_message_unref(reply) }
    try append(objects, to: reply)
    try check(library.sd_bus_send(bus, reply, nil))
  }

  private func append(_ objects: [String: BusObject], to message: Message?) throws {
    func letter(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }
    let openFunction = try function("sd_bus_message_open_container", Open.self)
    let closeFunction = try function("sd_bus_message_close_container", Close.self)
    let appendFunction = try function("sd_bus_message_append_basic", Append.self)
    func within(_ type: Unicode.Scalar, _ contents: String, _ body: () throws -> Void) throws {
      try check(openFunction(message, letter(type), contents))
      try body()
      try check(closeFunction(message))
    }
    func text(_ text: String, _ type: Unicode.Scalar = "s") throws {
      _ = try text.withCString { try check(appendFunction(message, letter(type), $0)) }
    }
    func number(_ value: some BitwiseCopyable, _ type: Unicode.Scalar) throws {
      _ = try withUnsafeBytes(of: value) { try check(appendFunction(message, letter(type), $0.baseAddress)) }
    }
    func property(_ name: String, _ contents: String, _ body: () throws -> Void) throws {
      try within("e", "sv") {
        try text(name)
        try within("v", contents, body)
      }
    }
    func value(_ name: String, _ value: BusValue) throws {
      switch value {
      case .text(let content): try property(name, "s") { try text(content) }
      case .texts(let texts): try property(name, "as") { try within("a", "s") { for one in texts { try text(one) } } }
      case .boolean(let flag): try property(name, "b") { try number(Int32(flag ? 1 : 0), "b") }
      case .byte(let byte): try property(name, "y") { try number(byte, "y") }
      }
    }
    try within("a", "{oa{sa{sv}}}") {
      for (path, interfaces) in objects {
        try within("e", "oa{sa{sv}}") {
          try text(path, "o")
          try within("a", "{sa{sv}}") {
            for (interface, properties) in interfaces {
              try within("e", "sa{sv}") {
                try text(interface)
                try within("a", "{sv}") {
                  for (name, content) in properties { try value(name, content) }
                  // Types that the client has no use for.
                  try property("Class", "u") { try number(UInt32(0x7C010C), "u") }
                  try property("ManufacturerData", "a{qv}") {
                    try within("a", "{qv}") {
                      try within("e", "qv") {
                        try number(UInt16(76), "q")
                        try within("v", "n") { try number(Int16(-50), "n") }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
