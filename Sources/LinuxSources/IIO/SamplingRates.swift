// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The rates of one sensor: which can be chosen, and where.
///
/// A driver lists them, gives "[lowest step highest]", or says nothing, as sensor hubs do (spec IIO-24).
struct SamplingRates: Sendable, Hashable {
  /// The attribute to write; nil = the rate cannot be chosen.
  var path: String?
  /// Hz, ascending; empty = not listed.
  var listed: [Double] = []
  /// Hz; nil = no range given.
  var span: ClosedRange<Double>?

  /// What is asked for when somebody wants "as fast as you can" and nothing is listed, Hz: every hub gives it.
  static let unlisted = 100.0
  /// "As fast as you can" ends here, Hz: beyond, a chip's samples cost more than they tell. A rate that is asked for by number does not.
  static let fastest = 1000.0

  /// Hz, ascending: the rates to name to others; of a range its ends.
  var known: [Double] {
    guard let span else { return listed }
    return span.lowerBound < span.upperBound ? [span.lowerBound, span.upperBound] : [span.upperBound]
  }

  /// What to write for a wish in Hz; nil = as fast as it can. The next higher rate that there is, so that nobody gets less than wanted.
  func choice(for wanted: Double?) -> Double {
    if let span { return min(max(wanted ?? Self.fastest, span.lowerBound), span.upperBound) }
    guard let highest = listed.last else { return min(wanted ?? Self.unlisted, Self.fastest) }
    guard let wanted else { return listed.last { $0 <= Self.fastest } ?? highest }
    // A hair below counts as met: lists are rounded.
    return listed.first { $0 >= wanted * 0.999 } ?? highest
  }
}

extension SamplingRates {
  /// The rates of one quantity of a device.
  init(of quantity: IIOQuantity, device: IIODevice) {
    let channel = quantity.channels[0]
    path = device.attribute("sampling_frequency", of: channel)
    guard let available = device.attribute("sampling_frequency_available", of: channel),
      let text = try? device.files.read(available)
    else { return }
    let isRange = text.hasPrefix("[")
    let numbers = text.split { " []".contains($0) }.compactMap { Double($0) }.filter { $0 > 0 && $0.isFinite }
    if isRange, numbers.count == 3, numbers[0] <= numbers[2] {
      span = numbers[0]...numbers[2]
    } else if !isRange {
      listed = Set(numbers).sorted()
    }
  }

  /// A number as the kernel reads it: no exponent, at most six digits behind the point.
  static func text(_ number: Double) -> String {
    let millionths = Int64((min(max(number, 0), 1e9) * 1e6).rounded())
    let (whole, fraction) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
    guard fraction > 0 else { return "\(whole)" }
    var digits = String(1_000_000 + fraction).dropFirst()
    while digits.hasSuffix("0") { digits = digits.dropLast() }
    return "\(whole).\(digits)"
  }
}
