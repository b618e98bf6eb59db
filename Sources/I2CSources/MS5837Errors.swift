// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import MotionSensing

/// What can go wrong with the chip and its bus, each in a sentence that says what to do.
enum MS5837Problem {
  static let noBuses = SensorError(
    .notFound,
    "This computer has no I²C bus device: load the kernel module (sudo modprobe i2c-dev), and on a Raspberry Pi enable I²C "
      + "(sudo raspi-config nonint do_i2c 0).",
    at: .init(file: MS5837Address.folder))

  static func noBus(_ address: MS5837Address, known: [Int], errno: Int32) -> SensorError {
    guard !known.isEmpty else { return noBuses }
    let list = known.map(String.init).joined(separator: ", ")
    return SensorError(
      .notFound, "There is no such I²C bus; this computer has \(list).", at: address.place, errno: errno)
  }

  static func notPermitted(_ address: MS5837Address, errno: Int32) -> SensorError {
    SensorError(
      .notPermitted,
      "This program may not use the bus: join the group that owns it (sudo usermod -aG i2c \"$USER\") and log in again.",
      at: address.place, errno: errno)
  }

  static func held(_ address: MS5837Address) -> SensorError {
    let device = "\(address.busNumber)-00\(String(address.chip, radix: 16))"
    return SensorError(
      .busy,
      "A kernel driver uses the chip at \(address.chipText): read it with iio:?water=yes, or unbind the driver "
        + "(echo \(device) | sudo tee /sys/bus/i2c/devices/\(device)/driver/unbind).",
      at: address.place, errno: EBUSY)
  }

  static func noAnswer(_ address: MS5837Address, wasThere: Bool, errno: Int32) -> SensorError {
    SensorError(
      wasThere ? .disconnected : .notFound,
      "Nothing answers at \(address.chipText)\(wasThere ? " any more" : ""): check the sensor's power, ground, SDA and SCL; "
        + "“i2cdetect -y \(address.busNumber)” lists the devices on the bus.",
      at: address.place, errno: errno)
  }

  static func checksum(_ memory: MS5837Memory?, _ address: MS5837Address) -> SensorError {
    let text = memory.map { " (\($0.text))" } ?? ""
    return SensorError(
      .system,
      "The memory of the chip at \(address.chipText)\(text) does not match its checksum: the wires are too long, the bus is too fast, or it is "
        + "no MS5837.",
      at: address.place)
  }

  static func otherModel(_ found: MS5837Model, wanted: MS5837Model, version: UInt8, _ address: MS5837Address)
    -> SensorError
  {
    SensorError(
      .invalidRequest,
      "The chip at \(address.chipText) is an \(found.name) (version 0x\(String(version, radix: 16))), not an "
        + "\(wanted.name): remove the option model, or use model=\(found.rawValue).",
      at: address.place)
  }

  static func unknownModel(version: UInt8, _ address: MS5837Address) -> SensorError {
    SensorError(
      .unsupported,
      "The chip at \(address.chipText) has version 0x\(String(version, radix: 16)), which is neither an MS5837-30BA nor an "
        + "MS5837-02BA, so its values cannot be used; if you know that it is one, add model=30ba or model=02ba.",
      at: address.place)
  }

  static func implausible(_ what: String, _ address: MS5837Address) -> SensorError {
    SensorError(
      .system,
      "The chip at \(address.chipText) delivers \(what); check its wires and its power, and the option model. It is reset and "
        + "tried again.",
      at: address.place)
  }

  /// What a failed call on the bus means. `wasThere`: the chip has answered before.
  static func failure(
    _ failure: SystemFailure, _ address: MS5837Address, wasThere: Bool, buses: I2CBuses
  ) -> SensorError {
    switch failure.errno {
    case EACCES, EPERM: return notPermitted(address, errno: failure.errno)
    case EBUSY: return held(address)
    case ENOENT, ENODEV:
      guard wasThere else { return noBus(address, known: buses.numbers(), errno: failure.errno) }
      return SensorError(
        .disconnected, "The I²C bus was removed: plug its adapter in again.", at: address.place, errno: failure.errno)
    // A chip that is not there does not acknowledge; adapters say so in several ways.
    case ENXIO, EREMOTEIO, EIO, ETIMEDOUT, EAGAIN: return noAnswer(address, wasThere: wasThere, errno: failure.errno)
    case ENOTTY, EINVAL, EISDIR:
      return SensorError(.unsupported, "This is not an I²C bus.", at: address.place, errno: failure.errno)
    case EOPNOTSUPP:
      return SensorError(
        .unsupported, "The adapter of this bus supports only SMBus, and the chip needs plain I²C; use another bus.",
        at: address.place, errno: failure.errno)
    default:
      return .refusal(by: "The bus", errno: failure.errno, file: address.path)
    }
  }
}
