// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// The status of a pair of head-tracking headphones: for a status line, and to find out why there is no motion.
///
/// It is a snapshot that the source makes on its own thread and any thread can read. What a device has not reported yet
/// is nil, never a guess. The address identifies the wearer: it is not for others.
package struct HeadphoneStatus: Hashable, Sendable {
  /// The state of the connection.
  package enum Phase: String, Hashable, Sendable, CaseIterable {
    /// No subscriber, or the headphones are not connected to this computer.
    case idle
    /// The channel is being opened.
    case opening
    /// The channel is open, the headphones have not answered yet.
    case handshake
    /// They answer; no motion is requested now.
    case ready
    /// Motion was requested and has not arrived yet.
    case starting
    /// They send nothing yet; usually they are not worn.
    case waitingToBeWorn
    /// Motion arrives.
    case streaming
    /// Motion arrived and has stopped.
    case stalled
    /// The channel is lost; it is opened again after a pause.
    case backingOff
  }

  /// Where the rotation from the active sensor to the head comes from.
  package enum Calibration: String, Hashable, Sendable, CaseIterable {
    /// No rotation: the axes are those of the sensor.
    case none
    /// A typical wearer's, levelled at the first still moment: yaw is correct, pitch and roll are approximate.
    case generic
    /// That of the address; or the device reports the head's own attitude.
    case user
  }

  /// A part of the headphones with a battery of its own.
  package enum Part: String, Hashable, Sendable, CaseIterable, Encodable { case single, right, left, chargingCase }

  /// How full a battery is.
  package struct Battery: Hashable, Sendable, Encodable {
    /// Whose battery.
    package var part: Part
    /// Per cent, 0…100; nil = not known, as of a part that is not connected.
    package var percent: Int?
    /// Nil = not known.
    package var isCharging: Bool?
  }

  /// Where one bud is.
  package enum Wear: String, Hashable, Sendable, CaseIterable {
    case inEar = "in ear"
    case out
    case inCase = "in case"
    case away = "disconnected or asleep"
    case moving = "being moved"
    case unknown
  }

  /// Where both are.
  package struct WearPair: Hashable, Sendable {
    var primary: Wear
    var secondary: Wear

    package init(_ primary: Wear, _ secondary: Wear) { (self.primary, self.secondary) = (primary, secondary) }
  }

  /// How far the connection has come; ``sentence`` says it to a person.
  package var phase = Phase.idle
  /// The name that its owner gave it.
  package var name: String?
  /// What it is, "AirPods Pro 2"; the model number where the name is not known.
  package var model: String?
  /// The address of the device, if it has one: personal.
  package var address: String?
  /// The version of its firmware, as it says it.
  package var firmware: String?
  /// One entry per part that the device has named.
  package var batteries: [Battery] = []
  /// Where the primary bud is, and where the other one is; for a headband the first counts. Nil = not said.
  package var wear: WearPair?
  /// Which side is the primary one; nil = not said, or a device without sides.
  package var primarySide: MotionRow.Location?
  /// Whether the device notices by itself that it is worn; nil = not said.
  package var detectsWearing: Bool?
  /// The side whose motion comes, or would; nil = not known.
  package var activeSide: MotionRow.Location?
  /// The state of the rotation from the sensor to the head.
  package var calibration = Calibration.none
  /// Times that the attitude's reference has jumped: another bud is active, the device was reset.
  package var discontinuities = 0
  /// The protocol: "AAP over L2CAP", "Android head tracker over hidraw".
  package var protocolName = ""
  /// Why there is no motion, and what to do; nil = nothing is wrong as far as is known.
  package var problem: SensorError?

  /// Nothing known yet.
  package init(protocolName: String = "") { self.protocolName = protocolName }

  /// Whether they are worn; nil = not known.
  package var isWorn: Bool? { wear.map { $0.primary == .inEar || $0.secondary == .inEar } }

  /// Where a side is worn; nil where that is not known, or the side is not known.
  package func wear(of side: MotionRow.Location) -> Wear? {
    guard let primarySide, let wear, side != .device else { return nil }
    return side == primarySide ? wear.primary : wear.secondary
  }

  /// The phase in a sentence; where something is wrong, that.
  package var sentence: String {
    if let problem { return problem.message }
    return switch phase {
    case .idle: "The headphones are not connected."
    case .opening: "The channel to the headphones is being opened."
    case .handshake: "The channel is open; the headphones have not answered yet."
    case .ready: "The headphones are connected; no program requests their motion now."
    case .starting: "Motion was requested from the headphones."
    case .waitingToBeWorn: "The headphones send no motion yet; put them on."
    case .streaming: "The headphones send motion."
    case .stalled: "The headphones stopped sending motion; it is requested again."
    case .backingOff: "The connection to the headphones is lost; reconnecting soon."
    }
  }
}

/// A source of head motion that can say what its headphones are doing.
///
/// ```swift
/// if let headphones = source as? any HeadphoneReporting { print(headphones.status.sentence) }
/// ```
package protocol HeadphoneReporting: Sendable {
  /// The current status; may be read from any thread, also while the source runs.
  var status: HeadphoneStatus { get }
}
