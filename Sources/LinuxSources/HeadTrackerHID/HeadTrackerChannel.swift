// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// A head tracker that has been opened, by one of the kernel's two doors.
protocol HeadTrackerChannel {
  /// The open node; the caller closes it.
  var descriptor: Int32 { get }
  /// Whether one may sleep on the node until it has something; otherwise it is read every few milliseconds.
  var isPolled: Bool { get }
  /// The text by which the device names its protocol; nil where it cannot be read through this door.
  func protocolText() throws(HeadTrackerNodes.Failure) -> String?
  /// Switches the reports on, at about an interval in seconds; the interval that it is then, nil = it could not be set.
  func enable(interval: Double) throws(HeadTrackerNodes.Failure) -> Double?
  /// Switches them off.
  func disable()
  /// The reports that wait; throws `ENODEV` when the device has gone.
  mutating func read(_ clock: any SensorClock) throws(HeadTrackerNodes.Failure) -> [HeadTrackerArrival]
  /// Whether the device is still there; looked at when nothing comes.
  var isPresent: Bool { get }
}

/// A report as it has arrived.
struct HeadTrackerArrival {
  var id: UInt8
  /// Without the number.
  var data: ArraySlice<UInt8>
  /// When the kernel, or else this program, had it.
  var time: SensorInstant
}
