// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CLinuxInput
import Glibc
import MotionSensing

/// A HID device that is a head tracker, and which of the kernel's two interfaces to it is available.
struct HeadTrackerDevice: Hashable, Sendable {
  /// How it can be read.
  enum Door: Hashable, Sendable {
    /// A node of its own, `/dev/hidrawN`.
    case hidraw(node: String)
    /// Through the driver hid-sensor-custom: a folder of sysfs, and a node with times.
    case custom(folder: String, node: String)
    /// hid-sensor-hub has it, and hid-sensor-custom is not there.
    case closed
  }

  /// The kernel's name, "0005:054C:0DF0.0001": bus, vendor, product, number.
  let kernelName: String
  /// The name that it gives itself.
  let name: String
  /// Its address or serial number; empty where it has none.
  let unique: String
  let description: HeadTrackerDescription
  let door: Door

  /// The device of a folder; nil when it is no head tracker.
  private init?(folder: String, kernelName: String, root: SystemRoot, files: SystemFiles) {
    let bytes = HeadTrackerNodes.bytes(of: "\(folder)/report_descriptor", limit: HIDReportDescriptor.byteLimit)
    guard !bytes.isEmpty, let description = HeadTrackerDescription(bytes: bytes) else { return nil }
    self.description = description
    self.kernelName = kernelName
    var facts: [Substring: Substring] = [:]
    let text = (try? files.read("\(folder)/uevent")) ?? ""
    for line in text.split(separator: "\n") {
      let pair = line.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { facts[pair[0]] = pair[1] }
    }
    name = facts["HID_NAME"].map(String.init) ?? "head tracker"
    unique = facts["HID_UNIQ"].map(String.init) ?? ""
    if let node = files.list("\(folder)/hidraw").first(where: { $0.hasPrefix("hidraw") }) {
      door = .hidraw(node: "\(root.nodes)/\(node)")
    } else if let sensor = files.list(folder).first(where: { $0.hasPrefix("HID-SENSOR-2000e1.") }),
      files.list("\(folder)/\(sensor)").contains("enable_sensor")
    {
      door = .custom(folder: "\(folder)/\(sensor)", node: "\(root.nodes)/\(sensor)")
    } else {
      door = .closed
    }
  }

  /// All head trackers, in the order of their names.
  static func all(root: SystemRoot, files: SystemFiles) -> [HeadTrackerDevice] {
    files.list(root.hidDevices).compactMap {
      HeadTrackerDevice(folder: "\(root.hidDevices)/\($0)", kernelName: $0, root: root, files: files)
    }
  }

  /// Whether the kernel still has it.
  func isPresent(root: SystemRoot, files: SystemFiles) -> Bool {
    do { try files.check("\(root.hidDevices)/\(kernelName)", F_OK) } catch { return false }
    return true
  }

  /// The node that is read; nil = there is none.
  var node: String? {
    switch door {
    case .hidraw(let node), .custom(_, let node): node
    case .closed: nil
    }
  }

  /// How it is spoken to, for a person.
  var protocolName: String {
    switch door {
    case .hidraw: "Android head tracker over hidraw"
    case .custom: "Android head tracker over hid-sensor-custom"
    case .closed: "Android head tracker"
    }
  }

  /// What identifies it: its address, else its place in the kernel without the number that changes with every
  /// connection.
  var identity: String {
    unique.isEmpty
      ? "headtracker \(kernelName.split(separator: ".").first.map(String.init) ?? kernelName)" : "headtracker \(unique)"
  }

  /// What to write behind `headtracker:` to have this one, also tomorrow.
  var address: String { unique.isEmpty ? name : unique }

  /// Whether a person means this one: by its name, address, node or kernel name.
  func answers(to wanted: String) -> Bool {
    let wanted = wanted.lowercased()
    guard !wanted.isEmpty else { return true }
    let node = node ?? ""
    let short = node.split(separator: "/").last.map(String.init) ?? ""
    return [name, unique, kernelName, node, short].contains { !$0.isEmpty && $0.lowercased() == wanted }
  }
}

/// The operations on a head tracker's files and nodes; tests replace them.
package struct HeadTrackerNodes: Sendable {
  /// The error of the system.
  package struct Failure: Error, Hashable, Sendable {
    package var errno: Int32

    package init(errno: Int32) { self.errno = errno }
  }

  /// Opens a node for reading, without blocking; `writes` also for writing.
  package var open: @Sendable (_ path: String, _ writes: Bool) throws(Failure) -> Int32 = Self.openNode
  /// Reads a feature report of hidraw, `HIDIOCGFEATURE`: the number, then at most `count` bytes of data.
  package var feature: @Sendable (_ descriptor: Int32, _ id: UInt8, _ count: Int) throws(Failure) -> [UInt8] =
    Self.readFeature
  /// Writes one, `HIDIOCSFEATURE`: the number, then the data.
  package var setFeature: @Sendable (_ descriptor: Int32, _ bytes: [UInt8]) throws(Failure) -> Void =
    Self.writeFeature
  /// Reads an attribute of sysfs.
  package var attribute: @Sendable (_ path: String) throws(Failure) -> String = Self.readAttribute
  /// Writes one.
  package var setAttribute: @Sendable (_ path: String, _ text: String) throws(Failure) -> Void = Self.writeAttribute

  /// The system's own.
  package static let system = HeadTrackerNodes()

  package init() {}

  private static func openNode(_ path: String, _ writes: Bool) throws(Failure) -> Int32 {
    let descriptor = Glibc.open(path, (writes ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    return descriptor
  }

  private static func readFeature(_ descriptor: Int32, _ id: UInt8, _ count: Int) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 + min(count, HIDReportDescriptor.reportLimit))
    bytes[0] = id
    let result = ioctl(descriptor, linux_hidraw_get_feature(UInt32(bytes.count)), &bytes)
    guard result >= 0 else { throw Failure(errno: errno) }
    return Array(bytes.prefix(Int(result)))
  }

  private static func writeFeature(_ descriptor: Int32, _ bytes: [UInt8]) throws(Failure) {
    var bytes = bytes
    guard ioctl(descriptor, linux_hidraw_set_feature(UInt32(bytes.count)), &bytes) >= 0 else {
      throw Failure(errno: errno)
    }
  }

  private static func readAttribute(_ path: String) throws(Failure) -> String {
    do { return try SystemFiles.system.read(path) } catch { throw Failure(errno: error.errno) }
  }

  private static func writeAttribute(_ path: String, _ text: String) throws(Failure) {
    do { try SystemFiles.system.write(path, text) } catch { throw Failure(errno: error.errno) }
  }

  /// The bytes of a file of at most `limit` bytes; none when it is longer or cannot be read.
  static func bytes(of path: String, limit: Int) -> [UInt8] {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: limit + 1)
    while bytes.count <= limit {
      let read = Glibc.read(descriptor, &piece, piece.count)
      guard read > 0 else { break }
      bytes += piece.prefix(read)
    }
    return bytes.count <= limit ? bytes : []
  }
}
