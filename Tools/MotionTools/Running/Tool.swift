// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionRecording
import MotionSensing

/// The program whose work this library does.
package enum Tool {
  /// The version of the program and of the library it is built with (SemVer).
  package static let version = "0.2.0"
}

/// The end of the program where everything has been reported already: its exit code.
package struct ProgramEnd: Error {
  package let code: Int32
  package init(code: Int32) { self.code = code }

  /// A signal ended the run: 128 + its number, as shells write it.
  package static func signal(_ number: Int32) -> ProgramEnd { ProgramEnd(code: Interruption.exitCode(number)) }
  package static let failure = ProgramEnd(code: 1)
}

/// What a command reads, one input after the other.
package enum Inputs {
  /// Does `work` for each; of several a failure is reported, and the others go on.
  package static func forEach<Input>(_ inputs: [Input], _ work: (Input) throws -> Void) throws {
    if inputs.count == 1 { return try work(inputs[0]) }
    var hasFailed = false
    for input in inputs {
      do {
        try work(input)
      } catch  where error is SensorError || error is CommandFailure {
        StandardError.shared.say("Error: \(error)")
        hasFailed = true
      }
    }
    if hasFailed { throw ProgramEnd.failure }
  }
}

/// How a recording is to be read, beside what its address names; nil = as that has it.
package struct ReadingChoices: Sendable {
  /// The rest of a recording that has malformed lines is used; they are counted.
  package var skipsDamage = false
  package var motion: RecordingOptions.Motion?
  package var format: RecordingFormat?
  /// How a table is read that no format describes.
  package var map: ColumnMap?
  package var sign: RecordingOptions.Sign?
  package var axes: ColumnAxes?
  /// Hz.
  package var rate: Double?

  package init() {}

  /// The names of what is chosen.
  var options: [String] {
    let all: [(String, Bool)] = [
      ("--skip-errors", skipsDamage), ("--motion", motion != nil), ("--from", format != nil), ("--map", map != nil),
      ("--sign", sign != nil), ("--axes", axes != nil), ("--rate", rate != nil),
    ]
    return all.filter(\.1).map(\.0)
  }

  func apply(to options: inout RecordingOptions) {
    if skipsDamage { options.damage = .skip }
    if let motion { options.motion = motion }
    if let format { options.format = format }
    if let map { options.map = map }
    if let sign { options.sign = sign }
    if let axes { options.axes = axes }
    if let rate { options.rate = rate }
  }
}
