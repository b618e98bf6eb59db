// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath
public import MotionSensing
public import SimulatedSources

/// A motion described in words, compiled to a trajectory with exactly known truth.
///
/// ```swift
/// let script: MotionScript = [.rest(1), .tilt(degrees: 30, .right, for: 0.5), .shake(2)]
/// let same: MotionScript = "rest 1 s, tilt 30° right in 0.5 s, shake 2 s"
/// ```
///
/// The device, or the head that wears headphones, starts at rest in the `start` pose, and rests in its last pose after
/// the last step.
public struct MotionScript: Hashable, Sendable, ExpressibleByArrayLiteral, ExpressibleByStringLiteral {
  /// The steps in order.
  public var steps: [MotionStep]
  /// Device → earth at the start. Default: face up, the top edge to the north.
  public var start: Rotation<Device, EastNorthUp>
  /// What is wrong with the literal that it was written as.
  private(set) var mistake: SensorError?

  /// A script of the given steps.
  public init(_ steps: [MotionStep], start: Rotation<Device, EastNorthUp> = .identity) {
    self.steps = steps
    self.start = start
  }

  /// A script of the given steps that starts face up.
  public init(arrayLiteral elements: MotionStep...) { self.init(elements) }

  /// Seconds from the first step to the end of the last one.
  public var duration: Double { steps.reduce(0) { $0 + $1.duration } }

  /// The exact motion. `trajectory.state(at:)` is the truth at any second of the script.
  public var trajectory: any Trajectory { ScriptedTrajectory(self) }

  /// The steps that the person of the script takes on foot, exactly: the truth for pedometers.
  /// `trajectory.stepCount(at:)` has it at any second of the script.
  public var stepCount: Int { steps.reduce(0) { $0 + $1.stepCount } }

  /// The steps of both, one after the other.
  public static func + (a: Self, b: Self) -> Self {
    var sum = Self(a.steps + b.steps, start: a.start)
    sum.mistake = a.mistake ?? b.mistake
    return sum
  }
}

extension MotionScript {
  /// A script from a text, steps separated by commas, semicolons, the word “then” or new lines.
  ///
  /// | step | without its numbers |
  /// |---|---|
  /// | `rest 1 s` | 1 s |
  /// | `tilt 30° right in 0.5 s` (left, right, forward, back) | in 0.5 s |
  /// | `turn 90° left in 1 s` (left, right) | in 1 s |
  /// | `look 20° up in 0.5 s` (left, right, up, down) | up and down as a tilt, left and right as a turn |
  /// | `nod twice in 2 s`, `nod 15° 3 times` | once, by 20° in 0.8 s |
  /// | `shake head 3 times` | once, by 30° to each side in 1 s |
  /// | `move 0.3 m up in 0.5 s` (left, right, up, down, forward, back) | in 0.5 s |
  /// | `shake 2 s` | 1 s |
  /// | `walk 60 s at 110 steps a minute` | 5 s, 120 steps a minute |
  /// | `run 30 s` (at … steps a minute) | 5 s, 162 steps a minute |
  /// | `climb 2 floors`, `descend 1 floor` (at … steps a minute) | 1 floor of 3 m and 18 steps, 108 steps a minute |
  /// | `cycle 2 min`, `drive 5 min` | 60 s |
  /// | `ride the lift 3 floors up` (up, down) | 1 floor of 3 m |
  /// | `drop 0.4 s` | 0.4 s |
  ///
  /// Units: s, ms, min, h; °, degrees, rad; m, cm; floors; times; steps a minute (or a second). A number without a unit is in
  /// seconds after “in” or “for”, else in the unit of the step, with angles in degrees. Throws `.malformed` with the
  /// line and the character of the first mistake.
  public init(_ text: String) throws(SensorError) {
    var steps: [MotionStep] = []
    var phrase = MotionPhrase()
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      for word in MotionWord.words(of: line, line: number + 1) {
        if word.isSeparator {
          if let step = try phrase.finish() { steps.append(step) }
          phrase = MotionPhrase()
        } else {
          phrase.words.append(word)
        }
      }
      if let step = try phrase.finish() { steps.append(step) }
      phrase = MotionPhrase()
    }
    guard !steps.isEmpty else {
      throw SensorError(
        .malformed, "The motion script is empty; write for example “rest 1 s, tilt 30° right in 0.5 s, shake 2 s”.")
    }
    self.init(steps)
  }

  /// A literal, which reads as ``init(_:)`` reads a text. A mistake in it is thrown by `withMotion` with
  /// a text; a ``TestDevice`` made of it stops with the same sentence.
  public init(stringLiteral text: String) {
    do throws(SensorError) {
      self = try Self(text)
    } catch {
      self.init([])
      mistake = error
    }
  }
}

/// One word of a script with its place.
struct MotionWord {
  var text: String
  var line: Int
  /// Counted in characters from 1.
  var column: Int

  var isSeparator: Bool { [",", ";", "then"].contains(text) }

  static func words(of line: Substring, line number: Int) -> [MotionWord] {
    var words: [MotionWord] = []
    var current: MotionWord?
    for (index, character) in line.enumerated() {
      if character.isWhitespace || character == "," || character == ";" {
        if let word = current { words.append(word) }
        current = nil
        if !character.isWhitespace {
          words.append(MotionWord(text: String(character), line: number, column: index + 1))
        }
      } else if current == nil {
        current = MotionWord(text: character.lowercased(), line: number, column: index + 1)
      } else {
        current?.text += character.lowercased()
      }
    }
    return current.map { words + [$0] } ?? words
  }

  func error(_ sentence: String) -> SensorError {
    SensorError(.malformed, sentence, at: .init(file: "motion script", line: line, column: "\(column)"))
  }
}
