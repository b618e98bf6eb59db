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

/// Where device motion comes from.
package enum MotionOrigin: String, CaseIterable, Sendable { case computed, recorded }

/// How a recording is to be read, beside what its address names.
package struct ReadingChoices: Sendable {
  /// The rest of a recording that has malformed lines is used; they are counted.
  package var damage = DamagePolicy.stop
  /// Nil = as the address names it, else computed.
  package var motion: MotionOrigin?
  /// The format; nil = by content.
  package var format: String?
  /// How a table is read that no format describes, as options of an address: `map`, `sign`, `axes`, `rate`.
  package var table: [String: String] = [:]

  package init(
    damage: DamagePolicy = .stop, motion: MotionOrigin? = nil, format: String? = nil, table: [String: String] = [:]
  ) {
    (self.damage, self.motion, self.format, self.table) = (damage, motion, format, table)
  }

  /// The same as options of an address, which checks them.
  package var addressOptions: [String: String] {
    var options = table
    if damage == .skip { options["errors"] = damage.rawValue }
    if let motion { options["motion"] = motion.rawValue }
    if let format { options["format"] = format }
    return options
  }
}
