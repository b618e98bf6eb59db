// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `motionctl calibrate`: measures the errors of a device's sensors and keeps them in a file.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate", abstract: "Measure the errors of a sensor, and correct them from then on.",
    discussion: """
      Each command says what to do with the device, shows how far it is and how good the result would be, and writes a file \
      for this very device. From then on every program reads its sensors corrected. Simulations and recordings are never \
      corrected unless their address says so: calibration=FILE; and calibration=off reads a sensor as it is.

      Begin with gyro: it takes ten seconds and helps most.

      Examples:
        motionctl calibrate gyro
        motionctl calibrate accel iio:bmi160
        motionctl calibrate mag evdev: --yes
        motionctl calibrate gyro 'simulate:rest?errors=phone&speed=max' --output phone.json
      """,
    subcommands: [CalibrateGyroCommand.self, CalibrateAccelCommand.self, CalibrateMagCommand.self])
}

/// What the three commands have in common.
struct CalibrateArguments: ParsableArguments {
  @Argument(
    help: "The address of a source or the path of a recording (default: MOTION_SOURCE, else this computer's sensors).")
  var source: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Give up after this much sample time (default: 300).", valueName: "seconds"))
  var limit: Seconds?

  @Flag(help: "Ask nothing: begin at once, and replace a better calibration.")
  var yes = false

  @Option(
    help: ArgumentHelp(
      "The file to write (default: the device's own in ~/.config/opencoremotion/calibration).", valueName: "file"))
  var output: String?

  /// Seconds.
  var patience: Double { limit?.value ?? 300 }
}
