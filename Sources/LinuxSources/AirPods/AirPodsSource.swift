// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// The motion of a head that wears AirPods or Beats, over Apple's accessory protocol on a Bluetooth socket.
///
/// ```swift
/// let source = try AirPodsSource(device: "AA:BB:CC:DD:EE:FF", options: ["rate": "25"])
/// print(source.status.sentence)
/// ```
///
/// The buds fuse their own motion; what is added here is the rotation from the active bud to the head (``HeadMounts``, else a generic
/// one that is levelled at the first still second), and a place on our clock. One bud is active at a time. When the other one takes over,
/// its own mount is used and the azimuth is kept; the jump is counted (``HeadphoneStatus/discontinuities``).
///
/// Headphones that are away, in their case or owned by another host are no failure: the source reports that they are not
/// connected, says in ``status`` what to do, and tries again, ever more slowly. A mistake in the address and a system without Bluetooth
/// are failures.
///
/// The protocol is unofficial: this is written from public descriptions and captures, and tried on a simulated peer; not on hardware.
/// AirPods is a trademark of Apple Inc., which has no part in this.
public final class AirPodsSource: SensorSource, HeadphoneReporting {
  /// What is kept between runs.
  struct State {
    var status = HeadphoneStatus(protocolName: AirPodsSource.protocolName)
    var statistics = AirPodsStatistics()
    var memory = AirPodsLink.Memory()
  }

  public let info: SensorInfo
  /// How it reads.
  public let options: AirPodsOptions
  let device: String?
  let mounts: HeadMounts
  let connector: any AirPodsConnector
  let state = Lock(State())

  static let protocolName = "AAP over L2CAP"

  /// Headphones of an address (`AA:BB:CC:DD:EE:FF`); an empty one = those that are connected to this computer. `mounts` are what their
  /// wearer has measured. For `options` see ``AirPodsOptions``. Throws for an address or an option that is none; nothing is sent before
  /// a run.
  public init(
    device: String, mounts: HeadMounts = .none, connector: any AirPodsConnector = L2CAPConnector(),
    options: [String: String] = [:]
  ) throws(SensorError) {
    self.options = try AirPodsOptions(options)
    if device.isEmpty {
      self.device = nil
    } else {
      guard let address = BluetoothAddress(device) else { throw AirPodsProblem.badAddress(device) }
      self.device = address.text
    }
    self.mounts = mounts
    self.connector = connector
    info = SensorInfo(
      name: "AirPods", origin: .hardware, pacing: .live, deviceClass: .headphones,
      channels: [.init(kind: .fusedMotion, rates: [Double(self.options.rate)]), .init(kind: .connection)],
      fusedReference: .xArbitrary, identity: self.device)
  }

  public var status: HeadphoneStatus { state.withLock { $0.status } }

  /// What happened in the runs so far.
  public var statistics: AirPodsStatistics { state.withLock { $0.statistics } }

  /// Delivers motion and reports of the connection until the session stops.
  public func run(_ session: SensorSession) throws {
    var run = AirPodsRun(source: self, session: session)
    try run.deliverAll()
  }
}

/// What happened in the runs of an ``AirPodsSource`` so far: nothing is dropped in silence.
public struct AirPodsStatistics: Sendable, Hashable {
  /// Times that a channel was asked for.
  public var openings = 0
  /// Times that a channel was lost, or refused.
  public var failures = 0
  /// Packets of any kind.
  public var packets = 0
  /// Packets that were not of the form that their head says.
  public var malformedPackets = 0
  /// Reports of motion.
  public var reports = 0
  /// Reports refused: another record, too short, or no unit quaternion.
  public var refusedReports = 0
  /// Reports that came while the headphones were not worn, or motion was not wanted.
  public var unwantedReports = 0
  /// Reports dropped because they were not newer than the one before.
  public var repeatedReports = 0
  /// Reports that are missing by the bud's own count of its steps.
  public var lostReports = 0
  /// Reports whose smoothed gravity has not the length of gravity; they are delivered.
  public var implausibleReports = 0
  /// Times that motion was asked for.
  public var starts = 0
  /// Times that motion stopped coming although it was wanted.
  public var stalls = 0
  /// Times that the bud's clock was anchored to ours.
  public var anchorings = 0
}
