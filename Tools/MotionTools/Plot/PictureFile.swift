// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The picture that a command draws beside its text: `--output dive.svg`.
package struct PictureFile {
  private let path: String
  private let file: OutputFile

  /// Nil without a path. The name has to be that of a picture.
  package static func open(_ path: String?, readingFrom input: String?) throws -> PictureFile? {
    guard let path else { return nil }
    return PictureFile(path: path, file: try OutputFile.open(path, readingFrom: input))
  }

  /// Opens the picture, if one is wanted, for the time of `body`; an error leaves things as they were.
  package static func drawing(
    _ path: String?, readingFrom input: String?, _ body: (PictureFile?) throws -> Void
  ) throws {
    let picture = try open(path, readingFrom: input)
    do { try body(picture) } catch {
      picture?.file.discard()
      throw error
    }
  }

  /// Draws a chart into a file of its own.
  package static func write(_ chart: Chart, height: Int, to path: String) throws {
    try drawing(path, readingFrom: nil) { try $0?.write(chart, height: height) }
  }

  package static func isPicture(_ path: String) -> Bool { path.lowercased().hasSuffix(".svg") }

  /// Draws; a chart of fewer than two points leaves nothing behind.
  package func write(_ chart: Chart, height: Int = 700) throws {
    let width = 1200
    guard chart.end > chart.start else {
      file.discard()
      throw CommandFailure("There are too few samples for a picture: \(path) was not written.")
    }
    let drawings = ChartLayout(chart, width: width, height: height).drawings
    try file.whole { try $0.write(SVGRenderer.render(drawings, width: width, height: height)) }
  }

  /// Draws the chart of a run that came to its end; of any other there is no picture.
  package func finish(_ outcome: Completion.Outcome, _ chart: () throws -> Chart) throws {
    if case .done = outcome { try write(chart()) } else { file.discard() }
  }
}
