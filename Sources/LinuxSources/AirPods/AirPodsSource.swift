// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// The motion of a head that wears AirPods or Beats, over Apple's accessory protocol on a Bluetooth socket.
public final class AirPodsSource: SensorSource, HeadphoneReporting {
  public let info: SensorInfo
  /// How it reads.
  public let options: AirPodsOptions
  let device: String?
  let mounts: HeadMounts
  let connector: any AirPodsConnector
  let state = Lock(HeadphoneStatus(protocolName: AirPodsSource.protocolName))

  static let protocolName = "AAP over L2CAP"

  /// Headphones of an address (`AA:BB:CC:DD:EE:FF`); an empty one = those that are connected to this computer.
  public init(
    device: String, mounts: HeadMounts = .none, connector: any AirPodsConnector = L2CAPConnector(),
    options: [String: String] = [:]
  ) throws(SensorError) {
    self.options = try AirPodsOptions(options)
    self.device = device.isEmpty ? nil : device
    self.mounts = mounts
    self.connector = connector
    info = SensorInfo(
      name: "AirPods", origin: .hardware, pacing: .live, deviceClass: .headphones,
      channels: [.init(kind: .fusedMotion, rates: [25, 50]), .init(kind: .connection)], fusedReference: .xArbitrary)
  }

  public var status: HeadphoneStatus { state.withLock { $0 } }

  /// Delivers motion until the session stops.
  public func run(_ session: SensorSession) throws {
    try session.report(ConnectionState(isConnected: false))
    try session.wait(until: SensorInstant(nanoseconds: .max))
  }
}
