// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// What can go wrong between us and the system's message bus, each in a sentence that says what to do.
enum DBusProblem {
  static func noBus(_ path: String, errno: Int32) -> SensorError {
    if errno == EACCES || errno == EPERM {
      return SensorError(
        .notPermitted,
        "This program may not speak to the system's message bus; in a container, give it the socket and the right to use it.",
        at: .init(file: path), errno: errno)
    }
    return SensorError(
      .notFound,
      "There is no system message bus here, so that the Bluetooth service cannot be asked: start it (sudo systemctl start dbus), or in a "
        + "container mount its socket.",
      at: .init(file: path), errno: errno)
  }

  static func notPermitted(_ path: String) -> SensorError {
    SensorError(
      .notPermitted,
      "The system's message bus does not take this user; in a container, run as a user that the host knows.",
      at: .init(file: path))
  }

  static func closed(_ path: String, errno: Int32?) -> SensorError {
    SensorError(
      .disconnected, "The system's message bus has closed the connection; try again.", at: .init(file: path),
      errno: errno)
  }

  static func late(_ path: String) -> SensorError {
    SensorError(
      .system, "The system's message bus does not answer in time; try again, or restart the Bluetooth service.",
      at: .init(file: path), errno: ETIMEDOUT)
  }

  static func malformed(_ path: String) -> SensorError {
    SensorError(.malformed, "What answers at this socket does not speak D-Bus.", at: .init(file: path))
  }

  /// What the bus or a service says no with.
  static func refused(_ refusal: DBusConnection.Refusal, _ place: String) -> SensorError {
    switch refusal.name {
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
      "org.freedesktop.systemd1.NoSuchUnit", "org.freedesktop.DBus.Error.Spawn.ServiceNotFound":
      SensorError(
        .notFound,
        "The Bluetooth service does not run: install it (sudo apt install bluez) and start it (sudo systemctl start bluetooth).",
        at: .init(file: place))
    case "org.freedesktop.DBus.Error.AccessDenied":
      SensorError(
        .notPermitted,
        "This user may not ask the Bluetooth service: join the group bluetooth (sudo usermod -aG bluetooth \"$USER\") and log in again.",
        at: .init(file: place))
    default:
      SensorError(
        .system,
        "The Bluetooth service refuses: \(refusal.text.isEmpty ? refusal.name : refusal.text) Restart it (sudo systemctl restart "
          + "bluetooth).",
        at: .init(file: place))
    }
  }
}
