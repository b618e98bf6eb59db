// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// What a window of 5.12 s says about the movement in its middle: the input of ``ActivityNetwork``.
///
/// Everything is independent of how the device is turned. The spectral features end at 8 Hz, so they mean the same for
/// a sensor of 20 Hz and one of 800 Hz. A share is an amplitude: the square root of a part of the power between 0.5 Hz
/// and 8 Hz (0.3 Hz and 8 Hz for horizontal ones), 0…1.
package struct ActivityFeatures: Sendable, Equatable {
  /// g: the standard deviation of the length of the acceleration, in the window and in its middle half.
  package var deviation: Float = 0
  package var middleDeviation: Float = 0
  /// Hz: the steps a second, if these are steps (``StepFrequency``).
  package var stepFrequency: Float = 1.8
  /// Shares of the step frequency, of its double and of its half.
  var stepShare: Float = 0
  var doubleShare: Float = 0
  var halfShare: Float = 0
  /// Shares of half the step frequency and of the step frequency in the strongest horizontal direction: an arm or a leg
  /// swings once in two steps, but once in a turn of the pedals.
  var strideSway: Float = 0
  var stepSway: Float = 0
  /// −1…1: the autocorrelation of the length of the acceleration after one step and after two; after one step in the
  /// middle half; and the highest between 0.28 s and 1.24 s.
  var stepCorrelation: Float = 0
  var strideCorrelation: Float = 0
  var middleCorrelation: Float = 0
  var highestCorrelation: Float = 0
  /// Shares of 0.5–1.5 Hz, 1.5–3.5 Hz and 5–8 Hz.
  var slow: Float = 0
  var middle: Float = 0
  var fast: Float = 0
  /// 0…1: the part of the variance of the acceleration that is at right angles to gravity.
  var horizontal: Float = 0
  /// Radians between gravity in the first and in the second half.
  var tilt: Float = 0
  /// g below and above the mean that the length of the acceleration reaches.
  var lowest: Float = 0
  var highest: Float = 0
  /// 0…1: the part of the window that is not empty.
  var filled: Float = 0

  /// For files of features.
  package static let names = [
    "deviation", "middleDeviation", "stepFrequency", "stepShare", "doubleShare", "halfShare", "strideSway", "stepSway",
    "stepCorrelation", "strideCorrelation", "slow", "middle", "fast", "horizontal", "tilt", "asymmetry", "filled",
    "middleCorrelation", "highestCorrelation", "crest",
  ]

  /// In the order of ``names``, as the network takes them: what spans decades as a logarithm.
  package var values: [Float] {
    [
      log(deviation + 0.003), log(middleDeviation + 0.003), log(stepFrequency / 1.8), stepShare, doubleShare, halfShare,
      strideSway, stepSway, stepCorrelation, strideCorrelation, slow, middle, fast, horizontal, log(tilt + 0.02),
      log((highest + 0.02) / (lowest + 0.02)), filled, middleCorrelation, highestCorrelation,
      log((highest + lowest + 0.02) / (deviation + 0.005)),
    ]
  }

  private func log(_ value: Float) -> Float { Float(Scalar.log(Double(value))) }
}

extension ActivityFeatures {
  /// Below this deviation in g a vehicle stands.
  static let stillDeviation: Float = 0.015

  /// Room to compute in.
  struct Workspace: Sendable {
    var spectrum = GaitSpectrum()
    /// Deviations from the mean of the length of the acceleration, and of its strongest horizontal component, in g.
    var norms = [Float](repeating: 0, count: GaitWindow.length)
    var sways = [Float](repeating: 0, count: GaitWindow.length)
    /// g: the mean deviation in the middle half.
    var middleMean: Float = 0
    /// By delay in cells.
    var correlations = [Float](repeating: 0, count: Workspace.longestDelay + 1)
    /// How well each step frequency fits.
    var scores = [Float](repeating: 0, count: StepFrequency.count)

    /// Two steps of 0.9 a second.
    static let longestDelay = 57

    var scale: Scale {
      let (norm, sway) = spectrum.sums
      return Scale(norm, sway, correlations)
    }

    /// For training: the power of the lines of the norm and of the sway, and the autocorrelation from a delay of one
    /// cell on.
    var spectra: [Float] { spectrum.first.lines + spectrum.second.lines + correlations.dropFirst() }
  }

  /// Takes the features of the present window, of which at least one cell is not empty.
  init(_ window: GaitWindow, _ room: inout Workspace, _ frequency: StepFrequency) {
    filled = Float(window.valid.count) / Float(GaitWindow.length)
    takeNorms(window, &room)
    takeDirections(window, &room)
    let (norms, sways) = (room.norms, room.sways)
    room.spectrum.transform(norms.span, sways.span)
    Self.correlate(norms.span, &room.correlations)
    let scale = room.scale
    frequency.score(scale, &room.scores)
    for delay in 7...31 { highestCorrelation = max(highestCorrelation, room.correlations[delay]) }
    (slow, middle, fast) = (scale.share(0.5, 1.5), scale.share(1.5, 3.5), scale.share(5, 8))
    takeStep(StepFrequency.best(room.scores), scale, room)
  }

  /// The same window, if its steps have the frequency with the highest score around so many times its own: an octave.
  /// Nil where that is no frequency of steps.
  func octave(_ multiple: Float, _ room: Workspace) -> ActivityFeatures? {
    let frequency = multiple * stepFrequency
    guard frequency > StepFrequency.lowest, frequency < StepFrequency.frequency(StepFrequency.count - 1) else {
      return nil
    }
    var other = self
    other.takeStep(StepFrequency.best(room.scores, from: 0.88 * frequency, to: 1.12 * frequency), room.scale, room)
    return other
  }

  private mutating func takeNorms(_ window: GaitWindow, _ room: inout Workspace) {
    let (valid, start) = (window.valid, window.start)
    var sum: Float = 0
    for position in valid { sum += window.norms[start + position] }
    let mean = sum / Float(valid.count)
    var squares: Float = 0
    for position in 0..<GaitWindow.length {
      let value = valid.contains(position) ? window.norms[start + position] - mean : 0
      room.norms[position] = value
      squares += value * value
      (lowest, highest) = (max(lowest, -value), max(highest, value))
    }
    deviation = (squares / Float(valid.count)).squareRoot()
    let half = Self.middleHalf
    let count = Float(max(1, half.clamped(to: valid).count))
    let (middleSum, middleSquares) = half.reduce(into: (Float(0), Float(0))) { sums, position in
      sums.0 += room.norms[position]
      sums.1 += room.norms[position] * room.norms[position]
    }
    room.middleMean = middleSum / count
    middleDeviation = max(0, middleSquares / count - room.middleMean * room.middleMean).squareRoot()
  }

  static let middleHalf = GaitWindow.length / 4..<GaitWindow.length * 3 / 4

  /// Sets what depends on gravity, and the component at right angles to it in which the acceleration varies most.
  private mutating func takeDirections(_ window: GaitWindow, _ room: inout Workspace) {
    let (valid, start, half) = (window.valid, window.start, GaitWindow.length / 2)
    var (early, late) = (SIMD3<Float>.zero, SIMD3<Float>.zero)
    for position in valid {
      if position < half { early += window.vectors[start + position] } else { late += window.vectors[start + position] }
    }
    let center = (early + late) / Float(valid.count)
    let counts = (valid.clamped(to: 0..<half).count, valid.clamped(to: half..<GaitWindow.length).count)
    early = counts.0 > 0 ? early / Float(counts.0) : center
    late = counts.1 > 0 ? late / Float(counts.1) : center
    tilt = Float(Vector3<Device>(early).angle(to: Vector3<Device>(late)))

    let up = center / max(1e-6, (center * center).sum().squareRoot())
    // Any two directions that complete a tripod with up.
    let least = abs(up.x) < 0.6 ? SIMD3<Float>(1, 0, 0) : SIMD3<Float>(0, 1, 0)
    var right = least - up * (least * up).sum()
    right /= (right * right).sum().squareRoot()
    let ahead = SIMD3(
      up.y * right.z - up.z * right.y, up.z * right.x - up.x * right.z, up.x * right.y - up.y * right.x)
    var (a, b, c, total) = (Float(0), Float(0), Float(0), Float(0))
    for position in valid {
      let difference = window.vectors[start + position] - center
      let (x, y) = ((difference * right).sum(), (difference * ahead).sum())
      a += x * x
      b += x * y
      c += y * y
      total += (difference * difference).sum()
    }
    horizontal = total > 0 ? (a + c) / total : 0
    let angle = 0.5 * Scalar.atan2(Double(2 * b), Double(a - c))
    let axis = right * Float(Scalar.cos(angle)) + ahead * Float(Scalar.sin(angle))
    for position in 0..<GaitWindow.length {
      room.sways[position] =
        valid.contains(position) ? ((window.vectors[start + position] - center) * axis).sum() : 0
    }
  }

  /// The autocorrelation. Both parts that are compared are brought to the same size, so that a walk that becomes faster
  /// still agrees with itself.
  private static func correlate(_ values: Span<Float>, _ result: inout [Float]) {
    // Sums of squares of the head and the tail, without the part that the delay cuts off.
    var head: Float = 0
    for index in values.indices { head += values[index] * values[index] }
    var tail = head
    var results = result.mutableSpan
    var sizes = InlineArray<58, Float>(repeating: 0)
    for delay in 1..<sizes.count {
      let (last, first) = (values[values.count - delay], values[delay - 1])
      head -= last * last
      tail -= first * first
      var sums = SIMD8<Float>.zero
      let length = values.count - delay
      var index = 0
      while index + 8 <= length {
        sums += eight(values, index) * eight(values, index + delay)
        index += 8
      }
      var sum = sums.sum()
      while index < length {
        sum += values[index] * values[index + delay]
        index += 1
      }
      (results[delay], sizes[delay]) = (sum, head * tail)
    }
    // Apart, so that the compiler divides several at once.
    for delay in 1..<sizes.count { results[delay] /= max(1e-12, sizes[delay]).squareRoot() }
  }

  @inline(__always)
  private static func eight(_ values: Span<Float>, _ place: Int) -> SIMD8<Float> {
    // unsafe: the caller has counted eight numbers behind `place`; this is the inmost loop.
    values.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 4 * place, as: SIMD8<Float>.self)
  }

  private mutating func takeStep(_ frequency: Float, _ scale: Scale, _ room: Workspace) {
    stepFrequency = frequency
    (stepShare, doubleShare) = (scale.share(frequency), scale.share(2 * frequency))
    (halfShare, strideSway, stepSway) = (scale.share(frequency / 2), scale.sway(frequency / 2), scale.sway(frequency))
    stepCorrelation = scale.correlation(steps: 1, frequency)
    strideCorrelation = scale.correlation(steps: 2, frequency)
    takeMiddle(room.norms.span, mean: room.middleMean)
  }

  /// The middle half alone: a few steps between two rests agree with each other, the rests with nothing.
  private mutating func takeMiddle(_ norms: Span<Float>, mean: Float) {
    let half = Self.middleHalf
    // fits: a step frequency is one of the lines of the spectrum, 0.9…3.6 Hz
    let delay = min(half.count - 8, max(1, Int(Float(GaitWindow.rate) / stepFrequency + 0.5)))
    var (product, head, tail) = (Float(0), Float(0), Float(0))
    for index in half.lowerBound..<half.upperBound - delay {
      let (x, y) = (norms[index] - mean, norms[index + delay] - mean)
      product += x * y
      head += x * x
      tail += y * y
    }
    middleCorrelation = product / max(1e-12, head * tail).squareRoot()
  }
}

extension ActivityFeatures {
  /// The power of the window and its autocorrelation.
  struct Scale {
    /// By delay in cells.
    let correlations: [Float]
    let norm, sway: GaitSpectrum.Sums
    /// The power of each.
    let total, horizontal: Float

    init(_ norm: GaitSpectrum.Sums, _ sway: GaitSpectrum.Sums, _ correlations: [Float]) {
      (self.norm, self.sway, self.correlations) = (norm, sway, correlations)
      total = norm.between(0.5, 8) + 1e-9
      horizontal = sway.between(0.3, 8) + 1e-9
    }

    /// Of a line in the length of the acceleration, and in its strongest horizontal component.
    func share(_ frequency: Float) -> Float { max(0, norm.around(frequency) / total).squareRoot() }
    func sway(_ frequency: Float) -> Float { max(0, sway.around(frequency) / horizontal).squareRoot() }
    /// Of a band in the length of the acceleration.
    func share(_ low: Float, _ high: Float) -> Float { max(0, norm.between(low, high) / total).squareRoot() }

    /// The autocorrelation after so many steps, between the delays.
    func correlation(steps: Float, _ frequency: Float) -> Float {
      let (place, part) = Self.delay(steps: steps, frequency)
      return correlations[place] * (1 - part) + correlations[place + 1] * part
    }

    /// The delay before so many steps, and how far the steps are on the way to the next one.
    static func delay(steps: Float, _ frequency: Float) -> (place: Int, part: Float) {
      let delay = steps * Float(GaitWindow.rate) / frequency
      let place = min(Workspace.longestDelay - 1, Int(delay))  // fits: one or two steps at 0.9…3.6 Hz
      return (place, delay - Float(place))
    }
  }
}

extension Vector3 {
  init(_ vector: SIMD3<Float>) { self.init(x: Double(vector.x), y: Double(vector.y), z: Double(vector.z)) }
}
