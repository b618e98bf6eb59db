// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import HeadphoneSources
import MotionMath
package import MotionSensing
package import SimulatedSources

/// Simulated headphones with the open Android head tracker protocol: a report descriptor and reports, on a head whose
/// motion is known exactly.
///
/// ```swift
/// let peer = try HeadTrackerPeer(trajectory: HeadNod())
/// let host = MotionHost(headphones: try peer.source())
/// ```
///
/// It creates folders in place of sysfs and /dev, and a pair of sockets in place of the device node, so a source finds,
/// opens and reads it like the kernel's. It follows power, reporting and interval, in real time. It implements our
/// interpretation of the protocol; the kernel tests check the behaviour of the kernel.
package final class HeadTrackerPeer: Sendable {
  /// How its reports are laid out; the defaults are the usual layout.
  package struct Layout: Sendable, Hashable {
    /// The number of the report with motion. Default 1.
    package var inputID: UInt8 = 1
    /// The number of the report with the settings. Default 1.
    package var controlID: UInt8 = 1
    /// The number of the report with the description. Default 2.
    package var descriptionID: UInt8 = 2
    /// Version 2 of the protocol: it wants a transport to be chosen. Default false.
    package var isVersion2 = false
    /// Full power is the first choice, not the second. Default false.
    package var isPowerReversed = false
    /// It has one interval, 40 ms, and no choice. Default false: 10 to 100 ms.
    package var hasOneInterval = false
    /// Of each number of the rotation and the velocity: 16, the default, or 12.
    package var bits = 16
    /// The text that names the protocol; nil, the default = the right one.
    package var text: String?
    /// Its rotation vector leads from the reference to the head. Default false.
    package var isInverse = false

    /// The usual layout.
    package init() {}
  }

  struct State {
    var control: [UInt8]
    var isPresent = true
    var plugCount: Int
    var counter: UInt8 = 0
    /// rad by which the reference has jumped so far, about the vertical.
    var jumped = 0.0
    var writer: Int32?
    /// Connections so far. A descriptor's number does not identify a connection: the kernel reuses it.
    var connections = 0
    var reportTimes: [SensorInstant] = []
    var writes: [[UInt8]] = []
    var refusal: Int32?
  }

  /// The true motion of the head.
  package let trajectory: any Trajectory
  /// How its reports are laid out.
  package let layout: Layout
  /// The kernel's sensor hub has it, so that it has no node.
  package let isInHub: Bool
  /// The folder used as the root of the file system.
  package let root: String
  let epoch: SensorInstant
  let state: Lock<State>

  /// Its address, from the range for documentation.
  package static let address = "00:00:5E:00:53:02"
  /// Its name.
  package static let name = "Simulated WH-1000XM5"

  /// A head tracker on a head that moves along `trajectory`; `change` changes the usual layout of reports.
  package init(
    trajectory: any Trajectory = HeadNod(), isInHub: Bool = false, _ change: (inout Layout) -> Void = { _ in }
  ) throws {
    var layout = Layout()
    change(&layout)
    self.trajectory = trajectory
    self.layout = layout
    self.isInHub = isInHub
    root = NSTemporaryDirectory() + "opencoremotion-headtracker-\(UUID().uuidString.prefix(12))"
    epoch = MonotonicClock().now
    state = Lock(State(control: [UInt8](repeating: 0, count: layout.isVersion2 ? 2 : 1), plugCount: 1))
    try makeFolders()
  }

  deinit {
    if let writer = state.withLock({ $0.writer }) { close(writer) }
    try? FileManager.default.removeItem(atPath: root)
  }

  /// A source over it, by its name, address or node (empty = the first one); `options` as of `HeadTrackerSource`.
  package func source(_ path: String = "", options: [String: String] = [:]) throws(SensorError) -> HeadTrackerSource {
    var choice = try HeadTrackerOptions(options)
    choice.root = SystemRoot(root)
    return try HeadTrackerSource(path: path, options: choice, nodes: nodes)
  }

  /// When its reports were due, in order.
  package var reportTimes: [SensorInstant] { state.withLock { $0.reportTimes } }

  /// The settings that were written, each as the data of its report.
  package var writes: [[UInt8]] { state.withLock { $0.writes } }

  /// Whether it was requested to send motion.
  package var isStreaming: Bool { state.withLock { isStreaming($0) } }

  /// The reference jumps by an angle about the vertical, rad, and the counter reports it.
  package func jump(by angle: Double) {
    state.withLock {
      $0.jumped += angle
      $0.counter &+= 1
    }
  }

  /// Opening it fails from now on with this error number; nil = it works again.
  package func refuse(with errno: Int32?) { state.withLock { $0.refusal = errno } }

  /// Disconnects it.
  package func unplug() throws {
    let writer = state.withLock { state in
      state.isPresent = false
      defer { state.writer = nil }
      return state.writer
    }
    if let writer { close(writer) }
    try FileManager.default.removeItem(atPath: "\(root)/sys/bus/hid/devices")
    try FileManager.default.removeItem(atPath: "\(root)/dev")
  }

  /// Connects it again, with the kernel's next number, and in its power-on state.
  package func plug() throws {
    state.withLock { state in
      state.plugCount += 1
      state.control = state.control.map { _ in 0 }
      state.isPresent = true
    }
    try makeFolders()
  }
}

/// The replacement of the kernel: folders, control calls, and a thread that sends reports.
extension HeadTrackerPeer {
  func makeFolders() throws {
    let files = FileManager.default
    let number = String(state.withLock { $0.plugCount }, radix: 16)
    let device =
      "\(root)/sys/bus/hid/devices/0005:054C:0DF0.\(String(repeating: "0", count: 4 - number.count))\(number)"
    func file(_ path: String, _ data: Data) throws {
      try files.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try data.write(to: URL(fileURLWithPath: path))
    }
    try file("\(device)/report_descriptor", Data(descriptor))
    let facts = "DRIVER=x\nHID_ID=0005:0000054C:00000DF0\nHID_NAME=\(Self.name)\nHID_PHYS=\nHID_UNIQ=\(Self.address)\n"
    try file("\(device)/uevent", Data(facts.utf8))
    guard !isInHub else { return try file("\(root)/dev/null", Data()) }
    try file("\(device)/hidraw/hidraw\(number)/dev", Data())
    try file("\(root)/dev/hidraw\(number)", Data())
  }

  /// The control calls of a device node.
  var nodes: HeadTrackerNodes {
    var nodes = HeadTrackerNodes.system
    // The source keeps the whole of it alive, folders included.
    nodes.open = { [self] (path) throws(SystemFailure) in try open(path) }
    nodes.feature = { [self] (_, id, count) throws(SystemFailure) in
      try state.withLock { (state) throws(SystemFailure) in
        guard state.isPresent else { throw .init(errno: ENODEV) }
        let data = id == layout.controlID ? state.control : id == layout.descriptionID ? description : []
        return [id] + data.prefix(count)
      }
    }
    nodes.setFeature = { [self] (_, bytes) throws(SystemFailure) in
      try state.withLock { (state) throws(SystemFailure) in
        guard state.isPresent else { throw .init(errno: ENODEV) }
        guard bytes.first == layout.controlID, bytes.count == state.control.count + 1 else { throw .init(errno: EIO) }
        state.control = Array(bytes.dropFirst())
        state.writes.append(state.control)
      }
    }
    return nodes
  }

  private func open(_ path: String) throws(SystemFailure) -> Int32 {
    if let refusal = state.withLock({ $0.refusal }) { throw .init(errno: refusal) }
    guard access(path, F_OK) == 0 else { throw .init(errno: ENOENT) }
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .init(errno: errno) }
    let writer = ends[1]
    let (old, connection) = state.withLock { state in
      defer { state.writer = writer }
      state.connections += 1
      return (state.writer, state.connections)
    }
    if let old { close(old) }
    Thread.detachNewThread { [weak self] in
      let clock = MonotonicClock()
      var due = clock.now
      // Each report is due at a multiple of the interval after the one before, however late this thread is.
      while let wait = self?.step(connection, &due) { _ = clock.wait(until: wait, wake: WakeSignal()) }
    }
    return ends[0]
  }

  /// Sends what is due and says until when to wait; nil when this connection is over.
  private func step(_ connection: Int, _ due: inout SensorInstant) -> SensorInstant? {
    let now = MonotonicClock().now
    return state.withLock { state -> SensorInstant? in
      guard state.connections == connection, let writer = state.writer else { return nil }
      guard isStreaming(state) else {
        due = now
        return now + .milliseconds(2)
      }
      if due <= now {
        let data = report(of: trajectory.state(at: (due - epoch).seconds), state)
        let packet = [layout.inputID] + data
        let flags = Int32(MSG_NOSIGNAL)
        let isSent = send(writer, packet, packet.count, flags) == packet.count
        guard isSent || errno == EAGAIN else {
          close(writer)
          state.writer = nil
          return nil
        }
        if isSent { state.reportTimes.append(due) }
        due = due + (SensorDuration(seconds: interval(state)) ?? .milliseconds(10))
      }
      return due
    }
  }
}
