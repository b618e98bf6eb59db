// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

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
