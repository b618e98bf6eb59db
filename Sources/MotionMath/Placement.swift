// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Where on a person a device is. It decides how steps are counted.
public enum Placement: Sendable, Hashable, CaseIterable {
  // Without a raw value of text, whose comparison would need the tables of Unicode in the C library.
  /// A phone in a pocket, hand or bag.
  case body
  case wrist
  case head

  // A longer word may end with one of five letters and more: "iPhone", "smartwatch", "frontpocket".
  private static var words: [(String, Placement)] {
    [
      ("head", .head), ("headphone", .head), ("earphone", .head), ("headset", .head), ("earbud", .head),
      ("airpod", .head), ("pod", .head), ("wrist", .wrist), ("wristband", .wrist), ("watch", .wrist), ("phone", .body),
      ("pocket", .body), ("hip", .body), ("waist", .body), ("belt", .body), ("chest", .body), ("backpack", .body),
    ]
  }

  /// The place that a name or a description says: "Apple Watch", "left_wrist", "1601_phone_accel.csv", "AirPods", or
  /// the name of one. Nil where no word is of a place, or two are of different ones.
  public init?(words text: some Sequence<UInt8>) {
    // Alone, because "body" in a longer name is often that of a frame of axes.
    var found = text.elementsEqual("body".utf8) ? Placement.body : nil
    var word: [UInt8] = []
    // False where two places were found.
    func takesWord() -> Bool {
      if word.last == UInt8(ascii: "s") { word.removeLast() }
      let place = Self.words.first { name, _ in
        word.elementsEqual(name.utf8) || name.utf8.count > 4 && word.suffix(name.utf8.count).elementsEqual(name.utf8)
      }?.1
      word = []
      guard let place else { return true }
      if let found, found != place { return false }
      found = place
      return true
    }
    var isAfterSmall = false
    for byte in text {
      let isCapital = 0x41...0x5A ~= byte
      let isSmall = 0x61...0x7A ~= byte
      // "leftWrist" is two words.
      if !isSmall, !isCapital || isAfterSmall, !takesWord() { return nil }
      if isSmall || isCapital { word.append(byte | 0x20) }
      isAfterSmall = isSmall
    }
    guard takesWord(), let found else { return nil }
    self = found
  }

  /// The same of a text.
  public init?(words text: String) { self.init(words: text.utf8) }
}
