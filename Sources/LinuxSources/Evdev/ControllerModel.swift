// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import MotionMath
import MotionSensing

/// A kind of game controller, with the map from its axes to device axes.
///
/// Controllers have no common frame (AX-7), and the kernel does not convert them: each driver passes on its chip's
/// axes. ``Device`` of a controller that lies flat, buttons up, its far edge ahead, is x right, y ahead, z up.
///
/// | controller | its axes | map | source |
/// |---|---|---|---|
/// | DualSense, DualShock 4 | X right, Y out of the face, Z to the player | x = X, y = −Z, z = Y | AX-7: SDL issue 8931, +9.5 m/s² on Y at rest |
/// | Switch Pro, Joy-Con | X to the triggers, Y left, Z out of the buttons | x = −Y, y = X, z = Z | AX-7: drivers/hid/hid-nintendo.c |
///
/// The right Joy-Con's chip lies the other way round; the driver has negated its Y and Z, so both have one map. Each
/// map is a rotation and holds for both sensors. They are self-consistent and not proven on hardware: they have not
/// been compared with a controller. The sign of Sony's gyroscope and of Nintendo's accelerometer at rest is the least
/// certain (AX-7, “U”).
struct ControllerModel: Hashable, Sendable {
  /// For a person: "DualSense".
  var name: String
  /// The controller's axes → ``Device``, and whose word that is.
  var axes: AxisMap
  /// Hz over a cable, where known.
  var rate: Double?
  /// What keeps its time; of an unknown controller the worse is assumed.
  var keeper = DeviceClock.Keeper.counting
  /// False for a controller that is in no table: its axes are taken as they come.
  var isKnown = true

  private static let sony = AxisMap(
    matrix: Matrix3(1, 0, 0, 0, 0, -1, 0, 1, 0),
    origin: "x = X, y = −Z, z = Y by SDL issue 8931, self-consistent, not proven on hardware")
  private static let nintendo = AxisMap(
    matrix: Matrix3(0, -1, 0, 1, 0, 0, 0, 0, 1),
    origin: "x = −Y, y = X, z = Z by the kernel's hid-nintendo, self-consistent, not proven on hardware")
  /// An unknown controller.
  static let unknown = ControllerModel(
    name: "controller",
    axes: AxisMap(
      matrix: .identity,
      origin:
        "unchanged, because this controller is in no table: turn it, check the output, and set them, as in axes=x:-z:y"),
    isKnown: false)

  /// The controller of a vendor and a product (the kernel's drivers/hid/hid-ids.h), or ``unknown``.
  static func model(vendor: UInt16, product: UInt16) -> ControllerModel {
    switch (vendor, product) {
    // 250 reports a second (EV-1, EV-10).
    case (0x054C, 0x0CE6): ControllerModel(name: "DualSense", axes: sony, rate: 250, keeper: .oscillator)
    case (0x054C, 0x0DF2): ControllerModel(name: "DualSense Edge", axes: sony, rate: 250, keeper: .oscillator)
    case (0x054C, 0x05C4), (0x054C, 0x09CC), (0x054C, 0x0BA0):
      ControllerModel(name: "DualShock 4", axes: sony, keeper: .oscillator)
    case (0x057E, 0x2006): ControllerModel(name: "Joy-Con (left)", axes: nintendo)
    case (0x057E, 0x2007): ControllerModel(name: "Joy-Con (right)", axes: nintendo)
    case (0x057E, 0x2009): ControllerModel(name: "Switch Pro", axes: nintendo)
    case (0x057E, 0x200E): ControllerModel(name: "Joy-Con in the charging grip", axes: nintendo)
    default: unknown
    }
  }
}

/// From a controller's counts to samples in SI and device axes.
///
/// `ABS_X`, `ABS_Y`, `ABS_Z` have `resolution` counts per g, `ABS_RX`, `ABS_RY`, `ABS_RZ` per degree a second
/// (Documentation/input/event-codes.rst; EV-1, UNIT-1).
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
