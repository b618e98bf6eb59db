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
  /// One word or two in camel case: what stands in the address.
  public let name: String
  /// One line for a person, without a full stop.
  public let summary: String
  /// What is being moved.
  public let deviceClass: SensorInfo.DeviceClass
  /// How it is moved.
  public let trajectory: any Trajectory

  /// A scenario of one's own.
  public init(
    name: String, summary: String, deviceClass: SensorInfo.DeviceClass = .phone, trajectory: any Trajectory
  ) {
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

  /// Every scenario that comes with the package.
  public static var all: [Scenario] {
    [
      Scenario(name: "rest", summary: "lies still, face up, its top edge to the north", trajectory: Rest()),
      Scenario(
        name: "spin", summary: "turns anticlockwise on a table, face up, 90 degrees a second",
        trajectory: Spin(axis: .unitZ, rate: .pi / 2)),
      Scenario(
        name: "handheld", summary: "a phone that somebody holds still for a second, then turns this way and that",
        trajectory: Handheld()),
    ]
  }
}
