// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A sensor chip on a computer's I²C bus, and the commands that start the kernel's driver for it.
///
/// Sources: overlays/README and i2c-sensor-common.dtsi of github.com/raspberrypi/linux for the overlay `i2c-sensor`;
/// the drivers' tables of names (`i2c_device_id`) in the kernel's drivers/iio for `new_device`. bmi160, lis3dh and
/// bmp280 are tried in the guest of `make test-kernel`; the others are untested. A chip without a source for a column
/// has none.
package struct MakerChip: Sendable, Hashable {
  /// As people name it.
  package var name: String
  /// What it measures.
  package var measures: String
  /// The parameters of Raspberry Pi OS' overlay `i2c-sensor`; nil = it does not know the chip.
  var overlay: String?
  /// The driver's name for the chip and its usual address; nil where that is not enough for the driver.
  package var device: String?
  /// The kernel's module.
  package var module: String
  /// What else there is to know.
  package var note: String?

  package static let all: [MakerChip] = [
    .init(
      name: "MPU-6050", measures: "accelerometer, gyroscope", overlay: "mpu6050,int_pin=4", module: "inv_mpu6050_i2c",
      note: "connect INT to GPIO 4: its driver needs the interrupt; address 0x69: add ,addr=0x69"),
    .init(
      name: "MPU-9250", measures: "accelerometer, gyroscope, magnetometer", overlay: "mpu9250,int_pin=4",
      module: "inv_mpu6050_i2c", note: "as the MPU-6050"),
    .init(
      name: "BNO055", measures: "accelerometer, gyroscope, magnetometer", overlay: "bno055,addr=0x28",
      device: "bno055 0x28", module: "bno055_i2c", note: "0x29 on some boards"),
    .init(
      name: "BMI160", measures: "accelerometer, gyroscope", device: "bmi160 0x69", module: "bmi160_i2c",
      note: "0x68 on some boards"),
    .init(
      name: "LSM6DS3", measures: "accelerometer, gyroscope", device: "lsm6ds3 0x6a", module: "st_lsm6dsx_i2c",
      note: "its relatives likewise: lsm6dsl, lsm6dsm, lsm6dso, ism330dlc; 0x6b on some boards"),
    .init(
      name: "ADXL345", measures: "accelerometer", overlay: "adxl345", device: "adxl345 0x53", module: "adxl345_i2c"),
    .init(
      name: "LIS3DH", measures: "accelerometer", device: "lis3dh 0x18", module: "st_accel_i2c",
      note: "0x19 on some boards"),
    .init(
      name: "BMP280, BME280", measures: "air pressure", overlay: "bmp280", device: "bmp280 0x76", module: "bmp280_i2c",
      note: "bme280 for the other; 0x77: ,addr=0x77"),
    .init(name: "BMP180", measures: "air pressure", overlay: "bmp180", device: "bmp180 0x77", module: "bmp280_i2c"),
    .init(
      name: "MS5837", measures: "depth, water temperature", overlay: "ms5837", device: "ms5837 0x76", module: "ms5637",
      note: "MOTION_SOURCE='iio:ms5837?water=yes'; with &scale=pressure:20 for the 30BA (Bar30)"),
  ]

  /// What a maker does, in lines for the terminal.
  package static var guide: [String] {
    let lines = all.flatMap { chip -> [String] in
      var lines = ["", "  \(chip.name): \(chip.measures); module \(chip.module)"]
      if let overlay = chip.overlay { lines.append("    Raspberry Pi OS:  dtoverlay=i2c-sensor,\(overlay)") }
      if let device = chip.device {
        lines.append("    any Linux:        echo \(device) | sudo tee /sys/bus/i2c/devices/i2c-1/new_device")
      }
      if let note = chip.note { lines.append("    note:             \(note)") }
      return lines
    }
    return [
      "Sensor chips on I²C:",
      "  1. Raspberry Pi OS: put dtparam=i2c_arm=on and the chip's dtoverlay line into /boot/firmware/config.txt, and restart.",
      "     Any Linux, until the next restart: load the module (sudo modprobe MODULE), then tell the bus with new_device.",
      "  2. The bus is i2c-1 on a Raspberry Pi; elsewhere see “i2cdetect -l”. “i2cdetect -y 1” shows the chip's address.",
      "  3. “motionctl list” then shows the chip, and “motionctl stream iio:” its motion.",
    ] + lines
  }
}
