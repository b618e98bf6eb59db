// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
public import LinuxSources
public import MotionSensing
public import SimulatedSources

/// AirPods without a radio: the bytes of their protocol, on a head whose motion is known exactly.
///
/// ```swift
/// let peer = AirPodsPeer(trajectory: HeadNod()) { $0.events = [.init(.takeOff, at: 2), .init(.putOn, at: 4)] }
/// let source = try AirPodsSource(device: "", mounts: peer.mounts, connector: peer)
/// let host = MotionHost(headphones: source, clock: VirtualClock())
/// ```
///
/// It is put in the place of the Bluetooth socket. ``Transport/inProcess`` runs on the session's clock, so a test that owns the clock owns
/// the buds' time as well; ``Transport/socketPair`` is a real socket with a thread behind it, in real time. Both speak the same
/// bytes: greeting, state, descriptions of services once a link, acknowledgements, reports with the rounding of the real ones, and
/// every fault of ``Faults``. Bytes and times follow public descriptions of the protocol and captures.
public final class AirPodsPeer: AirPodsConnector {
  /// What carries the packets.
  public enum Transport: Sendable {
    /// No descriptor and no thread: time is that of the session's clock.
    case inProcess
    /// A local pair of sockets that keeps packets apart, and a thread of the buds.
    case socketPair
  }

  /// The true motion of the head.
  public let trajectory: any Trajectory
  /// What they are and what happens to them.
  public let configuration: Configuration
  /// What carries the packets.
  public let transport: Transport
  let engine: Lock<AirPodsEngine>

  /// The address that the simulated buds have: one of the range for documentation.
  public static let address = "00:00:5E:00:53:01"

  /// Buds on a head that moves along `trajectory`; `change` changes the default configuration.
  public init(
    trajectory: any Trajectory = HeadNod(), transport: Transport = .inProcess,
    _ change: (inout Configuration) -> Void = { _ in }
  ) {
    var configuration = Configuration()
    change(&configuration)
    self.trajectory = trajectory
    self.configuration = configuration
    self.transport = transport
    engine = Lock(AirPodsEngine(trajectory: trajectory, configuration: configuration))
  }

  /// The mounts of both sides, as their wearer would have measured them.
  public var mounts: HeadMounts {
    let configuration = configuration
    return HeadMounts { key in key.side == .headphoneRight ? configuration.rightMount : configuration.leftMount }
  }

  /// The true motion of the head at a sample's time; nil before the first channel.
  public func truth(at time: SensorInstant) -> TrajectoryState? {
    guard let epoch = engine.withLock({ $0.epoch }), time >= epoch else { return nil }
    return trajectory.state(at: (time - epoch).seconds)
  }

  /// What the buds were sent and asked for.
  public var log: Log { engine.withLock { $0.log } }

  /// A channel to the buds; throws what the kernel would say while they are out of reach.
  public func connect(to address: String?, session: SensorSession) throws -> any AirPodsChannel {
    let failure = engine.withLock { $0.open(at: session.clock.now) }
    if let failure { throw AirPodsProblem.connecting(errno: failure, address: Self.address) }
    switch transport {
    case .inProcess: return AirPodsMemoryChannel(engine: engine, clock: session.clock)
    case .socketPair: return try AirPodsSocketPeer.start(engine: engine)
    }
  }

  /// What the buds were sent and asked for.
  public struct Log: Hashable, Sendable {
    /// Times that a channel was asked for, and by which seconds of the trajectory.
    public var openings: [Double] = []
    /// Settings of an interval: which service, how many microseconds, and when, in seconds of the trajectory.
    public var intervals: [Interval] = []
    /// Times that another host was made to give them up.
    public var ownershipRequests = 0
    /// Reports that were sent.
    public var reports = 0

    /// When the packets with reports were given to the socket (``Transport/socketPair``), the first 100 000.
    public var sendingTimes: [SensorInstant] = []

    /// A setting of an interval.
    public struct Interval: Hashable, Sendable {
      /// The service's number.
      public var service: UInt8
      /// 0 = stop.
      public var microseconds: UInt32
      /// Seconds of the trajectory.
      public var time: Double
    }
  }
}
