// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What the name of a column says: `acc_x_g`, `AccX`, `Acceleration X (m/s²)`, `Shimmer_4DC3_Gyro_X_CAL`, `ax`.
///
/// A name is words: what it measures, an axis, a unit, and the rest, which is the place of the sensor (hip, Shimmer 4DC3)
/// or its variant (low noise, calibrated).
struct ColumnName {
  /// The raw values are for sentences.
  enum Kind: String {
    case time, accelerometer, gyroscope, magnetometer, pressure
    case userAcceleration = "user acceleration"
    case gravity, other
    /// An axis, and no word for a quantity.
    case axisOnly
    /// Nothing that is known.
    case unknown
  }

  var kind = Kind.unknown
  /// 0 x, 1 y, 2 z.
  var axis: Int?
  /// The axis is a number in the name: 0 to 2, or 1 to 3, as the others show.
  var isNumbered = false
  /// As a map writes it, for the quantity's first target.
  var unit: String?
  /// A unit is there and is none of the quantity.
  var hasStrangeUnit = false
  /// The words that are left.
  var place = ""
  var variant: Set<String> = []
  /// Core Motion's own property names, whose accelerations have Apple's sign.
  var isCoreMotion = false

  /// - Parameters:
  ///   - name: as the header writes it.
  ///   - group: what stands above it.
  ///   - unit: what stands below it.
  init(_ name: String, group: String = "", unit: String = "") {
    var (text, brackets) = Self.withoutBrackets(name)
    if !unit.isEmpty { brackets.append(unit) }
    var tail = Self.tail(&text)
    var words = Self.words(text)
    if tail == nil, brackets.isEmpty, let last = words.last, words.count > 1, Self.timeUnits.contains(last) {
      tail = last
    }
    isCoreMotion =
      text.contains("userAcceleration") || text.contains("rotationRate") || text.contains("UserAcceleration")
    axis = Self.takeAxis(&words)
    if axis == nil, let bracket = brackets.first(where: { Self.axes[$0.lowercased()] != nil }) {
      axis = Self.axes[bracket.lowercased()]
    }
    words += Self.words(group)
    if axis == nil { takeNumber(&words, brackets) }
    kind = Self.kind(words, hasAxis: axis != nil)
    let texts = brackets + [tail].compactMap(\.self)
    if kind == .axisOnly || kind == .unknown, axis != nil { kind = Self.kind(ofUnit: texts) ?? kind }
    guard let target = target else { return }
    for text in texts where self.unit == nil {
      self.unit = (ColumnMap.unit(text, of: target) ?? ColumnMap.unit(text + "/s", of: target))?.name
    }
    // "acc_g_x"
    if self.unit == nil, kind == .accelerometer || kind == .magnetometer,
      let word = words.first(where: { !Self.known.contains($0) && ColumnMap.unit($0, of: target) != nil })
    {
      self.unit = ColumnMap.unit(word, of: target)?.name
      words.removeAll { $0 == word }
    }
    hasStrangeUnit =
      self.unit == nil && brackets.contains { Self.axes[$0.lowercased()] == nil && Int($0) == nil && !$0.isEmpty }
    variant = Set(words).intersection(Self.variants)
    place = words.filter { !Self.known.contains($0) && !Self.variants.contains($0) }.joined(separator: " ")
  }

  /// The first target of the quantity in a map.
  var target: String? {
    switch kind {
    case .time: "t"
    case .accelerometer: "ax"
    case .gyroscope: "gx"
    case .magnetometer: "mx"
    case .pressure: "p"
    case .userAcceleration: "userx"
    case .gravity: "gravx"
    default: nil
    }
  }
}

extension ColumnName {
  private static let axes = ["x": 0, "y": 1, "z": 2]
  private static let time: Set<String> = [
    "t", "time", "timestamp", "ts", "stamp", "timestamps", "times", "datetime", "date", "elapsed", "epoch", "utc",
    "unix",
    "clock", "seconds", "secs", "sec", "millis", "micros", "nanos", "milliseconds", "microseconds", "zeit",
    "zeitstempel", "datum", "uhrzeit", "sampletimefine", "gpst",
  ]
  private static let accelerometer: Set<String> = [
    "acc", "accel", "acce", "accelerometer", "acceleration", "accelerations", "accelerometers", "accl",
    "beschleunigung",
    "beschl", "gforce", "gf", "specificforce",
  ]
  private static let gyroscope: Set<String> = [
    "gyr", "gyro", "gyros", "gyroscope", "omega", "angular", "angvel", "angularvelocity", "angularrate", "rotation",
    "rotationrate", "drehrate", "winkelgeschwindigkeit", "turnrate",
  ]
  private static let magnetometer: Set<String> = [
    "mag", "magn", "magnet", "magneto", "magnetometer", "magnetic", "compass", "magnetfeld", "magneticfield",
  ]
  private static let pressure: Set<String> = ["pressure", "baro", "barometer", "press", "luftdruck", "druck"]
  private static let linear: Set<String> = ["lin", "linear", "linacc", "linacce", "user", "useracceleration", "free"]
  private static let gravity: Set<String> = ["gravity", "grav"]
  /// What has axes and is no reading of the three sensors.
  private static let other: Set<String> = [
    "quat", "quaternion", "euler", "roll", "pitch", "yaw", "heading", "orientation", "attitude", "position", "pos",
    "vel", "velocity", "inc", "delta", "bias", "std", "var", "variance", "cov", "covariance", "err", "error", "offset",
    "sigma", "accuracy", "mat", "matrix", "temp", "temperature", "temperatur", "jerk", "force", "moment",
    "trajectory", "norm", "magnitude", "abs", "absolute",
  ]
  private static let variants: Set<String> = [
    "ln", "wr", "low", "noise", "wide", "range", "high", "hg", "cal", "calibrated", "uncal", "uncalibrated", "raw",
  ]
  private static let filler: Set<String> = [
    "axis", "data", "sensor", "value", "rate", "velocity", "speed", "field", "including", "a", "g", "m", "w", "f",
    "total",
  ]
  private static let known = time.union(accelerometer).union(gyroscope).union(magnetometer).union(pressure).union(
    linear
  )
  .union(gravity).union(filler)
  private static let timeUnits: Set<String> = ["ms", "us", "ns"]

  private static func kind(_ words: [String], hasAxis: Bool) -> Kind {
    let set = Set(words)
    func has(_ some: Set<String>) -> Bool { !set.isDisjoint(with: some) }
    guard hasAxis else {
      if has(pressure) { return .pressure }
      if has(other) || has(accelerometer) || has(gyroscope) || has(magnetometer) { return .other }
      return has(time) ? .time : .unknown
    }
    let isAngular = set.contains("angular") || set.contains("rotation")
    if has(other.subtracting(isAngular ? ["velocity", "vel"] : [])) { return .other }
    if has(gyroscope) { return set.contains("angular") && has(accelerometer) ? .other : .gyroscope }
    if has(magnetometer) { return .magnetometer }
    if has(gravity), !set.contains("including") { return .gravity }
    if has(linear) { return .userAcceleration }
    if has(accelerometer) || set.contains("f") && set.contains("g") { return .accelerometer }
    switch words.first(where: { ["a", "g", "w", "m"].contains($0) }) {
    case "a": return .accelerometer
    case "g", "w": return .gyroscope
    case "m": return .magnetometer
    default: return words.allSatisfy(filler.contains) ? .axisOnly : .unknown
    }
  }

  /// The quantity that alone has such a unit.
  private static func kind(ofUnit texts: [String]) -> Kind? {
    for text in texts {
      if text != "G", ColumnMap.unit(text, of: "ax") != nil { return .accelerometer }
      if ColumnMap.unit(text, of: "gx") != nil { return .gyroscope }
      if text != "G", ColumnMap.unit(text, of: "mx") != nil { return .magnetometer }
    }
    return nil
  }

  /// Words in lower case: at signs, blanks and digits, and where a capital follows a small letter.
  private static func words(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var last: Character = " "
    for character in name {
      let isLetter = character.isLetter
      if !isLetter || (character.isUppercase && last.isLowercase) || (isLetter && last.isNumber) {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if isLetter {
        word.append(character)
      } else if character.isNumber {
        if last.isNumber, let digits = words.popLast() {
          words.append(digits + String(character))
        } else {
          words.append(String(character))
        }
      }
      last = character
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words
  }

  /// What stands in parentheses and brackets, and the name without it.
  private static func withoutBrackets(_ name: String) -> (String, [String]) {
    var text = ""
    var brackets: [String] = []
    var inner = ""
    var depth = 0
    for character in name {
      switch character {
      case "(", "[", "{":
        if depth > 0 { inner.append(character) }
        depth += 1
      case ")", "]", "}":
        if depth > 1 { inner.append(character) }
        if depth == 1 {
          brackets.append(inner)
          inner = ""
          text.append(" ")
        }
        depth = max(0, depth - 1)
      default: if depth > 0 { inner.append(character) } else { text.append(character) }
      }
    }
    return (text + inner, brackets)
  }

  /// A unit at the end of a name, behind a sign: "_g", "_m_s2", " dps"; it is taken off.
  private static func tail(_ text: inout String) -> String? {
    let parts = text.split { !($0.isLetter || $0.isNumber || "/^²°µ\u{B5}".contains($0)) }
    for count in [5, 4, 3, 2, 1] where parts.count > count {
      let last = parts.suffix(count)
      guard !last.contains(where: { axes[$0.lowercased()] != nil }) else { continue }
      for joint in count > 1 ? ["/", ""] : [""] {
        let unit = last.joined(separator: joint)
        guard !known.contains(unit.lowercased()) || ["g", "m", "s"].contains(unit.lowercased()),
          ["t", "ax", "gx", "mx", "p"].contains(where: { ColumnMap.unit(unit, of: $0) != nil })
            || ["rad", "deg"].contains(unit)
        else { continue }
        text = String(text[..<last[last.startIndex].startIndex])
        return unit
      }
    }
    return nil
  }

  /// The axis where it is a number: "gyro_rad[0]", "Acceleration_1".
  private mutating func takeNumber(_ words: inout [String], _ brackets: [String]) {
    guard !Set(words).isDisjoint(with: Self.known.subtracting(Self.filler).subtracting(Self.time)) else { return }
    let isNumber = { (text: String) in ["0", "1", "2", "3"].contains(text) }
    if let bracket = brackets.first(where: isNumber) {
      axis = Int(bracket)
    } else if let last = words.last, isNumber(last) {
      axis = Int(words.removeLast())
    }
    isNumbered = axis != nil
  }

  /// The axis among the words, taken out: x alone, or at either end of a known word ("accx", "gx", "xgyro"); p, q, r and
  /// the rates of roll, pitch and yaw are those of a gyroscope.
  private static func takeAxis(_ words: inout [String]) -> Int? {
    if let index = words.lastIndex(where: { axes[$0] != nil }) {
      return axes[words.remove(at: index)]
    }
    let stems = accelerometer.union(gyroscope).union(magnetometer).union(gravity).union(linear)
      .union(["a", "g", "w", "m", "f", "gf"])
    for (index, word) in words.enumerated() where word.count > 1 {
      for (letter, stem) in [(word.suffix(1), word.dropLast()), (word.prefix(1), word.dropFirst())] {
        guard let axis = axes[String(letter)], stems.contains(String(stem)) else { continue }
        words[index] = String(stem)
        return axis
      }
    }
    if words.count == 1, let axis = ["p": 0, "q": 1, "r": 2][words[0]] {
      words = ["w"]
      return axis
    }
    let text = words.joined()
    for (axis, angle) in ["roll", "pitch", "yaw"].enumerated()
    where ["rate", "speed", "velocity"].contains(where: { text.hasSuffix(angle + $0) || text.hasPrefix($0 + angle) }) {
      words = words.filter { !$0.contains(angle) } + ["gyro"]
      return axis
    }
    return nil
  }
}
