// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Which file each of several inputs becomes, settled before the first is read.
///
/// `walk.csv` becomes `walk.motion.csv` where the ending is `.motion.csv`, beside the input or in one folder. A name
/// that two inputs would share, or that is an input itself, is an error: nothing is numbered or overwritten in silence.
package struct BatchPlan {
  package struct Item: Equatable {
    package var input: String
    package var output: String
  }

  package let items: [Item]

  /// Makes `folder` if it is not there; nil = beside each input, and for a simulation the working folder.
  package init(inputs: [String], folder: String?, ending: String) throws {
    if let folder { try Self.make(folder) }
    let items = inputs.map { input in
      let (directory, name) = Self.place(of: input, ending: ending)
      return Item(input: input, output: URL(fileURLWithPath: folder ?? directory).appendingPathComponent(name).path)
    }
    let identities = Set(inputs.map { Self.identity(Self.file(of: $0)) })
    var owners: [String: String] = [:]
    for item in items {
      let identity = Self.identity(item.output)
      if let other = owners[identity] {
        throw CommandFailure(
          "“\(other)” and “\(item.input)” would both become “\(item.output)”: fuse them one by one with --output, or into different folders with --out."
        )
      }
      if identities.contains(identity) {
        throw CommandFailure(
          "“\(item.output)” is an input: name another folder with --out, so that the recording stays.")
      }
      owners[identity] = item.input
    }
    self.items = items
  }

  package static func make(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure("The folder “\(folder)” cannot be made: \(error.localizedDescription)")
    }
  }

  /// The file of an input without scheme and options; for a simulation its address.
  private static func file(of input: String) -> String {
    let path = input.hasPrefix("replay:") ? String(input.dropFirst("replay:".count)) : input
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    return String(path.prefix { $0 != "?" })
  }

  /// Where an input lies, and the name of what it becomes.
  package static func place(of input: String, ending: String) -> (directory: String, name: String) {
    if input.hasPrefix("simulate:") {
      return (".", String(input.map { $0.isLetter || $0.isNumber ? $0 : "-" }) + ending)
    }
    let url = URL(fileURLWithPath: file(of: input))
    return (url.deletingLastPathComponent().path, url.deletingPathExtension().lastPathComponent + ending)
  }

  /// The same for all names of a file.
  private static func identity(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }
}
