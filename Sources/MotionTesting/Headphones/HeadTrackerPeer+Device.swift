// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LinuxSources
import MotionSensing
import SimulatedSources

/// What stands for the kernel: folders, control calls, and a thread that sends reports.
extension HeadTrackerPeer {
  private static let customName = "HID-SENSOR-2000e1.1.auto"

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
    switch door {
    case .hidraw:
      try file("\(device)/hidraw/hidraw\(number)/dev", Data())
      try file("\(root)/dev/hidraw\(number)", Data())
    case .sensorCustom:
      let folder = "\(device)/\(Self.customName)"
      try file("\(folder)/enable_sensor", Data("0\n".utf8))
      let features = ["feature-0-200308": text.map(String.init).joined(separator: " "), "feature-2-20030e": "0"]
      for (name, value) in features { try file("\(folder)/\(name)/\(name)-value", Data((value + " \n").utf8)) }
      try file("\(root)/dev/\(Self.customName)", Data())
    case .closed:
      try file("\(root)/dev/null", Data())
    }
  }

  /// The control calls of a device node.
  var nodes: HeadTrackerNodes {
    var nodes = HeadTrackerNodes.system
    // The source keeps the whole of it alive, folders included.
    nodes.open = { [self] (path, _) throws(HeadTrackerNodes.Failure) in try open(path) }
    nodes.feature = { [self] (_, id, count) throws(HeadTrackerNodes.Failure) in
      try state.withLock { (state) throws(HeadTrackerNodes.Failure) in
        guard state.isPresent else { throw .init(errno: ENODEV) }
        let data = id == layout.controlID ? state.control : id == layout.descriptionID ? description : []
        return [id] + data.prefix(count)
      }
    }
    nodes.setFeature = { [self] (_, bytes) throws(HeadTrackerNodes.Failure) in
      try state.withLock { (state) throws(HeadTrackerNodes.Failure) in
        guard state.isPresent else { throw .init(errno: ENODEV) }
        guard bytes.first == layout.controlID, bytes.count == state.control.count + 1 else { throw .init(errno: EIO) }
        state.control = Array(bytes.dropFirst())
        state.writes.append(state.control)
      }
    }
    let write = nodes.setAttribute
    nodes.setAttribute = { [self] (path, text) throws(HeadTrackerNodes.Failure) in
      // As the kernel has it: what does not change the switch is refused.
      if path.hasSuffix("enable_sensor"), state.withLock({ $0.isSwitchedOn }) == (text == "1") {
        throw .init(errno: EINVAL)
      }
      try write(path, text)
      state.withLock { state in
        if path.hasSuffix("enable_sensor") { state.isSwitchedOn = text == "1" }
        if path.hasSuffix("20030e-value"), let raw = UInt8(text) { state.control[0] = raw << 2 }
      }
    }
    return nodes
  }

  private func open(_ path: String) throws(HeadTrackerNodes.Failure) -> Int32 {
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
        let packet = door == .sensorCustom ? Self.record(data, at: due) : [layout.inputID] + data
        let flags = Int32(MSG_NOSIGNAL)
        let isSent = packet.withUnsafeBytes { send(writer, $0.baseAddress, $0.count, flags) } == packet.count
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

  /// A record of hid-sensor-custom: usage, time of the wall clock, length, data.
  private static func record(_ data: [UInt8], at time: SensorInstant) -> [UInt8] {
    var wall = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    let now = Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec)
    let stamp = now - (MonotonicClock().now - time).nanoseconds
    func little(_ value: Int64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return little(0x20_00E1, 4) + little(stamp, 8) + little(Int64(data.count), 4) + data
  }
}
