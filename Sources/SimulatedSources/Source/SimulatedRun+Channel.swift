// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

extension SimulatedRun {
  /// One stream of samples with its own grid of times.
  struct Channel {
    enum Content { case inertial, accelerometer, gyroscope, magnetometer, airPressure, waterPressure, temperature }

    let content: Content
    let kinds: SensorKinds
    let timing: SimulatedSource.Timing
    /// The next sample of the grid, and its time after the epoch.
    private(set) var index: Int64 = 0
    private(set) var offset: SensorDuration
    /// A sample that a fault keeps back until its successor is out.
    var held: SensorSample?
    /// What the sensor delivered last; a frozen one repeats it.
    var latest: SensorSample?

    init(_ content: Content, _ kinds: SensorKinds, _ timing: SimulatedSource.Timing) {
      self.content = content
      self.kinds = kinds
      self.timing = timing
      offset = timing.offset(of: 0)
    }

    /// Goes on to the next sample of the grid.
    mutating func step() {
      index += 1
      offset = timing.offset(of: index)
    }

    /// Goes to the first sample after `position`.
    mutating func seek(after position: SensorDuration) {
      index = timing.firstIndex(after: position)
      offset = timing.offset(of: index)
      held = nil
    }
  }

  /// The channels of a configuration; at one instant the earlier in the list speaks first.
  static func channels(of configuration: SimulatedSource.Configuration) -> [Channel] {
    var channels: [Channel] = []
    switch configuration.inertial {
    case .together(let timing):
      channels.append(Channel(.inertial, .inertial, timing))
    case .apart(let accelerometer, let gyroscope):
      if let accelerometer { channels.append(Channel(.accelerometer, .accelerometer, accelerometer)) }
      if let gyroscope { channels.append(Channel(.gyroscope, .gyroscope, gyroscope)) }
    }
    if let timing = configuration.magnetometer { channels.append(Channel(.magnetometer, .magnetometer, timing)) }
    if let timing = configuration.pressure { channels.append(Channel(.airPressure, .airPressure, timing)) }
    if let timing = configuration.waterPressure { channels.append(Channel(.waterPressure, .waterPressure, timing)) }
    if let timing = configuration.temperature { channels.append(Channel(.temperature, .temperature, timing)) }
    return channels
  }
}
