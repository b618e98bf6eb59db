// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import TestSupport
import Testing

/// The elementary functions against the platform's.
struct ScalarTests {
  /// A function of one number, here and in the C library.
  struct Function: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let ours: @Sendable (Double) -> Double
    let theirs: @Sendable (Double) -> Double
    /// Arguments outside are not asked for.
    var range = -Double.infinity...Double.infinity
  }

  static let functions: [Function] = [
    Function(testDescription: "sin", ours: Scalar.sin, theirs: { Foundation.sin($0) }),
    Function(testDescription: "cos", ours: Scalar.cos, theirs: { Foundation.cos($0) }),
    Function(testDescription: "tan", ours: Scalar.tan, theirs: { Foundation.tan($0) }),
    Function(testDescription: "asin", ours: Scalar.asin, theirs: { Foundation.asin($0) }, range: -1...1),
    Function(testDescription: "acos", ours: Scalar.acos, theirs: { Foundation.acos($0) }, range: -1...1),
    Function(testDescription: "exp", ours: Scalar.exp, theirs: { Foundation.exp($0) }),
    Function(testDescription: "log", ours: Scalar.log, theirs: { Foundation.log($0) }, range: 0...Double.infinity),
  ]

  @Test(arguments: functions) func aFunctionIsWithinOneUnitOfThePlatforms(_ function: Function) {
    for x in Self.arguments() where function.range.contains(x) {
      #expect(distance(function.ours(x), function.theirs(x)) <= 1, "\(function.testDescription)(\(x))")
    }
    for x in Self.special where function.range.contains(x) || x.isNaN {
      #expect(distance(function.ours(x), function.theirs(x)) <= 1, "\(function.testDescription)(\(x))")
    }
  }

  @Test func functionsOfTwoNumbersAreWithinOneUnitOfThePlatforms() {
    let numbers = Self.arguments()
    var pairs = Array(zip(numbers, numbers.reversed()))
    for x in Self.special {
      for y in Self.special { pairs.append((x, y)) }
    }
    for (x, y) in pairs {
      #expect(distance(Scalar.atan2(x, y), Foundation.atan2(x, y)) <= 1, "atan2(\(x), \(y))")
      #expect(distance(Scalar.hypot(x, y), Foundation.hypot(x, y)) <= 1, "hypot(\(x), \(y))")
      #expect(distance(Scalar.pow(x, y), Foundation.pow(x, y)) <= 1, "pow(\(x), \(y))")
      #expect(distance(Scalar.pow(abs(x), 1 / y), Foundation.pow(abs(x), 1 / y)) <= 1, "pow(\(abs(x)), \(1 / y))")
    }
  }

  /// The doubles nearest to a multiple of a quarter turn: W. Kahan's, J.-M. Muller's "Elementary Functions", chapter
  /// 11.
  @Test func aMultipleOfAQuarterTurnLosesNoDigit() {
    #expect(Scalar.cos(6_381_956_970_095_103 * 0x1p797) == -4.6871659242546277e-19)
    #expect(Scalar.sin(.pi) == 1.2246467991473532e-16)
    #expect(Scalar.cos(.pi / 2) == 6.123233995736766e-17)
    #expect(Scalar.sin(1e22) == -0.8522008497671888)
  }

  /// Doubles between two; 0 for two NaN.
  private func distance(_ a: Double, _ b: Double) -> UInt64 {
    if a.isNaN || b.isNaN { return a.isNaN && b.isNaN ? 0 : .max }
    guard a.sign == b.sign else { return .max }
    return a.bitPattern > b.bitPattern ? a.bitPattern - b.bitPattern : b.bitPattern - a.bitPattern
  }

  private static let special: [Double] = [
    0, -0.0, 0.5, 1, -1, 2, -2, 3, -3, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .leastNormalMagnitude,
    .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0x1p52 + 1, 0x1p53 + 2, 0x1p51 + 0.5, 1e300, 1e-300,
  ]

  /// Twenty thousand: near 0 and 1, of an ordinary size, and any bits at all.
  private static func arguments() -> [Double] {
    var random = SeededRandom(seed: 20)
    return (0..<20_000).map { index in
      let unit = Double(Int64(bitPattern: random.next())) * 0x1p-63
      return switch index % 5 {
      case 0: unit
      case 1: unit * 30
      case 2: (1 - abs(unit)).squareRoot()
      case 3: unit * 1e6
      default: Double(bitPattern: random.next() & 0xBFFF_FFFF_FFFF_FFFF)
      }
    }
  }
}
