// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CZlib
import Testing

@testable import MotionTools

/// The chart's own laws, without a process.
@Suite struct ChartTests {
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
      title: "", unit: "g", series: [Chart.Series(name: "x", color: .blue, values: [0, 0])], leastSpan: 0.1)
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
          title: "Depth", unit: "m", series: [Chart.Series(name: "x", color: .blue, values: [0, 1])], leastSpan: 1)
      ])
    var subtitle: [String] = []
    var lowest = 0.0
    var caption = 0.0
    for case .text(let text, at: let place, size: let size, anchor: .start, isBold: let isBold, _) in ChartLayout(
      chart, width: width, height: width * 3 / 4
    ).drawings {
      #expect(place.x + StrokeFont.width(text, size: size) <= Double(width), "\(text)")
      if text.hasPrefix("deepest") {
        #expect(!isBold && !text.hasSuffix("·"))
        subtitle.append(text)
        lowest = max(lowest, place.y)
      }
      if text.hasPrefix("Depth") { caption = place.y - size }
    }
    #expect(subtitle.count > 1 && subtitle.joined(separator: " · ") == words && lowest < caption)
  }

  /// A short forward swing behind a long backswing.
  @Test func namesOfBandsDoNotRunIntoEachOther() {
    let chart = Chart(
      title: "", subtitle: "", times: [0, 1],
      panels: [
        Chart.Panel(
          title: "", unit: "g", series: [Chart.Series(name: "", color: .blue, values: [0, 1])], leastSpan: 1)
      ],
      bands: [
        .init(name: "backswing", from: 0.1, to: 0.6), .init(name: "forward swing", from: 0.6, to: 0.62),
        .init(name: "impact", from: 0.62, to: 0.62),
      ])
    var places: [String: Point] = [:]
    for case .text(let text, at: let place, size: _, anchor: _, isBold: _, _) in ChartLayout(
      chart, width: 1200, height: 700
    ).drawings { places[text] = place }
    #expect(places["backswing"]?.y == places["forward swing"]?.y)
    #expect((places["impact"]?.y ?? 0) - (places["forward swing"]?.y ?? 0) > 12)
  }

  @Test func aDepthReadsPositiveDownwards() {
    let chart = Chart(
      title: "", subtitle: "", times: [0, 1],
      panels: [
        Chart.Panel(
          title: "", unit: "m", series: [Chart.Series(name: "", color: .blue, values: [0, -40])], leastSpan: 1,
          isDownward: true)
      ])
    var marks: [String: Double] = [:]
    for case .text(let text, at: let place, size: _, anchor: .end, isBold: _, _) in ChartLayout(
      chart, width: 1200, height: 700
    ).drawings { marks[text] = place.y }
    #expect((marks["40"] ?? 0) > (marks["0"] ?? .infinity) && !marks.keys.contains { $0.hasPrefix("\u{2212}") })
  }

  @Test func everyPrintableCharacterHasAGlyphOfItsOwn() {
    let unknown = StrokeFont.strokes("\u{4E16}", at: Point(x: 0, y: 0), size: 14, anchor: .start)
    for value in UInt8(33)...126 {
      let character = String(UnicodeScalar(value))
      let strokes = StrokeFont.strokes(character, at: Point(x: 0, y: 0), size: 14, anchor: .start)
      #expect(!strokes.isEmpty && strokes != unknown, "\(character)")
      // Nothing below the descender or above the line.
      #expect(strokes.joined().allSatisfy { $0.y < 4 && $0.y > -12 }, "\(character)")
    }
    #expect(StrokeFont.width("é", size: 14) == StrokeFont.width("e", size: 14))
  }

  @Test func textIsSetByItsAnchor() {
    let width = StrokeFont.width("HH", size: 20)
    let starts = [Drawing.Anchor.start, .middle, .end].map {
      StrokeFont.strokes("HH", at: Point(x: 100, y: 0), size: 20, anchor: $0).joined().map(\.x).min() ?? 0
    }
    #expect(abs(starts[0] - 100) < 1e-9)
    #expect(abs(starts[1] - (100 - width / 2)) < 1e-9)
    #expect(abs(starts[2] - (100 - width)) < 1e-9)
  }

  @Test func aLineOfOnePixelInTheMiddleOfAPixelIsSharp() {
    let line = Drawing.lines([[Point(x: 2.5, y: 4.5), Point(x: 7.5, y: 4.5)]], width: 1, Color(0x000000))
    let raster = Raster.render([line], width: 10, height: 10)
    #expect(Self.gray(raster, 5, 4) == 0)
    #expect(Self.gray(raster, 5, 3) == 255)
    #expect(Self.gray(raster, 5, 5) == 255)
  }

  @Test func aLineBetweenTwoPixelsIsSharedByBoth() {
    let line = Drawing.lines([[Point(x: 0, y: 5), Point(x: 10, y: 5)]], width: 1, Color(0x000000))
    let raster = Raster.render([line], width: 10, height: 10)
    #expect(abs(Int(Self.gray(raster, 5, 4)) - 127) <= 1)
    #expect(Self.gray(raster, 5, 4) == Self.gray(raster, 5, 5))
  }

  @Test func linesBeyondThePageDoNoHarm() {
    let line = Drawing.lines([[Point(x: -50, y: -50), Point(x: 60, y: 60)]], width: 3, Color(0x000000))
    let raster = Raster.render([line, .fill(x: 5, y: -9, width: 99, height: 12, .blue)], width: 10, height: 10)
    #expect(Self.gray(raster, 5, 5) == 0)
    #expect(Self.gray(raster, 9, 2) == Color.blue.red)
  }

  @Test func aPNGReadsBackToItsPixels() throws {
    let drawing = Drawing.fill(x: 1, y: 1, width: 3, height: 2, Color(0x102030))
    let raster = Raster.render([drawing], width: 5, height: 4)
    let file = try PNGEncoder.encode(raster)
    // Signature 8, IHDR 25, then the length of IDAT.
    let length = file[33..<37].reduce(0) { $0 << 8 | Int($1) }
    let stored = Array(file[41..<41 + length])
    var size = uLong(1000)
    var rows = [UInt8](repeating: 0, count: 1000)
    #expect(uncompress(&rows, &size, stored, uLong(stored.count)) == Z_OK)
    #expect(Int(size) == (5 * 3 + 1) * 4)
    var pixels: [UInt8] = []
    for row in 0..<4 {
      #expect(rows[row * 16] == 2)
      for column in 0..<15 {
        let above = row > 0 ? pixels[(row - 1) * 15 + column] : 0
        pixels.append(rows[row * 16 + 1 + column] &+ above)
      }
    }
    #expect(pixels == raster.pixels)
  }

  @Test func aLongRecordingHasItsTimeInMinutes() {
    #expect(TimeAxis(from: 0, to: 3600, count: 8).title.contains("(min)"))
    // 19.99 s of samples reach the mark at 20.
    #expect(TimeAxis(from: 0, to: 19.99, count: 10).end == 20)
    #expect(TimeAxis(from: 0, to: 17.3, count: 10).end == 17.3)
  }

  private static func gray(_ raster: Raster, _ x: Int, _ y: Int) -> UInt8 {
    raster.pixels[(y * raster.width + x) * 3]
  }
}
