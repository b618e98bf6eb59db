// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The built `motionctl`, or another program of the package, as a child process: what a person in a shell has.
final class MotionctlProcess {
  /// What is left when it has ended.
  struct Result {
    var output: Data
    var errors: String
    /// The exit code, or 128 + number when a signal killed it, as shells say it.
    var code: Int32

    var text: String { String(decoding: output, as: UTF8.self) }
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: true) }
    var errorLines: [Substring] { errors.split(separator: "\n") }
    /// The lines of a CSV, cut into cells.
    var cells: [[Substring]] {
      lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    }
  }

  private let process = Process()
  private let output = Pipe()
  private let errors: TemporaryFile

  /// Starts it. It inherits nothing of MOTION_… from the tests' own environment.
  init(_ arguments: [String], environment: [String: String] = [:], program: String = "motionctl") throws {
    errors = try TemporaryFile()
    process.executableURL = Self.executable.deletingLastPathComponent().appendingPathComponent(program)
    process.arguments = arguments
    let own = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MOTION_") }
    process.environment = own.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors.url)
    try process.run()
  }

  /// A server has no end of its own: a test that fails in the middle leaves none behind.
  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Runs it to its end.
  static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
    try MotionctlProcess(arguments, environment: environment).finish()
  }

  /// Runs it with a terminal of so many columns as standard output and standard error; returns what is on it.
  static func onTerminal(
    columns: Int, _ arguments: [String], environment: [String: String] = ["TERM": "xterm", "NO_COLOR": ""]
  ) throws -> String {
    // Glibc's module has no posix_openpt: the ioctls behind it, TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)).
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (lock, number): (Int32, Int32) = (0, 0)
    var size = winsize(ws_row: 40, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0,
      ioctl(master, UInt(TIOCSWINSZ), &size) == 0
    else { throw POSIXError(.ENOTTY) }
    let other = FileHandle(fileDescriptor: open("/dev/pts/\(number)", O_RDWR | O_NOCTTY), closeOnDealloc: true)
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MOTION_") }.merging(
      environment
    ) { $1 }
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (other, other)
    try process.run()
    try other.close()
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    // EIO: the other end has been closed.
    while case let count = read(master, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
    close(master)
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  /// Waits for the first output.
  func readSome() -> Data { output.fileHandleForReading.availableData }

  func closeOutput() throws { try output.fileHandleForReading.close() }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Whether it waits for signals on a thread of its own, and has since gone to sleep or computed for a tenth of a second.
  var isAtWork: Bool {
    let folder = "/proc/\(process.processIdentifier)"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/task")) ?? []
    let names = threads.compactMap { try? String(contentsOfFile: "\(folder)/task/\($0)/comm", encoding: .utf8) }
    // Behind the program's name, which is in brackets: the state is the first, the ticks of processor time are the 12th and 13th.
    guard names.contains("motion signals\n"), let text = try? String(contentsOfFile: folder + "/stat", encoding: .utf8)
    else { return false }
    let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst()
    let ticks = fields.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
    defer { ticksAtStart = ticksAtStart ?? ticks }
    return fields.first == "S" || ticks > (ticksAtStart ?? ticks) + sysconf(Int32(_SC_CLK_TCK)) / 10
  }
  private var ticksAtStart: Int?

  /// What has come on standard error so far.
  var errorsSoFar: String { (try? String(contentsOf: errors.url, encoding: .utf8)) ?? "" }

  /// Reads the rest of the output and waits for the end.
  func finish(after begun: Data = Data(), readsOutput: Bool = true) throws -> Result {
    let rest = readsOutput ? try output.fileHandleForReading.readToEnd() ?? Data() : Data()
    process.waitUntilExit()
    let code = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return Result(output: begun + rest, errors: errorsSoFar, code: code)
  }

  /// Beside the running test executable: the products directory.
  static var executable: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("motionctl")
  }
}

/// Waits until `condition` holds; false when it does not within `seconds`, which are many because all suites run at once.
@discardableResult func waitUntil(within seconds: Int = 60, _ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < deadline {
    if try condition() { return true }
    usleep(5000)
  }
  return try condition()
}

/// An empty file that goes away with its owner.
final class TemporaryFile {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("motionctl-\(UUID().uuidString)")
    try Data().write(to: url)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// A folder that goes away with its owner.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("motionctl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
  func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: url.appendingPathComponent(name)) }
  func read(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }
  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() } }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// The columns of `/motion/device`, Documentation/Formats.md 6.3.
let deviceMotionHeader =
  "timestamp,attitude_x,attitude_y,attitude_z,attitude_w,rotationRate_x,rotationRate_y,rotationRate_z,gravity_x,gravity_y,gravity_z,userAcceleration_x,userAcceleration_y,userAcceleration_z,magneticField_x,magneticField_y,magneticField_z,magneticField_accuracy,heading,headingAccuracy,sensorLocation,attitudeReferenceFrame,inclinationDeviation,headingDeviation"
