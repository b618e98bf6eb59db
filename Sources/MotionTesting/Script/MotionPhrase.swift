// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The words of one step, read from left to right.
struct MotionPhrase {
  var words: [MotionWord] = []

  private enum Unit { case second, degree, metre }

  /// What a phrase said besides its verb.
  private struct Content {
    var seconds: Double?
    var amount: Double?
    var direction: MotionStep.Direction?
  }

  private enum Verb: String, CaseIterable {
    case rest, tilt, turn, move, shake, walk, drop

    /// What a number measures that stands without a unit and not after “in”; nil = time.
    var amount: Unit? {
      switch self {
      case .tilt, .turn: .degree
      case .move: .metre
      case .rest, .shake, .walk, .drop: nil
      }
    }

    var directions: [MotionStep.Direction] {
      switch self {
      case .tilt: [.left, .right, .forward, .back]
      case .turn: [.left, .right]
      case .move: MotionStep.Direction.allCases
      case .rest, .shake, .walk, .drop: []
      }
    }
  }

  /// The step, or nil when there are no words.
  func finish() throws(SensorError) -> MotionStep? {
    guard let first = words.first else { return nil }
    guard let verb = Verb(rawValue: first.text) else {
      throw first.error(
        "“\(first.text)” is not a step of a motion script; the steps are \(Verb.allCases.map(\.rawValue).joined(separator: ", "))."
      )
    }
    let content = try content(of: verb)
    if let seconds = content.seconds, !MotionStep.durations.contains(seconds) {
      throw first.error("“\(first.text)” must last from 0.001 to 1000000 s, not \(seconds) s.")
    }
    guard verb.amount != nil else {
      switch verb {
      case .shake: return .shake(content.seconds ?? 1)
      case .walk: return .walk(content.seconds ?? 5)
      case .drop: return .drop(content.seconds ?? 0.4)
      default: return .rest(content.seconds ?? 1)
      }
    }
    guard let amount = content.amount else {
      throw first.error("“\(first.text)” needs an amount: write “\(example(verb))”.")
    }
    guard let direction = content.direction else {
      throw first.error("“\(first.text)” needs a direction: write “\(example(verb))”.")
    }
    switch verb {
    case .tilt: return .tilt(degrees: amount, direction, for: content.seconds ?? 0.5)
    case .turn: return .turn(degrees: amount, direction, for: content.seconds ?? 1)
    default: return .move(amount, direction, for: content.seconds ?? 0.5)
    }
  }

  private func example(_ verb: Verb) -> String {
    verb == .move ? "move 0.3 m up in 0.5 s" : "\(verb.rawValue) 30° right in 0.5 s"
  }

  private func content(of verb: Verb) throws(SensorError) -> Content {
    var content = Content()
    var isTime = false
    var index = 1
    while index < words.count {
      let word = words[index]
      index += 1
      if ["in", "for", "within"].contains(word.text) {
        isTime = true
      } else if ["to", "the", "by"].contains(word.text) {
        continue
      } else if let direction = MotionStep.Direction(rawValue: word.text), verb.directions.contains(direction) {
        content.direction = direction
      } else if let (number, attached) = Self.number(word.text) {
        var unit = attached
        if unit.isEmpty, index < words.count, Self.units[words[index].text] != nil {
          unit = words[index].text
          index += 1
        }
        try add(number, unit: unit, of: word, isTime: isTime, verb: verb, to: &content)
        isTime = false
      } else {
        let directions = verb.directions.map(\.rawValue)
        throw word.error(
          "“\(word.text)” is not understood after “\(verb.rawValue)”; "
            + (directions.isEmpty
              ? "write only the seconds, as in “\(verb.rawValue) 1 s”."
              : "its directions are \(directions.joined(separator: ", "))."))
      }
    }
    return content
  }

  private func add(
    _ number: Double, unit: String, of word: MotionWord, isTime: Bool, verb: Verb, to content: inout Content
  ) throws(SensorError) {
    let fallback = isTime ? Unit.second : verb.amount ?? .second
    let (meaning, factor): (Unit, Double)
    if unit.isEmpty {
      (meaning, factor) = (fallback, 1)
    } else if let known = Self.units[unit] {
      (meaning, factor) = known
    } else {
      throw word.error("“\(unit)” is not a unit of a motion script; the units are s, ms, °, degrees, rad, m and cm.")
    }
    if meaning == .second {
      guard content.seconds == nil else { throw word.error("This step has two times; one is enough.") }
      content.seconds = number * factor
    } else {
      guard meaning == verb.amount, !isTime else {
        throw word.error(
          "“\(word.text)\(unit == word.text ? "" : " \(unit)")” is not a valid amount for “\(verb.rawValue)” here.")
      }
      guard content.amount == nil else { throw word.error("This step has two amounts; one is enough.") }
      content.amount = number * factor
    }
  }

  private static let units: [String: (Unit, Double)] = [
    "s": (.second, 1), "second": (.second, 1), "seconds": (.second, 1), "ms": (.second, 1e-3),
    "°": (.degree, 1), "deg": (.degree, 1), "degree": (.degree, 1), "degrees": (.degree, 1),
    "rad": (.degree, 180 / .pi), "m": (.metre, 1), "metre": (.metre, 1), "metres": (.metre, 1), "cm": (.metre, 1e-2),
  ]

  /// The number at the beginning of a word and what is attached to it.
  private static func number(_ text: String) -> (Double, String)? {
    let digits = text.prefix { $0.isNumber || ".+-".contains($0) }
    guard let number = Double(digits), number.isFinite else { return nil }
    return (number, String(text.dropFirst(digits.count)))
  }
}
