// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
package import MotionSensing

/// A HID device that is a head tracker.
struct HeadTrackerDevice: Hashable, Sendable {
  /// The kernel's name, "0005:054C:0DF0.0001": bus, vendor, product, number.
  let kernelName: String
  /// The name that it gives itself.
  let name: String
  /// Its address or serial number; empty where it has none.
  let unique: String
  let description: HeadTrackerDescription
  /// Its hidraw node, `/dev/hidrawN`; nil = the kernel's sensor hub has it.
  let node: String?

  /// The device of a folder; nil when it is no head tracker.
  private init?(folder: String, kernelName: String, root: SystemRoot) {
    let bytes = HeadTrackerNodes.descriptor("\(folder)/report_descriptor")
    guard !bytes.isEmpty, let description = HeadTrackerDescription(bytes: bytes) else { return nil }
    self.description = description
    self.kernelName = kernelName
    let files = SystemFiles.system
    var facts: [Substring: Substring] = [:]
    let text = (try? files.read("\(folder)/uevent")) ?? ""
    for line in text.split(separator: "\n") {
      let pair = line.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { facts[pair[0]] = pair[1] }
    }
    name = facts["HID_NAME"].map(String.init) ?? "head tracker"
    unique = facts["HID_UNIQ"].map(String.init) ?? ""
    node = files.list("\(folder)/hidraw").first { $0.hasPrefix("hidraw") }.map { "\(root.nodes)/\($0)" }
  }

  /// All head trackers, in the order of their names.
  static func all(root: SystemRoot) -> [HeadTrackerDevice] {
    SystemFiles.system.list(root.hidDevices).compactMap {
      HeadTrackerDevice(folder: "\(root.hidDevices)/\($0)", kernelName: $0, root: root)
    }
  }

  /// Whether the kernel still has it.
  func isPresent(root: SystemRoot) -> Bool { access("\(root.hidDevices)/\(kernelName)", F_OK) == 0 }

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
  package typealias Failure = SystemFailure

  /// Opens a node for reading and writing, without blocking.
  package var open: @Sendable (_ path: String) throws(Failure) -> Int32 = Self.openNode
  /// Reads a feature report of hidraw, `HIDIOCGFEATURE`: the number, then at most `count` bytes of data.
  package var feature: @Sendable (_ descriptor: Int32, _ id: UInt8, _ count: Int) throws(Failure) -> [UInt8] =
    Self.readFeature
  /// Writes one, `HIDIOCSFEATURE`: the number, then the data.
  package var setFeature: @Sendable (_ descriptor: Int32, _ bytes: [UInt8]) throws(Failure) -> Void =
    Self.writeFeature

  /// The system's own.
  package static let system = HeadTrackerNodes()

  package init() {}

  private static func openNode(_ path: String) throws(Failure) -> Int32 {
    let descriptor = MotionSensing.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
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

  /// A report descriptor, which the kernel gives as a whole; empty when it is too long or cannot be read.
  static func descriptor(_ path: String) -> [UInt8] {
    let descriptor = MotionSensing.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: HIDReportDescriptor.byteLimit + 1)
    let count = read(descriptor, &bytes, bytes.count)
    return count <= HIDReportDescriptor.byteLimit ? Array(bytes.prefix(max(0, count))) : []
  }
}
