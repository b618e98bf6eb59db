// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// One option of a source's address, such as `rate` in `iio:?rate=200`: its name, the values that it accepts, and what
/// a value changes in the settings of the source.
package struct SourceOption<Settings>: Sendable {
  package let name: String
  /// Continues the sentence "the option takes …".
  let allowed: String
  /// What holds without the option; nil where nothing needs to be said.
  let standard: String?
  /// False for a value that is not accepted.
  fileprivate let apply: @Sendable (inout Settings, String) throws(SensorError) -> Bool

  /// A value of any kind; `parse` returns nil for text that it does not accept, or throws an error with more to say.
  package static func value<Value>(
    _ name: String, _ allowed: String, default standard: String? = nil,
    parse: @escaping @Sendable (String) throws(SensorError) -> Value?,
    set: @escaping @Sendable (inout Settings, Value) -> Void
  ) -> Self {
    Self(name: name, allowed: allowed, standard: standard) { settings, text throws(SensorError) in
      guard let value = try parse(text) else { return false }
      set(&settings, value)
      return true
    }
  }

  /// A number within a range; `unit` begins the description: "Hz", "seconds".
  package static func number(
    _ name: String, _ unit: String, in range: ClosedRange<Double>, default standard: String? = nil,
    set: @escaping @Sendable (inout Settings, Double) -> Void
  ) -> Self {
    let allowed = "\(unit), a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
    return value(name, allowed, default: standard, parse: { Self.number($0[...], in: range) }, set: set)
  }

  /// Numbers within a range, joined by colons: as many as one of `counts`, or any number of them when that is nil.
  package static func numbers(
    _ name: String, _ allowed: String,
    in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...(.greatestFiniteMagnitude),
    counts: Set<Int>? = nil, default standard: String? = nil,
    set: @escaping @Sendable (inout Settings, [Double]) -> Void
  ) -> Self {
    value(
      name, allowed, default: standard,
      parse: { text in
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Self.number($0, in: range) }
        return numbers.count == parts.count && counts?.contains(parts.count) != false ? numbers : nil
      }, set: set)
  }

  /// A whole number within a range.
  package static func integer<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ unit: String, in range: ClosedRange<Number>, default standard: String? = nil,
    set: @escaping @Sendable (inout Settings, Number) -> Void
  ) -> Self {
    let upper = range.upperBound == .max ? "on" : "to \(range.upperBound)"
    return value(
      name, "\(unit), a whole number from \(range.lowerBound) \(upper)", default: standard,
      parse: { Number($0).flatMap { range.contains($0) ? $0 : nil } }, set: set)
  }

  /// One of a list of words.
  package static func choice<Value: Sendable>(
    _ name: String, _ choices: KeyValuePairs<String, Value>, default standard: String? = nil,
    set: @escaping @Sendable (inout Settings, Value) -> Void
  ) -> Self {
    let choices = choices.map { (word: $0.key, value: $0.value) }
    return value(
      name, sentenceList(choices.map(\.word), "or"), default: standard,
      parse: { text in choices.first { $0.word == text }?.value }, set: set)
  }

  /// One of the cases of an enumeration, by its raw value.
  package static func choice<Value: CaseIterable & RawRepresentable & SendableMetatype>(
    _ name: String, _ type: Value.Type, default standard: String? = nil,
    set: @escaping @Sendable (inout Settings, Value) -> Void
  ) -> Self where Value.RawValue: LosslessStringConvertible & SendableMetatype {
    value(
      name, sentenceList(Value.allCases.map { "\($0.rawValue)" }, "or"), default: standard,
      parse: { text in Value.RawValue(text).flatMap(Value.init) }, set: set)
  }

  /// `yes` or `no`.
  package static func yesOrNo(
    _ name: String, default standard: String? = nil, set: @escaping @Sendable (inout Settings, Bool) -> Void
  ) -> Self {
    choice(name, ["yes": true, "no": false], default: standard, set: set)
  }

  /// The density of water, kg/m³: 1000 for `fresh`, 1025 for `salt`, and 10 kPa a metre for `en13319`, the norm of
  /// depth gauges.
  package static func waterDensity(
    _ name: String, set: @escaping @Sendable (inout Settings, Double) -> Void
  ) -> Self {
    value(
      name, "fresh, en13319, salt, or kg/m³ from 950 to 1300", default: "en13319",
      parse: {
        ["fresh": 1000, "en13319": 10_000 / standardGravity, "salt": 1025][$0] ?? number($0[...], in: 950...1300)
      },
      set: set)
  }

  private static func number(_ text: Substring, in range: ClosedRange<Double>) -> Double? {
    Double(text).flatMap { range.contains($0) ? $0 : nil }
  }

  private static func text(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? "\(number)"
  }
}

/// The options that a source's address may have. All option parsers are a table of this kind.
package struct SourceOptions<Settings>: Sendable {
  /// Ends the sentence "“x” is not an option of …".
  let owner: String
  package let options: [SourceOption<Settings>]
  /// Options that the host reads before it hands the address on. They are accepted here and change nothing.
  let hostOptions: [String]

  package init(_ owner: String, hostOptions: [String] = [], _ options: [SourceOption<Settings>]) {
    self.owner = owner
    self.hostOptions = hostOptions
    self.options = options
  }

  /// Applies the options of an address in the order of the table.
  ///
  /// Throws `.invalidRequest` for an option that is not in the table and for a value that is not accepted; the sentence
  /// names the option and says what is allowed.
  package func apply(_ texts: [String: String], to settings: inout Settings) throws(SensorError) {
    let known = options.map(\.name) + hostOptions
    if let unknown = texts.keys.filter({ !known.contains($0) }).min() {
      let list = Spelling.question(for: unknown, of: known, then: "the options are \(sentenceList(known, "and")).")
      throw SensorError(.invalidRequest, "“\(unknown)” is not an option of \(owner)\(list)")
    }
    for option in options {
      guard let text = texts[option.name] else { continue }
      guard try !option.apply(&settings, text) else { continue }
      let standard = option.standard.map { " (default: \($0))" } ?? ""
      throw SensorError(
        .invalidRequest, "The option “\(option.name)” takes \(option.allowed)\(standard), not “\(text)”.")
    }
  }
}

/// Settings that the options of a source's address fill in.
package protocol SourceSettings: Sendable, Hashable {
  /// The available options.
  static var table: SourceOptions<Self> { get }
  /// The defaults.
  init()
}

extension SourceSettings {
  /// The defaults, changed by the options of an address. Throws `.invalidRequest` for an option that is not understood.
  package init(_ options: [String: String]) throws(SensorError) {
    self.init()
    try Self.table.apply(options, to: &self)
  }
}

/// "a, b and c".
private func sentenceList(_ words: [String], _ conjunction: String) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}
