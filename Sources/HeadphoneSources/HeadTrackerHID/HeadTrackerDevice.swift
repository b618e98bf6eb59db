// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

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
