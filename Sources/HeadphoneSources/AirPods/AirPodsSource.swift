// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// The motion of a head that wears AirPods or Beats, over Apple's accessory protocol on a Bluetooth socket.
///
/// ```swift
/// let source = try AirPodsSource(device: "AA:BB:CC:DD:EE:FF", options: ["rate": "25"])
/// ```
///
/// The buds fuse their own motion; this source adds the rotation from the active bud to the head, a generic one that is
/// levelled in the first still second, and maps the time to our clock. One bud is active at a time. When the other one
/// takes over, the azimuth is kept and the mount levelled again; the jump is counted
/// (`HeadphoneStatus.discontinuities`).
///
/// Headphones that are out of range, in their case or owned by another host are not a failure: the source reports that
/// they are not connected, says in `status` what to do, and retries with increasing delay. A wrong address and a
/// system without Bluetooth are failures.
///
/// The protocol is unofficial: this is written from public descriptions and captures, and tested with simulated
/// AirPods; not on hardware. AirPods is a trademark of Apple Inc., which is not involved in this project.
public final class AirPodsSource: SensorSource, HeadphoneReporting {
  /// What is kept between runs.
  struct State {
    var status = HeadphoneStatus(protocolName: AirPodsSource.protocolName)
    var statistics = SourceStatistics()
    var memory = AirPodsLink.Memory()
  }

  /// The headphones: their motion, and reports of the connection.
  public let info: SensorInfo
  /// How it reads.
  package let options: AirPodsOptions
  let device: String?
  let connector: any AirPodsConnector
  let state = Lock(State())

  static let protocolName = "AAP over L2CAP"

  /// Headphones of an address (`AA:BB:CC:DD:EE:FF`); empty = those that are connected to this computer.
  ///
  /// The options are those of a URI such as `airpods:?rate=25`: `rate` (`50`, `25`), `mount` (`generic`, `bud`, or
  /// a quaternion bud → head `W:X:Y:Z`), `ear` (`auto`, or `off`: connected whether worn or not), and `ownership`
  /// (`yes`, `no`). Throws for an invalid address or option; nothing is sent before a run.
  public convenience init(device: String, options: [String: String] = [:]) throws(SensorError) {
    try self.init(device: device, connector: L2CAPConnector(), options: options)
  }

  /// The same over a connector of the caller's own.
  package init(
    device: String, connector: any AirPodsConnector, options: [String: String] = [:]
  ) throws(SensorError) {
    self.options = try AirPodsOptions(options)
    if device.isEmpty {
      self.device = nil
    } else {
      guard let address = BluetoothAddress(device) else { throw AirPodsProblem.badAddress(device) }
      self.device = address.text
    }
    self.connector = connector
    info = SensorInfo(
      name: "AirPods", origin: .hardware, pacing: .live, deviceClass: .headphones,
      channels: [.init(kind: .motion, rates: [Double(self.options.rate)]), .init(kind: .connection)],
      fusedReference: .xArbitrary, identity: self.device)
  }

  package var status: HeadphoneStatus { state.withLock { $0.status } }

  /// What happened in the runs so far.
  package var statistics: SourceStatistics { state.withLock { $0.statistics } }

  /// Delivers motion and reports of the connection until the session stops.
  public func run(_ session: SensorSession) throws {
    var run = AirPodsRun(source: self, session: session)
    try run.deliverAll()
  }
}
