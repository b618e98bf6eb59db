// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The drift of a bias: a random walk with one step a second, linear in between.
///
/// It only remembers how far it has summed up; the steps come from a ``RandomStream``, so that starting in the middle gives
/// the same walk.
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
    let whole = UInt64(seconds)
    while second < whole {
      start += step
      second += 1
      step = random.normalVector(at: second) * density
    }
    return start + step * (seconds - Double(second))
  }
}

/// Turns true values of a sensor of three axes into readings.
struct VectorSensor {
  private let model: SensorErrorModel
  private let isIdeal: Bool
  private let sigma: Double
  private let noise: RandomStream
  private var walk: BiasWalk

  /// `stream` numbers the sensor; each uses two streams, so numbers are apart by two.
  init(_ model: SensorErrorModel, rate: Double, seed: UInt64, stream: UInt64) {
    self.model = model
    isIdeal = model.isIdeal
    sigma = model.noiseDensity * (rate / 2).squareRoot()
    noise = RandomStream(seed: seed, stream: stream)
    walk = BiasWalk(density: model.biasRandomWalk, random: RandomStream(seed: seed, stream: stream + 1))
  }

  /// The reading of sample `index`, taken at `seconds`, of a device that is `warmth` kelvin warmer than 25 °C.
  mutating func reading(
    of truth: Vector3<Device>, index: Int64, seconds: Double, warmth: Double
  ) -> Vector3<Device> {
    if isIdeal { return truth }
    var value = model.scaleAndMisalignment * truth + model.bias + model.biasPerKelvin * warmth + walk.value(at: seconds)
    if sigma != 0 { value += noise.normalVector(at: UInt64(bitPattern: index)) * sigma }
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
  private let sigma: Double
  private let noise: RandomStream
  private var walk: BiasWalk

  init(_ model: ScalarErrorModel, rate: Double, seed: UInt64, stream: UInt64) {
    self.model = model
    sigma = model.noiseDensity * (rate / 2).squareRoot()
    noise = RandomStream(seed: seed, stream: stream)
    walk = BiasWalk(density: model.biasRandomWalk, random: RandomStream(seed: seed, stream: stream + 1))
  }

  /// The reading of sample `index`, taken at `seconds`.
  mutating func reading(of truth: Double, index: Int64, seconds: Double) -> Double {
    var value = truth + model.bias + walk.value(at: seconds).x
    if sigma != 0 { value += noise.normalPair(at: UInt64(bitPattern: index)).0 * sigma }
    return model.quantisation > 0 ? (value / model.quantisation).rounded() * model.quantisation : value
  }
}
