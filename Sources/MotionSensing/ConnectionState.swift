// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Whether something that comes and goes while its source runs, such as headphones, is there, and which of its sensors speaks.
///
/// It is no sample: it has no rate, a listener who comes later has to be told the present state, and it may be all that
/// somebody wants to know. A source that can tell names the kind ``SensorKinds/connection`` in its `info` and calls
/// ``SensorSession/report(_:)``: once at the beginning of each run, then at each change, in order with its samples.
///
/// A device that is connected but not worn counts as not connected where the device finds out whether it is worn (automatic ear
/// detection). A source without this kind is connected whenever it has not failed.
public struct ConnectionState: Hashable, Sendable, BitwiseCopyable {
  /// True while motion can be had: the link is up and, where the device notices it, somebody wears it.
  public var isConnected: Bool
  /// The sensor that speaks, or would. Samples that came fused say it themselves (``FusedMotionSample/location``); for raw
  /// samples this is the only word. A change means another sensor, with a bias of its own. Default: the device itself.
  public var location: FusedMotionSample.Location

  /// A state; leave out the location where there is only one sensor.
  public init(isConnected: Bool, location: FusedMotionSample.Location = .device) {
    self.isConnected = isConnected
    self.location = location
  }
}
