// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The error of a system call.
package struct SystemFailure: Error, Hashable, Sendable {
  package var errno: Int32

  package init(errno: Int32) { self.errno = errno }
}

extension SensorError {
  /// A system call that failed for no reason that has a sentence of its own; `subject` begins the sentence, `advice`
  /// follows it.
  package static func refusal(by subject: String, errno: Int32, file: String, advice: String = "") -> SensorError {
    let sentence = "\(subject) refuses: \(String(cString: strerror(errno)))."
    return SensorError(
      .system, advice.isEmpty ? sentence : "\(sentence) \(advice)", at: .init(file: file), errno: errno)
  }

  /// A device node that this user may not read: a udev rule helps, `again` makes the kernel apply it, and the group
  /// `input` helps too.
  package static func closedNode(
    _ subject: String, rule: String, at rulePath: String, again: String, file: String, errno: Int32
  ) -> SensorError {
    SensorError(
      .notPermitted,
      "This program may not read \(subject). Put this line into \(rulePath): \(rule) and \(again) again; or add yourself to the group "
        + "“input” (sudo usermod -aG input \"$USER\") and log in again.",
      at: .init(file: file), errno: errno)
  }
}

/// The few things that a driver does to files of sysfs and /dev; tests replace them.
package struct SystemFiles: Sendable {
  /// The text of an attribute, without trailing newlines, blanks and NULs (IIO-7).
  package var read: @Sendable (_ path: String) throws(SystemFailure) -> String = Self.readText
  /// One `write` of the whole value: sysfs takes no other.
  package var write: @Sendable (_ path: String, _ text: String) throws(SystemFailure) -> Void = Self.writeText
  /// The names in a folder, sorted; none when it cannot be read.
  package var list: @Sendable (_ path: String) -> [String] = Self.listNames
  /// Opens a device node for reading without blocking.
  package var open: @Sendable (_ path: String) throws(SystemFailure) -> Int32 = Self.openNode

  /// Whether this program may use a path in a way (`R_OK`, `W_OK`).
  package var check: @Sendable (_ path: String, _ mode: Int32) throws(SystemFailure) -> Void = Self.checkAccess

  /// The system's own; a test replaces what it needs.
  package init() {}

  /// The system's own.
  package static let system = SystemFiles()

  /// The attribute as a number; nil when it is absent, fails or holds something else.
  package func number(_ path: String) -> Double? {
    guard let text = try? read(path), let number = Double(text), number.isFinite else { return nil }
    return number
  }

  private static func readText(_ path: String) throws(SystemFailure) -> String {
    // Passed as it is, the string would be copied.
    let descriptor = path.withCString { MotionSensing.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw SystemFailure(errno: errno) }
    defer { close(descriptor) }
    // Nearly all attributes are one number: they fit on the stack, and into a string without an allocation.
    var short = InlineArray<256, UInt8>(repeating: 0)
    var room = short.mutableSpan
    // unsafe: the kernel fills the room during the call.
    let head = room.withUnsafeMutableBytes { MotionSensing.read(descriptor, $0.baseAddress, $0.count) }
    guard head >= 0 else { throw SystemFailure(errno: errno) }
    if head < short.count { return text(of: short.span.extracting(..<head)) }
    // sysfs gives at most one page.
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw SystemFailure(errno: errno) }
    return text(of: bytes.span.extracting(..<count))
  }

  private static func text(of bytes: Span<UInt8>) -> String {
    let end = bytes.indices.last { bytes[$0] != 0 && bytes[$0] != UInt8(ascii: "\n") && bytes[$0] != UInt8(ascii: " ") }
    guard let end else { return "" }
    // unsafe: decoded in place during the call.
    return bytes.extracting(...end).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private static func writeText(_ path: String, _ text: String) throws(SystemFailure) {
    // O_TRUNC does nothing on sysfs and makes the same code right on the plain files of a test.
    let descriptor = MotionSensing.open(path, O_WRONLY | O_CLOEXEC | O_TRUNC)
    guard descriptor >= 0 else { throw SystemFailure(errno: errno) }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard MotionSensing.write(descriptor, bytes, bytes.count) == bytes.count else { throw SystemFailure(errno: errno) }
  }

  private static func listNames(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      // unsafe: a C array, which Swift has as a tuple.
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func openNode(_ path: String) throws(SystemFailure) -> Int32 {
    let descriptor = MotionSensing.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure(errno: errno) }
    return descriptor
  }

  private static func checkAccess(_ path: String, _ mode: Int32) throws(SystemFailure) {
    guard access(path, mode) == 0 else { throw SystemFailure(errno: errno) }
  }

  /// The path with every link followed; the path itself when that fails.
  package static func resolved(_ path: String) -> String {
    guard let pointer = realpath(path, nil) else { return path }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}

extension SystemRoot {
  /// The nodes of input devices.
  package var inputNodes: String { path + "/dev/input" }
  /// The attributes of industrial I/O devices.
  package var iioDevices: String { path + "/sys/bus/iio/devices" }
  /// The attributes of input devices.
  package var inputDevices: String { path + "/sys/class/input" }
  /// The attributes of HID devices.
  package var hidDevices: String { path + "/sys/bus/hid/devices" }
}

/// The settings of a source that reads the kernel's devices.
package protocol DeviceSettings: SourceSettings {
  /// The root of the devices. Default: the system's own folders.
  var root: SystemRoot { get set }
}

extension DeviceSettings {
  /// The defaults at a root.
  package init(root: SystemRoot) {
    self.init()
    self.root = root
  }

  /// The defaults at a root, changed by the options of an address, which may name another root.
  package init(_ options: [String: String], root: SystemRoot) throws(SensorError) {
    self.init(root: root)
    try Self.table.apply(options, to: &self)
  }
}

extension SourceOption {
  /// The option `root` of the sources that read the kernel's devices.
  package static func root(set: @escaping @Sendable (inout Settings, SystemRoot) -> Void) -> Self {
    value("root", "a folder used instead of /", default: "the system's", parse: { SystemRoot($0) }, set: set)
  }
}

/// A udev rule that lets users other than root read motion sensors.
///
/// Each rule is defined next to the errors that ask for it.
package struct UdevRule: Sendable, Hashable {
  /// What it is for, for a person.
  package var purpose: String
  /// The line itself.
  package var text: String
  /// The file that errors name for it; any file there that sorts before `73-seat-late.rules` does.
  package var path: String

  /// A rule from its parts.
  package init(purpose: String, text: String, path: String) {
    (self.purpose, self.text, self.path) = (purpose, text, path)
  }
}
