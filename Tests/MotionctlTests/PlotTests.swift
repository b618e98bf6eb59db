// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import Testing

@testable import MotionTools
@testable import MotionViewer

/// `motionctl plot`.
@Suite struct PlotTests {
  @Test func aPictureIsSVGAndAPNGIsMadeByAnother() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run(
      "plot", "simulate:handheld", "--for", "4", "-o", folder.path("x.svg"))
    #expect(result.code == 0)
    #expect(result.errors.contains("400 rows"))
    #expect(String(decoding: try folder.read("x.svg"), as: UTF8.self).contains("viewBox=\"0 0 1200 "))
    let png = try MotionctlProcess.run("plot", "simulate:handheld", "--for", "4", "-o", folder.path("x.png"))
    #expect(png.code == 64 && png.errors.contains("rsvg-convert"))
    #expect(try folder.names == ["x.svg"])
  }

  private func table(_ header: String, in folder: TemporaryFolder, rows: [String]) throws -> String {
    try folder.write(([header] + rows).joined(separator: "\n") + "\n", to: "log.csv")
    return folder.path("log.csv")
  }

  /// A watch that logs its accelerometer only: still for three seconds, then moved, with a pause.
  @Test func aLogOfTheAccelerometerAloneIsDrawnWithRestAndPauses() throws {
    let folder = try TemporaryFolder()
    let path = try table(
      "t,ax,ay,az", in: folder,
      rows: (0..<600).filter { !(450..<480).contains($0) }.map { index in
        "\(Double(index) / 100),\(index < 300 ? 0 : Double(index % 7) / 10),0,-1"
      })
    let map = ["--map", "t=t[s] ax=ax[g] ay=ay az=az", "--sign", "apple"]
    let result = try MotionctlProcess(["plot", path, "-o", folder.path("x.svg")] + map).finish()
    #expect(result.code == 0 && result.errors.contains("570 rows"), "\(result.errors)")
    let svg = String(decoding: try folder.read("x.svg"), as: UTF8.self)
    #expect(svg.contains("Accelerometer (g)") && !svg.contains("Attitude"))
    #expect(svg.contains(">at rest<") && svg.contains(">no samples<"))
    // One stretch of rest and one pause, behind one panel; and the legend.
    #expect(svg.components(separatedBy: Color.rest.hex).count - 1 == 2)
    #expect(svg.components(separatedBy: Color.gap.hex).count - 1 == 2)
    // A part without the pause.
    let part = try MotionctlProcess(
      ["plot", path, "-o", folder.path("y.svg"), "--from", "1s", "--to", "2s"] + map
    ).finish()
    #expect(part.errors.contains("100 rows over 0.99 s"), "\(part.errors)")
    let other = String(decoding: try folder.read("y.svg"), as: UTF8.self)
    #expect(!other.contains(">no samples<") && other.contains(">1.2<") && !other.contains(">3<"))
    let missing = try MotionctlProcess(["plot", path, "-o", folder.path("z.svg"), "--channels", "heading"] + map)
      .finish()
    #expect(missing.code == 1 && missing.errors.contains("gyroscope"), "\(missing.errors)")
    #expect(try folder.names == ["log.csv", "x.svg", "y.svg"])
  }

  @Test func everyChannelHasItsPanelInTheOrderThatWasAskedFor() throws {
    let folder = try TemporaryFolder()
    let names = "temperature,pressure,heading,rotation-rate,accelerometer,gyroscope,magnetometer,gravity"
    let result = try MotionctlProcess.run(
      "plot", "simulate:handheld", "--for", "4", "--frame", "magnetic", "--channels", names, "-o", folder.path("x.svg"))
    #expect(result.code == 0, "\(result.errors)")
    let svg = String(decoding: try folder.read("x.svg"), as: UTF8.self)
    let titles = [
      "Temperature (°C)", "Air pressure (kPa)", "Heading (°)", "Rotation rate (°/s)", "Accelerometer (g)",
      "Gyroscope (°/s)", "Magnetometer (µT)", "Gravity (g)",
    ]
    let places = titles.compactMap { svg.firstRange(of: $0)?.lowerBound }
    #expect(places.count == titles.count && places == places.sorted())
    #expect(svg.contains("height=\"2400\""))
    #expect(
      try MotionctlProcess.run("plot", "simulate:rest", "--channels", "depth", "-o", folder.path("y.svg")).code == 64)
  }

  @Test func anSVGIsWellFormedAndNamesTheSimulation() throws {
    let folder = try TemporaryFolder()
    _ = try MotionctlProcess.run("plot", "simulate:spin", "--for", "4", "-o", folder.path("x.svg"))
    let data = try folder.read("x.svg")
    let parser = XMLParser(data: data)
    #expect(parser.parse())
    let text = String(decoding: data, as: UTF8.self)
    for part in [
      "simulated device", "simulation: no sensor was read", "Attitude (°)", "Gravity (g)", "User acceleration (g)",
      ">roll<", ">pitch<", ">yaw<", "time since the first sample (s)",
    ] { #expect(text.contains(part)) }
  }
}

/// The chart's own laws, without a process.
@Suite struct ChartTests {
  /// A picture and the viewer's page, in its light theme, say roll, pitch, yaw, x, y and z in the same six colours.
  @Test func axesAndAnglesHaveTheColoursOfThePage() throws {
    let page = String(decoding: PackageResources.viewer_css, as: UTF8.self)
    let series = [PlotChannel.attitude, .gravity, .rotationRate, .accelerometer, .gyroscope, .magnetometer].flatMap {
      $0.panel(isInWater: false).series
    }
    let first = page.prefix { $0 != "}" }
    for line in series { #expect(first.contains("--\(line.name): \(line.color.hex);"), "\(line.name)") }
    #expect(Set(series.map(\.name)).count == 6 && Set(series.map(\.color)).count == 6)
  }

  @Test(arguments: [0.0...1, -0.3...0.7, 1e-6...3e-6, -1e4...9e4])
  func marksAreRoundAndInsideTheRange(range: ClosedRange<Double>) {
    let scale = Scale(range, count: 5)
    #expect((2...6).contains(scale.ticks.count))
    #expect(scale.ticks.allSatisfy { range.contains($0) })
  }

  @Test func labelsHaveTheDecimalsOfTheStepAndAMinusSign() {
    let scale = Scale(-0.1...0.1, count: 4)
    #expect(scale.ticks.map(scale.label) == ["\u{2212}0.10", "\u{2212}0.05", "0.00", "0.05", "0.10"])
    #expect(Scale(degrees: -180...180, count: 5).ticks == [-180, -90, 0, 90, 180])
  }

  @Test func aFlatSeriesStillHasAScale() {
    let panel = Chart.Panel(
      title: "", unit: "g", series: [Chart.Series(name: "x", color: .x, values: [0, 0])], leastSpan: 0.1)
    let scale = Scale(of: panel, count: 4)
    #expect(scale.range.upperBound - scale.range.lowerBound >= 0.1)
    #expect(scale.ticks.contains(0))
  }

  @Test func aPeakOfOneSampleSurvivesTheReduction() {
    var values = [Double](repeating: 0, count: 100_000)
    (values[41_234], values[77_777]) = (5, -7)
    let times = values.indices.map { Double($0) / 100 }
    let path = SeriesPath(times: times, toX: { $0 }, toY: { -$0 })
    let points = path.lines(values, isAngle: false).joined()
    #expect(points.count < 4100)
    #expect(points.map(\.y).min() == -5)
    #expect(points.map(\.y).max() == 7)
    #expect(zip(points, points.dropFirst()).allSatisfy { $0.x <= $1.x + 1 })
  }

  @Test func anAngleThatStepsOverItsBorderIsNoLine() {
    let times = [0.0, 1, 2, 3]
    let path = SeriesPath(times: times, toX: { $0 }, toY: { $0 })
    #expect(path.lines([170, 179, -179, -170], isAngle: true).map(\.count) == [2, 2])
    #expect(path.lines([170, 179, -179, -170], isAngle: false).map(\.count) == [4])
  }

  @Test func aPauseAndANaNAreHolesInTheLine() {
    let times = (0..<20).map { Double($0) } + [200.0, 201]
    var values = [Double](repeating: 1, count: 22)
    let path = SeriesPath(times: times, toX: { $0 }, toY: { $0 })
    #expect(path.lines(values, isAngle: false).count == 2)
    values[10] = .nan
    #expect(path.lines(values, isAngle: false).count == 3)
  }

  /// The sentence about an unknown offset is longer than the page is wide.
  @Test(arguments: [400, 1200, 4000]) func noTextLeavesThePage(width: Int) {
    let words = Array(repeating: "deepest-44.1-m", count: 20).joined(separator: " · ")
    let chart = Chart(
      title: "recording " + String(repeating: "garmin-", count: 20), subtitle: words, times: [0, 1],
      panels: [
        Chart.Panel(
          title: "Depth", unit: "m", series: [Chart.Series(name: "x", color: .x, values: [0, 1])], leastSpan: 1)
      ])
    var subtitle: [String] = []
    var lowest = 0.0
    var caption = 0.0
    for case .text(let text, at: let place, size: let size, anchor: .start, isBold: let isBold, _) in ChartLayout(
      chart, width: width, height: width * 3 / 4
    ).drawings {
      #expect(place.x + TextWidth.of(text, size: size) <= Double(width), "\(text)")
      if text.hasPrefix("deepest") {
        #expect(!isBold && !text.hasSuffix("·"))
        subtitle.append(text)
        lowest = max(lowest, place.y)
      }
      if text.hasPrefix("Depth") { caption = place.y - size }
    }
    #expect(subtitle.count > 1 && subtitle.joined(separator: " · ") == words && lowest < caption)
  }

  @Test func aDepthReadsPositiveDownwards() {
    let chart = Chart(
      title: "", subtitle: "", times: [0, 1],
      panels: [
        Chart.Panel(
          title: "", unit: "m", series: [Chart.Series(name: "", color: .x, values: [0, -40])], leastSpan: 1,
          isDownward: true)
      ])
    var marks: [String: Double] = [:]
    for case .text(let text, at: let place, size: _, anchor: .end, isBold: _, _) in ChartLayout(
      chart, width: 1200, height: 700
    ).drawings { marks[text] = place.y }
    #expect((marks["40"] ?? 0) > (marks["0"] ?? .infinity) && !marks.keys.contains { $0.hasPrefix("\u{2212}") })
  }

  @Test func aLongRecordingHasItsTimeInMinutes() {
    #expect(TimeAxis(from: 0, to: 3600, count: 8).title.contains("(min)"))
    // 19.99 s of samples reach the mark at 20.
    #expect(TimeAxis(from: 0, to: 19.99, count: 10).end == 20)
    #expect(TimeAxis(from: 0, to: 17.3, count: 10).end == 17.3)
  }
}
