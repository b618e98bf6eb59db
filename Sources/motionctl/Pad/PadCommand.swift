// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LiveOutput
import MotionSensing
import MotionTools

extension PadHold: ExpressibleByArgument {}

/// `motionctl pad`: a source as a game controller of this computer.
struct PadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pad", abstract: "Be a game controller whose motion is that of a source.",
    discussion: """
      A virtual DualSense appears and moves as the source does; games and emulators on SDL read its gyroscope and accelerometer \
      like those of any controller. It has no buttons. It goes when the source ends, and at Ctrl-C. What the orientation filter \
      has learned of the gyroscope's bias is taken off, so let the device lie still for ten seconds at first.

      It needs /dev/uhid (sudo, or the rule that the error names), and SDL 2 needs to read /dev/hidraw: the Debian package \
      steam-devices allows it. A second pad is a second controller.

      Examples:
        sudo motionctl pad iio:
        sudo motionctl pad phone: --hold landscape
        sudo motionctl pad simulate:handheld?rate=250 --for 60
      """)

  @OptionGroup var input: SourceArgument

  @Option(
    help: """
      How the device is held: flat (the screen up, the top edge away from you), upright (the screen to you) or landscape (the screen to \
      you, the top edge to the left).
      """)
  var hold: PadHold = .flat

  @OptionGroup var range: LimitOption

  func run() throws {
    let selection = try SourceSelection.open(input.source)
    let run = try PadRun(selection, hold: hold, limit: range.limit)
    StandardError.shared.say(selection.headline)
    let rates = (selection.info.channel(.gyroscope) ?? selection.info.channel(.motion))?.rates
    if let rate = rates?.last, rate < PadRun.slowest {
      StandardError.shared.say(
        "  warning: it measures \(Text.decimal(rate, places: 0)) times a second, and a game shows 60 pictures: aiming will stutter. Set the source faster, or take another."
      )
    }
    try run()
  }
}
