// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The built `motionctl`, or another program of the package, as a child process: what a person in a shell has.
package final class MotionctlProcess {
  /// What is left when it has ended.
  package struct Result {
    package var output: Data
    package var errors: String
    /// The exit code, or 128 + number when a signal killed it, as shells say it.
    package var code: Int32

    package var text: String { String(decoding: output, as: UTF8.self) }
    package var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: true) }
    package var errorLines: [Substring] { errors.split(separator: "\n") }
    /// The lines of a CSV, cut into cells.
    package var cells: [[Substring]] {
      lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    }
  }

  private let process = Process()
  private let output = Pipe()
  private let folder: TemporaryFolder

  /// Starts it. It inherits nothing of MOTION_… from the tests' own environment.
  package init(_ arguments: [String], environment: [String: String] = [:], program: String = "motionctl") throws {
    folder = try TemporaryFolder()
    process.executableURL = URL(fileURLWithPath: program, relativeTo: Self.executable)
    process.arguments = arguments
    let own = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MOTION_") }
    process.environment = own.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.write("errors", "")))
    try process.run()
  }

  /// A server has no end of its own: a test that fails in the middle leaves none behind.
  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Runs it to its end.
  package static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
    try MotionctlProcess(arguments, environment: environment).finish()
  }

  /// Starts a script for the shell, with the program as `$MOTIONCTL`.
  package static func shell(_ script: String) throws -> MotionctlProcess {
    try MotionctlProcess(["-c", script], environment: ["MOTIONCTL": executable.path], program: "/bin/sh")
  }

  /// Runs it with a terminal of so many columns as standard output and standard error; returns what is on it.
  package static func onTerminal(
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
  package func readSome() -> Data { output.fileHandleForReading.availableData }

  package func closeOutput() throws { try output.fileHandleForReading.close() }

  package var isRunning: Bool { process.isRunning }

  package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Whether it waits for signals on a thread of its own, and has since gone to sleep or computed for a tenth of a
  /// second.
  package var isAtWork: Bool {
    let folder = "/proc/\(process.processIdentifier)"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/task")) ?? []
    let names = threads.compactMap { try? String(contentsOfFile: "\(folder)/task/\($0)/comm", encoding: .utf8) }
    // Behind the program's name, which is in brackets: the state is the first, the ticks of processor time are the 12th
    // and 13th.
    guard names.contains("motion signals\n"), let text = try? String(contentsOfFile: folder + "/stat", encoding: .utf8)
    else { return false }
    let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst()
    let ticks = fields.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
    defer { ticksAtStart = ticksAtStart ?? ticks }
    return fields.first == "S" || ticks > (ticksAtStart ?? ticks) + sysconf(Int32(_SC_CLK_TCK)) / 10
  }
  private var ticksAtStart: Int?

  /// What has come on standard error so far.
  package var errorsSoFar: String { folder.text("errors") ?? "" }

  /// Reads the rest of the output and waits for the end.
  package func finish(after begun: Data = Data(), readsOutput: Bool = true) throws -> Result {
    let rest = readsOutput ? try output.fileHandleForReading.readToEnd() ?? Data() : Data()
    process.waitUntilExit()
    let code = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return Result(output: begun + rest, errors: errorsSoFar, code: code)
  }

  /// Beside the running test executable: the products directory.
  package static var executable: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("motionctl")
  }
}

/// The columns of `/motion/device`, Documentation/Formats.md 6.3.
package let deviceMotionHeader =
  "timestamp,attitude_x,attitude_y,attitude_z,attitude_w,rotationRate_x,rotationRate_y,rotationRate_z,gravity_x,gravity_y,gravity_z,userAcceleration_x,userAcceleration_y,userAcceleration_z,magneticField_x,magneticField_y,magneticField_z,magneticField_accuracy,heading,headingAccuracy,sensorLocation,attitudeReferenceFrame,inclinationDeviation,headingDeviation"
