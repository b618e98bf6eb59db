// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import HeadphoneSimulation
package import HeadphoneSources
import MotionMath
package import MotionSensing
package import SimulatedSources

/// Simulated AirPods: the bytes of their protocol, on a head whose motion is known exactly.
///
/// ```swift
/// let peer = AirPodsPeer(trajectory: HeadNod()) { $0.events = [.init(.takeOff, at: 2), .init(.putOn, at: 4)] }
/// let host = MotionHost(headphones: try peer.source(), clock: VirtualClock())
/// ```
///
/// It replaces the Bluetooth socket. `Transport.inProcess` runs on the session's clock, so a test that controls the
/// clock also controls the buds' time; `Transport.socketPair` is a real socket with a thread behind it, in real time.
/// Both send the same bytes: greeting, state, descriptions of services once per link, acknowledgements, reports with
/// the rounding of the real ones, and every fault of `Faults`. Bytes and times follow package descriptions of the
/// protocol and captures.
package final class AirPodsPeer: AirPodsConnector {
  /// What carries the packets.
  package enum Transport: Sendable {
    /// No descriptor and no thread; the time is that of the session's clock.
    case inProcess
    /// A local pair of packet sockets, and a thread for the buds.
    case socketPair
  }

  /// The true motion of the head.
  package let trajectory: any Trajectory
  /// What they are and what happens to them.
  package let configuration: Configuration
  /// What carries the packets.
  package let transport: Transport
  let engine: Lock<AirPodsEngine>

  /// The address of the simulated buds, from the range for documentation.
  package static let address = "00:00:5E:00:53:01"

  /// Buds on a head that moves along `trajectory`; `change` changes the default configuration.
  package init(
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

  /// A source that is connected to them; `options` as of `AirPodsSource`. Without the option `mount` it uses the true
  /// one.
  package func source(options: [String: String] = [:]) throws(SensorError) -> AirPodsSource {
    let q = configuration.mount
    let mount = [q.w, q.x, q.y, q.z].map(\.description).joined(separator: ":")
    return try AirPodsSource(device: "", connector: self, options: options.merging(["mount": mount]) { own, _ in own })
  }

  /// The true motion of the head at a sample's time; nil before the first channel.
  package func truth(at time: SensorInstant) -> TrajectoryState? {
    guard let epoch = engine.withLock({ $0.epoch }), time >= epoch else { return nil }
    return trajectory.state(at: (time - epoch).seconds)
  }

  /// What was sent to the buds and requested from them.
  package var log: Log { engine.withLock { $0.log } }

  /// A channel to the buds; throws what the kernel would say while they are out of reach.
  package func connect(to address: String?, session: SensorSession) throws -> any AirPodsChannel {
    let failure = engine.withLock { $0.open(at: session.clock.now) }
    if let failure { throw AirPodsProblem.connecting(errno: failure, address: Self.address) }
    switch transport {
    case .inProcess: return AirPodsMemoryChannel(engine: engine, clock: session.clock)
    case .socketPair: return try AirPodsSocketPeer.start(engine: engine)
    }
  }

  /// What was sent to the buds and requested from them.
  package struct Log: Hashable, Sendable {
    /// Times that a channel was asked for, and by which seconds of the trajectory.
    package var openings: [Double] = []
    /// Settings of an interval: which service, how many microseconds, and when, in seconds of the trajectory.
    package var intervals: [Interval] = []
    /// Times that another host was made to give them up.
    package var ownershipRequests = 0

    /// A setting of an interval.
    package struct Interval: Hashable, Sendable {
      /// The service's number.
      package var service: UInt8
      /// 0 = stop.
      package var microseconds: UInt32
      /// Seconds of the trajectory.
      package var time: Double
    }
  }
}

extension AirPodsPeer {
  /// An event of the buds at a known time.
  package typealias Event = TimedEvent<Action>

  /// The possible events of the buds.
  package enum Action: Hashable, Sendable {
    /// The bytes of an ear packet: 0 in ear, 1 out, 2 in case, 3 asleep, 4 moved; by role, not by side.
    case ear(UInt8, UInt8)
    /// Both are taken out.
    case takeOff
    /// Both are put in.
    case putOn
    /// The other bud becomes the primary one and sends, with its own mount and its own azimuth.
    case swapRoles
    /// The link is lost; they are out of range for this many seconds.
    case loseLink(seconds: Double)
    /// The same in the middle of a report: the last packet is cut in half.
    case loseLinkInReport(seconds: Double)
  }

  /// Faults, as seen or expected on real links. Default: none.
  package struct Faults: Hashable, Sendable {
    /// The encoding of the firmware of 2024.
    package var usesOldEncoding = false
    /// Motion comes from service 14; service 16 is not even acknowledged.
    package var hasServiceFourteenOnly = false
    /// Settings are acknowledged and no report comes.
    package var acknowledgesWithoutData = false
    /// A link that is not encrypted: only the connect packet is answered.
    package var isUnencrypted = false
    /// Another program has the channel: nothing comes at all.
    package var hasAnotherClient = false
    /// Another host owns the buds: no report before they are taken over.
    package var belongsToAnotherHost = false
    /// Every n-th report is not sent.
    package var losesEvery: Int?
    /// Every n-th report ends in the middle.
    package var truncatesEvery: Int?
    /// Every n-th report declares a length of 65 535.
    package var hostileLengthEvery: Int?
    /// Every n-th report declares one byte too few.
    package var wrongLengthEvery: Int?
    /// Every n-th report holds no unit quaternion.
    package var impossibleAttitudeEvery: Int?
    /// Every n-th report is of another kind.
    package var foreignRecordEvery: Int?
    /// Reports come two in one packet.
    package var sendsTwoAtOnce = false
    /// Message kinds 5 and 7, with two strange bytes.
    package var surroundsMessages = false
    /// Reports come in bursts, every 100 ms.
    package var sendsInBursts = false

    /// No faults.
    package init() {}
  }

  /// The configuration of simulated AirPods.
  ///
  /// The default is a pair that is in range, worn, detects wearing, and sends from the left bud.
  package struct Configuration: Hashable, Sendable {
    /// The name given by the owner.
    package var name = "Simulated AirPods"
    /// AirPods Pro 3.
    package var modelNumber = "A3064"
    /// As the information packet has it.
    package var firmware = "81.2675000075000000.6082"
    /// The serial number of the left bud.
    package var leftSerial = "TESTLEFT0000000000"
    /// That of the right one.
    package var rightSerial = "TESTRIGHT000000000"
    /// Bud → head, of both sides. Default: the generic one.
    package var mount = HeadMount.generic
    /// The azimuth that the left bud's filter began with, rad.
    package var leftAzimuth = 0.6
    /// That of the right one. Where a bud's w comes near 0, its rounding to 1/32768 costs the reported attitude 2⁻¹⁵ /
    /// w rad; that is so with real buds, and with these at azimuths about −2.
    package var rightAzimuth = -0.4
    /// The side that is the primary one, and sends first. Default left.
    package var side = MotionRow.Location.headphoneLeft
    /// Whether they are worn at the start. Default true.
    package var isWorn = true
    /// Automatic ear detection. Default true.
    package var detectsWearing = true
    /// Whether they describe their services. Default true.
    package var describesServices = true
    /// Parts by which the buds' clock runs fast. Default 0.
    package var clockError = 0.0
    /// Of the first message; default 120, so that 128 is passed soon.
    package var firstSequence: UInt64 = 120
    /// Of the first report; default near the end of 32 bits.
    package var firstCounter: UInt32 = 0xFFFF_FF00
    /// In any order; of two at the same time the earlier in the list comes first.
    package var events: [Event] = []
    /// What goes wrong.
    package var faults = Faults()

    /// The defaults.
    package init() {}
  }
}
