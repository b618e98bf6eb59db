// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// What can go wrong with a device, each in a sentence that says what to do.
enum IIOProblem {
  /// A udev rule that gives the members of the group `iio` what buffered reading of motion and pressure needs: the node,
  /// and the settings that `IIOBufferClaim` writes (PERM-4), nothing else of the device and no other kind of device.
  static let rule =
    #"SUBSYSTEM=="iio", KERNEL=="iio:device*", PROGRAM=="/bin/sh -c 'ls \"/sys$devpath\" | grep -q -e ^in_accel -e ^in_anglvel -e ^in_magn -e ^in_pressure'", GROUP="iio", MODE="0660", RUN+="/bin/sh -c 'cd \"/sys$devpath\" && set -- scan_elements/*_en buffer/enable buffer/length buffer/watermark buffer/hwfifo_timeout current_timestamp_clock *sampling_frequency *hysteresis && { chgrp -f iio $$@; chmod -f g+w $$@; }; :'""#

  /// Where the rule goes.
  static let rulePath = "/etc/udev/rules.d/60-opencoremotion-iio.rules"

  static func notPermitted(_ path: String, errno: Int32) -> SensorError {
    SensorError(
      .notPermitted,
      "This program may not use the sensor's buffer. Create a group “iio” and add yourself to it (sudo groupadd --system iio; sudo usermod -aG iio \"$USER\"), "
        + "put this line into \(rulePath): \(rule) and restart the computer.",
      at: .init(file: path), errno: errno)
  }

  static func busy(_ device: IIODevice) -> SensorError {
    SensorError(
      .busy,
      "Another program, such as iio-sensor-proxy, uses the buffer of “\(device.name)”; it is not changed. Stop that program to get "
        + "precise time stamps.",
      at: .init(file: "\(device.folder)/buffer/enable"))
  }

  static func noBuffer(_ device: IIODevice) -> SensorError {
    SensorError(
      .unsupported, "The driver of “\(device.name)” has no buffer.", at: .init(file: "\(device.folder)/buffer/enable"))
  }

  static func noTrigger(_ device: IIODevice) -> SensorError {
    SensorError(
      .unsupported,
      "The buffer of “\(device.name)” does not start: the chip has no interrupt line, and no trigger is set in "
        + "trigger/current_trigger.",
      at: .init(file: "\(device.folder)/buffer/enable"), errno: EINVAL)
  }

  static func disconnected(_ device: IIODevice, errno: Int32?) -> SensorError {
    SensorError(
      .disconnected, "The sensor “\(device.name)” was unplugged, or its driver was unloaded; plug it in again.",
      at: .init(file: device.node), errno: errno)
  }

  static func switchedOff(_ device: IIODevice) -> SensorError {
    SensorError(
      .busy, "Another program disabled the buffer of “\(device.name)”; the sensor is polled from now on.",
      at: .init(file: "\(device.folder)/buffer/enable"))
  }

  /// What a failed system call on a device means.
  static func failure(_ failure: SystemFailure, path: String, device: IIODevice) -> SensorError {
    switch failure.errno {
    case EACCES, EPERM, EROFS: notPermitted(path, errno: failure.errno)
    case EBUSY: busy(device)
    case ENOENT, ENODEV, ENXIO: disconnected(device, errno: failure.errno)
    default: .refusal(by: "The driver of “\(device.name)”", errno: failure.errno, file: path)
    }
  }
}

extension UdevRule {
  /// For the buffers of IIO devices: members of the group `iio` may use them.
  package static let sensors = UdevRule(
    purpose: "buffered reading of this computer's own sensors, for the group iio", text: IIOProblem.rule,
    path: IIOProblem.rulePath)
}
