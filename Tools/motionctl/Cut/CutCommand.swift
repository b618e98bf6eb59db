// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionRecording
import MotionSensing
import MotionTools

/// `motionctl cut`: a part of a recording, as an MCAP file.
struct CutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cut", abstract: "Take a part of a recording, by time or by stream.",
    discussion: """
      The part begins with --from and ends before --to: seconds since the recording's beginning (90, 1m30s), or instants \
      (2026-11-21T10:00:00Z) where the recording knows the wall clock. Out of an MCAP file the messages are copied as they are, byte by \
      byte, with everything that the file says of itself; an unfinished file becomes a finished one. Of any other format \
      motionctl convert makes a part: convert 'phone.csv?from=10&to=20' part.mcap.

      Examples:
        motionctl cut walk.mcap part.mcap --from 10s --to 1m30s
        motionctl cut killed.mcap whole.mcap
        motionctl cut walk.mcap gyro.mcap --stream gyroscope
        motionctl cut walk.mcap part.mcap --to 1m --compress zstd
      """)

  @Argument(help: "The MCAP file; FILE?errors=skip uses the rest of a damaged one.")
  var input: String

  @Argument(help: "The MCAP file to write; it appears when it is whole.")
  var output: String

  @OptionGroup var begin: BeginOption
  @OptionGroup var end: EndOption

  @Option(
    help: ArgumentHelp(
      "Only this stream: a topic or its last word, such as gyroscope. May be repeated.", valueName: "name"))
  var stream: [String] = []

  @OptionGroup var file: FileOptions

  func validate() throws {
    guard output.lowercased().hasSuffix(".mcap") else {
      throw ValidationError("The part is an MCAP file: end its name with .mcap.")
    }
  }

  func run() throws {
    let completion = Completion.endedBySignals()
    let recording = try RecordingArgument(input)
    let files = ConvertOutput(readingFrom: recording.path, force: file.force)
    do {
      var part = RecordingPart()
      (part.from, part.to, part.streams, part.compression) = (begin.from, end.to, stream, file.compress)
      let sink = try files.sink(output)
      let cut = try MCAPCut(recording, part, to: sink)
      let progress = ProgressLine()
      defer { StandardError.shared.endStatus() }
      let count = try cut.run { seen in
        progress.update(seen, "message")
        return !completion.isFinished
      }
      try completion.check(interruption: "Interrupted: \(output) was not written.")
      guard count > 0 else {
        // Nothing of it was seen: the first message lies behind the end of the part.
        let what = cut.length > 0 ? "the recording lasts \(Text.duration(cut.length))" : "the recording begins later"
        throw CommandFailure("There is nothing between these times: \(what).")
      }
      try files.commit()
      StandardError.shared.say("\(output): \(Text.count(count, "message")), \(Text.bytes(sink.count))")
      StandardError.shared.say(cut.omissions)
    } catch {
      files.discard()
      throw files.cause(of: error)
    }
  }
}
