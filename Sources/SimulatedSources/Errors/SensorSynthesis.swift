// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The drift of a bias: a random walk with one step a second, linear in between.
///
/// It only remembers how far it has summed up; the steps come from a ``RandomStream``, so that starting in the middle
/// gives the same walk.
struct BiasWalk {
  private let density: Double
  private let random: RandomStream
  private var second: UInt64 = 0
  private var start: Vector3<Device> = .zero
  private var step: Vector3<Device>

  init(density: Double, random: RandomStream) {
    self.density = density
    self.random = random
    step = density == 0 ? .zero : random.normalVector(at: 0) * density
  }

  /// The drift at `seconds` ≥ 0; the times of one walk must not go back by more than the current second.
  mutating func value(at seconds: Double) -> Vector3<Device> {
    guard density != 0 else { return .zero }
    let whole = UInt64(seconds)  // fits: a time of a simulation, 0…9.3·10⁹ s
    while second < whole {
      start += step
      second += 1
      step = random.normalVector(at: second) * density
    }
    return start + step * (seconds - Double(second))
  }
}

/// The white noise and the drift of one sensor.
struct SensorNoise {
  /// Standard deviation of a sample, in the sensor's unit; 0 = no white noise.
  let sigma: Double
  let white: RandomStream
  var walk: BiasWalk

  /// `stream` numbers the sensor; each uses two streams, so numbers are apart by two.
  init(density: Double, walk: Double, rate: Double, seed: UInt64, stream: UInt64) {
    sigma = density * (rate / 2).squareRoot()
    white = RandomStream(seed: seed, stream: stream)
    self.walk = BiasWalk(density: walk, random: RandomStream(seed: seed, stream: stream + 1))
  }
}

/// Turns true values of a sensor of three axes into readings.
struct VectorSensor {
  private let model: SensorErrorModel
  private let isIdeal: Bool
  private var noise: SensorNoise

  /// `stream` as of ``SensorNoise``.
  init(_ model: SensorErrorModel, rate: Double, seed: UInt64, stream: UInt64) {
    self.model = model
    isIdeal = model.isIdeal
    noise = SensorNoise(
      density: model.noiseDensity, walk: model.biasRandomWalk, rate: rate, seed: seed, stream: stream)
  }

  /// The reading of sample `index`, taken at `seconds`, of a device that is `warmth` kelvin warmer than 25 °C.
  mutating func reading(
    of truth: Vector3<Device>, index: Int64, seconds: Double, warmth: Double
  ) -> Vector3<Device> {
    if isIdeal { return truth }
    var value = model.scaleAndMisalignment * truth + model.bias + model.biasPerKelvin * warmth
    value += noise.walk.value(at: seconds)
    if noise.sigma != 0 { value += noise.white.normalVector(at: UInt64(bitPattern: index)) * noise.sigma }
    return Vector3(x: reported(value.x), y: reported(value.y), z: reported(value.z))
  }

  private func reported(_ value: Double) -> Double {
    let clipped = min(model.range, max(-model.range, value))
    return model.quantisation > 0 ? (clipped / model.quantisation).rounded() * model.quantisation : clipped
  }
}

/// Turns true values of a sensor of one number into readings.
struct ScalarSensor {
  private let model: ScalarErrorModel
  private var noise: SensorNoise

  init(_ model: ScalarErrorModel, rate: Double, seed: UInt64, stream: UInt64) {
    self.model = model
    noise = SensorNoise(
      density: model.noiseDensity, walk: model.biasRandomWalk, rate: rate, seed: seed, stream: stream)
  }

  /// The reading of sample `index`, taken at `seconds`.
  mutating func reading(of truth: Double, index: Int64, seconds: Double) -> Double {
    var value = truth + model.bias + noise.walk.value(at: seconds).x
    if noise.sigma != 0 { value += noise.white.normalPair(at: UInt64(bitPattern: index)).0 * noise.sigma }
    return model.quantisation > 0 ? (value / model.quantisation).rounded() * model.quantisation : value
  }
}

/// Random numbers that can be asked for in any order.
///
/// The generator is SplitMix64 (Steele, Lea & Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014)
/// read as a table: entry n is the mixing function applied to key + n · γ, which is the n-th output of the generator
/// seeded with the key. So the noise of sample n does not depend on which samples were asked for before it: leaving out
/// a sensor, beginning in the middle or going on after a pause changes nothing in the rest.
///
/// Normal numbers come in pairs by the transform of Box & Muller, Ann. Math. Stat. 29(2), 1958.
struct RandomStream: Hashable, Sendable {
  private let key: UInt64

  /// The stream of one purpose: streams with different numbers under one seed are independent.
  init(seed: UInt64, stream: UInt64) {
    self.init(key: Self.mixed(seed &+ Self.mixed(stream &+ Self.increment)))
  }

  /// The outputs of SplitMix64 seeded with `key`.
  init(key: UInt64) { self.key = key }

  /// 64 random bits: entry `index` of the stream.
  func bits(at index: UInt64) -> UInt64 { Self.mixed(key &+ (index &+ 1) &* Self.increment) }

  /// A uniform number in (0, 1], a multiple of 2⁻⁵³.
  func uniform(at index: UInt64) -> Double { Double((bits(at: index) >> 11) + 1) * 0x1p-53 }

  /// Two independent normal numbers of mean 0 and variance 1, from entries 2 · `index` and 2 · `index` + 1.
  func normalPair(at index: UInt64) -> (Double, Double) {
    let radius = (-2 * Scalar.log(uniform(at: 2 &* index))).squareRoot()
    let angle = 2 * Double.pi * uniform(at: 2 &* index &+ 1)
    return (radius * Scalar.cos(angle), radius * Scalar.sin(angle))
  }

  /// Three independent normal numbers: the noise of sample `index` of a sensor with three axes.
  func normalVector<F>(at index: UInt64) -> Vector3<F> {
    let (x, y) = normalPair(at: 2 &* index)
    let (z, _) = normalPair(at: 2 &* index &+ 1)
    return Vector3(x: x, y: y, z: z)
  }

  /// The odd constant nearest to 2⁶⁴ divided by the golden ratio.
  private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  private static func mixed(_ number: UInt64) -> UInt64 {
    var z = number
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
