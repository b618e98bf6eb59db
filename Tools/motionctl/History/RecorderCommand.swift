// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHistory
import MotionHost
import MotionSensing
import MotionTools

/// `motionctl recorder`: keeps the history that programs ask for.
struct RecorderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recorder", abstract: "Keep a history of steps, activities and the accelerometer in the background.",
    discussion: """
      Nothing is recorded before you switch it on. The history is one file that only you can read: three days of the accelerometer at \
      50 Hz (85 MB) and seven days of steps and activities. Programs find it by themselves: CMPedometer, CMMotionActivityManager and \
      CMSensorRecorder answer from it. motionctl history shows it and erases it.

      Examples:
        motionctl recorder enable
        motionctl recorder status
        motionctl recorder disable
        motionctl recorder run --no-accelerometer
        motionctl recorder run --source 'replay:day.mcap?speed=max' --store day.sqlite
      """,
    subcommands: [Run.self, Enable.self, Disable.self, Status.self])

  /// What is recorded, and where to.
  struct Options: ParsableArguments {
    @Option(help: "The address of a source (default: MOTION_SOURCE, else the sensors of this computer).")
    var source: String?

    @OptionGroup var file: StoreOption

    @Flag(name: .customLong("no-accelerometer"), help: "Keep steps and activities only.")
    var withoutAccelerometer = false
  }

  struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Record in this terminal until Ctrl-C, or until a recording ends.",
      discussion: """
        One recorder writes a file; a second one is refused. A file that is no history is refused, too, and stays as it is. What is \
        recorded is on the disk after ten seconds. SIGTERM and Ctrl-C write what is left. A recording or a simulation needs --store or \
        MOTION_STORE: it is never written into your own history.
        """)

    @OptionGroup var options: Options

    func run() throws {
      let selection = try RecordSource.open(options.source, isHeadphones: false)
      let place = try StoreSelection(options.file.store)
      try place.requirePlace(for: selection)
      try RecorderRun(selection, place, recordsAccelerometer: !options.withoutAccelerometer)()
    }
  }

  struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Record from now on, and after every login: a service of systemd for this user.",
      discussion: """
        Writes the unit opencoremotion-recorder.service into your folder for such units and starts it; when that fails, everything is as it \
        was before. MOTION_SOURCE, MOTION_STORE and MOTION_PERSON_HEIGHT of this shell are written into it. To record while nobody is logged in: loginctl enable-linger.
        """)

    @OptionGroup var options: Options

    func run() throws {
      try RecorderUnit().enable(
        source: options.source, store: options.file.store, withoutAccelerometer: options.withoutAccelerometer)
    }
  }

  struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Stop recording, and do not begin again. What has been recorded stays until it is erased.")

    func run() throws { try RecorderUnit().disable() }
  }

  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say whether a recorder runs, and what it has kept. The exit code is 0 when one runs, else 1.")

    @OptionGroup var file: StoreOption

    func run() throws {
      let place = try StoreSelection(file.store)
      let holder = WriterLock.holder(ofStore: place.path)
      var lines = [HistoryReport.writer(holder)]
      lines.append(RecorderUnit().sentence)
      if let store = try MotionStore.open(reading: place.path) {
        lines += HistoryReport.summary(try store.contents(), of: place)
      } else {
        lines.append("There is no history at \(place.path).")
      }
      try OutputFile.standardOutput.print(lines)
      guard holder != nil else { throw ProgramEnd.failure }
    }
  }
}
