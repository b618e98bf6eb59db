// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import ActivityEstimation
@testable import MotionServices

/// The numbers that activities are judged by, and the frequency of the steps.
@Suite struct GaitFeatureTests {
  @Test func theTransformOfTwoSignalsIsTheSumOfItsDefinition() {
    let count = GaitWindow.length
    let signals = (0..<count).map { index -> (Float, Float) in
      let time = Double(index) / GaitWindow.rate
      return (
        Float(Scalar.sin(2 * .pi * 2 * time) + 0.3 * Scalar.cos(2 * .pi * 5.3 * time)),
        Float(0.5 * Scalar.cos(2 * .pi * time))
      )
    }
    func transform(_ spectrum: inout GaitSpectrum, _ first: [Float], _ second: [Float]) {
      spectrum.transform(first.span, second.span)
    }
    var spectrum = GaitSpectrum()
    // What an earlier window left must not matter.
    transform(&spectrum, [Float](repeating: 1, count: count), [Float](repeating: -1, count: count))
    transform(&spectrum, signals.map(\.0), signals.map(\.1))
    let (first, second) = (spectrum.first.lines, spectrum.second.lines)
    #expect(first.count == GaitSpectrum.lines - 1)
    for line in stride(from: 1, to: GaitSpectrum.lines, by: 7) {
      var sums = (SIMD2<Double>.zero, SIMD2<Double>.zero)
      for (index, (a, b)) in signals.enumerated() {
        let taper = 0.5 - 0.5 * Scalar.cos(2 * .pi * Double(index) / Double(count))
        let angle = 2 * Double.pi * Double(line * index) / Double(GaitSpectrum.points)
        let turn = SIMD2(Scalar.cos(angle), -Scalar.sin(angle))
        sums.0 += turn * (Double(a) * taper)
        sums.1 += turn * (Double(b) * taper)
      }
      #expect(abs(Double(first[line - 1]) - (sums.0 * sums.0).sum()) < 0.01)
      #expect(abs(Double(second[line - 1]) - (sums.1 * sums.1).sum()) < 0.01)
    }
  }

  /// Slow steps are weak and fast ones strong, as people's are.
  static func gait(_ cadence: Double, _ shape: Person.Gait) -> Person.Gait {
    let strength = 0.6 * cadence * cadence / 3.24
    return Person.Gait(
      step: strength * shape.step, double: strength * shape.double, impact: strength * shape.impact,
      half: strength * shape.half, sway: strength * shape.sway)
  }

  static let shapes = [
    Person.Gait(),
    // A heel and a toe that are as strong as the step; a limp, or a leg's swing, that is as strong; both.
    Person.Gait(step: 0.3, double: 0.35, sway: 0.3), Person.Gait(step: 0.3, double: 0.1, half: 0.3, sway: 0.5),
    Person.Gait(step: 0.3, double: 0.25, half: 0.25, sway: 0.4),
  ]

  @Test(arguments: [1.2, 1.4, 1.7, 2.0, 2.3, 2.6, 2.9, 3.1], shapes.indices)
  func theStepFrequencyIsFoundThoughItsDoubleOrItsHalfIsAsStrong(cadence: Double, shape: Int) {
    let gait = Self.gait(cadence, Self.shapes[shape])
    let windows = ActivityEstimator.features(Person(cadence: { _ in cadence }, gait: gait).samples(0..<30).samples)
    for features in windows.dropFirst(4) { #expect(abs(Double(features.stepFrequency) - cadence) < 0.06) }
  }

  @Test func turningTheDeviceChangesNoFeature() throws {
    let cadence: (Double) -> Double? = { 8..<22 ~= $0 ? 1.8 : nil }
    let upright = ActivityEstimator.features(Person(cadence: cadence).samples(0..<30).samples)
    for (w, x, y, z) in [(0.3, 0.5, -0.2, 0.7), (1, 1, 0, 0), (0, 0, 1, 0), (-0.5, 0.1, 0.9, 0.4)] {
      let turn = try #require(Rotation<Device, EastNorthUp>(w: w, x: x, y: y, z: z))
      let turned = ActivityEstimator.features(Person(orientation: turn, cadence: cadence).samples(0..<30).samples)
      #expect(turned.count == upright.count)
      for (a, b) in zip(turned, upright) {
        for (name, (x, y)) in zip(ActivityFeatures.names, zip(a.values, b.values)) {
          #expect(abs(x - y) < 0.02, "\(name)")
        }
      }
    }
  }

  @Test(arguments: [20.0, 25, 100, 400]) func anyRateGivesNearlyTheSameFeatures(rate: Double) {
    let reference = ActivityEstimator.features(Person().samples(0..<20).samples)
    let windows = ActivityEstimator.features(Person(rate: rate).samples(0..<20).samples)
    #expect(abs(windows.count - reference.count) <= 1)
    for (a, b) in zip(windows, reference) {
      for (name, (x, y)) in zip(ActivityFeatures.names, zip(a.values, b.values)) {
        // A sensor of 20 Hz rounds the peaks off.
        #expect(abs(x - y) < 0.15, "\(name)")
      }
    }
  }

  @Test func featuresAreFiniteWhateverTheSensorSays() {
    // As good as noise.
    func noise(_ index: Int) -> Double { Scalar.sin(1.7 * Double(index * index)) }
    let signals: [(Int) -> (Double, Double, Double)] = [
      { _ in (0, 0, 0) }, { _ in (0, 0, 1) }, { _ in (-1e-30, 0, 1e-30) }, { _ in (1000, -1000, 1000) },
      { $0 % 2 == 0 ? (1000, 0, 0) : (-1000, 0, 0) }, { $0 == 400 ? (0, 900, 0) : (0, 0, 0) },
      { $0 < 400 ? (0, 0, 1) : (0, 0, -1) }, { (noise($0), noise($0 + 1000), noise($0 + 2000)) },
    ]
    for signal in signals {
      let samples = (0..<800).map { index in
        let (x, y, z) = signal(index)
        return SensorSample.force(Int64(index) * 20_000_000, x, y, z)
      }
      let windows = ActivityEstimator.features(samples)
      #expect(windows.count > 20)
      for features in windows {
        #expect(features.values.count == ActivityFeatures.names.count && features.values.allSatisfy(\.isFinite))
        #expect((StepFrequency.lowest...3.6).contains(features.stepFrequency))
      }
    }
  }
}
