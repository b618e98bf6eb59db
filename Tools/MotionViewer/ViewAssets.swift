// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionTools

/// The files of the page: our own, which are in the program, and three.js and uPlot from a folder
/// (`Scripts/viewer-assets.sh`).
///
/// All are read once, at the start.
package struct ViewAssets: Sendable {
  package struct File: Sendable {
    var contentType: String
    package var bytes: [UInt8]
  }

  package private(set) var files: [String: File] = [:]

  /// What the folder holds.
  static let libraries = ["three.js", "uplot.js", "uplot.css"]

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    let folders = Self.folders(environment)
    guard let folder = folders.first(where: Self.isComplete) else {
      throw CommandFailure(
        "The viewer needs three.js and uPlot, which are in none of these folders: \(folders.joined(separator: ", ")). "
          + "Run Scripts/viewer-assets.sh of the repository once (it needs pip), or install the Debian package, which has them."
      )
    }
    for name in Self.libraries {
      let path = "\(folder)/\(name)"
      guard let data = FileManager.default.contents(atPath: path) else {
        throw CommandFailure("“\(path)” cannot be read.")
      }
      files["/\(name)"] = Self.file(name, [UInt8](data))
    }
    for (name, bytes) in Self.own { files["/\(name)"] = Self.file(name, bytes) }
    files["/"] = files["/index.html"]
  }

  /// Where the libraries may be, the first choice first.
  package static func folders(_ environment: [String: String]) -> [String] {
    var folders: [String] = []
    if let folder = environment["MOTION_VIEWER"], !folder.isEmpty { folders.append(folder) }
    let home = environment["HOME"] ?? "/"
    func list(_ name: String, _ fallback: String) -> [String] {
      let value = environment[name] ?? ""
      return (value.isEmpty ? fallback : value).split(separator: ":").map { "\($0)/opencoremotion/viewer" }
    }
    folders += list("XDG_DATA_HOME", "\(home)/.local/share")
    // Beside the program, as in the tarball; in the build folder of the repository.
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    folders.append(program.deletingLastPathComponent().appendingPathComponent("share/opencoremotion/viewer").path)
    folders += list("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
    return folders.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static func isComplete(_ folder: String) -> Bool {
    libraries.allSatisfy { FileManager.default.isReadableFile(atPath: "\(folder)/\($0)") }
  }

  private static let own: [(String, [UInt8])] = [
    ("index.html", PackageResources.index_html), ("viewer.css", PackageResources.viewer_css),
    ("icon.svg", PackageResources.icon_svg), ("angles.js", PackageResources.angles_js),
    ("connection.js", PackageResources.connection_js), ("controls.js", PackageResources.controls_js),
    ("head.js", PackageResources.head_js), ("main.js", PackageResources.main_js),
    ("playback.js", PackageResources.playback_js), ("readings.js", PackageResources.readings_js),
    ("records.js", PackageResources.records_js),
    ("scene.js", PackageResources.scene_js), ("strips.js", PackageResources.strips_js),
    ("view.js", PackageResources.view_js),
  ]

  private static func file(_ name: String, _ bytes: [UInt8]) -> File {
    let types: [Substring: String] = [
      "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
      "svg": "image/svg+xml",
    ]
    let type = name.split(separator: ".").last.flatMap { types[$0] } ?? "application/octet-stream"
    return File(contentType: type, bytes: bytes)
  }
}
