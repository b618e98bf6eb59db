// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// What can go wrong with AirPods, each in a sentence that says what to do.
package enum AirPodsProblem {
  static func noAdapter(errno: Int32?) -> SensorError {
    SensorError(
      .notFound,
      "There is no Bluetooth adapter that is switched on; plug one in, or switch it on: bluetoothctl power on (and rfkill unblock "
        + "bluetooth).", errno: errno)
  }

  static func noneConnected(paired: Bool) -> SensorError {
    SensorError(
      .notFound,
      paired
        ? "The headphones are not connected to this computer; open their case, or connect them: bluetoothctl connect ADDRESS."
        : "No AirPods or Beats are paired with this computer; pair them: bluetoothctl scan on, pair ADDRESS, trust ADDRESS."
    )
  }

  /// What is connected has no sensor; it is looked again, for others may come.
  static func noneTracks(_ name: String) -> SensorError {
    SensorError(.notFound, noSensor(name).message)
  }

  static func badAddress(_ text: String) -> SensorError {
    SensorError(
      .invalidRequest,
      "“\(text)” is not a Bluetooth address; an address has six pairs of hexadecimal digits, such as AA:BB:CC:DD:EE:FF."
    )
  }

  /// What a failed `socket` or its options mean.
  static func socket(errno: Int32) -> SensorError {
    switch errno {
    case EAFNOSUPPORT, EPROTONOSUPPORT:
      SensorError(
        .system,
        "This computer's kernel has no Bluetooth; load it (sudo modprobe bluetooth), and make sure that the program does not run in a container "
          + "without access to the host's network.", errno: errno)
    case EACCES, EPERM: notPermitted(errno)
    default:
      SensorError(.system, "A Bluetooth channel cannot be created: \(String(cString: strerror(errno))).", errno: errno)
    }
  }

  private static func notPermitted(_ errno: Int32) -> SensorError {
    SensorError(
      .notPermitted,
      "The system does not let this program use Bluetooth; a sandbox (Flatpak, Snap, systemd's RestrictAddressFamilies) must allow "
        + "Bluetooth sockets.", errno: errno)
  }

  /// What a failed `connect` means.
  package static func connecting(errno: Int32, address: String) -> SensorError {
    switch errno {
    case EACCES, EPERM: notPermitted(errno)
    case EHOSTUNREACH, ENODEV, ENETDOWN: noAdapter(errno: errno)
    case EHOSTDOWN, ETIMEDOUT:
      SensorError(
        .disconnected,
        "The headphones do not answer: they are in their case or out of range. Open the case or put them on; the connection is retried.",
        errno: errno)
    case ECONNREFUSED:
      SensorError(
        .disconnected,
        "The headphones refuse the channel for motion: they are not AirPods or Beats, or not paired with this computer. Pair them "
          + "(bluetoothctl pair, then trust).", errno: errno)
    case EBADE, EKEYREJECTED, EKEYEXPIRED:
      SensorError(
        .notPermitted,
        "The headphones no longer recognise this computer. Remove the pairing and pair them again: bluetoothctl remove, pair, trust.",
        errno: errno)
    case EBUSY, EALREADY:
      SensorError(
        .busy,
        "The channel to the headphones is busy: another program uses it. End LibrePods, MagicPods or a similar program.",
        errno: errno)
    default:
      SensorError(
        .disconnected,
        "The headphones cannot be reached: \(String(cString: strerror(errno))). The connection is retried.",
        errno: errno)
    }
  }

  static func unencrypted(_ address: String) -> SensorError {
    SensorError(
      .notPermitted,
      "The link to the headphones is not encrypted, so they send no motion. Pair them again: bluetoothctl remove, pair, "
        + "trust.")
  }

  package static let closed = SensorError(
    .disconnected,
    "The headphones closed the channel: they are in their case, taken over by another device, or out of range.")

  static func lost(errno: Int32) -> SensorError {
    SensorError(
      .disconnected, "The link to the headphones is lost: \(String(cString: strerror(errno))).", errno: errno)
  }

  package static let noAnswer = SensorError(
    .busy,
    "The headphones accept the channel but do not answer. Another program may be connected to them (LibrePods, MagicPods): end it. Otherwise connect "
      + "them again: bluetoothctl disconnect, connect.")

  /// Handshake answered, motion asked for, and nothing comes.
  package static let acceptedButNoData = SensorError(
    .busy,
    "The headphones accept the request for motion but send none. Put them on. If they are worn, another device may own them (play "
      + "something from this computer, or open the address with ownership=yes), another program may use them, or the link is "
      + "not encrypted (pair them again).")

  static let nothingAtAll = SensorError(
    .busy,
    "The headphones answer the connect packet but then send nothing, not even the battery state: the link is not encrypted, or "
      + "another program is connected to them (LibrePods, MagicPods). End it, or pair them again: bluetoothctl remove, pair, trust."
  )

  package static let notWorn = SensorError(.disconnected, "The headphones are not worn; put them on.")

  static let inCase = SensorError(.disconnected, "The headphones are in their case; put them on.")

  static func noSensor(_ model: String) -> SensorError {
    SensorError(.unsupported, "\(model) have no readable motion sensor, so they cannot track the head.")
  }

  static let rejected = SensorError(
    .disconnected, "The headphones refuse the protocol connection; it is retried.")
}
