// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Reduces states of motion to 200 Hz without folding what is faster than 100 Hz back into them.
///
/// ```swift
/// var decimator = MotionDecimator(rate: 800)       // factor 4
/// decimator.update(motion) { slow in … }
/// ```
///
/// Fusion has used every gyroscope sample before; here only its output is thinned out. Taking every fourth state would
/// alias: the shock of a stroke at 150 Hz would appear at 50 Hz. Angular velocity and specific force therefore pass a
/// low-pass filter, and the attitude, which has no such content, is that of the state in the filter's middle.
///
/// ## The filter
/// A windowed sinc of 16 n + 1 taps (n = factor) with Kaiser's window, β = 7, and the cut-off 0.425 of the output rate;
/// for 800 → 200 Hz: 65 taps, 85 Hz, −0.7 dB at 70 Hz, below −73 dB from 120 Hz on (BATCH-4). Window: J. F. Kaiser, in
/// Kuo & Kaiser (ed.), "System Analysis by Digital Computer", Wiley 1966. It is symmetric, and a state keeps the time
/// of the sample in the middle: there is no delay in the data, only in its arrival (8 output intervals, 40 ms).
///
/// At the beginning, at the end and beside a gap the taps that have no sample are left out and the others scaled to sum
/// 1, so that no state is lost and a constant stays a constant. Gaps of up to five samples are bridged, longer ones
/// divide the stream.
package struct MotionDecimator: Sendable {
  /// The highest rate that comes out, Hz, give or take a tenth: a 208 Hz sensor passes as it is.
  package static let highestRate = 200.0
  /// So many missing samples do not divide the stream yet.
  package static let bridgedSamples = 5

  /// How many states make one.
  package let factor: Int
  private let reach: Int
  /// Taps by their distance from the middle.
  private let taps: [Double]
  private let rate: Double
  /// What passes the filter, of the states within its reach and some before; `first` is the number of the first.
  private var rows: [(reading: Vector3<Device>, sixAxis: Vector3<Device>, nineAxis: Vector3<Device>)] = []
  private var first = 0
  /// The states that will be in the middle of an output, the earliest at `due`, which has the number `middle`.
  private var middles: [DeviceMotion] = []
  private var due = 0
  private var middle = 0
  private var lastTime = SensorInstant(nanoseconds: 0)
  private var lastRun = 0

  /// A decimator for states of motion at `rate` Hz; nil = unknown: everything passes.
  package init(rate: Double?) {
    self.rate = rate ?? 0
    factor = Self.factor(for: rate)
    reach = 8 * factor
    taps = factor > 1 ? Self.kernel(factor: factor) : [1]
  }

  /// The smallest whole factor that brings `rate` (Hz) down to ``highestRate``, give or take a tenth; 1 when it is
  /// unknown.
  package static func factor(for rate: Double?) -> Int {
    guard let rate, rate > 0, rate < 1e6 else { return 1 }
    return max(1, Int(clamping: (rate / (1.1 * highestRate)).rounded(.up)))
  }

  /// Processes a state of motion; `emit` receives what comes out, in order.
  package mutating func update(_ motion: DeviceMotion, emit: (DeviceMotion) -> Void) {
    guard factor > 1 else { return emit(motion) }
    if !rows.isEmpty {
      let step = (motion.time - lastTime).seconds * rate
      if motion.run != lastRun || step > Double(Self.bridgedSamples) + 1.5 { finish(emit: emit) }
    }
    if rows.isEmpty { middle = firstMiddle(from: motion.time) }
    (lastTime, lastRun) = (motion.time, motion.run)
    let number = first + rows.count
    if number >= middle, (number - middle) % factor == 0 { middles.append(motion) }
    let (six, nine) = (motion.sixAxis?.angularVelocity ?? .zero, motion.nineAxis?.angularVelocity ?? .zero)
    rows.append((motion.accelerometer.specificForce, six, nine))
    if middle + reach <= number { emit(output()) }
    // Thrown away in portions, so that a row is moved once and not at every step.
    if middle - reach - first >= 4 * reach {
      rows.removeFirst(4 * reach)
      first += 4 * reach
    }
  }

  /// Nothing follows, or not soon: what is still to come out comes now.
  package mutating func finish(emit: (DeviceMotion) -> Void) {
    while due < middles.count { emit(output()) }
    rows.removeAll(keepingCapacity: true)
    middles.removeAll(keepingCapacity: true)
    (first, due, middle) = (0, 0, 0)
  }

  /// The grid of outputs contains the whole seconds, so that it meets the borders of the batches.
  private func firstMiddle(from time: SensorInstant) -> Int {
    let second = time.nanoseconds % 1_000_000_000
    let index = Int(clamping: (Double(second < 0 ? second + 1_000_000_000 : second) * 1e-9 * rate).rounded())
    return (factor - index % factor) % factor
  }

  private mutating func output() -> DeviceMotion {
    var motion = middles[due]
    let centre = middle - first
    var (total, reading) = (0.0, Vector3<Device>.zero)
    var (six, nine) = (Vector3<Device>.zero, Vector3<Device>.zero)
    for index in max(0, centre - reach)...min(rows.count - 1, centre + reach) {
      let tap = taps[abs(index - centre)]
      total += tap
      reading += rows[index].reading * tap
      six += rows[index].sixAxis * tap
      nine += rows[index].nineAxis * tap
    }
    motion.accelerometer = AccelerometerSample(
      time: motion.accelerometer.time, specificForce: reading * (1 / total))
    motion.sixAxis?.angularVelocity = six * (1 / total)
    motion.nineAxis?.angularVelocity = nine * (1 / total)
    middle += factor
    due += 1
    if due == 64 {
      middles.removeFirst(due)
      due = 0
    }
    return motion
  }

  /// One half of the taps, the middle first; their sum over both halves is 1.
  static func kernel(factor: Int) -> [Double] {
    let (beta, reach) = (7.0, 8 * factor)
    let cutOff = 0.425 / Double(factor)
    var taps = (0...reach).map { distance -> Double in
      let x = Double(distance)
      let sinc = distance == 0 ? 2 * cutOff : Scalar.sin(2 * .pi * cutOff * x) / (.pi * x)
      let position = x / Double(reach)
      return sinc * besselI0(beta * (1 - position * position).squareRoot()) / besselI0(beta)
    }
    let sum = taps[0] + 2 * taps.dropFirst().reduce(0, +)
    for index in taps.indices { taps[index] /= sum }
    return taps
  }

  /// The modified Bessel function of the first kind and order 0, by its power series (Abramowitz & Stegun, 9.6.12).
  private static func besselI0(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for k in 1...60 {
      term *= (x / (2 * Double(k))) * (x / (2 * Double(k)))
      sum += term
    }
    return sum
  }
}
