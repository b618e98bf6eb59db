// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// From a controller's counts to samples in SI and device axes.
///
/// `ABS_X`, `ABS_Y`, `ABS_Z` have `resolution` counts per g, `ABS_RX`, `ABS_RY`, `ABS_RZ` per degree a second
/// (Documentation/input/event-codes.rst; spec sections 9 and 13).
struct ControllerScale: Sendable {
  /// m/s² per count of X, Y, Z, then rad/s per count of RX, RY, RZ.
  private var units: [Double]
  /// The largest magnitude of one axis, SI, of the accelerometer and of the gyroscope.
  private(set) var ranges: (force: Double, rate: Double)
  private let map: AxisMap

  /// From three axes, or from six; nil when the unit of one is not known.
  init?(_ axes: [AbsoluteAxis], map: AxisMap) {
    guard axes.allSatisfy({ $0.resolution > 0 }) else { return nil }
    self.map = map
    units = axes.indices.map { index in
      let unit = index < 3 ? standardGravity : Angle(degrees: 1).radians
      return unit / Double(axes[index].resolution)
    }
    let largest = zip(axes, units).map { Double(max($0.maximum, -max($0.minimum, -Int32.max))) * $1 }
    ranges = (largest.prefix(3).max() ?? 0, largest.dropFirst(3).max() ?? 0)
  }

  /// The sample of the wanted kinds; nil when none of them is here.
  func sample(of frame: MotionFrame, at time: SensorInstant, wanted: SensorKinds) -> SensorSample? {
    let counts = frame.counts
    func vector(_ first: Int) -> Vector3<Device> {
      map(
        x: Double(counts[first]) * units[first], y: Double(counts[first + 1]) * units[first + 1],
        z: Double(counts[first + 2]) * units[first + 2])
    }
    let force = wanted.contains(.accelerometer) ? vector(0) : nil
    let rate = wanted.contains(.gyroscope) && units.count == 6 ? vector(3) : nil
    switch (force, rate) {
    case (let force?, let rate?):
      return .inertial(InertialSample(time: time, angularVelocity: rate, specificForce: force))
    case (let force?, nil): return .accelerometer(AccelerometerSample(time: time, specificForce: force))
    case (nil, let rate?): return .gyroscope(GyroscopeSample(time: time, angularVelocity: rate))
    case (nil, nil): return nil
    }
  }
}
