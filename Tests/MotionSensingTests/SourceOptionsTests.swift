// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

/// The table of options that all source addresses are read with.
@Suite struct SourceOptionsTests {
  private struct Settings: Sendable, Equatable {
    var rate = 1.0
    var count = 0
    var mode: Mode = .slow
    var isLoud = false
    var offsets: [Double] = []
    var density = 0.0
    var name = ""
  }

  private enum Mode: String, CaseIterable, Sendable {
    case slow, fast
  }

  private let table = SourceOptions<Settings>(
    "a test", hostOptions: ["speed"],
    [
      .number("rate", "Hz", in: 0.5...100, default: "1") { $0.rate = $1 },
      .integer("count", "records", in: 1...9) { $0.count = $1 },
      .choice("mode", Mode.self) { $0.mode = $1 },
      .yesOrNo("loud") { $0.isLoud = $1 },
      .numbers("offsets", "one number or three as x:y:z", in: -2...2, counts: [1, 3]) { $0.offsets = $1 },
      .waterDensity("water") { $0.density = $1 },
      .value("name", "a name", parse: { $0.isEmpty ? nil : $0 }) { $0.name = $1 },
    ])

  private func read(_ texts: [String: String]) throws(SensorError) -> Settings {
    var settings = Settings()
    try table.apply(texts, to: &settings)
    return settings
  }

  @Test func valuesAreSetAndWhatIsNotNamedStaysAsItWas() throws {
    #expect(try read([:]) == Settings() && read(["speed": "any"]) == Settings())
    let settings = try read([
      "rate": "2.5", "count": "9", "mode": "fast", "loud": "yes", "offsets": "1:-1:0.5", "water": "1015", "name": "x",
    ])
    #expect(
      settings
        == Settings(
          rate: 2.5, count: 9, mode: .fast, isLoud: true, offsets: [1, -1, 0.5], density: 1015, name: "x"))
    #expect(try abs(read(["water": "en13319"]).density - 1019.716) < 0.001)
  }

  @Test(arguments: [
    ("rate", "0.4", "Hz, a number from 0.5 to 100 (default: 1)"), ("rate", "nan", "Hz"), ("rate", "", "Hz"),
    ("count", "10", "records, a whole number from 1 to 9"), ("count", "1.5", "records"),
    ("mode", "Fast", "slow or fast"),
    ("loud", "1", "yes or no"), ("offsets", "1:2", "x:y:z"), ("offsets", "1:2:", "x:y:z"), ("offsets", "3", "x:y:z"),
    ("water", "thin", "fresh, en13319, salt, or kg/m³ from 950 to 1300"), ("name", "", "a name"),
  ])
  func aValueThatIsNotAcceptedIsNamedWithWhatIsAllowed(name: String, value: String, allowed: String) throws {
    let error = try #require(throws: SensorError.self) { try read([name: value]) }
    #expect(error.code == .invalidRequest)
    #expect(error.message.hasPrefix("The option “\(name)” takes ") && error.message.contains(allowed))
    #expect(error.message.hasSuffix(", not “\(value)”."))
  }

  @Test func anUnknownOptionIsNamedWithAllThatThereAre() throws {
    let error = try #require(throws: SensorError.self) { try read(["volume": "11", "rate": "2"]) }
    #expect(
      error.message
        == "“volume” is not an option of a test; the options are rate, count, mode, loud, offsets, water, name and speed."
    )
  }

  @Test func anOptionThatIsNearlyOneOfThemIsAskedFor() throws {
    let error = try #require(throws: SensorError.self) { try read(["raet": "2"]) }
    #expect(error.message.hasPrefix("“raet” is not an option of a test: did you mean “rate”? The options are rate, "))
  }
}

/// The one place where a mistyped word is guessed.
struct SpellingTests {
  @Test(arguments: [
    ("wlak", "walk"), ("Walk", "walk"), ("wa", "walk"), ("walkk", "walk"), ("sped", "speed"), ("rust", "rest"),
    ("headnod", "headNod"), ("xyz", nil), ("", nil), ("w1234", nil),
  ])
  func theNearestWordIsMeant(word: String, meant: String?) {
    #expect(Spelling.nearest(to: word, of: ["rest", "seed", "speed", "walk", "headNod"]) == meant)
  }
}

struct PrintableTextTests {
  @Test func nothingThatActsOnATerminalIsLeft() {
    for value in UInt32(0)...0x2100 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let acts = scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
      let isSeparator = [.lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
      let text = "a\(scalar)b".printable(keepingLines: false)
      #expect((text != "a\(scalar)b") == (acts || isSeparator), "U+\(String(value, radix: 16))")
      #expect(text.printable(keepingLines: false) == text)
    }
  }

  @Test func ordinaryTextStaysAsItIs() {
    let texts = ["", "Łukasz’s Kopfhörer 🎧", "24.5 °C · µT", "שלום", "a\nb\tc", #"C:\u{1B}"#]
    for text in texts { #expect(text.printable() == text) }
    #expect("a\nb\tc\r".printable() == "a\nb\tc\\u{D}")
    #expect("a\nb\tc".printable(keepingLines: false) == "a\\u{A}b\\u{9}c")
  }
}
