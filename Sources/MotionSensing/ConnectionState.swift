// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Whether a device that comes and goes while its source runs, such as headphones, is connected, and which of its sensors is active.
///
/// It is not a sample: it has no rate, a late subscriber has to receive the present state, and a subscriber may want nothing
/// else. A source that reports it names the kind ``SensorKinds/connection`` in its `info` and calls
/// ``SensorSession/report(_:)``: once at the beginning of each run, then at each change, in order with its samples.
///
/// A device that is connected but not worn counts as not connected where the device finds out whether it is worn (automatic ear
/// detection). A source without this kind is connected whenever it has not failed.
public struct ConnectionState: Hashable, Sendable, BitwiseCopyable {
  /// True while motion can be had: the link is up and, where the device detects it, it is worn.
  public var isConnected: Bool
  /// The active sensor, or the one that would be. Fused samples carry it themselves (``FusedMotionSample/location``); for raw
  /// samples only this tells it. A change means another sensor, with a bias of its own. Default: the device itself.
  public var location: FusedMotionSample.Location

  /// A state; leave out the location where there is only one sensor.
  public init(isConnected: Bool, location: FusedMotionSample.Location = .device) {
    self.isConnected = isConnected
    self.location = location
  }
}
