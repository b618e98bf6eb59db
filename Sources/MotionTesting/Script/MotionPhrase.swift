// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The words of one step, read from left to right.
struct MotionPhrase {
  var words: [MotionWord] = []

  private enum Unit { case second, degree, metre, floor, cadence, times }

  /// What a phrase said besides its verb.
  private struct Content {
    var seconds: Double?
    var amount: Double?
    var direction: MotionStep.Direction?
    var times: Int?
    /// Steps per second.
    var cadence: Double?
  }

  private enum Verb: String, CaseIterable {
    case rest, tilt, turn, look, nod, move, shake
    case shakeHead = "shake head"
    case walk, run, climb, descend, cycle, drive, ride, drop

    /// What a number measures that stands without a unit and not after “in”; nil = time.
    var amount: Unit? {
      switch self {
      case .tilt, .turn, .look, .nod, .shakeHead: .degree
      case .move: .metre
      case .climb, .descend, .ride: .floor
      case .rest, .shake, .walk, .run, .cycle, .drive, .drop: nil
      }
    }

    var directions: [MotionStep.Direction] {
      switch self {
      case .tilt: [.left, .right, .forward, .back]
      case .turn: [.left, .right]
      case .look: [.left, .right, .up, .down]
      case .move: MotionStep.Direction.allCases
      case .ride: [.up, .down]
      default: []
      }
    }

    var hasCadence: Bool { [.walk, .run, .climb, .descend].contains(self) }

    /// Words that may stand with it and say nothing more.
    var fillers: [String] { ["to", "the", "by"] + (self == .ride ? ["lift"] : hasTimes ? ["head"] : []) }

    /// Whether it can be done so many times in a row.
    var hasTimes: Bool { self == .nod || self == .shakeHead }
  }

  /// The step, or nil when there are no words.
  func finish() throws(SensorError) -> MotionStep? {
    guard let first = words.first else { return nil }
    let shakesHead = first.text == "shake" && words.contains { $0.text == "head" }
    guard let verb = shakesHead ? .shakeHead : Verb(rawValue: first.text) else {
      throw first.error(
        "“\(first.text)” is not a step of a motion script; the steps are \(Verb.allCases.map(\.rawValue).joined(separator: ", "))."
      )
    }
    let content = try content(of: verb)
    if let seconds = content.seconds, !MotionStep.durations.contains(seconds) {
      throw first.error("“\(first.text)” must last from 0.001 to 1000000 s, not \(seconds) s.")
    }
    let floors = content.amount ?? 1
    if verb.amount == .floor, !MotionStep.floors.contains(floors) {
      throw first.error("“\(first.text)” takes more than 0 and at most 1000 floors, not \(floors).")
    }
    switch verb {
    case .rest: return .rest(content.seconds ?? 1)
    case .shake: return .shake(content.seconds ?? 1)
    case .nod: return .nod(content.times ?? 1, degrees: content.amount ?? 20, for: content.seconds)
    case .shakeHead: return .shakeHead(content.times ?? 1, degrees: content.amount ?? 30, for: content.seconds)
    case .drop: return .drop(content.seconds ?? 0.4)
    case .walk: return .walk(content.seconds ?? 5, cadence: content.cadence ?? 2)
    case .run: return .run(content.seconds ?? 5, cadence: content.cadence ?? 2.7)
    case .climb: return .climb(floors: floors, cadence: try climbing(content, floors, first))
    case .descend: return .climb(floors: -floors, cadence: try climbing(content, floors, first))
    case .cycle: return .cycle(content.seconds ?? 60)
    case .drive: return .drive(content.seconds ?? 60)
    case .ride where content.seconds != nil: throw first.error("A lift has its own speed: leave the time out.")
    case .ride: return .lift(floors: content.direction == .down ? -floors : floors)
    case .tilt, .turn, .look, .move: break
    }
    guard let amount = content.amount, let direction = content.direction else {
      let missing = content.amount == nil ? "an amount" : "a direction"
      throw first.error("“\(first.text)” needs \(missing): write “\(example(verb))”.")
    }
    switch verb {
    case .look where direction == .left || direction == .right: fallthrough
    case .turn: return .turn(degrees: amount, direction, for: content.seconds ?? 1)
    case .look, .tilt: return .tilt(degrees: amount, direction, for: content.seconds ?? 0.5)
    default: return .move(amount, direction, for: content.seconds ?? 0.5)
    }
  }

  private func example(_ verb: Verb) -> String {
    switch verb {
    case .tilt, .turn, .look: "\(verb.rawValue) 30° right in 0.5 s"
    case .move: "move 0.3 m up in 0.5 s"
    case .nod, .shakeHead: "\(verb.rawValue) twice in 2 s"
    case .walk, .run: "\(verb.rawValue) 10 s at 150 steps a minute"
    case .climb, .descend: "\(verb.rawValue) 2 floors at 100 steps a minute"
    case .ride: "ride 3 floors up"
    case .rest, .shake, .cycle, .drive, .drop: "\(verb.rawValue) 1 s"
    }
  }

  private func content(of verb: Verb) throws(SensorError) -> Content {
    var content = Content()
    var isTime = false
    var index = 1
    while index < words.count {
      let word = words[index]
      let followsAt = words[index - 1].text == "at"
      index += 1
      let takesTime = ["in", "for", "within"].contains(word.text)
      if takesTime || verb.fillers.contains(word.text) || (verb.hasCadence && word.text == "at") {
        let next = index < words.count ? words[index].text : nil
        let takesNumber = takesTime || ["at", "by"].contains(word.text)
        if takesNumber ? next.flatMap(Self.number) == nil : next == nil && ["to", "the"].contains(word.text) {
          throw word.error("Something is missing after “\(word.text)”; write for example “\(example(verb))”.")
        }
        isTime = takesTime
      } else if let direction = MotionStep.Direction(rawValue: word.text), verb.directions.contains(direction) {
        guard content.direction == nil else { throw word.error("This step has two directions; one is enough.") }
        content.direction = direction
      } else if let times = ["once": 1.0, "twice": 2][word.text] {
        try add(times, unit: "times", of: word, isTime: isTime, verb: verb, to: &content)
      } else if let (number, attached) = Self.number(word.text) {
        var unit = attached
        if unit.isEmpty, index < words.count, Self.units[words[index].text] != nil {
          unit = words[index].text
          index += 1
        }
        if Self.units[unit]?.0 == .cadence {
          guard verb.hasCadence, content.cadence == nil else {
            throw word.error("“\(verb.rawValue)” does not take “\(word.text) \(unit)” here.")
          }
          content.cadence = try cadence(number, unit, of: word, verb, at: &index)
        } else if followsAt {
          throw word.error("After “at” come steps a minute; write for example “\(example(verb))”.")
        } else {
          try add(number, unit: unit, of: word, isTime: isTime, verb: verb, to: &content)
        }
        isTime = false
      } else {
        let directions = verb.directions.map(\.rawValue).joined(separator: ", ")
        let hint = directions.isEmpty ? "" : "its directions are \(directions); "
        throw word.error(
          "“\(word.text)” is not understood after “\(verb.rawValue)”; \(hint)write for example “\(example(verb))”.")
      }
    }
    return content
  }

  /// Steps per second; behind “steps” may stand “a minute”, “per minute” or the same with a second.
  private func cadence(
    _ number: Double, _ unit: String, of word: MotionWord, _ verb: Verb, at index: inout Int
  ) throws(SensorError) -> Double {
    var rate = number / 60
    let rest = words[index...].prefix(2).map(\.text)
    if ["step", "steps"].contains(unit) {
      guard rest.count == 2, ["a", "per"].contains(rest[0]), ["minute", "second"].contains(rest[1]) else {
        throw word.error("Steps need “a minute” or “a second” after them; write for example “\(example(verb))”.")
      }
      index += 2
      if rest[1] == "second" { rate = number }
    }
    guard MotionStep.cadences.contains(rate) else {
      throw word.error("A cadence is from 6 to 360 steps a minute, not \(rate * 60).")
    }
    return rate
  }

  /// Steps per second on stairs: as said, or by the time that they are to take.
  private func climbing(_ content: Content, _ floors: Double, _ first: MotionWord) throws(SensorError) -> Double {
    guard let seconds = content.seconds else { return content.cadence ?? 1.8 }
    let cadence = floors * MotionStep.stepsPerFloor / seconds
    guard content.cadence == nil, MotionStep.cadences.contains(cadence) else {
      throw first.error(
        content.cadence == nil
          ? "“\(first.text)” takes 3 to 180 s a floor, not \(seconds / floors)."
          : "“\(first.text)” has a time and a cadence; one is enough.")
    }
    return cadence
  }

  private func add(
    _ number: Double, unit: String, of word: MotionWord, isTime: Bool, verb: Verb, to content: inout Content
  ) throws(SensorError) {
    let fallback = isTime ? Unit.second : verb.amount ?? .second
    guard let (meaning, factor) = unit.isEmpty ? (fallback, 1) : Self.units[unit] else {
      throw word.error(
        "“\(unit)” is not a unit of a motion script; the units are s, ms, min, h, °, degrees, rad, m, cm, floors, times and steps a minute."
      )
    }
    if meaning == .second {
      guard content.seconds == nil else { throw word.error("This step has two times; one is enough.") }
      content.seconds = number * factor
    } else if meaning == .times, verb.hasTimes {
      guard content.times == nil, let times = Int(exactly: number), (1...1000).contains(times) else {
        throw word.error("“\(verb.rawValue)” takes one whole number of times from 1 to 1000.")
      }
      content.times = times
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
    "min": (.second, 60), "minute": (.second, 60), "minutes": (.second, 60), "h": (.second, 3600),
    "hour": (.second, 3600), "hours": (.second, 3600), "floor": (.floor, 1), "floors": (.floor, 1),
    "time": (.times, 1), "times": (.times, 1), "step": (.cadence, 1), "steps": (.cadence, 1),
    "steps/min": (.cadence, 1), "spm": (.cadence, 1),
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
