// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHistory
import MotionSensing

/// The recorder as a service of systemd for one user (systemd.unit(5), systemd.service(5)).
package struct RecorderUnit {
  package static let name = "opencoremotion-recorder.service"

  private let environment = ProcessInfo.processInfo.environment

  package init() {}

  /// `XDG_CONFIG_HOME`, else `~/.config`.
  private var path: String? {
    func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    return (absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { $0 + "/.config" }).map {
      $0 + "/systemd/user/" + Self.name
    }
  }

  private var isThere: Bool { path.map { access($0, F_OK) == 0 } ?? false }

  /// Whether it is switched on, for people.
  package var sentence: String {
    isThere
      ? "The recorder is switched on (\(path ?? Self.name))."
      : "The recorder is not switched on: “motionctl recorder enable” does that."
  }

  package func enable(source: String?, store: String?, withoutAccelerometer: Bool) throws {
    guard let path else { throw CommandFailure("There is no folder for units: set HOME or XDG_CONFIG_HOME.") }
    let source = source ?? environment["MOTION_SOURCE"].flatMap { $0.isEmpty ? nil : $0 }
    let store = try StoreSelection(store)
    // What would be refused later, out of sight, is refused here.
    try MotionStore.checkPlace(store.path)
    if let source {
      let selection = try SourceSelection.open(source)
      guard selection.info.origin == .hardware else {
        throw CommandFailure(
          "\(selection.name) is no sensor: a service records what happens, not a recording or a simulation.")
      }
    }
    var words = [try Self.program, "recorder", "run"]
    if let source { words += ["--source", source] }
    if store.isNamed { words += ["--store", store.path] }
    if withoutAccelerometer { words.append("--no-accelerometer") }
    // What the recorder would find in this shell, and not as a service.
    let height = environment["MOTION_PERSON_HEIGHT"].flatMap { $0.isEmpty ? nil : "MOTION_PERSON_HEIGHT=\($0)" }
    let byHand = "Start the recorder yourself, at every login: \(Self.shell(words))"
    // Before anything is written: where no systemd answers, an attempt can take long and be interrupted.
    guard Self.systemctl(["show-environment"], isQuiet: true) else {
      throw CommandFailure(
        "systemd does not run for this user here, so nothing has been started or written. \(byHand)")
    }
    let undo = try write(Self.text(words, height.map { [$0] } ?? []), to: path)
    guard
      Self.systemctl(["daemon-reload"]) && Self.systemctl(["enable", Self.name])
        && Self.systemctl(["restart", Self.name])
    else {
      undo()
      throw CommandFailure(
        "systemd did not start the recorder, so everything is as it was before. \(byHand)")
    }
    StandardError.shared.say("Wrote \(path).")
    StandardError.shared.say(
      "The recorder runs, and begins again after every login. The history is \(store.path), for you alone; “motionctl recorder disable” ends it, “motionctl history delete --all” erases it."
    )
  }

  /// Writes the unit; what is returned brings back what was there before, a unit or none, and tells systemd.
  private func write(_ text: String, to path: String) throws -> () -> Void {
    let before = FileManager.default.contents(atPath: path)
    // The folders that are not there yet, innermost first.
    var folders: [String] = []
    var folder = (path as NSString).deletingLastPathComponent
    while access(folder, F_OK) != 0, folder.count > 1 {
      folders.append(folder)
      folder = (folder as NSString).deletingLastPathComponent
    }
    let undo = {
      if let before {
        try? before.write(to: URL(fileURLWithPath: path), options: .atomic)
        _ = Self.systemctl(["daemon-reload"]) && Self.systemctl(["restart", Self.name])
      } else {
        _ = Self.systemctl(["disable", "--now", Self.name])
        unlink(path)
        // systemctl makes a folder for the link by which it enables.
        rmdir((path as NSString).deletingLastPathComponent + "/default.target.wants")
        for folder in folders { rmdir(folder) }
        _ = Self.systemctl(["daemon-reload"])
      }
    }
    do {
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      for folder in folders { rmdir(folder) }
      throw CommandFailure("The unit cannot be written to \(path): \(error.localizedDescription)")
    }
    return undo
  }

  package func disable() throws {
    guard let path, isThere else {
      StandardError.shared.say("The recorder was not switched on.")
      return
    }
    let ran = Self.systemctl(["disable", "--now", Self.name])
    guard unlink(path) == 0 else {
      throw CommandFailure("\(path) cannot be removed: \(String(cString: strerror(errno))).")
    }
    _ = ran && Self.systemctl(["daemon-reload"])
    StandardError.shared.say(
      "Removed \(path). What has been recorded stays: “motionctl history delete --all” erases it.")
    guard ran else {
      throw CommandFailure(
        "systemd does not run for this user here: a recorder that was started by hand goes on until you end it (motionctl recorder status)."
      )
    }
  }

  /// The unit. A per cent sign begins a specifier there, and in the command line a dollar sign a variable.
  package static func text(_ words: [String], _ settings: [String]) -> String {
    func quoted(_ word: String) -> String {
      let escaped = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("%", with: "%%")
      return "\"\(escaped)\""
    }
    let command = words.map { quoted($0).replacing("$", with: "$$") }.joined(separator: " ")
    let environment = settings.map { "Environment=\(quoted($0))\n" }.joined()
    return """
      # Written by motionctl recorder enable; motionctl recorder disable removes it.
      [Unit]
      Description=OpenCoreMotion: history of steps, activities and the accelerometer

      [Service]
      \(environment)ExecStart=\(command)
      Restart=on-failure
      RestartSec=30
      UMask=0077

      [Install]
      WantedBy=default.target

      """
  }

  /// Where this program is.
  private static var program: String {
    get throws {
      guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
        throw CommandFailure("The place of this program is not known: /proc/self/exe cannot be read.")
      }
      return path
    }
  }

  private static func shell(_ words: [String]) -> String {
    words.map { word in
      word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=".contains($0) }
        ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }.joined(separator: " ")
  }

  /// Runs `systemctl --user`; false when it is not there or fails, which it then has explained on standard error.
  private static func systemctl(_ arguments: [String], isQuiet: Bool = false) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["systemctl", "--user"] + arguments
    process.standardOutput = isQuiet ? FileHandle.nullDevice : FileHandle.standardError
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
