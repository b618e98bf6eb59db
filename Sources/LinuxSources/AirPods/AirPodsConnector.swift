// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Opens the channel that AirPods are spoken to over: a Bluetooth socket, or the simulator of a test.
public protocol AirPodsConnector: Sendable {
  /// Opens a channel to the headphones of an address (`AA:BB:CC:DD:EE:FF`; nil = those that are connected). Blocks while the radio looks
  /// for them, ends early when the session is stopped (`SourceStopped`), and throws a ``SensorError`` that says what to do.
  func connect(to address: String?, session: SensorSession) throws -> any AirPodsChannel
}

/// An open channel. Each read gives one packet, each write sends one; used by one thread.
public protocol AirPodsChannel: AnyObject {
  /// The address of the headphones at the other end; nil = not known.
  var address: String? { get }
  /// Waits until there is something to read, the session's clock shows `deadline`, or its wake signal comes, whichever is first.
  func wait(until deadline: SensorInstant, session: SensorSession)
  /// The next packet into `buffer`, without waiting: its length, or nil when there is none. Throws a ``SensorError`` when the channel
  /// is closed or broken.
  func read(into buffer: inout [UInt8]) throws(SensorError) -> Int?
  /// Sends one packet.
  func write(_ packet: [UInt8]) throws(SensorError)
  /// Closes the channel; nothing else may be called afterwards.
  func close()
}
