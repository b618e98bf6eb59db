// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CLinuxBluetooth
import CMotionSystem
import Glibc
package import MotionSensing

/// The provider of the objects of a service: the system's message bus, or a test.
package protocol ObjectManager: Sendable {
  /// All objects of a service with their properties. `limit` holds for the whole call.
  func managedObjects(of service: String, limit: SensorDuration) throws(SensorError) -> [String: BusObject]
}

/// An object on the bus: its properties by interface and name.
package typealias BusObject = [String: [String: BusValue]]

/// A property's value; only the types that BlueZ's properties of interest have.
package enum BusValue: Hashable, Sendable {
  case text(String)
  case texts([String])
  case boolean(Bool)
  case byte(UInt8)

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var texts: [String]? { if case .texts(let texts) = self { texts } else { nil } }
  var boolean: Bool? { if case .boolean(let boolean) = self { boolean } else { nil } }
  var byte: UInt8? { if case .byte(let byte) = self { byte } else { nil } }
}

/// The system's D-Bus message bus, through sd-bus of libsystemd, which is loaded when it is first needed.
///
/// Only the message loop is ours: sd-bus' own synchronous calls wait up to 90 s for a bus that accepts a connection and
/// never answers.
package struct SystemBus: ObjectManager {
  /// As D-Bus writes addresses, `unix:path=/run/dbus/system_bus_socket`; nil = `DBUS_SYSTEM_BUS_ADDRESS`, else the
  /// system's.
  let address: String?

  package init(address: String?) { self.address = address }

  package func managedObjects(
    of service: String, limit: SensorDuration
  ) throws(SensorError) -> [String: BusObject] {
    guard let library = motion_bus_load()?.pointee else { throw BusProblem.noLibrary }
    let call = BusCall(library, place: address ?? "the system's message bus", limit: limit)
    return try call.managedObjects(of: service, address: address)
  }
}

/// One connection to the bus with one method call; used by one thread.
private final class BusCall {
  private let library: motion_bus_functions
  private let place: String
  private let clock = MonotonicClock()
  private let deadline: SensorInstant
  private var bus: OpaquePointer?
  private var reply: OpaquePointer?

  init(_ library: motion_bus_functions, place: String, limit: SensorDuration) {
    self.library = library
    self.place = place
    deadline = clock.now + limit
  }

  deinit {
    if let reply { _ = library.sd_bus_message_unref(reply) }
    disconnect()
  }

  private func disconnect() {
    guard let bus else { return }
    library.sd_bus_close(bus)
    _ = library.sd_bus_unref(bus)
    self.bus = nil
  }

  func managedObjects(of service: String, address: String?) throws(SensorError) -> [String: BusObject] {
    try connect(to: address)
    try send(service, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    if let error = library.sd_bus_message_get_error(reply)?.pointee, let name = error.name {
      throw BusProblem.refused(
        String(cString: name), error.message.map { String(cString: $0) } ?? "", at: place)
    }
    return try objects()
  }

  // MARK: Connection

  private func connect(to address: String?) throws(SensorError) {
    while true {
      let result = start(address)
      if result >= 0 { return }
      disconnect()
      // EAGAIN: the queue of connections is full, which poll(2) cannot wait for.
      guard result == -EAGAIN else { throw BusProblem.notConnected(place, errno: -result) }
      guard clock.now < deadline else { throw BusProblem.late(place) }
      _ = motion_ppoll(nil, 0, SensorDuration.milliseconds(5).nanoseconds)
    }
  }

  private func start(_ address: String?) -> Int32 {
    guard let address else { return library.sd_bus_open_system(&bus) }
    var result = library.sd_bus_new(&bus)
    if result >= 0 { result = library.sd_bus_set_address(bus, address) }
    if result >= 0 { result = library.sd_bus_set_bus_client(bus, 1) }
    return result < 0 ? result : library.sd_bus_start(bus)
  }

  /// Calls a method without arguments and waits for its reply.
  private func send(
    _ destination: String, _ path: String, _ interface: String, _ member: String
  ) throws(SensorError) {
    var message: OpaquePointer?
    var cookie: UInt64 = 0
    try check(library.sd_bus_message_new_method_call(bus, &message, destination, path, interface, member))
    defer { _ = library.sd_bus_message_unref(message) }
    try check(library.sd_bus_send(bus, message, &cookie))
    while true {
      // Checked for each message: a bus that keeps sending must not hold us either.
      guard clock.now < deadline else { throw BusProblem.late(place) }
      var received: OpaquePointer?
      let isBusy = try check(library.sd_bus_process(bus, &received)) > 0
      if let received {
        var answered: UInt64 = 0
        if library.sd_bus_message_get_reply_cookie(received, &answered) >= 0, answered == cookie {
          reply = received
          return
        }
        _ = library.sd_bus_message_unref(received)
      } else if !isBusy {
        let left = max((deadline - clock.now).nanoseconds / 1000, 0)
        let result = library.sd_bus_wait(bus, UInt64(left))
        if result != -EINTR { try check(result) }
      }
    }
  }

  @discardableResult
  private func check(_ result: Int32) throws(SensorError) -> Int32 {
    guard result < 0 else { return result }
    throw BusProblem.failure(place, errno: -result)
  }

  // MARK: Reading the reply

  /// `a{oa{sa{sv}}}`: object → interface → property → value.
  private func objects() throws(SensorError) -> [String: BusObject] {
    var objects: [String: BusObject] = [:]
    try entries("oa{sa{sv}}") { path throws(SensorError) in
      var interfaces: BusObject = [:]
      try entries("sa{sv}") { interface throws(SensorError) in
        var properties: [String: BusValue] = [:]
        try entries("sv") { name throws(SensorError) in properties[name] = try variant() }
        interfaces[interface] = properties
      }
      objects[path] = interfaces
    }
    return objects
  }

  /// Calls `body` for each entry of a dictionary, with its key; `body` reads the value. `types` are those of an entry.
  private func entries(
    _ types: String, _ body: (String) throws(SensorError) -> Void
  ) throws(SensorError) {
    try enter("a", "{\(types)}")
    while try enter("e", types) {
      try body(try text(types.unicodeScalars.first ?? "s"))
      try leave()
    }
    try leave()
  }

  /// Nil for a type that is none of ``BusValue``'s.
  private func variant() throws(SensorError) -> BusValue? {
    var type: CChar = 0
    // unsafe: a text of the message, copied before it moves on.
    var contents: UnsafePointer<CChar>?
    try check(library.sd_bus_message_peek_type(reply, &type, &contents))
    let signature = contents.map { String(cString: $0) } ?? ""
    guard ["s", "as", "b", "y"].contains(signature) else {
      try check(library.sd_bus_message_skip(reply, "v"))
      return nil
    }
    try enter("v", signature)
    let value: BusValue
    switch signature {
    case "s": value = .text(try text("s"))
    case "as":
      var texts: [String] = []
      try enter("a", "s")
      while let element = try nextText("s") { texts.append(element) }
      try leave()
      value = .texts(texts)
    case "b":
      var boolean: Int32 = 0
      try check(library.sd_bus_message_read_basic(reply, Self.letter("b"), &boolean))
      value = .boolean(boolean != 0)
    default:
      var byte: UInt8 = 0
      try check(library.sd_bus_message_read_basic(reply, Self.letter("y"), &byte))
      value = .byte(byte)
    }
    try leave()
    return value
  }

  private static func letter(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }

  /// Enters a container; false at the end of the one around it.
  @discardableResult
  private func enter(_ type: Unicode.Scalar, _ contents: String) throws(SensorError) -> Bool {
    try check(library.sd_bus_message_enter_container(reply, Self.letter(type), contents)) > 0
  }

  private func leave() throws(SensorError) { try check(library.sd_bus_message_exit_container(reply)) }

  private func text(_ type: Unicode.Scalar) throws(SensorError) -> String {
    guard let text = try nextText(type) else { throw BusProblem.failure(place, errno: EBADMSG) }
    return text
  }

  /// Nil at the end of an array.
  private func nextText(_ type: Unicode.Scalar) throws(SensorError) -> String? {
    // unsafe: a text of the message, copied before it moves on.
    var text: UnsafePointer<CChar>?
    guard try check(library.sd_bus_message_read_basic(reply, Self.letter(type), &text)) > 0 else { return nil }
    return text.map { String(cString: $0) }
  }
}
