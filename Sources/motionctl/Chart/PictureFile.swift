// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The picture that a command draws beside its text: `--output dive.png`.
struct PictureFile {
  private let path: String
  private let file: OutputFile

  /// Nil without a path. Refuses a name that is no picture's before anything runs.
  static func open(_ path: String?, readingFrom input: String?) throws -> PictureFile? {
    guard let path else { return nil }
    guard isPicture(path) else {
      throw ValidationError("“\(path)” names no kind of picture: end it with .png or .svg.")
    }
    return PictureFile(path: path, file: try OutputFile.open(path, readingFrom: input))
  }

  static func isPicture(_ path: String) -> Bool {
    let name = path.lowercased()
    return name.hasSuffix(".png") || name.hasSuffix(".svg")
  }

  /// Draws; a chart of fewer than two points leaves nothing behind.
  func write(_ chart: Chart) throws {
    guard chart.times.count > 1 else {
      file.discard()
      throw CommandFailure("There are too few samples for a picture: \(path) was not written.")
    }
    let (width, height) = (1200, 700)
    let drawings = ChartLayout(chart, width: width, height: height).drawings
    do {
      if path.lowercased().hasSuffix(".svg") {
        try file.write(SVGRenderer.render(drawings, width: width, height: height))
      } else {
        try file.write(try PNGEncoder.encode(Raster.render(drawings, width: width, height: height)))
      }
      try file.commit()
    } catch {
      file.discard()
      throw error
    }
  }

  func discard() { file.discard() }
}
