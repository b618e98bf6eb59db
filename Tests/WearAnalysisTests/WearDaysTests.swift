// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivityEstimation
import MotionMath
import Testing
import WearAnalysis

/// Numbers that look random and are the same everywhere: none of the system's generators.
struct Noise {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// −1…1.
  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(Int64(bitPattern: state) >> 11) / Double(1 << 52)
  }

  mutating func vector() -> SIMD3<Double> { SIMD3(next(), next(), next()) }
}

private let hour: Int64 = 3_600_000_000_000
/// 2026-11-26 on the local clock.
private let midnight: Int64 = 20_783 * 24 * hour

@Suite("Rows of days") struct WearDaysTests {
  /// What a device that is worn measures: about one g, moving by ±0.1 g.
  private func fill(
    _ days: inout WearDays, from begin: Int64, to end: Int64, rate: Int64 = 10, amplitude: Double = 0.1,
    _ noise: inout Noise
  ) {
    let step = 1_000_000_000 / rate
    for time in stride(from: begin, to: end, by: Int64.Stride(step)) {
      days.update((SIMD3(0, 0, 1) + amplitude * noise.vector()) * standardGravity, at: time)
    }
  }

  private func epoch(_ steps: Int, from start: Int64, to end: Int64) -> StepEpoch {
    StepEpoch(startNanoseconds: start, endNanoseconds: end, steps: steps, distance: 0, activeTime: 0)
  }

  @Test("ENMO and MAD are the published means, within 0.01 mg") func definitions() throws {
    var noise = Noise()
    var days = WearDays()
    var values: [SIMD3<Double>] = []
    for index in 0..<18_000 {
      let value = SIMD3(0.1, -0.2, 0.95) + 0.3 * noise.vector()
      values.append(value)
      days.update(value * standardGravity, at: midnight + 10 * hour + Int64(index) * 10_000_000)
    }
    // By hand: epochs of 500 values.
    var (enmo, mad) = (0.0, 0.0)
    for epoch in 0..<36 {
      let lengths = values[epoch * 500..<epoch * 500 + 500].map { ($0 * $0).sum().squareRoot() }
      let mean = lengths.reduce(0, +) / 500
      enmo += lengths.map { max(0, $0 - 1) }.reduce(0, +) / 500
      mad += lengths.map { abs($0 - mean) }.reduce(0, +) / 500
    }
    let row = try #require(days.finish().first)
    // The first sample of all has no time before it: the first epoch weighs a five hundredth less.
    #expect(abs(try #require(row.enmo) - enmo / 36) < 1e-5)
    #expect(abs(try #require(row.mad) - mad / 36) < 1e-5)
    #expect(row.samples == 18_000 && abs(row.covered - 179.99) < 1e-6 && row.gaps == 0)
  }

  @Test("A day begins at its midnight; one without samples between two is a row of its own") func boundaries() {
    var (noise, days) = (Noise(), WearDays())
    fill(&days, from: midnight - 2 * hour, to: midnight + hour, &noise)
    fill(&days, from: midnight + 50 * hour, to: midnight + 51 * hour, &noise)
    let rows = days.finish()
    #expect(rows.map(\.day) == [20_782, 20_783, 20_784, 20_785])
    #expect(rows.map { ($0.covered / 60).rounded() } == [120, 60, 0, 60])
    #expect(rows.map(\.gaps) == [0, 0, 0, 1])
    #expect(rows[2].enmo == nil && rows[2].samples == 0)
    #expect(rows[1].start == midnight && rows[1].end < midnight + hour)
  }

  @Test("Non-wear is found in its quarters of an hour, wear beside it is kept") func nonWear() {
    var (noise, days) = (Noise(), WearDays())
    fill(&days, from: midnight, to: midnight + 8 * hour, &noise)
    fill(&days, from: midnight + 8 * hour, to: midnight + 10 * hour, amplitude: 0.004, &noise)
    fill(&days, from: midnight + 10 * hour, to: midnight + 24 * hour, &noise)
    let row = days.finish()[0]
    #expect(abs(row.notWorn - 2 * 3600) < 1 && abs(row.worn - 22 * 3600) < 1)
    #expect(abs(row.cadence[0] - 22 * 60) < 0.01)
  }

  @Test("Wear of an hour between nights on a table is the post's, not the wearer's; a clipped quarter is not worn")
  func implausible() {
    var (noise, days) = (Noise(), WearDays())
    fill(&days, from: midnight, to: midnight + 8 * hour, &noise)
    fill(&days, from: midnight + 8 * hour, to: midnight + 13 * hour, amplitude: 0.004, &noise)
    fill(&days, from: midnight + 13 * hour, to: midnight + 14 * hour, &noise)
    fill(&days, from: midnight + 14 * hour, to: midnight + 19 * hour, amplitude: 0.004, &noise)
    fill(&days, from: midnight + 19 * hour, to: midnight + 24 * hour, &noise)
    #expect(abs(days.finish()[0].notWorn - 11 * 3600) < 1)

    var parameters = WearDays.Parameters()
    parameters.range = 1.2 * standardGravity
    var clipped = WearDays(parameters: parameters)
    fill(&clipped, from: midnight, to: midnight + hour, amplitude: 0.2, &noise)
    let row = clipped.finish()[0]
    #expect(row.clipped > 0.99 && row.worn == 0 && row.enmo == nil)
  }

  @Test("Many samples at once are the same as one after the other, to the bit") func blocks() {
    var noise = Noise()
    let forces = (0..<50_000).map { _ in
      let force = (SIMD3(0.3, 0.2, 0.9) + 0.2 * noise.vector()) * standardGravity
      return Vector3<Device>(x: force.x, y: force.y, z: force.z)
    }
    let times = forces.indices.map { midnight - hour / 10 + Int64($0) * 12_345_678 + ($0 > 30_000 ? hour : 0) }
    var (one, many) = (WearDays(), WearDays())
    for (force, time) in zip(forces, times) { one.update(SIMD3(force.x, force.y, force.z), at: time) }
    for begin in stride(from: 0, to: forces.count, by: 120) {
      let block = begin..<min(begin + 120, forces.count)
      many.update(forces.span.extracting(block), scale: 1, at: times.span.extracting(block))
    }
    let rows = one.finish()
    #expect(rows == many.finish() && rows.count == 2 && rows[1].gaps == 1)
  }

  @Test("Steps come into the bands of their minutes") func cadence() {
    var (noise, days) = (Noise(), WearDays())
    fill(&days, from: midnight, to: midnight + 4 * hour, &noise)
    days.add(epoch(100, from: midnight + hour, to: midnight + hour + 60_000_000_000))
    // Half of them in each of two minutes.
    days.add(epoch(20, from: midnight + 2 * hour - 30_000_000_000, to: midnight + 2 * hour + 30_000_000_000))
    let row = days.finish()[0]
    #expect(zip(row.cadence, [237, 2, 0, 0, 0, 0, 1, 0]).allSatisfy { abs($0 - $1) < 0.01 })
  }

  @Test("The five hours with most and least movement begin where they do") func extremes() throws {
    var (noise, days) = (Noise(), WearDays())
    fill(&days, from: midnight, to: midnight + 6 * hour, amplitude: 0.03, &noise)
    fill(&days, from: midnight + 6 * hour, to: midnight + 12 * hour, amplitude: 0.1, &noise)
    fill(&days, from: midnight + 12 * hour, to: midnight + 17 * hour, amplitude: 0.5, &noise)
    fill(&days, from: midnight + 17 * hour, to: midnight + 24 * hour, amplitude: 0.1, &noise)
    let row = days.finish()[0]
    #expect(try #require(row.mostActive).start == 12 * 3600)
    #expect(try #require(row.leastActive).start <= 3600)
    #expect(try #require(row.mostActive).mean > #require(row.enmo))
  }

  @Test("What is not finite, or ten years away, is left out and counted") func rejected() {
    var days = WearDays()
    for index in 0..<100 { days.update(SIMD3(0, 0, standardGravity), at: midnight + Int64(index) * 10_000_000) }
    days.update(SIMD3(.nan, 0, 0), at: midnight + hour)
    days.update(SIMD3(0, 0, 1e300), at: midnight + hour + 1)
    for time in [Int64.min, .max, .max - 1, 0] { days.update(SIMD3(0, 0, standardGravity), at: time) }
    days.add(epoch(5, from: .max - 5, to: .max))
    #expect(days.rejectedCount == 6)
    #expect(days.finish().reduce(0) { $0 + $1.samples } == 100)
  }
}
