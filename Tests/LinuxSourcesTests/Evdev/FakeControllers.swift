// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import Foundation
import MotionSensing
import Testing

@testable import LinuxSources

/// Folders that stand for /sys/class/input, sockets that stand for event nodes, and closures that stand for the
/// kernel's controls.
final class FakeControllers: Sendable {
  let root: String

  /// What the kernel would hold.
  struct State {
    /// By path of the node.
    var axes: [String: [AbsoluteAxis]] = [:]
    /// By path of the node: our ends of the sockets.
    var writers: [String: Int32] = [:]
    /// By our readers' descriptor.
    var readers: [Int32: String] = [:]
    /// What is refused, by path of the node and errno.
    var refused: [String: Int32] = [:]
    /// Axes that were written, in order: axis number and fuzz.
    var written: [(code: Int, fuzz: Int32)] = []
    var refusesClock = false
    /// Called with the path and the other end of each new reader, on the thread that opens.
    var onOpen: @Sendable (String, Int32) -> Void = { _, _ in }
  }
  let state = Lock(State())

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "evdev-\(UUID().uuidString)").path
    for folder in ["/sys/class/input", "/dev/input"] {
      try FileManager.default.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
    }
  }

  deinit {
    for descriptor in state.withLock({ $0.writers.values }) { close(descriptor) }
    try? FileManager.default.removeItem(atPath: root)
  }

  func node(_ event: Int) -> String { "\(root)/dev/input/event\(event)" }

  /// Plugs one input device in. `abs` and `properties` are bitmaps as the kernel prints them.
  func add(
    _ number: Int, event: Int, name: String, unique: String = "", port: String = "usb-1/input0",
    model: String = "054c:0ce6", bus: String = "0003", abs: String = "3f", properties: String = "40",
    axes: [AbsoluteAxis]? = nil
  ) throws {
    let folder = "\(root)/sys/class/input/input\(number)"
    let ids = model.split(separator: ":").map(String.init)
    for (file, text) in [
      "name": name, "uniq": unique, "phys": port, "properties": properties, "capabilities/abs": abs,
      "id/vendor": ids[0], "id/product": ids[1], "id/bustype": bus, "event\(event)/dev": "13:\(64 + event)",
    ] {
      let path = "\(folder)/\(file)"
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try (text + "\n").write(toFile: path, atomically: false, encoding: .utf8)
    }
    try "".write(toFile: node(event), atomically: false, encoding: .utf8)
    let node = node(event)
    state.withLock { $0.axes[node] = axes ?? Self.dualSenseAxes }
  }

  /// The three devices of a DualSense, as its driver makes them.
  func addDualSense(event: Int = 4, unique: String = "06:05:04:03:02:01", axes: [AbsoluteAxis]? = nil) throws {
    let name = "Sony Interactive Entertainment Wireless Controller"
    try add(event, event: event, name: name, unique: unique, abs: "3003f", properties: "0")
    try add(event + 1, event: event + 1, name: name + " Motion Sensors", unique: unique, axes: axes)
    try add(
      event + 2, event: event + 2, name: name + " Touchpad", unique: unique, abs: "2608000 3", properties: "5")
  }

  static func axis(_ value: Int32, _ resolution: Int32, limit: Int32 = 32768, fuzz: Int32 = 16) -> AbsoluteAxis {
    AbsoluteAxis(value: value, minimum: -limit, maximum: limit, fuzz: fuzz, flat: 0, resolution: resolution)
  }

  /// Lying flat: one g out of the face, turning by nothing.
  static let dualSenseAxes =
    [axis(0, 8192), axis(8192, 8192), axis(0, 8192)] + Array(repeating: axis(0, 1024, limit: 2_097_152), count: 3)

  /// Takes a device away: its folder, its node, and the wire.
  func unplug(_ number: Int) throws {
    try FileManager.default.removeItem(atPath: "\(root)/sys/class/input/input\(number)")
    try FileManager.default.removeItem(atPath: node(number))
    let node = node(number)
    let writer = state.withLock { state in
      state.axes[node] = nil
      return state.writers.removeValue(forKey: node)
    }
    if let writer { close(writer) }
  }

  /// The nodes as a driver sees them.
  var nodes: InputNodes {
    let state = state
    var nodes = InputNodes.system
    // The source keeps the whole of it alive, folders included.
    nodes.open = { [self] (path) throws(SystemFailure) in
      let state = self.state
      if let errno = state.withLock({ $0.refused[path] }) { throw SystemFailure(errno: errno) }
      guard state.withLock({ $0.axes[path] != nil }) else { throw SystemFailure(errno: ENOENT) }
      var ends: [Int32] = [0, 0]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0 else {
        throw SystemFailure(errno: errno)
      }
      let (old, onOpen) = state.withLock { state in
        state.readers[ends[0]] = path
        return (state.writers.updateValue(ends[1], forKey: path), state.onOpen)
      }
      if let old { close(old) }
      onOpen(path, ends[1])
      return ends[0]
    }
    nodes.axis = { (descriptor, code) throws(SystemFailure) in
      let axis = state.withLock { state in state.readers[descriptor].flatMap { state.axes[$0]?[code] } }
      guard let axis else { throw SystemFailure(errno: ENODEV) }
      return axis
    }
    nodes.setAxis = { (descriptor, code, axis) throws(SystemFailure) in
      state.withLock { state in
        guard let path = state.readers[descriptor] else { return }
        state.axes[path]?[code] = axis
        state.written.append((code, axis.fuzz))
      }
    }
    nodes.useMonotonicClock = { (_) throws(SystemFailure) in
      if state.withLock({ $0.refusesClock }) { throw SystemFailure(errno: ENOENT) }
    }
    return nodes
  }

  /// A source over what is there.
  func source(_ path: String = "", _ change: (inout EvdevOptions) -> Void = { _ in }) throws -> EvdevSource {
    var options = EvdevOptions()
    options.root = SystemRoot(root)
    change(&options)
    return try EvdevSource(path: path, options: options, files: .system, nodes: nodes)
  }

  /// Sends events to the reader of a node; false when there is none.
  @discardableResult
  func send(_ events: [InputEvent], to event: Int = 5) -> Bool {
    let node = node(event)
    return state.withLock { state in state.writers[node].map { Self.send(events, to: $0) } ?? false }
  }

  static func send(_ events: [InputEvent], to descriptor: Int32) -> Bool {
    let bytes = events.flatMap { $0.bytes() }
    return MotionSensing.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Every new reader gets frames at a rate, on a thread that ends with him: number and instant → events.
  func play(rate: Double, _ frame: @escaping @Sendable (Int, SensorInstant) -> [InputEvent]) {
    state.withLock { [state] inner in
      inner.onOpen = { path, descriptor in
        Thread.detachNewThread {
          let clock = MonotonicClock()
          let wake = WakeSignal()
          let start = clock.now
          var count = 0
          var isAlive = true
          while isAlive {
            count += 1
            let due = start + SensorDuration(nanoseconds: Int64(Double(count) / rate * 1e9))
            _ = clock.wait(until: due, wake: wake)
            let events = frame(count, due)
            isAlive = state.withLock { state in
              guard state.writers[path] == descriptor else { return false }
              return Self.send(events, to: descriptor) || errno == EAGAIN
            }
          }
        }
      }
    }
  }
}

extension InputEvent {
  /// As the kernel of this computer would write it.
  func bytes(wordBytes: Int = MemoryLayout<Int>.size) -> [UInt8] {
    func little(_ value: Int64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return little(time.nanoseconds / 1_000_000_000, wordBytes)
      + little(time.nanoseconds % 1_000_000_000 / 1000, wordBytes)
      + little(Int64(type), 2) + little(Int64(code), 2) + little(Int64(value), 4)
  }

  static func absolute(_ code: Int32, _ value: Int32, at time: SensorInstant) -> InputEvent {
    InputEvent(time: time, type: UInt16(EV_ABS), code: UInt16(code), value: value)
  }
  static func stamp(_ microseconds: UInt32, at time: SensorInstant) -> InputEvent {
    InputEvent(
      time: time, type: UInt16(EV_MSC), code: UInt16(MSC_TIMESTAMP), value: Int32(bitPattern: microseconds))
  }
  static func report(at time: SensorInstant) -> InputEvent {
    InputEvent(time: time, type: UInt16(EV_SYN), code: UInt16(SYN_REPORT), value: 0)
  }
  static func dropped(at time: SensorInstant) -> InputEvent {
    InputEvent(time: time, type: UInt16(EV_SYN), code: UInt16(SYN_DROPPED), value: 0)
  }
}
