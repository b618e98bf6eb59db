// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

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

  @Test func aLongRecordingHasItsTimeInMinutes() {
    #expect(TimeAxis(from: 0, to: 3600, count: 8).title.contains("(min)"))
    // 19.99 s of samples reach the mark at 20.
    #expect(TimeAxis(from: 0, to: 19.99, count: 10).end == 20)
    #expect(TimeAxis(from: 0, to: 17.3, count: 10).end == 17.3)
  }
}
