// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// The errors of the system's message bus and of the Bluetooth service on it, each in a sentence that says what to do.
enum BusProblem {
  static let noLibrary = SensorError(
    .notFound,
    "The library libsystemd, which is needed to query the Bluetooth service, is not installed: sudo apt install libsystemd0.",
    at: .init(file: "libsystemd.so.0"))

  /// What a failed connection means.
  static func notConnected(_ place: String, errno: Int32) -> SensorError {
    switch errno {
    case EACCES, EPERM:
      SensorError(
        .notPermitted,
        "This program may not use the system's message bus (D-Bus); in a container, mount its socket and allow its use.",
        at: .init(file: place), errno: errno)
    case ECONNRESET, ENOTCONN, EPIPE: failure(place, errno: errno)
    default:
      SensorError(
        .notFound,
        "There is no system message bus (D-Bus), so the Bluetooth service cannot be queried: start it (sudo systemctl start dbus), or in a "
          + "container mount its socket.",
        at: .init(file: place), errno: errno)
    }
  }

  static func late(_ place: String) -> SensorError {
    SensorError(
      .system, "The system's message bus does not answer in time; try again, or restart the Bluetooth service.",
      at: .init(file: place), errno: ETIMEDOUT)
  }

  /// What an error of sd-bus on an open connection means.
  static func failure(_ place: String, errno: Int32) -> SensorError {
    switch errno {
    case EACCES, EPERM:
      SensorError(
        .notPermitted,
        "The system's message bus does not accept this user; in a container, run as a user that exists on the host.",
        at: .init(file: place), errno: errno)
    case ECONNRESET, ENOTCONN, EPIPE, ESHUTDOWN, ECONNABORTED:
      SensorError(
        .disconnected, "The system's message bus has closed the connection; try again.", at: .init(file: place),
        errno: errno)
    case ETIMEDOUT: late(place)
    default:
      SensorError(
        .malformed,
        "The answer of the system's message bus cannot be read: \(String(cString: strerror(errno))).",
        at: .init(file: place), errno: errno)
    }
  }

  /// What the bus or a service refuses with: the name of a D-Bus error and the text beside it.
  static func refused(_ name: String, _ text: String, at place: String) -> SensorError {
    switch name {
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
      "org.freedesktop.systemd1.NoSuchUnit", "org.freedesktop.DBus.Error.Spawn.ServiceNotFound":
      SensorError(
        .notFound,
        "The Bluetooth service is not running: install it (sudo apt install bluez) and start it (sudo systemctl start bluetooth).",
        at: .init(file: place))
    case "org.freedesktop.DBus.Error.AccessDenied":
      SensorError(
        .notPermitted,
        "This user may not use the Bluetooth service: join the group bluetooth (sudo usermod -aG bluetooth \"$USER\") and log in again.",
        at: .init(file: place))
    default:
      SensorError(
        .system,
        "The Bluetooth service reports an error: \(text.isEmpty ? name : text) Restart it (sudo systemctl restart "
          + "bluetooth).",
        at: .init(file: place))
    }
  }
}
