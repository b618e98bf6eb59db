// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
@_exported import TestSupport
import Testing

@testable import LinuxSources

/// Folders that stand for sysfs and /dev, and sockets that stand for device nodes: whole records go in, whole records
/// come out.
final class FakeSensors: Sendable {
  let root: String
  /// What is refused, by path and errno, and what was written, in order.
  struct State {
    var refused: [String: Int32] = [:]
    var writes: [String] = []
    /// Times that switching a buffer on brings nothing.
    var deafness = 0
    var writers: [String: Int32] = [:]
    var onEnable: [String: Producer] = [:]
  }
  let state = Lock(State())

  /// What a device does while its buffer is on.
  struct Producer: Sendable {
    /// Records a second.
    var rate: Double
    /// True: a record's stamp is the instant of its sending, later than every other device's before it, however busy
    /// the machine is. False: the stamps are those of an exact rate.
    var stampsAtSending = false
    /// One record, from its number and its time stamp.
    var record: @Sendable (Int, Int64) -> [UInt8]
  }

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "iio-\(UUID().uuidString)").path
    for folder in ["/sys/bus/iio/devices", "/dev"] {
      try FileManager.default.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
    }
  }

  deinit {
    for descriptor in state.withLock({ $0.writers.values }) { close(descriptor) }
    try? FileManager.default.removeItem(atPath: root)
  }

  func folder(_ device: Int) -> String { "\(root)/sys/bus/iio/devices/iio:device\(device)" }
  func node(_ device: Int) -> String { "\(root)/dev/iio:device\(device)" }
  func read(_ device: Int, _ attribute: String) -> String? {
    try? SystemFiles.system.read("\(folder(device))/\(attribute)")
  }

  /// Writes attributes of a device, which is made if it is not there.
  func add(_ device: Int, _ attributes: [String: String]) throws {
    for (name, value) in attributes {
      let path = "\(folder(device))/\(name)"
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try (value + "\n").write(toFile: path, atomically: false, encoding: .utf8)
    }
  }

  func unplug(_ device: Int) throws {
    try FileManager.default.removeItem(atPath: folder(device))
    let writer = state.withLock { $0.writers.removeValue(forKey: node(device)) }
    if let writer { close(writer) }
  }

  /// The files as a driver sees them.
  var files: SystemFiles {
    let state = state
    var files = SystemFiles.system
    @Sendable func refuse(_ path: String) throws(SystemFailure) {
      if let errno = state.withLock({ $0.refused[path] }) { throw SystemFailure(errno: errno) }
    }
    files.check = { (path, mode) throws(SystemFailure) in
      try refuse(path)
      try SystemFiles.system.check(path, mode)
    }
    files.write = { [weak self] (path, text) throws(SystemFailure) in
      try refuse(path)
      try SystemFiles.system.write(path, text)
      state.withLock { $0.writes.append("\(path.split(separator: "/").suffix(2).joined(separator: "/"))=\(text)") }
      if path.hasSuffix("/buffer/enable") { self?.switchBuffer(path, isOn: text == "1") }
    }
    files.open = { (path) throws(SystemFailure) in
      try refuse(path)
      var ends: [Int32] = [0, 0]
      guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0 else {
        throw SystemFailure(errno: errno)
      }
      let old = state.withLock { $0.writers.updateValue(ends[1], forKey: path) }
      if let old { close(old) }
      return ends[0]
    }
    return files
  }

  /// A thread plays the chip, as long as its socket is open and the buffer is on.
  private func switchBuffer(_ path: String, isOn: Bool) {
    let folder = String(path.dropLast("/buffer/enable".count))
    let node = "\(root)/dev/\((folder as NSString).lastPathComponent)"
    guard isOn, let producer = state.withLock({ $0.onEnable[node] }) else { return }
    let isDeaf = state.withLock { state in
      state.deafness -= 1
      return state.deafness >= 0
    }
    if isDeaf { return }
    let watermark = Int(SystemFiles.system.number("\(folder)/buffer/watermark") ?? 1)
    let descriptor = state.withLock { $0.writers[node] }
    Thread.detachNewThread { [state] in
      let (clock, wake) = (MonotonicClock(), WakeSignal())
      let start = clock.now
      var count = 0
      while true {
        var batch: [UInt8] = []
        var time = start
        for _ in 0..<watermark {
          count += 1
          time = start + SensorDuration(nanoseconds: Int64(Double(count) / producer.rate * 1e9))
          batch += producer.record(count, time.nanoseconds)
        }
        _ = clock.wait(until: time, wake: wake)
        let isAlive = state.withLock { state -> Bool in
          guard let descriptor, state.writers[node] == descriptor, SystemFiles.system.number(path) == 1 else {
            return false
          }
          if producer.stampsAtSending { batch = producer.record(count, clock.now.nanoseconds) }
          // The reader may have gone: no signal, an error.
          return send(descriptor, batch, batch.count, Int32(MSG_NOSIGNAL)) == batch.count || errno == EAGAIN
        }
        if !isAlive { return }
      }
    }
  }
}

extension FakeSensors {
  static func little(_ value: Int64, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// One chip with both sensors, like a bmi160: gyroscope first, 16 bits, scale by type, rate by type.
  func addInertialChip(_ device: Int = 0, rate: Double = 200, name: String = "bmi160", buffer: Bool = true) throws {
    var attributes = [
      "name": name, "in_accel_scale": "0.000598", "in_anglvel_scale": "0.001065",
      "in_accel_sampling_frequency": "100", "in_anglvel_sampling_frequency": "100",
      "in_accel_sampling_frequency_available": "25 50 100 200 400 800 1600",
      "in_anglvel_sampling_frequency_available": "25 50 100 200 400 800 1600 3200",
      "in_mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1",
    ]
    for (index, axis) in ["anglvel_x", "anglvel_y", "anglvel_z", "accel_x", "accel_y", "accel_z"].enumerated() {
      attributes["in_\(axis)_raw"] = axis == "accel_z" ? "16384" : axis == "anglvel_x" ? "1640" : "0"
      if buffer { attributes.merge(scan("in_\(axis)", index, "le:s16/16>>0")) { $1 } }
    }
    if buffer {
      attributes.merge(scan("in_timestamp", 6, "le:s64/64>>0")) { $1 }
      attributes.merge(Self.bufferSettings) { $1 }
      try "".write(toFile: node(device), atomically: false, encoding: .utf8)
      state.withLock {
        $0.onEnable[node(device)] = Producer(rate: rate) { _, time in
          [1640, 0, 0, 0, 0, 16384].flatMap { Self.little($0, bytes: 2) } + [0, 0, 0, 0] + Self.little(time, bytes: 8)
        }
      }
    }
    try add(device, attributes)
  }

  /// One sensor of a hub: 16 bits in slots of 32, the neighbour's bytes above them.
  func addHubSensor(_ device: Int, name: String, channel: String, scale: String, values: [Int64], rate: Double) throws {
    var attributes = [
      "name": name, "\(channel)_scale": scale, "\(channel)_offset": "0", "\(channel)_sampling_frequency": "50.000000",
    ]
    for (index, axis) in ["x", "y", "z"].enumerated() {
      attributes["\(channel)_\(axis)_raw"] = "\(values[index])"
      attributes.merge(scan("\(channel)_\(axis)", index, "le:s16/32>>0")) { $1 }
    }
    attributes.merge(scan("in_timestamp", 3, "le:s64/64>>0")) { $1 }
    attributes.merge(Self.bufferSettings) { $1 }
    try add(device, attributes)
    try "".write(toFile: node(device), atomically: false, encoding: .utf8)
    state.withLock {
      $0.onEnable[node(device)] = Producer(rate: rate, stampsAtSending: true) { _, time in
        values.flatMap { Self.little($0, bytes: 2) + [0xDE, 0xAD] } + [0, 0, 0, 0] + Self.little(time, bytes: 8)
      }
    }
  }

  static let bufferSettings = [
    "buffer/enable": "0", "buffer/length": "2", "buffer/watermark": "1", "current_timestamp_clock": "realtime\n\0",
  ]

  private func scan(_ name: String, _ index: Int, _ type: String) -> [String: String] {
    [
      "scan_elements/\(name)_en": "0", "scan_elements/\(name)_index": "\(index)", "scan_elements/\(name)_type": type,
    ]
  }

  /// A source over what is there.
  func source(_ path: String = "", _ change: (inout IIOOptions) -> Void = { _ in }) throws -> IIOSource {
    var options = IIOOptions()
    options.root = SystemRoot(root)
    change(&options)
    return try IIOSource(path: path, options: options, files: files)
  }
}

extension UdevRule {
  /// The shell's lines of a rule, first the question whether it is for a device, as udev completes them: `folder` stands
  /// for the device's in sysfs.
  func scripts(for folder: String) -> [String] {
    text.matches(of: #/"/bin/sh -c '([^']*)'"/#).map {
      String($0.1).replacing("/sys$devpath", with: folder).replacing("$$", with: "$").replacing(#"\""#, with: "\"")
    }
  }

  /// Whether a line succeeds.
  static func succeeds(_ script: String) throws -> Bool {
    let process = try Process.run(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script])
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}

/// As sysfs has it: the folder lies in the tree of devices, and the list of a bus holds links.
func moveAndLink(_ folder: String, to path: String) throws {
  try FileManager.default.createDirectory(
    atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
  try FileManager.default.moveItem(atPath: folder, toPath: path)
  try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: path)
}
