// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// What a window of 5.12 s says about the movement of the device: the input of the decision tree.
///
/// Everything is independent of how the device is turned. The spectral features end at 8 Hz, so they mean the same for
/// a sensor of 20 Hz and one of 800 Hz.
package struct ActivityFeatures: Sendable, Equatable {
  /// g: the standard deviation of the length of the acceleration.
  package var deviation = 0.0
  /// 0…1: the highest maximum of the autocorrelation between 0.25 s and 1.25 s, and its delay in seconds.
  package var autocorrelation = 0.0
  package var delay = 0.0
  /// Hz: the strongest line between 0.6 Hz and 5 Hz, and its share of the power (±0.25 Hz).
  package var frequency = 0.0
  package var line = 0.0
  /// Shares of the power between 0.5 Hz and 8 Hz: 0.5–1.5 Hz, 1.5–3.5 Hz, 5–8 Hz.
  package var slow = 0.0
  package var middle = 0.0
  package var fast = 0.0
  /// 0…1: the part of the variance of the acceleration that is at right angles to gravity.
  package var horizontal = 0.0
  /// 0…1: the share of half the cadence (±0.25 Hz) in the strongest horizontal component: an arm or a leg swings once
  /// in two steps.
  package var sway = 0.0
  /// Hz: the strongest line of that component between 0.4 Hz and 5 Hz: once a stride on foot, once a turn of the pedals
  /// on a bicycle.
  package var swing = 0.0
  /// Radians between gravity in the first and in the second half of the window.
  package var tilt = 0.0
  /// g below and above the mean that the length of the acceleration reaches.
  package var lowest = 0.0
  package var highest = 0.0
  /// Candidate steps per second, and the mean deviation of their intervals relative to the mean interval; 1 for fewer
  /// than 4.
  package var candidates = 0.0
  package var irregularity = 1.0
  /// rad/s, root mean square; −1 without a gyroscope.
  package var rotation = -1.0
  /// Hz: the strongest line between 1.2 Hz and 3.2 Hz, or half of it where that is the cadence.
  package var cadence = 0.0
  /// 0…1: how much the latest periodic windows looked like pedals.
  package var pedalling = 0.0
  /// Hz: steps per second: the cadence, or its half or double where the candidates say so.
  package var rate = 0.0

  package static let names = [
    "deviation", "autocorrelation", "delay", "frequency", "line", "slow", "middle", "fast", "horizontal", "sway",
    "tilt",
    "lowest", "highest", "candidates", "irregularity", "swing", "cadence", "pedalling",
    "rotation", "rate",
  ]

  /// In the order of ``names``.
  package var values: [Double] { Self.names.indices.map(value) }
}

extension ActivityFeatures {
  /// One of the ``values``, without a list of them.
  func value(_ index: Int) -> Double {
    switch index {
    case 0: deviation
    case 1: autocorrelation
    case 2: delay
    case 3: frequency
    case 4: line
    case 5: slow
    case 6: middle
    case 7: fast
    case 8: horizontal
    case 9: sway
    case 10: tilt
    case 11: lowest
    case 12: highest
    case 13: candidates
    case 14: irregularity
    case 15: swing
    case 16: cadence
    case 17: pedalling
    case 18: rotation
    default: rate
    }
  }

  /// Below this deviation in g nothing walks, and the spectra are not computed.
  static let leastDeviation = 0.01
  /// Below this deviation in g a car stands.
  static let stillDeviation = 0.015

  /// g: above, the device may be at a foot, and the other foot may give no candidate.
  static let hardDeviation = 1.0

  /// Takes the features of the latest window. `spectrum` is room to compute in.
  init(_ window: GaitWindow, _ spectrum: inout GaitSpectrum) {
    // 2.56 s after a start a half window must do.
    let range = window.latest(window.count < GaitWindow.length ? GaitWindow.length / 2 : GaitWindow.length)
    let count = Double(range.count)
    var (sum, squares, rotationSum) = (0.0, 0.0, 0.0)
    var (low, high) = (Float.infinity, -Float.infinity)
    var (halves, vectorSquares) = ((SIMD3<Float>.zero, SIMD3<Float>.zero), SIMD3<Float>.zero)
    let middle = range.lowerBound + range.count / 2
    for index in range {
      let norm = window.norms[index]
      sum += Double(norm)
      squares += Double(norm) * Double(norm)
      rotationSum += Double(window.rotations[index])
      (low, high) = (min(low, norm), max(high, norm))
      let vector = window.vectors[index]
      if index < middle { halves.0 += vector } else { halves.1 += vector }
      vectorSquares += vector * vector
    }
    let mean = sum / count
    deviation = max(0, squares / count - mean * mean).squareRoot()
    (lowest, highest) = (mean - Double(low), Double(high) - mean)
    rotation = rotationSum.isNaN ? -1 : (rotationSum / count).squareRoot()
    tilt = Vector3<Device>(halves.0).angle(to: Vector3<Device>(halves.1))
    guard deviation >= Self.leastDeviation else { return }
    (autocorrelation, delay) = window.autocorrelation(over: range, mean: Float(mean))
    let center = (halves.0 + halves.1) / Float(count)
    let axis = principalAxis(window, range, center)
    spectrum.transform(count: range.count) { index in
      let place = range.lowerBound + index
      return (window.norms[place] - Float(mean), ((window.vectors[place] - center) * axis).sum())
    }
    takeSpectrum(spectrum)
  }

  /// The direction at right angles to gravity in which the acceleration varies most; sets ``horizontal``.
  private mutating func principalAxis(_ window: GaitWindow, _ range: Range<Int>, _ center: SIMD3<Float>) -> SIMD3<Float>
  {
    let up = center / max(1e-6, (center * center).sum().squareRoot())
    // Any two directions that complete a tripod with up.
    let least = abs(up.x) < 0.6 ? SIMD3<Float>(1, 0, 0) : SIMD3<Float>(0, 1, 0)
    var right = least - up * (least * up).sum()
    right /= (right * right).sum().squareRoot()
    let ahead = SIMD3(
      up.y * right.z - up.z * right.y, up.z * right.x - up.x * right.z, up.x * right.y - up.y * right.x)
    var (a, b, c, total) = (Float(0), Float(0), Float(0), Float(0))
    for index in range {
      let difference = window.vectors[index] - center
      let (x, y) = ((difference * right).sum(), (difference * ahead).sum())
      a += x * x
      b += x * y
      c += y * y
      total += (difference * difference).sum()
    }
    horizontal = total > 0 ? Double((a + c) / total) : 0
    let angle = 0.5 * Scalar.atan2(Double(2 * b), Double(a - c))
    return right * Float(Scalar.cos(angle)) + ahead * Float(Scalar.sin(angle))
  }

  private mutating func takeSpectrum(_ spectrum: GaitSpectrum) {
    let total = spectrum.power(0.5..<8)
    guard total > 0 else { return }
    let strongest = spectrum.peak(in: 0.6...5)
    frequency = strongest.frequency
    line = spectrum.power(frequency - 0.3..<frequency + 0.3) / total
    slow = spectrum.power(0.5..<1.5) / total
    middle = spectrum.power(1.5..<3.5) / total
    fast = spectrum.power(5..<8) / total
    let main = spectrum.peak(in: 1.2...3.2)
    cadence = main.frequency
    if cadence > 2.4 {
      // A run has its line at the cadence; a walk may have a stronger one at twice its cadence.
      let half = spectrum.peak(in: cadence * 0.465...cadence * 0.535)
      if half.power > 0.5 * main.power { cadence /= 2 }
    }
    // Such impacts are a run, and no run has 1.3 steps a second: the device is at one leg, whose foot lands every
    // second step.
    if deviation > Self.hardDeviation, cadence < 1.65 { cadence *= 2 }
    let sideways = spectrum.power(0.3..<8, sideways: true)
    let half = spectrum.power(cadence / 2 - 0.3..<cadence / 2 + 0.3, sideways: true)
    sway = sideways > 0 ? half / sideways : 0
    swing = spectrum.peak(in: 0.4...5, sideways: true).frequency
  }
}

extension ActivityFeatures {
  /// Steps per second: the cadence, its half or its double, whichever is next to the rate of the candidates (0: there
  /// are none).
  func stepRate(_ candidates: Double) -> Double {
    guard candidates > 0, cadence > 0, deviation < Self.hardDeviation else { return cadence }
    let ratio = cadence / candidates
    if ratio > 2.0.squareRoot() { return cadence / 2 }
    return ratio < 0.5.squareRoot() ? cadence * 2 : cadence
  }
}

extension Vector3 {
  init(_ vector: SIMD3<Float>) { self.init(x: Double(vector.x), y: Double(vector.y), z: Double(vector.z)) }
}
