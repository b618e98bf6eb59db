// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The connection of a device that can connect and disconnect while its source runs, such as headphones, and its active
/// sensor.
///
/// It is not a sample: it has no rate, a late subscriber must receive the current state, and a subscriber may need
/// nothing else. A source that reports it names the kind ``SensorKinds/connection`` in its `info` and calls
/// ``SensorSession/report(_:)``: once at the start of each run, then at each change, in order with its samples.
///
/// A device that is connected but not worn counts as not connected if the device detects whether it is worn (automatic
/// ear detection). A source without this kind is connected whenever it has not failed.
public struct ConnectionState: Hashable, Sendable, BitwiseCopyable {
  /// True while motion is available: the link is up and, if the device detects it, the device is worn.
  public var isConnected: Bool
  /// The active sensor, or the one that would be. Fused samples carry it themselves (``MotionRow/location``); for raw
  /// samples it is only given here. A change means another sensor, with its own bias. Default: the device itself.
  public var location: MotionRow.Location

  /// A state; omit the location if there is only one sensor.
  public init(isConnected: Bool, location: MotionRow.Location = .device) {
    self.isConnected = isConnected
    self.location = location
  }
}
