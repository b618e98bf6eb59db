// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing

/// Finds the trials in a folder, each recognised by its content.
///
/// A folder is a trial itself (a phone's recording with a truth beside it), holds trials (`.f32` files of the BROAD
/// layout), or holds folders to look into.
package struct TrialSearch {
  /// Folders inside folders.
  private static let depth = 3

  package private(set) var trials: [any AccuracyTrial] = []
  /// What looked like a trial and is none, a sentence each.
  package private(set) var notices: [String] = []
  private let parameters: FilterParameters

  /// Everything below `path`; a sentence says why when there is nothing. `parameters` are for the trials of the BROAD
  /// layout.
  package init(path: String, parameters: FilterParameters = FilterParameters()) throws {
    self.parameters = parameters
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw SensorError(.notFound, "“\(path)” does not exist.")
    }
    if isFolder.boolValue {
      try look(into: path, level: 0)
    } else if Self.isBroad(path) {
      trials.append(BroadTrial(path: path, changes: parameters))
    }
    guard trials.isEmpty else { return }
    if let notice = notices.first, notices.count == 1 { throw SensorError(.unsupported, notice) }
    throw SensorError(
      .notFound,
      "“\(path)” holds no trial: a trial is a .f32 file of the BROAD layout, or a folder with gravity.txt or qualisys.csv whose recording is in it or in the folder mcap."
    )
  }

  private mutating func look(into folder: String, level: Int) throws {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw SensorError(.notPermitted, "“\(folder)” cannot be read: \(error.localizedDescription)")
    }
    var isFlat = true
    for name in names {
      let path = "\(folder)/\(name)"
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
      if isFolder.boolValue {
        isFlat = false
        if level < Self.depth { try look(into: path, level: level + 1) }
      } else if Self.isBroad(path) {
        isFlat = false
        trials.append(BroadTrial(path: path, changes: parameters))
      }
    }
    if isFlat { addRecording(folder) }
  }

  private static func isBroad(_ path: String) -> Bool { path.hasSuffix(".f32") }

  /// A folder of files only: a phone's trial, or something else, which needs no word.
  private mutating func addRecording(_ folder: String) {
    let hasCapture = MotionCaptureTruth.exists(in: folder)
    let hasApples = CompressedText.find("gravity.txt", in: folder) != nil
    guard let path = PhoneSamples.recording(of: folder) else {
      if hasCapture || hasApples { notices.append("“\(folder)” has a truth and no recording.") }
      return
    }
    do throws(SensorError) { _ = try Recording.open(path: path) } catch {
      notices.append("\(error)")
      return
    }
    if hasCapture {
      trials.append(MotionCaptureTrial(path: folder))
    } else if hasApples {
      trials.append(AppleTrial(path: folder))
    } else {
      notices.append("“\(folder)” has no truth to be measured against: qualisys.csv or gravity.txt is missing.")
    }
  }
}
