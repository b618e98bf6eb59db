// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHistory
import MotionSensing
import MotionTools

/// `motionctl history`: keeps, shows and erases what a person did.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract:
      "Keep a history of steps, activities and the accelerometer; show it by hour or day, export it, or erase it.",
    discussion: """
      Nothing is recorded before you switch it on, with “history record” or its service (systemctl --user enable --now \
      opencoremotion-recorder). The history is one file that only you can read: three days of the accelerometer at 50 Hz (85 MB) and \
      seven days of steps and activities. CMPedometer, CMMotionActivityManager and CMSensorRecorder answer from it.

      Shown are steps, distance, floors and minutes of each activity, and how much of the accelerometer there is. Hours and days are those of \
      your time zone. Dates are written as 2026-11-21, 2026-11-21T10:00:00Z, today, yesterday or now.

      Examples:
        motionctl history record
        motionctl history
        motionctl history --from yesterday --to today --by hour
        motionctl history --csv > week.csv
        motionctl history delete --before 2026-11-20
        motionctl history delete --all
      """,
    subcommands: [Show.self, Record.self, Delete.self], defaultSubcommand: Show.self)

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show or export the history (the default).")

    @Option(help: "The beginning (default: the first thing that is known, at most seven days ago).")
    var from: CalendarMoment?

    @Option(help: "The end (default: now, or the last thing that is known).")
    var to: CalendarMoment?

    @Option(help: "hour or day.")
    var by: HistoryReport.Unit = .day

    @Flag(help: "Comma-separated values, one row for each hour or day of which anything is known.")
    var csv = false

    @OptionGroup var json: JSONOption

    @OptionGroup var file: StoreOption

    func validate() throws {
      if csv, json.isOn { throw ValidationError("Give only one of --csv and --json.") }
    }

    func run() throws {
      let now = Date()
      let place = try StoreSelection(file.store)
      let store = try place.read()
      // The file of a recording may hold another year; one at full speed runs ahead of the clock.
      let known = try store.contents().range ?? now...now
      let end = to?.date(at: now) ?? max(now, known.upperBound)
      let start = from?.date(at: now) ?? min(known.lowerBound, end - 1)
      guard start < end else {
        throw CommandFailure("The range ends before it begins: give an earlier --from or a later --to.")
      }
      let report = try HistoryReport(of: store, at: place, from: start, to: end, by: by)
      if csv, let damaged = report.damagedRows {
        StandardError.shared.say("\(Text.count(damaged, "damaged row")) left out")
      }
      try json.print(report, or: csv ? report.csv : report.text)
    }
  }

  struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Record until Ctrl-C, or until a recording ends.",
      discussion: """
        One recorder writes a file; a second one is refused. A file that is no history is refused, too, and stays as it is. What is \
        recorded is on the disk after ten seconds. SIGTERM and Ctrl-C write what is left. A recording or a simulation needs --store or \
        MOTION_STORE: it is never written into your own history.

        Examples:
          motionctl history record --no-accelerometer
          motionctl history record 'replay:day.mcap?speed=max' --store day.sqlite
        """)

    @Argument(help: "The address of a source (default: MOTION_SOURCE, else the sensors of this computer).")
    var source: String?

    @Flag(inversion: .prefixedNo, help: "Keep the accelerometer, too, not steps and activities only.")
    var accelerometer = true

    @OptionGroup var file: StoreOption

    func run() throws {
      let selection = try SourceSelection.openSensors(source)
      let place = try StoreSelection(file.store)
      try place.requirePlace(for: selection)
      try RecorderRun(selection, place, recordsAccelerometer: accelerometer)()
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Erase the history, or what lies before a date. The bytes are gone from the file.",
      discussion:
        "No recorder may run meanwhile: end it first (systemctl --user stop opencoremotion-recorder, or Ctrl-C).")

    @Option(help: "Erase what ends before this date.")
    var before: CalendarMoment?

    @Flag(help: "Erase everything.")
    var all = false

    @OptionGroup var file: StoreOption

    func validate() throws {
      guard all != (before != nil) else { throw ValidationError("Give either --before DATE or --all.") }
    }

    func run() throws {
      let place = try StoreSelection(file.store)
      guard try MotionStore.exists(at: place.path) else {
        return StandardError.shared.say("There is no history at \(place.path): nothing to erase.")
      }
      let (store, notices) = try MotionStore.open(
        writing: place.path, as: .init(source: "motionctl history delete", recordsAccelerometer: false, since: Date()))
      StandardError.shared.say(notices)
      let erased = try store.erase(before: before?.date(at: Date()))
      StandardError.shared.say(
        erased.isEmpty
          ? "Nothing was there to erase."
          : "Erased \(Text.count(erased.batches, "batch", plural: "batches")) of the accelerometer, \(Text.count(erased.spans, "span")) of steps and \(Text.count(erased.changes, "change")) of activity from \(place.path)."
      )
    }
  }
}

/// A moment as people write it: a day, an instant, `today`, `yesterday` or `now`.
enum CalendarMoment: ExpressibleByArgument, Equatable {
  case now
  /// The beginning of a day, counted from today.
  case day(Int)
  case date(Date)

  init?(argument: String) {
    switch argument.lowercased() {
    case "now": self = .now
    case "today": self = .day(0)
    case "yesterday": self = .day(-1)
    default:
      let styles = [
        Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle(),
        // The beginning of a day here.
        Date.ISO8601FormatStyle(timeZone: .current).year().month().day(),
      ]
      guard let date = styles.lazy.compactMap({ try? $0.parse(argument) }).first else { return nil }
      self = .date(date)
    }
  }

  func date(at now: Date) -> Date {
    switch self {
    case .now: return now
    case .date(let date): return date
    case .day(let offset):
      let today = Calendar.current.startOfDay(for: now)
      return Calendar.current.date(byAdding: .day, value: offset, to: today) ?? today
    }
  }
}
