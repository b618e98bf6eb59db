// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// A trajectory with a name, for `simulate:NAME`.
///
/// ```swift
/// Scenario(named: "handheld")?.trajectory.state(at: 3)
/// Scenario.all.map(\.name)      // what a user can choose from
/// ```
public struct Scenario: Sendable {
  /// One or two words in camel case: the name in the address.
  public let name: String
  /// One line for the user, without a full stop.
  public let summary: String
  /// The kind of device that moves.
  public let deviceClass: SensorInfo.DeviceClass
  /// Its motion.
  public let trajectory: any Trajectory

  /// The sensors of the device and their properties, before the options of an address.
  public let configuration: SimulatedSource.Configuration

  /// A custom scenario; the `configuration` gets its device class.
  public init(
    name: String, summary: String, deviceClass: SensorInfo.DeviceClass = .phone, trajectory: any Trajectory,
    configuration: SimulatedSource.Configuration = SimulatedSource.Configuration()
  ) {
    var configuration = configuration
    configuration.deviceClass = deviceClass
    self.configuration = configuration
    self.name = name
    self.summary = summary
    self.deviceClass = deviceClass
    self.trajectory = trajectory
  }

  /// The scenario of the list with this name, if there is one.
  public init?(named name: String) {
    guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// Every scenario of the package.
  public static var all: [Scenario] {
    [
      Scenario(name: "rest", summary: "lies still, face up, top edge to the north", trajectory: Rest()),
      Scenario(
        name: "spin", summary: "turns anticlockwise on a table, face up, 90 degrees per second",
        trajectory: Spin(axis: .unitZ, rate: .pi / 2)),
      Scenario(
        name: "handheld", summary: "a phone that is held still for a second, then turned in all directions",
        trajectory: Handheld()),
      Scenario(
        name: "walk", summary: "a phone in the hand of a person who walks north, two steps per second",
        trajectory: Walk()
      ),
      Scenario(
        name: "run", summary: "a phone on a person who runs north, 2.7 steps per second",
        trajectory: Walk(gait: .running(), speed: 3)),
      Scenario(
        name: "bicycle", summary: "a phone in the trouser pocket of a cyclist, pedalling 1.2 times a second",
        trajectory: Walk(gait: .cycling(), speed: 5, tilt: 0.2)),
      Scenario(
        name: "drive", summary: "a phone in a car that drives round a block: straights, turns, braking",
        trajectory: Drive()),
      Scenario(
        name: "car", summary: "the same drive on an ordinary road, with the vibration of wheels and engine",
        trajectory: Drive(roughness: 0.3)),
      Scenario(
        name: "bus", summary: "a phone in a pocket in a city bus: stops with the engine idling, turns, worn streets",
        trajectory: Drive.bus),
      Scenario(
        name: "motorway", summary: "a phone in a car at 27 m/s: long curves of 3 degrees per second",
        trajectory: Motorway()),
      Scenario(
        name: "train",
        summary: "a phone in a hand on a suburban train: it pulls away, sways, brakes, stands in stations",
        trajectory: Ride.train),
      Scenario(name: "lift", summary: "a phone in a hand in a lift, up and down", trajectory: Ride.lift),
      Scenario(
        name: "escalator", summary: "a phone in a hand on an escalator, up and down", trajectory: Ride.escalator),
      Scenario(
        name: "headNod", summary: "headphones on a head that nods and looks around", deviceClass: .headphones,
        trajectory: HeadNod()),
      Scenario(name: "shake", summary: "shaken hard from side to side, two seconds out of four", trajectory: Shake()),
      Scenario(
        name: "poses", summary: "face up, upright, on its side, face down and back, resting in each pose",
        trajectory: PoseSpline.tour),
      Scenario(
        name: "sixSides", summary: "lies on each of its six sides for three seconds, for calibrating an accelerometer",
        trajectory: PoseSpline.sixSides),
      Scenario(
        name: "tumble", summary: "turned slowly through all directions, for calibrating a magnetometer",
        trajectory: Tumble()),
      Scenario(
        name: "dive", summary: "a dive computer on a dive, down to 5.5 m or to depth=METRES, and up again",
        deviceClass: .watch, trajectory: Dive(), configuration: .diver),
      Scenario(
        name: "stairs", summary: "a phone carried up three flights of stairs of 3 m and down again",
        trajectory: Stairs(), configuration: .climber),
      Scenario(
        name: "swing", summary: "a watch on a wrist that swings a racket: a stroke every four seconds, 800 Hz",
        deviceClass: .watch, trajectory: Strokes(), configuration: .player),
    ]
  }
}

extension SimulatedSource.Configuration {
  /// A dive computer: no barometer beside its depth sensor.
  fileprivate static let diver = Self {
    ($0.pressure, $0.temperature) = (nil, nil)
    $0.waterPressure = .init(rate: 25)
    $0.errors = .diver
  }

  /// A watch as it is worn for sports: accelerometer and gyroscope at 800 Hz.
  fileprivate static let player = Self {
    $0.inertial = .together(.init(rate: 800))
    $0.errors = .watch
  }

  /// A phone whose barometer is that of a phone.
  fileprivate static let climber = Self { $0.errors.pressure = DeviceErrorModel.phone.pressure }
}

extension PoseSpline {
  /// Three seconds on each side and two between: face up, face down, top up, top down, right edge up, left edge up.
  fileprivate static var sixSides: PoseSpline {
    let turns: [Vector3<Device>] = [
      .zero, Vector3(x: .pi, y: 0, z: 0), Vector3(x: .pi / 2, y: 0, z: 0), Vector3(x: -.pi / 2, y: 0, z: 0),
      Vector3(x: 0, y: -.pi / 2, z: 0), Vector3(x: 0, y: .pi / 2, z: 0),
    ]
    return PoseSpline(
      turns.enumerated().flatMap { number, turn in
        let attitude = Rotation<Device, EastNorthUp>(rotationVector: turn)
        return [0.0, 3.0].map { Pose(time: Double(number) * 5 + $0, attitude: attitude) }
      })
  }

  /// A second in each of four poses and a second and a half between them: face up, upright, on its left side, face
  /// down.
  fileprivate static var tour: PoseSpline {
    let faceUp = Rotation<Device, EastNorthUp>.identity
    let upright = Rotation<Device, EastNorthUp>.raised(by: .pi / 2)
    let onLeftSide = Rotation<Device, EastNorthUp>(rotationVector: Vector3<Device>(x: 0, y: -.pi / 2, z: 0))
    let faceDown = Rotation<Device, EastNorthUp>(rotationVector: Vector3<Device>(x: 0, y: -.pi, z: 0))
    var poses: [Pose] = []
    for (number, attitude) in [faceUp, upright, onLeftSide, faceDown, faceUp].enumerated() {
      let start = Double(number) * 2.5
      poses.append(Pose(time: start, attitude: attitude))
      poses.append(Pose(time: start + 1, attitude: attitude))
    }
    return PoseSpline(poses)
  }
}
